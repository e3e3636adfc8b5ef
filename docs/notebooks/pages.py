"""Add a page for each notebook to the documentation, while mkdocs builds it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

FOLDER = Path(__file__).parent


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages; mkdocs calls this function."""
    for path in sorted(FOLDER.glob("*.ipynb")):
        name = path.relative_to(FOLDER.parent).with_suffix(".md").as_posix()
        files.append(File.generated(config, name, content=page(path)))
    return files


def page(path: Path) -> str:
    """Return a notebook as Markdown, with a link to the file."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return "\n\n".join([*map(markdown, cells), f"[Download this notebook]({path.name})"])


def markdown(cell: dict[str, Any]) -> str:
    """Return a cell as Markdown: text as it is, code and what it prints as blocks."""
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        return source
    printed = "".join(
        "".join(output.get("text") or output["data"]["text/plain"]) for output in cell["outputs"]
    )
    return block(source, "python") + (f"\n\n{block(printed, 'text')}" if printed else "")


def block(text: str, language: str) -> str:
    """Return a fenced block."""
    return f"```{language}\n{text.rstrip()}\n```"

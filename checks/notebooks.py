"""Run the notebooks of the documentation and compare what they print with what they contain.

    make notebooks
    .venv/bin/python checks/notebooks.py --write    # put what the cells print into the notebooks

Each notebook runs in an empty directory with a copy of examples/. An error in a cell ends the run. Outputs
are stored as text. docs/notebooks/pages.py makes the pages of the documentation from them.
"""

from __future__ import annotations

import argparse
import difflib
import os
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))
SETTINGS = {"COLUMNS": "100", "NO_COLOR": "1"}
SECONDS = 300  # for a cell


def main() -> None:
    """Run all notebooks; exit with code 1 if one of them is out of date."""
    parser = argparse.ArgumentParser(description="Run the notebooks of the documentation.")
    parser.add_argument("--write", action="store_true", help="update the output in the notebooks")
    given = parser.parse_args()
    os.environ.update(SETTINGS)
    stale = False
    for path in NOTEBOOKS:
        before = path.read_text(encoding="utf-8")
        after = executed(before)
        changed = list(difflib.unified_diff(before.splitlines(), after.splitlines(), "stored", "now"))
        print(f"{path.name}: {'as stored' if not changed else 'differs'}", flush=True)
        if given.write:
            path.write_text(after, encoding="utf-8")
        else:
            print(*changed, sep="\n", end="\n" * bool(changed))
            stale |= bool(changed)
    if stale:
        sys.exit("notebooks are out of date: run checks/notebooks.py --write")


def executed(text: str) -> str:
    """Return the notebook with what its cells print now, without times and identifiers of the run."""
    notebook = nbformat.reads(text, as_version=4)
    with TemporaryDirectory(prefix="arbitree-notebook-") as folder:
        shutil.copytree(ROOT / "examples", Path(folder) / "examples")
        place = {"metadata": {"path": folder}}
        NotebookClient(
            notebook, timeout=SECONDS, kernel_name="python3", resources=place, record_timing=False
        ).execute()
    notebook.metadata.language_info = {"name": "python"}
    for cell in notebook.cells:
        cell.metadata = {}
        if cell.cell_type == "code":
            cell.outputs = plain(cell.outputs)
    return nbformat.writes(notebook, indent=1) + "\n"


def plain(outputs: list[nbformat.NotebookNode]) -> list[nbformat.NotebookNode]:
    """Return the outputs as text alone, with pieces of one stream that follow each other as one."""
    found: list[nbformat.NotebookNode] = []
    for each in outputs:
        if found and each.output_type == "stream" and found[-1].get("name") == each.name:
            found[-1].text += each.text
            continue
        if "data" in each:
            each.data = {"text/plain": each.data["text/plain"]}
        found.append(each)
    return found


if __name__ == "__main__":
    main()

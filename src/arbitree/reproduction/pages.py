"""Pages on papers in Markdown: pieces between the marks of a page that exists, or a new page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from arbitree.errors import FormatError, Source
from arbitree.files import write_whole
from arbitree.reproduction.parts import FIGURE


def write_page(folder: Path, name: str, title: str, pieces: Mapping[str, str]) -> list[Path]:
    """Write the page *name*, with its figures next to it; return the paths.

    A page that exists keeps its text. Only what is between ``<!-- PIECE -->`` and ``<!-- end -->`` changes,
    for every piece that was made.
    """
    page = folder / f"{name}.md"
    figures = {f"{name}-{mark}": text for mark, text in pieces.items() if mark.endswith(FIGURE)}
    text = page.read_text(encoding="utf-8") if page.exists() else new_page(name, title, pieces)
    for mark, piece in pieces.items():
        if not mark.endswith(FIGURE):
            text = filled(text, mark, piece, page)
    for file, drawing in figures.items():
        write_whole(folder / file, drawing)
    write_whole(page, text)
    return [page, *(folder / file for file in figures)]


def new_page(name: str, title: str, pieces: Mapping[str, str]) -> str:
    """Return a page with a heading and an empty mark for each piece."""
    blocks = [f"# Reproduction of {title}"]
    for mark in pieces:
        if mark.endswith(FIGURE):
            blocks.append(f"![{mark.removesuffix(FIGURE)}]({name}-{mark})")
        else:
            blocks.append(f"## {mark[:1].upper()}{mark[1:]}\n\n<!-- {mark} -->\n<!-- end -->")
    return "\n\n".join(blocks) + "\n"


def filled(page: str, mark: str, text: str, path: Path) -> str:
    """Return *page* with *text* after its mark.

    Example:
        >>> filled("<!-- a -->\\nold\\n<!-- end -->", "a", "new", Path("page.md"))
        '<!-- a -->\\n\\nnew\\n\\n<!-- end -->'
    """
    marks = re.compile(rf"(<!-- {re.escape(mark)} -->\n).*?(<!-- end -->)", re.DOTALL)
    page, count = marks.subn(lambda match: f"{match[1]}\n{text}\n\n{match[2]}", page)
    if count != 1:
        hint = "Correct or delete the page, or choose another directory with --output"
        raise FormatError(
            f"expected one mark <!-- {mark} --> in this page, got {count}", Source(str(path)), hint=hint
        )
    return page

"""What the programs that make the pages on papers share: parts, marks, figures, and cells of two numbers.

A page is written by hand. Between ``<!-- NAME -->`` and ``<!-- end -->`` stands what its program found. A
part of a page that needs data is left as it is where ARBITREE_DATA lacks them, and that is said.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from arbitree import plugins
from arbitree.reading.content import Content
from arbitree.reporting.figure_style import save
from arbitree.study.study import Annotation, Item, Study

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Part:
    """Pieces of a page that are made together.

    The function returns Markdown by the name of its mark, and pictures by the name of their file, which ends
    in ``.svg``. It gets the data folder if it needs anything there.
    """

    make: Callable[..., Mapping[str, str]]
    needs: Sequence[str] = field(default=())  # in the data folder

    def lacks(self, data: Path | None) -> list[str]:
        """Return what the data folder does not have."""
        return [need for need in self.needs if data is None or not (data / need).exists()]

    def pieces(self, data: Path | None) -> Mapping[str, str]:
        """Return the pieces, or none if data are lacking."""
        if self.lacks(data):
            return {}
        return self.make(data) if self.needs else self.make()


def run(name: str, parts: Sequence[Part]) -> None:
    """Print the pieces of the page *name*, or put them into it if the program was called with --write."""
    given = os.environ.get("ARBITREE_DATA")
    data = Path(given) if given else None
    lacking = dict.fromkeys(need for part in parts for need in part.lacks(data))
    if lacking:
        what = f"{name}: what needs {' or '.join(lacking)} is left as it is"
        print(f"{what}; set ARBITREE_DATA to a folder that has it", file=sys.stderr)
    found: dict[str, str] = {}
    for part in parts:
        found |= part.pieces(data)
    if "--write" in sys.argv[1:]:
        write(name, found)
    else:
        texts = {mark: text for mark, text in found.items() if not mark.endswith(".svg")}
        print("\n\n".join(f"{mark}\n\n{text}" for mark, text in texts.items()))


def write(name: str, pieces: Mapping[str, str]) -> None:
    """Put *pieces* between their marks in the page, and pictures beside it."""
    path = FOLDER / f"{name}.md"
    page = path.read_text(encoding="utf-8")
    for mark, text in pieces.items():
        if mark.endswith(".svg"):
            (FOLDER / f"{name}-{mark}").write_text(text, encoding="utf-8")
        else:
            page = filled(page, mark, text)
    path.write_text(page, encoding="utf-8")


def filled(page: str, mark: str, text: str) -> str:
    """Return *page* with *text* after its mark.

    Example:
        >>> filled("<!-- a -->\\nold\\n<!-- end -->", "a", "new")
        '<!-- a -->\\n\\nnew\\n\\n<!-- end -->'
    """
    marks = re.compile(rf"(<!-- {re.escape(mark)} -->\n).*?(<!-- end -->)", re.DOTALL)
    page, count = marks.subn(lambda match: f"{match[1]}\n{text}\n\n{match[2]}", page)
    if count != 1:
        raise SystemExit(f"the page has {count} marks {mark!r}, not one")
    return page


def beside(printed: float, ours: float | None, digits: int = 3) -> str:
    """Return one number where both are the same, else both.

    Example:
        >>> beside(0.547, 0.5469), beside(0.33, 0.3411, 2), beside(0.5, None, 1)
        ('**.547**', '.33 (.34)', '.5 (—)')
    """
    if ours is None:
        return f"{number(printed, digits)} (—)"
    if abs(ours - printed) < 10**-digits / 2 + 1e-9:  # a half may have been rounded either way
        return f"**{number(printed, digits)}**"
    return f"{number(printed, digits)} ({number(ours, digits)})"


def same(printed: Any, ours: Any) -> str:
    """Return one value where both are the same, else both.

    Example:
        >>> same("NP", "NP"), same(3, 4)
        ('**NP**', '3 (4)')
    """
    return f"**{printed}**" if printed == ours else f"{printed} ({ours})"


def number(value: float, digits: int) -> str:
    """Return a number as papers print it.

    Example:
        >>> number(0.5, 3), number(-0.25, 2), number(12.34, 1)
        ('.500', '-.25', '12.3')
    """
    text = f"{value:.{digits}f}"
    return text.replace("0.", ".", 1) if abs(value) < 1 and digits else text


def rows(header: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    """Return a table of Markdown."""
    lines = [header, ["---"] * len(header), *body]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def svg_of(paints: Any, **options: Any) -> str:
    """Return a figure as SVG; the arguments are those of ``arbitree.reporting.figure_style.save``."""
    with TemporaryDirectory() as folder:
        paths = save(Path(folder) / "figure", paints, **options)
        (path,) = [path for path in paths if path.suffix == ".svg"]
        return path.read_text(encoding="utf-8")


def study_of(values: Mapping[str, Mapping[str, Any]]) -> Study[Any]:
    """Return the study of *values*, by item and coder."""
    coders = dict.fromkeys(coder for cells in values.values() for coder in cells)
    items = {name: Item(name, "paper", name) for name in values}
    cells = {
        (name, coder): Annotation(items[name], coder, value)
        for name, given in values.items()
        for coder, value in given.items()
    }
    return Study(tuple(items.values()), tuple(coders), cells)


def trees(text: str) -> Iterator[Any]:
    """Yield the phrase trees that *text* has in brackets."""
    for entry in plugins.get("formats", "brackets").read(Content("paper", text.encode())):
        yield entry.value

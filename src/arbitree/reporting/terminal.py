"""Documents on the terminal, in text files and in notebooks."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text as Words

from arbitree.reporting.document import Details, Document, Section
from arbitree.study.result import Column, Table
from arbitree.wording import count_of, encoded

WIDTH = 100  # columns of a terminal that a document may take
PIPED = 80  # columns of text in a pipe, as in the smallest usual terminal
GAP = 2  # blanks between two columns of a table
INDENT = 5  # blanks before what stands below a numbered title


def text(document: Document, *, verbose: bool = False, width: int = WIDTH) -> str:
    """Return *document* as plain text, with its details if *verbose*."""
    file = io.StringIO()
    console = Console(file=file, width=width, color_system=None, force_jupyter=False)
    console.print(renderable(document, verbose=verbose), crop=False)
    return "".join(f"{line.rstrip()}\n" for line in file.getvalue().splitlines())


def piped_width() -> int:
    """Return the columns of text in a pipe: COLUMNS if it is set, as for a terminal, else PIPED."""
    columns = os.environ.get("COLUMNS", "")
    return min(int(columns), WIDTH) if re.fullmatch("[1-9][0-9]{0,5}", columns) else PIPED


def show(document: Document, *, verbose: bool = False) -> None:
    """Print *document* on the terminal, in colour unless NO_COLOR is set."""
    console = Console(highlight=False)
    console.width = min(console.width, WIDTH)
    console.print(renderable(document, verbose=verbose), crop=False)


def notebook_html(document: Document) -> str:
    """Return the terminal output as an HTML fragment with escaped text.

    Example:
        >>> notebook_html(Document("agree", "a < b", (), dict))
        '<pre>a &lt; b\\n</pre>'
    """
    console = Console(file=io.StringIO(), width=WIDTH, record=True, force_jupyter=False)
    console.print(renderable(document), crop=False)
    return console.export_html(inline_styles=True, code_format="<pre>{code}</pre>")


def files(document: Document, path: str) -> dict[str, bytes]:
    """Return the file *path*."""
    return {path: encoded(text(document))}


def renderable(document: Document, *, verbose: bool = False) -> RenderableType:
    """Yield the output for a rich console: the headline and the sections, separated by blank lines."""
    parts: list[RenderableType] = [Words(document.headline)]
    for section in document.sections:
        blocks = list(_blocks(section, verbose))
        if blocks:
            parts += [Words(), *_title(section), *blocks]
    return Group(*parts)


def _title(section: Section) -> Iterator[RenderableType]:
    if section.number is not None:
        title = Grid.grid(padding=(0, GAP, 0, 0))
        title.add_row(Words(f"{section.number:>3}", "bold"), Words(section.title, "bold"))
        yield title
    elif section.title:
        yield Words(section.title, style="bold")


def _blocks(section: Section, verbose: bool) -> Iterator[RenderableType]:
    before = 0 if section.number is None else INDENT
    for block in section.blocks:
        if isinstance(block, Table):
            if "terminal" in block.media:
                table = replace(block, most=None) if block.folded and verbose else block
                yield Padding(_Shown(table), (0, 0, 0, before + 1)) if before else _Shown(table)
                yield from _below(table)
        elif isinstance(block, Details):
            if verbose:
                yield from (_words(line, whole=block.whole) for line in block.lines)
        else:
            shown = _words(block.words, block.style, whole=block.whole)
            yield Padding(shown, (0, 0, 0, before)) if before else shown


def _words(words: str, style: str = "", *, whole: bool = False) -> Words:
    if whole:
        return Words(words, style=style, no_wrap=True, overflow="ignore")
    return Words(words, style=style)


def _below(table: Table) -> Iterator[Words]:
    hidden = 0 if table.most is None else len(table.rows) - table.most
    if hidden > 0:
        options = "--verbose or --json" if table.folded else "--json"
        yield Words(f"{count_of(hidden, f'more {table.more}')}. Use {options} to print all.")
    if table.note:
        yield Words(table.note, style="dim")


@dataclass(frozen=True, slots=True)
class _Shown:
    """A table that looks different on a narrow console."""

    table: Table

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for place, grid in enumerate(_grids(self.table, options.max_width)):
            if place:
                yield Words()
            yield grid


def _grids(table: Table, width: int) -> list[Grid]:
    """Return *table* without bars if the console is narrow, and split into parts if needed."""
    found = table.shown_in("terminal")
    columns, lines = found.columns, _lines(found)
    widths = [
        max(map(cell_len, cells)) + GAP
        for cells in zip([each.title for each in columns], *lines, strict=True)
    ]
    shown = [place for place, column in enumerate(columns) if column.form.name != "bar"]
    if sum(widths) - GAP <= width:
        shown = list(range(len(columns)))
    least = [_least(column, [line[place] for line in lines], width) for place, column in enumerate(columns)]
    kept = shown[: found.repeated]
    if not kept and sum(least[place] for place in shown) <= width + GAP:
        runs = [shown]
    else:
        sizes = widths if kept else least
        kept = kept or shown[:1]
        others = shown[len(kept) :]
        room = width + GAP - sum(max(least[place], min(sizes[place], width // 3 + GAP)) for place in kept)
        runs = [
            [*kept, *(others[place] for place in run)]
            for run in portions([sizes[place] for place in others], room)
        ]
    return [
        _grid(found, lines, run, reduced([widths[at] for at in run], [least[at] for at in run], width + GAP))
        for run in runs
    ]


def _least(column: Column, cells: Sequence[str], width: int) -> int:
    """Return the least width of a column and its gap: words of the heading, and short ones of cells, fit."""
    if not column.form.wraps:
        return max(map(cell_len, (column.title, *cells))) + GAP
    words = [cell_len(word) for cell in cells for word in cell.split()]
    return max(*map(cell_len, (*column.title.split(), "")), min(max(words, default=0), width // 3)) + GAP


def reduced(widths: Sequence[int], least: Sequence[int], room: int) -> list[int]:
    """Return *widths*, of which the largest are reduced until all fit in *room* or have the least size.

    Example:
        >>> reduced([30, 8, 12], [5, 8, 10], 30), reduced([30, 8, 12], [5, 8, 10], 20)
        ([11, 8, 11], [5, 8, 10])
    """
    found = [min(width, room) for width in widths]
    while sum(found) > room:
        above = [place for place, width in enumerate(found) if width > least[place]]
        if not above:
            break
        found[max(above, key=found.__getitem__)] -= 1
    return found


def _lines(table: Table) -> list[list[str]]:
    """Return the cells as text, with their marks."""
    return [
        [
            column.form.text(value) + table.marks.get((number, place), "")
            for place, (column, value) in enumerate(zip(table.columns, row, strict=True))
        ]
        for number, row in enumerate(table.rows[: table.most])
    ]


def _grid(table: Table, lines: Sequence[Sequence[str]], places: Sequence[int], widths: Sequence[int]) -> Grid:
    titled = any(column.title for column in table.columns)
    grid = Grid(box=None, pad_edge=False, padding=(0, GAP, 0, 0), show_header=titled)
    for place, width in zip(places, widths, strict=True):
        column = table.columns[place]
        fixed = column.form.wraps and place != places[-1]  # the last column gets what is left
        grid.add_column(
            Words(column.title),
            width=width - GAP if fixed else None,
            justify="right" if column.form.right else "left",
            style="bold" if column.form.bold else None,
            no_wrap=not column.form.wraps,
            overflow="fold",
        )
    for line in lines:
        grid.add_row(*(Words(line[place]) for place in places))
    return grid


def portions(widths: Sequence[int], room: int) -> list[list[int]]:
    """Split the indices of *widths* into as few runs as fit in *room*, each with at least one index.

    Example:
        >>> portions([5, 5, 5], 10), portions([12], 10)
        ([[0, 1], [2]], [[0]])
    """
    found: list[list[int]] = [[]]
    for place, width in enumerate(widths):
        if found[-1] and sum(widths[at] for at in found[-1]) + width > room:
            found.append([])
        found[-1].append(place)
    return found


PLUGINS = {".txt": files}

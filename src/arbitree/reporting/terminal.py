"""Results for the terminal, a file of text and a notebook."""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from arbitree.kinds.kind import Kind
from arbitree.reporting.outline import names_of
from arbitree.reporting.phrasing import bounds, headline, ignored_lines, status_lines
from arbitree.study import result as data
from arbitree.study.result import Interval, Result
from arbitree.study.study import Study

GAP = "  "
WIDTH = 100  # columns of a terminal that a table may take


def aligned(lines: Sequence[Sequence[str]], *, left: int = 1) -> list[str]:
    """Return *lines* with their cells in columns.

    Args:
        lines: cells of every line, as many in each.
        left: how many columns are aligned at their left side; the others are numbers.
    Example:
        >>> print(*aligned([["measure", "value"], ["las", "0.5"]]), sep="\\n")
        measure  value
        las        0.5
    """
    widths = [max(map(cell_width, column)) for column in zip(*lines, strict=True)]
    shown = []
    for line in lines:
        cells = []
        for place, (cell, width) in enumerate(zip(line, widths, strict=True)):
            blanks = " " * (width - cell_width(cell))
            cells.append(cell + blanks if place < left else blanks + cell)
        shown.append(GAP.join(cells).rstrip())
    return shown


def stacked(lines: Sequence[Sequence[str]], *, left: int = 1, kept: int = 1) -> list[str]:
    """Return *lines* as ``aligned`` does; a table that is too wide goes on below, its first columns repeated.

    Args:
        lines: cells of every line, as many in each.
        left: how many columns are aligned at their left side.
        kept: how many columns every part begins with.
    """
    shown: list[str] = []
    widths = [max(map(cell_width, column)) + len(GAP) for column in zip(*lines, strict=True)]
    for places in portions(widths[kept:], WIDTH + len(GAP) - sum(widths[:kept])):
        part = [[*line[:kept], *(line[kept + place] for place in places)] for line in lines]
        shown += ["", *aligned(part, left=left)] if shown else aligned(part, left=left)
    return shown


def portions(widths: Sequence[int], room: int) -> list[list[int]]:
    """Return the places of *widths* in as few runs as fit in *room*, each of one place at least.

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


def cell_width(text: str) -> int:
    """Return how many columns of a terminal *text* takes.

    Example:
        >>> cell_width("las"), cell_width("鳥")
        (3, 2)
    """
    if text.isascii():
        return len(text)
    return sum(_width(character) for character in text)


def _width(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


BAR = 24
ROOM = 45  # what the other columns of the table of measures take
LISTED = 20  # rows of a long table that a terminal shows


def as_text(
    kind: Kind[Any],
    study: Study[Any],
    results: Sequence[Result],
    *,
    tables: Mapping[str, data.Table] | None = None,
    verbose: bool = False,
) -> str:
    """Return the results as plain text."""
    file = io.StringIO()
    console = Console(file=file, width=WIDTH, color_system=None)
    console.print(renderable(kind, study, results, tables=tables, verbose=verbose))
    lines = "".join(f"{line.rstrip()}\n" for line in file.getvalue().splitlines())
    return lines + (_signatures(results) if verbose else "")


def print_results(
    kind: Kind[Any],
    study: Study[Any],
    results: Sequence[Result],
    *,
    tables: Mapping[str, data.Table] | None = None,
    verbose: bool = False,
) -> None:
    """Print the results on the terminal, in colour unless NO_COLOR is set."""
    console = Console(highlight=False)
    console.width = min(console.width, WIDTH)
    console.print(renderable(kind, study, results, tables=tables, verbose=verbose))
    if verbose:
        print(_signatures(results), end="")


def in_notebook(what: RenderableType) -> str:
    """Return what a rich console would print as a piece of HTML.

    Example:
        >>> in_notebook(Text("a < b"))
        '<pre>a &lt; b\\n</pre>'
    """
    console = Console(file=io.StringIO(), width=WIDTH, record=True)
    console.print(what)
    return console.export_html(inline_styles=True, code_format="<pre>{code}</pre>")


def renderable(
    kind: Kind[Any],
    study: Study[Any],
    results: Sequence[Result],
    *,
    tables: Mapping[str, data.Table] | None = None,
    verbose: bool = False,
) -> RenderableType:
    """Return what a rich console prints: a sentence, the table, breakdowns, what was left out."""
    parts: list[RenderableType] = [
        Text(headline(kind, study, results)),
        Text(),
        ToWidth(partial(_measures, results)),
    ]
    for by in results[0].groups:
        parts += [Text(), ToWidth(partial(_groups, by, results))]
    for name, table in (tables or {}).items():
        parts += [Text(), *_listing(name, table)]
    notes = dict.fromkeys(note for result in results for note in result.notes)
    lines = [*notes, *status_lines(results), *ignored_lines(results)]
    if lines:
        parts += [Text(), *(Text(line) for line in lines)]
    if verbose:
        parts += _ignored(results)
    return Group(*parts)


@dataclass(frozen=True, slots=True)
class ToWidth:
    """Tables that look otherwise on a narrow console."""

    tables: Callable[[int], list[Table]]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for place, table in enumerate(self.tables(options.max_width)):
            if place:
                yield Text()
            yield table


def _signatures(results: Sequence[Result]) -> str:
    """Return the signatures, one a line that is never broken, so that they can be copied."""
    return "\n" + "".join(f"{result.signature}\n" for result in results)


def bar(value: float | None, interval: Interval | None, width: int = BAR) -> str:
    """Return *value* as a mark, and its interval as a line, on an axis from 0 to 1.

    Example:
        >>> bar(0.5, None, width=9)
        '····●····'
        >>> bar(-0.2, None, width=5)
        '<····'
    """
    if value is None:
        return " " * width
    cells = ["·"] * width
    if interval:
        for place in range(_place(interval.low, width), _place(interval.high, width) + 1):
            cells[place] = "━"
    cells[_place(value, width)] = "●" if 0 <= value <= 1 else "<"
    return "".join(cells)


def _place(value: float, width: int) -> int:
    return round(min(max(value, 0.0), 1.0) * (width - 1))


def _measures(results: Sequence[Result], width: int) -> list[Table]:
    """Return the table of measures, without the bars where *width* has no room for them."""
    names = names_of(results)
    bars = max(map(len, names)) + BAR + ROOM <= width
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    confidence = next((r.interval.confidence for r in results if r.interval), None)
    table.add_column("measure", style="bold", overflow="fold")
    table.add_column("value", justify="right", no_wrap=True)
    if bars:
        table.add_column("0" + "1".rjust(BAR - 1), no_wrap=True)
    table.add_column(f"{confidence:.0%} interval" if confidence else "", no_wrap=True)
    table.add_column("used", justify="right")
    table.add_column("ignored", justify="right")
    for name, result in zip(names, results, strict=True):
        value = _number(result.value)
        remark = bounds(result.interval, digits=4) or ("" if result.status == "ok" else result.status)
        shown = [Text(bar(result.value, result.interval))] if bars else []
        counts = (f"{result.items_used:,}", f"{len(result.ignored):,}")
        table.add_row(Text(name), value, *shown, Text(remark, overflow="fold"), *counts)
    return [table]


def _groups(kind: str, results: Sequence[Result], width: int) -> list[Table]:
    """Return the breakdown as a table; if it is too wide, as several with the same first columns."""
    names = names_of(results)
    grouped = list(zip(*(result.groups[kind] for result in results), strict=True))
    extras = list(grouped[0][0].details) if grouped else []  # what a breakdown tells besides the values
    heads = [*names, *(f"{names[0]} {extra}" if extra == "without" else extra for extra in extras)]
    cells = [
        [_number(group.value, group.status) for group in rows]
        + [_detail(rows[0].details[extra]) for extra in extras]
        for rows in grouped
    ]
    first = max([len(f"by {kind}"), *(len(rows[0].name) for rows in grouped)])
    widths = [max(map(len, column)) + 2 for column in zip(heads, *cells, strict=True)]
    tables = []
    for places in portions(widths, width - min(first, width // 3) - 8):
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
        table.add_column(f"by {kind}", style="bold", overflow="fold")
        table.add_column("used", justify="right")
        for place in places:
            table.add_column(heads[place], justify="right", overflow="fold")
        for rows, values in zip(grouped, cells, strict=True):
            shown = [values[place] for place in places]
            table.add_row(Text(rows[0].name), f"{rows[0].items_used:,}", *shown)
        tables.append(table)
    return tables


def _number(value: float | None, status: str = "ok") -> str:
    """Return four digits, with a star where the value has a status that is explained below the tables."""
    if value is None:
        return "—"
    return f"{value:.4f}" if status == "ok" else f"{value:.4f}*"


def _listing(name: str, table: data.Table) -> list[RenderableType]:
    """Return a table as it is, its first rows if it is long."""
    shown = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), title=name, title_justify="left")
    for place, column in enumerate(table.columns):
        shown.add_column(column, justify="left" if place == 0 else "right", overflow="fold")
    for row in table.rows[:LISTED]:
        shown.add_row(*(Text(_detail(value)) for value in row))
    more = len(table.rows) - LISTED
    return [shown, *([Text(f"and {more:,} more; --json has all")] if more > 0 else [])]


def _detail(value: Any) -> str:
    return _number(value) if value is None or isinstance(value, float) else str(value)


def _ignored(results: Sequence[Result]) -> list[RenderableType]:
    seen = dict.fromkeys(each for result in results for each in result.ignored)
    return [Text(f"  {each.item}: {each.reason} {each.detail}".rstrip()) for each in seen]

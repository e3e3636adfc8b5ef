"""Results for the terminal, a file of text and a notebook."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from arbitree.data import result as data
from arbitree.data.result import Interval, Result
from arbitree.data.study import Study
from arbitree.reports.outline import names_of
from arbitree.reports.words import bounds, headline, ignored_lines, status_lines

WIDTH = 100
BAR = 24
LISTED = 20  # rows of a long table that a terminal shows


def as_text(
    study: Study[Any],
    results: Sequence[Result],
    *,
    tables: Mapping[str, data.Table] | None = None,
    verbose: bool = False,
) -> str:
    """Return the results as plain text."""
    file = io.StringIO()
    console = Console(file=file, width=WIDTH, color_system=None)
    console.print(renderable(study, results, tables=tables, verbose=verbose))
    lines = "".join(f"{line.rstrip()}\n" for line in file.getvalue().splitlines())
    return lines + (_signatures(results) if verbose else "")


def print_results(
    study: Study[Any],
    results: Sequence[Result],
    *,
    tables: Mapping[str, data.Table] | None = None,
    verbose: bool = False,
) -> None:
    """Print the results on the terminal, in colour unless NO_COLOR is set."""
    console = Console(highlight=False)
    console.width = min(console.width, WIDTH)
    console.print(renderable(study, results, tables=tables, verbose=verbose))
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
    study: Study[Any],
    results: Sequence[Result],
    *,
    tables: Mapping[str, data.Table] | None = None,
    verbose: bool = False,
) -> RenderableType:
    """Return what a rich console prints: a sentence, the table, breakdowns, what was left out."""
    parts: list[RenderableType] = [Text(headline(study, results)), Text(), _measures(results)]
    for kind in results[0].groups:
        parts += [Text(), _groups(kind, results)]
    for name, table in (tables or {}).items():
        parts += [Text(), *_listing(name, table)]
    notes = dict.fromkeys(note for result in results for note in result.notes)
    lines = [*notes, *status_lines(results), *ignored_lines(results)]
    if lines:
        parts += [Text(), *(Text(line) for line in lines)]
    if verbose:
        parts += _ignored(results)
    return Group(*parts)


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


def _measures(results: Sequence[Result]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    confidence = next((r.interval.confidence for r in results if r.interval), None)
    table.add_column("measure", style="bold", overflow="fold")
    table.add_column("value", justify="right", no_wrap=True)
    table.add_column("0" + "1".rjust(BAR - 1), no_wrap=True)
    table.add_column(f"{confidence:.0%} interval" if confidence else "", no_wrap=True)
    table.add_column("used", justify="right")
    table.add_column("ignored", justify="right")
    for name, result in zip(names_of(results), results, strict=True):
        value = _number(result.value)
        remark = bounds(result.interval, digits=4) or ("" if result.status == "ok" else result.status)
        shown = bar(result.value, result.interval)
        counts = (f"{result.items_used:,}", f"{len(result.ignored):,}")
        table.add_row(Text(name), value, Text(shown), Text(remark, overflow="fold"), *counts)
    return table


def _groups(kind: str, results: Sequence[Result]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(f"by {kind}", style="bold", overflow="fold")
    table.add_column("used", justify="right")
    first = results[0].groups[kind]
    extras = list(first[0].details) if first else []  # what a breakdown tells besides the values
    names = names_of(results)
    for name in names:
        table.add_column(name, justify="right", overflow="fold")
    for extra in extras:
        table.add_column(f"{names[0]} {extra}" if extra == "without" else extra, justify="right")
    for rows in zip(*(result.groups[kind] for result in results), strict=True):
        cells = [_number(group.value, group.status) for group in rows]
        cells += [_detail(rows[0].details[extra]) for extra in extras]
        table.add_row(Text(rows[0].name), f"{rows[0].items_used:,}", *cells)
    return table


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

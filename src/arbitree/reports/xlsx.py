"""Results as a workbook: a sheet of measures, one for each breakdown, items, what was left out, how."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import xlsxwriter

import arbitree
from arbitree.data.result import Group, Interval, Result
from arbitree.reports import outline
from arbitree.reports.citations import bibtex
from arbitree.reports.summary import summary
from arbitree.reports.table import ResultTable
from arbitree.reports.words import REASONS, STATUS, headline

LONGEST = 32_767  # characters in a cell, by the file format
WIDEST = 60  # characters that a column shows at once
UNDEFINED = "undefined"

# Text stays text: a token such as "=cmd" must never become a formula, nor an id a link or a number.
OPTIONS = {
    "in_memory": True,
    "strings_to_formulas": False,
    "strings_to_numbers": False,
    "strings_to_urls": False,
}
# Of the oldest kind, which every program that opens workbooks knows.
AXIS = {
    "type": "data_bar",
    "bar_color": "#8CC0E0",
    "min_type": "num",
    "min_value": 0,
    "max_type": "num",
    "max_value": 1,
}

Row = Sequence[str | int | float | None]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A header and rows; floats are shown with four digits, None is an empty cell."""

    name: str
    header: tuple[str, ...]
    rows: tuple[Row, ...]
    bar: int | None = None  # the column that shows its values on an axis from 0 to 1


def write_workbook(table: ResultTable, path: str | Path | IO[bytes]) -> None:
    """Write the workbook of *table* to a file, or to an open one."""
    target = str(path) if isinstance(path, Path) else path
    with xlsxwriter.Workbook(target, OPTIONS) as workbook:
        workbook.set_properties({"title": "Arbitree report", "comments": f"Arbitree {arbitree.__version__}"})
        formats = formats_of(workbook)
        taken: list[str] = []
        for sheet in sheets(table):
            taken.append(sheet_name(sheet.name, taken))
            write_sheet(workbook.add_worksheet(taken[-1]), sheet, formats)


def formats_of(workbook: Any) -> dict[str, Any]:
    """Return how headers, numbers and text look."""
    return {
        "header": workbook.add_format({"bold": True, "bottom": 1, "bg_color": "#EEF1F5"}),
        "float": workbook.add_format({"num_format": "0.0000", "valign": "top"}),
        "int": workbook.add_format({"num_format": "#,##0", "valign": "top"}),
        "text": workbook.add_format({"text_wrap": True, "valign": "top"}),
    }


def sheets(table: ResultTable) -> Iterator[Sheet]:
    """Yield the sheets of *table* in order."""
    names = outline.names_of(table.results)
    yield _measures(table.results, names)
    for kind in table.results[0].groups:
        yield _groups(kind, table.results, names)
    yield _items(table, names)
    yield _left_out(table)
    yield _about(table, names)


def sheet_name(name: str, taken: Sequence[str] = ()) -> str:
    """Return *name* as a sheet may be called: at most 31 characters, none of those reserved, no two alike.

    Example:
        >>> sheet_name("By [label]: a/b"), sheet_name("items", ["Items"]), sheet_name("'")
        ('By label a b', 'items 2', 'Sheet')
    """
    base = " ".join(re.sub(r"[\[\]:*?/\\\x00-\x1f]", " ", name).split()).strip("'")[:31].strip("' ")
    base = "Sheet" if not base or base.lower() == "history" else base
    known = {each.lower() for each in taken}
    found, number = base, 1
    while found.lower() in known:
        number += 1
        found = f"{base[: 30 - len(str(number))]} {number}"
    return found


def _measures(results: Sequence[Result], names: Sequence[str]) -> Sheet:
    header = ("measure", "value", "low", "high", "confidence", "interval", "used", "ignored", "remark")
    rows = tuple(
        (
            name,
            *_figures(result),
            result.interval.confidence if result.interval else None,
            result.interval.method if result.interval else None,
            result.items_used,
            len(result.ignored),
            STATUS.get(result.status, result.status),
        )
        for name, result in zip(names, results, strict=True)
    )
    return Sheet("Measures", header, rows, bar=1)


def _groups(kind: str, results: Sequence[Result], names: Sequence[str]) -> Sheet:
    """Return one row for each measure and group, so that the filter chooses what to compare."""
    first = results[0].groups[kind]
    extras = list(first[0].details) if first else []
    header = ("measure", kind, "value", "low", "high", "used", *extras, "remark")
    rows = tuple(
        (
            name,
            group.name,
            *_figures(group),
            group.items_used,
            *(group.details[extra] for extra in extras),
            STATUS.get(group.status, group.status),
        )
        for name, result in zip(names, results, strict=True)
        for group in result.groups[kind]
    )
    return Sheet(outline.title_of(kind), header, rows, bar=2)


def _items(table: ResultTable, names: Sequence[str]) -> Sheet:
    values: dict[str, dict[str, float]] = {}
    for name, result in zip(names, table.results, strict=True):
        if result.per_item is not None:
            title = f"{name} disagreement" if result.per_item_shows == "disagreement" else name
            values[title] = {row["item"]: row["value"] for row in result.per_item.records()}
    places = outline.places(table.study)
    rows = []
    for item, cells in table.study:
        place = places.get(item.id, outline.Place("", ""))
        figures = [each.get(item.id) for each in values.values()]
        rows.append((item.id, item.document, len(cells), *figures, place.source, place.text))
    header = ("item", "document", "annotations", *values, "first read at", "words")
    return Sheet("Items", header, tuple(rows))


def _left_out(table: ResultTable) -> Sheet:
    places = outline.places(table.study)
    rows = tuple(
        (
            each.item,
            REASONS.get(each.reason, each.reason),
            each.detail,
            ", ".join(group.measures),
            places[each.item].source if each.item in places else "",
        )
        for group in outline.left_out(table.results)
        for each in group.entries
    )
    return Sheet("Left out", ("item", "reason", "detail", "left out by", "first read at"), rows)


def _about(table: ResultTable, names: Sequence[str]) -> Sheet:
    rows: list[Row] = [("arbitree", arbitree.__version__), ("in words", headline(table.study, table.results))]
    facts = summary(table.study) | {"coders": ", ".join(table.study.coders)}
    rows += [*facts.items(), ("missing annotations", table.study.missing)]
    rows += [("warning", warning) for warning in table.warnings]
    signatures = [result.signature for result in table.results]
    rows += [(f"signature of {name}", each) for name, each in zip(names, signatures, strict=True)]
    rows += [("BibTeX", entry) for entry in bibtex(table.results)]
    return Sheet("About", ("what", "value"), tuple(rows))


def _figures(found: Result | Group) -> tuple[float | str, float | None, float | None]:
    interval: Interval | None = found.interval
    low, high = (interval.low, interval.high) if interval else (None, None)
    return UNDEFINED if found.value is None else found.value, low, high


def write_sheet(worksheet: Any, sheet: Sheet, formats: dict[str, Any]) -> None:
    """Write a header and rows, with a filter."""
    for column, title in enumerate(sheet.header):
        worksheet.write_string(0, column, cell_text(title), formats["header"])
    for place, row in enumerate(sheet.rows, start=1):
        for column, value in enumerate(row):
            if isinstance(value, str):
                worksheet.write_string(place, column, cell_text(value), formats["text"])
            elif value is not None:
                worksheet.write_number(place, column, value, formats[type(value).__name__])
    for column, title in enumerate(sheet.header):
        longest = max((_width(row[column]) for row in sheet.rows), default=0)
        worksheet.set_column(column, column, min(max(longest, len(title) + 3) + 2, WIDEST))
    worksheet.freeze_panes(1, 0)
    worksheet.autofilter(0, 0, len(sheet.rows), len(sheet.header) - 1)
    if sheet.bar is not None and sheet.rows:
        worksheet.conditional_format(1, sheet.bar, len(sheet.rows), sheet.bar, AXIS)


def cell_text(text: str) -> str:
    """Return *text* as a cell can hold it."""
    text = outline.encodable(text)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _width(value: str | float | None) -> int:
    if isinstance(value, str):
        return max(map(len, value.splitlines()), default=0)
    return len(f"{value:,.4f}") if isinstance(value, float) else len(str(value))

"""One sheet of a workbook: a header and rows, with a filter; text stays text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from arbitree.reporting import outline

LONGEST = 32_767  # characters in a cell, by the file format
WIDEST = 60  # characters that a column shows at once

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


def formats_of(workbook: Any) -> dict[str, Any]:
    """Return how headers, numbers and text look."""
    return {
        "header": workbook.add_format({"bold": True, "bottom": 1, "bg_color": "#EEF1F5"}),
        "float": workbook.add_format({"num_format": "0.0000", "valign": "top"}),
        "int": workbook.add_format({"num_format": "#,##0", "valign": "top"}),
        "text": workbook.add_format({"text_wrap": True, "valign": "top"}),
    }


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
    printed_wide(worksheet)
    if sheet.bar is not None and sheet.rows:
        worksheet.conditional_format(1, sheet.bar, len(sheet.rows), sheet.bar, AXIS)


def printed_wide(worksheet: Any) -> None:
    """Let paper show all columns, with the header on every page."""
    worksheet.set_landscape()
    worksheet.fit_to_pages(1, 0)
    worksheet.repeat_rows(0)


def cell_text(text: str) -> str:
    """Return *text* as a cell can hold it."""
    text = outline.encodable(text)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _width(value: str | float | None) -> int:
    if isinstance(value, str):
        return max(map(len, value.splitlines()), default=0)
    return len(f"{value:,.4f}") if isinstance(value, float) else len(str(value))

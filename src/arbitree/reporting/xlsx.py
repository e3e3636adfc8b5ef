"""Documents as Excel workbooks, with one sheet and filter per table."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO
from typing import IO, TYPE_CHECKING, Any, Self

import arbitree
from arbitree.extras import need
from arbitree.files import date_of, portable
from arbitree.study.result import Table
from arbitree.wording import decimal, encodable

if TYPE_CHECKING:
    from arbitree.reporting.document import Document

EARLIEST = datetime(1980, 1, 1, tzinfo=UTC)  # date of a workbook without one, as of the files in its archive
LONGEST = 32_767  # characters in a cell, by the file format
WIDEST = 60  # characters that a column shows at once
START = "Start"  # the name of the first sheet
START_WIDTHS = (24, 100)  # of its two columns
LINE = 15  # height of a line of text, in points
A4 = 9  # the number of this paper in the file format
NEAR = ("<-0.9999", ">-0.0001", "<0.0001", ">0.9999", "<1.0001")  # numbers that four digits would round

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


@dataclass(frozen=True, slots=True)
class Start:
    """The first sheet of a workbook: what it is, what to do, and what the other sheets contain."""

    title: str
    headline: str
    steps: Sequence[tuple[str, str]]  # an instruction and, if it has one, its command
    contents: Callable[[str], str]  # of a sheet, by its name


class Book:
    """A workbook that is being written, with tables and forms."""

    def __init__(self, target: IO[bytes], title: str, start: Start | None = None) -> None:
        need("a workbook", "xlsxwriter")
        import xlsxwriter

        self.workbook = xlsxwriter.Workbook(target, OPTIONS)
        created = max(date_of([]), EARLIEST)
        about = {"title": title, "comments": f"Arbitree {arbitree.__version__}", "created": created}
        self.workbook.set_properties(about)
        self.formats = formats_of(self.workbook)
        self._taken: list[str] = []
        self._start = start and (start, self.add_sheet(START))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        if self._start:
            start, sheet = self._start
            _write_start(sheet, start, self._taken[1:], self.formats)
        self.workbook.close()

    def add_sheet(self, name: str) -> Any:
        """Add an empty sheet with a unique name."""
        self._taken.append(sheet_name(name, self._taken))
        return self.workbook.add_worksheet(self._taken[-1])

    def add_table(self, table: Table) -> None:
        """Add a sheet with a header and the rows of *table*."""
        write_table(self.add_sheet(table.name), table, self.formats)


def files(document: Document, path: str) -> dict[str, bytes]:
    """Return the file *path*, with one sheet per table."""
    stream = BytesIO()
    with Book(stream, document.title, document.start and document.start()) as book:
        if document.forms is not None:
            document.forms(book)
        for table in document.tables("xlsx"):
            book.add_table(table)
    return {path: stream.getvalue()}


def formats_of(workbook: Any) -> dict[str, Any]:
    """Return the formats of headers, numbers and text."""
    near = {shown: {"num_format": f'"{shown}"', "valign": "top"} for shown in NEAR}
    formats: dict[str, dict[str, Any]] = {
        "header": {"bold": True, "bottom": 1, "bg_color": "#EEF1F5"},
        "float": {"num_format": "0.0000", "valign": "top"},
        "int": {"num_format": "#,##0", "valign": "top"},
        "text": {"text_wrap": True, "valign": "top"},
        "title": {"bold": True, "font_size": 16},
        "bold": {"bold": True, "text_wrap": True, "valign": "top"},
        "command": {"font_name": "Courier New", "text_wrap": True, "valign": "top", "bg_color": "#EEF1F5"},
        "link": {"font_color": "#1F4E9C", "underline": 1, "text_wrap": True, "valign": "top"},
        **near,
    }
    return {name: workbook.add_format(format_) for name, format_ in formats.items()}


def number_format(value: float, formats: dict[str, Any]) -> Any:
    """Return the format of a number; one that would be rounded to 0 or 1 is shown as in other media."""
    return formats.get(decimal(value, 4), formats[type(value).__name__])


def sheet_name(name: str, taken: Sequence[str] = ()) -> str:
    """Return a valid and unique sheet name: at most 31 characters, without reserved characters.

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


def write_table(worksheet: Any, table: Table, formats: dict[str, Any]) -> None:
    """Write a header and rows with a filter; floats are shown with four digits."""
    found = table.shown_in("xlsx")
    absent = [column.form.absent for column in found.columns]
    rows = [[a if v is None else v for a, v in zip(absent, row, strict=True)] for row in found.rows]
    for column, each in enumerate(found.columns):
        worksheet.write_string(0, column, cell_text(each.title), formats["header"])
    for place, row in enumerate(rows, start=1):
        for column, value in enumerate(row):
            if isinstance(value, str):
                worksheet.write_string(place, column, cell_text(value), formats["text"])
            elif value is not None:
                worksheet.write_number(place, column, value, number_format(value, formats))
    for column, each in enumerate(found.columns):
        longest = max((_width(row[column]) for row in rows), default=0)
        worksheet.set_column(column, column, min(max(longest, len(each.title) + 3) + 2, WIDEST))
    worksheet.freeze_panes(1, 0)
    worksheet.autofilter(0, 0, len(rows), len(found.columns) - 1)
    printed_wide(worksheet)
    worksheet.print_area(0, 0, len(rows), len(found.columns) - 1)
    bar = next((place for place, each in enumerate(found.columns) if each.form.axis), None)
    if bar is not None and rows:
        worksheet.conditional_format(1, bar, len(rows), bar, AXIS)


def _write_start(sheet: Any, start: Start, names: Sequence[str], formats: dict[str, Any]) -> None:
    """Write what to do, and a link to each of the other sheets."""
    narrow, wide = START_WIDTHS
    sheet.set_column(0, 0, narrow)
    sheet.set_column(1, 1, wide)
    sheet.hide_gridlines(2)
    sheet.set_row(0, 24)
    sheet.write_string(0, 0, cell_text(start.title), formats["title"])
    sheet.set_row(1, LINE * (1 + len(start.headline) // (narrow + wide - 10)))  # merged cells do not grow
    sheet.merge_range(1, 0, 1, 1, "", formats["text"])
    sheet.write_string(1, 0, cell_text(start.headline), formats["text"])
    row = 3
    sheet.write_string(row, 0, "What to do", formats["header"])
    sheet.write_blank(row, 1, None, formats["header"])
    for number, (text, command) in enumerate(start.steps, start=1):
        row += 1
        sheet.write_string(row, 0, f"{number}.", formats["text"])
        sheet.write_string(row, 1, cell_text(text), formats["text"])
        if command:
            row += 1
            sheet.write_string(row, 1, cell_text(command), formats["command"])
    row += 2
    sheet.write_string(row, 0, "Sheet", formats["header"])
    sheet.write_string(row, 1, "Contents", formats["header"])
    for name in names:
        row += 1
        target = name.replace("'", "''")
        sheet.write_url(row, 0, f"internal:'{target}'!A1", formats["link"], cell_text(name))
        sheet.write_string(row, 1, cell_text(start.contents(name)), formats["text"])
    printed_wide(sheet, header=None)
    sheet.print_area(0, 0, row, 1)


def printed_wide(worksheet: Any, header: int | None = 0) -> None:
    """Print all columns on one page width, with the row *header*, if there is one, on every page."""
    worksheet.set_landscape()
    worksheet.set_paper(A4)
    worksheet.set_margins(left=0.4, right=0.4, top=0.5, bottom=0.6)
    worksheet.set_footer("&L&F&C&A&RPage &P of &N")
    worksheet.fit_to_pages(1, 0)
    if header is not None:
        worksheet.repeat_rows(header)


def cell_text(text: str) -> str:
    """Return *text* shortened to the maximum length of a cell, and without absolute paths of inputs."""
    text = encodable(portable(text))
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _width(value: str | float | None) -> int:
    if isinstance(value, str):
        return max(map(len, value.splitlines()), default=0)
    return len(f"{value:,.4f}") if isinstance(value, float) else len(str(value))


PLUGINS = {".xlsx": files}

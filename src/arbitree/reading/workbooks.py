"""Read the sheets of a workbook as text."""

from __future__ import annotations

import csv
import io
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, time
from itertools import islice
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

from arbitree.errors import ArbitreeError, FormatError, Source, shorten
from arbitree.extras import need
from arbitree.files import note_input
from arbitree.paths import not_found, possible_path, sheet_in
from arbitree.reading.guard import guarded_reader
from arbitree.reading.limits import Limit, check_archive

WORKBOOKS = (".xlsx", ".xlsm")
BREAKS = re.compile(r"[\t\r\n]+")
MOST_ROWS = 1_048_576  # of a sheet, in all spreadsheet programs
MOST_CELLS = 5_000_000  # of a sheet, empty ones included
LIMIT = Limit(ratio=20, harmless=16 << 20)  # a sheet takes far more memory and time than a text of its size


@dataclass(frozen=True, slots=True)
class FilledSheet:
    """The cells of a sheet as text; rows may differ in length."""

    title: str
    path: str
    rows: tuple[tuple[str, ...], ...]

    def cell(self, row: int, column: int) -> str:
        """Return the text of a cell; both numbers begin with 0. Cells beyond the end of a row are empty."""
        cells = self.rows[row]
        return cells[column] if column < len(cells) else ""

    def name(self, row: int, column: int) -> str:
        """Return the name of a cell, such as Adjudication!H18."""
        letters = ""
        column += 1
        while column:
            column, letter = divmod(column - 1, 26)
            letters = chr(ord("A") + letter) + letters
        return f"{self.title}!{letters}{row + 1}"

    def columns(self, row: int, wanted: Sequence[str]) -> dict[str, int]:
        """Return the positions of the columns with their names in this *row*; all *wanted* must exist."""
        cells = self.rows[row] if row < len(self.rows) else ()
        columns = {text: place for place, text in enumerate(cells) if text}
        absent = [name for name in wanted if name not in columns]
        if absent:
            what = f"sheet {self.title!r} has no column {absent[0]!r}"
            hint = "Restore the column; the order of columns does not matter"
            raise FormatError(what, Source(self.path), hint=hint)
        return columns


@guarded_reader
def read_sheets(path: str, wanted: Callable[[str], bool]) -> list[FilledSheet]:
    """Return the sheets of the workbook at *path* whose titles are *wanted*.

    Damaged workbooks make openpyxl raise exceptions of many types, so this is the only function that uses it.
    """
    need("reading a workbook", "openpyxl", source=Source(path))
    import openpyxl

    note_input(path)
    place = Path(possible_path(path))
    if not place.exists():
        raise not_found(path)
    if not place.is_file():
        what = "expected a workbook, got a directory, pipe or device"
        raise FormatError(what, Source(path), hint="Pass the path of a workbook")
    try:
        check_archive(path, LIMIT, hint="Save a workbook that contains only the sheets of Arbitree")
        # The file is opened here, because openpyxl does not close the files of damaged workbooks.
        with place.open("rb") as file, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of decorations that openpyxl does not know; only values count
            with closing(openpyxl.load_workbook(file, read_only=True, data_only=True)) as book:
                sheets = [sheet for sheet in book.worksheets if wanted(sheet.title)]
                return [FilledSheet(sheet.title, path, tuple(_rows(sheet, path))) for sheet in sheets]
    except (ArbitreeError, MemoryError):
        raise
    except Exception as error:
        hint = "Save the workbook as .xlsx in your spreadsheet program"
        raise FormatError(f"cannot read this workbook ({_fault(error)})", Source(path), hint=hint) from error


def _fault(error: Exception) -> str:
    """Return what is wrong with a workbook, in words."""
    if isinstance(error, BadZipFile):
        return "it is not a zip archive, or not a complete one"
    part = re.search("no item named '([^']+)'", str(error)) if isinstance(error, KeyError) else None
    return f"its part {part[1]} is missing" if part else "its contents are damaged"


def _rows(sheet: Any, path: str) -> Iterator[tuple[str, ...]]:
    sheet.reset_dimensions()  # the size that a sheet states can be wrong
    rows = sheet.iter_rows(values_only=True)
    cells = 0
    for row in islice(rows, MOST_ROWS):
        cells += len(row)
        if cells > MOST_CELLS:
            raise _too_large(sheet, path, f"{MOST_CELLS:,} cells")
        yield tuple(map(_text, row))
    if next(rows, None) is not None:
        raise _too_large(sheet, path, f"{MOST_ROWS:,} rows")


def _too_large(sheet: Any, path: str, most: str) -> FormatError:
    hint = "Remove empty rows and columns at the end of the sheet"
    return FormatError(f"sheet {sheet.title!r} has more than {most}", Source(path), hint=hint)


def is_workbook(path: str) -> bool:
    """Return whether *path* names a workbook or one of its sheets."""
    return sheet_in(path)[0].lower().endswith(WORKBOOKS)


def table_in(path: str) -> tuple[bytes, list[str]]:
    """Return a sheet of a workbook as tab-separated text, and a warning if there are others.

    Every row is a line: tabs and line breaks inside cells become spaces.

    Args:
        path: A workbook, whose first sheet is read, or ``WORKBOOK.xlsx#SHEET``.
    Raises:
        FormatError: If the workbook has no sheet with this name.
    """
    path, chosen = sheet_in(path)
    titles: list[str] = []

    def is_wanted(title: str) -> bool:
        titles.append(title)
        return len(titles) == 1 if chosen is None else title.casefold() == chosen.casefold()

    buffer = io.StringIO()
    writer = csv.writer(buffer, delimiter="\t", lineterminator="\n")
    sheets = read_sheets(path, is_wanted)
    if chosen is not None and not sheets:
        what = f"this workbook has no sheet {shorten(chosen)}"
        raise FormatError(what, Source(path), hint=f"Use one of: {', '.join(titles)}")
    for sheet in sheets:
        width = max((place for row in sheet.rows for place, cell in enumerate(row, 1) if cell), default=0)
        writer.writerows([BREAKS.sub(" ", cell) for cell in row[:width]] for row in sheet.rows)
    notes = []
    if chosen is None and titles[1:]:
        another = f"to read another one, pass {shorten(f'{path}#{titles[1]}', 200)}"
        notes = [f"{path}: only the first of {len(titles)} sheets is read, {titles[0]!r}; {another}"]
    return buffer.getvalue().encode(), notes


def _text(value: Any) -> str:
    """Return a cell as text; spreadsheet programs convert text that looks like a number, a date or TRUE.

    Example:
        >>> _text(3.0), _text("3"), _text(None), _text(True), _text(datetime(2024, 1, 2))
        ('3', '3', '', 'TRUE', '2024-01-02')
    """
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, datetime) and value.time() == time.min:
        return value.date().isoformat()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else str(value)

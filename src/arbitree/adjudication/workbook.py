"""Read the decisions from the adjudication sheet of a report."""

from __future__ import annotations

import warnings
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arbitree.errors import FormatError, Source
from arbitree.extras import need
from arbitree.files import note_input
from arbitree.reading.guard import guarded_reader


@guarded_reader
def opened(path: str) -> Any:
    """Open the workbook at *path* and return it with the values of its cells."""
    need("reading a workbook", "openpyxl", source=Source(path))
    import openpyxl
    from openpyxl.utils.exceptions import InvalidFileException

    note_input(path)
    if not Path(path).is_file():
        raise FormatError("file not found", Source(path), hint="Check the path")
    try:
        with warnings.catch_warnings():  # of decorations that openpyxl does not know: only values are read
            warnings.simplefilter("ignore")
            return openpyxl.load_workbook(path, read_only=False, data_only=True)
    except (InvalidFileException, zipfile.BadZipFile, KeyError, OSError, ValueError) as error:
        hint = "Save the workbook as .xlsx in your spreadsheet program"
        raise FormatError(f"cannot read this workbook ({error})", Source(path), hint=hint) from None


def columns_of(header: Any, wanted: Sequence[str], title: str, path: str) -> dict[str, int]:
    """Return the positions of the columns of a sheet; all *wanted* columns must exist, in any order."""
    columns = {str(cell.value): place for place, cell in enumerate(header) if cell.value}
    absent = [name for name in wanted if name not in columns]
    if absent:
        what = f"sheet {title!r} has no column {absent[0]!r}"
        raise FormatError(what, Source(path), hint="Restore the column; the order of columns does not matter")
    return columns


# The words of the sheet, which its writer takes from here.
SHEET = "Adjudication"
ITEM, PLACE, WHAT, DECISION, COMMENT = "item", "place", "what", "decision", "comment"
FIXED = (ITEM, PLACE, WHAT, "words", "in", DECISION, COMMENT, "read at", "choices")


@dataclass(frozen=True, slots=True)
class FilledRow:
    """One row of the adjudication sheet."""

    item: str
    place: str
    what: str
    value: str  # "": not decided
    comment: str
    cell: str  # such as Adjudication!H18

    @property
    def key(self) -> tuple[str, str, str]:
        """The key that identifies the row."""
        return self.item, self.place, self.what


@dataclass(frozen=True, slots=True)
class Filled:
    """The rows of an adjudication sheet, undecided ones included, and the path of the workbook."""

    path: str
    rows: tuple[FilledRow, ...]


@guarded_reader
def read_decisions(path: str) -> Filled:
    """Return the rows of the adjudication sheet in the workbook at *path*."""
    book = opened(path)
    if SHEET not in book.sheetnames:
        hint = "Pass a workbook that 'arbitree report' wrote"
        raise FormatError(f"this workbook has no sheet {SHEET!r}", Source(path), hint=hint)
    sheet = book[SHEET]
    rows = sheet.iter_rows()
    columns = columns_of(next(rows), (ITEM, PLACE, WHAT, DECISION, COMMENT), SHEET, path)
    found: dict[tuple[str, str, str], FilledRow] = {}
    for row in rows:
        item, place, what, value, comment = (
            _text(row[columns[name]].value) for name in (ITEM, PLACE, WHAT, DECISION, COMMENT)
        )
        if not what:
            continue
        cell = f"{SHEET}!{row[columns[DECISION]].coordinate}"
        each = FilledRow(item, place, what, value.strip(), comment, cell)
        if each.key in found:
            what = f"{cell} and {found[each.key].cell} decide the same disagreement"
            raise FormatError(what, Source(path), hint="Keep one row per disagreement")
        found[each.key] = each
    return Filled(path, tuple(found.values()))


def _text(value: Any) -> str:
    """Return a cell as text; spreadsheet programs convert text that looks like a number.

    Example:
        >>> _text(3.0), _text("3"), _text(None)
        ('3', '3', '')
    """
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else str(value)

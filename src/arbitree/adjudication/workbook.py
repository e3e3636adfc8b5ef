"""The adjudicator's sheet of a report, read back: what was decided for the places on which coders differ."""

from __future__ import annotations

import warnings
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arbitree.errors import FormatError, Source


def opened(path: str) -> Any:
    """Return the workbook at *path* with the values of its cells."""
    import openpyxl
    from openpyxl.utils.exceptions import InvalidFileException

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
    """Return where the columns of a sheet stand; all that are *wanted* must be there, in any order."""
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
    """What the adjudicator wrote beside one place."""

    item: str
    place: str
    what: str
    value: str  # "": not decided
    comment: str
    cell: str  # where it stands, as Adjudication!H18

    @property
    def key(self) -> tuple[str, str, str]:
        """What tells it from all others."""
        return self.item, self.place, self.what


@dataclass(frozen=True, slots=True)
class Filled:
    """The rows of an adjudicator's sheet, undecided ones included, and where they were read."""

    path: str
    rows: tuple[FilledRow, ...]


def read_decisions(path: str) -> Filled:
    """Return what the adjudicator's sheet in the workbook at *path* says."""
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
    """Return a cell as text; spreadsheets turn what looks like a number into one.

    Example:
        >>> _text(3.0), _text("3"), _text(None)
        ('3', '3', '')
    """
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else str(value)

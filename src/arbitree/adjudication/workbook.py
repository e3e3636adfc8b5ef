"""Read the decisions in the adjudication sheet of a report."""

from __future__ import annotations

from dataclasses import dataclass

from arbitree.errors import FormatError, Source
from arbitree.reading.guard import guarded_reader
from arbitree.reading.workbooks import read_sheets

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
    sheets = read_sheets(path, lambda title: title == SHEET)
    if not sheets:
        hint = "Pass a workbook that 'arbitree report' wrote"
        raise FormatError(f"this workbook has no sheet {SHEET!r}", Source(path), hint=hint)
    sheet = sheets[0]
    columns = sheet.columns(0, (ITEM, PLACE, WHAT, DECISION, COMMENT))
    found: dict[tuple[str, str, str], FilledRow] = {}
    for row in range(1, len(sheet.rows)):
        item, place, what, value, comment = (
            sheet.cell(row, columns[name]) for name in (ITEM, PLACE, WHAT, DECISION, COMMENT)
        )
        if not what:
            continue
        cell = sheet.name(row, columns[DECISION])
        each = FilledRow(item, place, what, value.strip(), comment, cell)
        if each.key in found:
            what = f"{cell} and {found[each.key].cell} decide the same disagreement"
            raise FormatError(what, Source(path), hint="Keep one row per disagreement")
        found[each.key] = each
    return Filled(path, tuple(found.values()))

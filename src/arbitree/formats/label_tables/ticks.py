"""Turn tables of ticks, with one row per item, tag and annotator, into tables of sets of tags."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from arbitree.errors import FormatError, Source, shorten
from arbitree.reading.columns import (
    CLUSTER,
    CODER,
    DOCUMENT,
    ITEM,
    LABEL,
    TAG,
    Columns,
    column_called,
    place_of,
)
from arbitree.reading.inputs import Reading
from arbitree.reading.tables import TextTable, text_of

YES = ("1", "yes", "true", "y", "x")
NO = ("0", "no", "false", "n", "")
SENSE_KEY = re.compile(r"[^-\s]+-\S+%[1-5]:\d\d:\d\d:[^\s:]*:\d*")
ROWS = 1000  # rows by which the layout is recognised


@dataclass(frozen=True, slots=True)
class TickColumns:
    """The columns of a table of ticks; without a column of tags, the tag follows the item: ``item-tag``."""

    columns: Columns
    tag: int | None

    def layout(self, header: Sequence[str]) -> str:
        """Return a description of the columns."""
        found = self.columns
        names = {
            "item": found.item,
            "tag": self.tag,
            "annotator": found.coder,
            "tick": found.label,
            "document": found.document,
            "cluster": found.cluster,
        }
        shown = [f"{role} = {header[place].strip()}" for role, place in names.items() if place is not None]
        return f"ticks: {', '.join(shown)}"

    def item_of(self, row: Sequence[Any]) -> str:
        """Return the item of a row, without the tag that may follow it."""
        item = text_of(row[self.columns.item or 0])
        return item.partition("-")[0] if self.tag is None else item


def find_ticks(table: TextTable, reading: Reading, path: str, *, given: bool = False) -> TickColumns | None:
    """Return the columns of a table of ticks, or None if it is another table.

    Args:
        table: A table with a header.
        reading: Options that name columns.
        path: The name of the table in messages.
        given: Whether the user says that the table contains ticks.

    Raises:
        FormatError: If an option names an unknown column, or a table that is *given* has no item or label.
    """
    header = table.header or []
    options = (reading.item_column, reading.coder_column, reading.label_column)
    item, coder, label = (None if name is None else column_called(header, name, path) for name in options)
    taken = {place for place in (item, coder, label) if place is not None}
    usual = tuple(name for name in LABEL if name not in TAG)

    def first(names: Sequence[str]) -> int | None:
        free = ["" if place in taken else name for place, name in enumerate(header)]
        found = place_of(free, names)
        taken.update(() if found is None else (found,))
        return found

    tag = first(TAG)
    item = first(ITEM) if item is None else item
    coder = first(CODER) if coder is None else coder
    label = first(usual) if label is None else label
    if item is None or label is None:
        if not given:
            return None
        hint = "Name the columns item, tag, coder and label"
        raise FormatError("the header has no item column or no label column", Source(path, 1), hint=hint)
    columns = Columns(item, coder, label, document=first(DOCUMENT), cluster=first(CLUSTER))
    found = TickColumns(columns, tag)
    return found if given or _has_ticks(table, found) else None


def _has_ticks(table: TextTable, found: TickColumns) -> bool:
    """Return whether all labels are ticks, and tags are in a column or follow the items."""
    item, label = found.columns.item or 0, found.columns.label or 0
    full = [row for row in table.rows[:ROWS] if len(row) == len(table.header or ())]
    if not full or not all(_tick(row[label]) is not None for row in full):
        return False
    return found.tag is not None or all(SENSE_KEY.fullmatch(text_of(row[item])) for row in full)


@dataclass(slots=True)
class _Ticked:
    """The first row of an item and an annotator, and the tags that this annotator was asked about."""

    row: list[Any]
    line: int
    tags: dict[str, bool] = field(default_factory=dict)


def with_sets(table: TextTable, found: TickColumns, path: str) -> TextTable:
    """Return a table with one row per item and annotator, whose label is the list of ticked tags."""
    header = table.header or []
    item_at, label_at = found.columns.item or 0, found.columns.label or 0
    ticked: dict[tuple[str, str | None], _Ticked] = {}
    for row, line in zip(table.rows, table.lines, strict=True):
        source = Source(path, line)
        if len(row) != len(header):
            what = f"expected {len(header)} cells, found {len(row)}"
            raise FormatError(what, source, hint="Every row needs as many cells as the first")
        item, tag, coder = _names(row, found, source)
        tick = _tick(row[label_at])
        if tick is None:
            what = f"{shorten(str(row[label_at]))} is not a tick"
            raise FormatError(what, source, hint="Write 1 for yes, 0 for no")
        tags = ticked.setdefault((item, coder), _Ticked(row, line)).tags
        if tag in tags:
            who = f" for {coder}" if coder else ""
            what = f"2 rows{who} with item {shorten(item)} and tag {shorten(tag)}"
            raise FormatError(what, source, hint="Remove one of them")
        tags[tag] = tick
    rows = []
    for (item, _), each in ticked.items():
        row = list(each.row)
        row[item_at] = item
        row[label_at] = [tag for tag, tick in each.tags.items() if tick]
        rows.append(row)
    return TextTable(rows, [each.line for each in ticked.values()], header, table.sign)


def _names(row: list[Any], found: TickColumns, source: Source) -> tuple[str, str, str | None]:
    """Return the item, the tag and the annotator of a row."""
    item = text_of(row[found.columns.item or 0])
    if found.tag is None:
        item, _, tag = item.partition("-")
    else:
        tag = text_of(row[found.tag])
    coder = None if found.columns.coder is None else text_of(row[found.columns.coder])
    if not item or not tag or coder == "":
        hint = "Fill in all of them; write the tag in a column tag, or after the item as item-tag"
        raise FormatError("the row has no item, no tag or no annotator", source, hint=hint)
    return item, tag, coder


def _tick(cell: Any) -> bool | None:
    """Return whether a cell is ticked, or None if it is not a tick."""
    text = text_of(cell).lower()
    return text in YES if text in YES + NO else None

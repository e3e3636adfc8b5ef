"""Read the tables of a study alike: whether first rows are headers, and ids count within documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from arbitree.errors import shorten
from arbitree.reading.content import Doubt, Records
from arbitree.wording import count_of

MOST = 3  # cells of a first row that a warning shows
HEADER = "a header, because its cells occur in no other row"
LABELS = "labels, because another file of the study has no header"
ADVICE = "If this is wrong, write a first row such as item, label in each file"


def read_alike(tables: Sequence[Records]) -> list[Records]:
    """Return *tables* as they are read together, all in the same way.

    A first row contains labels if another table has an item called like its first cell, or has no header and
    as many columns. Ids of items contain the document if documents share ids in any table.
    """
    found = [_decided(table, [other for other in tables if other is not table]) for table in tables]
    if any(table.joined for table in found) or _share_ids(found):
        return [table if table.by_document is None else table.by_document() for table in found]
    return found


def _share_ids(tables: Sequence[Records]) -> bool:
    """Return whether items of different documents have the same id in tables with a column of documents."""
    documents: dict[str, str] = {}
    named = [table for table in tables if table.by_document is not None]
    return len(named) > 1 and any(
        documents.setdefault(item, document) != document
        for table in named
        for item, (document, _) in table.places.items()
        if document is not None
    )


def header_notes(tables: Sequence[Records]) -> list[str]:
    """Return warnings about first rows that are headers or labels by a guess."""
    doubts = [table.doubt for table in tables if table.doubt is not None and table.doubt.likely]
    return [
        *_note([each for each in doubts if not each.resolved], HEADER),
        *_note([each for each in doubts if each.resolved], LABELS),
    ]


def _note(doubts: Sequence[Doubt], how: str) -> list[str]:
    if not doubts:
        return []
    row, more = doubts[0].first_row, len(doubts) - 1
    shown = ", ".join(map(shorten, row[:MOST])) + (", ..." if len(row) > MOST else "")
    others = f"; so is that of {count_of(more, 'more file')}" if more else ""
    return [f"{doubts[0].source}: the first row ({shown}) is read as {how}{others}. {ADVICE}"]


def _decided(table: Records, others: Sequence[Records]) -> Records:
    doubt = table.doubt
    if doubt is None:
        return table
    width = len(doubt.first_row)
    if any(doubt.first_row[0] in other.empty or doubt.first_row[0] in other.places for other in others):
        return doubt.without_header()
    if any(other.headless == width for other in others):
        return replace(doubt.without_header(), doubt=replace(doubt, likely=True, resolved=True))
    return table

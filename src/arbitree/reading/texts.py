"""Join a table of texts to the items of a study."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from arbitree.errors import FormatError, Source, shorten
from arbitree.reading.columns import is_unnamed, tells_gold
from arbitree.reading.content import load
from arbitree.reading.guard import guarded
from arbitree.reading.inputs import Reading
from arbitree.reading.tables import TextTable, read_table, text_of
from arbitree.study.study import Study
from arbitree.wording import count_of


def join_texts(study: Study[Any], path: str, reading: Reading) -> Study[Any]:
    """Return *study* with the texts in the table at *path*, which has a header and a column of item ids.

    The column of ids is the one that contains most items of the study.

    Raises:
        FormatError: If no column contains ids, or if two rows of one item differ.
    """
    content = load(path, encoding=reading.encoding, reading=reading)
    with guarded(path):
        table = read_table(content).even(content.path, content.notes)
        table = table if table.header is not None else table.headed()
        items = [item.id for item in study.items]
        ids_at = _ids_at(table, items, content.path)
        rows = _rows(table, ids_at, content.path)
        known = {item: rows[item] for item in items if item in rows}
        columns = {
            name: {item: text for item, row in known.items() if (text := text_of(row[place]))}
            for place, name in _shown(table, ids_at)
        }
    if not any(columns.values()):
        hint = "Add a column with the text of each item"
        raise FormatError("the table contains no texts", Source(content.path, 1), hint=hint)
    notes = [*content.notes, *_unmatched(rows, items, content.path)]
    columns = {name: texts for name, texts in columns.items() if texts}
    return replace(study, texts=study.texts.with_columns(columns), notes=(*study.notes, *notes))


def _ids_at(table: TextTable, items: list[str], path: str) -> int:
    """Return the column that contains most of *items*."""
    wanted = set(items)
    width = len(table.header or ())
    counts = [len(wanted.intersection(table.column(place))) for place in range(width)]
    if not any(counts):
        hint = f"Add a column with the ids of the items, such as {shorten(items[0])}" if items else ""
        raise FormatError("no column of this table contains ids of items", Source(path, 1), hint=hint)
    return counts.index(max(counts))


def _shown(table: TextTable, ids_at: int) -> list[tuple[int, str]]:
    """Return the columns of texts, with their names."""
    names = enumerate(name.strip() for name in table.header or ())
    return [
        (place, name)
        for place, name in names
        if place != ids_at and not is_unnamed(name) and not tells_gold(name)
    ]


def _rows(table: TextTable, ids_at: int, path: str) -> dict[str, list[Any]]:
    """Return the row of each id."""
    found: dict[str, list[Any]] = {}
    width = len(table.header or ())
    for row, line in zip(table.rows, table.lines, strict=True):
        if len(row) != width:
            what = f"expected {width} cells, found {len(row)}"
            raise FormatError(what, Source(path, line), hint="Every row needs as many cells as the first")
        item = text_of(row[ids_at])
        if item and found.setdefault(item, row) != row:
            what = f"2 rows have the id {shorten(item)} and different texts"
            raise FormatError(what, Source(path, line), hint="Keep one row per item")
    return found


def _unmatched(rows: dict[str, list[Any]], items: list[str], path: str) -> list[str]:
    """Return warnings: how many items have no row, and how many rows have no item."""
    lacking = [item for item in items if item not in rows]
    wanted = set(items)
    strange = [item for item in rows if item not in wanted]
    have = "has" if len(lacking) == 1 else "have"
    match = "matches" if len(strange) == 1 else "match"
    counted = {
        f"{count_of(len(lacking), 'item')} {have} no text": lacking,
        f"{count_of(len(strange), 'row')} {match} no item": strange,
    }
    return [f"{path}: {words} (first: {shorten(ids[0])})" for words, ids in counted.items() if ids]

"""Join a table of texts to the items of a study."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from arbitree.errors import FormatError, Source, shorten
from arbitree.reading.columns import is_unnamed, tells_gold
from arbitree.reading.content import load
from arbitree.reading.guard import guarded_reader
from arbitree.reading.inputs import USUAL, Reading
from arbitree.reading.tables import TextTable, read_table, text_of
from arbitree.study.study import Study
from arbitree.study.texts import Texts
from arbitree.wording import count_of


def join_texts(study: Study[Any], path: str, reading: Reading) -> Study[Any]:
    """Return *study* with the texts in the table at *path*, which has a header and a column of item ids."""
    found = read_texts(path, [item.id for item in study.items], "item", reading)
    texts = study.texts.with_columns(found.texts.columns)
    return replace(study, texts=texts, notes=(*study.notes, *found.notes))


class FoundTexts(NamedTuple):
    """The texts in a table, warnings about the table, and about ids and rows that do not match."""

    texts: Texts
    notes: tuple[str, ...]


@guarded_reader
def read_texts(path: str, ids: Sequence[str], thing: str, reading: Reading = USUAL) -> FoundTexts:
    """Return the texts of *ids* in the table at *path*, and warnings about ids without a text.

    The column of ids is the one that contains most of them.

    Args:
        path: A table with a header.
        ids: Names of items, or of other things.
        thing: What they are, for messages.
        reading: Options for reading tables.
    Raises:
        FormatError: If no column contains ids, or if two rows with the same id differ.
    """
    content = load(path, encoding=reading.encoding, reading=reading)
    table = read_table(content).even(content.path, content.notes)
    table = table if table.header is not None else table.headed()
    ids_at = _ids_at(table, ids, thing, content.path)
    rows = _rows(table, ids_at, content.path)
    known = {name: rows[name] for name in ids if name in rows}
    columns = {
        name: {key: text for key, row in known.items() if (text := text_of(row[place]))}
        for place, name in _shown(table, ids_at)
    }
    if not any(columns.values()):
        hint = f"Add a column with the text of each {thing}"
        raise FormatError("the table contains no texts", Source(content.path, 1), hint=hint)
    notes = (*content.notes, *_unmatched(rows, ids, thing, content.path))
    return FoundTexts(Texts({name: texts for name, texts in columns.items() if texts}), notes)


def _ids_at(table: TextTable, ids: Sequence[str], thing: str, path: str) -> int:
    """Return the column that contains most of *ids*."""
    wanted = set(ids)
    width = len(table.header or ())
    counts = [len(wanted.intersection(table.column(place))) for place in range(width)]
    if not any(counts):
        hint = f"Add a column with the names of the {thing}s, such as {shorten(ids[0])}" if ids else ""
        raise FormatError(
            f"no column of this table contains {thing}s of the study", Source(path, 1), hint=hint
        )
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


def _unmatched(rows: dict[str, list[Any]], ids: Sequence[str], thing: str, path: str) -> list[str]:
    """Return warnings: how many ids have no row, and how many rows have no such id."""
    wanted = set(ids)
    lacking = [name for name in ids if name not in rows]
    strange = [name for name in rows if name not in wanted]
    have = "has" if len(lacking) == 1 else "have"
    match = "matches" if len(strange) == 1 else "match"
    counted = {
        f"{count_of(len(lacking), thing)} {have} no text": lacking,
        f"{count_of(len(strange), 'row')} {match} no {thing}": strange,
    }
    return [f"{path}: {words} (first: {shorten(ids[0])})" for words, ids in counted.items() if ids]

"""Recognise the layout of a table of labels: rows of labels, items by annotators, or ticks."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, combinations
from typing import Any

from arbitree.errors import FormatError, Source, shorten
from arbitree.formats.label_tables.first_row import (
    are_ids,
    has_header,
    is_likely_by_chance,
    is_named,
    is_number,
)
from arbitree.formats.label_tables.prodigy import with_answers
from arbitree.formats.label_tables.ticks import find_ticks, with_sets
from arbitree.reading.columns import (
    FORM,
    ITEM,
    OFF,
    POSITION,
    TEXT,
    TOKEN,
    Columns,
    column_called,
    find_columns,
    is_about,
    is_header,
    is_unnamed,
    may_be_text,
    place_of,
    plain,
)
from arbitree.reading.content import Doubt, Records, RowRecords
from arbitree.reading.inputs import Reading
from arbitree.reading.tables import TextTable, text_of
from arbitree.study.texts import is_prose

MOST_KEYS = 50  # columns among which two are searched that tell all rows of a table apart
MOST = 5  # annotators that a message lists
TRIPLES, TICKS = "triples", "ticks"  # layouts that have a name
_TRIPLES_LAYOUT = "rows without a header: annotator, item, label"
TITLES = 3  # rows above a header
LOOKED_AT = 50  # cells of a column that tell whether it contains texts
COUNTED = 5  # rows from which on 1, 2, 3 ... are not labels by chance


def records_of(table: TextTable, reading: Reading, path: str, *, layout: str = "") -> Records:
    """Return the labels of a table; *path* names it in messages, *layout* is recognised if it is empty."""
    options = (reading.item_column, reading.coder_column, reading.label_column, reading.gold_column)
    _check_separator(table, path)
    _check_title(table, path)
    if table.header is None and table.rows:
        first = [str(cell) for cell in table.rows[0]]
        named = any(name not in (None, OFF) for name in (*options, *(reading.drop_column or ())))
        if layout == TICKS or named or is_header(first):
            table = table.headed()
        elif layout != TRIPLES and has_header(table.rows):
            return _guessed(table, reading, path)
    if table.header is not None:
        return labelled(table, reading, path, ticks=layout == TICKS)
    return _without_header(table, reading, path, triples=layout == TRIPLES)


def _without_header(table: TextTable, reading: Reading, path: str, *, triples: bool = False) -> Records:
    """Return the labels of a table without a header."""
    width = len(table.rows[0]) if table.rows else 0
    if triples or _are_triples(table, path):
        named_columns = replace(table, header=["coder", "item", "label"])
        records = _long(named_columns, Columns(1, 0, 2), path)
        return _compared(replace(records, layout=_TRIPLES_LAYOUT, headless=width), table, reading)
    records = _wide(table, Columns(item=_ids_at(table, Columns())), path)
    return _compared(replace(records, headless=width), table, reading)


def _guessed(table: TextTable, reading: Reading, path: str) -> Records:
    """Return the labels of a table whose first row can be a header, with a doubt unless its names tell."""
    records = labelled(table.headed(), reading, path)
    if is_named(table.rows, path):
        return records
    first = [text_of(cell) for cell in table.rows[0]]
    without_header = partial(_without_header, table, reading, path)
    source = Source(path, table.lines[0])
    return replace(
        records, doubt=Doubt(first, source, without_header, likely=is_likely_by_chance(table.rows))
    )


def labelled(
    table: TextTable,
    reading: Reading,
    path: str,
    *,
    ids_at: int | None = None,
    ticks: bool = False,
    joined: bool = False,
) -> Records:
    """Return the labels of a table with a header.

    Args:
        table: The table.
        reading: Options for columns and labels.
        path: The name of the table in messages.
        ids_at: The column of items if no name tells it.
        ticks: Whether the labels are ticks; otherwise this is recognised.
        joined: Whether ids of items count within a document; otherwise they do if documents share ids.
    """
    header = table.header or []
    table = table.without(column_called(header, name, path) for name in reading.drop_column or ())
    ticked = find_ticks(table, reading, path, given=ticks)
    if ticked is not None:
        records = _long(with_sets(table, ticked, path), ticked.columns, path)
        items = [ticked.item_of(row) for row in table.rows]
        texts = _texts(table, ticked.columns, items, {ticked.tag})
        # Tags are compared as text.
        return replace(records, layout=ticked.layout(table.header or []), texts=texts)
    columns = find_columns(table, reading, path)
    if columns.document is not None and columns.item is not None and columns.document != columns.item:
        again = partial(labelled, table, reading, path, ids_at=ids_at, ticks=ticks, joined=True)
        joined = joined or _repeat(table.column(columns.document), table.column(columns.item))
        table = _joined(table, [columns.document, columns.item]) if joined else table
        records = _by_columns(table, columns, reading, path, ids_at)
        return replace(records, joined=joined, by_document=None if joined else again)
    return _by_columns(table, columns, reading, path, ids_at)


def _by_columns(
    table: TextTable, columns: Columns, reading: Reading, path: str, ids_at: int | None
) -> Records:
    """Return the labels of a table whose columns are known, except the column of items in a matrix."""
    if columns.label is not None:
        table, notes = with_answers(table, columns.label, path)
        return _compared(replace(_long(table, columns, path), notes=notes), table, reading)
    columns = replace(columns, item=ids_at) if columns.item is None else columns
    if reading.item_column is None:
        table, columns = _with_token_ids(table, columns)
    columns = replace(columns, item=_ids_at(table, columns))
    if reading.gold_column is None and len(_annotators(table, columns)) < 2:
        columns = replace(columns, gold=None)  # the agreement of one annotator with gold is wanted
    return _compared(_wide(table, columns, path), table, reading)


def _with_token_ids(table: TextTable, columns: Columns) -> tuple[TextTable, Columns]:
    """Return a table of tokens with the numbers of sentence and token as ids, if it has no ids."""
    header = table.header or []
    token_at, parts = place_of(header, TOKEN), [columns.document, columns.cluster]
    if token_at is None or columns.cluster is None or not _are_whole(table, token_at):
        return table, columns
    ids = [] if columns.item is None else table.column(columns.item)
    if ids and len(set(ids)) == len(ids):
        return table, columns
    for places in ([*parts, token_at], [columns.cluster, token_at]):
        own = [place for place in places if place is not None]
        cells = list(zip(*map(table.column, own), strict=False))
        if len(set(cells)) == len(table.rows) and all(map(all, cells)):
            return _joined(table, own), replace(columns, item=token_at)
    return table, columns


def _joined(table: TextTable, places: Sequence[int]) -> TextTable:
    """Return the table with the full cells of several columns in the last of them, and their names."""
    header, own = table.header or [], places[-1]
    name = " + ".join(header[place].strip() for place in places)
    rows = [
        [*row[:own], "/".join(filter(None, (text_of(row[place]) for place in places))), *row[own + 1 :]]
        if len(row) > max(places) and text_of(row[own])
        else row
        for row in table.rows
    ]
    return replace(table, rows=rows, header=[*header[:own], name, *header[own + 1 :]])


def _repeat(documents: Sequence[str], items: Sequence[str]) -> bool:
    """Return whether ids of items occur in several documents, where they name different items."""
    found: dict[str, str] = {}
    pairs = zip(documents, items, strict=False)
    return any(found.setdefault(item, document) != document for document, item in pairs if document and item)


def _are_whole(table: TextTable, place: int) -> bool:
    """Return whether the cells of a column are whole numbers."""
    return all(map(str.isdecimal, table.column(place)))


def _are_triples(table: TextTable, path: str) -> bool:
    """Return whether rows without a header are annotator, item and label, not labels of three annotators.

    Raises:
        FormatError: If they are, but the first column seems to contain the items.
    """
    if not table.rows or any(len(row) != 3 for row in table.rows):
        return False
    coders, items, labels = (table.column(place) for place in range(3))
    names, ids = set(coders), set(items)
    apart = names.isdisjoint(ids) and (names | ids).isdisjoint(set(labels) - {""})
    repeated = max(len(names), len(ids)) < len(table.rows) == len(set(zip(coders, items, strict=True)))
    if not apart or not repeated or not all(names) or not all(ids):
        return False
    if len(names) > len(ids):
        what = "these rows seem to be item, annotator and label, in this order"
        hint = "Write a first row: item, coder, label; if the annotator is first, set --format triples"
        raise FormatError(what, Source(path, table.lines[0]), hint=hint)
    return True


def _compared(records: Records, table: TextTable, reading: Reading) -> Records:
    """Return *records* with the options that tell how labels are compared."""
    return replace(records, reading=reading, commas=table.sign == ";")


def _long(table: TextTable, columns: Columns, path: str) -> Records:
    """Read a table with one row per label."""
    header = table.header or []
    item_at, label_at = columns.item or 0, columns.label or 0
    records = RowRecords(path, layout=long_layout(header, columns))
    items = []
    for row, line in zip(table.rows, table.lines, strict=True):
        _check_width(row, header, path, line)
        item = text_of(row[item_at])
        items.append(item)
        if not item and not any(map(text_of, row)):
            continue
        if not item:
            hint = f"Fill in the column {header[item_at]!r}"
            raise FormatError("the row has no item", Source(path, line), hint=hint)
        coder = None if columns.coder is None else text_of(row[columns.coder])
        if coder == "":
            hint = f"Fill in the column {header[columns.coder or 0]!r}"
            raise FormatError("the row has no annotator", Source(path, line), hint=hint)
        records.add(item, coder, row[label_at], line)
        _place(records, row, item, columns, line)
        records.places.setdefault(item, (None, None))  # items in the order of their rows
    if columns.coder is not None:
        records.names = [
            name for name in dict.fromkeys((*records.coders, *table.column(columns.coder))) if name
        ]
    records.texts = _texts(table, columns, items)
    if records.texts:
        records.layout += f"; texts: {', '.join(records.texts)}"
    return records


def _texts(
    table: TextTable, columns: Columns, items: Sequence[str], besides: Container[int | None] = ()
) -> dict[str, dict[str, str]]:
    """Return the texts of items by column: those in which all rows of an item have the same cell.

    Args:
        table: A table with a header.
        columns: The columns that have a role. That of clusters counts as well if it contains sentences.
        items: The item of each row; "" for empty rows.
        besides: Other columns that are not texts.
    """
    taken = columns.taken
    if columns.cluster is not None and is_prose(table.column(columns.cluster)):
        taken = taken - {columns.cluster}
    found = {}
    for place, name in enumerate(table.header or ()):
        if place not in taken and place not in besides and may_be_text(name):
            texts = _same_for_items(items, (row[place] for row in table.rows))
            if texts:
                found[name.strip()] = texts
    return found


def _same_for_items(items: Iterable[str], cells: Iterable[Any]) -> dict[str, str]:
    """Return the cell of each item; nothing if rows of one item have different cells, or cells are lists."""
    found: dict[str, str] = {}
    for item, cell in zip(items, cells, strict=True):
        if isinstance(cell, list | dict):
            return {}
        text = text_of(cell)
        if item and text and found.setdefault(item, text) != text:
            return {}
    return found


def _place(records: RowRecords, row: list[Any], item: str, columns: Columns, line: int) -> None:
    """Add document, cluster and gold label of an item."""
    if columns.gold is not None:
        records.add_gold(item, row[columns.gold], line)
    if (columns.document is not None or columns.cluster is not None) and item not in records.places:
        places = (columns.document, columns.cluster)
        document, cluster = (None if at is None else text_of(row[at]) for at in places)
        records.places[item] = (document or None, cluster or None)


def long_layout(header: list[str], columns: Columns) -> str:
    """Return how a table with one row per label was read."""
    names = {
        "item": columns.item,
        "annotator": columns.coder,
        "label": columns.label,
        "gold": columns.gold,
        "document": columns.document,
        "cluster": columns.cluster,
    }
    shown = {role: header[place].strip() for role, place in names.items() if place is not None}
    if columns.coder is None:
        shown = {"item": shown.pop("item"), "annotator": "the file", **shown}
    return f"a long table: {', '.join(f'{role} = {name}' for role, name in shown.items())}"


def _wide(table: TextTable, columns: Columns, path: str) -> Records:
    """Read a table with one row per item and one column per annotator."""
    ids_at = columns.item
    coders = _annotators(table, columns)
    names = [name for _, name in coders]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise FormatError(f"2 columns have the name {twice!r}", Source(path, 1), hint="Rename one of them")
    if ids_at is None and _share_nothing(table, [place for place, _ in coders]):
        what = "no two columns have a cell in common, so they do not seem to be annotators of the same items"
        hint = "In a table with one row per label, set --item-column, --coder-column and --label-column"
        if table.header is None:
            hint = "In a table with one row per label, write a first row such as item, coder, label"
        raise FormatError(what, Source(path, 1), hint=hint)
    records = RowRecords(path, names=names, wide=True)
    items = []
    for number, (row, line) in enumerate(zip(table.rows, table.lines, strict=True), start=1):
        _check_width(row, table.header or table.rows[0], path, line)
        item = str(number) if ids_at is None else text_of(row[ids_at])
        items.append(item)
        if not item and not any(map(text_of, row)):
            continue
        if not item:
            raise FormatError("the row has no item", Source(path, line), hint="Fill in the first column")
        _place(records, row, item, columns, line)
        records.places.setdefault(item, (None, None))
        for place, coder in coders:
            if row[place] != "":  # most cells of a large matrix are empty
                records.add(item, coder, row[place], line)
    records.texts = _texts(table, columns, items, {place for place, _ in coders})
    records.layout = wide_layout(table, columns, coders, records.texts)
    return records


def _annotators(table: TextTable, columns: Columns) -> list[tuple[int, str]]:
    """Return the columns of a matrix that are annotators, with their names."""
    header = table.header
    width = len(header if header is not None else table.rows[0] if table.rows else [])
    places = [place for place in range(width) if place not in (columns.item, columns.gold)]
    if header is None:
        return [(place, f"coder{number}") for number, place in enumerate(places, start=1)]
    named = [(place, header[place].strip()) for place in places]
    named = [(place, name) for place, name in named if not is_unnamed(name) and not is_about(name)]
    named = [each for each in named if not _is_position(table, *each)]
    texts = _text_places(table, named)
    return [(place, name) for place, name in named if place not in texts]


def _is_position(table: TextTable, place: int, name: str) -> bool:
    """Return whether a column contains the numbers of tokens, or where annotations begin and end."""
    return plain(name) in POSITION and _are_whole(table, place)


def _text_places(table: TextTable, named: list[tuple[int, str]]) -> set[int]:
    """Return the columns of a matrix that are texts: by their name, or sentences that are in no other column.

    At least two other columns must remain, because annotators may write sentences themselves. For columns
    called word or form, which may repeat labels, one is enough.
    """
    words = {place for place, name in named if plain(name) in FORM}
    if len(words) == len(named):
        words = set()
    named = [(place, name) for place, name in named if place not in words]
    found = {
        place
        for place, name in named
        if plain(name) in TEXT or is_prose(text_of(row[place]) for row in table.rows[:LOOKED_AT])
    }
    others = [place for place, _ in named if place not in found]
    if not found or len(others) < 2:
        return words
    labels = set(chain.from_iterable(map(table.column, others))) - {""}
    return words | {place for place in found if labels.isdisjoint(table.column(place))}


def _share_nothing(table: TextTable, places: list[int]) -> bool:
    """Return whether no cell occurs in two columns, and two full columns repeat cells and form a key."""
    seen: set[str] = set()
    repeating: list[list[str]] = []
    for place in places:
        cells = table.column(place)
        found = set(cells) - {""}
        if not seen.isdisjoint(found):
            return False
        seen |= found
        repeating += [cells] if len(found) < len(cells) and "" not in cells else []
    pairs = (set(zip(*two, strict=False)) for two in combinations(repeating[:MOST_KEYS], 2))
    return len(places) > 2 and any(len(pair) == len(table.rows) for pair in pairs)


def wide_layout(
    table: TextTable, columns: Columns, coders: list[tuple[int, str]], texts: Mapping[str, Any]
) -> str:
    """Return how a table with one column per annotator was read."""
    names = [name.strip() for name in table.header or ()]
    shown = [name for _, name in coders[:MOST]] + ["..."] * (len(coders) > MOST)
    what = f" ({', '.join(shown)})" if names else ", without a header"
    places = {"gold": columns.gold, "document": columns.document, "cluster": columns.cluster}
    roles = {role: place for role, place in places.items() if place not in (None, columns.item)}
    used = {columns.item, *places.values(), *(place for place, _ in coders)}
    rest = [name or f"column {place + 1}" for place, name in enumerate(names) if place not in used]
    ignored = [name for name in rest if name not in texts]
    layout = (
        "a table with one column of labels" if len(coders) == 1 else "a matrix with one column per annotator"
    )
    parts = [f"{layout}{what}"]
    if columns.item is None:
        parts.append("items numbered")
    else:
        parts.append(f"item = {(names[columns.item] if names else '') or 'first column'}")
    parts += [f"{role} = {names[place]}" for role, place in roles.items() if place is not None]
    parts += [f"texts: {', '.join(texts)}"] if texts else []
    return "; ".join([*parts, *([f"ignored: {', '.join(ignored)}"] if ignored else [])])


def _check_separator(table: TextTable, path: str) -> None:
    """Raise FormatError if the only column seems to contain several ones."""
    if table.header is not None or not table.rows or len(table.rows[0]) > 1:
        return
    first = str(table.rows[0][0]).replace('"', "")
    spaces = "Separate its cells by tabs, commas or semicolons"
    for names, hint in (
        (first.split("|"), "Write sep=| in a line before the table"),
        (first.split(), spaces),
    ):
        if len(names) > 1 and (is_header(names) or place_of(names[:1], ITEM) is not None):
            raise FormatError("the table has only one column", Source(path, table.lines[0]), hint=hint)


def _check_title(table: TextTable, path: str) -> None:
    """Raise FormatError if the first rows have one cell each, such as a title, and a header follows."""
    if table.header is not None or not table.rows:
        return
    start = next((at for at, row in enumerate(table.rows[: TITLES + 1]) if len(_filled(row)) > 1), 0)
    below = table.rows[start:]
    if len(table.rows[0]) == 1:  # the first line has no separator, so the cells of the others are not split
        start, below = next(((at, rows) for sign in ",;" for at, rows in _split(table, sign)), (0, below))
    first = [text_of(cell) for cell in below[0]]
    known = is_header(first) or place_of(first[:1], ITEM) is not None
    if start and (known or (has_header(below) and is_named(below, path))):
        title, line = shorten(" ".join(_filled(table.rows[0]))), table.lines[start]
        what = f"the first row ({title}) seems to be a title, because line {line} is a header"
        hint = "Remove the rows above the header"
        raise FormatError(what, Source(path, table.lines[0]), hint=hint)


def _filled(row: list[Any]) -> list[str]:
    return list(filter(None, map(text_of, row)))


def _split(table: TextTable, sign: str) -> Iterator[tuple[int, list[list[Any]]]]:
    """Yield the first row with a separator and the cells from there, if all rows have as many cells."""
    rows = [text_of(cell).split(sign) for row in table.rows for cell in row[:1]]
    start = next((at for at, row in enumerate(rows[: TITLES + 1]) if len(row) > 1), 0)
    if start and len({len(row) for row in rows[start:]}) == 1:
        yield start, rows[start:]


def _check_width(row: list[Any], header: list[str], path: str, line: int) -> None:
    if len(row) != len(header):
        what = f"expected {len(header)} cells, found {len(row)}"
        hint = "Every row needs as many cells as the first; leave the cells of missing labels empty"
        raise FormatError(what, Source(path, line), hint=hint)


def _ids_at(table: TextTable, columns: Columns) -> int | None:
    """Return the index of the id column: one with such a name, or the first if it contains only names."""
    if columns.item is not None:
        return columns.item
    header = table.header
    if header and is_unnamed(header[0]):
        return 0
    first = [text_of(row[0]) for row in table.rows if row]
    numbers = [[str(number) for number in range(start, start + len(first))] for start in (0, 1)]
    counts = header is not None and first in numbers
    if counts and len(first) >= COUNTED:
        return 0
    if not are_ids(table.rows) or (any(map(is_number, first)) and not counts):
        return None
    others = {text_of(cell) for row in table.rows for cell in row[1:]}
    return 0 if len(first) > 1 and others and others.isdisjoint(first) else None

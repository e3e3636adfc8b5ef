"""Read regular tables of labels by column: rows of items, annotators and labels, and items by annotators.

The results are those of the reader of rows, which reads all other tables and names the places of errors.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from arbitree.formats.label_tables.columnar import CodedPlaces, CodedTable, coded_table, numbered, renumbered
from arbitree.formats.label_tables.layouts import LOOKED_AT, long_layout, records_of, wide_layout
from arbitree.formats.label_tables.ticks import ROWS, find_ticks
from arbitree.reading.columns import (
    CLUSTER,
    CODER,
    DOCUMENT,
    FORM,
    ITEM,
    LABEL,
    POSITION,
    TEXT,
    Columns,
    find_columns,
    is_header,
    is_known,
    is_unnamed,
    place_of,
    plain,
)
from arbitree.reading.content import Content, Records
from arbitree.reading.inputs import Reading
from arbitree.reading.tables import TextTable, read_table
from arbitree.study.coded import Coded, constant
from arbitree.study.texts import WORDS, is_prose

ROLES = (ITEM, CODER, LABEL, DOCUMENT, CLUSTER)  # of the columns of a table with one row per label


def regular_records(content: Content) -> Records | None:
    """Return the labels of a regular table; None for other tables."""
    reading = content.reading
    options = (reading.item_column, reading.coder_column, reading.label_column, reading.gold_column)
    if reading.drop_column or any(name is not None for name in options):
        return None
    coded = coded_table(content, _optional)
    if coded is None:
        return None
    return (_long if _is_long(coded.header) else _wide)(coded, content)


def _optional(header: list[str]) -> Sequence[int] | None:
    """Return the columns of a regular table that may have empty cells; None if it is another table."""
    if _is_long(header):
        return ()
    return range(1, len(header)) if _is_wide([name.strip() for name in header]) else None


def _is_long(header: Sequence[str]) -> bool:
    """Return whether the columns are items, labels and at most one of each other role, and nothing else."""
    names = [plain(name) for name in header]
    found = [sum(name in known for name in names) for known in ROLES]
    return found[0] == found[2] == 1 and max(found) == 1 and sum(found) == len(names) and is_header(header)


def _is_wide(names: Sequence[str]) -> bool:
    """Return whether the first column has the name of items, and the others have those of annotators."""
    others = names[1:]
    other = (*TEXT, *FORM, *POSITION)
    odd = any(is_known(name) or is_unnamed(name) or plain(name) in other for name in others)
    return place_of(names[:1], ITEM) == 0 and len(set(names)) == len(names) > 2 and not odd


def _long(coded: CodedTable, content: Content) -> Records | None:
    """Return the labels of a table with one row per label."""
    reading = content.reading
    header = [name.strip() for name in coded.header]
    head = TextTable(coded.head(ROWS), [], header, coded.sign)
    if find_ticks(head, reading, content.path) is not None:
        return None
    found = _long_columns(head, reading, content.path)
    places = [place_of(header, names) for names in ROLES]
    if [
        found.item,
        found.coder,
        found.label,
        found.document,
        found.cluster,
    ] != places or found.gold is not None:
        return None
    item, coder, label, document, cluster = (
        None if place is None else coded.columns[place] for place in places
    )
    if item is None or label is None or (coder is not None and len(item.distinct) == len(item)):
        return None
    if cluster is not None and any(cell.count(" ") + 1 >= WORDS for cell in cluster.distinct):
        return None  # the sentences may be texts of the items
    rows = numbered([item.codes.astype(np.uint64)])[0]
    if document is not None and _vary(item, document):
        return None
    about = [None if each is None else each.at(rows) for each in (document, cluster)]
    return Records(
        content.path,
        items=item,
        coders=constant(None, len(item)) if coder is None else coder,
        labels=label,
        lines=range(2, len(item) + 2),
        places=CodedPlaces(item.distinct, *about),
        names=[] if coder is None else list(coder.distinct),
        reading=reading,
        commas=coded.sign == ";",
        layout=long_layout(header, found),
        by_document=None if document is None else partial(_by_document, content),
    )


def _by_document(content: Content) -> Records:
    """Return the labels of a table with a column of documents, which are part of the ids of items."""
    table = read_table(content).even(content.path, content.notes)
    records = records_of(table, content.reading, content.path)
    return records if records.by_document is None else records.by_document()


def _vary(items: Coded, documents: Coded) -> bool:
    """Return whether an item is in several documents, so that its id counts within a document."""
    pairs = numbered([items.codes.astype(np.uint64), documents.codes.astype(np.uint64)])[0]
    return len(pairs) > len(items.distinct)


def _long_columns(head: TextTable, reading: Reading, path: str) -> Columns:
    """Return the columns as the reader of rows finds them if annotators share items."""
    shared = (
        [*head.rows[:1], *head.rows[:1]] if place_of(head.header or (), CODER) is not None else head.rows[:1]
    )
    return find_columns(TextTable(shared, [], head.header), reading, path)


def _wide(coded: CodedTable, content: Content) -> Records | None:
    """Return the labels of a table with one row per item and one column per annotator."""
    names = [name.strip() for name in coded.header]
    items, *columns = coded.columns
    own = Columns(item=0)
    first = TextTable(coded.head(2), [], names, coded.sign)
    if len(items.distinct) < len(items) or find_columns(first, content.reading, content.path) != own:
        return None
    known = {cell for column in columns for cell in column.distinct}
    line = f"\n{names[0]}{coded.sign}".encode()
    if names[0] in known or line in content.data or any(is_prose(column[:LOOKED_AT]) for column in columns):
        return None  # the first row may be an item, or a column may contain texts
    size, count = len(items), len(columns)
    numbers = {cell: number for number, cell in enumerate(known)}
    codes = np.empty((size, count), dtype=np.int32)
    for place, column in enumerate(columns):
        codes[:, place] = np.array([numbers[cell] for cell in column.distinct], dtype=np.int32)[column.codes]
    flat = codes.ravel()
    given = np.flatnonzero(flat != numbers[""]) if "" in numbers else np.arange(len(flat))
    rows = (given // count).astype(np.int32)
    return Records(
        content.path,
        items=Coded(items.distinct, rows, items.ascii),
        coders=Coded(names[1:], (given % count).astype(np.int32)),
        labels=renumbered(Coded(list(known), flat[given])),
        lines=rows + 2,
        places=CodedPlaces(items.distinct, None, None),
        names=names[1:],
        reading=content.reading,
        commas=coded.sign == ";",
        layout=wide_layout(TextTable([], [], names), own, list(enumerate(names))[1:], {}),
        wide=True,
    )

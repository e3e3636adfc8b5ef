"""Tell whether the first row of a table of labels is a header or contains labels."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from arbitree.kinds.labels.value import Label
from arbitree.reading.columns import (
    CLUSTER,
    DOCUMENT,
    FORM,
    ITEM,
    LABEL,
    NUMBERED,
    POSITION,
    TEXT,
    is_known,
    place_of,
    plain,
)
from arbitree.reading.tables import text_of

CHANCE = 0.01  # of labels that occur in no other row, below which a first row is a header
LOOKED_AT = 1000  # rows whose ids are compared with the first one
_CHUNK = re.compile(r"[BIESLUM]-.|O$")  # the beginning, inside, end and outside of a chunk: B-ORG, O
_RUNS = ((re.compile(r"[^\W\d_]+"), "a"), (re.compile(r"\d+"), "0"))


def has_header(rows: list[list[Any]]) -> bool:
    """Return whether the first row can be a header: distinct names that occur in no row below."""
    first = [text_of(cell) for cell in rows[0]]
    width = max((place for place, cell in enumerate(first, start=1) if cell), default=len(first))
    if not any(text_of(cell) for row in rows[1:] for cell in row[width:]):
        del first[width:]  # empty columns of a spreadsheet
    below = set(map(text_of, set(chain.from_iterable(rows[1:]))))
    if _names_items(first):
        # "question" could be a label, too: then the other cells are labels as well.
        return first[0] not in (below | set(first[1:])) or below.isdisjoint(first[1:])
    if len(rows) < 2:
        return False
    corner = not first[0] and len(rows) > 2 and are_ids(rows[1:])
    named = first[1:] if first[0] == "" else first
    distinct = all(named) and (len(set(named)) == len(named) or corner)
    if not distinct or _is_like_rows(first, rows[1:]):
        return False
    apart = below.isdisjoint(named)
    if len(first) == 1:  # a label that happens to occur once, unless others occur several times
        known = place_of(first, LABEL) is not None or 2 * len(below) < len(rows)
        return apart and known and not is_number(first[0])
    if any(map(is_number, named)):
        return (corner and len(named) > 1 and apart) or _has_numbers_as_names(first, rows[1:])
    return apart


def is_named(rows: list[list[Any]], path: str) -> bool:
    """Return whether a first row that can be a header tells so itself: by a name or by an empty corner."""
    first = [text_of(cell) for cell in rows[0]]
    owner = Path(path).name.split(".")[0].casefold()
    known = (*TEXT, *FORM, *POSITION)
    told = any(is_known(name) or NUMBERED.fullmatch(plain(name)) or plain(name) in known for name in first)
    return (
        told or not first[0] or owner in [name.casefold() for name in first] or _has_other_cells(first, rows)
    )


def is_likely_by_chance(rows: list[list[Any]]) -> bool:
    """Return whether a row of labels may well consist of labels that occur in no other row.

    The probability that one label is new is estimated by the share of cells that occur once (Good and
    Turing), with one more cell that does and one that does not.
    """
    below = rows[1:]
    start = int(are_ids(below) and len(rows[0]) > 1)
    cells = Counter(text_of(cell) for row in below for cell in row[start:])
    once = sum(count == 1 for count in cells.values())
    new = (once + 1) / (cells.total() + 2)
    return bool(new ** (len(rows[0]) - start) > CHANCE)


def are_ids(rows: list[list[Any]]) -> bool:
    """Return whether the cells of the first column are filled and different."""
    ids = [text_of(row[0]) for row in rows if row]
    return all(ids) and len(set(ids)) == len(ids)


def is_number(text: str) -> bool:
    """Return whether a cell is a number."""
    return Label(text).number is not None


def _names_items(first: Sequence[str]) -> bool:
    return place_of(first[:1], (*ITEM, *DOCUMENT, *CLUSTER)) is not None


def _is_like_rows(first: list[str], rows: list[list[Any]]) -> bool:
    """Return whether the first row begins like the others, s1 above s2 and s3, or contains B-ORG above O."""
    if any(char.isdigit() for char in first[0]) and are_ids(rows):
        shapes = {_shape(text_of(row[0])) for row in rows[:LOOKED_AT] if row}
        if shapes == {_shape(first[0])}:
            return not is_number(first[0]) or len(first) > 1
    return any(
        _CHUNK.match(cell) and any(len(row) > place and _CHUNK.match(text_of(row[place])) for row in rows)
        for place, cell in enumerate(first)
    )


def _shape(text: str) -> str:
    """Return *text* with one letter for each run of letters, and one digit for each run of digits."""
    for run, sign in _RUNS:
        text = run.sub(sign, text)
    return text


def _has_other_cells(first: list[str], rows: list[list[Any]]) -> bool:
    """Return whether the names differ from the cells below: no digits above ids with digits or numbers."""
    ids = [text_of(row[0]) for row in rows[1:] if row]
    if len(first) > 1 and are_ids(rows[1:]) and all(any(map(str.isdigit, each)) for each in ids):
        return not any(map(str.isdigit, first[0]))
    cells = {text_of(cell) for row in rows[1:] for cell in row[len(first) > 1 and are_ids(rows[1:]) :]} - {""}
    return bool(cells) and all(map(is_number, cells)) and not any(map(is_number, first))


def _has_numbers_as_names(first: list[str], rows: list[list[Any]]) -> bool:
    """Return whether the numbers in the first row are names of annotators, not labels."""
    names = first if is_number(first[0]) else first[1:]
    counts = [[str(number) for number in range(start, start + len(names))] for start in (0, 1)]
    if names not in counts or len(names) < 2:
        return False
    if names is first:  # no column of ids
        return not any(is_number(text_of(cell)) for row in rows for cell in row)
    if not are_ids(rows):
        return False
    # An item called "first" could have the labels 1, 2, 3, but not among items called 1, 2 or s1, s2.
    numbered = all(any(map(str.isdigit, text_of(row[0]))) for row in rows if row)
    return not first[0] or (numbered and not any(map(str.isdigit, first[0])))

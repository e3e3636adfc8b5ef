"""Build a study from rows of (item, coder, label); parse each distinct label once, reject duplicates."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from arbitree.errors import FormatError, Source, StudyError, shorten
from arbitree.kinds.labels.value import Label, Tags, in_order
from arbitree.reading.content import Records
from arbitree.reading.inputs import Input
from arbitree.study.flat_tree import IntArray
from arbitree.study.grid import MISSING, Grid
from arbitree.study.study import Item, Study

SUM_TOLERANCE = 1e-3  # probabilities are often printed with three digits


Files = Sequence[tuple[Input, Records]]


def gather(files: Files) -> Study[Any]:
    """Return the study that contains the rows of all *files*; items are matched by id."""
    rows: dict[str, int] = {}
    columns: dict[str, int] = {}
    homes: dict[str, tuple[str, str]] = {}
    for each, records in files:
        for name in records.names:
            columns.setdefault(name, len(columns))
        for item in (*records.places, *records.items, *records.empty):
            rows.setdefault(item, len(rows))
            document, cluster = records.places.get(item, (None, None))
            homes.setdefault(item, (document or each.document, cluster or item))
        for coder in records.coders:
            columns.setdefault(coder or each.coder, len(columns))
    if not any(records.items for _, records in files):
        path = files[0][1].path
        raise FormatError("the table contains no labels", Source(path), hint="Fill the cells with labels")
    values, numbers = _parse(files)
    grid = _Places(tuple(columns), tuple(records.path for _, records in files), (len(rows), len(columns)))
    codes = np.full(grid.lines.shape, MISSING, dtype=np.int32)
    for number, (each, records) in enumerate(files):
        row = np.array([rows[item] for item in records.items], dtype=np.int32)
        column = np.array([columns[coder or each.coder] for coder in records.coders], dtype=np.int32)
        _check_single(records, row, column, codes, grid)
        codes[row, column] = [numbers[_key(label)] for label in records.labels]
        grid.lines[row, column] = records.lines
        grid.files[row, column] = number
    items = tuple(Item(name, *homes[name]) for name in rows)
    own = all(cluster == item for item, (_, cluster) in homes.items())
    clusters = np.arange(len(items)) if own else None
    cells = Grid(items, grid.coders, codes, values, grid.lines, grid.paths, grid.files, clusters)
    return Study(items, grid.coders, cells, notes=tuple(_strangers(cells)))


def _strangers(grid: Grid[Any]) -> list[str]:
    """Return a warning for each annotator who shares no label with others: it may be another column."""
    numbers = range(len(grid.coders))
    used = [set(np.unique(grid.codes[:, column]).tolist()) - {MISSING} for column in numbers]
    users = Counter(code for codes in used for code in codes)
    plain = all(isinstance(value, Label) for value in grid.distinct)
    if len(used) < 3 or not plain or all(value.number is not None for value in grid.distinct):
        return []
    if max(users.values(), default=0) < 2:
        return []
    return [
        f"{coder!r} shares no label with the other annotators (example: "
        f"{grid.distinct[min(used[column])].text!r}); if this is not an annotator, remove the column"
        for column, coder in enumerate(grid.coders)
        if len(used[column]) > 1 and all(users[code] == 1 for code in used[column])
    ]


class _Places:
    """The source of each label."""

    def __init__(self, coders: tuple[str, ...], paths: tuple[str, ...], shape: tuple[int, int]) -> None:
        self.coders, self.paths = coders, paths
        self.lines, self.files = (np.zeros(shape, dtype=np.int32) for _ in range(2))

    def source(self, row: int, column: int) -> Source:
        """Return the source of one label."""
        return Source(self.paths[self.files[row, column]], int(self.lines[row, column]))


def value_of(text: Any, source: Source, *, weighted: bool = False) -> Label | Tags:
    """Return the value of a cell: a label, a set ``a|b``, or a distribution ``a:0.7|b:0.3``.

    Args:
        text: The cell; in JSON also a number, a list (a set) or an object (a distribution).
        source: The place of the cell in the file.
        weighted: Whether a single ``a:1`` is a distribution as well.

    Example:
        >>> value_of("run|walk", Source("t.tsv", 1)).tags == {"run", "walk"}
        True
        >>> value_of("run:0.3|walk:0.7", Source("t.tsv", 1)).weights
        (('run', 0.3), ('walk', 0.7))
    """
    if isinstance(text, list):
        return Tags.of(map(_cell, text))
    if isinstance(text, dict):
        return _distribution([(str(tag), weight) for tag, weight in text.items()], text, source)
    if not isinstance(text, str):
        return Label(_cell(text))
    if "|" not in text and not weighted:
        return Label(text)
    parts = [part.strip() for part in text.split("|") if part.strip()]
    pairs = [part.rpartition(":") for part in parts]
    if pairs and all(tag and _is_weight(weight) for tag, _, weight in pairs):
        return _distribution([(tag, float(weight)) for tag, _, weight in pairs], text, source)
    return Tags.of(parts)


def is_weighted(text: Any) -> bool:
    """Return whether a cell can only be a distribution."""
    if isinstance(text, dict):
        return True
    return (
        isinstance(text, str)
        and "|" in text
        and all(_is_weight(part.rpartition(":")[2]) and ":" in part for part in text.split("|"))
    )


def _parse(files: Files) -> tuple[tuple[Any, ...], dict[str, int]]:
    """Return the distinct values of all labels, sorted and of one type, and the index of each label."""
    first: dict[str, tuple[Any, Source]] = {}
    for _, records in files:
        for label, line in zip(records.labels, records.lines, strict=True):
            key = _key(label)
            if key not in first:
                first[key] = (label, Source(records.path, line))
    weighted = any(is_weighted(label) for label, _ in first.values())
    values = {key: value_of(label, source, weighted=weighted) for key, (label, source) in first.items()}
    if any(isinstance(value, Tags) for value in values.values()):
        values = {
            key: value if isinstance(value, Tags) else Tags.of([value.text]) for key, value in values.items()
        }
    distinct = in_order(set(values.values()))
    numbers = {value: number for number, value in enumerate(distinct)}
    return distinct, {key: numbers[value] for key, value in values.items()}


def _check_single(records: Records, row: IntArray, column: IntArray, codes: IntArray, grid: _Places) -> None:
    """Raise StudyError if an annotator labels one item twice, here or in an earlier file."""
    flat = row.astype(np.int64) * codes.shape[1] + column
    _, firsts = np.unique(flat, return_index=True)
    again = codes[row, column] != MISSING
    again[np.setdiff1d(np.arange(len(flat)), firsts)] = True
    if not again.any():
        return
    place = int(np.argmax(again))
    twin = int(np.flatnonzero(flat == flat[place])[0])
    other = Source(records.path, records.lines[twin])
    if twin == place:
        other = grid.source(int(row[place]), int(column[place]))
    what = f"{grid.coders[column[place]]} labels item {records.items[place]!r} twice; first label at {other}"
    hint = "Remove one of them, or write several labels in one cell as a|b"
    raise StudyError(what, Source(records.path, records.lines[place]), hint=hint)


def _key(label: Any) -> str:
    return label if isinstance(label, str) else json.dumps(label, sort_keys=True)


def _cell(value: Any) -> str:
    """Return a JSON value as text; whole numbers as 1, not 1.0."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def _is_weight(text: str) -> bool:
    """Return whether *text* looks like a weight, unlike the end of WordNet sense keys (:00, :01)."""
    return _is_number(text) and not (text[0] == "0" and text[1:2].isdigit())


def _is_share(weight: Any) -> bool:
    number = isinstance(weight, int | float) and not isinstance(weight, bool)
    return number and 0 <= weight <= 1 + SUM_TOLERANCE


def _distribution(pairs: Iterable[tuple[str, Any]], text: Any, source: Source) -> Tags:
    found: dict[str, float] = {}
    for tag, weight in pairs:
        if not _is_share(weight):
            what = f"weight {shorten(str(weight))} of {shorten(tag)} is not a probability"
            raise FormatError(
                what, source, hint="Write a number from 0 to 1; write a set without weights as a|b"
            )
        found[tag] = found.get(tag, 0.0) + weight
    total = sum(found.values())
    if abs(total - 1) > SUM_TOLERANCE:
        raise FormatError(
            f"the probabilities in {shorten(str(text))} sum to {total:g}, not to 1",
            source,
            hint="Correct them",
        )
    return Tags(tuple((tag, weight / total) for tag, weight in sorted(found.items()) if weight))

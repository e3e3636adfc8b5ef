"""Build a study from rows of (item, coder, label); parse each distinct label once, reject duplicates."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import compress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arbitree.errors import FormatError, Source, StudyError, shorten
from arbitree.formats.label_tables.columnar import (
    CodedPlaces,
    counts_of,
    distinct_of,
    first_places,
    numbered,
    numbers_of,
    other_than_ascii,
    renumbered,
)
from arbitree.formats.label_tables.label_studio import chosen, has_choices
from arbitree.formats.label_tables.spelling import (
    NUMBERS,
    composed_note,
    missing_markers,
    missing_notes,
    number_notes,
    numbers_as_one,
    settings_of,
)
from arbitree.kinds.labels.value import Label, Tags, in_order, spelled_like
from arbitree.plugins import check_name
from arbitree.reading import limits
from arbitree.reading.consistent_tables import header_notes
from arbitree.reading.content import Records
from arbitree.reading.inputs import Input
from arbitree.reading.unicode_forms import names_in_one_form
from arbitree.study.coded import Coded, constant
from arbitree.study.flat_tree import IntArray
from arbitree.study.grid import MISSING, Grid
from arbitree.study.study import Item, Items, Study
from arbitree.study.texts import Texts

ROUNDING = 1e-12  # a smaller difference is not divided out, so that weights are read as they were written
CELL = 16  # bytes for each item and annotator: label, line, file and what a measure adds
SUM_TOLERANCE = 1e-3  # probabilities are often printed with three digits


Files = Sequence[tuple[Input, Records]]


def gather(files: Files) -> Study[Any]:
    """Return the study that contains the rows of all *files*; items are matched by id."""
    told = header_notes([records for _, records in files])
    told += [note for _, records in files for note in records.notes]
    files, notes = _composed(_owned(files))
    parsed = parse([records for _, records in files])
    files = [(each, records) for (each, _), records in zip(files, parsed.records, strict=True)]
    columns = _columns(files)
    if not any(len(records.items) for _, records in files):
        path = files[0][1].path
        raise FormatError("the table contains no labels", Source(path), hint="Fill the cells with labels")
    items, own, rows = _items(files)
    _check_room(len(items), len(columns), files[0][1].path)
    grid = _Places(tuple(columns), tuple(records.path for _, records in files), (len(items), len(columns)))
    codes = np.full(grid.lines.shape, MISSING, dtype=np.int32)
    for number, (each, records) in enumerate(files):
        row, column = rows[number], numbers_of(records.coders, partial(_column_of, columns, each.coder))
        _check_single(records, row, column, codes, grid)
        codes[row, column] = parsed.codes[number]
        lines = records.lines
        grid.lines[row, column] = np.arange(lines.start, lines.stop) if isinstance(lines, range) else lines
        if len(files) > 1:
            grid.files[row, column] = number
    cells = Grid(items, grid.coders, codes, parsed.values, grid.lines, grid.paths, grid.files, own)
    gold, doubts = _gold(files, parsed)
    found = (*told, *notes, *parsed.notes, *doubts, *_strangers(cells))
    settings = settings_of(files[0][1].reading)
    texts = Texts(_merged_texts([records.texts for _, records in files]))
    return Study(items, grid.coders, cells, notes=found, settings=settings, gold=gold, texts=texts)


def _check_room(items: int, coders: int, path: str) -> None:
    """Raise StudyError if the labels of all annotators for all items need more memory than there is."""
    if items * coders * CELL > limits.memory():
        size = math.ceil(items * coders * CELL / 2**30)
        what = f"labels of {items:,} items by {coders:,} annotators need about {size:,} GB of memory"
        hint = "Split the table into parts with fewer annotators, or use a machine with more memory"
        raise StudyError(what, Source(path), hint=hint)


def _columns(files: Files) -> dict[str, int]:
    """Return the column of each annotator."""
    columns: dict[str, int] = {}
    for each, records in files:
        for name in (*records.names, *distinct_of(records.coders)):
            columns.setdefault(name or each.coder, len(columns))
    return columns


def _items(files: Files) -> tuple[Sequence[Item], NDArray[np.intp] | None, list[IntArray]]:
    """Return the items, the number of the cluster of each if it is known, and the item of each label."""
    (each, records), *others = files
    if not others and isinstance(records.items, Coded) and isinstance(records.places, CodedPlaces):
        ids, documents, clusters = records.places.ids, records.places.documents, records.places.clusters
        items = Items(ids, documents or constant(each.document, len(ids)), clusters)
        own = np.arange(len(ids)) if clusters is None else numbered([clusters.codes.astype(np.uint64)])[1]
        return items, own.astype(np.intp), [records.items.codes.astype(np.int32, copy=False)]
    rows: dict[str, int] = {}
    documents_of: list[str] = []
    clusters_of: list[str] = []
    for each, records in files:
        for item in dict.fromkeys((*records.places, *distinct_of(records.items), *records.empty)):
            if item not in rows:
                rows[item] = len(rows)
                document, cluster = records.places.get(item, (None, None))
                documents_of.append(document or each.document)
                clusters_of.append(cluster or item)
    found = tuple(map(Item, rows, documents_of, clusters_of))
    single = np.arange(len(found)) if clusters_of == list(rows) else None  # each item is its own cluster
    return found, single, [numbers_of(records.items, rows.__getitem__) for _, records in files]


def _column_of(columns: Mapping[str, int], owner: str, coder: str | None) -> int:
    return columns[coder or owner]


def _merged_texts(tables: Sequence[Mapping[str, Mapping[str, str]]]) -> dict[str, dict[str, str]]:
    """Return the columns of texts of all tables, except those that differ between tables for one item."""
    found: dict[str, dict[str, str]] = {}
    varying = set()
    for columns in tables:
        for name, texts in columns.items():
            known = found.setdefault(name, {})
            if any(known.setdefault(item, text) != text for item, text in texts.items()):
                varying.add(name)
    return {name: texts for name, texts in found.items() if name not in varying}


def _owned(files: Files) -> Files:
    """Return *files*; the same single column of labels in each belongs to the annotator of the file."""
    names = {name for _, records in files for name in records.names}
    single = all(len(records.names) == 1 if records.wide else not records.names for _, records in files)
    if len(files) < 2 or len(names) != 1 or not single:
        return files
    return [
        (each, replace(records, names=[each.coder], coders=[None] * len(records.coders)))
        for each, records in files
    ]


def _strangers(grid: Grid[Any]) -> list[str]:
    """Return a warning for each annotator who shares no label or has only numbers, as other columns do."""
    plain = all(isinstance(value, Label) for value in grid.distinct)
    if not plain or all(value.number is not None for value in grid.distinct):
        return []
    used = [set(np.flatnonzero(np.bincount(codes - MISSING)[-MISSING:]).tolist()) for codes in grid.codes.T]
    users = Counter(code for codes in used for code in codes)
    several = len(grid.coders) > 2 and max(users.values(), default=0) > 1
    texts = {code for code in users if grid.distinct[code].number is None}
    spoken = {code for codes in used if not codes.isdisjoint(texts) for code in codes}
    found = []
    for coder, codes in zip(grid.coders, used, strict=True):
        if several and len(codes) > 1 and all(users[code] == 1 for code in codes):
            what = "shares no label with the other annotators"
        elif codes and codes.isdisjoint(spoken):
            what = "contains only numbers, unlike other annotators"
        else:
            continue
        example = grid.distinct[min(codes)].text
        found.append(
            f"{coder!r} {what} (example: {example!r}); if this is not an annotator, set --drop-column"
        )
    return found


class _Places:
    """The source of each label."""

    def __init__(self, coders: tuple[str, ...], paths: tuple[str, ...], shape: tuple[int, int]) -> None:
        self.coders, self.paths = coders, paths
        self.lines = np.zeros(shape, dtype=np.int32)
        one: IntArray = np.broadcast_to(np.int32(0), shape)  # no memory per label
        self.files = one if len(paths) == 1 else np.zeros(shape, dtype=np.int32)

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
    text = chosen(text)
    if isinstance(text, list):
        if any(isinstance(tag, dict) for tag in text):
            what = f"expected labels, found JSON objects ({shorten(str(text))})"
            hint = "Export one row per label, for example as CSV, or set --drop-column"
            raise FormatError(what, source, hint=hint)
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
        return not has_choices(text)
    return (
        isinstance(text, str)
        and "|" in text
        and all(_is_weight(part.rpartition(":")[2]) and ":" in part for part in text.split("|"))
    )


def _gold(files: Files, parsed: Parsed) -> tuple[dict[str, Any], list[str]]:
    """Return the gold value of each item, or a warning if an item has two.

    Raises:
        StudyError: If an item has two, and an option names the gold column.
    """
    gold: dict[str, Any] = {}
    for _, records in files:
        for item, known in records.gold.items():
            for label, line in known:
                value = _gold_value(label, Source(records.path, line), parsed.values)
                if gold.setdefault(item, value) == value:
                    continue
                what = f"item {shorten(item)} has 2 gold labels, {shorten(str(gold[item]))} and "
                what, source = what + shorten(str(value)), Source(records.path, line)
                if records.reading is not None and records.reading.gold_column is not None:
                    raise StudyError(what, source, hint="Remove one of them")
                return {}, [f"{source}: {what}, so the gold column is ignored"]
    return gold, []


def _gold_value(label: Any, source: Source, values: Sequence[Any]) -> Label | Tags:
    """Return a gold label as a value of the same type and spelling as *values*."""
    if not isinstance(values[0], Tags):
        (text,) = spelled_like([_cell(label)], values)
        return Label(text)
    value = value_of(label, source)
    tags = {tag for each in values for tag in each.tags}
    names = spelled_like(value.tags, map(Label, tags))
    return _renamed(
        value if isinstance(value, Tags) else Tags.of([value.text]),
        dict(zip(value.tags, names, strict=True)),
    )


@dataclass(frozen=True, slots=True)
class Parsed:
    """The labels of several tables as numbers of distinct values."""

    records: list[Records]  # without missing labels
    values: tuple[Any, ...]  # the distinct values, sorted and of one type
    codes: list[Sequence[int] | IntArray]  # for each table, the index of the value of each label
    notes: list[str]  # warnings about missing labels and spellings


def parse(tables: Sequence[Records]) -> Parsed:
    """Parse each distinct label of *tables* once; labels that mean the same get the same value."""
    reading = tables[0].reading
    notes: list[str] = []
    if reading is not None:
        check_name(reading.numbers, NUMBERS, "value of --numbers")
        tables, notes = _without_missing(tables, reading.missing)
    keys: list[Sequence[str]] = [
        records.labels if isinstance(records.labels, Coded) else [_key(label) for label in records.labels]
        for records in tables
    ]
    first: dict[str, tuple[Any, Source]] = {}
    for records, found in zip(tables, keys, strict=True):
        for place in first_places(found):
            if found[place] not in first:
                first[found[place]] = (records.labels[place], Source(records.path, int(records.lines[place])))
    weighted = any(is_weighted(label) for label, _ in first.values())
    values = {key: value_of(label, source, weighted=weighted) for key, (label, source) in first.items()}
    if any(isinstance(value, Tags) for value in values.values()):
        values = {
            key: value if isinstance(value, Tags) else Tags.of([value.text]) for key, value in values.items()
        }
    if reading is not None:
        values, more = _respelled(values, keys, tables, reading.numbers)
        notes += more
    distinct = in_order(set(values.values()))
    numbers = {value: number for number, value in enumerate(distinct)}
    code_of = {key: numbers[value] for key, value in values.items()}
    codes: list[Sequence[int] | IntArray] = [numbers_of(found, code_of.__getitem__) for found in keys]
    return Parsed(list(tables), distinct, codes, notes)


def _without_missing(tables: Sequence[Records], option: str) -> tuple[list[Records], list[str]]:
    """Return *tables* without labels that mark a missing label, and warnings."""
    markers = missing_markers(option)
    counts: Counter[str] = Counter()
    for records in tables:
        counts.update(counts_of(records.labels))
    golden = [label for records in tables for known in records.gold.values() for label, _ in known]
    found = {text: counts.pop(text) for text in markers & counts.keys()}
    notes = missing_notes(found, counts, option)
    if not found and not any(_marks(label, markers) for label in golden):
        return list(tables), notes
    kept = []
    for records in tables:
        if isinstance(records.labels, Coded) and isinstance(records.places, CodedPlaces):
            kept.append(_kept_columns(records, markers))
            continue
        given = [not _marks(label, markers) for label in records.labels]
        gone = [item for item, there in zip(records.items, given, strict=True) if not there]
        columns = (records.items, records.coders, records.labels, records.lines)
        items, coders, labels, lines = (list(compress(column, given)) for column in columns)
        empty = {**records.empty, **dict.fromkeys(gone)}
        changed = replace(records, items=items, coders=coders, labels=labels, lines=lines)
        gold = {
            item: [each for each in known if not _marks(each[0], markers)]
            for item, known in records.gold.items()
        }
        kept.append(replace(changed, empty=empty, gold=gold))
    return kept, notes


def _kept_columns(records: Records, markers: frozenset[str]) -> Records:
    """Return the labels of a regular table without those that mark a missing label."""
    rows = np.flatnonzero(numbers_of(records.labels, lambda label: not _marks(label, markers)))
    items, coders, labels = (
        column.at(rows)
        for column in (records.items, records.coders, records.labels)
        if isinstance(column, Coded)
    )
    lines = np.asarray(records.lines, dtype=np.int32)[rows]
    return replace(records, items=items, coders=coders, labels=renumbered(labels), lines=lines)


def _marks(label: Any, markers: frozenset[str]) -> bool:
    return isinstance(label, str) and label in markers


Values = dict[str, Label | Tags]


def _respelled(
    values: Values, keys: Sequence[Sequence[str]], tables: Sequence[Records], mode: str
) -> tuple[Values, list[str]]:
    """Return *values* with one spelling for each label, and warnings about those with several."""
    tags = {tag for value in values.values() for tag in value.tags}
    forms = names_in_one_form(tags)

    def users(tag: str) -> set[str]:
        wanted = {key for key, value in values.items() if tag in value.tags}
        return {
            coder or records.path
            for records, found in zip(tables, keys, strict=True)
            for coder, key in zip(records.coders, found, strict=True)
            if key in wanted
        }

    commas = any(records.commas for records in tables)
    numbers = numbers_as_one(tags, mode, commas=commas, users=users)
    notes = [*composed_note(forms, "label"), *number_notes(numbers, tags, mode)]
    spelling = forms | numbers
    return {key: _renamed(value, spelling) for key, value in values.items()} if spelling else values, notes


def _renamed(value: Label | Tags, spelling: Mapping[str, str]) -> Label | Tags:
    if isinstance(value, Label):
        return Label(spelling.get(value.text, value.text))
    weights: dict[str, float] = {}
    for tag, weight in value.weights:
        name = spelling.get(tag, tag)
        weights[name] = weights.get(name, 0.0) + weight
    if len(weights) < len(value.weights) and len({weight for _, weight in value.weights}) == 1:
        return Tags.of(weights)  # a set, in which all tags have equal weights
    return Tags(tuple(sorted(weights.items())))


def _composed(files: Files) -> tuple[Files, list[str]]:
    """Return *files* with one Unicode form for each item and each annotator, and warnings."""
    items = names_in_one_form(
        name for _, records in files for name in (*other_than_ascii(records.items), *records.empty)
    )
    coders = names_in_one_form(
        name
        for each, records in files
        for name in (each.coder, *records.names, *distinct_of(records.coders))
        if name is not None
    )
    if not items and not coders:
        return files, []
    found = []
    for each, records in files:
        changed = replace(
            records,
            items=[items.get(item, item) for item in records.items],
            coders=[coder if coder is None else coders.get(coder, coder) for coder in records.coders],
            places={items.get(item, item): place for item, place in records.places.items()},
            empty={items.get(item, item): None for item in records.empty},
            gold={items.get(item, item): known for item, known in records.gold.items()},
            texts={
                name: {items.get(item, item): text for item, text in texts.items()}
                for name, texts in records.texts.items()
            },
            names=[coders.get(name, name) for name in records.names],
        )
        found.append((replace(each, coder=coders.get(each.coder, each.coder)), changed))
    return found, [*composed_note(items, "item"), *composed_note(coders, "annotator")]


def _check_single(records: Records, row: IntArray, column: IntArray, codes: IntArray, grid: _Places) -> None:
    """Raise StudyError if an annotator labels one item twice, here or in an earlier file."""
    again = codes[row, column] != MISSING
    once = np.zeros(codes.shape, dtype=np.bool_)
    once[row, column] = True
    if not again.any() and np.count_nonzero(once) == len(row):
        return
    flat = row.astype(np.int64) * codes.shape[1] + column
    _, firsts = np.unique(flat, return_index=True)
    again[np.setdiff1d(np.arange(len(flat)), firsts)] = True
    place = int(np.argmax(again))
    twin = int(np.flatnonzero(flat == flat[place])[0])
    other = Source(records.path, int(records.lines[twin]))
    if twin == place:
        other = grid.source(int(row[place]), int(column[place]))
    what = f"{grid.coders[column[place]]} labels item {records.items[place]!r} twice; first label at {other}"
    hint = "Remove one of them, or write several labels in one cell as a|b"
    if records.wide:
        hint = "Use another item in each row, or remove the item column with --drop-column to number the rows"
        hint += "; in a table with one row per label, set --coder-column and --label-column"
    raise StudyError(what, Source(records.path, int(records.lines[place])), hint=hint)


def _key(label: Any) -> str:
    if isinstance(label, str):
        return label
    return repr(label) if type(label) in (int, float) else json.dumps(label, sort_keys=True)


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
    total = math.fsum(found.values())
    if abs(total - 1) > SUM_TOLERANCE:
        raise FormatError(
            f"the probabilities in {shorten(str(text))} sum to {total:g}, not to 1",
            source,
            hint="Correct them",
        )
    whole = 1.0 if abs(total - 1) < ROUNDING else total
    return Tags(tuple((tag, weight / whole) for tag, weight in sorted(found.items()) if weight))

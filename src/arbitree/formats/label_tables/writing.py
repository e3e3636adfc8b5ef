"""Write studies of labels as tables of text (TSV, CSV) or of JSON objects."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from typing import Any

from arbitree.kinds.labels.value import Tags
from arbitree.reading.columns import CODER, DOCUMENT, GOLD, LABEL, TAG, may_be_text, plain
from arbitree.reading.content import Entry
from arbitree.reading.inputs import DEFAULT_DOCUMENT
from arbitree.reading.tables import separator
from arbitree.study.study import Annotation, Item, Study

JSON, JSON_LINES, COMMAS = ".json", ".jsonl", ".csv"  # all other extensions: cells separated by tabs
BREAKING = ("\t", "\n", "\r")  # characters for which a cell is quoted

Cell = Any  # text, a label, a set of tags, or None for a missing label
Rows = Iterable[tuple[Cell, ...]]


def study_of(entries: Iterable[Entry[Any]]) -> Study[Any]:
    """Return the study that contains *entries*; the annotator of entries without one has no name."""
    items: dict[str, Item] = {}
    cells: dict[tuple[str, str], Annotation[Any]] = {}
    for entry in entries:
        name, coder = entry.id or "", entry.coder or ""
        item = items.setdefault(name, Item(name, entry.document or DEFAULT_DOCUMENT, name))
        cells[name, coder] = Annotation(item, coder, entry.value, entry.source)
    return Study(tuple(items.values()), tuple(dict.fromkeys(coder for _, coder in cells)), cells)


def labelled_rows(study: Study[Any]) -> Iterator[tuple[Item, str, Any]]:
    """Yield each item with each annotator who labelled it and the label.

    An item or an annotator without any labels has one row, whose label is None.
    """
    places = {coder: place for place, coder in enumerate(study.coders)}
    given: dict[str, dict[int, Any]] = {}  # by item, and by the place of the annotator
    for name, coder, value in study.triples():
        given.setdefault(name, {})[places[coder]] = value
    busy = {place for own in given.values() for place in own}
    idle = [coder for place, coder in enumerate(study.coders) if place not in busy]
    for item in study.items:
        for place, value in sorted(given.get(item.id, {}).items(), key=itemgetter(0)):
            yield item, study.coders[place], value
        for coder in idle or (() if item.id in given else study.coders[:1]):
            yield item, coder, None
        idle = []


def columns_about(study: Study[Any], *, gold: bool = False) -> dict[str, dict[str, Cell]]:
    """Return the columns about items that the study needs: document, cluster, if asked gold, and texts.

    A column of texts whose name would give it another role is left out.
    """
    columns: dict[str, dict[str, Cell]] = {}
    if any(item.document != DEFAULT_DOCUMENT for item in study.items):
        columns["document"] = {item.id: item.document for item in study.items}
    if any(item.cluster != item.id for item in study.items):
        columns["cluster"] = {item.id: item.cluster for item in study.items}
    if gold and study.gold:
        columns["gold"] = dict(study.gold)
    return {**columns, **_text_columns(study)}


def _text_columns(study: Study[Any]) -> dict[str, dict[str, Cell]]:
    roles = (*CODER, *LABEL, *TAG, *GOLD, *DOCUMENT, "item", "cluster")
    return {
        name: dict(texts)
        for name, texts in study.texts.columns.items()
        if plain(name) not in roles and may_be_text(name)
    }


def table_text(header: Sequence[str], rows: Rows, suffix: str, *, headed: bool = True) -> Iterator[str]:
    """Yield a table for a file with this extension.

    Args:
        header: The names of the columns.
        rows: The cells.
        suffix: ``.csv``, ``.json`` or ``.jsonl``; other extensions stand for cells separated by tabs.
        headed: Whether to write the names of the columns.
    """
    if suffix in (JSON, JSON_LINES):
        yield from _objects(header, rows, suffix)
        return
    texts = [*([tuple(header)] if headed else []), *_texts(rows)]
    sign = "," if suffix == COMMAS else "\t"
    broken = any(mark in cell for row in texts for cell in row for mark in BREAKING)
    plain = sign == "\t" and not broken
    lines = ["\t".join(row) + "\n" for row in texts] if plain else list(_quoted(texts, sign, broken))
    if lines and separator(lines[0]) != sign:
        yield f"sep={sign}\n"  # the first row contains more of another separator
    yield from lines


def _objects(header: Sequence[str], rows: Rows, suffix: str) -> Iterator[str]:
    """Yield one JSON object per row: one per line, or in a list."""
    between = "[\n"
    for row in rows:
        line = json.dumps(dict(zip(header, map(_json, row), strict=True)), ensure_ascii=False)
        yield f"{line}\n" if suffix == JSON_LINES else f"{between}{line}"
        between = ",\n"
    if suffix == JSON:
        yield "\n]\n" if between != "[\n" else "[]\n"


def _json(cell: Cell) -> Any:
    """Return a cell as JSON: a set of tags as a list, a distribution as an object."""
    if not isinstance(cell, Tags):
        return cell if cell is None else str(cell)
    weights = dict(cell.weights)
    return list(weights) if len(set(weights.values())) < 2 else weights


def _texts(rows: Rows) -> Iterator[tuple[str, ...]]:
    """Yield *rows* as text; the first set of a column has a bar, which makes all labels of a table sets."""
    marked: set[int] = set()
    for row in rows:
        texts = list(map(_text, row))
        for place, cell in enumerate(row):
            if isinstance(cell, Tags) and place not in marked:
                marked.add(place)
                texts[place] += "" if "|" in texts[place] else "|"
        yield tuple(texts)


def _text(cell: Cell) -> str:
    """Return a cell as text that is read as the same value: all digits of weights, a bar for an empty set."""
    if not isinstance(cell, Tags):
        return "" if cell is None else str(cell)
    if len({weight for _, weight in cell.weights}) < 2:
        return "|".join(tag for tag, _ in cell.weights) or "|"
    return "|".join(f"{tag}:{weight!r}" for tag, weight in cell.weights)


def _quoted(texts: Iterable[tuple[str, ...]], sign: str, broken: bool) -> Iterator[str]:
    """Yield the rows with quotation marks around cells that need them, or around all cells."""
    for row in texts:
        file = io.StringIO()
        csv.writer(
            file,
            delimiter=sign,
            quoting=csv.QUOTE_ALL if broken else csv.QUOTE_MINIMAL,
            lineterminator="\n",
        ).writerow(row)
        yield file.getvalue()

"""Read and write tables of labels: one row per label, or one row per item and one column per annotator."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from arbitree.errors import FormatError, Source
from arbitree.formats.format import Format
from arbitree.formats.label_rows import gather, value_of
from arbitree.kinds.labels.value import Label
from arbitree.reading.content import Content, Entry, Records
from arbitree.reading.inputs import Input
from arbitree.reading.tables import (
    CLUSTER,
    CODER,
    DOCUMENT,
    ITEM,
    LABEL,
    TextTable,
    is_about,
    is_header,
    place_of,
    read_table,
    separator,
)
from arbitree.study.study import Study


@dataclass(frozen=True, slots=True)
class Labels(Format[Any]):
    """Tables with the columns item, coder and label, or of items by annotators with an optional header."""

    about: ClassVar[str] = "labels: rows of item, coder, label, or items by annotators (.tsv, .csv, .jsonl)"
    value_type: ClassVar[type[Any]] = Label
    suffixes: ClassVar[tuple[str, ...]] = (".tsv", ".csv", ".jsonl")
    unit: ClassVar[str] = "label"
    tabular: ClassVar[bool] = True

    def sniff(self, content: Content) -> float:
        """Return a high confidence for a header with known names, a low one for a table without."""
        head = content.head
        if head.lstrip().startswith("{"):
            return 0.5
        sign = separator(head)
        lines = [line for line in head.split("\n")[:-1] or [head] if line.strip()]
        named = content.path.removesuffix(".gz").endswith(self.suffixes)
        if sign is None or not lines:
            return 0.1 if named and "\0" not in head else 0.0
        if is_header([cell.strip('"') for cell in lines[0].removesuffix("\r").split(sign)]):
            return 0.9
        if len({line.count(sign) for line in lines[:50]}) == 1 and len(lines) > 1:
            return 0.3
        return 0.1 if named else 0.0

    def records(self, content: Content) -> Records:
        """Return the labels of *content*."""
        table = read_table(content)
        header = table.header
        if header is None and table.rows and is_header(table.rows[0]):
            header = [str(cell) for cell in table.rows[0]]
            table = TextTable(table.rows[1:], table.lines[1:])
        if header is not None and is_header(header):
            return _long(table, header, content.path)
        return _wide(table, header, content.path)

    def gather(self, files: Sequence[tuple[Input, Records]]) -> Study[Any]:
        """Return the study of all *files*; items are matched by id."""
        return gather(files)

    def read(self, content: Content) -> Iterator[Entry[Any]]:
        """Yield the labels of *content*, each with its annotator if the table names one."""
        yield from entries_of(self.records(content))

    def write(self, entries: Iterable[Entry[Any]]) -> Iterator[str]:
        """Yield a tab-separated table with the columns item, coder and label."""
        yield from self.write_as(entries, ".tsv")

    def write_as(self, entries: Iterable[Entry[Any]], suffix: str) -> Iterator[str]:
        """Yield the same table for a file with this extension: CSV, JSON lines or TSV."""
        names = ("item", "coder", "label")
        if suffix != ".jsonl":
            yield _line(names, suffix)
        for entry in entries:
            cells = (entry.id or "", entry.coder or "", str(entry.value))
            if suffix == ".jsonl":
                yield json.dumps(dict(zip(names, cells, strict=True)), ensure_ascii=False) + "\n"
            else:
                yield _line(tuple(" ".join(cell.split()) for cell in cells), suffix)


@dataclass(frozen=True, slots=True)
class Triples(Labels):
    """Rows of coder, item and label without a header; never detected, because they look like a matrix."""

    about: ClassVar[str] = "labels without a header: rows of coder, item, label (--format triples)"
    suffixes: ClassVar[tuple[str, ...]] = (".triples",)

    def sniff(self, content: Content) -> float:
        """Return 0, because three columns could be three annotators."""
        return 0.0

    def records(self, content: Content) -> Records:
        """Return the labels of *content*."""
        table = read_table(content)
        if table.header is not None:
            return _long(table, table.header, content.path)
        return _long(table, ["coder", "item", "label"], content.path)

    def write_as(self, entries: Iterable[Entry[Any]], suffix: str) -> Iterator[str]:
        """Yield a row of coder, item and label for each of *entries*."""
        for entry in entries:
            cells = (entry.coder or "", entry.id or "", str(entry.value))
            yield _line(tuple(" ".join(cell.split()) for cell in cells), suffix)


def _line(cells: tuple[str, ...], suffix: str) -> str:
    if suffix != ".csv":
        return "\t".join(cells) + "\n"
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerow(cells)
    return file.getvalue()


def entries_of(records: Records) -> Iterator[Entry[Any]]:
    """Yield one entry per label."""
    columns = zip(records.items, records.coders, records.labels, records.lines, strict=True)
    for item, coder, label, line in columns:
        source = Source(records.path, line)
        document, _ = records.places.get(item, (None, None))
        yield Entry(value_of(label, source), source, item, document, coder)


def _long(table: TextTable, header: list[str], path: str) -> Records:
    """Read a table with one row per label."""
    item_at, coder_at, label_at = (place_of(header, names) for names in (ITEM, CODER, LABEL))
    document_at, cluster_at = (place_of(header, names) for names in (DOCUMENT, CLUSTER))
    if item_at is None or label_at is None:
        hint = "Name the columns item, coder and label"
        raise FormatError("the header has no item column or no label column", Source(path, 1), hint=hint)
    records = Records(path)
    for row, line in zip(table.rows, table.lines, strict=True):
        _check_width(row, header, path, line)
        item = _text(row[item_at])
        if not item:
            raise FormatError("the row has no item", Source(path, line), hint="Fill in the item column")
        coder = None if coder_at is None else _text(row[coder_at])
        if coder == "":
            raise FormatError("the row has no annotator", Source(path, line), hint="Fill in the coder column")
        records.add(item, coder, row[label_at], line)
        if (document_at is not None or cluster_at is not None) and item not in records.places:
            document, cluster = (None if at is None else _text(row[at]) for at in (document_at, cluster_at))
            records.places[item] = (document or None, cluster or None)
    return records


def _wide(table: TextTable, header: list[str] | None, path: str) -> Records:
    """Read a table with one row per item and one column per annotator."""
    if header is None and _has_header(table.rows):
        header = [str(cell) for cell in table.rows[0]]
        table = TextTable(table.rows[1:], table.lines[1:])
    width = len(header or (table.rows[0] if table.rows else []))
    ids_at = _ids_at(table, header)
    names = [name.strip() for name in header or map(str, range(1, width + 1))]
    document_at, cluster_at = (place_of(header or [], called) for called in (DOCUMENT, CLUSTER))
    coders = [(k, name) for k, name in enumerate(names) if k != ids_at and not (header and is_about(name))]
    if header is None:
        coders = [(place, f"coder{number}") for number, (place, _) in enumerate(coders, start=1)]
    if len({name for _, name in coders}) < len(coders):
        twice = next(name for _, name in coders if names.count(name) > 1)
        raise FormatError(f"2 columns have the name {twice!r}", Source(path, 1), hint="Rename one of them")
    records = Records(path, names=[name for _, name in coders])
    for number, (row, line) in enumerate(zip(table.rows, table.lines, strict=True), start=1):
        _check_width(row, names, path, line)
        item = str(number) if ids_at is None else _text(row[ids_at])
        if not item:
            raise FormatError("the row has no item", Source(path, line), hint="Fill in the first column")
        document, cluster = (None if at is None else _text(row[at]) for at in (document_at, cluster_at))
        records.places.setdefault(item, (document or None, cluster or None))
        for place, coder in coders:
            records.add(item, coder, row[place], line)
    return records


def _check_width(row: list[Any], header: list[str], path: str, line: int) -> None:
    if len(row) != len(header):
        what = f"expected {len(header)} cells, found {len(row)}"
        hint = "Every row needs as many cells as the first; leave the cells of missing labels empty"
        raise FormatError(what, Source(path, line), hint=hint)


def _text(cell: Any) -> str:
    return "" if cell is None else str(cell).strip()


def _has_header(rows: list[list[Any]]) -> bool:
    """Return whether the first row is a header: distinct names that occur in no row below."""
    first = [str(cell).strip() for cell in rows[0]] if rows else []
    if place_of(first[:1], ITEM) is not None:
        return True
    if len(rows) < 2:
        return False
    named = first[1:] if first[0] == "" else first
    if len(set(named)) < len(named) or not all(named) or any(_is_number(name) for name in named):
        return False
    below = {str(cell).strip() for row in rows[1:] for cell in row}
    return below.isdisjoint(named)


def _ids_at(table: TextTable, header: list[str] | None) -> int | None:
    """Return the index of the id column: one with such a name, or the first if it contains only names."""
    if header is not None:
        named = 0 if not header[0].strip() else place_of(header, ITEM)
        if named is not None:
            return named
    first = [_text(row[0]) for row in table.rows if row]
    counts = header is not None and first == [str(number) for number in range(1, len(first) + 1)]
    if len(set(first)) < len(first) or not all(first) or (any(map(_is_number, first)) and not counts):
        return None
    others = {_text(cell) for row in table.rows for cell in row[1:]}
    return 0 if len(first) > 1 and others and others.isdisjoint(first) else None


def _is_number(text: str) -> bool:
    return Label(text).number is not None


PLUGINS = {"labels": Labels(), "triples": Triples()}

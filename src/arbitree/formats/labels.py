"""Read and write tables of labels: one row per label or tag, or one row per item and column per annotator.

One reader recognises all layouts. The formats ``triples`` and ``ticks`` are names for two of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from arbitree.errors import FormatError, Source
from arbitree.formats.format import Format
from arbitree.formats.label_tables.layouts import TICKS, TRIPLES, records_of
from arbitree.formats.label_tables.regular import regular_records
from arbitree.formats.label_tables.rows import gather, parse
from arbitree.formats.label_tables.writing import columns_about, labelled_rows, study_of, table_text
from arbitree.kinds.labels.value import Label, Tags
from arbitree.reading.columns import is_header
from arbitree.reading.consistent_tables import header_notes
from arbitree.reading.content import Content, Entry, Records
from arbitree.reading.inputs import Input
from arbitree.reading.tables import head_rows, is_json, read_table, separator
from arbitree.study.study import Study


@dataclass(frozen=True, slots=True)
class Labels(Format[Any]):
    """Tables with the columns item, coder and label, or of items by annotators with an optional header."""

    about: ClassVar[str] = (
        "labels: rows of item, coder, label, or items by annotators (.tsv, .csv, .json, .jsonl)"
    )
    value_type: ClassVar[type[Any]] = Label
    suffixes: ClassVar[tuple[str, ...]] = (".tsv", ".csv", ".jsonl", ".json")
    unit: ClassVar[str] = "label"
    tabular: ClassVar[bool] = True
    layout: ClassVar[str] = ""  # the layout of the rows; empty: recognised

    def sniff(self, content: Content) -> float:
        """Return a high confidence for a header with known names, a low one for a table without."""
        head = content.head
        if is_json(head):
            return 0.5
        sign = separator(head)
        named = content.file.removesuffix(".gz").endswith(self.suffixes)
        rows = [] if sign is None else head_rows(head, sign)
        if not rows:
            return 0.1 if named and "\0" not in head else 0.0
        if is_header(rows[0]):
            return 0.9
        if len({len(row) for row in rows[:50]}) == 1 and len(rows) > 1:
            return 0.3
        return 0.1 if named else 0.0

    def ending(self, content: Content) -> str:
        """Return a line feed, because the last cell of a row has no other end; JSON objects have one."""
        return "" if is_json(content.head) else "\n"

    def records(self, content: Content) -> Records:
        """Return the labels of *content*; append warnings about rows with missing cells to its notes."""
        found = None if self.layout else regular_records(content)
        if found is not None:
            return found
        width = 3 if self.layout == TRIPLES else 0
        table = read_table(content).even(content.path, content.notes, width)
        return records_of(table, content.reading, content.path, layout=self.layout)

    def gather(self, files: Sequence[tuple[Input, Records]]) -> Study[Any]:
        """Return the study of all *files*; items are matched by id."""
        return gather(files)

    def read(self, content: Content) -> Iterator[Entry[Any]]:
        """Yield the labels of *content*, each with its annotator if the table names one."""
        yield from entries_of(self.records(content), content.notes)

    def holds(self, value_type: type) -> bool:
        """Return whether the values are labels or sets of tags."""
        return value_type in (Label, Tags)

    def write(self, entries: Iterable[Entry[Any]]) -> Iterator[str]:
        """Yield a tab-separated table with the columns item, coder and label."""
        return self.write_as(entries, ".tsv")

    def write_as(self, entries: Iterable[Entry[Any]], suffix: str) -> Iterator[str]:
        """Yield the same table for a file with this extension: CSV, JSON, JSON lines or TSV."""
        return self.write_study(study_of(entries), suffix)

    def write_study(self, study: Study[Any], suffix: str) -> Iterator[str]:
        """Yield one row per label; items and annotators without labels have a row without a label.

        The columns document, cluster and gold are written if the study needs them.
        """
        about = columns_about(study, gold=True)
        named = study.coders != ("",)
        header = ("item", *(("coder",) if named else ()), "label", *about)
        rows = (
            (
                item.id,
                *((coder,) if named else ()),
                value,
                *(column.get(item.id) for column in about.values()),
            )
            for item, coder, value in labelled_rows(study)
        )
        return table_text(header, rows, suffix)


@dataclass(frozen=True, slots=True)
class Triples(Labels):
    """The layout of rows without a header: coder, item and label."""

    about: ClassVar[str] = "labels without a header: rows of coder, item, label (.triples)"
    suffixes: ClassVar[tuple[str, ...]] = (".triples",)
    layout: ClassVar[str] = TRIPLES

    def sniff(self, content: Content) -> float:
        """Return 1 for the file extension of this layout; otherwise 0, because ``labels`` reads it, too."""
        return float(content.file.removesuffix(".gz").endswith(self.suffixes))

    def write_study(self, study: Study[Any], suffix: str) -> Iterator[str]:
        """Yield a row of coder, item and label for each label, without documents, clusters and gold."""
        rows = ((coder or "coder1", item.id, value) for item, coder, value in labelled_rows(study))
        return table_text(("coder", "item", "label"), rows, suffix, headed=False)


@dataclass(frozen=True, slots=True)
class Ticks(Labels):
    """The layout of rows of item, tag and coder, with 1 if the coder gave the tag, else 0."""

    about: ClassVar[str] = "sets of tags: rows of item, tag, coder, and 1 or 0 (.ticks)"
    value_type: ClassVar[type[Any]] = Tags
    suffixes: ClassVar[tuple[str, ...]] = (".ticks",)
    layout: ClassVar[str] = TICKS

    def sniff(self, content: Content) -> float:
        """Return 1 for the file extension of this layout; otherwise 0, because ``labels`` reads it, too."""
        return float(content.file.removesuffix(".gz").endswith(self.suffixes))

    def holds(self, value_type: type) -> bool:
        """Return whether the values are sets of tags."""
        return value_type is Tags

    def write_study(self, study: Study[Any], suffix: str) -> Iterator[str]:
        """Yield one row per annotator of an item and per tag that any annotator gave it.

        If no annotator gave the item a tag, its annotators have a row with another tag of the file. Items and
        annotators without an annotation, weights and the gold standard are not written.

        Raises:
            FormatError: If there are no tags at all.
        """
        found = [(item, coder, value) for item, coder, value in labelled_rows(study) if value is not None]
        tags: dict[str, dict[str, None]] = {}
        for item, _, value in found:
            tags.setdefault(item.id, {}).update(dict.fromkeys(sorted(value.tags)))
        other = next((tag for given in tags.values() for tag in given), None)
        if other is None:
            raise FormatError("no item has a tag", hint="Choose the format labels")
        about = columns_about(study)
        named = study.coders != ("",)
        rows = (
            (
                *(item.id, tag, *((coder,) if named else ()), str(int(tag in value.tags))),
                *(column.get(item.id) for column in about.values()),
            )
            for item, coder, value in found
            for tag in tags[item.id] or (other,)
        )
        return table_text(("item", "tag", *(("coder",) if named else ()), "label", *about), rows, suffix)


def entries_of(records: Records, notes: list[str] | None = None) -> Iterator[Entry[Any]]:
    """Yield one entry per label; append warnings to *notes*."""
    parsed = parse([records])
    (kept,), (codes,) = parsed.records, parsed.codes
    if notes is not None:
        notes += (*header_notes([records]), *records.notes, *parsed.notes)
    for item, coder, code, line in zip(kept.items, kept.coders, codes, map(int, kept.lines), strict=True):
        document, _ = kept.places.get(item, (None, None))
        yield Entry(parsed.values[code], Source(kept.path, line), item, document, coder)


PLUGINS = {"labels": Labels(), "triples": Triples(), "ticks": Ticks()}

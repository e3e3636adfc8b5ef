"""Read and write tables of ticks: one row per item, tag and coder, with 1 if the tag was given, else 0."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from arbitree.errors import FormatError, Source, shorten
from arbitree.formats.format import Format
from arbitree.formats.label_rows import gather
from arbitree.formats.labels import entries_of
from arbitree.kinds.labels.value import Tags
from arbitree.reading.columns import CODER, ITEM, LABEL, place_of
from arbitree.reading.content import Content, Entry, Records
from arbitree.reading.inputs import Input
from arbitree.reading.tables import head_rows, read_table, separator
from arbitree.study.study import Study

TAG = ("tag", "sense", "sensekey", "candidate", "option")
YES = ("1", "yes", "true", "y", "x")
NO = ("0", "no", "false", "n", "")
SENSE_KEY = re.compile(r"[^-\s]+-\S+%[1-5]:\d\d:\d\d:\S*:\d*")


@dataclass(frozen=True, slots=True)
class Ticks(Format[Any]):
    """Sets of tags with one tick per row; the tag is a column, or follows the item: ``item-tag``."""

    about: ClassVar[str] = "sets of tags: rows of item, tag, coder, and 1 or 0 (.ticks)"
    value_type: ClassVar[type[Any]] = Tags
    suffixes: ClassVar[tuple[str, ...]] = (".ticks",)
    unit: ClassVar[str] = "label"
    tabular: ClassVar[bool] = True

    def sniff(self, content: Content) -> float:
        """Return a high confidence if labels are ticks and tags are in a column or follow the items."""
        sign = separator(content.head)
        rows = [] if sign is None else head_rows(content.head.rpartition("\n")[0] + "\n", sign)
        if len(rows) < 2:
            return 0.0
        try:
            places = _Places.of(rows[0])
        except FormatError:
            return 0.0
        full = [row for row in rows[1:] if len(row) == len(rows[0])]
        if not full or not all(row[places.label].strip().lower() in YES + NO for row in full):
            return 0.0
        behind = all(SENSE_KEY.fullmatch(row[places.item].strip()) for row in full)
        return 1.0 if places.tag is not None or behind else 0.0

    def records(self, content: Content) -> Records:
        """Return the set of ticked tags for each item and annotator."""
        table = read_table(content)
        if table.header is None:
            table = table.headed()
        header = table.header or []
        places = _Places.of(header, Source(content.path, 1))
        ticked: dict[tuple[str, str | None], dict[str, int]] = {}
        lines: dict[tuple[str, str | None], int] = {}
        for row, line in zip(table.rows, table.lines, strict=True):
            source = Source(content.path, line)
            if len(row) != len(header):
                what = f"expected {len(header)} cells, found {len(row)}"
                raise FormatError(what, source, hint="Every row needs as many cells as the first")
            item, tag, coder = places.names(row, source)
            found = ticked.setdefault((item, coder), {})
            lines.setdefault((item, coder), line)
            if tag in found:
                who = f" for {coder}" if coder else ""
                what = f"2 rows{who} with item {shorten(item)} and tag {shorten(tag)}"
                raise FormatError(what, source, hint="Remove one of them")
            found[tag] = _tick(row[places.label], source)
        records = Records(content.path, layout=places.layout(header))
        for (item, coder), found in ticked.items():
            records.add(item, coder, [tag for tag, tick in found.items() if tick], lines[item, coder])
        return records

    def gather(self, files: Sequence[tuple[Input, Records]]) -> Study[Any]:
        """Return the study of all *files*; items are matched by id."""
        return gather(files)

    def read(self, content: Content) -> Iterator[Entry[Any]]:
        """Yield the tag sets of *content*, each with its annotator."""
        yield from entries_of(self.records(content))

    def write(self, entries: Iterable[Entry[Any]]) -> Iterator[str]:
        """Yield one row per annotator of an item and per tag that any annotator gave it."""
        found = list(entries)
        tags: dict[str | None, dict[str, None]] = {}
        for entry in found:
            tags.setdefault(entry.id, {}).update(dict.fromkeys(sorted(entry.value.tags)))
        yield "item\ttag\tcoder\tlabel\n"
        for entry in found:
            for tag in tags[entry.id]:
                cells = (entry.id or "", tag, entry.coder or "", str(int(tag in entry.value.tags)))
                yield "\t".join(" ".join(cell.split()) for cell in cells) + "\n"


@dataclass(frozen=True, slots=True)
class _Places:
    """The indices of the columns."""

    item: int
    label: int
    coder: int | None
    tag: int | None

    @classmethod
    def of(cls, header: list[str], source: Source | None = None) -> _Places:
        """Find the columns by their names."""
        item, coder, tag = (place_of(header, names) for names in (ITEM, CODER, TAG))
        label = place_of(header, tuple(name for name in LABEL if name not in TAG))
        if item is None or label is None:
            hint = "Name the columns item, tag, coder and label"
            raise FormatError("the header has no item column or no label column", source, hint=hint)
        return cls(item, label, coder, tag)

    def layout(self, header: list[str]) -> str:
        """Return a description of the columns."""
        names = {"item": self.item, "tag": self.tag, "annotator": self.coder, "tick": self.label}
        found = [f"{role} = {header[place].strip()}" for role, place in names.items() if place is not None]
        return f"ticks: {', '.join(found)}"

    def names(self, row: list[Any], source: Source) -> tuple[str, str, str | None]:
        """Return item, tag and coder of *row*."""
        item = str(row[self.item]).strip()
        if self.tag is None:
            item, _, tag = item.partition("-")
        else:
            tag = str(row[self.tag]).strip()
        coder = None if self.coder is None else str(row[self.coder]).strip()
        if not item or not tag or coder == "":
            hint = "Fill in all of them; write the tag in a column tag, or after the item as item-tag"
            raise FormatError("the row has no item, no tag or no annotator", source, hint=hint)
        return item, tag, coder


def _tick(cell: Any, source: Source) -> bool:
    text = "" if cell is None else str(cell).strip().lower()
    if text not in YES + NO:
        raise FormatError(f"{shorten(str(cell))} is not a tick", source, hint="Write 1 for yes, 0 for no")
    return text in YES


PLUGINS = {"ticks": Ticks()}

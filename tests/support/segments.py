"""A small kind of annotation that another package could add: texts cut into segments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

from arbitree.errors import FormatError, Source
from arbitree.formats.format import Format
from arbitree.kinds.kind import Kind
from arbitree.measures.pair_mean import PairwiseMean
from arbitree.reading.content import Content, Entry
from arbitree.study.comparable import length_obstacle
from arbitree.study.result import Ignored
from arbitree.study.study import Annotation

BOUNDARY = "|"


@dataclass(frozen=True, slots=True)
class Segments:
    """Tokens, and the places at which a segment ends: after the first token is 1."""

    kind: ClassVar[str] = "segments"
    plural: ClassVar[str] = "segmented texts"
    unit: ClassVar[str] = "text"

    tokens: tuple[str, ...]
    boundaries: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.tokens)

    def __str__(self) -> str:
        ends = (0, *self.boundaries, len(self.tokens))
        parts = (" ".join(self.tokens[a:b]) for a, b in pairwise(ends))
        return f" {BOUNDARY} ".join(parts)


@dataclass(frozen=True, slots=True)
class SegmentLines(Format[Segments]):
    """A line for each text: its id, a tab, and its tokens with bars between the segments."""

    about: ClassVar[str] = "texts in segments, one per line (.seg)"
    value_type: ClassVar[type[Any]] = Segments
    suffixes: ClassVar[tuple[str, ...]] = (".seg",)

    def sniff(self, content: Content) -> float:
        """Certain by the ending of the file."""
        return 1.0 if content.path.endswith(self.suffixes) else 0.0

    def read(self, content: Content) -> Iterator[Entry[Segments]]:
        """Yield the texts."""
        for number, line in enumerate(content.lines, start=1):
            name, tab, text = line.partition("\t")
            if not line:
                continue
            if not tab:
                raise FormatError("the line has no tab", Source(content.path, number))
            tokens: list[str] = []
            ends = []
            for part in text.split(BOUNDARY):
                tokens += part.split()
                ends.append(len(tokens))
            yield Entry(Segments(tuple(tokens), tuple(ends[:-1])), Source(content.path, number), name)

    def write(self, entries: Iterable[Entry[Segments]]) -> Iterator[str]:
        """Yield a line for each text."""
        for entry in entries:
            yield f"{entry.id}\t{entry.value}\n"


@dataclass(frozen=True, slots=True)
class SameBoundaries:
    """Compares two segmentations by the gaps between tokens at which both or neither have a boundary."""

    about: ClassVar[Mapping[str, str]] = {"boundary_agreement": "share of gaps treated alike"}

    def __call__(self, first: Segments, second: Segments) -> tuple[float, ...]:
        """Return the share of the gaps."""
        gaps = len(first) - 1
        return (1 - len({*first.boundaries} ^ {*second.boundaries}) / gaps if gaps else 1.0,)

    def obstacle(self, cells: list[Annotation[Any]]) -> Ignored | None:
        """Return an obstacle if the texts differ in length."""
        return length_obstacle(cells)


class SegmentsKind(Kind[Segments]):
    """Texts in segments."""

    name: ClassVar[str] = "segments"
    noun: ClassVar[str] = "segments"
    values: ClassVar[tuple[type[Any], ...]] = (Segments,)
    writers: ClassVar[tuple[str, ...]] = ("segments",)
    leading: ClassVar[tuple[str, ...]] = ("boundary_agreement",)


KIND = SegmentsKind()


class Formats:
    """What the entry point of the formats names."""

    PLUGINS: ClassVar[dict[str, Any]] = {"segments": SegmentLines()}


class Measures:
    """What the entry point of the measures names."""

    PLUGINS: ClassVar[dict[str, Any]] = {
        "boundary_agreement": PairwiseMean(SameBoundaries(), "boundary_agreement", (Segments,))
    }

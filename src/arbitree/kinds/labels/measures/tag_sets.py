"""Common options of measures over a hierarchy of tags: the hierarchy, and the distribution over leaves."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from arbitree.errors import StudyError, UnknownName, UnsupportedStudy, shorten
from arbitree.kinds.labels.hierarchy.downward import SENSES, WAYS, Downward
from arbitree.kinds.labels.hierarchy.estimation import Counts, estimate_shares, read_counts
from arbitree.kinds.labels.hierarchy.files import read_hierarchy
from arbitree.kinds.labels.hierarchy.hierarchy import Hierarchy, Inventory
from arbitree.kinds.labels.value import ratings
from arbitree.plugins import check_name
from arbitree.reading.side_files import signed_name
from arbitree.study.flat_tree import IntArray
from arbitree.study.grid import MISSING
from arbitree.study.study import Study


@dataclass(frozen=True, slots=True)
class CountTable:
    """The frequency of each tag in a corpus."""

    rows: Counts
    name: str = "table"

    @classmethod
    def read(cls, path: str) -> CountTable:
        """Read the table in the file at *path*."""
        return cls(read_counts(path), path)

    def __str__(self) -> str:
        return signed_name(self.name, sorted(self.rows))


def read_smoothing(text: str) -> float | None:
    """Return λ; None for ``no``.

    Example:
        >>> read_smoothing("0.5"), read_smoothing("no")
        (0.5, None)
    """
    if text == "no":
        return None
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not 0 <= found < math.inf:
        hint = "Write estimate=no, or a number to add to each count, such as estimate=0.5"
        raise UnknownName(f"invalid value {text!r} of the option estimate", hint=hint)
    return found


def codes_given(study: Study[Any]) -> tuple[IntArray, tuple[Any, ...]]:
    """Return the annotations of *study* as indices into the values (-1 for no tag), and the values."""
    found = ratings(study)
    full = np.array([*(len(value) > 0 for value in found.values), False])  # the last is for missing ones
    return np.where(full[found.codes], found.codes, MISSING).astype(np.int32), found.values


def tags_given(codes: IntArray, values: tuple[Any, ...]) -> dict[str, float]:
    """Return the frequency of each tag, weighted as in the annotations.

    Args:
        codes: (items, coders) Indices into *values*, negative for missing annotations.
        values: The distinct annotations.
    """
    counts = np.bincount(codes[codes >= 0], minlength=len(values))
    found: dict[str, float] = {}
    for value, count in zip(values, counts.tolist(), strict=True):
        for tag, weight in value.weights if count else ():
            found[tag] = found.get(tag, 0.0) + count * weight
    return found


@dataclass(frozen=True, slots=True)
class HierarchyOptions:
    """Options for the hierarchy and for the distribution of a tag over its leaves.

    Args:
        hierarchy: The hierarchy; on the command line, a file or directory.
        downward: ``walk`` or ``uniform_leaves``.
        senses: ``leaves``, or ``inner`` if inner tags are senses themselves and have a leaf ``X.*``.
        estimate: λ for downward probabilities estimated from counts; None for uniform probabilities.
        counts: The counts; by default those of the tags in the study.
    """

    hierarchy: Inventory | None = field(default=None, metadata={"parse": read_hierarchy})
    downward: str = WAYS[0]
    senses: str = SENSES[0]
    estimate: float | None = field(default=None, metadata={"parse": read_smoothing})
    counts: CountTable | None = field(default=None, metadata={"parse": CountTable.read})

    def __post_init__(self) -> None:
        check_name(self.downward, WAYS, "downward value")
        check_name(self.senses, SENSES, "senses value")
        if self.counts is not None and self.estimate is None:
            object.__setattr__(self, "estimate", 1.0)

    def check(self, name: str) -> None:
        """Raise UnsupportedStudy if the measure called *name* has no hierarchy."""
        if self.hierarchy is None:
            hint = f"Set {name}:hierarchy=FILE (indented text, JSON, a table, a WordNet directory) or =flat"
            raise UnsupportedStudy(f"{name} needs a hierarchy of tags", hint=hint)

    def over(self, study: Study[Any], tagged: Mapping[str, float]) -> tuple[Downward, tuple[str, ...]]:
        """Return the leaf distributions of the tags of *study*, and warnings.

        Args:
            study: The study, for the annotator of an unknown tag in the error.
            tagged: The tags of the study and their frequencies.
        Raises:
            StudyError: if a tag is unknown.
        """
        self.check("this measure")
        assert self.hierarchy is not None
        hierarchy = self.hierarchy.over(tagged, whole=self.estimate is not None)
        unknown = [tag for tag in tagged if tag not in hierarchy.places]
        if unknown:
            raise self._unknown(study, unknown)
        if self.estimate is None:
            return Downward(hierarchy, self.downward, self.senses), ()
        counts, notes = self._known_counts(hierarchy, tagged)
        shares = estimate_shares(hierarchy, counts, self.estimate, inner=self.senses == "inner")
        return Downward(hierarchy, self.downward, self.senses, shares), notes

    def _known_counts(
        self, hierarchy: Hierarchy, tagged: Mapping[str, float]
    ) -> tuple[Mapping[str, float], tuple[str, ...]]:
        if self.counts is None:
            return tagged, ()
        found: Counter[str] = Counter()
        unknown = 0
        for tag, count in self.counts.rows:
            if tag in hierarchy.places:
                found[tag] += count  # type: ignore[assignment]  # counts may be fractions
            else:
                unknown += 1
        if not found:
            hint = "Use the same names of tags in both files"
            raise StudyError(f"no tag of {self.counts.name} is in {self._named}", hint=hint)
        tags = "1 tag" if unknown == 1 else f"{unknown:,} tags"
        verb = "is" if unknown == 1 else "are"
        note = f"{tags} of {self.counts.name} {verb} ignored: not in the part of {self._named} that was read"
        return found, (note,) if unknown else ()

    @property
    def _named(self) -> str:
        """The hierarchy in messages."""
        return self.hierarchy.name if self.hierarchy else ""

    def _unknown(self, study: Study[Any], tags: Collection[str]) -> StudyError:
        cell = next((cell for cell in study.cells.values() if not cell.value.tags.isdisjoint(tags)), None)
        tag = next(tag for tag in tags if cell is None or tag in cell.value.tags)
        near = self.hierarchy.nearest(tag) if self.hierarchy else None
        more = f" (nor {len(tags) - 1:,} more tags of the study)" if len(tags) > 1 else ""
        who = f" that {cell.coder} gave to {shorten(cell.item.id)}" if cell else ""
        what = f"the tag {shorten(tag)}{who} is not in {self._named}{more}"
        hint = f"Did you mean {near!r}?" if near else "Add it to the hierarchy, or use another hierarchy"
        return StudyError(what, cell.source if cell else None, hint=hint)

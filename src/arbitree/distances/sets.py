"""Dissimilarity of sets of tags: MASI and Jaccard. α takes both as they are, not squared.

Reference:
    Passonneau (2006). Measuring agreement on set-valued items (MASI) for semantic and pragmatic annotation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from arbitree.data.labels import Label, Tags
from arbitree.distances.labels import FloatArray, Matrix, Scale


@dataclass(frozen=True, slots=True)
class SetDistance:
    """Distance of sets of tags.

    Formula:
        jaccard: 1 - J, J = |A ∩ B| / |A ∪ B|
        masi:    1 - J M, M = 1 for equal sets, 2/3 where one holds the other, 1/3 for other overlap, else 0
        Two empty sets are equal; an empty set is at 1 from every other.
    Example:
        >>> masi = SetDistance(monotonic=True)
        >>> round(masi(Tags.of("abc"), Tags.of("ab")), 4), masi(Tags.of("ab"), Tags.of("cd"))
        (0.5556, 1.0)
    """

    kinds: ClassVar[tuple[type, ...]] = (Label, Tags)
    adaptive: ClassVar[bool] = False

    monotonic: bool = field(metadata={"fixed": True})  # MASI, which asks how sets contain each other

    @property
    def about(self) -> str:
        """What it is, in a line."""
        return f"{'MASI' if self.monotonic else 'Jaccard'} distance of sets of tags"

    @property
    def references(self) -> tuple[str, ...]:
        """The papers that define it."""
        return ("passonneau2006",) if self.monotonic else ()

    def __call__(self, first: Label | Tags, second: Label | Tags) -> float:
        """Return the distance of two annotations."""
        return float(self.table([first, second])[0, 1])

    def suits(self, values: Sequence[Any]) -> bool:
        """Fits where a value has not just one tag: else it says what the nominal one does."""
        return any(len(value.tags) != 1 for value in values)

    def scale(self, values: Sequence[Any], totals: FloatArray | None = None) -> Scale:
        """Return the table of all pairs of sets."""
        return Matrix(self.table(values))

    def table(self, values: Sequence[Any]) -> FloatArray:
        """Return the distances of all pairs of *values*."""
        sets = [value.tags for value in values]
        places = {tag: place for place, tag in enumerate(sorted(frozenset().union(*sets)))}
        held = np.zeros((len(sets), len(places)))
        for row, tags in enumerate(sets):
            held[row, [places[tag] for tag in tags]] = 1
        sizes, shared = held.sum(axis=1), held @ held.T
        union = np.add.outer(sizes, sizes) - shared
        similarity = np.where(union == 0, 1.0, shared / np.maximum(union, 1))
        if self.monotonic:
            smaller = np.minimum.outer(sizes, sizes)
            factor = np.where(shared == union, 1, np.where(shared == smaller, 2 / 3, 1 / 3))
            similarity = similarity * factor
        distances: FloatArray = 1 - similarity
        return distances


PLUGINS = {"masi": SetDistance(monotonic=True), "jaccard": SetDistance(monotonic=False)}

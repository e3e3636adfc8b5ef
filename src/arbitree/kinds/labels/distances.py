"""Dissimilarities of labels, numbers and sets of tags, for Krippendorff's α and weighted κ.

A study has few distinct values, so sums are computed from counts of values. A scale returns the
dissimilarity of any two values of one study, and its sum over all pairs of two bags of values. If possible,
it does so without a table of all pairs.

Reference:
    Krippendorff (2004), section 11.3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from arbitree.distances.ted import CostRows, CostTable
from arbitree.errors import UnsupportedStudy, shorten
from arbitree.kinds.labels.value import Label, Tags, spelled_like
from arbitree.plugins import check_name

FloatArray = NDArray[np.float64]
Codes = NDArray[np.integer[Any]] | int


class Scale(Protocol):
    """Dissimilarities of the values of one study."""

    def pairs(self, first: FloatArray, second: FloatArray) -> FloatArray:
        """Return Σ x_a y_b δ(a, b) for counts x and y of values: (..., values) -> (...)."""
        ...

    def between(self, first: Codes, second: Codes) -> FloatArray:
        """Return the dissimilarity of values given by index, element by element."""
        ...


@dataclass(frozen=True, slots=True)
class Equality:
    """Dissimilarity 0 for equal values, 1 for others."""

    def pairs(self, first: FloatArray, second: FloatArray) -> FloatArray:
        """Return the number of unequal pairs."""
        same: FloatArray = np.einsum("...k,...k->...", first, second)
        return total(first) * total(second) - same

    def between(self, first: Codes, second: Codes) -> FloatArray:
        """Return 0 for equal values, 1 for others."""
        return np.not_equal(first, second).astype(np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """The squared difference of numbers."""

    places: FloatArray  # (values,)

    def pairs(self, first: FloatArray, second: FloatArray) -> FloatArray:
        """Return the sum of squared differences, computed from sums and sums of squares."""
        squares, other_squares = (part @ self.places**2 for part in (first, second))
        found: FloatArray = squares * total(second) + total(first) * other_squares
        return found - 2 * (first @ self.places) * (second @ self.places)

    def between(self, first: Codes, second: Codes) -> FloatArray:
        """Return the squared differences."""
        found: FloatArray = (self.places[first] - self.places[second]) ** 2
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Matrix:
    """A table of all pairs."""

    table: FloatArray  # (values, values), symmetric, 0 on the diagonal

    def pairs(self, first: FloatArray, second: FloatArray) -> FloatArray:
        """Return the sum over the table."""
        found: FloatArray = np.einsum("...k,...k->...", first @ self.table, second)
        return found

    def between(self, first: Codes, second: Codes) -> FloatArray:
        """Return the entries of the table."""
        found: FloatArray = self.table[first, second]
        return found


@dataclass(frozen=True, slots=True)
class Nominal:
    """Nominal scale: 0 for equal labels or sets of tags, 1 for different ones."""

    kinds: ClassVar[tuple[type, ...]] = (Label, Tags)
    references: ClassVar[tuple[str, ...]] = ()
    about: ClassVar[str] = "0 for equal labels, 1 for different labels"
    adaptive: ClassVar[bool] = False

    def suits(self, values: Sequence[Any]) -> bool:
        """Return True, because the scale suits all labels."""
        return True

    def scale(self, values: Sequence[Any], totals: FloatArray | None = None) -> Scale:
        """Return equality."""
        return Equality()


@dataclass(frozen=True, slots=True)
class IntervalScale:
    """Interval scale: squared difference of numbers."""

    kinds: ClassVar[tuple[type, ...]] = (Label,)
    references: ClassVar[tuple[str, ...]] = ()
    about: ClassVar[str] = "squared difference of numbers"
    adaptive: ClassVar[bool] = False

    def suits(self, values: Sequence[Any]) -> bool:
        """Fits more than two numbers."""
        return are_numbers(values)

    def scale(self, values: Sequence[Any], totals: FloatArray | None = None) -> Scale:
        """Return the numbers minus their mean, which keeps their squares small."""
        found = numbers(values, "alpha_interval")
        return Points(found - found.mean())


@dataclass(frozen=True, slots=True)
class RatioScale:
    """Ratio scale: ((a - b) / (a + b))², 0 for two zeros."""

    kinds: ClassVar[tuple[type, ...]] = (Label,)
    references: ClassVar[tuple[str, ...]] = ()
    about: ClassVar[str] = "squared difference of numbers over their sum"
    adaptive: ClassVar[bool] = False

    def suits(self, values: Sequence[Any]) -> bool:
        """Return whether the values are more than two numbers, none of them negative."""
        return are_numbers(values) and all(value.number >= 0 for value in values)

    def scale(self, values: Sequence[Any], totals: FloatArray | None = None) -> Scale:
        """Return the table of all pairs of numbers."""
        found = numbers(values, "alpha_ratio")
        if (found < 0).any():
            worst = values[int(np.argmin(found))]
            raise UnsupportedStudy(
                f"alpha_ratio needs numbers of 0 or more, but {shorten(str(worst))} occurs",
                hint="Use alpha_interval for numbers without a natural zero",
            )
        sums = np.add.outer(found, found)
        return Matrix((np.subtract.outer(found, found) / np.where(sums == 0, 1, sums)) ** 2)


@dataclass(frozen=True, slots=True)
class Ordinal:
    """Ordinal scale: the squared number of labels between two ranks.

    The dissimilarity depends on the frequencies of the labels: it is the squared difference of their mean
    ranks in the sorted sequence of all labels.

    Args:
        order: labels from low to high, separated by slashes; numbers need none.
    """

    kinds: ClassVar[tuple[type, ...]] = (Label,)
    references: ClassVar[tuple[str, ...]] = ()
    about: ClassVar[str] = "squared difference of ranks"
    adaptive: ClassVar[bool] = True  # it depends on the counts of a resample

    order: str = ""

    def suits(self, values: Sequence[Any]) -> bool:
        """Return whether the values are more than two numbers, or an order is given."""
        return are_numbers(values)

    def scale(self, values: Sequence[Any], totals: FloatArray | None = None) -> Scale:
        """Return the mean ranks of the labels among all labels, given their counts *totals*."""
        sorting = np.argsort(ordered(values, self.order, "alpha_ordinal"))
        counts = np.ones(len(values)) if totals is None else totals
        middles = np.empty(len(values))
        middles[sorting] = counts[sorting].cumsum() - counts[sorting] / 2
        return Points(middles - counts.sum() / 2)


@dataclass(frozen=True, slots=True)
class CostedLabels:
    """Dissimilarities from a table with lines label<TAB>label<TAB>dissimilarity; 1 for other pairs.

    Args:
        distance: the file with the table.
    """

    kinds: ClassVar[tuple[type, ...]] = (Label, Tags)
    references: ClassVar[tuple[str, ...]] = ()
    about: ClassVar[str] = "dissimilarities from your own table"
    adaptive: ClassVar[bool] = False

    distance: CostTable | None = field(default=None, metadata={"parse": CostTable.read})

    def suits(self, values: Sequence[Any]) -> bool:
        """Return whether a table is given."""
        return False

    def scale(self, values: Sequence[Any], totals: FloatArray | None = None) -> Scale:
        """Return the table."""
        if self.distance is None:
            raise UnsupportedStudy(
                "alpha_table needs a table of dissimilarities", hint="Set it with alpha_table:distance=FILE"
            )
        return Matrix(table_of(values, self.distance.rows))


def total(counts: FloatArray) -> FloatArray:
    """Return the sums over the last axis; for short rows, a product is faster than a sum."""
    found: FloatArray = counts @ np.ones(counts.shape[-1])
    return found


def table_of(values: Sequence[Any], rows: CostRows) -> FloatArray:
    """Return the dissimilarities of all pairs of *values* in *rows*; 1 for other pairs."""
    table: FloatArray = 1 - np.eye(len(values))
    places = {str(value): place for place, value in enumerate(values)}
    for first, second, cost in rows:
        if first in places and second in places and first != second:
            table[places[first], places[second]] = table[places[second], places[first]] = cost
    return table


def are_numbers(values: Sequence[Any]) -> bool:
    """Return whether *values* are three or more numbers; two numbers are equivalent to names."""
    return len(values) > 2 and all(value.number is not None for value in values)


def numbers(values: Sequence[Any], measure: str) -> FloatArray:
    """Return *values* as numbers; *measure* is the name for the error message."""
    for value in values:
        if value.number is None:
            what = f"{measure} needs numbers, but {shorten(str(value))} is not a number"
            raise UnsupportedStudy(what, hint="Use alpha_nominal for labels without numbers")
    return np.array([value.number for value in values], dtype=np.float64)


def ordered(values: Sequence[Any], order: str, measure: str) -> FloatArray:
    """Return numbers that rank *values*: their own values, or their positions in *order*."""
    if not order:
        for value in values:
            if value.number is None:
                what = f"{measure} needs ordered labels, but {shorten(str(value))} is not a number"
                example = "/".join(str(each) for each in values[:3])
                raise UnsupportedStudy(what, hint=f"Set the order, lowest first: {measure}:order={example}")
        return numbers(values, measure)
    known = spelled_like(order.split("/"), values)
    for value in values:
        check_name(str(value), known, f"{measure} category")
    return np.array([known.index(str(value)) for value in values], dtype=np.float64)


@dataclass(frozen=True, slots=True)
class SetDistance:
    """Distance of sets of tags.

    Formula:
        jaccard: 1 - J, J = |A ∩ B| / |A ∪ B|
        masi:    1 - J M, M = 1 for equal sets, 2/3 if one contains the other, 1/3 for other overlap, else 0
        Two empty sets are equal; the distance of an empty set to every other set is 1.
    Example:
        >>> masi = SetDistance(monotonic=True)
        >>> round(masi(Tags.of("abc"), Tags.of("ab")), 4), masi(Tags.of("ab"), Tags.of("cd"))
        (0.5556, 1.0)
    """

    kinds: ClassVar[tuple[type, ...]] = (Label, Tags)
    adaptive: ClassVar[bool] = False

    monotonic: bool = field(metadata={"fixed": True})  # MASI, which also considers inclusion

    @property
    def about(self) -> str:
        """One-line description."""
        return f"{'MASI' if self.monotonic else 'Jaccard'} distance of sets of tags"

    @property
    def references(self) -> tuple[str, ...]:
        """Keys of the papers that define the distance."""
        return ("passonneau2006",) if self.monotonic else ()

    def __call__(self, first: Label | Tags, second: Label | Tags) -> float:
        """Return the distance of two annotations."""
        return float(self.table([first, second])[0, 1])

    def suits(self, values: Sequence[Any]) -> bool:
        """Return whether some value is not a single tag; otherwise the nominal scale is equivalent."""
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


PLUGINS = {
    "nominal": Nominal(),
    "ordinal": Ordinal(),
    "interval": IntervalScale(),
    "ratio": RatioScale(),
    "table": CostedLabels(),
} | {"masi": SetDistance(monotonic=True), "jaccard": SetDistance(monotonic=False)}

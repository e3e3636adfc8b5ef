"""Sums of distances between bags, such as bags of pq-grams.

Every element becomes a number, and the k-th occurrence of an element in a value becomes a column. A value is
then a row of zeros and ones, and the intersection of the bags of two values is the product of their rows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arbitree.measures.measure import FloatArray
from arbitree.measures.sums.distinct import Distinct
from arbitree.study.flat_tree import IntArray

BLOCK = 1 << 14  # pairs of values that are compared at once

LongArray = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Bags:
    """The bags of the different values of every cluster."""

    rows: Any  # (values, columns) sparse: a one for each element and occurrence
    turned: Any  # the same, turned over
    groups: LongArray  # (clusters + 1,) where each cluster's values begin
    counts: FloatArray  # (values,) annotations that are this value
    sizes: FloatArray  # (values,) elements
    clusters: tuple[str, ...]
    of_item: tuple[tuple[int, ...], ...]  # for every item, the value of each annotation
    power: int  # of the distances in the sums: 2 for squares

    @property
    def delta_count(self) -> int:
        """1, because there is one distance."""
        return 1

    def sums(self, rows: tuple[int, int]) -> FloatArray:
        """Return the sums between the clusters of *rows* and all clusters from its first."""
        start, end = self.groups[rows[0]], self.groups[rows[1]]
        shared = (self.rows[start:end] @ self.turned[:, start:]).toarray()
        squares = _distances(shared, self.sizes[start:end, None], self.sizes[start:]) ** self.power
        squares *= self.counts[start:]
        by_column = np.add.reduceat(squares, self.groups[rows[0] : -1] - start, axis=1)
        by_column *= self.counts[start:end, None]
        return np.add.reduceat(by_column, self.groups[rows[0] : rows[1]] - start, axis=0)[None]

    def part(self, found: Distinct[int]) -> Bags:
        """Return the bags of some annotations, whose values are numbers of values of these bags."""
        numbers = np.array(found.values, dtype=np.intp)
        rows = self.rows[numbers]
        return replace(
            self,
            rows=rows,
            turned=rows.T.tocsr(),
            groups=found.groups,
            counts=found.counts,
            sizes=self.sizes[numbers],
            clusters=found.clusters,
            of_item=found.of_item,
        )

    def squares(self, first: IntArray, second: IntArray) -> FloatArray:
        """Return the distances of pairs of values, to the power of the sums."""
        shared = np.empty(len(first), dtype=np.float32)
        for at in range(0, len(first), BLOCK):
            ours, theirs = first[at : at + BLOCK], second[at : at + BLOCK]
            shared[at : at + BLOCK] = self.rows[ours].multiply(self.rows[theirs]).sum(axis=1)
        return _distances(shared, self.sizes[first], self.sizes[second])[None] ** self.power


def bags_of(found: Distinct[Any], values: LongArray, elements: LongArray, power: int = 2) -> Bags:
    """Return the bags of different values.

    Args:
        found: The different values of every cluster.
        values, elements: The number of a value and of an element, for every element of every value.
        power: Of the distances in the sums.
    """
    places, columns = bag_columns(values, elements)
    shape = (len(found.values), int(columns.max(initial=-1)) + 1)
    rows = _zeros_and_ones(places, columns, shape)
    return Bags(
        rows=rows,
        turned=rows.T.tocsr(),
        groups=found.groups,
        counts=found.counts,
        sizes=np.bincount(places, minlength=len(found.values)).astype(np.float64),
        clusters=found.clusters,
        of_item=found.of_item,
        power=power,
    )


def bag_columns(values: LongArray, numbers: LongArray) -> tuple[LongArray, LongArray]:
    """Return the values, and for each element the column of its k-th occurrence in its value."""
    order = np.lexsort((numbers, values))
    values, numbers = values[order], numbers[order]
    new = np.append(True, (values[1:] != values[:-1]) | (numbers[1:] != numbers[:-1]))[: len(values)]
    begin = np.maximum.accumulate(np.where(new, np.arange(len(values)), 0))
    return values, paired(numbers, np.arange(len(values)) - begin)


def paired(first: LongArray, second: LongArray) -> LongArray:
    """Return a number for every pair of numbers; equal pairs get equal numbers."""
    keys = first * (second.max(initial=0) + 1) + second
    return np.unique(keys, return_inverse=True)[1]


def _zeros_and_ones(rows: LongArray, columns: LongArray, shape: tuple[int, int]) -> Any:
    from scipy.sparse import csr_array

    # Products are whole numbers far below 2^24, which is where these would cease to be exact.
    return csr_array((np.ones(len(rows), dtype=np.float32), (rows, columns)), shape=shape)


def _distances(shared: NDArray[np.float32], first: FloatArray, second: FloatArray) -> FloatArray:
    found: FloatArray = 1 - 2 * shared / (first + second)
    return found

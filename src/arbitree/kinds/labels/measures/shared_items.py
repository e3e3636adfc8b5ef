"""Pairs of annotators: which of them share items, how many, and with which labels."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arbitree.kinds.labels.distances import Scale
from arbitree.kinds.labels.measures.ratings import BLOCK, LabelCounts, counted, weighted
from arbitree.measures.measure import FloatArray
from arbitree.study.flat_tree import IntArray
from arbitree.wording import count_of

ENOUGH = 20  # items that two annotators should share: with fewer, the mean over pairs is too low
NAMED = 5  # pairs of annotators that a note names


@dataclass(frozen=True, slots=True, eq=False)
class Sharing:
    """The pairs of annotators that share items, and how many each pair shares.

    A pair shares too little if it shares fewer than 20 items and less than half of all items that have two
    labels. In ``benchmarks/sparse_pairs.py``, the mean κ of pairs that share 20 items is too low by at most
    0.03 (0.07 if 90% of the labels are equal), at 5 by 0.02 to 0.12, and at 2 items by 0.08 to 0.19; π by up
    to four times as much.
    """

    first: NDArray[np.intp]  # (pairs,)
    second: NDArray[np.intp]
    counts: NDArray[np.int64]  # (pairs,) items that both labelled, at least 1
    least: float  # items that a pair should share

    @property
    def scarce(self) -> NDArray[np.intp]:
        """The pairs that share too little; none if there is only one pair."""
        return (
            np.flatnonzero(self.counts < self.least) if len(self.counts) > 1 else np.empty(0, dtype=np.intp)
        )

    @property
    def sparse(self) -> bool:
        """Whether most pairs share too little."""
        return 2 * len(self.scarce) > len(self.counts)

    def told(self, coders: Sequence[str]) -> str:
        """Return the number of pairs that share too little, and the names of those that share least."""
        scarce = self.scarce
        if not len(scarce):
            return ""
        first = scarce[np.argsort(self.counts[scarce], kind="stable")][:NAMED]
        named = [
            f"{coders[self.first[p]]} - {coders[self.second[p]]}: {self.counts[p]}" for p in first.tolist()
        ]
        more = f" and {len(scarce) - NAMED:,} more" if len(scarce) > NAMED else ""
        return (
            f"{len(scarce):,} of {count_of(len(self.counts), 'pair')} of annotators share fewer than "
            f"{math.ceil(self.least)} items ({', '.join(named)}{more})"
        )


def sharing(codes: IntArray) -> Sharing:
    """Return how many items each pair of annotators shares.

    Args:
        codes: (items, coders), negative for missing labels.
    """
    said = codes >= 0
    items, coders = said.shape
    if said.all():
        counts = np.full((coders, coders), items, dtype=np.int64)
    elif is_crowd(said.sum(axis=1), coders):
        from scipy.sparse import csr_array

        found = csr_array(said, dtype=np.int64)
        counts = np.asarray((found.T @ found).toarray())
    else:
        present = said.astype(np.float32)  # exact up to 16,777,216 items
        counts = (present.T @ present).astype(np.int64)
    first, second = np.nonzero(np.triu(counts, 1))
    labelled = int(np.count_nonzero(said.sum(axis=1) > 1))
    return Sharing(first, second, counts[first, second], min(ENOUGH, labelled / 2))


def count_label_pairs(given: NDArray[np.integer[Any]]) -> int:
    """Return the number of pairs of labels of one item, for items with *given* labels."""
    return int((given * (given - 1)).sum()) // 2


def is_crowd(given: NDArray[np.integer[Any]], coders: int) -> bool:
    """Return whether most pairs of annotators share few items or none, so that counting these is faster.

    Args:
        given: (items,) The number of labels.
        coders: The number of annotators.
    """
    return 8 * count_label_pairs(given) < int(given.sum()) * coders


@dataclass(frozen=True, slots=True, eq=False)
class SharedItems:
    """The items that two annotators both labelled, counted by pair of annotators and pair of labels.

    Counting takes one step for every two labels of an item. A table of all pairs of annotators is quadratic.
    """

    table: Any  # (clusters, kinds) the number of items of each kind: a pair of annotators and their labels
    pair: NDArray[np.intp]  # (kinds,) ascending
    left: NDArray[np.intp]  # (kinds,) label of the first annotator
    right: NDArray[np.intp]

    @classmethod
    def of(cls, stats: LabelCounts) -> SharedItems:
        """Return the shared items of the annotators of *stats*."""
        coders, size = stats.codes.shape[1], len(stats.values)
        keys, clusters = [], []
        for count in np.unique(stats.given[stats.pairable]).tolist():
            rows = np.flatnonzero(stats.given == count)
            who = np.nonzero(stats.codes[rows] >= 0)[1].reshape(len(rows), count)
            labels = stats.codes[rows[:, None], who].astype(np.int64)
            for one, other in combinations(range(count), 2):
                both = who[:, one] * coders + who[:, other]
                keys.append((both * size + labels[:, one]) * size + labels[:, other])
                clusters.append(stats.clusters[rows])
        if not keys:
            none = np.empty(0, dtype=np.intp)
            return cls(np.zeros((stats.cluster_count, 0)), none, none, none)
        kinds, kind = np.unique(np.concatenate(keys), return_inverse=True)
        _, pair = np.unique(kinds // size**2, return_inverse=True)
        where = np.concatenate(clusters)
        table = counted(np.ones(len(where)), where, kind, (stats.cluster_count, len(kinds)))
        return cls(table, pair, kinds // size % size, kinds % size)

    def agreements(
        self, weights: FloatArray, scale: Scale, size: int, pooled: bool
    ) -> Iterator[tuple[FloatArray, FloatArray]]:
        """Yield A_o and A_e of every pair of annotators that share items, for some rows of *weights*.

        Args:
            weights: (B, clusters).
            scale: The distances of labels.
            size: The number of labels.
            pooled: Whether chance agreement uses the labels of both annotators together.
        """
        kinds, pairs = len(self.pair), int(self.pair[-1]) + 1 if len(self.pair) else 0
        distances = scale.between(self.left, self.right)
        step = max(1, BLOCK // max(kinds, 1))
        for start in range(0, len(weights), step):
            for row in weighted(weights[start : start + step], self.table):
                shared, apart = (_sums(self.pair, each, pairs) for each in (row, row * distances))
                ours, theirs = (
                    _sums(self.pair * size + labels, row, pairs * size).reshape(pairs, size)
                    for labels in (self.left, self.right)
                )
                found = observed_and_expected(shared, apart, ours, theirs, scale, pooled)
                yield found[0][None], found[1][None]


def _sums(places: NDArray[np.intp], amounts: FloatArray, size: int) -> FloatArray:
    return np.bincount(places, amounts, size).astype(np.float64, copy=False)


def observed_and_expected(
    shared: FloatArray, apart: FloatArray, ours: FloatArray, theirs: FloatArray, scale: Scale, pooled: bool
) -> tuple[FloatArray, FloatArray]:
    """Return A_o and A_e of pairs of annotators; NaN where they share no items.

    Args:
        shared: (..., pairs) the number of items that both labelled.
        apart: (..., pairs) the sum of the distances of their labels.
        ours, theirs: (..., pairs, values) the frequency of the labels of either on these items.
        scale: The distances of labels.
        pooled: Whether chance agreement uses the labels of both together.
    """
    if pooled:
        ours = theirs = (ours + theirs) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        return 1 - apart / shared, 1 - scale.pairs(ours, theirs) / shared**2

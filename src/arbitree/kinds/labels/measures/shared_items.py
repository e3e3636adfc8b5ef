"""Pairs of annotators: which of them share items, how many, and with which labels."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arbitree.kinds.labels.distances import Scale
from arbitree.kinds.labels.measures.ratings import LabelCounts
from arbitree.measures.measure import FloatArray
from arbitree.study.flat_tree import IntArray
from arbitree.wording import count_of

ENOUGH = 20  # items that two annotators should share: with fewer, the mean over pairs is too low
NAMED = 5  # pairs of annotators that a note names
TOGETHER = 16  # resamples that are counted at once
PAIRS = 8192  # labels of pairs of annotators that are counted at once: few enough for a processor's memory

Finish = Callable[[FloatArray, FloatArray], tuple[FloatArray, ...]]


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

    table: Any  # (kinds, clusters) sparse: items of each kind, a pair of annotators and their labels
    pair: NDArray[np.intp]  # (kinds,) ascending
    left: NDArray[np.intp]  # (kinds,) label of the first annotator
    right: NDArray[np.intp]

    @classmethod
    def of(cls, stats: LabelCounts) -> SharedItems:
        """Return the shared items of the annotators of *stats*."""
        from scipy.sparse import csr_array

        coders, size = stats.codes.shape[1], len(stats.values)
        keys, clusters = [], []
        for count in np.unique(stats.given[stats.pairable]).tolist():
            rows = np.flatnonzero(stats.given == count)
            who = np.nonzero(stats.codes[rows] >= 0)[1].reshape(len(rows), count)
            labels = stats.codes[rows[:, None], who].astype(np.int64)
            for one, other in combinations(range(count), 2):
                both = who[:, one] * coders + who[:, other]
                keys.append((both * size + labels[:, one]) * size + labels[:, other])
                clusters.append(stats.clusters[rows].astype(np.int32))
        found, where = (np.concatenate(each or [np.empty(0, dtype=np.int64)]) for each in (keys, clusters))
        kinds, kind = np.unique(found, return_inverse=True)
        pair = np.concatenate([[0], np.diff(kinds // size**2) > 0]).cumsum()[: len(kinds)]
        shape = (len(kinds), stats.cluster_count)
        table = csr_array((np.ones(len(where)), (kind.astype(np.int32), where)), shape=shape)
        return cls(table, pair, kinds // size % size, kinds % size)

    def blocks(self, scale: Scale, size: int) -> list[PairBlock]:
        """Return the matrices of all pairs of annotators, some pairs in each block.

        Args:
            scale: The distances of labels.
            size: The number of labels.
        """
        pairs = int(self.pair[-1]) + 1 if len(self.pair) else 0
        step = max(1, PAIRS // size)
        return [
            self._block(slice(start, min(start + step, pairs)), scale, size)
            for start in range(0, pairs, step)
        ]

    def _block(self, pairs: slice, scale: Scale, size: int) -> PairBlock:
        from scipy.sparse import csr_array

        low, high = np.searchsorted(self.pair, (pairs.start, pairs.stop)).tolist()
        own, left, right = self.pair[low:high] - pairs.start, self.left[low:high], self.right[low:high]
        starts = self.table.indptr[low : high + 1]
        cells = slice(int(starts[0]), int(starts[-1]))
        entries = (self.table.data[cells], self.table.indices[cells], starts - starts[0])  # not copied

        def sums(amounts: FloatArray, rows: NDArray[np.intp], count: int) -> Any:
            return csr_array((amounts, (rows, np.arange(high - low))), shape=(count, high - low))

        ones, count = np.ones(high - low), pairs.stop - pairs.start
        return PairBlock(
            pairs,
            csr_array(entries, shape=(high - low, self.table.shape[1])),
            sums(ones, own, count),
            sums(scale.between(left, right), own, count),
            sums(ones, own * size + left, count * size),
            sums(ones, own * size + right, count * size),
        )


@dataclass(frozen=True, slots=True, eq=False)
class PairBlock:
    """Sparse matrices that count the shared items of some pairs of annotators."""

    pairs: slice
    kinds: Any  # (kinds, clusters) items of each kind
    shared: Any  # (pairs, kinds) items of each pair
    apart: Any  # (pairs, kinds) distances of the labels of each pair
    ours: Any  # (pairs x values, kinds) labels of the first annotator
    theirs: Any


def sparse_means(
    blocks: Sequence[PairBlock], weights: FloatArray, scale: Scale, pooled: bool, finish: Finish
) -> Iterator[FloatArray]:
    """Yield means over the pairs of annotators that share items, for some rows of *weights*: (values, rows).

    Args:
        blocks: The pairs.
        weights: (B, clusters).
        scale: The distances of labels.
        pooled: Whether chance agreement uses the labels of both annotators together.
        finish: Returns the values of each pair, from A_o and A_e.
    """
    if not blocks:
        none = np.empty((0, len(weights)))
        yield np.full((len(finish(none, none)), len(weights)), np.nan)
        return
    pairs = blocks[-1].pairs.stop
    for start in range(0, len(weights), TOGETHER):
        columns = np.ascontiguousarray(weights[start : start + TOGETHER].T)
        rows = columns.shape[1]
        kept: list[FloatArray] = []
        known: Any = 0
        for block in blocks:
            counts = block.kinds @ columns
            ours, theirs = (
                (labels @ counts).reshape(block.pairs.stop - block.pairs.start, -1, rows).swapaxes(1, 2)
                for labels in (block.ours, block.theirs)
            )
            shared, apart = block.shared @ counts, block.apart @ counts
            found = finish(*observed_and_expected(shared, apart, ours, theirs, scale, pooled))
            kept = kept or [np.empty((rows, pairs)) for _ in found]
            there = [~np.isnan(values) for values in found]
            for whole, values, defined in zip(kept, found, there, strict=True):
                whole[:, block.pairs] = np.where(defined, values, 0).T
            known = known + np.array([defined.sum(axis=0) for defined in there])
        with np.errstate(divide="ignore", invalid="ignore"):
            yield np.array([whole.sum(axis=1) for whole in kept]) / known


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

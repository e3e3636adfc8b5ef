"""Sums of squared distances within and between clusters, from which alpha is computed.

A source of distances provides the sums of blocks (stripes) of the upper triangle of clusters. One pass over
the pairs computes the sums of all its deltas, and the matrix of all pairs is never stored. Stripes are stored
if they fit into memory; otherwise they are computed again for every set of weights.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from arbitree.backends.base import Accelerator, Run
from arbitree.measures.measure import FloatArray, Prepared, Statistics
from arbitree.study.comparable import Pairable, cluster_positions, pairable
from arbitree.study.flat_tree import IntArray
from arbitree.study.result import Ignored
from arbitree.study.study import Annotation, Item, Study

if TYPE_CHECKING:
    from arbitree.measures.sums.sampled import Sampling

STRIPE = 128  # clusters per block: larger blocks multiply faster, smaller ones balance better
STORED_BYTES = 1 << 30  # beyond this the stripes are not kept: 9,000 sentences and three deltas
LAST = 8  # sums for single rows of weights that are kept

ALIGNMENT = 64  # bytes

Used = Sequence[tuple[Item, list[Annotation[Any]]]]


class DistanceSource(Protocol):
    """Distances between the values of clusters, for one or more deltas at once."""

    @property
    def delta_count(self) -> int:
        """The number of deltas."""
        ...

    @property
    def clusters(self) -> tuple[str, ...]:
        """The clusters in the order of the rows and columns of the sums."""
        ...

    @property
    def of_item(self) -> Sequence[tuple[int, ...]]:
        """The numbers of the values of every used item; equal values may share a number."""
        ...

    @property
    def groups(self) -> NDArray[np.int64]:
        """The start of each cluster's values among all values, and the end of the last."""
        ...

    @property
    def counts(self) -> FloatArray:
        """The number of annotations with each value."""
        ...

    def sums(self, rows: tuple[int, int]) -> FloatArray:
        """Return Σ δ² between the clusters of *rows* and all from its first: (deltas, rows, columns).

        Only entries above the diagonal count.
        """
        ...

    def squares(self, first: IntArray, second: IntArray) -> FloatArray:
        """Return δ² of pairs of values: (deltas, pairs)."""
        ...


@dataclass(frozen=True, slots=True)
class SampleError:
    """The error of a sum over a sample of cluster pairs."""

    pairs: int
    every: int  # pairs that there are
    deviation: float  # standard error of Σ S_ij over i < j


class Stripes(Protocol):
    """Sums between clusters for any weights: stored, streamed or sampled."""

    @property
    def streamed(self) -> bool:
        """Whether preparing a subset of the clusters again is faster than giving the others weight 0."""
        ...

    def between(self, weights: FloatArray, delta: int) -> FloatArray:
        """Return Σ w_i w_j S_ij over clusters i < j, for every row of *weights* (B, n)."""
        ...

    def without(self, weights: FloatArray, delta: int) -> FloatArray:
        """Return the part of each cluster i in Σ w_i w_j S_ij over i < j, for one row of zeros and ones (n,).

        The sum without cluster i is the sum of all less this part; for clusters without a weight, the part is
        that which they would have.
        """
        ...

    def error(self, delta: int) -> SampleError | None:
        """Return the error of the sums, or None if they are exact."""
        ...


@dataclass(frozen=True, slots=True)
class Stripe:
    """Sums between the clusters from ``start`` and all clusters that follow each of them."""

    start: int
    sums: FloatArray  # (deltas, rows, clusters - start); zero on and below the diagonal

    def between(self, weights: FloatArray, deltas: Sequence[int]) -> FloatArray:
        """Return this stripe's part of Σ w_i w_j S_ij over i < j: (deltas, B).

        The product sums over the columns first, so no large matrix is created.
        """
        rows = weights[:, self.start : self.start + self.sums.shape[1]]
        columns = weights[:, self.start :]
        active, others = (np.flatnonzero(part.any(axis=0)) for part in (rows, columns))
        some = len(active) < rows.shape[1] or len(others) < columns.shape[1]
        if some:
            rows, columns = rows[:, active], columns[:, others]
        total = np.empty((len(deltas), len(weights)))
        for place, delta in enumerate(deltas):
            sums = self.sums[delta][np.ix_(active, others)] if some else self.sums[delta]
            total[place] = np.einsum("bi,bi->b", columns @ sums.T, rows)
        return total

    def parts(self, weights: FloatArray, deltas: Sequence[int]) -> FloatArray:
        """Return this stripe's part of Σ_j w_j S_ij over j ≠ i for every cluster i: (deltas, n)."""
        end = self.start + self.sums.shape[1]
        found = np.zeros((len(deltas), len(weights)))
        for place, delta in enumerate(deltas):
            found[place, self.start :] = weights[self.start : end] @ self.sums[delta]
            found[place, self.start : end] += self.sums[delta] @ weights[self.start :]
        return found


@dataclass(frozen=True, slots=True)
class Stored:
    """Stripes that are stored."""

    streamed: ClassVar[bool] = False

    stripes: tuple[Stripe, ...]
    last: dict[tuple[bytes, int], FloatArray] = field(default_factory=dict)  # estimates are asked for again

    def between(self, weights: FloatArray, delta: int) -> FloatArray:
        """Return Σ w_i w_j S_ij over clusters i < j, for every row of *weights* (B, n)."""
        key = (digest(weights), delta) if len(weights) == 1 else None
        if key is not None and (known := self.last.get(key)) is not None:  # other threads may clear it
            return known
        total = np.zeros(len(weights))
        for stripe in self.stripes:
            total += stripe.between(weights, (delta,))[0]
        if key is not None:
            if len(self.last) >= LAST:
                self.last.clear()
            total.setflags(write=False)
            self.last[key] = total
        return total

    def without(self, weights: FloatArray, delta: int) -> FloatArray:
        """Return the part of each cluster in the sum, for one row of zeros and ones (n,)."""
        total = np.zeros(len(weights))
        for stripe in self.stripes:
            total += stripe.parts(weights, (delta,))[0]
        return total

    def error(self, delta: int) -> None:
        """Return None: the sums are exact."""


@dataclass(frozen=True, slots=True)
class Streamed:
    """Stripes that are computed, used for all deltas and freed."""

    streamed: ClassVar[bool] = True

    source: DistanceSource
    run: Run
    last: dict[bytes, FloatArray] = field(default_factory=dict)  # what the last pass found, by its weights
    parts: dict[bytes, FloatArray] = field(default_factory=dict)  # of clusters, if it had one row of weights

    def between(self, weights: FloatArray, delta: int) -> FloatArray:
        """Return Σ w_i w_j S_ij over clusters i < j; measures that share the weights share a pass."""
        key = digest(weights)
        if key not in self.last:
            deltas = range(self.source.delta_count)
            total = np.zeros((len(deltas), len(weights)))
            parts = np.zeros((len(deltas), weights.shape[1]))
            for stripe in _stripes(self.source, self.run):
                total += stripe.between(weights, deltas)
                if len(weights) == 1:
                    parts += stripe.parts(weights[0], deltas)
            if len(weights) == 1:
                self.parts.clear()
                self.parts[key] = parts
            self.last.clear()
            self.last[digest(weights[:1])] = total[:, :1]  # the estimate itself is asked for again
            self.last[key] = total
        found: FloatArray = self.last[key][delta]
        return found

    def without(self, weights: FloatArray, delta: int) -> FloatArray:
        """Return the part of each cluster in the sum, for one row of zeros and ones (n,)."""
        key = digest(weights[None])
        if key not in self.parts:
            self.last.clear()
            self.between(weights[None], delta)
        found: FloatArray = self.parts[key][delta]
        return found

    def error(self, delta: int) -> None:
        """Return None: the sums are exact."""


@dataclass(frozen=True, slots=True)
class Parts:
    """Statistics of every cluster that do not depend on other clusters."""

    sizes: FloatArray  # (n,) annotations
    observed: FloatArray  # (deltas, n)
    within: FloatArray  # (deltas, n)

    def disagreements(self, between: float, delta: int) -> tuple[float, float, float]:
        """Return D_o, D_e and the number of ordered pairs, given Σ S_ij over clusters i < j."""
        n = float(self.sizes.sum())
        pairs = n * (n - 1)
        total = 2 * between + float(self.within[delta].sum())
        return float(self.observed[delta].sum()) / n, total / pairs, pairs


@dataclass(frozen=True, slots=True, kw_only=True)
class PairSums(Prepared):
    """The sums for alpha, per cluster with at least one item of two annotations (*columns*)."""

    sizes: FloatArray  # (n,) annotations
    observed: FloatArray  # (deltas, n) sum over items of their ordered pairs' δ² / (annotations - 1)
    within: FloatArray  # (deltas, n) δ² over all ordered pairs inside the cluster
    stripes: Stripes
    annotations: tuple[int, ...]  # of every used item
    per_item: FloatArray  # (deltas, used items) as observed

    @property
    def streamed(self) -> bool:
        """Whether preparing a subset of the clusters again is faster than giving the others weight 0."""
        return self.stripes.streamed

    def between(self, weights: FloatArray, delta: int) -> FloatArray:
        """Return Σ w_i w_j S_ij over clusters i < j, for every row of *weights* (B, n)."""
        return self.stripes.between(weights, delta)

    def between_without(self, weights: FloatArray, delta: int) -> tuple[float, FloatArray]:
        """Return Σ w_i w_j S_ij over i < j, and the part of each cluster, for one row of weights (n,)."""
        row = aligned(1, len(weights))
        row[0] = weights
        return float(self.between(row, delta)[0]), self.stripes.without(row[0], delta)

    def error(self, delta: int) -> SampleError | None:
        """Return the error of the sum between clusters, or None if it is exact."""
        return self.stripes.error(delta)


class PairStatistics(Statistics[PairSums]):
    """Recipe for the sums over distances that one pass over the pairs computes."""

    __slots__ = ()

    deltas: ClassVar[int]  # how many distances there are
    unlocked: ClassVar[bool] = False  # whether the kernel releases the GIL


def pair_sums(
    study: Study[Any],
    used: Used,
    ignored: Sequence[Ignored],
    source: DistanceSource,
    sampling: Sampling,
    run: Run,
) -> PairSums:
    """Return the sums over the distances of *source*, in blocks that *run* distributes."""
    places = cluster_positions(study)
    numbers = {cluster: number for number, cluster in enumerate(source.clusters)}
    cluster_of_item = np.array([numbers[item.cluster] for item, _ in used], dtype=np.intp)
    annotations = np.array([len(found) for found in source.of_item], dtype=np.float64)
    own = _pair_totals(source, source.of_item)
    if len(used) == len(numbers):  # a cluster is an item, and its pairs are those of the item
        within = own[:, np.argsort(cluster_of_item)]
    else:
        within = _pair_totals(source, _members(source, cluster_of_item))
    per_item = own / np.maximum(annotations - 1, 1)
    parts = Parts(
        sizes=_totals(annotations[None], cluster_of_item, len(numbers))[0],
        observed=_totals(per_item, cluster_of_item, len(numbers)),
        within=within,
    )
    stripes, notes = sampling.stripes(source, parts, run)
    return PairSums(
        columns=np.array([places[cluster] for cluster in source.clusters], dtype=np.intp),
        sizes=parts.sizes,
        observed=parts.observed,
        within=parts.within,
        stripes=stripes,
        used=tuple(item for item, _ in used),
        ignored=tuple(ignored),
        annotations=tuple(len(cells) for _, cells in used),
        per_item=per_item,
        notes=notes,
    )


def prepare(
    study: Study[Any],
    make: Callable[[Used], DistanceSource],
    sampling: Sampling,
    run: Run,
    items: Callable[[Study[Any]], Pairable] = pairable,
) -> PairSums:
    """Return the sums over the distances of the source that *make* creates for the used items of *study*."""
    used, ignored = items(study)
    return pair_sums(study, used, ignored, make(used), sampling, run)


def stored_or_streamed(source: DistanceSource, run: Run) -> Stored | Streamed:
    """Return the sums between all clusters, stored if they fit into memory."""
    if must_stream(len(source.clusters), source.delta_count):
        return Streamed(source, run)
    return Stored(tuple(_stripes(source, run)))


def must_stream(clusters: int, deltas: int) -> bool:
    """Return whether the sums between this number of clusters are too large to store."""
    return deltas * clusters**2 // 2 * 8 > STORED_BYTES


def _stripes(source: DistanceSource, run: Run) -> Iterator[Stripe]:
    """Yield the stripes of the upper triangle of all clusters."""
    count = len(source.clusters)
    step = run.stripe if isinstance(run, Accelerator) else STRIPE
    rows = [(start, min(start + step, count)) for start in range(0, count, step)]
    for (start, end), sums in zip(rows, run(source.sums, rows), strict=True):
        kept = sums
        if not sums.flags.writeable or sums.ctypes.data % ALIGNMENT:  # the C++ kernel returns such memory
            kept = aligned(*sums.shape)
            kept[...] = sums
        for row in range(end - start):
            kept[:, row, : row + 1] = 0
        yield Stripe(start, kept)


def digest(weights: FloatArray) -> bytes:
    """Return a hash of *weights*."""
    return blake2b(np.ascontiguousarray(weights).data).digest()


def aligned(*shape: int) -> FloatArray:
    """Return memory for an array that starts at a multiple of 64 bytes.

    The last digit of matrix products can depend on the memory alignment of the factors.
    """
    size = 8 * math.prod(shape)
    room = np.empty(size + ALIGNMENT, dtype=np.uint8)
    start = -room.ctypes.data % ALIGNMENT
    return room[start : start + size].view(np.float64).reshape(shape)


def _pair_totals(source: DistanceSource, groups: Sequence[Sequence[int]]) -> FloatArray:
    """Return Σ δ² over the ordered pairs of values in each group: (deltas, groups)."""
    pairs = [(place, *pair) for place, found in enumerate(groups) for pair in combinations(found, 2)]
    if not pairs:
        return np.zeros((source.delta_count, len(groups)))
    places, first, second = (np.array(column, dtype=np.int32) for column in zip(*pairs, strict=True))
    return _totals(2 * source.squares(first, second), places, len(groups))


def _members(source: DistanceSource, cluster_of_item: NDArray[np.intp]) -> list[list[int]]:
    """Return the values of every cluster."""
    members: list[list[int]] = [[] for _ in source.clusters]
    for found, cluster in zip(source.of_item, cluster_of_item, strict=True):
        members[cluster] += found
    return members


def _totals(values: FloatArray, groups: NDArray[np.signedinteger[Any]], count: int) -> FloatArray:
    """Return the sums of the columns of *values* (rows, m) that belong to each of *count* groups."""
    return np.stack([np.bincount(groups, row, count) for row in values])

"""Labels of a study as arrays of numbers, with counts: the input of all coefficients over labels."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, compress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arbitree.backends.base import Run
from arbitree.kinds.labels.distances import Scale
from arbitree.kinds.labels.value import ratings
from arbitree.measures.measure import FloatArray, Prepared, Statistics
from arbitree.study.flat_tree import IntArray
from arbitree.study.result import Ignored
from arbitree.study.study import Item, Study
from arbitree.wording import percent

BLOCK = 1 << 22  # counts held at once
DOMINANT = 0.8  # share of one label above which a warning about chance agreement is issued


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LabelCounts(Prepared):
    """Labels by item and annotator. Items with at least two labels are pairable."""

    codes: IntArray  # (items, coders), -1 for missing labels
    values: tuple[Any, ...]
    coders: tuple[str, ...]
    clusters: NDArray[np.intp]  # (items,) column of each item in the weights
    cluster_count: int
    single: bool  # every item is its own cluster
    given: NDArray[np.int64]  # (items,) labels
    alikes: FloatArray | None = None  # (clusters,) how many alike clusters each represents, if not 1 each
    _kept: dict[Hashable, Any] = field(default_factory=dict)

    @property
    def pairable(self) -> NDArray[np.bool_]:
        """The items with at least two labels."""
        return self.given > 1

    def kept(self, key: Hashable, make: Any) -> Any:
        """Return the result of *make*, computed once per *key* because resamples take several calls."""
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]

    def by_cluster(self, amounts: FloatArray, items: NDArray[np.bool_] | None = None) -> FloatArray:
        """Return the sums of *amounts* (for *items*, or for all items) over the items of each cluster."""
        if self.single and len(amounts) == len(self.codes):
            return amounts
        places = self.clusters if items is None else self.clusters[items]
        sums: FloatArray = np.bincount(places, amounts, self.cluster_count).astype(np.float64)
        return sums

    def blocks(self, items: NDArray[np.bool_]) -> Iterator[tuple[slice, FloatArray]]:
        """Yield the counts of values for blocks of *items*: (block, values)."""
        yield from _blocks(self.codes if items.all() else self.codes[items], len(self.values))

    def _pairable_blocks(self) -> Iterable[tuple[slice, FloatArray]]:
        """Return the counts of values of pairable items; counted once if they need little memory."""
        if len(self.used) * len(self.values) > BLOCK:
            return self.blocks(self.pairable)
        kept: list[tuple[slice, FloatArray]] = self.kept("counts", lambda: list(self.blocks(self.pairable)))
        return kept

    def cluster_blocks(self, items: NDArray[np.bool_]) -> Iterator[tuple[slice, FloatArray]]:
        """Yield the counts of values of *items* for blocks of clusters: (block, values)."""
        size = len(self.values)
        chosen = np.flatnonzero(items)
        chosen = chosen[np.argsort(self.clusters[chosen], kind="stable")]
        clusters = self.clusters[chosen]
        step = max(1, BLOCK // size)
        for start in range(0, self.cluster_count, step):
            count = min(step, self.cluster_count - start)
            low, high = np.searchsorted(clusters, (start, start + count))
            codes = self.codes[chosen[low:high]]
            rows, _ = np.nonzero(codes >= 0)
            flat = (clusters[low:high][rows] - start) * size + codes[codes >= 0]
            counts = np.bincount(flat, minlength=count * size).reshape(count, size)
            yield slice(start, start + count), counts.astype(np.float64)

    def distinct(self, clusters: NDArray[np.intp], counts: FloatArray) -> LabelCounts:
        """Return the labels of *clusters*, each of which represents *counts* clusters with equal labels."""
        rows, chosen = rows_in(clusters, self.clusters, self.cluster_count)
        given = self.given[rows]
        return LabelCounts(
            codes=self.codes[rows],
            values=self.values,
            coders=self.coders,
            clusters=chosen,
            cluster_count=len(clusters),
            single=len(rows) == len(clusters) and bool((np.diff(chosen) == 1).all()),
            given=given,
            alikes=counts,
            used=tuple(self.used[place] for place in self.positions(rows).tolist()),
            ignored=(),
            columns=chosen[given > 1],
        )

    def joined(self, blocks: NDArray[np.intp], count: int) -> LabelCounts:
        """Return the labels with the clusters of each block as one cluster, which is not drawn twice."""
        return replace(
            self,
            clusters=blocks[self.clusters],
            cluster_count=count,
            single=False,
            columns=blocks[self.columns],
            alikes=None,
            _kept={},
        )

    @property
    def used_columns(self) -> NDArray[np.intp]:
        """The column of the cluster of every used item."""
        return self.clusters[self.pairable]

    def positions(self, rows: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return the positions of the pairable items among *rows* in the used items."""
        return (np.cumsum(self.pairable) - 1)[rows[self.pairable[rows]]]

    def copied_pairs(self, weights: FloatArray) -> FloatArray:
        """Return the number of ordered pairs of copies of one cluster: (B, clusters).

        If a cluster represents k alike ones, w copies of them include w (w - 1) / k such pairs on average.
        """
        pairs = weights * (weights - 1)
        return pairs if self.alikes is None else pairs / self.alikes

    def alike(self, *, coders: bool) -> NDArray[np.intp]:
        """Return a number for every cluster; clusters with the same labels have the same number.

        Args:
            coders: Whether the same annotators must have given the labels.
        """
        found: NDArray[np.intp] = self.kept(("alike", coders), lambda: self._alike(coders))
        return found

    def _alike(self, coders: bool) -> NDArray[np.intp]:
        codes = self.codes if coders else np.sort(self.codes, axis=1)
        numbers = np.zeros(len(codes), dtype=np.int64)
        for column in codes.T:  # one number for each row so far, renumbered so that it stays small
            keys = numbers * (len(self.values) + 1) + column + 1
            numbers = np.unique(keys, return_inverse=True)[1].astype(np.int64)
        if self.single:
            return numbers.astype(np.intp)
        rows: list[list[int]] = [[] for _ in range(self.cluster_count)]
        for cluster, number in zip(self.clusters.tolist(), numbers.tolist(), strict=True):
            rows[cluster].append(number)
        known: dict[tuple[int, ...], int] = {}
        found = [known.setdefault(tuple(sorted(row)), len(known)) for row in rows]
        return np.array(found, dtype=np.intp)

    def totals(self, weights: FloatArray, *, pairable: bool, shared: bool = False) -> FloatArray:
        """Return the frequency of each value for every row of *weights*: (B, values).

        Args:
            weights: (B, clusters).
            pairable: Whether to exclude items with one label.
            shared: Whether the labels of one item count 1 in total, not 1 each.
        """
        table = self.kept(("totals", pairable, shared), lambda: self._label_table(pairable, shared))
        return weighted(weights, table)

    def _label_table(self, pairable: bool, shared: bool) -> Any:
        """Return the frequency of each value in each cluster: (clusters, values)."""
        shape = (self.cluster_count, len(self.values))
        return count_labels(self, shape, lambda coders, labels: labels, pairable=pairable, shared=shared)

    def disagreement(self, scale: Scale) -> FloatArray:
        """Return for every pairable item Σ δ over the ordered pairs of its ratings.

        This compares pairs of annotators if there are fewer of them than values, otherwise counts of values.
        """
        coders = self.codes.shape[1]
        if coders * (coders - 1) // 2 > len(self.values):
            found = np.empty(len(self.used))
            for part, counts in self._pairable_blocks():
                found[part] = scale.pairs(counts, counts)
            return found
        codes = self.codes if len(self.used) == len(self.codes) else self.codes[self.pairable]
        gaps = bool((codes < 0).any())
        total = np.zeros(len(codes))
        for first, second in combinations(np.ascontiguousarray(codes.T), 2):
            apart = scale.between(first, second)
            total += np.where((first >= 0) & (second >= 0), apart, 0) if gaps else apart
        return 2 * total


@dataclass(frozen=True, slots=True)
class RatingCounts(Statistics[LabelCounts]):
    """Number and count the labels of a study, for all coefficients over labels.

    Args:
        singles: Whether to include items with one label in resamples. They do not contribute to agreement,
            but some coefficients use them to estimate the frequency of each label.
    """

    singles: bool = False

    def prepare(self, study: Study[Any], run: Run) -> LabelCounts:
        """Count the labels of *study*; *run* is not used."""
        found = ratings(study)
        return counts_of(
            found.codes,
            found.values,
            items=study.items,
            coders=study.coders,
            clusters=study.columns,
            cluster_count=study.cluster_count,
            singles=self.singles,
        )


def counts_of(
    codes: IntArray,
    values: tuple[Any, ...],
    *,
    items: Sequence[Item],
    coders: tuple[str, ...],
    clusters: NDArray[np.intp],
    cluster_count: int,
    singles: bool = False,
) -> LabelCounts:
    """Return the counts of *codes*, with one row per item and one column per annotator.

    Args:
        codes: Indices into *values*, -1 for missing labels.
        values: The distinct labels.
        items: One item per row.
        coders: One annotator per column.
        clusters: (items,) The column of each item in the weights.
        cluster_count: Number of columns of the weights.
        singles: Whether to include items with one label in resamples.
    """
    given = np.zeros(len(codes), dtype=np.int64)
    for column in codes.T:  # faster than a sum over short rows
        given += column >= 0
    pairable = given > 1
    return LabelCounts(
        codes=codes,
        values=values,
        coders=coders,
        clusters=clusters,
        cluster_count=cluster_count,
        single=cluster_count == len(clusters) and bool((np.diff(clusters) == 1).all()),
        given=given,
        used=items if pairable.all() else tuple(compress(items, pairable.tolist())),
        ignored=_ignored(items, coders, codes, given),
        columns=clusters[given > 0] if singles and pairable.any() else clusters[pairable],
        notes=_prevalence(codes, values),
    )


def rows_in(
    clusters: NDArray[np.intp], columns: NDArray[np.intp], cluster_count: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the items that belong to *clusters*, in this order, and the position of the cluster of each.

    Args:
        clusters: Some clusters.
        columns: (items,) The cluster of each item.
        cluster_count: The number of all clusters.
    """
    places = np.full(cluster_count, -1, dtype=np.intp)
    places[clusters] = np.arange(len(clusters))
    rows = np.flatnonzero(places[columns] >= 0)
    rows = rows[np.argsort(places[columns[rows]], kind="stable")]
    return rows, places[columns[rows]]


def count_labels(
    stats: LabelCounts,
    shape: tuple[int, int],
    column: Callable[[NDArray[np.intp], IntArray], IntArray | NDArray[np.intp]],
    *,
    pairable: bool = False,
    shared: bool = False,
) -> Any:
    """Return the number of labels of each cluster by *column*: a table, or a sparse matrix if it is large.

    Args:
        stats: The labels.
        shape: The number of clusters and of columns.
        column: A function that returns the columns of labels, from their annotators and their numbers.
        pairable: Whether to exclude items with one label.
        shared: Whether the labels of one item count 1 in total, not 1 each.
    """
    step = max(1, BLOCK // max(stats.codes.shape[1], 1))
    parts = []
    for start in range(0, len(stats.codes), step):
        codes, given = stats.codes[start : start + step], stats.given[start : start + step]
        items, coders = np.nonzero((codes >= 0) & (given > pairable)[:, None])
        amounts = 1 / given[items] if shared else np.ones(len(items))
        rows = stats.clusters[start : start + step][items]
        parts.append(counted(amounts, rows, column(coders, codes[items, coders]), shape))
    return sum(parts[1:], parts[0]) if parts else np.zeros(shape)


def counted(
    amounts: FloatArray,
    rows: NDArray[np.integer[Any]],
    columns: NDArray[np.integer[Any]],
    shape: tuple[int, int],
) -> Any:
    """Return the sums of *amounts* by row and column: a table, or a sparse matrix if that is too large."""
    if shape[0] * shape[1] <= BLOCK:
        places = rows * np.intp(shape[1]) + columns
        return np.bincount(places, amounts, shape[0] * shape[1]).astype(np.float64).reshape(shape)
    from scipy.sparse import coo_array

    return coo_array((amounts, (rows, columns)), shape=shape).tocsc()


def weighted(weights: FloatArray, table: Any) -> FloatArray:
    """Return ``weights @ table`` for a table from ``counted``: (B, columns)."""
    if isinstance(table, np.ndarray):
        return weights @ table
    turned = table.T  # a product by row, because one with all rows would copy them
    return np.stack([turned @ row for row in weights])


def _blocks(codes: IntArray, size: int) -> Iterator[tuple[slice, FloatArray]]:
    step = max(1, BLOCK // max(size, codes.shape[1]))
    for start in range(0, len(codes), step):
        part = codes[start : start + step]
        rows, _ = np.nonzero(part >= 0)
        flat = rows * size + part[part >= 0]
        counts = np.bincount(flat, minlength=len(part) * size).reshape(len(part), size)
        yield slice(start, start + len(part)), counts.astype(np.float64)


def _ignored(
    items: Sequence[Item], coders: tuple[str, ...], codes: IntArray, given: NDArray[np.int64]
) -> tuple[Ignored, ...]:
    found = []
    for row in np.flatnonzero(given < 2).tolist():
        who = "no annotations"
        if given[row]:
            who = f"annotated only by {coders[int(np.argmax(codes[row] >= 0))]}"
        found.append(Ignored(items[row].id, "single_annotation", who))
    return tuple(found)


def _prevalence(codes: IntArray, values: tuple[Any, ...]) -> tuple[str, ...]:
    """Return a warning if nearly all labels are the same."""
    counts = sum(np.bincount(column + 1, minlength=len(values) + 1)[1:] for column in codes.T)
    counts = np.asarray(counts)
    share = counts.max(initial=0) / max(counts.sum(), 1)
    if share < DOMINANT or np.count_nonzero(counts) < 2:
        return ()
    most = str(values[int(counts.argmax())])
    return (
        f"{percent(share)} of all labels are {most!r}, so chance-corrected coefficients can be low although "
        "annotators rarely differ; add --by label to see the agreement on each label",
    )

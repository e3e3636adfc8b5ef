"""Sums of squared distances within and between clusters: what alpha over trees needs.

The sums of all three deltas come from one pass over the pairs; the matrix of all pairs is never held.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arbitree import kernels
from arbitree.backends.base import Run
from arbitree.data.result import Ignored
from arbitree.data.study import Annotation, Item, Study
from arbitree.data.tree import IntArray, Tree, Vocabulary
from arbitree.distances.ted import CostRule, deltas, symmetric
from arbitree.kernels.costs import Costs
from arbitree.measures.base import FloatArray, cluster_positions, pairable

BLOCK = 64  # clusters a side of one piece of work
PANEL = 256  # clusters a stored stripe of the upper triangle


@dataclass(frozen=True, slots=True)
class Panel:
    """Sums between the clusters from ``start`` on and all that come after each of them."""

    start: int
    sums: FloatArray  # (3, rows, clusters - start); zero on and below the diagonal


@dataclass(frozen=True, slots=True)
class PairSums:
    """All that alpha needs, per cluster with at least one item of two annotations."""

    columns: NDArray[np.intp]  # (n,) place of each cluster in the weights
    sizes: FloatArray  # (n,) annotations
    observed: FloatArray  # (3, n) sum over items of their ordered pairs' δ² / (annotations - 1)
    within: FloatArray  # (3, n) δ² over all ordered pairs inside the cluster
    panels: tuple[Panel, ...]
    used: tuple[Item, ...]
    ignored: tuple[Ignored, ...]
    annotations: tuple[int, ...]  # of every used item
    per_item: FloatArray  # (3, used items) as observed

    def between(self, weights: FloatArray, delta: int) -> FloatArray:
        """Return Σ w_i w_j S_ij over clusters i < j, for every row of *weights* (B, n)."""
        active = np.flatnonzero(weights.any(axis=0))
        total = np.zeros(len(weights))
        for panel in self.panels:
            stop = panel.start + panel.sums.shape[1]
            rows = active[(active >= panel.start) & (active < stop)]
            after = active[active >= panel.start]
            if len(rows) == 0:
                continue
            sums = panel.sums[delta]
            if len(active) < len(self.sizes):
                sums = sums[np.ix_(rows - panel.start, after - panel.start)]
            total += np.einsum("bj,bj->b", weights[:, rows] @ sums, weights[:, after])
        return total


@dataclass(frozen=True, slots=True)
class TedSums:
    """Recipe of the sums of squared tree edit distances."""

    size: str = "nodes"
    labelled: bool = True
    costs: CostRule | None = None

    def prepare(self, study: Study[Any], run: Run) -> PairSums:
        """Compute the sums, in blocks of pairs of clusters that *run* distributes."""
        used, ignored = pairable(study)
        places = cluster_positions(study)
        trees = _distinct_trees(used, self)
        blocks = _blocks(len(trees.clusters))
        panels, within = _collect(len(trees.clusters), blocks, run(trees.sums, blocks))
        per_item = trees.within_items()
        annotations = np.array([len(found) for found in trees.of_item], dtype=np.float64)
        return PairSums(
            columns=np.array([places[cluster] for cluster in trees.clusters], dtype=np.intp),
            sizes=_totals(annotations[None], trees.cluster_of_item, len(trees.clusters))[0],
            observed=_totals(per_item, trees.cluster_of_item, len(trees.clusters)),
            within=within,
            panels=panels,
            used=tuple(item for item, _ in used),
            ignored=tuple(ignored),
            annotations=tuple(len(cells) for _, cells in used),
            per_item=per_item,
        )


@dataclass(frozen=True, slots=True)
class _DistinctTrees:
    """The trees of every cluster, equal ones once, as the kernel wants them."""

    corpus: kernels.Corpus
    costs: Costs | None
    groups: NDArray[np.int64]  # (clusters + 1,) where each cluster's trees begin
    counts: FloatArray  # (trees,) annotations that are this tree
    sizes: FloatArray  # (trees,) |x|
    clusters: tuple[str, ...]
    cluster_of_item: NDArray[np.intp]  # (items,)
    of_item: tuple[tuple[int, ...], ...]  # for every item, the tree of each annotation

    def sums(self, block: tuple[int, int, int, int]) -> FloatArray:
        """Return the sums between the clusters of one block: (3, rows, columns)."""
        arguments = (self.groups, self.counts, self.sizes, block[:2], block[2:])
        if self.costs is None:
            return self.corpus.sums(*arguments)
        return self.corpus.weighted_sums(*arguments, *self.costs.arrays)

    def distances(self, first: IntArray, second: IntArray) -> FloatArray:
        """Return the distances of pairs of trees."""
        if self.costs is None:
            return self.corpus.distances(first, second).astype(np.float64)
        return self.corpus.weighted_distances(first, second, *self.costs.arrays)

    def within_items(self) -> FloatArray:
        """Return for every item the δ² of its ordered pairs over (annotations - 1): (3, items)."""
        pairs = [
            (place, *pair) for place, found in enumerate(self.of_item) for pair in combinations(found, 2)
        ]
        if not pairs:
            return np.zeros((3, 0))
        places, first, second = (np.array(column, dtype=np.int32) for column in zip(*pairs, strict=True))
        squares = deltas(self.distances(first, second), self.sizes[first], self.sizes[second]) ** 2
        others = np.array([len(found) - 1 for found in self.of_item], dtype=np.float64)
        return _totals(2 * squares, places, len(self.of_item)) / others


def _distinct_trees(used: Sequence[tuple[Item, list[Annotation[Any]]]], recipe: TedSums) -> _DistinctTrees:
    """Flatten all annotations; within a cluster, equal trees become one tree with a count."""
    vocabulary = Vocabulary()
    clusters = tuple(dict.fromkeys(item.cluster for item, _ in used))
    numbers = {cluster: number for number, cluster in enumerate(clusters)}
    cluster_of_item = np.array([numbers[item.cluster] for item, _ in used], dtype=np.intp)
    trees: list[Tree] = []
    counts: list[int] = []
    of_item: list[tuple[int, ...]] = [()] * len(used)
    groups = [0]
    for members in _members(cluster_of_item, len(clusters)):
        known: dict[tuple[bytes, bytes, int, int], int] = {}
        for place in members:
            found = []
            for cell in used[place][1]:
                tree = cell.value.flatten(vocabulary, labelled=recipe.labelled)
                key = (tree.labels.tobytes(), tree.leftmost.tobytes(), tree.size, tree.leaves)
                index = known.setdefault(key, len(trees))
                if index == len(trees):
                    trees.append(tree)
                    counts.append(0)
                counts[index] += 1
                found.append(index)
            of_item[place] = tuple(found)
        groups.append(len(trees))
    sizes = [tree.size if recipe.size == "nodes" else tree.leaves for tree in trees]
    return _DistinctTrees(
        corpus=kernels.pack(trees),
        costs=symmetric(recipe.costs, vocabulary) if recipe.costs else None,
        groups=np.array(groups, dtype=np.int64),
        counts=np.array(counts, dtype=np.float64),
        sizes=np.array(sizes, dtype=np.float64),
        clusters=clusters,
        cluster_of_item=cluster_of_item,
        of_item=tuple(of_item),
    )


def _totals(values: FloatArray, groups: NDArray[np.signedinteger[Any]], count: int) -> FloatArray:
    """Return the sums of the columns of *values* (rows, m) that belong to each of *count* groups."""
    return np.stack([np.bincount(groups, row, count) for row in values])


def _members(cluster_of_item: NDArray[np.intp], count: int) -> list[list[int]]:
    """Return the places of the items of every cluster."""
    members: list[list[int]] = [[] for _ in range(count)]
    for place, cluster in enumerate(cluster_of_item):
        members[cluster].append(place)
    return members


def _blocks(count: int) -> list[tuple[int, int, int, int]]:
    """Return the blocks (row, row end, column, column end) of the upper triangle, row by row."""
    starts = range(0, count, BLOCK)
    return [
        (row, min(row + BLOCK, count), column, min(column + BLOCK, count))
        for row in starts
        for column in starts
        if column >= row
    ]


def _collect(
    count: int, blocks: Sequence[tuple[int, int, int, int]], pieces: Any
) -> tuple[tuple[Panel, ...], FloatArray]:
    """Lay the blocks' sums into stripes; the diagonal goes apart."""
    panels = tuple(
        Panel(start, np.zeros((3, min(PANEL, count - start), count - start)))
        for start in range(0, count, PANEL)
    )
    within = np.zeros((3, count))
    for (row, row_end, column, column_end), sums in zip(blocks, pieces, strict=True):
        if row == column:
            within[:, row:row_end] = np.einsum("dii->di", sums)
            sums[:, range(row_end - row), range(row_end - row)] = 0
        panel = panels[row // PANEL]
        at = row - panel.start
        panel.sums[:, at : at + row_end - row, column - panel.start : column_end - panel.start] = sums
    return panels, within

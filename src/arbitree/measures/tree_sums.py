"""Sums of tree distances for alpha: pq-gram distances and tree edit distances.

For pq-grams, every gram becomes a number, and the k-th occurrence of a gram in a tree becomes a column. A
tree is then a row of zeros and ones, and the bag intersection of two trees is the product of their rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from arbitree import kernels
from arbitree.backends.base import Accelerator, Run
from arbitree.distances.pqgram import PqGram
from arbitree.distances.ted import DELTAS, CostRule, Ted, deltas, symmetric
from arbitree.kernels.costs import Costs
from arbitree.measures.measure import FloatArray
from arbitree.measures.pair_sums import PairStatistics, PairSums, Used, prepare, recipe_of
from arbitree.measures.sampled_sums import Sampling
from arbitree.study.flat_tree import IntArray, Tree, Vocabulary
from arbitree.study.study import Study


@dataclass(frozen=True, slots=True)
class Distinct:
    """Flat trees over one vocabulary, by cluster."""

    trees: tuple[Tree, ...]
    vocabulary: Vocabulary
    groups: NDArray[np.int64]  # (clusters + 1,) where each cluster's trees begin
    counts: FloatArray  # (trees,) annotations that are this tree
    clusters: tuple[str, ...]  # by the size of their trees, so that like is treated with like
    of_item: tuple[tuple[int, ...], ...]  # for every item, the tree of each annotation


def distinct(used: Used, *, labelled: bool) -> Distinct:
    """Flatten all annotations; within a cluster, equal trees become one tree with a count."""
    vocabulary = Vocabulary()
    flat = [[cell.value.flatten(vocabulary, labelled=labelled) for cell in cells] for _, cells in used]
    members: dict[str, list[int]] = {}
    for place, (item, _) in enumerate(used):
        members.setdefault(item.cluster, []).append(place)
    clusters = sorted(members, key=lambda name: max(len(tree) for k in members[name] for tree in flat[k]))
    trees: list[Tree] = []
    counts: list[int] = []
    of_item: list[tuple[int, ...]] = [()] * len(used)
    groups = [0]
    for cluster in clusters:
        known: dict[tuple[bytes, bytes, int, int], int] = {}
        for place in members[cluster]:
            found = []
            for tree in flat[place]:
                key = (tree.labels.tobytes(), tree.leftmost.tobytes(), tree.size, tree.leaves)
                index = known.setdefault(key, len(trees))
                if index == len(trees):
                    trees.append(tree)
                    counts.append(0)
                counts[index] += 1
                found.append(index)
            of_item[place] = tuple(found)
        groups.append(len(trees))
    return Distinct(
        trees=tuple(trees),
        vocabulary=vocabulary,
        groups=np.array(groups, dtype=np.int64),
        counts=np.array(counts, dtype=np.float64),
        clusters=tuple(clusters),
        of_item=tuple(of_item),
    )


BLOCK = 1 << 14  # pairs of trees that are compared at once

LongArray = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class PqGramSums(PairStatistics):
    """Recipe for the sums of squared pq-gram distances."""

    deltas: ClassVar[int] = 1

    p: int = 2
    q: int = 3
    labelled: bool = True
    sampling: Sampling = field(default_factory=Sampling)

    def prepare(self, study: Study[Any], run: Run) -> PairSums:
        """Compute the sums in blocks that *run* distributes."""
        return prepare(study, self.source, self.sampling, run)

    def source(self, used: Used) -> GramBags:
        """Return the profiles of the trees of *used*."""
        found = distinct(used, labelled=self.labelled)
        trees, columns = bag_columns(*grams(found.trees, self.p, self.q))
        shape = (len(found.trees), int(columns.max(initial=-1)) + 1)
        rows = _zeros_and_ones(trees, columns, shape)
        return GramBags(
            rows=rows,
            turned=rows.T.tocsr(),
            groups=found.groups,
            counts=found.counts,
            sizes=np.bincount(trees, minlength=len(found.trees)).astype(np.float64),
            clusters=found.clusters,
            of_item=found.of_item,
        )


@recipe_of.register
def _(distance: PqGram, sampling: Sampling) -> PqGramSums:
    return PqGramSums(distance.p, distance.q, distance.labelled, sampling)


@dataclass(frozen=True, slots=True)
class GramBags:
    """The bags of grams of the distinct trees of every cluster."""

    rows: Any  # (trees, columns) sparse: a one for each gram and occurrence
    turned: Any  # the same, turned over
    groups: LongArray  # (clusters + 1,) where each cluster's trees begin
    counts: FloatArray  # (trees,) annotations that are this tree
    sizes: FloatArray  # (trees,) grams
    clusters: tuple[str, ...]
    of_item: tuple[tuple[int, ...], ...]  # for every item, the tree of each annotation

    @property
    def delta_count(self) -> int:
        """1, because there is one pq-gram distance."""
        return 1

    def sums(self, rows: tuple[int, int]) -> FloatArray:
        """Return the sums between the clusters of *rows* and all clusters from its first."""
        start, end = self.groups[rows[0]], self.groups[rows[1]]
        shared = (self.rows[start:end] @ self.turned[:, start:]).toarray()
        squares = _distances(shared, self.sizes[start:end, None], self.sizes[start:]) ** 2
        squares *= self.counts[start:]
        by_column = np.add.reduceat(squares, self.groups[rows[0] : -1] - start, axis=1)
        by_column *= self.counts[start:end, None]
        return np.add.reduceat(by_column, self.groups[rows[0] : rows[1]] - start, axis=0)[None]

    def squares(self, first: IntArray, second: IntArray) -> FloatArray:
        """Return the squared distances of pairs of trees."""
        shared = np.empty(len(first), dtype=np.float32)
        for at in range(0, len(first), BLOCK):
            ours, theirs = first[at : at + BLOCK], second[at : at + BLOCK]
            shared[at : at + BLOCK] = self.rows[ours].multiply(self.rows[theirs]).sum(axis=1)
        return _distances(shared, self.sizes[first], self.sizes[second])[None] ** 2


def grams(trees: Sequence[Tree], p: int, q: int) -> tuple[LongArray, LongArray]:
    """Return the numbers of the tree and of the gram for every gram of every tree.

    All nodes are processed at once, one slot of the grams after the other. Labels start at 1; 0 is the null
    label.
    """
    sizes = np.array([len(tree) for tree in trees], dtype=np.int64)
    first = np.repeat(np.cumsum(sizes) - sizes, sizes)  # of the tree that each node belongs to
    empty = np.empty(0, dtype=np.int64)
    own = np.concatenate([empty, *(tree.parents for tree in trees)])
    parents = np.where(own < 0, -1, own + first)
    labels = np.append(np.concatenate([empty, *(tree.labels for tree in trees)]) + 1, 0)
    parents = np.append(parents, -1)  # the null node is the last one: -1
    siblings = np.argsort(parents[:-1], kind="stable")
    siblings = siblings[np.count_nonzero(parents[:-1] < 0) :]  # without the roots
    below = np.bincount(parents[siblings], minlength=len(first))  # children of each node
    start = np.cumsum(below) - below
    windows = np.where(below > 0, below + q - 1, 1)
    anchor = np.repeat(np.arange(len(first)), windows)
    offset = np.arange(len(anchor)) - np.repeat(np.cumsum(windows) - windows, windows) - (q - 1)
    gram = np.zeros(len(anchor), dtype=np.int64)
    node = anchor
    for _ in range(p):
        gram = _paired(gram, labels[node])
        node = parents[node]
    children = np.append(siblings, -1)
    for slot in range(q):
        place = offset + slot
        there = (place >= 0) & (place < below[anchor])
        child = children[np.where(there, start[anchor] + place, -1)]
        gram = _paired(gram, np.where(there, labels[child], 0))
    tree = np.repeat(np.arange(len(trees)), sizes)[anchor]
    return tree, gram


def bag_columns(trees: LongArray, numbers: LongArray) -> tuple[LongArray, LongArray]:
    """Return the trees, and for each gram the column of its k-th occurrence in its tree."""
    order = np.lexsort((numbers, trees))
    trees, numbers = trees[order], numbers[order]
    new = np.append(True, (trees[1:] != trees[:-1]) | (numbers[1:] != numbers[:-1]))[: len(trees)]
    begin = np.maximum.accumulate(np.where(new, np.arange(len(trees)), 0))
    return trees, _paired(numbers, np.arange(len(trees)) - begin)


def _paired(first: LongArray, second: LongArray) -> LongArray:
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


@dataclass(frozen=True, slots=True)
class TedSums(PairStatistics):
    """Recipe for the sums of squared tree edit distances, for all three deltas at once."""

    deltas: ClassVar[int] = len(DELTAS)

    size: str = "nodes"
    labelled: bool = True
    costs: CostRule | None = None
    sampling: Sampling = field(default_factory=Sampling)

    def prepare(self, study: Study[Any], run: Run) -> PairSums:
        """Compute the sums in blocks that *run* distributes."""
        pack = run.pack if isinstance(run, Accelerator) else kernels.pack
        return prepare(study, partial(distinct_trees, recipe=self, pack=pack), self.sampling, run)


@recipe_of.register
def _(distance: Ted, sampling: Sampling) -> TedSums:
    return TedSums(distance.size, distance.labelled, distance.costs, sampling)


@dataclass(frozen=True, slots=True)
class DistinctTrees:
    """The distinct trees of every cluster, in the format of the kernel."""

    corpus: kernels.Corpus
    costs: Costs | None
    groups: NDArray[np.int64]  # (clusters + 1,) where each cluster's trees begin
    counts: FloatArray  # (trees,) annotations that are this tree
    sizes: FloatArray  # (trees,) |x|
    clusters: tuple[str, ...]  # by the size of their trees
    of_item: tuple[tuple[int, ...], ...]  # for every item, the tree of each annotation

    @property
    def delta_count(self) -> int:
        """3, the deltas of Skjærholt (2014)."""
        return len(DELTAS)

    def sums(self, rows: tuple[int, int]) -> FloatArray:
        """Return the sums between the clusters of *rows* and all clusters from its first."""
        arguments = (self.groups, self.counts, self.sizes, rows, (rows[0], len(self.clusters)))
        if self.costs is None:
            return self.corpus.sums(*arguments)
        return self.corpus.weighted_sums(*arguments, *self.costs.arrays)

    def squares(self, first: IntArray, second: IntArray) -> FloatArray:
        """Return the three squared distances of pairs of trees."""
        if self.costs is None:
            distances = self.corpus.distances(first, second).astype(np.float64)
        else:
            distances = self.corpus.weighted_distances(first, second, *self.costs.arrays)
        squares: FloatArray = deltas(distances, self.sizes[first], self.sizes[second]) ** 2
        return squares


def distinct_trees(
    used: Used, recipe: TedSums, pack: Callable[[Sequence[Tree]], Any] = kernels.pack
) -> DistinctTrees:
    """Return the trees of *used* in the format of the kernel, with the sizes and costs of *recipe*."""
    found = distinct(used, labelled=recipe.labelled)
    sizes = [tree.size if recipe.size == "nodes" else tree.leaves for tree in found.trees]
    return DistinctTrees(
        corpus=pack(found.trees),
        costs=symmetric(recipe.costs, found.vocabulary) if recipe.costs else None,
        groups=found.groups,
        counts=found.counts,
        sizes=np.array(sizes, dtype=np.float64),
        clusters=found.clusters,
        of_item=found.of_item,
    )

"""Sums of tree distances for alpha: pq-gram distances and tree edit distances."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from arbitree import kernels
from arbitree.backends.base import Accelerator, Run
from arbitree.distances.ted import DELTAS, CostRule, deltas, symmetric
from arbitree.kernels.costs import Costs
from arbitree.measures.measure import FloatArray
from arbitree.measures.sums.bags import Bags, LongArray, bags_of, paired
from arbitree.measures.sums.distinct import Distinct, distinct_values
from arbitree.measures.sums.pairs import PairStatistics, PairSums, Used, prepare
from arbitree.measures.sums.sampled import Sampling
from arbitree.study.flat_tree import IntArray, Tree, Vocabulary
from arbitree.study.study import Study


@dataclass(frozen=True, slots=True)
class DistinctFlat:
    """Flat trees over one vocabulary, by cluster."""

    found: Distinct[Tree]
    vocabulary: Vocabulary


def distinct(used: Used, *, labelled: bool) -> DistinctFlat:
    """Flatten all annotations; within a cluster, equal trees become one tree with a count."""
    vocabulary = Vocabulary()
    flat = [[cell.value.flatten(vocabulary, labelled=labelled) for cell in cells] for _, cells in used]
    return DistinctFlat(distinct_values(used, flat, key=_key, size=len), vocabulary)


def _key(tree: Tree) -> tuple[bytes, bytes, int, int]:
    return tree.labels.tobytes(), tree.leftmost.tobytes(), tree.size, tree.leaves


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

    def source(self, used: Used) -> Bags:
        """Return the profiles of the trees of *used*."""
        found = distinct(used, labelled=self.labelled).found
        return bags_of(found, *grams(found.values, self.p, self.q))


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
        gram = paired(gram, labels[node])
        node = parents[node]
    children = np.append(siblings, -1)
    for slot in range(q):
        place = offset + slot
        there = (place >= 0) & (place < below[anchor])
        child = children[np.where(there, start[anchor] + place, -1)]
        gram = paired(gram, np.where(there, labels[child], 0))
    tree = np.repeat(np.arange(len(trees)), sizes)[anchor]
    return tree, gram


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
    flat = distinct(used, labelled=recipe.labelled)
    found = flat.found
    sizes = [tree.size if recipe.size == "nodes" else tree.leaves for tree in found.values]
    return DistinctTrees(
        corpus=pack(found.values),
        costs=symmetric(recipe.costs, flat.vocabulary) if recipe.costs else None,
        groups=found.groups,
        counts=found.counts,
        sizes=np.array(sizes, dtype=np.float64),
        clusters=found.clusters,
        of_item=found.of_item,
    )

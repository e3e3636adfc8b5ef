"""Sums of tree distances for alpha: pq-gram distances and tree edit distances."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from arbitree import kernels
from arbitree.backends.base import Accelerator, InProcess, Run
from arbitree.backends.threads import Threads
from arbitree.distances.ted import DELTAS, CostRule, CostTable, deltas, symmetric
from arbitree.kernels.costs import Costs
from arbitree.measures.measure import FloatArray
from arbitree.measures.sums.bags import Bags, LongArray, bags_of, paired
from arbitree.measures.sums.distinct import Distinct, distinct_values, numbers_in
from arbitree.measures.sums.pairs import PairStatistics, PairSums, Used, prepare
from arbitree.measures.sums.sampled import Sampling
from arbitree.study.comparable import pairable_parts
from arbitree.study.flat_tree import IntArray, Tree, Vocabulary
from arbitree.study.study import Study
from arbitree.wording import listed

NAMED = 5  # labels that a note names
ROWS = 256  # trees per block of distances, as many as the kernel compares at once
TRIANGLE_BYTES = 1 << 28  # beyond this, distances are not stored: 16,384 trees, or 8,192 with label costs


@dataclass(frozen=True, slots=True)
class DistinctFlat:
    """Flat trees over one vocabulary, by cluster."""

    found: Distinct[Tree]
    vocabulary: Vocabulary

    def part(self, found: Distinct[int]) -> DistinctFlat:
        """Return the trees of some annotations, whose values are numbers of these trees."""
        trees = tuple(self.found.values[number] for number in found.values)
        return replace(self, found=Distinct(trees, found.groups, found.counts, found.clusters, found.of_item))


def distinct(used: Used, *, labelled: bool) -> DistinctFlat:
    """Flatten all annotations; within a cluster, equal trees become one tree with a count."""
    vocabulary = Vocabulary()
    values = [cell.value for _, cells in used for cell in cells]
    trees = iter(type(values[0]).flatten_all(values, vocabulary, labelled=labelled) if values else ())
    flat = [[next(trees) for _ in cells] for _, cells in used]
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

    def parts(self, study: Study[Any], run: Run) -> Callable[[Study[Any]], PairSums]:
        """Return a function that prepares parts of *study* from the same profiles."""
        items = pairable_parts(study)
        used, _ = items(study)
        found = distinct(used, labelled=self.labelled).found
        whole, numbers = self._bags(found), numbers_in(found, used, size=len)
        return lambda part: prepare(part, lambda some: whole.part(numbers(some)), self.sampling, run, items)

    def source(self, used: Used) -> Bags:
        """Return the profiles of the trees of *used*."""
        return self._bags(distinct(used, labelled=self.labelled).found)

    def _bags(self, found: Distinct[Tree]) -> Bags:
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
    unlocked: ClassVar[bool] = kernels.COMPILED

    size: str = "nodes"
    labelled: bool = True
    costs: CostRule | None = None
    sampling: Sampling = field(default_factory=Sampling)

    def prepare(self, study: Study[Any], run: Run) -> PairSums:
        """Compute the sums in blocks that *run* distributes."""
        found = prepare(study, partial(distinct_trees, recipe=self, pack=packing(run)), self.sampling, run)
        return self._noted(study)(found)

    def _noted(self, study: Study[Any]) -> Callable[[PairSums], PairSums]:
        """Return a function that adds a note on labels in the cost table that no tree of *study* has."""
        notes = self._unused_costs(study)
        return lambda found: replace(found, notes=(*found.notes, *notes)) if notes else found

    def _unused_costs(self, study: Study[Any]) -> list[str]:
        if not isinstance(self.costs, CostTable) or not self.labelled:
            return []
        vocabulary = Vocabulary()
        study.value_type.flatten_all([cell.value for cell in study.cells.values()], vocabulary)
        missing = self.costs.labels - set(vocabulary.labels)
        if not missing:
            return []
        shown = [repr(each) for each in sorted(missing)[:NAMED]]
        shown += [f"{len(missing) - NAMED:,} more"] if len(missing) > NAMED else []
        return [f"{self.costs.name}: no tree has the label{'s' * (len(missing) > 1)} {listed(shown)}"]

    def parts(self, study: Study[Any], run: Run) -> Callable[[Study[Any]], PairSums]:
        """Return a function that prepares parts of *study* from one comparison of all pairs of trees.

        The distances are stored if they fit into memory. Otherwise each part compares its trees.
        """
        items = pairable_parts(study)
        used, _ = items(study)
        flat = distinct(used, labelled=self.labelled)
        numbers = numbers_in(flat.found, used, size=len)
        noted = self._noted(study)
        if self.sampling.asked or not _storable(flat.found.values, self.costs):
            pack = packing(run)

            def compared(some: Used) -> DistinctTrees:
                return self.packed(flat.part(numbers(some)), pack)

            return lambda part: noted(prepare(part, compared, self.sampling, run, items))
        stored = StoredDistances.of(self.packed(flat, packing(run)), run)
        near = run if isinstance(run, InProcess) else Threads()  # do not send the distances to other machines
        return lambda part: noted(
            prepare(part, lambda some: stored.part(numbers(some)), self.sampling, near, items)
        )

    def packed(self, flat: DistinctFlat, pack: Callable[[Sequence[Tree]], Any]) -> DistinctTrees:
        """Return trees in the format of the kernel, with their sizes and costs."""
        found = flat.found
        sizes = [tree.size if self.size == "nodes" else tree.leaves for tree in found.values]
        return DistinctTrees(
            corpus=pack(found.values),
            costs=symmetric(self.costs, flat.vocabulary) if self.costs else None,
            groups=found.groups,
            counts=found.counts,
            sizes=np.array(sizes, dtype=np.float64),
            clusters=found.clusters,
            of_item=found.of_item,
        )


def packing(run: Run) -> Callable[[Sequence[Tree]], Any]:
    """Return the function that brings trees into the format of the kernel of *run*."""
    return run.pack if isinstance(run, Accelerator) else kernels.pack


def _storable(trees: Sequence[Tree], costs: CostRule | None) -> bool:
    """Return whether the distances of all pairs of *trees* fit into memory, and each into 16 bits."""
    pairs = len(trees) * (len(trees) - 1) // 2
    if costs is not None:
        return pairs * 8 <= TRIANGLE_BYTES
    return pairs * 2 <= TRIANGLE_BYTES and max(map(len, trees), default=0) <= kernels.LARGEST


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
        return _squared(distances, self.sizes, first, second)

    def triangle(self, rows: tuple[int, int]) -> NDArray[Any]:
        """Return the distances of the trees in *rows* to all trees after each of them."""
        if self.costs is None:
            return self.corpus.triangle(rows)
        return self.corpus.weighted_triangle(rows, *self.costs.arrays)


def _squared(distances: FloatArray, sizes: FloatArray, first: IntArray, second: IntArray) -> FloatArray:
    found: FloatArray = deltas(distances, sizes[first], sizes[second]) ** 2
    return found


@dataclass(frozen=True, slots=True)
class StoredDistances:
    """The distances of all pairs of trees: those of each tree to the trees after it, tree by tree."""

    triangle: NDArray[Any]  # 16 bits each, or 64 with label costs
    sizes: FloatArray  # (trees,) |x|

    @classmethod
    def of(cls, source: DistinctTrees, run: Run) -> StoredDistances:
        """Compare all pairs of trees, in blocks that *run* distributes."""
        count = len(source.sizes)
        step = run.stripe if isinstance(run, Accelerator) else ROWS
        rows = [(start, min(start + step, count)) for start in range(0, count, step)]
        kept = np.empty(count * (count - 1) // 2, dtype=np.uint16 if source.costs is None else np.float64)
        done = 0
        for found in run(source.triangle, rows):
            kept[done : done + len(found)] = found
            done += len(found)
        return cls(kept, source.sizes)

    def part(self, found: Distinct[int]) -> StoredTrees:
        """Return the source for some of the trees."""
        trees = np.array(found.values, dtype=np.int64)
        return StoredTrees(
            self, trees, found.groups, found.counts, self.sizes[trees], found.clusters, found.of_item
        )

    def __call__(self, first: LongArray, second: LongArray) -> FloatArray:
        """Return the distances of pairs of trees."""
        low, high = np.minimum(first, second), np.maximum(first, second)
        place = low * (2 * len(self.sizes) - low - 1) // 2 + high - low - 1
        distances = np.zeros(len(low))
        differ = low < high
        distances[differ] = self.triangle[place[differ]]
        return distances


@dataclass(frozen=True, slots=True)
class StoredTrees:
    """Some trees whose distances are stored."""

    distances: StoredDistances
    trees: LongArray  # (n,) their numbers among all trees
    groups: NDArray[np.int64]  # (clusters + 1,) where each cluster's trees begin
    counts: FloatArray  # (n,) annotations that are this tree
    sizes: FloatArray  # (n,) |x|
    clusters: tuple[str, ...]  # by the size of their trees
    of_item: tuple[tuple[int, ...], ...]  # for every item, the tree of each annotation

    @property
    def delta_count(self) -> int:
        """3, the deltas of Skjærholt (2014)."""
        return len(DELTAS)

    def sums(self, rows: tuple[int, int]) -> FloatArray:
        """Return the sums between the clusters of *rows* and all clusters from its first."""
        given = (self.trees, self.groups, self.counts, self.sizes, rows, (rows[0], len(self.clusters)))
        return kernels.stored_sums(self.distances.triangle, *given)

    def squares(self, first: IntArray, second: IntArray) -> FloatArray:
        """Return the three squared distances of pairs of trees."""
        distances = self.distances(self.trees[first], self.trees[second])
        return _squared(distances, self.sizes, first, second)


def distinct_trees(
    used: Used, recipe: TedSums, pack: Callable[[Sequence[Tree]], Any] = kernels.pack
) -> DistinctTrees:
    """Return the trees of *used* in the format of the kernel, with the sizes and costs of *recipe*."""
    return recipe.packed(distinct(used, labelled=recipe.labelled), pack)

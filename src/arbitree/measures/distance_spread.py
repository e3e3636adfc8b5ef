"""The distribution of distances between trees, on which expected disagreement is based."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from arbitree.distances.ted import DELTAS, Ted, deltas
from arbitree.errors import StudyError, UnsupportedStudy
from arbitree.measures.measure import FloatArray
from arbitree.measures.sums.trees import DistinctTrees, TedSums, distinct_trees
from arbitree.study.comparable import annotated
from arbitree.study.flat_tree import IntArray
from arbitree.study.result import Table
from arbitree.study.study import Study

MOST = 500_000  # pairs of trees that are compared; of more, a sample
NEAR = 2  # a distance of 0, 1 or 2 is near, as in Skjærholt (2014), section 3


@dataclass(frozen=True, slots=True)
class Distances:
    """Distances between pairs of trees under the three deltas: (deltas, pairs)."""

    between: FloatArray  # trees of different sentences
    within: FloatArray  # trees of one sentence
    every: int  # pairs of trees of different sentences that there are

    @property
    def sampled(self) -> bool:
        """Whether only some of the pairs of different sentences were compared."""
        return bool(self.between.shape[1] < self.every)

    def table(self) -> Table:
        """Return the mean, median and share of small distances, for pairs between and within sentences."""
        rows = []
        for place, delta in enumerate(DELTAS):
            for kind, values in (("between", self.between[place]), ("within", self.within[place])):
                if len(values):
                    near = float((values <= NEAR).mean()) if delta != "norm" else None
                    found = (float(values.mean()), float(np.median(values)), float((values**2).mean()))
                    rows.append((delta, kind, len(values), *found, near))
        columns = ("delta", "sentences", "pairs", "mean", "median", "mean square", f"share to {NEAR}")
        return Table(columns, tuple(rows))


def distances(study: Study[Any], *, most: int = MOST, seed: int = 0) -> Distances:
    """Return the distances between the trees of *study*, for all pairs or a sample of *most*.

    Example:
        >>> from arbitree.api.read import read
        >>> found = distances(read("examples/dependency/ann.conllu", "examples/dependency/bob.conllu"))
        >>> found.within.shape, found.between.shape, found.sampled
        ((3, 16), (3, 480), False)
    """
    if not issubclass(study.value_type, Ted.kinds):
        raise UnsupportedStudy("these annotations are not trees", hint="Pass files with trees")
    used = [(item, annotated(cells)) for item, cells in study]
    used = [(item, cells) for item, cells in used if cells]
    if not used:
        raise StudyError("all trees are empty", hint="Pass files with at least one token")
    source = distinct_trees(used, TedSums())
    trees = np.array([tree for found in source.of_item for tree in found], dtype=np.int32)
    items = np.repeat(np.arange(len(used)), [len(found) for found in source.of_item])
    count = len(trees)
    counts = np.bincount(items).astype(np.int64)
    every = (count * (count - 1) - int((counts * (counts - 1)).sum())) // 2
    if every <= most:
        first, second = np.triu_indices(count, 1)
        apart = items[first] != items[second]
        first, second = first[apart], second[apart]
    else:
        first, second = _drawn(items, most, seed)
    own = [pair for found in source.of_item for pair in combinations(found, 2)]
    inside = np.array(own, dtype=np.int32).reshape(-1, 2)
    return Distances(
        between=_deltas(source, trees[first], trees[second]),
        within=_deltas(source, inside[:, 0], inside[:, 1]),
        every=every,
    )


def _drawn(items: Any, most: int, seed: int) -> tuple[Any, Any]:
    """Return *most* pairs of indices of different items, drawn with replacement."""
    rng = np.random.default_rng(seed)
    first: list[Any] = []
    second: list[Any] = []
    missing = most
    while missing:
        a, b = rng.integers(len(items), size=(2, missing))
        apart = items[a] != items[b]
        first.append(a[apart])
        second.append(b[apart])
        missing -= int(apart.sum())
    return np.concatenate(first), np.concatenate(second)


def _deltas(source: DistinctTrees, first: IntArray, second: IntArray) -> FloatArray:
    a, b = np.ascontiguousarray(first), np.ascontiguousarray(second)
    if not len(a):
        return np.zeros((len(DELTAS), 0))
    plain = source.corpus.distances(a, b).astype(np.float64)
    found: FloatArray = deltas(plain, source.sizes[a], source.sizes[b])
    return found

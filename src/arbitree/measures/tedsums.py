"""The tree edit distances of a study, as a source of sums for alpha."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from arbitree import kernels
from arbitree.backends.base import Run
from arbitree.data.study import Study
from arbitree.data.tree import IntArray, Tree
from arbitree.distances.ted import DELTAS, CostRule, Ted, deltas, symmetric
from arbitree.kernels.costs import Costs
from arbitree.measures.base import FloatArray
from arbitree.measures.distinct import distinct
from arbitree.measures.pairsums import Choice, PairSums, Used, prepare, recipe_of
from arbitree.measures.sampling import Sampling


@dataclass(frozen=True, slots=True)
class TedSums:
    """Recipe of the sums of squared tree edit distances, all three deltas at once."""

    deltas: ClassVar[int] = len(DELTAS)

    size: str = "nodes"
    labelled: bool = True
    costs: CostRule | None = None
    choice: Choice = field(default_factory=Sampling)

    def prepare(self, study: Study[Any], run: Run) -> PairSums:
        """Compute the sums in pieces that *run* distributes."""
        pack = getattr(run, "pack", kernels.pack)  # a backend may bring a kernel of its own
        return prepare(study, partial(distinct_trees, recipe=self, pack=pack), self.choice, run)


@recipe_of.register
def _(distance: Ted, choice: Choice) -> TedSums:
    return TedSums(distance.size, distance.labelled, distance.costs, choice)


@dataclass(frozen=True, slots=True)
class DistinctTrees:
    """The trees of every cluster, equal ones once, as the kernel wants them."""

    corpus: kernels.Corpus
    costs: Costs | None
    groups: NDArray[np.int64]  # (clusters + 1,) where each cluster's trees begin
    counts: FloatArray  # (trees,) annotations that are this tree
    sizes: FloatArray  # (trees,) |x|
    clusters: tuple[str, ...]  # by the size of their trees
    of_item: tuple[tuple[int, ...], ...]  # for every item, the tree of each annotation

    @property
    def delta_count(self) -> int:
        """The three of Skjærholt (2014)."""
        return len(DELTAS)

    def sums(self, rows: tuple[int, int]) -> FloatArray:
        """Return the sums between the clusters of *rows* and all from its first on."""
        arguments = (self.groups, self.counts, self.sizes, rows, (rows[0], len(self.clusters)))
        if self.costs is None:
            return self.corpus.sums(*arguments)
        return self.corpus.weighted_sums(*arguments, *self.costs.arrays)

    def squares(self, first: IntArray, second: IntArray) -> FloatArray:
        """Return the squares of the three distances of pairs of trees."""
        if self.costs is None:
            distances = self.corpus.distances(first, second).astype(np.float64)
        else:
            distances = self.corpus.weighted_distances(first, second, *self.costs.arrays)
        squares: FloatArray = deltas(distances, self.sizes[first], self.sizes[second]) ** 2
        return squares


def distinct_trees(
    used: Used, recipe: TedSums, pack: Callable[[Sequence[Tree]], Any] = kernels.pack
) -> DistinctTrees:
    """Return the trees of *used* in the kernel's form, with what *recipe* takes for their sizes and costs."""
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

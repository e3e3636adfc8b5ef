"""Exact match and tree edit distance of phrase-structure trees."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from arbitree import kernels
from arbitree.kinds.phrase.measures.parseval import PhraseMetric
from arbitree.kinds.phrase.measures.tree_pairs import PhraseStatistics
from arbitree.kinds.phrase.value import PhraseTree
from arbitree.measures.measure import Better, Shows, Tally
from arbitree.study.flat_tree import Tree, Vocabulary


@dataclass(frozen=True, slots=True)
class EditDistance(PhraseMetric):
    """The mean over sentences of the tree edit distance: nodes inserted, deleted and relabelled.

    Args:
        unlabelled: compare only the structure.
    """

    references: ClassVar[tuple[str, ...]] = ("zhang-shasha1989",)
    shows: ClassVar[Shows] = "disagreement"
    better: ClassVar[Better] = "lower"
    about: ClassVar[str] = "mean tree edit distance per sentence; lower is better"

    unlabelled: bool = False

    def apart(self, stats: PhraseStatistics) -> float:
        """Return the mean number of nodes: all of them relabelled."""
        return float(np.mean([len(tree) for pair in self._flat(stats) for tree in pair]))

    def _flat(self, stats: PhraseStatistics) -> list[tuple[Tree, Tree]]:
        vocabulary = Vocabulary()
        return stats.each(
            ("flat", self.unlabelled), lambda tree: tree.flatten(vocabulary, labelled=not self.unlabelled)
        )

    def count(self, stats: PhraseStatistics) -> Tally:
        """Return the distance of every pair over 1."""
        flat = self._flat(stats)
        corpus = kernels.pack([tree for pair in flat for tree in pair])
        first = np.arange(len(flat), dtype=np.int32) * np.int32(2)
        found = corpus.distances(first, first + np.int32(1)).astype(np.float64)
        return stats.tally_of([(distance, 1.0) for distance in found.tolist()])


@dataclass(frozen=True, slots=True)
class ExactMatch(PhraseMetric):
    """The share of sentences with the same tree.

    Args:
        unlabelled: compare only the structure.
    """

    references: ClassVar[tuple[str, ...]] = ("black1991",)
    about: ClassVar[str] = "share of sentences with the same tree"

    unlabelled: bool = False

    def count(self, stats: PhraseStatistics) -> Tally:
        """Return 1 over 1 for every pair of equal trees, 0 over 1 for the others."""
        pairs = stats.each(
            ("nodes", self.unlabelled), lambda tree: _nodes(tree, labelled=not self.unlabelled)
        )
        return stats.tally_of([(float(ours == theirs), 1.0) for ours, theirs in pairs])


def _nodes(tree: PhraseTree, *, labelled: bool) -> Counter[Any]:
    """Return label, words and depth of all nodes except traces."""
    depth = [0] * len(tree.labels)
    order = (*range(len(tree.words), len(tree.labels)), *range(len(tree.words)))  # parents first
    for node in order:
        if tree.parents[node] >= 0:
            depth[node] = depth[tree.parents[node]] + 1
    found = zip(tree.labels, tree.yields(), depth, strict=True)
    return Counter((label if labelled else "", words, level) for label, words, level in found if words)


PLUGINS = {"edit_distance": EditDistance(), "exact": ExactMatch()}

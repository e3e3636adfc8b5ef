"""Exact match and plain edit distance, for dependency trees and phrase structure alike."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from arbitree import kernels
from arbitree.kinds.dependency.measures.arc_pairs import Arcs
from arbitree.kinds.dependency.measures.attachment import ArcMetric, same_arcs, same_heads
from arbitree.kinds.dependency.measures.tree_shape import depths, other_depths, postorder
from arbitree.kinds.dependency.value import DepTree
from arbitree.kinds.phrase.measures.tree_pairs import PhraseStatistics
from arbitree.kinds.phrase.value import PhraseTree
from arbitree.measures.measure import FloatArray, Shows, Tally
from arbitree.study.flat_tree import Vocabulary


@dataclass(frozen=True, slots=True)
class EditDistance(ArcMetric):
    """The mean over sentences of the tree edit distance: nodes inserted, deleted and relabelled.

    Tokens that a cycle keeps from the root are not in the tree. Options for punctuation and subtypes are for
    dependency trees.

    Args:
        unlabelled: compare structure alone.
    """

    kinds: ClassVar[tuple[type, ...]] = (DepTree, PhraseTree)
    references: ClassVar[tuple[str, ...]] = ("zhang-shasha1989",)
    symmetric: ClassVar[bool] = True
    shows: ClassVar[Shows] = "disagreement"
    about: ClassVar[str] = "mean tree edit distance of a sentence; lower is better"

    unlabelled: bool = False

    def count(self, stats: Any) -> Tally:
        """Return the distance of every pair over 1."""
        if not isinstance(stats, PhraseStatistics):
            return ArcMetric.count(self, stats)
        vocabulary = Vocabulary()
        flat = stats.each(
            ("flat", self.unlabelled), lambda tree: tree.flatten(vocabulary, labelled=not self.unlabelled)
        )
        found = _distances(*kernels.arrays([tree for pair in flat for tree in pair]), step=2)
        return stats.tally_of([(distance, 1.0) for distance in found.tolist()])

    def count_in(self, arcs: Arcs) -> Tally:
        """Return the distance of every pair over 1."""
        if not len(arcs.item):
            return Tally(np.zeros(0), np.zeros(0))
        root = len(arcs.labelled)
        sides = ((arcs.gold, depths(arcs)), (arcs.other, other_depths(arcs)))
        ours, theirs = (
            postorder(words, np.zeros_like(words.labels) if self.unlabelled else words.labels, root, depth)
            for words, depth in sides
        )
        found = _distances(
            np.concatenate((ours.offsets, theirs.offsets[1:] + ours.offsets[-1])),
            np.concatenate((ours.labels, theirs.labels)),
            np.concatenate((ours.leftmost, theirs.leftmost)),
            step=1,
        )
        return Tally(arcs.per_item_of_pairs(found), np.ones(len(arcs.share)))


def _distances(offsets: Any, labels: Any, leftmost: Any, *, step: int) -> FloatArray:
    """Return the distances of pairs of trees, which lie side by side (step 2) or half way apart (1)."""
    pairs = (len(offsets) - 1) // 2
    first = np.arange(pairs, dtype=np.int32) * np.int32(step)
    second = first + np.int32(1 if step == 2 else pairs)
    found: FloatArray = kernels.Corpus(offsets, labels, leftmost).distances(first, second).astype(np.float64)
    return found


@dataclass(frozen=True, slots=True)
class ExactMatch(ArcMetric):
    """The share of sentences with the same tree.

    Args:
        unlabelled: compare structure alone.
    """

    kinds: ClassVar[tuple[type, ...]] = (DepTree, PhraseTree)
    references: ClassVar[tuple[str, ...]] = ("black1991",)
    symmetric: ClassVar[bool] = True
    about: ClassVar[str] = "share of sentences with the same tree"

    unlabelled: bool = False

    def count(self, stats: Any) -> Tally:
        """Return 1 over 1 for every pair of equal trees, 0 over 1 for the others."""
        if not isinstance(stats, PhraseStatistics):
            return ArcMetric.count(self, stats)
        pairs = stats.each(
            ("nodes", self.unlabelled), lambda tree: _nodes(tree, labelled=not self.unlabelled)
        )
        return stats.tally_of([(float(ours == theirs), 1.0) for ours, theirs in pairs])

    def count_in(self, arcs: Arcs) -> Tally:
        """Return the same for arcs; sentences with other words are not equal."""
        right = same_heads(arcs) if self.unlabelled else same_arcs(arcs)
        wrong = np.bincount(arcs.gold.pair, ~right & arcs.gold.scored, minlength=len(arcs.item))
        equal = (wrong == 0) & arcs.whole
        return Tally(arcs.per_item_of_pairs(equal), np.ones(len(arcs.share)))


def _nodes(tree: PhraseTree, *, labelled: bool) -> Counter[Any]:
    """Return label, words and depth of all nodes but traces, which makes up the tree."""
    depth = [0] * len(tree.labels)
    order = (*range(len(tree.words), len(tree.labels)), *range(len(tree.words)))  # parents first
    for node in order:
        if tree.parents[node] >= 0:
            depth[node] = depth[tree.parents[node]] + 1
    found = zip(tree.labels, tree.yields(), depth, strict=True)
    return Counter((label if labelled else "", words, level) for label, words, level in found if words)


PLUGINS = {"edit_distance": EditDistance(), "exact": ExactMatch()}

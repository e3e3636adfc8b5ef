"""Exact match and tree edit distance of dependency trees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from arbitree import kernels
from arbitree.kinds.dependency.graph import depths_of
from arbitree.kinds.dependency.measures.arc_pairs import Arcs, ArcStatistics, restricted
from arbitree.kinds.dependency.measures.attachment import ArcMetric, same_arcs, same_heads
from arbitree.kinds.dependency.measures.tree_shape import depths, other_depths, postorder
from arbitree.measures.measure import Better, Shows, Tally


@dataclass(frozen=True, slots=True)
class EditDistance(ArcMetric):
    """The mean over sentences of the tree edit distance: nodes inserted, deleted and relabelled.

    Tokens that a cycle disconnects from the root are excluded. Tokens that are not scored are removed, and
    their dependents attached to the nearest remaining ancestor.

    Args:
        unlabelled: compare only the structure.
    """

    references: ClassVar[tuple[str, ...]] = ("zhang-shasha1989",)
    symmetric: ClassVar[bool] = True
    shows: ClassVar[Shows] = "disagreement"
    better: ClassVar[Better] = "lower"
    about: ClassVar[str] = "mean tree edit distance per sentence; lower is better"

    unlabelled: bool = False

    def apart(self, stats: ArcStatistics) -> float:
        """Return the mean number of tokens: all of them relabelled."""
        return float(self.tally(stats).parts["tokens"].mean())

    def count_in(self, arcs: Arcs) -> Tally:
        """Return the distance of every pair over 1."""
        if not len(arcs.item):
            return Tally(np.zeros(0), np.zeros(0))
        root = len(arcs.labelled)
        sides = [(arcs.gold, depths(arcs)), (arcs.other, other_depths(arcs))]
        if not arcs.gold.scored.all():
            kept = restricted(arcs.gold, arcs.other, arcs.gold.scored, arcs.other.scored)
            sides = [(words, depths_of(words.heads)) for words in kept]
        ours, theirs = (
            postorder(words, np.zeros_like(words.labels) if self.unlabelled else words.labels, root, depth)
            for words, depth in sides
        )
        corpus = kernels.Corpus(
            np.concatenate((ours.offsets, theirs.offsets[1:] + ours.offsets[-1])),
            np.concatenate((ours.labels, theirs.labels)),
            np.concatenate((ours.leftmost, theirs.leftmost)),
        )
        first = np.arange(len(arcs.item), dtype=np.int32)
        found = corpus.distances(first, first + np.int32(len(arcs.item))).astype(np.float64)
        return Tally(arcs.per_item_of_pairs(found), np.ones(len(arcs.share)))


@dataclass(frozen=True, slots=True)
class ExactMatch(ArcMetric):
    """The share of sentences with the same tree.

    Args:
        unlabelled: compare only the structure.
    """

    references: ClassVar[tuple[str, ...]] = ("black1991",)
    symmetric: ClassVar[bool] = True
    about: ClassVar[str] = "share of sentences with the same tree"

    unlabelled: bool = False

    def count_in(self, arcs: Arcs) -> Tally:
        """Return 1 over 1 for every pair of equal trees, 0 over 1 for the others.

        Sentences with different words are not equal.
        """
        right = same_heads(arcs) if self.unlabelled else same_arcs(arcs)
        wrong = np.bincount(arcs.gold.pair, ~right & arcs.gold.scored, minlength=len(arcs.item))
        equal = (wrong == 0) & arcs.whole
        return Tally(arcs.per_item_of_pairs(equal), np.ones(len(arcs.share)))


PLUGINS = {"edit_distance": EditDistance(), "exact": ExactMatch()}

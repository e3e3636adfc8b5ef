"""Compute which nodes of two trees an optimal edit script matches."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arbitree.kernels import Corpus
from arbitree.kernels.costs import Costs, FloatArray
from arbitree.study.flat_tree import IntArray, Tree

# To relabel costs this part of the highest cost more, so that of the scripts with the least cost one
# that keeps the most labels is found; to match two different tokens costs this part of that. Powers of 2:
# with unit costs all sums stay exact for trees of some thousand nodes.
_TIE_SHARE = 2.0**-20
_TOKEN_SHARE = 2.0**-16


def mapping(
    first: Tree, second: Tree, costs: Costs | None = None, same: NDArray[np.bool_] | None = None
) -> list[tuple[int, int]]:
    """Return an optimal mapping from *first* to *second* as pairs of nodes in postorder.

    Of several optimal mappings, return one that keeps as many labels as possible, then as many tokens, and
    otherwise prefers matches to deletions.

    Args:
        first, second: Trees over one vocabulary.
        costs: Costs over that vocabulary; None: 1 each.
        same: (n, m) Which nodes represent the same token.
    Returns:
        (i, j) for matched nodes with equal or different labels, (i, -1) for deleted and (-1, j) for
        inserted nodes. Both columns are increasing.
    Reference:
        Zhang & Shasha (1989), section 2: the mapping of an edit script.
    Example:
        >>> from arbitree.study.flat_tree import Vocabulary, flatten
        >>> words = Vocabulary()
        >>> clause = flatten([[1, 2], [], []], ["S", "NP", "VP"], 0, words, size=3, leaves=2)
        >>> phrase = flatten([[1], []], ["S", "VP"], 0, words, size=2, leaves=1)
        >>> mapping(clause, phrase)
        [(0, -1), (1, 0), (2, 1)]
    """
    if first.vocabulary is not second.vocabulary:
        raise ValueError("the trees have two vocabularies, so their label numbers mean different things")
    matches = _Pair.of(first, second, costs, same).matches()
    return _script(matches, len(first), len(second))


def _script(matches: list[tuple[int, int]], n: int, m: int) -> list[tuple[int, int]]:
    """Insert the unmatched nodes between the matches."""
    script: list[tuple[int, int]] = []
    i = j = 0
    for x, y in [*sorted(matches), (n, m)]:
        script += [(deleted, -1) for deleted in range(i, x)]
        script += [(-1, inserted) for inserted in range(j, y)]
        script.append((x, y))
        i, j = x + 1, y + 1
    return script[:-1]


@dataclass(frozen=True)
class _Pair:
    """Two trees and the costs of their nodes."""

    l1: IntArray  # (n,) leftmost leaf under each node of the first tree
    l2: IntArray  # (m,)
    treedist: FloatArray  # (n, m) distance of every pair of trees
    relabel: FloatArray  # (n, m)
    delete: FloatArray  # (n,)
    insert: FloatArray  # (m,)
    slack: float  # smaller differences between two costs count as 0

    @classmethod
    def of(cls, first: Tree, second: Tree, costs: Costs | None, same: NDArray[np.bool_] | None) -> _Pair:
        """Compute the distances of all pairs of trees, with ties broken in favour of equal labels."""
        # A vocabulary can be far larger than the two trees: only their own labels are given to the kernel.
        both = np.concatenate([first.labels, second.labels])
        known, own = np.unique(both, return_inverse=True)
        labels = own.astype(np.int32)
        table, delete, insert = (
            Costs.unit(len(known)).over(np.arange(len(known), dtype=np.int32))
            if costs is None
            else costs.over(known)
        )
        highest = max(1e-300, *(float(array.max(initial=0)) for array in (table, delete, insert)))
        tie = 2.0 ** math.floor(math.log2(highest)) * _TIE_SHARE
        relabel = table + tie * (1 - np.eye(len(known)))
        slack = tie / 8
        if same is not None:  # every node gets its own label, so that costs can depend on its token
            relabel = relabel[np.ix_(labels, labels)]
            relabel[: len(first), len(first) :] += tie * _TOKEN_SHARE * ~same
            slack *= _TOKEN_SHARE
            delete, insert = delete[labels], insert[labels]
            labels = np.arange(len(both), dtype=np.int32)
        corpus = Corpus(
            np.array([0, len(first), len(first) + len(second)], dtype=np.int64),
            labels,
            np.concatenate([first.leftmost, second.leftmost]),
        )
        rows, columns = labels[: len(first)], labels[len(first) :]
        return cls(
            l1=first.leftmost,
            l2=second.leftmost,
            treedist=corpus.weighted_table(0, 1, relabel, delete, insert),
            relabel=relabel[np.ix_(rows, columns)],
            delete=delete[rows],
            insert=insert[columns],
            slack=slack,
        )

    def matches(self) -> list[tuple[int, int]]:
        """Trace back through the forests of the whole trees, then of every pair of subtrees on the path."""
        found: list[tuple[int, int]] = []
        todo = [(len(self.l1) - 1, len(self.l2) - 1)]
        while todo:
            i, j = todo.pop()
            forestdist = self.forestdist(i, j)
            top, left = self.l1[i], self.l2[j]
            x, y = i, j
            while x >= top and y >= left:
                whole = self.l1[x] == top and self.l2[y] == left
                if whole:
                    matched = forestdist[x - top, y - left] + self.relabel[x, y]
                else:
                    matched = forestdist[self.l1[x] - top, self.l2[y] - left] + self.treedist[x, y]
                deleted = forestdist[x - top, y - left + 1] + self.delete[x]
                inserted = forestdist[x - top + 1, y - left] + self.insert[y]
                if matched > min(deleted, inserted) + self.slack:
                    x, y = (x - 1, y) if deleted <= inserted + self.slack else (x, y - 1)
                elif whole:
                    found.append((x, y))
                    x, y = x - 1, y - 1
                else:
                    todo.append((x, y))
                    x, y = int(self.l1[x]) - 1, int(self.l2[y]) - 1
        return found

    def forestdist(self, i: int, j: int) -> FloatArray:
        """Return the distances of the forests l1(i)..x and l2(j)..y, in row x - l1(i) + 1; row 0 is empty.

        If both are whole trees, their distance is already known.
        """
        top, left = self.l1[i], self.l2[j]
        before = self.l2[left : j + 1] - left  # columns of the forests before each tree
        inserted = np.concatenate([[0.0], np.cumsum(self.insert[left : j + 1])])
        forests = np.empty((i - top + 2, j - left + 2))
        forests[0] = inserted
        for row, x in enumerate(range(top, i + 1), start=1):
            best = forests[row - 1] + self.delete[x]
            matched = forests[self.l1[x] - top, before] + self.treedist[x, left : j + 1]
            np.minimum(best[1:], matched, out=best[1:])
            # The least over all columns k <= y of best[k] plus the insertion of what lies between.
            forests[row] = np.minimum.accumulate(best - inserted) + inserted
        return forests

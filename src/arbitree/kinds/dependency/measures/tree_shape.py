"""Depths and yields of many dependency trees at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arbitree.kinds.dependency.graph import depths_of
from arbitree.kinds.dependency.measures.arc_pairs import Arcs, Ints, Words

Prints = NDArray[np.uint64]


def depths(arcs: Arcs) -> Ints:
    """Return the gold depth of every token: 1 under the artificial root, 0 if the root does not reach it."""
    found: Ints = arcs.once("depths", lambda: depths_of(arcs.gold.heads))
    return found


def other_depths(arcs: Arcs) -> Ints:
    """Return the depth of every token of the other tree."""
    found: Ints = arcs.once("other_depths", lambda: depths_of(arcs.other.heads))
    return found


def levels(depth: Ints) -> list[Ints]:
    """Return the tokens of every depth, starting at 1.

    Example:
        >>> [level.tolist() for level in levels(np.array([2, 1, 0, 2]))]
        [[1], [0, 3]]
    """
    order = np.argsort(depth, kind="stable")
    bounds = np.searchsorted(depth[order], np.arange(1, int(depth.max(initial=0)) + 1))
    return np.split(order, bounds)[1:]


@dataclass(frozen=True, slots=True)
class Yields:
    """The yield of every token: a fingerprint of its set of scored tokens, and their number.

    A fingerprint is the sum of random 64-bit numbers, one per gold token. Equal sets have equal fingerprints;
    a collision between different sets of one corpus is extremely unlikely.
    """

    prints: Prints
    sizes: Ints


def yields_of(words: Words, tokens: Prints, depth: Ints) -> Yields:
    """Return the yields of the trees in *words*, with the token numbers in *tokens*.

    Args:
        words: one side of the pairs.
        tokens: the number of every token; 0 for tokens that are not scored.
        depth: the depth of every token; 0 for tokens that the root does not reach.
    """
    prints = tokens.copy()
    sizes = words.scored.astype(np.intp)
    for level in reversed(levels(depth)[1:]):  # the deepest first; a root word has no parent to tell
        np.add.at(prints, words.heads[level], prints[level])
        np.add.at(sizes, words.heads[level], sizes[level])
    return Yields(prints, sizes)


@dataclass(frozen=True, slots=True)
class Postorder:
    """Trees in the format of the kernels: nodes in postorder, the artificial root last in each tree."""

    offsets: NDArray[np.int64]  # (pairs + 1,)
    labels: NDArray[np.int32]
    leftmost: NDArray[np.int32]


def postorder(words: Words, labels: Ints, root_label: int, depth: Ints) -> Postorder:
    """Return the trees of *words* in postorder, children in token order, without unreachable tokens.

    The leftmost leaf of a node comes first in its subtree. So the positions of the node and of that leaf
    follow from the start and the size of the subtree.
    """
    pairs = len(words.trees)
    reached = np.flatnonzero(depth > 0)
    place = np.full(len(words), -1, dtype=np.intp)
    place[reached] = np.arange(len(reached)) + pairs  # the first nodes are the roots
    heads = words.heads[reached]
    parents = np.where(heads >= 0, place[heads], words.pair[reached])
    nodes = pairs + len(reached)
    sizes = np.ones(nodes, dtype=np.intp)
    by_level = levels(depth[reached])
    for members in reversed(by_level):
        np.add.at(sizes, parents[members], sizes[members + pairs])
    before = _sizes_before(parents, sizes[pairs:])
    totals = sizes[:pairs]
    begin = np.zeros(nodes, dtype=np.intp)  # within the tree
    for members in by_level:
        begin[members + pairs] = begin[parents[members]] + before[members]
    offsets = np.concatenate(([0], np.cumsum(totals))).astype(np.int64)
    tree = np.concatenate((np.arange(pairs), words.pair[reached]))
    target = offsets[tree] + begin + sizes - 1
    ordered = np.empty(nodes, dtype=np.int32)
    leftmost = np.empty(nodes, dtype=np.int32)
    ordered[target] = np.concatenate((np.full(pairs, root_label), labels[reached]))
    leftmost[target] = begin
    return Postorder(offsets, ordered, leftmost)


def _sizes_before(parents: Ints, sizes: Ints) -> Ints:
    """Return the sum of the sizes of the earlier siblings of every node."""
    order = np.argsort(parents, kind="stable")  # siblings together, in token order
    running = np.cumsum(sizes[order]) - sizes[order]
    sorted_parents = parents[order]
    starts = np.flatnonzero(np.diff(sorted_parents, prepend=-1))
    base = np.repeat(running[starts], np.diff(np.append(starts, len(order))))
    before = np.empty(len(order), dtype=np.intp)
    before[order] = running - base
    return before

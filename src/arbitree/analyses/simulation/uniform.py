"""Heads without a bias: every tree over the same tokens is as likely as every other.

Reference:
    Wilson (1996), Generating random spanning trees more quickly than the cover time.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from random import Random

from arbitree.analyses.simulation.drawing import pick
from arbitree.data.dependency import DepTree


@dataclass(frozen=True, slots=True)
class Unbiased:
    """Releases each token with the probability of the level, and draws heads for those released.

    The result is uniform over all trees in which the other tokens have the heads that they had. At level 1
    it is uniform over all trees: (n + 1)^(n - 1) of n tokens, or n^(n - 1) with a single root.

    Args:
        single_root: whether one token alone may hang on the artificial root.
    Example:
        >>> tree = DepTree(("birds", "sing"), (2, 0), ("nsubj", "root"))
        >>> {Unbiased()(tree, 1.0, Random(seed)).heads for seed in range(50)} == {(0, 0), (0, 1), (2, 0)}
        True
    """

    single_root: bool = False

    def __call__(self, tree: DepTree, level: float, rng: Random) -> DepTree:
        """Return *tree* with noise of this level."""
        released = [token for token in range(1, len(tree) + 1) if rng.random() < level]
        return replace(tree, heads=draw_heads(tree.heads, released, rng, single_root=self.single_root))


def draw_heads(
    heads: Sequence[int], released: Collection[int], rng: Random, *, single_root: bool = False
) -> tuple[int, ...]:
    """Return heads, drawn uniformly from those of all trees that keep the heads of tokens not *released*.

    With *single_root*, all but the first of the tokens that are to stay under the artificial root are
    released too, since no tree could keep them.
    """
    free = set(released)
    if single_root:
        free |= set([token for token, head in enumerate(heads, 1) if head == 0 and token not in free][1:])
    if not free:
        return tuple(heads)
    tops = _tops(heads, free)
    new = list(heads)
    closed = single_root and any(head == 0 and t not in free for t, head in enumerate(heads, 1))
    start = 0
    if single_root and not closed:
        # A tree's top is the top of one part: as often as that part has tokens, by the count of such trees.
        start = tops[pick(range(1, len(tops)), rng)]
        new[start - 1] = 0
    _walk(new, sorted(free - {start}), tops, start, 1 if single_root else 0, rng)
    return tuple(new)


def _tops(heads: Sequence[int], free: set[int]) -> list[int]:
    """Return for every node the released token above it, itself included, or 0: the name of its part."""
    tops = [0] + [-1] * len(heads)
    for token in range(1, len(tops)):
        path = []
        node = token
        while tops[node] < 0 and node not in free:
            path.append(node)
            node = heads[node - 1]
        top = tops[node] if tops[node] >= 0 else node
        for each in (*path, node):
            tops[each] = top
    return tops


def _walk(new: list[int], free: list[int], tops: list[int], start: int, lowest: int, rng: Random) -> None:
    """Give the *free* tokens heads by random walks over the parts that end in the tree grown so far.

    A walk leaves a part for a node outside it, each with the same chance; the last step from every part
    counts, so loops erase themselves.
    """
    nodes = range(lowest, len(tops))
    reached = {start}
    for token in free:
        top = token
        while top not in reached:
            node = pick(nodes, rng)
            if tops[node] == top:
                continue
            new[top - 1] = node
            top = tops[node]
        top = token
        while top not in reached:
            reached.add(top)
            top = tops[new[top - 1]]

"""Heads of tokens that are fixed, open or wanted: circles among them, and whether a tree can come of them.

Heads are a list with the number of a token as its place. Place 0, the artificial root, is not looked at; None
stands for a head that is not decided.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from arbitree.analyses.coders.spanning import spanning_tree

Heads = Sequence[int | None]

_KEPT, _COSTLY, _NEVER = 0.0, -1.0, -1e6  # scores of edges: as it is, a decision changed, not to be had


def circle_through(heads: Heads, token: int) -> list[int]:
    """Return the tokens of the circle that *token* is on, upwards from it; none if there is no such circle.

    Example:
        >>> circle_through([None, 2, 3, 1, 1], 3), circle_through([None, 2, 3, 1, 1], 4)
        ([3, 1, 2], [])
    """
    path = [token]
    above = heads[token]
    while above:
        if above == token:
            return path
        if len(path) == len(heads):  # it runs into a circle that the token is not on
            return []
        path.append(above)
        above = heads[above]
    return []


def circles(heads: Heads) -> list[list[int]]:
    """Return all circles, each from its first token.

    Example:
        >>> circles([None, 2, 1, 3, 0])
        [[1, 2], [3]]
    """
    found = (circle_through(heads, token) for token in range(1, len(heads)))
    return [circle for circle in found if circle and circle[0] == min(circle)]


def unreached(candidates: Sequence[Sequence[int]], *, one_root: bool = False) -> list[int]:
    """Return tokens that no tree over the *candidates* for their heads can hold; none if there is a tree.

    Args:
        candidates: for every token the heads that it may have, the place 0 aside.
        one_root: exactly one token hangs from the root. If no choice of that token makes a tree, the answer
            is for the choice that leaves fewest tokens out.

    Example:
        >>> unreached([[], [0], [1, 3], [2]]), unreached([[], [0], [3], [2]])
        ([], [2, 3])
    """
    below: list[list[int]] = [[] for _ in candidates]
    for token in range(1, len(candidates)):
        for head in candidates[token]:
            below[head].append(token)
    if not one_root:
        return _not_below(below, 0)
    forced = [token for token in below[0] if len(candidates[token]) == 1]
    if len(forced) > 1:
        return forced[1:]
    return min(
        (_not_below(below, root) for root in forced or below[0]), key=len, default=_not_below(below, 0)
    )


def _not_below(below: Sequence[Sequence[int]], top: int) -> list[int]:
    reached, stack = {0, top}, [top]
    while stack:
        for token in below[stack.pop()]:
            if token not in reached:
                reached.add(token)
                stack.append(token)
    return [token for token in range(1, len(below)) if token not in reached]


def nearest_tree(
    candidates: Sequence[Sequence[int]], decided: Mapping[int, int], *, one_root: bool = False
) -> list[int] | None:
    """Return the heads of a tree over *candidates* that changes fewest of those *decided*; None if none is.

    Example:
        >>> nearest_tree([[], [2], [1, 3], [0]], {2: 1})
        [0, 2, 3, 0]
    """
    scores = np.full((len(candidates), len(candidates)), _NEVER)
    for token in range(1, len(candidates)):
        for head in candidates[token]:
            scores[head, token] = _KEPT if decided.get(token, head) == head else _COSTLY
    heads = [0, *spanning_tree(scores, single_root=one_root)]
    fits = all(heads[token] in candidates[token] for token in range(1, len(heads)))
    return heads if fits and (not one_root or heads[1:].count(0) == 1) else None

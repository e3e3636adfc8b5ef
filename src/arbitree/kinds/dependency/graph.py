"""Graph algorithms on heads: cycles, depths, reachable tokens, and the best tree over scored edges."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
Ints = NDArray[np.intp]

ROOT = -1  # as a head in arrays of many trees: the artificial root


class Contraction(NamedTuple):
    """A cycle contracted to one node, named after its first member."""

    cycle: list[int]
    inside: dict[int, int]  # of each member, its head on the cycle
    enter: NDArray[np.intp]  # for each node, the member that an edge from it enters
    leave: NDArray[np.intp]  # for each node, the member that an edge to it leaves


def spanning_tree(scores: FloatArray, *, single_root: bool = False) -> tuple[int, ...]:
    """Return the heads of the tree with the highest sum of scores; node 0 is the artificial root.

    Args:
        scores: (n + 1, n + 1), of the edge from head (row) to dependent (column). All edges between
            different nodes must be finite, except those to the root; the diagonal is ignored.
        single_root: attach exactly one token to the artificial root.
    Returns:
        The head of every token, as a DepTree has them. Ties go to the head with the lower number.
    Reference:
        Chu and Liu (1965); Edmonds (1967).
    Example:
        >>> spanning_tree(np.log([[1, 0.1, 0.2], [1, 1, 0.9], [1, 0.8, 1]]))
        (2, 0)
    """
    size = len(scores)
    if size < 2:
        return ()
    work = np.array(scores, dtype=float)
    work[:, 0] = -np.inf
    if single_root:
        edges = work[:, 1:][~np.eye(size, dtype=bool)[:, 1:]]
        work[0] -= (edges.max() - edges.min() + 1) * size  # two roots cost more than any edges could win
    np.fill_diagonal(work, -np.inf)
    alive = np.ones(size, dtype=bool)
    heads = np.argmax(work, axis=0)
    heads[0] = -1
    contracted: list[Contraction] = []
    while cycle := next(_cycles(heads.tolist(), np.flatnonzero(alive).tolist()), []):
        contracted.append(_contract(work, alive, heads, cycle))
    for step in reversed(contracted):
        _expand(heads, step)
    return tuple(int(head) for head in heads[1:])


def _contract(
    work: FloatArray, alive: NDArray[np.bool_], heads: NDArray[np.intp], cycle: list[int]
) -> Contraction:
    """Contract *cycle* to one node: an edge into it costs the edge on the cycle that it replaces."""
    members = np.array(sorted(cycle))
    first = int(members[0])
    entering = work[:, members] - work[heads[members], members]
    leaving = work[members]
    enter, leave = members[np.argmax(entering, axis=1)], members[np.argmax(leaving, axis=0)]
    inside = {node: int(heads[node]) for node in cycle}
    work[:, first] = entering.max(axis=1)
    work[first] = leaving.max(axis=0)
    work[:, members[1:]] = work[members[1:]] = -np.inf
    work[first, first] = -np.inf
    work[:, 0] = -np.inf
    alive[members[1:]] = False
    heads[first] = int(np.argmax(work[:, first]))
    heads[alive & np.isin(heads, members)] = first
    return Contraction(cycle, inside, enter, leave)


def _expand(heads: NDArray[np.intp], step: Contraction) -> None:
    """Expand a contracted cycle: the entering edge replaces one edge of the cycle."""
    first = min(step.cycle)
    head = int(heads[first])
    below = np.flatnonzero(heads == first)
    heads[below] = step.leave[below]
    for node, inner in step.inside.items():
        heads[node] = inner
    heads[step.enter[head]] = head


Heads = Sequence[int | None]

_KEPT, _COSTLY, _NEVER = 0.0, -1.0, -1e6  # scores of edges: as it is, a decision changed, not to be had


def cycle_through(heads: Heads, token: int) -> list[int]:
    """Return the tokens of the cycle that *token* is on, upwards from it; none if there is no such cycle.

    Example:
        >>> cycle_through([None, 2, 3, 1, 1], 3), cycle_through([None, 2, 3, 1, 1], 4)
        ([3, 1, 2], [])
    """
    path = [token]
    above = heads[token]
    while above:
        if above == token:
            return path
        if len(path) == len(heads):  # it runs into a cycle that the token is not on
            return []
        path.append(above)
        above = heads[above]
    return []


def cycles(heads: Heads) -> list[list[int]]:
    """Return all cycles, each upwards from its first token.

    Example:
        >>> cycles([None, 2, 1, 3, 0])
        [[1, 2], [3]]
    """
    found = []
    for cycle in _cycles(heads, range(1, len(heads))):
        first = cycle.index(min(cycle))
        found.append(cycle[first:] + cycle[:first])
    return sorted(found)


def _cycles(heads: Heads, starts: Iterable[int]) -> Iterator[list[int]]:
    """Yield the cycles that are reached upwards from *starts*, each once."""
    seen = [0] * len(heads)  # the start of the walk that came by
    for start in starts:
        node: int | None = start
        while node and not seen[node]:
            seen[node] = start
            node = heads[node]
        if node and seen[node] == start:
            cycle = [node]
            while (above := heads[cycle[-1]]) is not None and above != node:
                cycle.append(above)
            yield cycle


def depths_of(heads: Ints) -> Ints:
    """Return the depth of every token: 1 under the root, 0 if the root does not reach it.

    Args:
        heads: the heads of many trees, each a token index or ROOT; other negative numbers are unreachable.

    Example:
        >>> depths_of(np.array([1, -1, 3, 1])).tolist()
        [2, 1, 3, 2]
    """
    depth: Ints = (heads == ROOT).astype(np.intp)
    open_ones = np.flatnonzero(heads >= 0)
    level = 1
    while len(open_ones):
        below = depth[heads[open_ones]] == level
        if not below.any():  # the rest is on cycles or below them
            break
        level += 1
        depth[open_ones[below]] = level
        open_ones = open_ones[~below]
    return depth


def unreached(candidates: Sequence[Sequence[int]], *, one_root: bool = False) -> list[int]:
    """Return the tokens that no tree over the *candidates* for their heads can contain.

    Args:
        candidates: the possible heads of every token; index 0 is not used.
        one_root: allow exactly one token under the root. If no choice of that token gives a tree, the result
            is for the choice that excludes the fewest tokens.

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
    """Return the heads of a tree over *candidates* that changes the fewest *decided* heads, or None.

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

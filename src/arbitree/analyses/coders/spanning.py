"""The best tree over scored edges, by the algorithm of Chu and Liu, and of Edmonds."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


class Contraction(NamedTuple):
    """A cycle that became one node, named after its first member."""

    cycle: list[int]
    inside: dict[int, int]  # of each member, its head on the cycle
    enter: NDArray[np.intp]  # for each node, the member that an edge from it enters
    leave: NDArray[np.intp]  # for each node, the member that an edge to it leaves


def spanning_tree(scores: FloatArray, *, single_root: bool = False) -> tuple[int, ...]:
    """Return the heads of the tree with the highest sum of scores; node 0 is the artificial root.

    Args:
        scores: (n + 1, n + 1), of the edge from head (row) to dependent (column). All edges between
            different nodes must be finite, except those to the root; the diagonal is not looked at.
        single_root: exactly one token hangs from the artificial root.
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
    while cycle := _cycle(heads, alive):
        contracted.append(_contract(work, alive, heads, cycle))
    for step in reversed(contracted):
        _expand(heads, step)
    return tuple(int(head) for head in heads[1:])


def _cycle(heads: NDArray[np.intp], alive: NDArray[np.bool_]) -> list[int]:
    """Return the nodes of a cycle, or none."""
    seen = np.zeros(len(heads), dtype=np.intp)  # the walk that came by, 0 for none
    seen[0] = -1
    for start in np.flatnonzero(alive):
        node = int(start)
        walk = node + 1
        while seen[node] == 0:
            seen[node] = walk
            node = int(heads[node])
        if seen[node] == walk:
            cycle = [node]
            while int(heads[cycle[-1]]) != node:
                cycle.append(int(heads[cycle[-1]]))
            return cycle
    return []


def _contract(
    work: FloatArray, alive: NDArray[np.bool_], heads: NDArray[np.intp], cycle: list[int]
) -> Contraction:
    """Make one node of *cycle*: an edge into it costs the edge on the cycle that it replaces."""
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
    """Take the cycle apart again: one edge of it gives way to that which enters."""
    first = min(step.cycle)
    head = int(heads[first])
    below = np.flatnonzero(heads == first)
    heads[below] = step.leave[below]
    for node, inner in step.inside.items():
        heads[node] = inner
    heads[step.enter[head]] = head

"""The alignment of graphs as an integer program, for parts that branch and bound does not solve quickly."""

from __future__ import annotations

import math

import numpy as np

from arbitree.kinds.graphs.alignment import Alignment, Pair, Problem

Row = dict[int, float]  # coefficients by variable


def programmed(problem: Problem, start: Alignment, most: int, seconds: float) -> Alignment:
    """Return a best alignment of *problem*, or *start* with a bound if the time limit is hit.

    Formula:
        max Σ u x + Σ w y, x binary, y in [0, 1], every node in at most one x, and for each pair p and each
        other node, Σ y over the pairs of that node ≤ x_p. A gap below 1 proves integers.

    Args:
        problem: The pairs and their gains.
        start: An alignment, which is returned unless a better one is proved to be the best.
        most: A bound that no alignment exceeds.
        seconds: The time limit.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array

    pairs = sorted(problem.own)
    place = {pair: number for number, pair in enumerate(pairs)}
    together = [
        (place[one], place[two], gain)
        for one in pairs
        for two, gain in problem.common.get(one, {}).items()
        if one < two
    ]
    costs = np.array([-problem.own[pair] for pair in pairs] + [-gain for *_, gain in together], dtype=float)
    rows, limits = _constraints(pairs, together)
    entries = [(number, column, value) for number, row in enumerate(rows) for column, value in row.items()]
    lines, columns, values = zip(*entries, strict=True)
    table = csr_array((values, (lines, columns)), shape=(len(rows), len(costs)))
    found = milp(
        costs,
        integrality=np.r_[np.ones(len(pairs)), np.zeros(len(together))],
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(table, ub=np.array(limits)),
        options={"time_limit": seconds, "mip_rel_gap": 0.999 / max(1, most)},
    )
    if found.status == 0 and found.x is not None:
        chosen = [pair for pair, value in zip(pairs, found.x[: len(pairs)], strict=True) if value > 0.5]
        gain = round(-found.fun)
        return Alignment(dict(chosen), gain, gain) if gain > start.gain else start
    bound = found.mip_dual_bound
    limit = most if bound is None or not math.isfinite(bound) else math.floor(1e-6 - bound)
    return Alignment(start.pairs, start.gain, max(start.gain, min(limit, most)))


def _constraints(pairs: list[Pair], together: list[tuple[int, int, int]]) -> tuple[list[Row], list[float]]:
    """Return the rows of the constraints and their upper limits."""
    nodes: dict[tuple[int, int], Row] = {}  # by side and node
    for number, pair in enumerate(pairs):
        for side in (0, 1):
            nodes.setdefault((side, pair[side]), {})[number] = 1.0
    shared: dict[tuple[int, int, int], Row] = {}  # by pair, side and node of the other pair
    for number, (one, two, _) in enumerate(together, start=len(pairs)):
        for this, other in ((one, two), (two, one)):
            for side in (0, 1):
                row = shared.setdefault((this, side, pairs[other][side]), {this: -1.0})
                row[number] = 1.0
    return [*nodes.values(), *shared.values()], [1.0] * len(nodes) + [0.0] * len(shared)

"""The heaviest matching of the nodes of two graphs, which is unique: an integer program, solved part by part.

A pair of nodes has a weight, and two pairs that are chosen together can have a further weight, such as the
number of relations that they share. Of all heaviest matchings, the one is returned in which the first node
has the earliest partner, then the second node, and so on; no partner comes last.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

Pair = tuple[int, int]  # a node of the first graph and one of the second
NODES = 5000  # of the search tree, after which the best matching so far is taken: not seconds, which vary


@dataclass(slots=True)
class Weights:
    """Weights of pairs of nodes, and of two pairs that are chosen together."""

    pairs: dict[Pair, int] = field(default_factory=lambda: defaultdict(int))
    links: dict[Pair, dict[Pair, int]] = field(default_factory=lambda: defaultdict(dict))

    def add(self, pair: Pair, weight: int) -> None:
        """Add to the weight of a pair."""
        self.pairs[pair] += weight

    def link(self, one: Pair, other: Pair, weight: int) -> None:
        """Add to the weight of two pairs that are chosen together."""
        for here, there in ((one, other), (other, one)):
            self.links[here][there] = self.links[here].get(there, 0) + weight

    def value(self, chosen: Collection[Pair]) -> int:
        """Return the weight of a matching."""
        among = set(chosen)
        linked = sum(w for one in among for other, w in self.links.get(one, {}).items() if other in among)
        return sum(self.pairs[pair] for pair in among) + linked // 2


def heaviest(weights: Weights) -> dict[int, int]:
    """Return the preferred one of the heaviest matchings: the partners of nodes of the first graph.

    Weights of links must not be negative.

    Example:
        >>> weights = Weights()
        >>> for pair, weight in (((0, 0), 1), ((0, 1), 1), ((1, 0), 2)):
        ...     weights.add(pair, weight)
        >>> heaviest(weights)
        {0: 1, 1: 0}
    """
    left = _Problem(dict(weights.pairs), {pair: dict(own) for pair, own in weights.links.items()})
    found = left.settle()
    for part in left.parts():
        found |= _preferred(part)
    return dict(sorted(found.items()))


@dataclass(slots=True)
class _Problem:
    """Pairs that can be chosen, their weights, and those of two pairs together."""

    pairs: dict[Pair, int]
    links: dict[Pair, dict[Pair, int]]
    first: dict[int, set[Pair]] = field(default_factory=lambda: defaultdict(set))
    second: dict[int, set[Pair]] = field(default_factory=lambda: defaultdict(set))

    def __post_init__(self) -> None:
        for pair in [*self.pairs, *self.links]:
            self.pairs.setdefault(pair, 0)
            self.first[pair[0]].add(pair)
            self.second[pair[1]].add(pair)

    def settle(self) -> dict[int, int]:
        """Choose the pairs that are in every heaviest matching, and drop those that are in none."""
        found: dict[int, int] = {}
        changed = True
        while changed:
            changed = False
            reach = {pair: self._reach(pair) for pair in self.pairs}
            for pair in [pair for pair, most in reach.items() if most <= 0]:
                self._drop(pair)
                changed = True
            for pair in sorted(self.pairs):  # choosing a pair never increases what others can reach
                if pair not in self.pairs:
                    continue
                rest = [
                    max((reach[other] for other in own if other != pair), default=0)
                    for own in (self.first[pair[0]], self.second[pair[1]])
                ]
                if self.pairs[pair] > max(rest[0], 0) + max(rest[1], 0):
                    found[pair[0]] = pair[1]
                    self.choose(pair)
                    changed = True
        return found

    def choose(self, pair: Pair) -> None:
        """Choose a pair: others of its nodes are dropped, and links to it become weights."""
        for other, weight in self.links.get(pair, {}).items():
            if other in self.pairs:
                self.pairs[other] += weight
        for other in self.first[pair[0]] | self.second[pair[1]]:
            self._drop(other)

    def parts(self) -> Iterator[_Problem]:
        """Yield the parts that do not share nodes or links, each to be solved alone."""
        seen: set[Pair] = set()
        for start in sorted(self.pairs):
            if start in seen:
                continue
            part, stack = set(), [start]
            while stack:
                pair = stack.pop()
                if pair in part:
                    continue
                part.add(pair)
                stack += self.first[pair[0]] | self.second[pair[1]] | self.links.get(pair, {}).keys()
            seen |= part
            yield self.reduced(part)

    def reduced(self, kept: Collection[Pair]) -> _Problem:
        """Return the problem with these pairs only."""
        return _Problem(
            {pair: self.pairs[pair] for pair in kept},
            {
                pair: own
                for pair in kept
                if (own := {other: w for other, w in self.links.get(pair, {}).items() if other in kept})
            },
        )

    def bound(self) -> float:
        """Return a number that no matching exceeds: links count half for each of their pairs."""
        best = {pair: self.pairs[pair] + self._linked(pair) / 2 for pair in self.pairs}
        return min(
            sum(max(0.0, *(best[pair] for pair in own)) for own in side.values() if own)
            for side in (self.first, self.second)
        )

    def _reach(self, pair: Pair) -> int:
        return self.pairs[pair] + self._linked(pair)

    def _linked(self, pair: Pair) -> int:
        """Return the most that links add to a pair: one link for each other node."""
        most = [dict[int, int](), dict[int, int]()]
        for other, weight in self.links.get(pair, {}).items():
            for side in (0, 1):
                most[side][other[side]] = max(most[side].get(other[side], 0), weight)
        return min(sum(side.values()) for side in most)

    def _drop(self, pair: Pair) -> None:
        self.pairs.pop(pair, None)
        self.first[pair[0]].discard(pair)
        self.second[pair[1]].discard(pair)
        for other in self.links.pop(pair, {}):
            self.links.get(other, {}).pop(pair, None)


def _preferred(part: _Problem) -> dict[int, int]:
    """Return the heaviest matching of a part, with the earliest partners."""
    found = _solved(part)
    most = Weights(part.pairs, part.links).value(found.items())
    fixed: dict[int, int] = {}
    for node in sorted(part.first):
        for pair in sorted(part.first[node]):
            if pair[1] == found.get(node):
                break
            gain, rest = _forced(part, {**fixed, node: pair[1]})
            if pair[1] in fixed.values() or gain + rest.bound() < most:
                continue
            tried = {**fixed, node: pair[1], **_solved(rest)}
            if Weights(part.pairs, part.links).value(tried.items()) == most:
                found = tried
                break
        if node in found:
            fixed[node] = found[node]
    return found


def _forced(part: _Problem, chosen: Mapping[int, int]) -> tuple[int, _Problem]:
    """Return the weight of chosen pairs, and the problem that they leave."""
    rest = part.reduced(part.pairs.keys())
    gain = 0
    for pair in chosen.items():
        gain += rest.pairs.get(pair, 0)
        rest.choose(pair)
    skipped = [pair for pair in rest.pairs if pair[0] < max(chosen) and pair[0] not in chosen]
    return gain, rest.reduced(rest.pairs.keys() - set(skipped))


def _solved(part: _Problem) -> dict[int, int]:
    """Return a heaviest matching, by an integer program.

    Formula:
        maximise Σ u_p x_p + Σ w_pq y_pq, with every node in at most one x_p = 1, and, for each pair p and
        each other node, the sum of y_pq over the pairs q of this node at most x_p.
    """
    if not part.pairs:
        return {}
    import numpy as np
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array

    pairs = sorted(part.pairs)
    columns = {pair: number for number, pair in enumerate(pairs)}
    linked = [(p, q, w) for p in pairs for q, w in sorted(part.links.get(p, {}).items()) if p < q]
    gains = np.array([*(part.pairs[pair] for pair in pairs), *(w for *_, w in linked)], dtype=np.float64)
    rows = list(_rows(pairs, columns, linked))
    entries = [(number, place, value) for number, (row, _) in enumerate(rows) for place, value in row]
    number, place, value = (np.array(each) for each in zip(*entries, strict=True))
    matrix = csr_array((value.astype(np.float64), (number, place)), shape=(len(rows), len(gains)))
    result = milp(
        -gains,
        integrality=np.array([1] * len(pairs) + [0] * len(linked)),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(matrix, -np.inf, np.array([most for _, most in rows], dtype=np.float64)),
        options={"mip_rel_gap": 0.5 / max(part.bound(), 1.0), "node_limit": NODES},
    )
    if result.x is None:
        return _greedy(part)
    return {pair[0]: pair[1] for pair, chosen in zip(pairs, result.x, strict=False) if chosen > 0.5}


Row = tuple[list[tuple[int, float]], float]  # coefficients by column, and the largest sum


def _rows(
    pairs: Iterable[Pair], columns: Mapping[Pair, int], linked: list[tuple[Pair, Pair, int]]
) -> Iterator[Row]:
    nodes: dict[tuple[int, int], list[tuple[int, float]]] = defaultdict(list)
    for pair in pairs:
        for side in (0, 1):
            nodes[side, pair[side]].append((columns[pair], 1.0))
    for row in nodes.values():
        yield row, 1.0
    together: dict[tuple[Pair, int, int], list[tuple[int, float]]] = defaultdict(list)
    for number, (one, other, _) in enumerate(linked, start=len(columns)):
        for here, there in ((one, other), (other, one)):
            for side in (0, 1):
                together[here, side, there[side]].append((number, 1.0))
    for (pair, _, _), row in together.items():
        yield [*row, (columns[pair], -1.0)], 0.0


def _greedy(part: _Problem) -> dict[int, int]:
    """Return a matching that takes the pair with the greatest weight first."""
    rest, found = part.reduced(part.pairs.keys()), {}
    while rest.pairs:
        pair = max(sorted(rest.pairs), key=rest.pairs.__getitem__)
        if rest.pairs[pair] <= 0:
            break
        found[pair[0]] = pair[1]
        rest.choose(pair)
    return found

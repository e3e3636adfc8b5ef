"""The preferred one of the best alignments of two graphs, which is unique.

Of all alignments that gain most, the one is preferred in which the first node has the earliest partner, then
the second node, and so on; no partner comes last.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from arbitree.kinds.graphs.alignment import Alignment, Pair, Problem, solve


def preferred(problem: Problem) -> tuple[dict[int, int], bool]:
    """Return the preferred one of the best alignments, and whether it is proved to be a best one.

    Example:
        >>> preferred(Problem({(0, 0): 1, (0, 1): 1, (1, 0): 2}))
        ({0: 1, 1: 0}, True)
        >>> preferred(Problem({(0, 0): 1, (0, 1): 1, (1, 0): 1, (1, 1): 1}))
        ({0: 0, 1: 1}, True)
    """
    left = _Part({**problem.own}, {pair: dict(own) for pair, own in problem.common.items()})
    found = left.settle()
    exact = True
    for part in left.parts():
        best = solve(Problem(part.own, part.common))
        exact &= best.exact
        found |= _earliest(part, best)
    return dict(sorted(found.items())), exact


@dataclass(slots=True)
class _Part:
    """Pairs that can be chosen, what they gain, and what two of them gain together."""

    own: dict[Pair, int]
    common: dict[Pair, dict[Pair, int]]
    first: dict[int, set[Pair]] = field(default_factory=lambda: defaultdict(set))
    second: dict[int, set[Pair]] = field(default_factory=lambda: defaultdict(set))

    def __post_init__(self) -> None:
        for pair in self.own:
            self.first[pair[0]].add(pair)
            self.second[pair[1]].add(pair)

    def settle(self) -> dict[int, int]:
        """Choose the pairs that are in every best alignment, and drop those that are in none.

        A pair is in all of them if it gains more alone than other partners of its nodes could at most.
        """
        found: dict[int, int] = {}
        changed = True
        while changed:
            changed = False
            most = {pair: own + self._together(pair) for pair, own in self.own.items()}
            for pair in [pair for pair, gain in most.items() if gain <= 0]:
                self._drop(pair)
                changed = True
            for pair in sorted(self.own):
                if pair not in self.own:  # choosing a pair never increases what others can gain
                    continue
                rivals = [
                    max((most[other] for other in near if other != pair), default=0)
                    for near in (self.first[pair[0]], self.second[pair[1]])
                ]
                if self.own[pair] > sum(max(gain, 0) for gain in rivals):
                    found[pair[0]] = pair[1]
                    self.choose(pair)
                    changed = True
        return found

    def choose(self, pair: Pair) -> None:
        """Choose a pair: others of its nodes are dropped, and common gains with it become gains."""
        for other, gain in self.common.get(pair, {}).items():
            self.own[other] += gain
        for other in self.first[pair[0]] | self.second[pair[1]]:
            self._drop(other)

    def parts(self) -> Iterator[_Part]:
        """Yield the parts that share no node and no gain, each to be solved alone."""
        seen: set[Pair] = set()
        for start in sorted(self.own):
            if start in seen:
                continue
            part: set[Pair] = set()
            stack = [start]
            while stack:
                pair = stack.pop()
                if pair not in part:
                    part.add(pair)
                    stack += self.first[pair[0]] | self.second[pair[1]] | self.common.get(pair, {}).keys()
            seen |= part
            yield self.only(part)

    def only(self, kept: Collection[Pair]) -> _Part:
        """Return the part with these pairs only."""
        return _Part(
            {pair: self.own[pair] for pair in kept},
            {
                pair: {other: gain for other, gain in self.common[pair].items() if other in kept}
                for pair in kept
                if pair in self.common
            },
        )

    def bound(self) -> float:
        """Return a number that no alignment exceeds: common gains count half for each of their pairs."""
        most = {pair: own + self._together(pair) / 2 for pair, own in self.own.items()}
        return min(
            sum(max(0.0, *(most[pair] for pair in near)) for near in side.values() if near)
            for side in (self.first, self.second)
        )

    def _together(self, pair: Pair) -> int:
        """Return what a pair gains at most together with others: one pair for every other node."""
        most: tuple[dict[int, int], dict[int, int]] = ({}, {})
        for other, gain in self.common.get(pair, {}).items():
            for found, node in zip(most, other, strict=True):
                found[node] = max(found.get(node, 0), gain)
        return min(sum(found.values()) for found in most)

    def _drop(self, pair: Pair) -> None:
        self.own.pop(pair, None)
        self.first[pair[0]].discard(pair)
        self.second[pair[1]].discard(pair)
        for other in self.common.pop(pair, {}):
            self.common.get(other, {}).pop(pair, None)


def _earliest(part: _Part, best: Alignment) -> dict[int, int]:
    """Return the best alignment of a part with the earliest partners; it tries pairs and solves the rest."""
    found, fixed = dict(best.pairs), dict[int, int]()
    for node in sorted(part.first):
        for _, partner in sorted(part.first[node]):
            if partner == found.get(node):
                break
            if partner in fixed.values():
                continue
            gain, rest = _forced(part, {**fixed, node: partner})
            if gain + rest.bound() < best.gain:
                continue
            again = solve(Problem(rest.own, rest.common))
            if gain + again.gain == best.gain:
                found = {**fixed, node: partner, **again.pairs}
                break
        if node in found:
            fixed[node] = found[node]
    return found


def _forced(part: _Part, chosen: Mapping[int, int]) -> tuple[int, _Part]:
    """Return the gain of chosen pairs, and the part that they leave; earlier nodes get no other partner."""
    rest = part.only(part.own.keys())
    gain = 0
    for pair in chosen.items():
        gain += rest.own[pair]
        rest.choose(pair)
    last = max(chosen)
    return gain, rest.only({pair for pair in rest.own if pair[0] > last})

"""Constructions looked up in dependency trees: small trees of tags and relations, wherever they occur."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

from arbitree.analyses.inconsistencies.attachments import OUTSIDE, ROOT, Fact, View
from arbitree.analyses.inconsistencies.depfragments import NO_TAG
from arbitree.analyses.inconsistencies.depnuclei import Members, side_of
from arbitree.analyses.inconsistencies.findings import Node

Edge = tuple[str, bool, str, str]  # tag of the head, dependent to the left?, relation, tag of the dependent
Pattern = tuple[Node, ...]  # one tree, or two that hang on one head


class Found(NamedTuple):
    """A place of a pattern."""

    sentence: int
    tokens: tuple[int, ...]  # of the nodes of the pattern
    members: Members  # the tokens, and the head of two trees, or the artificial root


class Places:
    """Where the gold standard has a pattern; tokens and edges are looked up by what they are."""

    def __init__(self, views: Sequence[View], type_pos: bool) -> None:
        self.facts = [_shown(view, type_pos) for view in views]
        self.tokens: dict[str, list[tuple[int, int]]] = defaultdict(list)
        self.roots: dict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
        self.edges: dict[Edge, list[tuple[int, int, int]]] = defaultdict(list)
        self.below: list[dict[int, list[int]]] = []
        for number, facts in enumerate(self.facts):
            below: dict[int, list[int]] = defaultdict(list)
            for token, (tag, head, relation) in enumerate(facts):
                self.tokens[tag].append((number, token))
                below[head].append(token)
                if head >= 0:
                    edge = (facts[head][0], token < head, relation, tag)
                    self.edges[edge].append((number, head, token))
                else:
                    self.roots[tag, relation].append((number, token))
            self.below.append(below)

    @cached_property
    def siblings(self) -> dict[tuple[str, str], list[tuple[int, int, int, int]]]:
        """Pairs of tokens that hang on one head, on one side, by one relation: sentence, head, both."""
        found: dict[tuple[str, str], list[tuple[int, int, int, int]]] = defaultdict(list)
        for number, facts in enumerate(self.facts):
            for head, tokens in self.below[number].items():
                for one, other in combinations(tokens, 2):
                    same = facts[one][2] == facts[other][2] and side_of(one, head) == side_of(other, head)
                    if same and head != OUTSIDE:
                        found[facts[one][0], facts[other][0]].append((number, head, one, other))
        return found

    def of(self, pattern: Pattern) -> Iterator[Found]:
        """Yield the places of a pattern with one top, or with two that hang on one head in the same way."""
        tops = tops_of(pattern)
        order = _top_down(pattern, tops)
        if len(tops) == 1:
            outer = frozenset({ROOT} if pattern[tops[0]].edge else ())
            for number, token in self._seeds(pattern, tops[0]):
                for tokens in self._grown(pattern, order, number, {tops[0]: token}):
                    yield Found(number, tokens, outer.union(tokens))
            return
        for number, head, one, other in self.siblings[pattern[tops[0]].label, pattern[tops[1]].label]:
            for tokens in self._grown(pattern, order, number, dict(zip(tops, (one, other), strict=True))):
                yield Found(number, tokens, frozenset((head, *tokens)))

    def _seeds(self, pattern: Pattern, top: int) -> list[tuple[int, int]]:
        """Return candidates for the top: from the rarest of its edges, or by its part of speech."""
        if pattern[top].edge:
            return self.roots[pattern[top].label, pattern[top].edge]
        lists = [
            self.edges[pattern[top].label, place < top, node.edge, node.label]
            for place, node in enumerate(pattern)
            if node.parent == top
        ]
        if not lists:
            return self.tokens[pattern[top].label]
        return list(dict.fromkeys((number, head) for number, head, _ in min(lists, key=len)))

    def _grown(
        self, pattern: Pattern, order: Sequence[int], number: int, start: dict[int, int]
    ) -> Iterator[tuple[int, ...]]:
        """Yield all ways to place the other nodes of *order*, each under its parent."""
        stack = [start]
        while stack:
            placed = stack.pop()
            if len(placed) == len(order):
                yield tuple(placed[place] for place in range(len(order)))
                continue
            place = order[len(placed)]
            node = pattern[place]
            for token in self.below[number][placed[node.parent]]:
                tag, _, relation = self.facts[number][token]
                ordered = all((other < place) == (there < token) for other, there in placed.items())
                if (tag, relation) == (node.label, node.edge) and ordered and token not in placed.values():
                    stack.append({**placed, place: token})


def _shown(view: View, type_pos: bool) -> tuple[Fact, ...]:
    """Return the facts with parts of speech as fragments show them."""
    return tuple(
        ((tag or NO_TAG) if type_pos else NO_TAG, head, relation) for tag, head, relation in view.facts
    )


def tops_of(pattern: Pattern) -> list[int]:
    """Return the nodes without a parent."""
    return [place for place, node in enumerate(pattern) if node.parent < 0]


def _top_down(pattern: Pattern, tops: Sequence[int]) -> list[int]:
    order = list(tops)
    for place in order:
        order.extend(k for k, node in enumerate(pattern) if node.parent == place)
    return order

"""Search for constructions in dependency trees: all occurrences of small trees of tags and relations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

from arbitree.constructions.findings import Rate, Type
from arbitree.drawing.fragment import Node
from arbitree.kinds.dependency.constructions.fragments import NO_TAG, edge_of
from arbitree.kinds.dependency.constructions.nuclei import Members, side_of
from arbitree.kinds.dependency.constructions.sentences import ROOT, UNPAIRED, CoderFacts, Fact, Sentence

Edge = tuple[str, bool, str, str]  # tag of the head, dependent to the left?, relation, tag of the dependent
Pattern = tuple[Node, ...]  # one tree, or two that are attached to one head


class PatternMatch(NamedTuple):
    """An occurrence of a pattern."""

    sentence: int
    tokens: tuple[int, ...]  # of the nodes of the pattern
    members: Members  # the tokens, and the head of two trees, or the artificial root


class PatternIndex:
    """An index of the gold standard for finding patterns by their tokens and edges."""

    def __init__(self, views: Sequence[CoderFacts], type_pos: bool) -> None:
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
                    self.roots[tag, edge_of(head, relation)].append((number, token))
            self.below.append(below)

    @cached_property
    def siblings(self) -> dict[tuple[str, str], list[tuple[int, int, int, int]]]:
        """Pairs of tokens with the same head, side and relation: sentence, head, both tokens."""
        found: dict[tuple[str, str], list[tuple[int, int, int, int]]] = defaultdict(list)
        for number, facts in enumerate(self.facts):
            for head, tokens in self.below[number].items():
                for one, other in combinations(tokens, 2):
                    same = facts[one][2] == facts[other][2] and side_of(one, head) == side_of(other, head)
                    if same and head != UNPAIRED:
                        found[facts[one][0], facts[other][0]].append((number, head, one, other))
        return found

    def of(self, pattern: Pattern) -> Iterator[PatternMatch]:
        """Yield the occurrences of a pattern with one top, or with two tops attached to one head alike."""
        tops = tops_of(pattern)
        order = _top_down(pattern, tops)
        if len(tops) == 1:
            outer = frozenset({ROOT, UNPAIRED} if pattern[tops[0]].edge else ())
            for number, token in self._seeds(pattern, tops[0]):
                for tokens in self._grown(pattern, order, number, {tops[0]: token}):
                    yield PatternMatch(number, tokens, outer.union(tokens))
            return
        for number, head, one, other in self.siblings[pattern[tops[0]].label, pattern[tops[1]].label]:
            for tokens in self._grown(pattern, order, number, dict(zip(tops, (one, other), strict=True))):
                yield PatternMatch(number, tokens, frozenset((head, *tokens)))

    def _seeds(self, pattern: Pattern, top: int) -> list[tuple[int, int]]:
        """Return candidates for the top, by the rarest of its edges or by its part of speech."""
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
        """Yield all assignments of the other nodes of *order*, each below its parent."""
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


def _shown(view: CoderFacts, type_pos: bool) -> tuple[Fact, ...]:
    """Return the facts with parts of speech in the form used by fragments."""
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


# Tokens of a construction: larger ones hardly recur, and equal dependents can be chosen in many ways.
LARGEST = 8


def with_rates(
    types: Sequence[Type], sentences: Sequence[Sentence], *, type_pos: bool = True
) -> tuple[Type, ...]:
    """Return *types* with their rates.

    The construction is the part of the gold fragment with the tokens on which the parser differs. Two parts
    attached to one outside head match any two such parts under one head. The rate is undefined for more than
    two parts, for large constructions, and if only some parts of speech count.

    Args:
        types: the types of parser mode, gold fragment first.
        sentences: the sentences, each with the views of gold and of a parser.
        type_pos: whether types distinguish parts of speech.
    """
    gold = PatternIndex([sentence.views[0] for sentence in sentences], type_pos)
    where = _Index(sentences)
    known: dict[Pattern, tuple[int, int]] = {}
    pairs: dict[Pattern, set[tuple[int, tuple[int, ...]]]] = {}  # where patterns of two pieces are
    found = []
    for each in types:
        pattern = construction(each)
        if pattern is None or not (type_pos or all(node.label == NO_TAG for node in pattern)):
            found.append(each)
            continue
        if pattern not in known:
            places = list(gold.of(pattern))
            known[pattern] = (len(places), sum(_missed(sentences[place.sentence], place) for place in places))
            if len(tops_of(pattern)) > 1:
                pairs[pattern] = {(place.sentence, place.tokens) for place in places}
        # Two parts may also be attached to different heads: then they are another construction.
        same = pattern not in pairs or where.holds(each, pairs[pattern])
        found.append(replace(each, rate=Rate(*known[pattern], len(each.nuclei))) if same else each)
    return tuple(found)


def construction(type_: Type) -> Pattern | None:
    """Return the connected part of the gold fragment around the differing tokens, or two parts, or None."""
    nodes = type_.fragments[0].nodes
    top = [_top(nodes, place) for place in range(len(nodes))]
    if None in top:
        return None
    first = type_.nuclei[0]
    pieces = {top[place] for place in first.differing}
    kept = [place for place in range(len(nodes)) if top[place] in pieces]
    gold, parser = (_cut(fragment.nodes, kept) for fragment in type_.fragments[:2])
    if len(pieces) > 1 or gold == parser:
        kept = list(range(len(nodes)))
        gold = _cut(nodes, kept)
        if len(set(top)) != 2 or any(gold[place].edge for place in tops_of(gold)):
            return None
    return gold if len(kept) <= LARGEST else None


def _cut(nodes: Sequence[Node], kept: Sequence[int]) -> Pattern:
    """Return the *kept* nodes; a node whose parent is not kept has no parent."""
    number = {place: k for k, place in enumerate(kept)}
    found = []
    for place in kept:
        node = nodes[place]
        inside = node.parent < 0 or node.parent in number
        parent = number.get(node.parent, -1)
        found.append(Node(node.label, parent, number[place], node.edge if inside else ""))
    return tuple(found)


def _top(nodes: Sequence[Node], place: int) -> int | None:
    """Return the node without a parent above *place*; None on a cycle."""
    for _ in nodes:
        if nodes[place].parent < 0:
            return place
        place = nodes[place].parent
    return None


def _missed(sentence: Sentence, place: PatternMatch) -> bool:
    gold, parser = (view.inside(place.members) for view in sentence.views)
    return gold != parser


class _Index:
    """The sentences by item and parser."""

    def __init__(self, sentences: Sequence[Sentence]) -> None:
        self.sentences = sentences
        self.numbers: dict[tuple[str, str], list[int]] = defaultdict(list)
        for number, sentence in enumerate(sentences):
            self.numbers[sentence.item.id, sentence.views[1].coder].append(number)

    def holds(self, type_: Type, places: set[tuple[int, tuple[int, ...]]]) -> bool:
        """Return whether all nuclei of a type are occurrences of its construction."""
        for nucleus in type_.nuclei:
            gold, parser = nucleus.places
            numbers = self.numbers[gold.item, parser.coder]
            own = set()
            for number in numbers:
                token = {at: k for k, at in enumerate(self.sentences[number].positions[0])}
                own.add((number, tuple(token[at] for at in gold.positions)))
            if not own & places:
                return False
        return True

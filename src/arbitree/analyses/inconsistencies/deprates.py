"""How often parsers miss a construction of the gold standard, of all the times that it occurs.

Reference:
    Kulick et al. (2014), where phrase structure is meant.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from arbitree.analyses.inconsistencies.depfragments import NO_TAG
from arbitree.analyses.inconsistencies.deppatterns import Found, Pattern, Places, tops_of
from arbitree.analyses.inconsistencies.depsentences import Sentence
from arbitree.analyses.inconsistencies.findings import Node, Rate, Type

# Tokens of a construction: larger ones hardly recur, and equal dependents can be chosen in many ways.
LARGEST = 8


def with_rates(
    types: Sequence[Type], sentences: Sequence[Sentence], *, type_pos: bool = True
) -> tuple[Type, ...]:
    """Return *types* with their rates.

    The construction is the part of the gold fragment that holds the tokens on which the parser differs, less
    those that a smaller nucleus tells of. Two pieces that hang on one head outside are these two under one
    head, whatever that is. There is no rate for more pieces, for large constructions, and where only some
    parts of speech count.

    Args:
        types: of parser mode, gold fragment first.
        sentences: each with the views of gold and of a parser.
        type_pos: whether types tell parts of speech apart.
    """
    gold = Places([sentence.views[0] for sentence in sentences], type_pos)
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
        # Two pieces may also hang on heads that are not the same: then they are another construction.
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
    pieces = {top[place] for place in first.residual or first.differing}
    kept = [place for place in range(len(nodes)) if top[place] in pieces]
    gold, parser = (_cut(fragment.nodes, kept) for fragment in type_.fragments[:2])
    if len(pieces) > 1 or gold == parser:
        kept = list(range(len(nodes)))
        gold = _cut(nodes, kept)
        if len(set(top)) != 2 or any(gold[place].edge for place in tops_of(gold)):
            return None
    return gold if len(kept) <= LARGEST else None


def _cut(nodes: Sequence[Node], kept: Sequence[int]) -> Pattern:
    """Return the nodes that are *kept*; one whose parent is not among them has none."""
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


def _missed(sentence: Sentence, place: Found) -> bool:
    gold, parser = (view.inside(place.members) for view in sentence.views)
    return gold != parser


class _Index:
    """The sentences by item and parser, to find a nucleus again."""

    def __init__(self, sentences: Sequence[Sentence]) -> None:
        self.sentences = sentences
        self.numbers: dict[tuple[str, str], list[int]] = defaultdict(list)
        for number, sentence in enumerate(sentences):
            self.numbers[sentence.item.id, sentence.views[1].coder].append(number)

    def holds(self, type_: Type, places: set[tuple[int, tuple[int, ...]]]) -> bool:
        """Return whether all nuclei of a type are among the places of its construction."""
        for nucleus in type_.nuclei:
            gold, parser = nucleus.places
            numbers = self.numbers[gold.item, parser.coder]
            starts = {number: self.sentences[number].runs[0].start for number in numbers}
            own = {(number, tuple(at - start for at in gold.positions)) for number, start in starts.items()}
            if not own & places:
                return False
        return True

"""Fragments of dependency trees: annotations of the tokens of a nucleus, and their differences."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations

from arbitree.drawing.fragment import Fragment, Node
from arbitree.kinds.dependency.constructions.sentences import OUTSIDE, ROOT, UNPAIRED, Fact

CLASSES = ("label", "subtype", "attachment", "direction", "pos", "structural")
NO_TAG = "_"

Facts = Mapping[int, Fact]


def fragment_of(facts: Facts, *, tagged: Collection[int] | None = None) -> Fragment:
    """Return the fragment of a nucleus from its facts.

    A relation without a parent leads to the artificial root, or to a token that not all annotators have.

    Args:
        facts: the facts of the tokens of the nucleus, with OUTSIDE for heads outside it.
        tagged: tokens whose part of speech is part of the fragment; by default all.
    Example:
        >>> found = fragment_of({4: ("DET", 5, "det"), 5: ("NOUN", OUTSIDE, ""), 6: ("NOUN", 5, "appos")})
        >>> found.text
        'DET det>2; NOUN; NOUN appos>2'
        >>> found.brackets
        '[det DET] NOUN [appos NOUN]'
    """
    tokens = sorted(facts)
    place = {token: k for k, token in enumerate(tokens)}
    nodes, text = [], []
    for token in tokens:
        tag, head, relation = facts[token]
        shown = (tag or NO_TAG) if tagged is None or token in tagged else NO_TAG
        parent = place.get(head, -1)
        edge = edge_of(head, relation)
        nodes.append(Node(shown, parent, place[token], edge))
        text.append(
            shown if head == OUTSIDE else f"{shown} {edge}" + ("" if head == UNPAIRED else f">{parent + 1}")
        )
    return Fragment("; ".join(text), _brackets(nodes), tuple(nodes))


def edge_of(head: int, relation: str) -> str:
    """Return the relation as a fragment shows it.

    Example:
        >>> edge_of(ROOT, "root"), edge_of(UNPAIRED, "obj"), edge_of(OUTSIDE, "")
        ('root', 'obj>OUTSIDE', '')
    """
    return f"{relation}>OUTSIDE" if head == UNPAIRED else relation


def _brackets(nodes: Sequence[Node]) -> str:
    """Write dependents in brackets, with their relation, on their side of the head."""
    below: list[list[int]] = [[] for _ in nodes]
    for place, node in enumerate(nodes):
        if node.parent >= 0:
            below[node.parent].append(place)
    tops, order, seen = [], [], set()
    # First the tokens without a head here; what is left hangs on a cycle and is cut at its first token.
    for start in sorted(range(len(nodes)), key=lambda place: nodes[place].parent >= 0):
        if start in seen:
            continue
        tops.append(start)
        stack = [start]
        while stack:
            place = stack.pop()
            if place not in seen:
                seen.add(place)
                order.append(place)
                stack.extend(below[place])
    text: dict[int, str] = {}
    for place in reversed(order):  # dependents come before their heads
        inner = {child: f"[{nodes[child].edge} {text.get(child, '...')}]" for child in below[place]}
        left = [part for child, part in inner.items() if child < place]
        right = [part for child, part in inner.items() if child >= place]
        text[place] = " ".join([*left, nodes[place].label, *right])
    return " + ".join(f"[{nodes[top].edge} {text[top]}]" if nodes[top].edge else text[top] for top in tops)


def class_of(instances: Sequence[Facts]) -> str:
    """Return the class that all pairs of fragments share, or structural if they differ in class.

    Args:
        instances: each annotator's facts inside the nucleus, with relations to outside heads if known.
    Example:
        >>> class_of([{0: ("", 1, "det"), 1: ("", OUTSIDE, "")}, {0: ("", 1, "nmod"), 1: ("", OUTSIDE, "")}])
        'label'
    """
    distinct = {tuple(facts.items()): facts for facts in instances}.values()
    found = {_class_of_pair(one, other) for one, other in combinations(distinct, 2)} - {""}
    if found == {"label", "subtype"}:
        return "label"
    return found.pop() if len(found) == 1 else "structural"


def _class_of_pair(one: Facts, other: Facts) -> str:
    """Return the class of a pair; "" if the two do not differ inside the nucleus."""
    tokens = [token for token in one if one[token] != other[token]]
    retagged = any(one[token][0] != other[token][0] for token in tokens)
    moved = any(one[token][1] != other[token][1] for token in tokens)
    renamed = [token for token in tokens if _renamed(one[token], other[token])]
    if not (retagged or moved or renamed):
        return ""
    if retagged:
        return "structural" if moved or renamed else "pos"
    if not moved:
        subtype = all(_main(one[token][2]) == _main(other[token][2]) for token in renamed)
        return "subtype" if subtype else "label"
    if _swapped(one, other, tokens):
        return "direction"
    return "structural" if renamed else "attachment"


def _renamed(one: Fact, other: Fact) -> bool:
    """Whether the relations differ; two outside heads and unknown relations do not count."""
    return one[2] != other[2] and "" not in (one[2], other[2]) and {one[1], other[1]} != {OUTSIDE}


def _swapped(one: Facts, other: Facts, tokens: Sequence[int]) -> bool:
    """Whether two tokens swap roles and all other differences follow from the swap."""
    heads = ((token, one[token][1]) for token in tokens)
    pairs = {frozenset((token, head)) for token, head in heads if head in tokens and other[head][1] == token}
    pair = pairs.pop() if len(pairs) == 1 else frozenset[int]()
    return len(pair) == 2 and all(
        {one[token][1], other[token][1]} <= pair and not _renamed(one[token], other[token])
        for token in tokens
        if token not in pair
    )


def _main(relation: str) -> str:
    return relation.partition(":")[0]


def facets_of(instances: Sequence[Facts], tokens: Sequence[int]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the changes on *tokens*, and the relations and parts of speech involved."""
    facets: set[str] = set()
    categories: set[str] = set()
    for token in tokens:
        tags, heads, relations = (set(column) for column in zip(*(f[token] for f in instances), strict=True))
        if heads == {OUTSIDE}:
            relations = {""}
        changes = {
            "attachment change": len(heads) > 1,
            "label change": len(relations - {""}) > 1,
            "pos change": len(tags) > 1,
            "root change": len(heads) > 1 and ROOT in heads,
            "head change": any(
                facts[head][1] == token for facts in instances for head in heads if head in facts
            ),
        }
        facets |= {name for name, holds in changes.items() if holds}
        if len(heads) > 1 or len(relations) > 1:
            categories |= relations
        if len(tags) > 1:
            categories |= tags
    return tuple(sorted(facets)), tuple(sorted(categories - {""}))


def label_of(fragments: Sequence[Fragment], differing: Sequence[int]) -> str:
    """Return a description of the fragments' differing tokens.

    Example:
        >>> ann = fragment_of({0: ("DET", 1, "det"), 1: ("NOUN", OUTSIDE, "")})
        >>> bob = fragment_of({0: ("DET", 1, "nmod"), 1: ("NOUN", OUTSIDE, "")})
        >>> label_of([ann, bob], [0])
        'DET: det / nmod under NOUN'
    """
    parts = []
    for offset in differing[:3]:
        own = [fragment.nodes[offset] for fragment in fragments]
        tags = " / ".join(dict.fromkeys(node.label for node in own))
        parents = {node.parent for node in own}
        if len(parents) == 1 and (parent := own[0].parent) >= 0:
            above = fragments[0].nodes[parent].label
            edges = " / ".join(dict.fromkeys(node.edge for node in own))
            role = f"{edges} under {above}" if above != NO_TAG else edges
        else:
            role = " / ".join(dict.fromkeys(_role(fragment, offset) for fragment in fragments))
        parts.append(f"{tags}: {role}")
    return "; ".join(parts) + ("; ..." if len(differing) > 3 else "")


def _role(fragment: Fragment, offset: int) -> str:
    node = fragment.nodes[offset]
    if node.parent < 0:
        relation, arrow, _ = node.edge.partition(">")
        at_top = "under a token that not all annotators have" if arrow else "at the root"
        return f"{relation} {at_top}" if node.edge else "attached elsewhere"
    above = fragment.nodes[node.parent].label
    alike = above == NO_TAG or sum(other.label == above for other in fragment.nodes) > 1
    name = "token" if above == NO_TAG else above
    return f"{node.edge} under {name}{f' {node.parent + 1}' if alike else ''}"

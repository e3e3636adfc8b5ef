"""Fragments for display: a small tree, brackets, and a full description in one line."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from arbitree.drawing.fragment import Fragment, Node
from arbitree.kinds.phrase.constructions.derivation import ADJOINED, LEFT, RIGHT, Tags
from arbitree.kinds.phrase.constructions.fragments import Fact, Trace
from arbitree.kinds.phrase.constructions.normalisation import NO_TAGS, written

ANY = "*"  # stands for the tags of a phrase that is larger than the nucleus


def fragment_of(facts: Sequence[Fact]) -> Fragment:
    """Return the fragment with these facts, one per word.

    Example:
        >>> the = Fact(("DT", NO_TAGS), (), 1, "A", 0, "NP", 0)
        >>> sea = Fact(("NN", NO_TAGS), (("NP", (frozenset(("SBJ",)),)),))
        >>> fragment = fragment_of([the, sea])
        >>> fragment.brackets, fragment.text
        ('(NP-SBJ DT NN)', 'NP-SBJ[NN] <-A.L- DT')
    """
    nodes = nodes_of(facts)
    return Fragment(_text(facts), brackets_of(nodes), nodes)


def label_fragment(cover: str, tags: frozenset[str] | None) -> Fragment:
    """Return a fragment with only a label; without *tags* its phrase also covers other words."""
    label = f"part of {cover}" if tags is None else written((cover, tags))
    brackets = f"part of ({cover} …)" if tags is None else f"({label} …)"
    return Fragment(f"{label} over all", brackets, (Node(label, -1),))


def brackets_of(nodes: Sequence[Node]) -> str:
    """Return a tree of nodes in one line; separate trees are joined by a plus."""
    below = Fragment("", "", tuple(nodes)).children()
    done: dict[int, str] = {}
    for place in _bottom_up(nodes, below):
        inner = " ".join(done[child] for child in below[place])
        done[place] = f"({nodes[place].label} {inner})" if inner else nodes[place].label
    roots = [place for place, node in enumerate(nodes) if node.parent < 0]
    first = {place: min(_tokens(place, nodes, below), default=0) for place in roots}
    return " + ".join(done[place] for place in sorted(roots, key=first.__getitem__))


def plain(facts: Sequence[Fact], *, pos: bool = True, tags: bool = True) -> tuple[Fact, ...]:
    """Return the facts without parts of speech or without function tags."""
    return tuple([_plain(fact, pos=pos, tags=tags) for fact in facts])


@lru_cache(maxsize=100_000)
def _plain(fact: Fact, *, pos: bool, tags: bool) -> Fact:
    if not pos:
        fact = fact._replace(pos=("_", fact.pos[1]))
    if not tags:
        spine = tuple([(cat, ()) for cat, _ in fact.spine])
        traces = tuple([_untagged(trace) for trace in fact.traces])
        fact = fact._replace(pos=(fact.pos[0], NO_TAGS), spine=spine, traces=traces)
    return fact


def _untagged(trace: Trace) -> Trace:
    spine = tuple([(cat, ()) for cat, _ in trace.spine])
    return trace._replace(spine=spine, traces=tuple([_untagged(each) for each in trace.traces]))


def nodes_of(facts: Sequence[Fact]) -> tuple[Node, ...]:
    """Return the tree of a fragment: the words and then the phrases."""
    size = len(facts)
    labels = [written(fact.pos) for fact in facts]
    parents = [-1] * size
    at: dict[tuple[int, int, int], int] = {}  # word, node of the spine, level -> place
    copies = _copies(facts)
    tops = list(range(size))  # the highest phrase of each word
    for word, fact in enumerate(facts):
        for node, (cat, tags) in enumerate(fact.spine):
            last = copies.get((word, node), 0)
            for level in range(last + 1):
                at[word, node, level] = parents[tops[word]] = len(labels)
                tops[word] = len(labels)
                labels.append(written((cat, _own(tags, level, last))))
                parents.append(-1)
    for word, fact in enumerate(facts):
        if fact.governor:
            parents[tops[word]] = at[word + fact.governor, fact.node, fact.level]
    for word, fact in enumerate(facts):
        for trace in fact.traces:
            _hang(trace, at[word, trace.node, trace.level], labels, parents)
    rows = enumerate(zip(labels, parents, strict=True))
    return tuple([Node(label, parent, place if place < size else None) for place, (label, parent) in rows])


def _copies(facts: Sequence[Fact]) -> dict[tuple[int, int], int]:
    """Return the highest copy with an attachment for every spine node, by word and node."""
    found: dict[tuple[int, int], int] = {}
    for word, fact in enumerate(facts):
        if fact.governor:
            key = (word + fact.governor, fact.node)
            found[key] = max(found.get(key, 0), fact.level)
        for trace in fact.traces:
            found[word, trace.node] = max(found.get((word, trace.node), 0), trace.level)
    return found


def _hang(trace: Trace, parent: int, labels: list[str], parents: list[int]) -> None:
    for cat, tags in reversed(trace.spine):
        labels.append(written((cat, _own(tags, 0, 0))))
        parents.append(parent)
        parent = len(labels) - 1
    labels.append(trace.pos[0])
    parents.append(parent)
    for each in trace.traces:
        _hang(each, parent, labels, parents)


def _text(facts: Sequence[Fact]) -> str:
    dependents: list[list[int]] = [[] for _ in facts]
    for word, fact in enumerate(facts):
        if fact.governor:
            dependents[word + fact.governor].append(word)
    order = [word for word, fact in enumerate(facts) if not fact.governor]
    roots = len(order)
    for word in order:
        order.extend(dependents[word])
    done: dict[int, str] = {}
    for word in reversed(order):
        arcs = [
            f"{_arc(facts[d], len(facts[word].spine))} {f'({done[d]})' if dependents[d] else done[d]}"
            for d in dependents[word]
        ]
        done[word] = " ; ".join([_etree(facts[word]), *arcs]).replace(" ; ", " ", 1)
    return " + ".join(done[word] for word in sorted(order[:roots]))


def _arc(fact: Fact, nodes: int) -> str:
    parts = [fact.operation, LEFT if fact.governor > 0 else RIGHT]
    if nodes > 1:
        parts.append(f"{fact.cat}{fact.node}")
    if fact.operation == ADJOINED:
        parts.append(str(fact.level))
    return f"<-{'.'.join(parts)}-"


def _etree(fact: Fact) -> str:
    """Return an elementary tree: its spine bottom up, its part of speech, and its traces."""
    spine = "/".join(cat + ANY if tags is None else _node(cat, tags) for cat, tags in fact.spine)
    hung = "".join(f" {_trace(trace)}" for trace in fact.traces)
    return (f"{spine}[{written(fact.pos)}]" if spine else written(fact.pos)) + hung


def _node(cat: str, tags: Tags) -> str:
    """Return a node of a spine; if tagged, with all its copies, bottom up."""
    return "+".join(written((cat, level)) for level in tags) if any(tags) else cat


def _own(tags: Tags | None, level: int, last: int) -> frozenset[str]:
    """Return the tags of one copy of a node; the last copy gets the tags of all copies that are not drawn."""
    if not tags or level >= len(tags):
        return NO_TAGS
    return tags[level] if level < last else NO_TAGS.union(*tags[level:])


def _trace(trace: Trace) -> str:
    spine = "/".join(_node(cat, tags) for cat, tags in trace.spine)
    own = f"{spine}[{trace.pos[0]}]" if spine else trace.pos[0]
    return f"{{{trace.place:+d}.{trace.node}.{trace.level} {' '.join([own, *map(_trace, trace.traces)])}}}"


def _bottom_up(nodes: Sequence[Node], below: list[list[int]]) -> list[int]:
    order = [place for place, node in enumerate(nodes) if node.parent < 0]
    for place in order:
        order.extend(below[place])
    return order[::-1]


def _tokens(place: int, nodes: Sequence[Node], below: list[list[int]]) -> list[int]:
    order = [place]
    for each in order:
        order.extend(below[each])
    return [token for each in order if (token := nodes[each].token) is not None]

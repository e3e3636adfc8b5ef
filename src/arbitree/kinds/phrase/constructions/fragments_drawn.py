"""Fragments for display: a small tree, brackets, and a full description in one line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from functools import lru_cache

from arbitree.drawing.fragment import Fragment, Node
from arbitree.kinds.phrase.constructions.derivation import ADJOINED, LEFT, RIGHT
from arbitree.kinds.phrase.constructions.fragments import Fact, Trace
from arbitree.kinds.phrase.constructions.normalisation import NO_TAGS, written
from arbitree.kinds.phrase.constructions.sites import Wordless, wordless_text

ANY = "*"  # stands for the tags of a phrase that is larger than the nucleus


def fragment_of(facts: Sequence[Fact], partial: Collection[tuple[int, int, int]] = ()) -> Fragment:
    """Return the fragment with these facts, one per word, and phrases that also cover other words.

    If phrases have gaps, the words are numbered in both texts.

    Example:
        >>> the = Fact(("DT", NO_TAGS), (), 1, "A", 0, "NP", 0)
        >>> sea = Fact(("NN", NO_TAGS), (("NP", (frozenset(("SBJ",)),)),))
        >>> fragment = fragment_of([the, sea])
        >>> fragment.brackets, fragment.text
        ('(NP-SBJ DT NN)', 'NP-SBJ[NN] <-A.L- DT')
    """
    nodes = nodes_of(facts, partial)
    if not _has_gaps(nodes):
        return Fragment(_text(facts), brackets_of(nodes), nodes)
    numbered = [fact._replace(pos=(f"{n}:{fact.pos[0]}", fact.pos[1])) for n, fact in enumerate(facts, 1)]
    return Fragment(_text(numbered), brackets_of(nodes_of(numbered)), nodes)


def label_fragment(labels: Sequence[str], *, part_of: str | None = None) -> Fragment:
    """Return a fragment of labels only, topmost first; or of a phrase that also covers other words.

    Example:
        >>> label_fragment(["S", "NP"]).brackets
        '(S (NP …))'
    """
    if part_of is not None:
        return Fragment(
            f"part of {part_of} over all", f"part of ({part_of} …)", (Node(part_of, -1, partial=True),)
        )
    nodes = tuple([Node(label, place - 1) for place, label in enumerate(labels)])
    brackets = "".join(f"({label} " for label in labels) + "…" + ")" * len(labels)
    return Fragment(f"{'/'.join(labels)} over all", brackets, nodes)


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
        traces = tuple([trace._replace(tree=_untagged(trace.tree)) for trace in fact.traces])
        fact = fact._replace(pos=(fact.pos[0], NO_TAGS), spine=spine, traces=traces)
    return fact


def _untagged(tree: Wordless) -> Wordless:
    (cat, _), below = tree
    return (cat, NO_TAGS), tuple([_untagged(each) for each in below])


def nodes_of(facts: Sequence[Fact], partial: Collection[tuple[int, int, int]] = ()) -> tuple[Node, ...]:
    """Return the tree of a fragment: the words and then the phrases.

    Args:
        facts: one per word.
        partial: the phrases that also cover words outside the fragment: word, node of its spine, copy.
    """
    size = len(facts)
    labels = [written(fact.pos) for fact in facts]
    parents = [-1] * size
    at: dict[tuple[int, int, int], int] = {}  # word, node of the spine, copy -> place
    copies = _copies(facts)
    tops = list(range(size))  # the highest phrase of each word
    for word, fact in enumerate(facts):
        for node, (cat, tags) in enumerate(fact.spine):
            for level in range(max(copies[word, node] + 1, len(tags or ()))):
                own = tags[level] if tags and level < len(tags) else None
                at[word, node, level] = parents[tops[word]] = len(labels)
                tops[word] = len(labels)
                labels.append(written((cat, own)) if own else cat)
                parents.append(-1)
    for word, fact in enumerate(facts):
        if fact.governor:
            parents[tops[word]] = at[word + fact.governor, fact.node, fact.level]
    larger = {at[each] for each in partial}
    nodes = [
        Node(label, parent, place if place < size else None, partial=place in larger)
        for place, (label, parent) in enumerate(zip(labels, parents, strict=True))
    ]
    for word, fact in enumerate(facts):
        for trace in fact.traces:
            _hang(trace.tree, at[word, trace.node, trace.level], word + trace.place, nodes)
    return tuple(nodes)


def _copies(facts: Sequence[Fact]) -> Counter[tuple[int, int]]:
    """Return the highest copy with an attachment for every spine node, by word and node."""
    found: Counter[tuple[int, int]] = Counter()
    for word, fact in enumerate(facts):
        if fact.governor:
            key = (word + fact.governor, fact.node)
            found[key] = max(found[key], fact.level)
        for trace in fact.traces:
            found[word, trace.node] = max(found[word, trace.node], trace.level)
    return found


def _hang(tree: Wordless, parent: int, gap: int, nodes: list[Node]) -> None:
    label, below = tree
    nodes.append(Node(written(label), parent, gap=None if below else gap))
    here = len(nodes) - 1
    for each in below:
        _hang(each, here, gap, nodes)


def _text(facts: Sequence[Fact]) -> str:
    dependents: list[list[int]] = [[] for _ in facts]
    for word, fact in enumerate(facts):
        if fact.governor:
            dependents[word + fact.governor].append(word)
    order = [word for word, fact in enumerate(facts) if not fact.governor]
    roots = len(order)
    for word in order:
        order.extend(dependents[word])
    used = _used(facts)
    done: dict[int, str] = {}
    for word in reversed(order):
        arcs = [
            f"{_arc(facts[d], len(facts[word].spine))} {f'({done[d]})' if dependents[d] else done[d]}"
            for d in dependents[word]
        ]
        done[word] = " ; ".join([_etree(word, facts[word], used), *arcs]).replace(" ; ", " ", 1)
    return " + ".join(done[word] for word in sorted(order[:roots]))


def _used(facts: Sequence[Fact]) -> set[tuple[int, int, int]]:
    """Return the copies of spine nodes that something is attached to: word, node, copy."""
    arcs = {(word + fact.governor, fact.node, fact.level) for word, fact in enumerate(facts) if fact.governor}
    traces = {(word, trace.node, trace.level) for word, fact in enumerate(facts) for trace in fact.traces}
    return arcs | traces


def _arc(fact: Fact, nodes: int) -> str:
    parts = [fact.operation, LEFT if fact.governor > 0 else RIGHT]
    if nodes > 1:
        parts.append(f"{fact.cat}{fact.node}")
    if fact.operation == ADJOINED:
        parts.append(str(fact.level))
    return f"<-{'.'.join(parts)}-"


def _etree(word: int, fact: Fact, used: Collection[tuple[int, int, int]]) -> str:
    """Return an elementary tree: its spine bottom up, its part of speech, and its traces."""
    nodes = []
    for node, (cat, tags) in enumerate(fact.spine):
        bare = any((word, node, level) not in used for level in range(1, len(tags or ())))
        nodes.append(cat + ANY if tags is None else _node(cat, tags, bare=bare))
    spine = "/".join(nodes)
    hung = "".join(f" {_trace(trace)}" for trace in fact.traces)
    return (f"{spine}[{written(fact.pos)}]" if spine else written(fact.pos)) + hung


def _node(cat: str, tags: Sequence[frozenset[str] | None], *, bare: bool) -> str:
    """Return a node of a spine; with all its copies, bottom up, if they have tags or no sisters."""
    copies = [cat + ANY if level is None else written((cat, level)) for level in tags] or [cat]
    return "+".join(copies) if bare or any(tags) else copies[-1]


def _trace(trace: Trace) -> str:
    return f"{{{trace.place:+d}.{trace.node}.{trace.level} {wordless_text(trace.tree)}}}"


def _has_gaps(nodes: Sequence[Node]) -> bool:
    """Return whether words of another phrase stand between the words of a phrase."""
    first, last, count = ([0] * len(nodes) for _ in range(3))
    for place, node in enumerate(nodes):
        above = place
        while node.token is not None and above >= 0:
            first[above] = min(first[above], node.token) if count[above] else node.token
            last[above] = max(last[above], node.token)
            count[above] += 1
            above = nodes[above].parent
    return any(last[k] - first[k] >= count[k] > 0 for k in range(len(nodes)))


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

"""Derivations: trees split into elementary trees, one per word, and the arcs between them.

The elementary tree of a word is its part of speech and its spine: the phrases that it heads, bottom up.
A phrase with the category of its head child is not a new node of the spine but another level of it, a copy
created by adjunction.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

from arbitree.kinds.phrase.constructions.head_tables import HeadTable
from arbitree.kinds.phrase.constructions.normalisation import NOTHING, Label, Normal

SISTER, ADJOINED = "A", "M"  # sister adjunction adds a sister; adjunction copies the target node
LEFT, RIGHT = "L", "R"

Span = tuple[int, int]
Tags = tuple[frozenset[str], ...]  # of the levels of a node of a spine, bottom up
Spine = tuple[tuple[str, Tags], ...]

NOWHERE: frozenset[Span] = frozenset()


@dataclass(frozen=True, slots=True, eq=False)
class Chain:
    """The phrases that a word heads, bottom up, and their nodes and levels in the spine.

    ``chain_of`` returns one object for equal labels, so chains are compared by identity.
    """

    labels: tuple[Label, ...]  # of the phrases
    nodes: tuple[int, ...]  # of each phrase, the node of the spine that it belongs to
    levels: tuple[int, ...]  # of each phrase, which copy of that node it is
    spine: Spine  # of the nodes: category, and the tags of its levels

    def cut(self, top: int) -> Spine:
        """Return the spine up to phrase *top*; -1 for an empty spine."""
        return chain_of(self.labels[: top + 1]).spine


@cache
def chain_of(labels: tuple[Label, ...]) -> Chain:
    """Return the chain of phrases with these labels.

    Example:
        >>> none = frozenset()
        >>> chain_of((("NP", none), ("NP", frozenset(("SBJ",))), ("PRN", none))).nodes
        (0, 0, 1)
    """
    nodes: list[int] = []
    levels: list[int] = []
    spine: list[tuple[str, Tags]] = []
    for cat, tags in labels:
        if spine and spine[-1][0] == cat:
            spine[-1] = (cat, (*spine[-1][1], tags))
            levels.append(levels[-1] + 1)
        else:
            spine.append((cat, (tags,)))
            levels.append(0)
        nodes.append(len(spine) - 1)
    return Chain(labels, tuple(nodes), tuple(levels), tuple(spine))


_NO_CHAIN = chain_of(())


@dataclass(frozen=True, slots=True)
class Derivation:
    """One elementary tree per terminal, and the arcs between them.

    The address of an arc is the index of a phrase in the governor's chain.
    """

    forms: tuple[str, ...]
    pos: tuple[Label, ...]
    chains: tuple[Chain, ...]
    spans: tuple[tuple[Span, ...], ...]  # of the phrases of each chain, counted in words
    governors: tuple[int, ...]  # -1: none
    addresses: tuple[int, ...]  # -1: none
    traces: frozenset[int] = NOTHING
    scattered: frozenset[Span] = NOWHERE  # spans of phrases with gaps: no constituents there

    @property
    def root(self) -> int:
        """The head of the sentence."""
        return self.governors.index(-1)

    @property
    def width(self) -> int:
        """The number of words."""
        return len(self.forms) - len(self.traces)

    def dependents(self) -> list[list[int]]:
        """Return the dependents of every terminal, in order."""
        found: list[list[int]] = [[] for _ in self.forms]
        for terminal, governor in enumerate(self.governors):
            if governor >= 0:
                found[governor].append(terminal)
        return found

    def operation(self, terminal: int) -> str:
        """Return A or M: the operation that attaches *terminal* to its governor."""
        chain = self.chains[self.governors[terminal]]
        return ADJOINED if chain.levels[self.addresses[terminal]] else SISTER


def derive(tree: Normal, table: HeadTable) -> Derivation:
    """Return the derivation of *tree*.

    Example:
        >>> from arbitree.kinds.phrase.constructions.head_tables import head_table
        >>> none = frozenset()
        >>> labels = (("DT", none), ("NN", none), ("NP", none))
        >>> found = derive(Normal(("the", "sea"), labels, ((0, 1),), 2, ("DT", "NN")), head_table("english"))
        >>> found.governors, found.chains[1].spine
        ((1, -1), (('NP', (frozenset(),)),))
    """
    size = len(tree.forms)
    labels, children = tree.labels, tree.children
    cats = [*tree.tags, *[label[0] for label in labels[size:]]]
    heads = list(range(len(labels)))  # the terminal that heads each node
    spans, continuous = _spans(tree)
    plain, find_head = not (tree.marked or tree.traces), table.head
    governors, addresses = [-1] * size, [-1] * size
    own_labels: list[list[Label]] = [[] for _ in range(size)]
    own_spans: list[list[Span]] = [[] for _ in range(size)]
    for node in range(len(labels) - 1, size - 1, -1):
        below = children[node - size]
        if len(below) == 1:
            head = heads[below[0]]
        else:
            if plain:
                head = heads[below[find_head(labels[node][0], tuple([cats[child] for child in below]))]]
            else:
                head = heads[_head_child(tree, node, below, cats, spans, table)]
            address = len(own_labels[head])
            for child in below:
                other = heads[child]
                if other != head:
                    governors[other] = head
                    addresses[other] = address
        heads[node] = head
        own_labels[head].append(labels[node])
        own_spans[head].append(spans[node])
    return Derivation(
        tree.forms,
        labels[:size],
        tuple([chain_of(tuple(each)) if each else _NO_CHAIN for each in own_labels]),
        tuple([tuple(each) for each in own_spans]),
        tuple(governors),
        tuple(addresses),
        tree.traces,
        NOWHERE if continuous else _scattered(tree, spans),
    )


def _head_child(
    tree: Normal, node: int, below: tuple[int, ...], cats: list[str], spans: list[Span], table: HeadTable
) -> int:
    if tree.marked:
        for child in below:
            if child in tree.marked:
                return child
    if tree.traces:  # a trace is a head only where there is nothing else
        full = tuple(child for child in below if spans[child][0] < spans[child][1])
        below = full or below
    return below[table.head(tree.labels[node][0], tuple([cats[child] for child in below]))]


def _spans(tree: Normal) -> tuple[list[Span], bool]:
    """Return the first word of every node and the one after its last, and whether no phrase can have a gap.

    Both are equal for a trace.
    """
    size, traces = len(tree.forms), tree.traces
    spans: list[Span] = []
    word = 0
    for terminal in range(size):
        width = 0 if terminal in traces else 1
        spans.append(_span(word, word + width))
        word += width
    spans += [(0, 0)] * (len(tree.labels) - size)
    continuous = True
    for node in range(len(tree.labels) - 1, size - 1, -1):
        below = tree.children[node - size]
        if len(below) == 1:
            spans[node] = spans[below[0]]
            continue
        start, end = spans[below[0]]
        for child in below[1:]:
            first, last = spans[child]
            if first == end:
                end = last
            elif first != last:
                continuous = False
                if start == end:
                    start, end = first, last
                else:
                    start, end = min(start, first), max(end, last)
        spans[node] = _span(start, end)
    return spans, continuous


@lru_cache(maxsize=100_000)
def _span(start: int, end: int) -> Span:
    """Return a span; equal spans are one object."""
    return start, end


def _scattered(tree: Normal, spans: list[Span]) -> frozenset[Span]:
    """Return the spans of discontinuous phrases."""
    size = len(tree.forms)
    counts = [0 if terminal in tree.traces else 1 for terminal in range(size)]
    counts += [0] * (len(tree.labels) - size)
    found = set()
    for node in range(len(tree.labels) - 1, size - 1, -1):
        counts[node] = sum([counts[child] for child in tree.children[node - size]])
        if counts[node] < spans[node][1] - spans[node][0]:
            found.add(spans[node])
    return frozenset(found)

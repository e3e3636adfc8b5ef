"""Graphs of one item merged into one: which nodes are the same, and what each annotator has at every place.

Variables do not identify nodes, because every annotator chooses them freely. Two graphs are aligned so that
as many triples as possible match. Further graphs are aligned with those before them in the same way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import count

from arbitree.adjudication.places import NOTHING
from arbitree.kinds.graphs.alignment import Pair, Problem
from arbitree.kinds.graphs.matching import preferred
from arbitree.kinds.graphs.value import INVERSE, TOP, Graph, normal

CONCEPT, ATTRIBUTE, ROLE = "concept", "attribute", "role"  # what is compared, besides the top
NO_CONCEPT = "(no concept)"
Classes = tuple[int, ...]  # by node of one graph, the merged node


def aligned(first: Graph, second: Graph) -> dict[int, int]:
    """Return the nodes of *second* that correspond to nodes of *first*, as numbers in the order of mention.

    Of all alignments with the greatest number of matching triples, the one is preferred in which most pairs
    have equal anchors, then equal labels, then that with the fewest pairs. If several are left, the first
    node has the earliest partner, then the second node, and so on. Thus the alignment is unique.
    """
    merged = _Merging()
    merged.add(first)
    return merged.alignment(second)


@dataclass(slots=True)
class _Merging:
    """The triples of the graphs so far, with the numbers of merged nodes and how many graphs have them."""

    size: int = 0
    graphs: int = 0
    exact: bool = True  # whether all alignments are proved to be best ones
    labels: Counter[tuple[int, str]] = field(default_factory=Counter)
    anchors: Counter[tuple[int, object]] = field(default_factory=Counter)
    attributes: Counter[tuple[int, str, str]] = field(default_factory=Counter)
    relations: Counter[tuple[int, str, int]] = field(default_factory=Counter)

    def add(self, graph: Graph) -> Classes:
        """Add a graph; return the merged node of each of its nodes."""
        found = {own: merged for merged, own in self.alignment(graph).items()} if self.graphs else {}
        for node in range(len(graph.nodes)):
            if node not in found:
                found[node] = self.size
                self.size += 1
        triples = graph.triples
        self.graphs += 1
        self.labels.update((found[node], label) for node, label in enumerate(triples.labels))
        self.anchors.update(
            (found[node], each.anchor) for node, each in enumerate(graph.nodes) if each.anchor
        )
        self.attributes.update((found[node], role, value) for node, role, value in triples.attributes)
        self.relations.update((found[a], role, found[b]) for a, role, b in triples.relations)
        return tuple(found[node] for node in range(len(graph.nodes)))

    def alignment(self, graph: Graph) -> dict[int, int]:
        """Return the nodes of *graph* that correspond to merged nodes."""
        step = self.graphs * min(self.size, len(graph.nodes)) + 1
        match, anchor = step**3, step**2
        gains: Counter[Pair] = Counter()
        triples = graph.triples
        same: Counter[Pair] = Counter()  # pairs with equal labels
        for (node, label), times in self.labels.items():
            for own, other in enumerate(triples.labels):
                if label == other:
                    same[node, own] = times
                    if label:
                        gains[node, own] += times * match
        for (node, role, value), times in self.attributes.items():
            for own, other, constant in triples.attributes:
                if (role, value) == (other, constant):
                    gains[node, own] += times * match
        for (node, where), times in self.anchors.items():
            for own, each in enumerate(graph.nodes):
                if where == each.anchor:
                    gains[node, own] += times * anchor
        common = self._common(graph, gains, match)
        for pair in {*gains, *common}:
            gains[pair] += step * same[pair] - 1
        found, exact = preferred(Problem(gains, common))
        self.exact &= exact
        return found

    def _common(self, graph: Graph, gains: Counter[Pair], match: int) -> dict[Pair, dict[Pair, int]]:
        """Return what two pairs gain together, and add what relations of nodes to themselves gain."""
        found: dict[Pair, dict[Pair, int]] = {}
        for (a, role, b), times in self.relations.items():
            for c, other, d in graph.triples.relations:
                if role != other or (a == b) != (c == d):
                    continue
                if a == b:
                    gains[a, c] += times * match
                    continue
                for one, two in (((a, c), (b, d)), ((b, d), (a, c))):
                    near = found.setdefault(one, {})
                    near[two] = near.get(two, 0) + times * match
        return found


@dataclass(frozen=True, slots=True)
class Slot:
    """One thing that is compared: the concept of a node, an attribute, the role of an edge, or the top.

    Values are normalised, as they are compared; None stands for nothing. ``shown`` has them as written.
    """

    what: str
    name: str  # of the place: p, p:quant, h>p; empty for the top
    nodes: tuple[int, ...]  # merged nodes: one, the two ends of an edge, or none
    role: str  # of an attribute
    values: tuple[str | None, ...]  # by graph
    shown: tuple[str | None, ...]

    @property
    def agreed(self) -> bool:
        """Whether all annotators have the same."""
        return self.values.count(self.values[0]) == len(self.values)

    @property
    def key(self) -> str:
        """The key of the place on the adjudication page."""
        return f"{self.name} {self.what}" if self.name else self.what


@dataclass(frozen=True)
class Merged:
    """Graphs of one item, with the nodes that correspond to each other."""

    graphs: tuple[Graph, ...]
    classes: tuple[Classes, ...]  # by graph
    exact: bool = True  # whether the alignments are proved to be best ones

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The merged nodes in the order of mention; nodes of later graphs follow the node before them."""
        found: list[int] = []
        for own in self.classes:
            place = 0
            for node in own:
                if node in found:
                    place = found.index(node) + 1
                else:
                    found.insert(place, node)
                    place += 1
        return tuple(found)

    @cached_property
    def names(self) -> dict[int, str]:
        """A variable for every merged node: that of the first graph with the node, made unique."""
        found: dict[int, str] = {}
        for own, graph in zip(self.classes, self.graphs, strict=True):
            for node, each in zip(own, graph.nodes, strict=True):
                if node not in found:
                    taken = set(found.values())
                    tries = (each.variable if k == 1 else f"{each.variable}_{k}" for k in count(1))
                    found[node] = next(name for name in tries if name not in taken)
        return found

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """Everything that is compared: the top, then each node with its attributes, and the edges to it."""
        rank = {node: place for place, node in enumerate(self.order)}
        later: dict[int, list[Slot]] = {node: [] for node in self.order}
        for slot in (*self._attributes(), *self._edges()):
            later[max(slot.nodes, key=rank.__getitem__)].append(slot)
        found = [self._top()]
        for node in self.order:
            found.append(self._concept(node))
            found += sorted(later[node], key=lambda slot: [rank[each] for each in slot.nodes])
        return tuple(found)

    @cached_property
    def labels(self) -> dict[int, str]:
        """The concept of every merged node that most graphs have, or the first of them."""
        found: dict[int, Counter[str]] = {}
        for own, graph in zip(self.classes, self.graphs, strict=True):
            for node, each in zip(own, graph.nodes, strict=True):
                found.setdefault(node, Counter())[each.label or self.names[node]] += 1
        return {node: labels.most_common(1)[0][0] for node, labels in found.items()}

    def texts(self, slot: Slot) -> tuple[str, ...]:
        """Return the values of a slot as they are chosen, by graph; equal ones are written alike."""
        written: dict[str | None, str] = {None: NOTHING}
        for value, shown in zip(slot.values, slot.shown, strict=True):
            if value is not None:
                written.setdefault(value, self._text(slot, shown or ""))
        return tuple(written[value] for value in slot.values)

    def words(self, slot: Slot) -> str:
        """Return the concepts that a slot is about: of one node, or of the two ends of an edge."""
        return " → ".join(self.labels[node] for node in slot.nodes)

    def context(self, slot: Slot) -> str:
        """Return the words of the sentence, if they are known, and the names of the nodes."""
        names = " → ".join(f"{self.names[node]} / {self.labels[node]}" for node in slot.nodes)
        return ": ".join(filter(None, (names, " ".join(self.graphs[0].tokens))))

    def top_text(self, names: str) -> str:
        """Return the top as it is chosen: its name and its concept."""
        numbers = {name: node for node, name in self.names.items()}
        return " + ".join(f"{name} / {self.labels[numbers[name]]}" for name in names.split())

    def _text(self, slot: Slot, shown: str) -> str:
        if slot.what == TOP:
            return self.top_text(shown)
        if slot.what == CONCEPT:
            return shown or NO_CONCEPT
        return f":{shown}" if slot.what == ROLE else f":{slot.role} {shown}"

    def _top(self) -> Slot:
        values: list[str | None] = []
        for own, graph in zip(self.classes, self.graphs, strict=True):
            names = sorted(self.names[own[graph.places[top]]] for top in graph.tops)
            values.append(" ".join(names) or None)
        return Slot(TOP, "", (), "", tuple(values), tuple(values))

    def _concept(self, node: int) -> Slot:
        shown = [
            graph.nodes[own.index(node)].label if node in own else None
            for own, graph in zip(self.classes, self.graphs, strict=True)
        ]
        values = tuple(None if label is None else normal(label) for label in shown)
        return Slot(CONCEPT, self.names[node], (node,), "", values, tuple(shown))

    def _starts(self) -> dict[frozenset[int], int]:
        """Return for every two nodes with an edge that one after which the first graph has the role."""
        found: dict[frozenset[int], int] = {}
        for own, graph in zip(self.classes, self.graphs, strict=True):
            for edge in graph.edges:
                if not edge.constant:
                    ends = own[graph.places[edge.source]], own[graph.places[edge.target]]
                    found.setdefault(frozenset(ends), ends[0])
        return found

    def _attributes(self) -> Iterator[Slot]:
        found: dict[tuple[int, str], list[dict[str, str]]] = {}
        written: dict[str, str] = {}
        for place, (own, graph) in enumerate(zip(self.classes, self.graphs, strict=True)):
            for variable, role, constant in graph.attributes:
                key = own[graph.places[variable]], role.lower()
                said = found.setdefault(key, [{} for _ in self.graphs])
                said[place].setdefault(normal(constant), constant)
                written.setdefault(role.lower(), role)
        for (node, role), said in sorted(found.items()):
            for name, values, shown in _numbered(f"{self.names[node]}:{written[role]}", said):
                yield Slot(ATTRIBUTE, name, (node,), written[role], values, shown)

    def _edges(self) -> Iterator[Slot]:
        """Yield the edges between two nodes, seen from the end at which the first graph has the role."""
        starts = self._starts()
        found: dict[tuple[int, int], list[dict[str, str]]] = {}
        for place, (own, graph) in enumerate(zip(self.classes, self.graphs, strict=True)):
            for source, role, target in graph.relations:
                ends = own[graph.places[source]], own[graph.places[target]]
                inverse = starts[frozenset(ends)] != ends[0]
                said = found.setdefault(ends[::-1] if inverse else ends, [{} for _ in self.graphs])
                shown = oriented(role, inverse=inverse)
                said[place].setdefault(shown.lower(), shown)
        for ends, said in sorted(found.items()):
            for name, values, texts in _numbered(">".join(self.names[node] for node in ends), said):
                yield Slot(ROLE, name, ends, "", values, texts)


def merge(graphs: Sequence[Graph]) -> Merged:
    """Return *graphs* merged in this order."""
    merging = _Merging()
    classes = tuple([merging.add(graph) for graph in graphs])
    return Merged(tuple(graphs), classes, merging.exact)


def merged(graphs: Sequence[Graph]) -> tuple[Merged, list[int]]:
    """Return *graphs* merged in an order that depends only on them, and the place of each of them there.

    Graphs that several annotators have come first, then large ones. Thus the names of nodes stay the same if
    annotators are hidden or listed in another order.
    """
    times = Counter(graph.triples for graph in graphs)

    def rank(graph: Graph) -> tuple[int, int, str]:
        return -times[graph.triples], -graph.triples.size, repr((graph.triples, graph.nodes, graph.edges))

    order = sorted(range(len(graphs)), key=lambda place: rank(graphs[place]))
    found = _merged(tuple(graphs[place] for place in order))
    return found, [order.index(place) for place in range(len(graphs))]


@lru_cache(maxsize=512)
def _merged(graphs: tuple[Graph, ...]) -> Merged:
    return merge(graphs)


def oriented(role: str, *, inverse: bool) -> str:
    """Return a role as it is written after the source of an edge, or after the target if it is inverse.

    Example:
        >>> oriented("ARG0", inverse=False), oriented("ARG0", inverse=True), oriented("domain", inverse=True)
        ('ARG0', 'ARG0-of', 'mod')
    """
    return role if not inverse else "mod" if role == "domain" else f"{role}{INVERSE}"


Values = tuple[str | None, ...]


def paired(said: Sequence[Sequence[str]]) -> list[Values]:
    """Return the values of several annotators side by side.

    Values that at least two of them have come first. The others are paired in sorted order, in places where
    the annotator has nothing.

    Example:
        >>> paired([["arg0", "mod"], ["arg1", "mod"]])
        [('mod', 'mod'), ('arg0', 'arg1')]
        >>> paired([["arg0"], ["arg0"], ["arg1"]])
        [('arg0', 'arg0', 'arg1')]
    """
    times = Counter(value for own in said for value in set(own))
    shared = sorted(value for value in times if times[value] > 1)
    rows: list[list[str | None]] = [[value if value in own else None for own in said] for value in shared]
    for place, own in enumerate(said):
        for value in sorted(each for each in set(own) if times[each] == 1):
            row = next((row for row in rows if row[place] is None), None)
            if row is None:
                row = [None for _ in said]
                rows.append(row)
            row[place] = value
    return [tuple(row) for row in rows]


def _numbered(name: str, said: Sequence[dict[str, str]]) -> Iterator[tuple[str, Values, Values]]:
    """Yield a name, the values and their spelling for every row; names after the first have numbers."""
    for number, values in enumerate(paired([list(own) for own in said]), start=1):
        shown = tuple(None if value is None else own[value] for own, value in zip(said, values, strict=True))
        yield name if number == 1 else f"{name}/{number}", values, shown

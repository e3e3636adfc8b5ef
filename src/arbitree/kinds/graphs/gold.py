"""The graph that results from decisions, and what it lacks to be a graph."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from arbitree.adjudication.places import NOTHING
from arbitree.formats.penman_notation import arranged
from arbitree.kinds.graphs.merging import CONCEPT, NO_CONCEPT, ROLE, Merged, Slot
from arbitree.kinds.graphs.value import TOP, Edge, Graph, Node, Semantics, Span, grouped, turned

AnyGraph = Graph | Semantics

ANNOTATOR = re.compile(r"\s+::(?:annotator\s+\S+|preferred\b)")  # in a comment
NO_SPAN: Span = (-1, -1)
OPEN = "?"  # the concept of a node that is not decided


class Part(NamedTuple):
    """An edge or attribute that is agreed or decided."""

    slot: Slot
    text: str

    @property
    def key(self) -> str:
        """The key of its place."""
        return self.slot.key


@dataclass(slots=True)
class Draft:
    """The parts of a graph that are agreed or decided.

    Args:
        merged: The graphs of the annotators.
        fixed: What is agreed or decided, as text, by place.
        slots: The places.
    """

    merged: Merged
    fixed: Mapping[str, str]
    slots: Iterable[Slot]
    concepts: dict[int, str] = field(default_factory=dict)  # of nodes that are in the graph
    removed: set[int] = field(default_factory=set)
    parts: list[Part] = field(default_factory=list)
    tops: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        for slot in self.slots:
            text = self.fixed.get(slot.key)
            if text is None:
                continue
            if slot.what == CONCEPT and text == NOTHING:
                self.removed.add(slot.nodes[0])
            elif slot.what == CONCEPT:
                self.concepts[slot.nodes[0]] = "" if text == NO_CONCEPT else text
            elif slot.what == TOP:
                self.tops = self._tops(text)
            elif text != NOTHING:
                self.parts.append(Part(slot, text))

    def _tops(self, text: str) -> tuple[int, ...]:
        numbers = {name: node for node, name in self.merged.names.items()}
        names = [each.partition(" ")[0] for each in text.split(" + ")]
        return tuple(numbers[name] for name in names if name in numbers)

    def pieces(self) -> list[list[int]]:
        """Return the nodes of each connected part of the graph; that of the top comes first."""
        near: dict[int, list[int]] = {node: [] for node in self.merged.order if node in self.concepts}
        for part in self.parts:
            ends = part.slot.nodes
            if len(ends) == 2 and all(node in near for node in ends):
                near[ends[0]].append(ends[1])
                near[ends[1]].append(ends[0])
        found: list[list[int]] = []
        seen: set[int] = set()
        for start in (*self.tops, *near):
            if start in seen or start not in near:
                continue
            piece, stack = [], [start]
            while stack:
                node = stack.pop()
                if node not in seen:
                    seen.add(node)
                    piece.append(node)
                    stack += near[node]
            found.append(piece)
        return found

    def graph(self) -> Graph:
        """Return the graph, with the words and comments of the first annotator.

        Edges to nodes that are not in the graph are left out. Nodes keep the anchors of the first annotator
        who has them.
        """
        merged, names = self.merged, self.merged.names
        nodes = tuple(
            Node(names[node], self.concepts[node], _anchor(merged, node))
            for node in merged.order
            if node in self.concepts
        )
        features = {edge.role.lower() for graph in merged.graphs for edge in graph.edges if edge.feature}
        edges = []
        for slot, text in self.parts:
            if not all(node in self.concepts for node in slot.nodes):
                continue
            ends = [names[node] for node in slot.nodes]
            if slot.what == ROLE:
                edges.append(Edge(ends[0], text.removeprefix(":"), ends[1]))
            else:
                value = text.removeprefix(f":{slot.role} ")
                feature = slot.role.lower() in features
                edges.append(Edge(ends[0], slot.role, value, constant=True, feature=feature))
        first = merged.graphs[0]
        tops = tuple(names[node] for node in self.tops if node in self.concepts)
        found = Graph(nodes, grouped(nodes, edges), tops, first.tokens)
        if not first.turned:
            direct = [edge if edge.constant else _direct(edge) for edge in edges]
            return replace(found, edges=grouped(nodes, direct), turned=False)
        return arranged(found) if tops else found


def _direct(edge: Edge) -> Edge:
    """Return an edge from its source to its target."""
    role, inverse = turned(edge.role)
    return Edge(edge.target, role, edge.source) if inverse else edge


def _anchor(merged: Merged, node: int) -> tuple[Span, ...]:
    for own, graph in zip(merged.classes, merged.graphs, strict=True):
        if node in own and graph.nodes[own.index(node)].anchor:
            return graph.nodes[own.index(node)].anchor
    return ()


def value_of(graph: Graph, values: Sequence[AnyGraph]) -> AnyGraph:
    """Return *graph* as an annotation like *values*: with the comments of the first, or by spans."""
    first = values[0]
    return (
        semantics(graph)
        if isinstance(first, Semantics)
        else anonymous(replace(graph, comments=first.comments))
    )


def anonymous(value: AnyGraph) -> AnyGraph:
    """Return an annotation without the name of its annotator in the comments, for the gold standard.

    Example:
        >>> anonymous(Graph(comments=("# ::id s1 ::annotator Ann ::preferred",))).comments
        ('# ::id s1',)
    """
    if isinstance(value, Semantics) or not any("::annotator" in each for each in value.comments):
        return value
    kept = (each if "::snt" in each else ANNOTATOR.sub("", each).strip() for each in value.comments)
    return replace(value, comments=tuple(each for each in kept if each.strip("# ")))


def semantics(graph: Graph) -> Semantics:
    """Return *graph* as triples between the characters that its nodes cover.

    Example:
        >>> rain = Graph((Node("e1", "_rain_v_1", ((3, 9),)),), (), ("e1",), turned=False)
        >>> semantics(rain).names, semantics(rain).top
        ((((3, 9), '_rain_v_1', ''),), (((3, 9), 'top', ''),))
    """
    spans = {node.variable: node.anchor[0] if node.anchor else NO_SPAN for node in graph.nodes}
    found: dict[bool, list[tuple[Span, str, str]]] = {True: [], False: []}
    for edge in graph.edges:
        if edge.constant:
            found[edge.feature].append((spans[edge.source], edge.role, edge.target))
    return Semantics(
        names=tuple((spans[node.variable], node.label, "") for node in graph.nodes),
        args=tuple((spans[a], role, spans[b]) for a, role, b in graph.relations),
        props=tuple(found[True]),
        constants=tuple(found[False]),
        top=tuple((spans[each], "top", "") for each in graph.tops[:1]),
        read=graph,
    )

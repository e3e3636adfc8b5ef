"""Graphs as indented lines in PENMAN notation, with the parts on which annotators differ marked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from arbitree.drawing.badges import listed
from arbitree.drawing.fragment import Node as FragmentNode
from arbitree.drawing.lettering import columns, drawable
from arbitree.formats.penman_notation import arranged, unreached
from arbitree.kinds.graphs.choices import SoFar
from arbitree.kinds.graphs.merging import ATTRIBUTE, CONCEPT, NO_CONCEPT, ROLE, Merged, Slot, merged, oriented
from arbitree.kinds.graphs.value import TOP, Edge, Graph, Node, grouped, normal, turned

SHARED, RELABELLED, OWN = "", "relabelled", "own"  # marks of a piece
DECIDED = "✓ decided"  # the caption of the adjudicator's graph
INDENT = 4  # columns


class Piece(NamedTuple):
    """A part of a line: a role, a name, a concept, an attribute, or brackets."""

    text: str
    key: str = ""  # of its place; empty for brackets
    value: str = ""  # as it is chosen
    mark: str = SHARED


class Line(NamedTuple):
    """A line of an outline."""

    depth: int
    pieces: tuple[Piece, ...]

    @property
    def width(self) -> int:
        """The width in columns, with the indentation."""
        return INDENT * self.depth + sum(columns(piece.text) for piece in self.pieces)


@dataclass(frozen=True, slots=True)
class Outline:
    """One graph and the annotators who share it."""

    lines: tuple[Line, ...]
    coders: tuple[str, ...] = ()
    number: int = 0  # of the first of the coders in the study: decides on the colour
    decided: bool = False  # an adjudicator's, as far as it is decided
    room: tuple[int, int] = (0, 0)  # least columns and lines, so that nothing moves when it grows

    @property
    def caption(self) -> str:
        """The names of the annotators."""
        return DECIDED if self.decided else listed(self.coders)


def parts_of(graph: Graph) -> Iterator[Graph]:
    """Yield the connected parts of a graph, that of the top first, with roles inverted where needed."""
    nodes = {node.variable: node for node in graph.nodes}
    edges, tops = graph.edges, graph.tops
    while nodes:
        top = next((each for each in tops if each in nodes), next(iter(nodes)))
        inside = tuple(edge for edge in edges if edge.source in nodes)
        found = arranged(Graph(tuple(nodes.values()), inside, (top,), turned=graph.turned))
        lost = set(unreached(found))
        own = tuple(node for node in found.nodes if node.variable not in lost)
        kept = tuple(edge for edge in found.edges if edge.source not in lost)
        yield Graph(own, grouped(own, kept), (top,))
        nodes = {name: node for name, node in nodes.items() if name in lost}


class _Drawer:
    """Turns one connected part of a graph into lines."""

    def __init__(self, graph: Graph, describe: Describer) -> None:
        self.nodes = {node.variable: node for node in graph.nodes}
        self.below: dict[str, list[Edge]] = {name: [] for name in self.nodes}
        for edge in graph.edges:
            self.below[edge.source].append(edge)
        self.top = graph.tops[0]
        self.describe = describe

    def lines(self) -> Iterator[Line]:
        """Yield the lines, with closing brackets at the ends."""
        opened = {self.top}
        stack: list[Iterator[Edge]] = [iter(self.below[self.top])]
        line = Line(0, self._opening(self.nodes[self.top], top=True))
        while stack:
            edge = next(stack[-1], None)
            if edge is None:
                stack.pop()
                line = line._replace(pieces=(*line.pieces, Piece(")")))
                continue
            yield line
            depth = len(stack)
            if edge.constant:
                line = Line(depth, (self.describe.attribute(edge),))
                continue
            role = self.describe.role(edge)
            if edge.target in opened:
                line = Line(depth, (role, Piece(f" {self.describe.name(edge.target)}")))
                continue
            opened.add(edge.target)
            line = Line(depth, (role, Piece(" "), *self._opening(self.nodes[edge.target])))
            stack.append(iter(self.below[edge.target]))
        yield line

    def _opening(self, node: Node, *, top: bool = False) -> tuple[Piece, ...]:
        concept = self.describe.concept(node)
        name = self.describe.top(node) if top else Piece(self.describe.name(node.variable))
        return (Piece("("), name, Piece(" / "), concept) if concept.text else (Piece("("), name, concept)


@dataclass(frozen=True, slots=True)
class Describer:
    """Describes the parts of one of the merged graphs, or of the adjudicator's."""

    merged: Merged
    classes: Mapping[str, int]  # by variable, the merged node
    row: int | None  # of the graph among those that are merged; None for the adjudicator's
    fixed: Mapping[str, str]  # the adjudicator's values, by place

    def name(self, variable: str) -> str:
        """Return the variable that a node has in all graphs."""
        return drawable(self.merged.names[self.classes[variable]])

    def top(self, node: Node) -> Piece:
        """Return the name of the top."""
        slot = next(slot for slot in self.merged.slots if slot.what == TOP)
        own = self.merged.names[self.classes[node.variable]]
        found = self._piece(slot, drawable(own))
        return found if found.value.partition(" ")[0] == own else Piece(found.text)

    def concept(self, node: Node) -> Piece:
        """Return the concept of a node."""
        slot = self._slots(CONCEPT, (self.classes[node.variable],))[0]
        return self._piece(slot, drawable(node.label), node.label or NO_CONCEPT)

    def attribute(self, edge: Edge) -> Piece:
        """Return an attribute: its role and value."""
        shown = f":{drawable(edge.role)} {drawable(edge.target)}"
        for slot in self._slots(ATTRIBUTE, (self.classes[edge.source],)):
            if slot.role.lower() == edge.role.lower() and self._is(
                slot, normal(edge.target), f":{slot.role} {edge.target}"
            ):
                return self._piece(slot, shown, f":{slot.role} {edge.target}")
        return Piece(shown)

    def role(self, edge: Edge) -> Piece:
        """Return the role of an edge as it is written."""
        role, inverse = turned(edge.role)
        ends = (edge.target, edge.source) if inverse else (edge.source, edge.target)
        nodes = tuple(self.classes[end] for end in ends)
        for back in (False, True):
            shown = oriented(role, inverse=back)
            for slot in self._slots(ROLE, nodes[::-1] if back else nodes):
                if self._is(slot, shown.lower(), f":{shown}"):
                    return self._piece(slot, f":{drawable(edge.role)}", f":{shown}")
        return Piece(f":{drawable(edge.role)}")

    def _slots(self, what: str, nodes: tuple[int, ...]) -> list[Slot]:
        return [slot for slot in self.merged.slots if slot.what == what and slot.nodes == nodes]

    def _is(self, slot: Slot, value: str, written: str) -> bool:
        """Return whether a slot holds the value of this graph."""
        if self.row is not None:
            return slot.values[self.row] == value
        known = self.fixed.get(slot.key)
        return slot.values[0] == value if known is None else known == written

    def _piece(self, slot: Slot, shown: str, value: str = "") -> Piece:
        if self.row is None:
            return Piece(shown, slot.key if slot.key in self.fixed else "", value)
        value = self.merged.texts(slot)[self.row]
        mark = SHARED if slot.agreed else OWN if None in slot.values else RELABELLED
        return Piece(shown, slot.key, value, mark)


def outlines(
    values: Mapping[str, Graph], coders: Sequence[str] = (), decided: SoFar | None = None
) -> tuple[Outline, ...]:
    """Return the different graphs of one item as outlines, and that of the adjudicator last.

    Args:
        values: Graphs by annotator.
        coders: All annotators of the study; their order determines the colours.
        decided: What the adjudicator has decided.
    """
    if not any(map(len, values.values())):
        return ()
    found, order = merged(list(values.values()))
    numbers = {name: number for number, name in enumerate(coders or values)}
    rows = dict(zip(values, order, strict=True))
    shared: dict[tuple[str, ...], list[str]] = {}
    for coder, row in rows.items():
        if len(values[coder]):
            said = tuple(found.texts(slot)[row] for slot in found.slots)
            shared.setdefault(said, []).append(coder)
    made = []
    for names in shared.values():
        graph, row = values[names[0]], rows[names[0]]
        classes = dict(zip((node.variable for node in graph.nodes), found.classes[row], strict=True))
        lines = _lines(graph, Describer(found, classes, row, {}))
        made.append(Outline(lines, tuple(names), numbers[names[0]]))
    if decided is not None:
        classes = {name: node for node, name in found.names.items()}
        lines = _lines(decided.graph, Describer(found, classes, None, dict(decided.decisions)))
        made.append(Outline(lines, decided=True, room=_room(found, made)))
    return tuple(made)


def _room(found: Merged, made: Sequence[Outline]) -> tuple[int, int]:
    """Return the columns and lines that the adjudicator's graph can need."""
    wide = max(line.width for outline in made for line in outline.lines)
    edges = [slot for slot in found.slots if slot.what == ROLE]
    attributes = sum(slot.what == ATTRIBUTE for slot in found.slots)
    apart = sum(not slot.agreed for slot in edges)  # nodes that wait for an edge begin a line of their own
    return wide + 2 * INDENT, len(edges) + attributes + apart + 1


def _lines(graph: Graph, describe: Describer) -> tuple[Line, ...]:
    return tuple(line for part in parts_of(graph) for line in _Drawer(part, describe).lines())


def outline_of_nodes(nodes: Sequence[FragmentNode], marks: Sequence[str]) -> Outline:
    """Return a fragment as an outline: one line per node, with its role and its label."""
    depths: list[int] = []
    lines = []
    for node, mark in zip(nodes, marks, strict=True):
        depths.append(0 if node.parent < 0 else depths[node.parent] + 1)
        role = f":{drawable(node.edge)}" if node.edge else ""
        shown = " ".join(filter(None, (role, drawable(node.label))))
        lines.append(Line(depths[-1], (Piece(shown, mark=mark),)))
    return Outline(tuple(lines))


def unmarked(outline: Outline) -> Outline:
    """Return an outline without marks."""
    lines = tuple(
        line._replace(pieces=tuple(piece._replace(mark=SHARED) for piece in line.pieces))
        for line in outline.lines
    )
    return replace(outline, lines=lines)

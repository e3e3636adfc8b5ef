"""Differences that belong together as fragments of graphs, and the question that they ask."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from arbitree.constructions.findings import Asked, Change, Nucleus
from arbitree.constructions.questions import Wording
from arbitree.drawing.fragment import Fragment, Node
from arbitree.kinds.graphs.grouping import together
from arbitree.kinds.graphs.merging import ATTRIBUTE, CONCEPT, ROLE, Merged, Slot
from arbitree.kinds.graphs.value import TOP, normal

VALUE, NODE, IDENTITY, REENTRANCY, ATTACHMENT = "value", "node", "identity", "reentrancy", "attachment"
CLASSES = (CONCEPT, ROLE, VALUE, ATTRIBUTE, NODE, IDENTITY, REENTRANCY, ATTACHMENT, TOP)


@dataclass(frozen=True)
class GraphNucleus:
    """Differences that belong together: a concept, a role, a node with its edges, or a moved edge."""

    merged: Merged
    slots: tuple[Slot, ...]

    @cached_property
    def nodes(self) -> tuple[int, ...]:
        """The merged nodes, first those from which edges start."""
        edges = [slot for slot in self.slots if slot.what == ROLE]
        found = [node for slot in (*edges, *self.slots) for node in slot.nodes]
        return tuple(dict.fromkeys(found or self._tops))

    @property
    def words(self) -> str:
        """The concepts of the nodes."""
        return " → ".join(self.merged.labels[node] for node in self.nodes)

    @cached_property
    def class_(self) -> str:
        """The way in which annotators differ."""
        if self._new:
            shared = {normal(self.merged.labels[node]) for node in self._everybodys}
            twice = all(normal(self.merged.labels[node]) in shared for node in self._new)
            return IDENTITY if twice else NODE
        first = self.slots[0]
        if len(self.slots) > 1:
            return ATTACHMENT
        if first.what == ATTRIBUTE and None not in first.values:
            return VALUE
        # Both nodes are in all graphs, so that the edge is one more.
        return REENTRANCY if first.what == ROLE and None in first.values else first.what

    @cached_property
    def asked(self) -> Asked:
        """What the difference is about: the concepts, or the roles."""
        if self.class_ in (CONCEPT, IDENTITY):
            nodes = self._new or self.nodes
            given = {value for slot in self._concepts(nodes) for value in slot.values if value}
            return self.class_, tuple(sorted(given))
        if self.class_ in (VALUE, ATTRIBUTE):
            return self.class_, tuple(sorted({f":{slot.role}" for slot in self.slots}))
        roles = {text for slot in self.slots if slot.what == ROLE for text in self._given(slot)}
        return self.class_, tuple(sorted(roles))

    def changes(self, rows: Sequence[int]) -> tuple[Change, ...]:
        """Return what differs, with one label for each of the graphs at *rows*."""
        found = []
        for slot in self.slots:
            texts = self.merged.texts(slot)
            labels = tuple(None if slot.values[row] is None else texts[row] for row in rows)
            found.append(Change(slot.what, slot.nodes, labels))
        return tuple(found)

    def fragment(self, row: int) -> Fragment:
        """Return what one graph has, as small trees."""
        nodes: list[Node] = []
        if self.class_ == TOP:
            top = self.slots[0].shown[row]
            label = "" if top is None else self.merged.labels[self._numbers[top.partition(" ")[0]]]
            nodes.append(Node(label, -1, edge=TOP))
        else:
            self._trees(row, nodes)
        text = brackets_of(nodes)
        return Fragment(text, text, tuple(nodes))

    def _trees(self, row: int, nodes: list[Node]) -> None:
        """Add the nodes of one graph; a node is repeated where a second edge reaches it."""
        here = [node for node in self.nodes if self._label(node, row) is not None]
        edges = [slot for slot in self.slots if slot.what == ROLE and slot.values[row] is not None]
        reached = {slot.nodes[1] for slot in edges}
        seen: set[int] = set()
        for start in (*(node for node in here if node not in reached), *here):
            stack = [] if start in seen else [(start, -1, "")]
            while stack:
                node, parent, role = stack.pop()
                nodes.append(Node(self._label(node, row) or "", parent, edge=role))
                if node in seen:
                    continue
                seen.add(node)
                place = len(nodes) - 1
                for slot in self.slots:
                    if slot.what == ATTRIBUTE and slot.nodes == (node,) and slot.values[row] is not None:
                        nodes.append(Node(slot.shown[row] or "", place, edge=slot.role))
                below = [
                    (slot.nodes[1], place, slot.shown[row] or "") for slot in edges if slot.nodes[0] == node
                ]
                stack += reversed(below)

    def _label(self, node: int, row: int) -> str | None:
        """Return the concept of a node in one graph, if it has the node; other differences do not show."""
        (concept,) = self._concepts([node])
        if concept.values[row] is None:
            return None
        return concept.shown[row] if concept in self.slots else self.merged.labels[node]

    @cached_property
    def _new(self) -> tuple[int, ...]:
        """The nodes that not all annotators have."""
        return tuple(slot.nodes[0] for slot in self.slots if slot.what == CONCEPT and None in slot.values)

    @property
    def _everybodys(self) -> list[int]:
        return [node for node in self.merged.order if all(node in own for own in self.merged.classes)]

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: node for node, name in self.merged.names.items()}

    @property
    def _tops(self) -> list[int]:
        return [self._numbers[name] for value in self.slots[0].values for name in (value or "").split()]

    def _concepts(self, nodes: Sequence[int]) -> list[Slot]:
        return [slot for slot in self.merged.slots if slot.what == CONCEPT and slot.nodes[0] in nodes]

    def _given(self, slot: Slot) -> list[str]:
        given = zip(slot.values, self.merged.texts(slot), strict=True)
        return [text for value, text in given if value is not None]


def nuclei_of(merged: Merged) -> list[GraphNucleus]:
    """Return the differences between merged graphs, each with those that belong to it."""
    contested = [slot for slot in merged.slots if not slot.agreed]
    return [GraphNucleus(merged, tuple(group)) for group in together(contested)]


def brackets_of(nodes: Sequence[Node]) -> str:
    """Return small trees on one line, in PENMAN notation without variables.

    Example:
        >>> brackets_of([Node("sail-01", -1), Node("captain", 0, edge="ARG0"), Node("net", -1)])
        '(sail-01 :ARG0 captain) + net'
    """
    texts = [node.label for node in nodes]
    for place in range(len(nodes) - 1, -1, -1):
        below = [
            f":{nodes[other].edge} {texts[other]}"
            for other in range(place + 1, len(nodes))
            if nodes[other].parent == place
        ]
        if below:
            texts[place] = f"({nodes[place].label} {' '.join(below)})"
    tops = [
        f":{node.edge} {text}" if node.edge else text
        for node, text in zip(nodes, texts, strict=True)
        if node.parent < 0
    ]
    return " + ".join(tops)


def sides(nucleus: Nucleus) -> list[tuple[str, ...]]:
    """Return the labels that each fragment has."""
    columns = [tuple(label or "nothing" for label in change.labels) for change in nucleus.changes]
    return list(zip(*sorted(columns, key=sorted), strict=True))


LEGEND = (
    "(sail-01 :ARG0 captain) is a node sail-01 with an edge :ARG0 to a node captain. A plus sign separates "
    "nodes without an edge between them."
)
WORDING = Wording(
    {
        CONCEPT: "{}",
        ROLE: "{}",
        VALUE: "value of {}",
        ATTRIBUTE: "with or without {}",
        NODE: "with or without a node at {}",
        IDENTITY: "one node or two for {}",
        REENTRANCY: "with or without a second edge {}",
        ATTACHMENT: "attachment of {}",
        TOP: "which node is the top",
    },
    sides,
)

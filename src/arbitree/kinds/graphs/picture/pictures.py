"""Drawing of graphs: each distinct graph once, as an outline in PENMAN notation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from textwrap import wrap
from typing import Any, ClassVar

from arbitree.adjudication.places import choices_of
from arbitree.drawing import svg
from arbitree.drawing.badges import absences, listed
from arbitree.drawing.fragment import Fragment, Node
from arbitree.drawing.lettering import drawable
from arbitree.drawing.picture import Folding, Part, Pictures, side_by_side
from arbitree.kinds.graphs.choices import SoFar
from arbitree.kinds.graphs.gold import AnyGraph
from arbitree.kinds.graphs.merging import merged
from arbitree.kinds.graphs.picture.outline import (
    OWN,
    SHARED,
    Outline,
    outline_of_nodes,
    outlines,
    parts_of,
    unmarked,
)
from arbitree.kinds.graphs.picture.svg import LEGEND, Clicks, has_marks, outline_svg, outline_text
from arbitree.kinds.graphs.value import Edge, Graph

NAMED = 5  # differences that a text alternative names


@dataclass(frozen=True)
class GraphsPart(Part):
    """Graphs of one item, each distinct graph once."""

    legend: ClassVar[str] = (
        "Framed: parts that only some annotators have. Underlined: values that differ. "
        "A node has the same variable in all graphs."
    )

    outlines: tuple[Outline, ...]
    notes: tuple[str, ...]
    values: Mapping[str, Graph] = field(default_factory=dict)  # by annotator
    decided: SoFar | None = None

    @cached_property
    def markup(self) -> str:
        """The picture for an HTML page, with the graphs below one another."""
        drawn = self._panels(Clicks())
        return drawn[0] if len(drawn) == 1 else svg.stacked(drawn, self.alternative)

    def clickable(self, keys: Sequence[str]) -> Folding:
        """Return the graphs beside one another, with the parts at places in *keys* as buttons."""
        decided = dict(self.decided.decisions) if self.decided else {}
        return Folding(side_by_side(self._panels(Clicks(frozenset(keys), decided))))

    def text(self, width: int, colour: bool) -> str:
        """Return the picture for a terminal."""
        several = self._several
        parts = [outline_text(each, several=several, colour=colour and several) for each in self.outlines]
        notes = [line for note in self.notes for line in wrap(note, width)]
        legend = [LEGEND] if has_marks(self.outlines) else []
        return "\n\n".join([*parts, *legend, *filter(None, ["\n".join(notes)])])

    @property
    def alternative(self) -> str:
        """The text alternative."""
        found = self.differences
        if not found:
            return f"graph of {listed(list(self.values))}" if any(self.values) else "a graph"
        more = f" {len(found) - NAMED} more." if len(found) > NAMED else ""
        return f"{len(self.outlines)} graphs. {' '.join(found[:NAMED])}{more}"

    @property
    def differences(self) -> list[str]:
        """A sentence for every concept, role, attribute or top on which annotators differ."""
        if len(self.values) < 2:
            return []
        found, order = merged(list(self.values.values()))
        rows = dict(zip(self.values, order, strict=True))
        sentences = []
        for slot in found.slots:
            if slot.agreed:
                continue
            texts = found.texts(slot)
            given = choices_of((coder, texts[row]) for coder, row in rows.items())
            said = "; ".join(f"{drawable(each.value)} ({listed(each.coders)})" for each in given)
            about = " of ".join(filter(None, (slot.what, drawable(found.words(slot), 80))))
            sentences.append(f"{about}: {said}.")
        return sentences

    @property
    def _several(self) -> bool:
        return len(self.outlines) > 1 or any(name for each in self.outlines for name in each.coders)

    def _panels(self, clicks: Clicks) -> list[str]:
        drawn = [
            outline_svg(each, several=self._several, clicks=clicks, label=_label(each))
            for each in self.outlines
        ]
        pieces, width, bottom = svg.remarks(self.notes, svg.DESK, top=0)
        if pieces or not drawn:
            label = " ".join(self.notes) or "no graph"
            drawn.append(svg.frame(width + svg.PAD, bottom + svg.PAD, pieces, kind="outline", label=label))
        return drawn


def _label(outline: Outline) -> str:
    """Return the text alternative of one graph: its lines."""
    lines = (" ".join("".join(piece.text for piece in line.pieces).split()) for line in outline.lines)
    return ": ".join(filter(None, (outline.caption, " ".join(lines))))


class GraphPictures(Pictures[Any]):
    """Outlines of graphs in PENMAN notation."""

    by_words: ClassVar[bool] = False
    outlined: ClassVar[bool] = True

    def part(
        self,
        values: Mapping[str, AnyGraph],
        coders: Sequence[str],
        absent: Mapping[str, str],
        decided: SoFar | None,
    ) -> GraphsPart:
        """Return the picture of *values*; equal graphs are drawn once."""
        graphs = {coder: value.graph for coder, value in values.items()}
        return GraphsPart(outlines(graphs, coders, decided), tuple(absences(absent)), graphs, decided)

    def aligned(self, values: Sequence[AnyGraph], *, marked: bool = False, widest: float) -> list[str]:
        """Return each graph as an outline."""
        found = []
        for place, value in enumerate(values):
            compared = {str(other): each.graph for other, each in enumerate(values)} if marked else {}
            shown = outlines({**compared, str(place): value.graph})
            own = next((each for each in shown if str(place) in each.coders), Outline(()))
            found.append(outline_svg(own if marked else unmarked(own), several=False, label=_label(own)))
        return found

    def spoken(self, value: AnyGraph) -> list[str]:
        """Return a line of text for every node and attribute.

        Example:
            >>> from arbitree.kinds.graphs.value import Node
            >>> nodes = Node("s", "sing-01"), Node("b", "bird")
            >>> GraphPictures().spoken(Graph(nodes, (Edge("s", "ARG0", "b"),), ("s",)))
            ['sing-01', 'bird: ARG0 of sing-01']
        """
        found = []
        nodes = self.nodes(value)
        for node in nodes:
            above = f"{node.edge} of {nodes[node.parent].label}" if node.parent >= 0 else ""
            found.append(": ".join(filter(None, (node.label, above))))
        return found

    def nodes(self, value: AnyGraph) -> tuple[Node, ...]:
        """Return the nodes and attributes as a tree; a node is repeated where a second edge reaches it."""
        found: list[Node] = []
        for part in parts_of(value.graph):
            labels = {node.variable: node.label or node.variable for node in part.nodes}
            below: dict[str, list[Edge]] = {}
            for edge in part.edges:
                below.setdefault(edge.source, []).append(edge)
            opened: set[str] = set()
            stack = [Edge("", "", part.tops[0])]
            parents = [-1]
            while stack:
                edge, parent = stack.pop(), parents.pop()
                found.append(
                    Node(edge.target if edge.constant else labels[edge.target], parent, edge=edge.role)
                )
                if not edge.constant and edge.target not in opened:
                    opened.add(edge.target)
                    own = below.get(edge.target, [])
                    stack += reversed(own)
                    parents += [len(found) - 1] * len(own)
        return tuple(found)

    def fragment(
        self, fragment: Fragment, others: Sequence[Fragment], words: Sequence[str], differing: Sequence[int]
    ) -> str:
        """Return the fragment as an outline; lines that another fragment lacks are framed."""
        known = [{_line(node, other.nodes) for node in other.nodes} for other in others]
        lines = [_line(node, fragment.nodes) for node in fragment.nodes]
        marks = [OWN if any(line not in own for own in known) else SHARED for line in lines]
        return outline_svg(outline_of_nodes(fragment.nodes, marks), several=False, label=fragment.brackets)


def _line(node: Node, nodes: Sequence[Node]) -> tuple[str, str, str]:
    return node.edge, node.label, nodes[node.parent].label if node.parent >= 0 else ""

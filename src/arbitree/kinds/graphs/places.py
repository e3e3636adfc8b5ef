"""Disagreements between graphs: concepts of nodes, roles of edges, attributes, and the top."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from arbitree.adjudication.places import NOTHING, Key, Places, Said, What, filled
from arbitree.kinds.graphs.choices import GraphSheet, graph_sheet
from arbitree.kinds.graphs.gold import AnyGraph
from arbitree.kinds.graphs.merging import ATTRIBUTE, CONCEPT, ROLE, Merged, merged
from arbitree.kinds.graphs.value import TOP, turned
from arbitree.study.study import Item


class GraphPlaces(Places[Any]):
    """Concepts of nodes, roles of edges, attributes of nodes, and the top."""

    compared: ClassVar[str] = "concepts, roles and attributes"
    examples: ClassVar[str] = "h concept, h>p role"
    whats: ClassVar[Mapping[str, What]] = {
        CONCEPT: What(
            "Concepts",
            "concept, or (none) to remove the node",
            confusion="concepts",
            heading="Concepts",
            note="Number of aligned nodes to which two annotators give these concepts. "
            "Diagonal: both give the same. (none): only one annotator has the node.",
        ),
        ROLE: What(
            "Roles",
            "role, or (none) to remove the edge",
            confusion="roles",
            heading="Roles",
            note="Number of edges between aligned nodes to which two annotators give these roles. "
            "Diagonal: both give the same. (none): only one annotator has the edge.",
        ),
        ATTRIBUTE: What(
            "Attributes",
            "value, or (none) to remove the attribute",
            confusion="attributes",
            heading="Attributes",
            note="Number of aligned nodes to which two annotators give these attributes. "
            "Diagonal: both give the same. (none): only one annotator has the attribute.",
        ),
        TOP: What(
            "Tops",
            "name of a node",
            short=True,
            confusion="tops",
            heading="Tops",
            note="Number of sentences in which two annotators choose nodes with these concepts as the top.",
        ),
    }
    listed: ClassVar[tuple[str, ...]] = (CONCEPT, ROLE, ATTRIBUTE, TOP)
    tagged: ClassVar[Mapping[str, str]] = {
        "role": ROLE, "roles": ROLE, "concept": CONCEPT, "concepts": CONCEPT
    }  # fmt: skip
    free: ClassVar[tuple[str, ...]] = (ATTRIBUTE, CONCEPT)

    def compare(self, values: Sequence[AnyGraph], *, listed: bool = False) -> Iterable[Said]:
        """Return the concepts, roles, attributes and tops of graphs whose nodes are aligned."""
        found, order = merged([value.graph for value in values])
        return _said(found, order)

    def sheet(
        self, item: Item, values: Mapping[str, AnyGraph], *, one_root: bool = False
    ) -> GraphSheet | None:
        """Return the sheet of several graphs."""
        graphs = filled(values)
        return graph_sheet(item, graphs) if len(graphs) > 1 and any(map(len, graphs.values())) else None

    def value_at(self, value: AnyGraph, key: Key) -> str | None:
        """Return None: the names of nodes in keys depend on the graphs that are compared."""
        return None

    def vocabulary(self, value: AnyGraph) -> Iterable[tuple[str, Iterable[str]]]:
        """Yield the concepts, and the roles of edges as they are written."""
        yield CONCEPT, [node.label for node in value.graph.nodes if node.label]
        yield ROLE, [f":{edge.role}" for edge in value.graph.edges if not edge.constant]

    def atoms(self, what: str, value: str) -> Iterable[str]:
        """Return a concept or attribute, or a role without colon and ``-of``; nothing for ``(none)``.

        Example:
            >>> PLACES.atoms(ROLE, ":ARG0-of"), PLACES.atoms(ROLE, ":consist-of"), PLACES.atoms(ROLE, ":mod")
            (('ARG0',), ('consist-of',), ('mod',))
        """
        if value == NOTHING:
            return ()
        role = value.removeprefix(":")
        return (value if what != ROLE else role if role == "mod" else turned(role)[0],)


def _said(found: Merged, order: Sequence[int]) -> Iterator[Said]:
    for what in (CONCEPT, ROLE, ATTRIBUTE, TOP):
        slots = [slot for slot in found.slots if slot.what == what]
        if not slots:
            continue
        columns = [found.texts(slot) for slot in slots]
        yield Said(
            what,
            [slot.name for slot in slots],
            [tuple(column[row] for column in columns) for row in order],
            sort=_concept if what == TOP else _text,
            confused=what != TOP,
            where=[(found.words(slot), found.context(slot)) for slot in slots],
        )


def _text(first: Any, said: Any, number: int) -> str:
    return str(said)


def _concept(first: Any, said: Any, number: int) -> str:
    """Return the concept of a top, which means the same in other sentences."""
    return str(said).partition(" / ")[2] or str(said)


PLACES = GraphPlaces()

"""The kind of graphs: AMR, UMR, MRS and EDS."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from arbitree.kinds.graphs.value import FAMILIES, Graph, GraphValue, Semantics
from arbitree.kinds.kind import Kind
from arbitree.study.study import Study

if TYPE_CHECKING:
    from arbitree.constructions.explain import Constructions
    from arbitree.kinds.graphs.picture.pictures import GraphPictures
    from arbitree.kinds.graphs.places import GraphPlaces
    from arbitree.simulation.noise import Noise


class GraphsKind(Kind[Any]):
    """Graphs (AMR, UMR) and the semantic graphs of MRS and EDS, which can be seen as graphs."""

    name: ClassVar[str] = "graphs"
    noun: ClassVar[str] = "meaning representations"
    values: ClassVar[tuple[type, ...]] = (Semantics, Graph)
    writers: ClassVar[tuple[str, ...]] = ("penman",)
    leading: ClassVar[tuple[str, ...]] = ("edm", "smatch")
    order: ClassVar[tuple[str, ...]] = ("edm", "alpha_graph", "smatch")
    seen: ClassVar[tuple[str, ...]] = ("triples",)

    def size(self, study: Study[Any]) -> Mapping[str, int]:
        """Return the words and nodes of a study of graphs; of semantic graphs, the predications."""
        if study.value_type is Semantics:
            return super().size(study)
        first = [cells[0].value for _, cells in study if cells]
        tokens = sum(len(value.tokens) for value in first)
        return ({"tokens": tokens} if tokens else {}) | {"nodes": sum(map(len, first))}

    def describe(self, value: GraphValue) -> str:
        """Return the graph on one line."""
        if isinstance(value, Semantics):
            return str(value)
        from arbitree.formats.penman_notation import arranged, penman_text

        return " ".join(penman_text(arranged(value.graph)).split())

    def record(self, value: GraphValue) -> dict[str, Any]:
        """Return nodes, edges and tops as they were read; of a semantic graph, its text."""
        if isinstance(value, Semantics):
            return {"text": str(value)}
        graph = value.graph
        return {
            "tokens": graph.tokens,
            "nodes": [node._asdict() for node in graph.nodes],
            "edges": [edge._asdict() for edge in graph.edges],
            "tops": graph.tops,
        }

    def short_record(self, value: GraphValue) -> Any:
        """Return the graph on one line."""
        return self.describe(value)

    def content(self, value: GraphValue) -> Hashable:
        """Return a key that does not depend on the names of variables or the order of nodes."""
        return value if isinstance(value, Semantics) else (value.graph.tokens, _canonical(value))

    def parts_in_files(self, value: GraphValue) -> Mapping[str, Hashable]:
        """Return the parts of a graph, or the families of triples of a semantic graph and its scope."""
        if isinstance(value, Semantics):
            scope = value.text if value.notation == "simplemrs" else ""
            return {f"triples ({name})": value.triples(name) for name in FAMILIES} | {"scope": scope}
        from arbitree.formats.conll_rows import remarks

        graph = value.graph
        anchors = (*(node.anchor for node in graph.nodes), *(edge.anchor for edge in graph.edges))
        return {
            "words": graph.tokens,
            "nodes": tuple(node[:2] for node in graph.nodes),
            "relations and attributes": tuple(edge[:4] for edge in graph.edges),
            "alignments": anchors if any(anchors) else (),
            "document level": graph.unread,
            "comments": remarks(graph.comments),
        }

    @property
    def aspects(self) -> Mapping[str, Callable[[Any], str]]:
        """The triples by family as they were read, and the graph whatever its variables are called."""
        return {"triples": _families, "graph": lambda value: repr(_canonical(value))}

    def empty(self) -> Graph:
        """Return a graph without nodes."""
        return Graph()

    def comments(self, value: GraphValue) -> tuple[str, ...] | None:
        """Return the comments before the graph; None for a semantic graph."""
        return None if isinstance(value, Semantics) else value.graph.comments

    def commented(self, value: GraphValue, comments: tuple[str, ...]) -> GraphValue:
        """Return the graph with other comments."""
        return value if isinstance(value, Semantics) else replace(value.graph, comments=comments)

    @property
    def places(self) -> GraphPlaces:
        """Comparison and adjudication of concepts, roles, attributes and tops."""
        from arbitree.kinds.graphs.places import PLACES

        return PLACES

    @property
    def constructions(self) -> Constructions[Any]:
        """Differences that belong together, grouped by type."""
        from arbitree.kinds.graphs.constructions.explain import GraphConstructions

        return GraphConstructions()

    @cached_property
    def pictures(self) -> GraphPictures:
        """Outlines in PENMAN notation."""
        from arbitree.kinds.graphs.picture.pictures import GraphPictures

        return GraphPictures()

    @property
    def noises(self) -> Mapping[str, Noise[Any]]:
        """Experiments with relabelled, moved, dropped and added nodes and relations."""
        from arbitree.kinds.graphs.noise import NOISES

        return NOISES

    def written(self, value: GraphValue, values: Mapping[str, GraphValue]) -> Graph:
        """Return the annotation as a graph."""
        return value.graph


def _canonical(value: GraphValue) -> Hashable:
    from arbitree.kinds.graphs.canonical import canonical

    return canonical(value.graph.triples)


def _families(value: GraphValue) -> str:
    if isinstance(value, Semantics):
        return repr([sorted(map(repr, value.triples(each))) for each in FAMILIES])
    return repr(_canonical(value))


KIND = GraphsKind()

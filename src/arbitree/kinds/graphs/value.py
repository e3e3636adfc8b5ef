"""Graphs as annotated: AMR and UMR in PENMAN notation, and the meaning representations MRS and EDS."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, NamedTuple

Span = tuple[int, int]
Triple = tuple[Span, str, str | Span]
Anchor = tuple[Span, ...]  # first and last words, or first characters and ends

FAMILIES = ("names", "args", "props", "constants", "top")
TOP = "top"  # role and value of the attribute of the top
INVERSE = "-of"
DIRECT = ("consist-of", "prep-on-behalf-of", "prep-out-of")  # roles that end like inverse ones


class GraphValue:
    """Base class of annotations that can be seen as a graph; measures compare ``graph``."""

    __slots__ = ()

    @property
    @abstractmethod
    def graph(self) -> Graph:
        """The annotation as a graph."""


class Node(NamedTuple):
    """A node: its variable, its label as written (empty if there is none), and what it is anchored to."""

    variable: str
    label: str = ""
    anchor: Anchor = ()


class Edge(NamedTuple):
    """A role as written after the node ``source``, and its value: another node or a constant.

    An inverse role is not turned: in ``(c / cat :ARG0-of (s / sleep-01))`` it is ``ARG0-of`` from c to s.
    """

    source: str  # variable
    role: str  # without the colon
    target: str  # variable, or a constant with its quotes
    constant: bool = False
    feature: bool = False  # whether it is a property of a variable, such as tense, in MRS and EDS
    anchor: Anchor = ()  # of the role or the constant


@dataclass(frozen=True, slots=True)
class Triples:
    """A graph as it is compared: lower case, without quotes, inverse roles turned, equal triples once.

    Nodes are numbers in the order of ``Graph.nodes``. The top is an attribute.
    """

    labels: tuple[str, ...]  # of the nodes; a node without a label has an empty one and no triple
    attributes: tuple[tuple[int, str, str], ...]  # node, role, value
    relations: tuple[tuple[int, str, int], ...]  # source, role, target
    repeated: int = 0  # triples that were equal to another one, and do not count

    @property
    def size(self) -> int:
        """The number of triples."""
        return sum(map(bool, self.labels)) + len(self.attributes) + len(self.relations)


@dataclass(frozen=True)
class Graph(GraphValue):
    """Nodes with labels, the relations between them, their attributes, and a top.

    The nodes are in the order in which a text that introduces each node at its first mention names them,
    and the edges are grouped by their source. Names of variables do not matter for measures.

    Example:
        >>> cat = Graph(
        ...     (Node("c", "cat"), Node("s", "sleep-01")),
        ...     (Edge("c", "ARG0-of", "s"), Edge("s", "polarity", "-", constant=True)),
        ...     ("c",),
        ... )
        >>> cat.triples.relations, cat.triples.attributes, cat.triples.size
        (((1, 'arg0', 0),), ((0, 'top', 'top'), (1, 'polarity', '-')), 5)
    """

    kind: ClassVar[str] = "graph"
    plural: ClassVar[str] = "graphs"
    unit: ClassVar[str] = "sentence"

    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()
    tops: tuple[str, ...] = ()  # variables
    tokens: tuple[str, ...] = ()  # the annotated words, if the file contains them
    comments: tuple[str, ...] = ()
    turned: bool = True  # whether roles such as ARG0-of and mod are inverse ones
    unread: tuple[str, ...] = ()  # lines of the file that are not compared: the document level of UMR

    def __post_init__(self) -> None:
        known = {node.variable for node in self.nodes}
        if len(known) != len(self.nodes):
            raise ValueError("two nodes have the same variable")
        ends = {edge.source for edge in self.edges} | {
            each.target for each in self.edges if not each.constant
        }
        if unknown := sorted((ends | set(self.tops)) - known):
            raise ValueError(f"there is no node {unknown[0]}")

    def __len__(self) -> int:
        return len(self.nodes)

    @property
    def graph(self) -> Graph:
        """The annotation itself."""
        return self

    @cached_property
    def places(self) -> Mapping[str, int]:
        """The number of each node, by its variable."""
        return {node.variable: place for place, node in enumerate(self.nodes)}

    @property
    def relations(self) -> Iterator[tuple[str, str, str]]:
        """Source, role and target of every relation, inverse roles turned, in the spelling of the file."""
        for edge in self.edges:
            if not edge.constant:
                role, inverse = turned(edge.role) if self.turned else (edge.role, False)
                yield (edge.target, role, edge.source) if inverse else (edge.source, role, edge.target)

    @property
    def attributes(self) -> Iterator[tuple[str, str, str]]:
        """Variable, role and constant of every attribute except the top, in the spelling of the file."""
        return ((edge.source, edge.role, edge.target) for edge in self.edges if edge.constant)

    @cached_property
    def triples(self) -> Triples:
        """All triples as they are compared."""
        return self.triples_without()

    def triples_without(self, roles: Collection[str] = (), *, features: bool = True) -> Triples:
        """Return the triples as they are compared.

        Args:
            roles: Roles to leave out, in lower case, inverse ones turned.
            features: Whether properties of variables, such as tense in MRS and EDS, are included.
        """
        kept = self.edges if features else tuple(edge for edge in self.edges if not edge.feature)
        part = self if features else Graph(self.nodes, kept, self.tops, turned=self.turned)
        places = self.places
        relations = [(places[a], role.lower(), places[b]) for a, role, b in part.relations]
        attributes = [(places[a], TOP, TOP) for a in self.tops]
        attributes += [(places[a], role.lower(), normal(value)) for a, role, value in part.attributes]
        own = tuple(sorted({each for each in attributes if each[1] not in roles}))
        between = tuple(sorted({each for each in relations if each[1] not in roles}))
        dropped = sum(each[1] in roles for each in (*attributes, *relations))
        repeated = len(attributes) + len(relations) - len(own) - len(between) - dropped
        return Triples(tuple(normal(node.label) for node in self.nodes), own, between, repeated)


def normal(text: str) -> str:
    """Return a label or constant as it is compared: in lower case, without the enclosing quotes.

    Example:
        >>> normal('"New York"'), normal("Sleep-01")
        ('new york', 'sleep-01')
    """
    quoted = len(text) > 1 and text[0] == text[-1] == '"'
    return (text[1:-1] if quoted else text).lower()


def turned(role: str) -> tuple[str, bool]:
    """Return the role of a relation without its mark of inversion, and whether it was inverse.

    Example:
        >>> turned("ARG0-of"), turned("mod"), turned("consist-of"), turned("ARG0")
        (('ARG0', True), ('domain', True), ('consist-of', False), ('ARG0', False))
    """
    if role == "mod":
        return "domain", True
    if role == "mod-of":
        return "domain", False
    if role.endswith(INVERSE) and role not in DIRECT and role != INVERSE:
        return role.removesuffix(INVERSE), True
    return role, False


def inverted(role: str) -> str | None:
    """Return the role that relates the same nodes in the other direction; None if there is none.

    Example:
        >>> inverted("ARG0"), inverted("ARG0-of"), inverted("domain"), inverted("consist")
        ('ARG0-of', 'ARG0', 'mod', None)
    """
    plain, inverse = turned(role)
    if inverse:
        return None if turned(plain)[1] else plain
    other = "mod" if plain == "domain" else f"{plain}{INVERSE}"
    return other if turned(other) == (plain, True) else None


@dataclass(frozen=True, slots=True)
class Semantics(GraphValue):
    """Predications and the relations between them, identified by the characters that they cover.

    Example:
        >>> rain = Semantics(names=(((3, 9), "_rain_v_1", ""),), top=(((3, 9), "top", ""),))
        >>> len(rain), len(Semantics())
        (1, 0)
        >>> rain.graph.triples.size
        2
    """

    kind: ClassVar[str] = "semantics"
    plural: ClassVar[str] = "semantic graphs"
    unit: ClassVar[str] = "sentence"

    names: tuple[Triple, ...] = ()  # span, predicate
    args: tuple[Triple, ...] = ()  # span, role, span
    props: tuple[Triple, ...] = ()  # span, feature, value
    constants: tuple[Triple, ...] = ()  # span, carg, constant
    top: tuple[Triple, ...] = ()  # span of the topmost predication
    text: str = ""  # as read from the file
    notation: str = ""  # the format of the file
    read: Graph | None = field(default=None, compare=False, repr=False)  # with variables instead of spans

    def __len__(self) -> int:
        return len(self.names)

    @property
    def tokens(self) -> tuple[str, ...]:
        """The words of the annotation; a semantic graph has none."""
        return ()

    @property
    def graph(self) -> Graph:
        """The predications as nodes, their arguments as relations, properties and constants as attributes.

        Without variables, all triples of a span belong to its first predication.
        """
        return _by_spans(self) if self.read is None else self.read

    def triples(self, family: str) -> tuple[Triple, ...]:
        """Return the triples of one of the families."""
        found: tuple[Triple, ...] = getattr(self, family)
        return found


def _by_spans(value: Semantics) -> Graph:
    """Return the graph of a representation that was not read from a file."""
    nodes = tuple(
        Node(f"e{place}", str(name), (span,)) for place, (span, name, _) in enumerate(value.names, start=1)
    )
    first = {node.anchor[0]: node.variable for node in reversed(nodes)}
    edges = [
        Edge(first[span], role, first[target])
        for span, role, target in value.args
        if isinstance(target, tuple) and span in first and target in first
    ]
    for triples, feature in ((value.constants, False), (value.props, True)):
        edges += [
            Edge(first[span], role, str(constant), constant=True, feature=feature)
            for span, role, constant in triples
            if span in first
        ]
    tops = tuple(first[span] for span, *_ in value.top[:1] if span in first)
    return Graph(nodes, grouped(nodes, edges), tops, turned=False)


def grouped(nodes: Iterable[Node], edges: Iterable[Edge]) -> tuple[Edge, ...]:
    """Return *edges* grouped by their source, in the order of *nodes*."""
    places = {node.variable: place for place, node in enumerate(nodes)}
    return tuple(sorted(edges, key=lambda edge: places[edge.source]))

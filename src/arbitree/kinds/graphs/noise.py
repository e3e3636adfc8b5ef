"""Simulated errors in graphs: nodes and relations are relabelled, moved, dropped and added."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from arbitree.kinds.graphs.value import Edge, Graph, GraphValue, Node, Semantics, grouped
from arbitree.simulation.noise import HABIT, Noise, habit_noise, pick

TRIES = 20  # draws of another label, before the old one stays
Relation = tuple[str, str, str]  # source, role, target


@dataclass(slots=True)
class Draft:
    """A graph that can be changed: relations as they are compared, with inverse roles turned."""

    labels: dict[str, str]
    relations: list[Relation]
    tops: tuple[str, ...]
    known: set[Relation] = field(default_factory=set)
    added: int = 0

    @classmethod
    def of(cls, graph: Graph) -> Draft:
        """Return a draft of *graph*."""
        relations = list(dict.fromkeys(graph.relations))
        return cls({node.variable: node.label for node in graph.nodes}, relations, graph.tops, set(relations))

    def put(self, place: int, new: Relation) -> None:
        """Replace the relation at *place*, unless the graph contains the new one already."""
        if new not in self.known:
            self.known.discard(self.relations[place])
            self.known.add(new)
            self.relations[place] = new

    def add(self, new: Relation) -> None:
        """Add a relation, unless the graph contains it already."""
        if new not in self.known:
            self.known.add(new)
            self.relations.append(new)

    def drop_node(self, variable: str) -> None:
        """Remove a node with its relations."""
        del self.labels[variable]
        self.relations = [each for each in self.relations if variable not in (each[0], each[2])]
        self.known = set(self.relations)

    def new_node(self, label: str) -> str:
        """Add a node, and return its variable."""
        name = "n"
        while name in self.labels:
            self.added += 1
            name = f"n{self.added}"
        self.labels[name] = label
        return name

    def graph(self, original: Graph) -> Graph:
        """Return the graph, with the attributes, words and comments of the original."""
        old = {node.variable: node for node in original.nodes}
        nodes = tuple(
            old[name]._replace(label=label) if name in old else Node(name, label)
            for name, label in self.labels.items()
        )
        edges = [Edge(*relation) for relation in self.relations]
        edges += [edge for edge in original.edges if edge.constant and edge.source in self.labels]
        return replace(original, nodes=nodes, edges=grouped(nodes, edges))


@dataclass(frozen=True, slots=True)
class Errors:
    """Changes nodes and relations, each with a probability given as a multiple of the level.

    Labels and roles are drawn by their frequency in the corpus. A graph never contains a relation twice, and
    it may fall apart. The top is never dropped.

    Args:
        labels, roles: all labels and roles in the corpus, as often as they occur.
        changes: the names of the changes that are made.
    """

    labels: tuple[str, ...]
    roles: tuple[str, ...]
    changes: frozenset[str]

    def __call__(self, value: GraphValue, level: float, rng: Random) -> GraphValue:
        """Return *value* with simulated errors at this noise level."""
        graph = value.graph
        draft = Draft.of(graph)
        for name, change in CHANGES.items():
            if name in self.changes:
                change(self, draft, level, rng)
        found = draft.graph(graph)
        return with_graph(value, found) if isinstance(value, Semantics) else found

    def relabel(self, draft: Draft, level: float, rng: Random) -> None:
        """Give nodes another label."""
        for name, label in draft.labels.items():
            if rng.random() < level:
                draft.labels[name] = _another(self.labels, label, rng)

    def rename(self, draft: Draft, level: float, rng: Random) -> None:
        """Give relations another role."""
        for place, (source, role, target) in enumerate(draft.relations):
            if rng.random() < level:
                draft.put(place, (source, _another(self.roles, role, rng), target))

    def move(self, draft: Draft, level: float, rng: Random) -> None:
        """Give relations another target, which is not their source."""
        for place, (source, role, target) in enumerate(draft.relations):
            if rng.random() < level:
                others = [name for name in draft.labels if name not in (source, target)]
                if others:
                    draft.put(place, (source, role, pick(others, rng)))

    def drop(self, draft: Draft, level: float, rng: Random) -> None:
        """Remove relations."""
        draft.relations = [each for each in draft.relations if rng.random() >= level]
        draft.known = set(draft.relations)

    def add(self, draft: Draft, level: float, rng: Random) -> None:
        """Add relations between two different nodes, as many as there are on average at level 1."""
        names = list(draft.labels)
        for _ in range(len(draft.relations)):
            if rng.random() < level and len(names) > 1 and self.roles:
                source = pick(names, rng)
                target = pick([name for name in names if name != source], rng)
                draft.add((source, pick(self.roles, rng), target))

    def drop_nodes(self, draft: Draft, level: float, rng: Random) -> None:
        """Remove nodes with their relations and attributes, except the top."""
        for name in list(draft.labels):
            if rng.random() < level and name not in draft.tops:
                draft.drop_node(name)

    def add_nodes(self, draft: Draft, level: float, rng: Random) -> None:
        """Add nodes, each with a relation from an old node."""
        for name in list(draft.labels):
            if rng.random() < level and self.labels and self.roles:
                draft.add((name, pick(self.roles, rng), draft.new_node(pick(self.labels, rng))))


CHANGES: dict[str, Callable[[Errors, Draft, float, Random], None]] = {
    "relabel": Errors.relabel,
    "rename": Errors.rename,
    "move": Errors.move,
    "drop": Errors.drop,
    "add": Errors.add,
    "drop_nodes": Errors.drop_nodes,
    "add_nodes": Errors.add_nodes,
}


def _another(names: Sequence[str], own: str, rng: Random) -> str:
    """Return a name that is not *own*, by frequency; *own* if nearly all are the same."""
    for _ in range(TRIES):
        if names and (found := pick(names, rng)) != own:
            return found
    return own


def with_graph(value: Semantics, graph: Graph) -> Semantics:
    """Return a meaning representation with another graph; new predications cover no characters."""
    spans = {node.variable: node.anchor[0] if node.anchor else (-1, -1) for node in graph.nodes}
    constants = [edge for edge in graph.edges if edge.constant]
    return replace(
        value,
        names=tuple((spans[node.variable], node.label, "") for node in graph.nodes),
        args=tuple((spans[a], role, spans[b]) for a, role, b in graph.relations),
        props=tuple((spans[each.source], each.role, each.target) for each in constants if each.feature),
        constants=tuple((spans[e.source], "carg", e.target) for e in constants if not e.feature),
        top=tuple((spans[top], "top", "") for top in graph.tops),
        text="",
        notation="",
        read=graph,
    )


def labels_of(values: Sequence[GraphValue]) -> tuple[str, ...]:
    """Return the labels of the nodes of a corpus in alphabetical order, as often as they occur."""
    return tuple(sorted(node.label for value in values for node in value.graph.nodes))


def roles_of(values: Sequence[GraphValue]) -> tuple[str, ...]:
    """Return the roles of the relations of a corpus in alphabetical order, as often as they occur."""
    return tuple(sorted(role for value in values for _, role, _ in value.graph.relations))


def relabel(value: GraphValue, rewrite: Callable[[str], str]) -> GraphValue:
    """Return *value* with *rewrite* applied to the label of every node."""
    graph = value.graph
    found = replace(graph, nodes=tuple(node._replace(label=rewrite(node.label)) for node in graph.nodes))
    return with_graph(value, found) if isinstance(value, Semantics) else found


def _noise(about: str, *changes: str, by_default: bool = False) -> Noise[GraphValue]:
    return Noise(
        about,
        lambda values, options: Errors(labels_of(values), roles_of(values), frozenset(changes)),
        by_default=by_default,
    )


NOISES: dict[str, Noise[GraphValue]] = {
    "graph": _noise("all changes of nodes and relations", *CHANGES, by_default=True),
    "graph_labels": _noise("nodes relabelled", "relabel", by_default=True),
    "graph_roles": _noise("relations relabelled", "rename", by_default=True),
    "graph_move": _noise("relations moved to another node", "move", by_default=True),
    "graph_drop": _noise("relations dropped", "drop"),
    "graph_add": _noise("relations added", "add"),
    "graph_drop_nodes": _noise("nodes dropped with their relations", "drop_nodes"),
    "graph_add_nodes": _noise("nodes added", "add_nodes"),
    HABIT: habit_noise(labels_of, relabel),
}

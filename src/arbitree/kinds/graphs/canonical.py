"""A key for graphs that does not depend on the names of variables or on the order of nodes and edges."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from arbitree.kinds.graphs.value import Triples

MOST = 200  # orders of nodes that are tried; only graphs with many symmetries need more


def canonical(triples: Triples) -> Hashable:
    """Return a key that is equal for graphs that differ only in the names and the order of their nodes.

    Nodes are told apart by their labels, attributes and neighbours, and then by trying each of those that
    are still alike. Graphs with very many symmetries are compared in the order of their nodes.

    Example:
        >>> first = Triples(("cat", "sleep"), ((1, "top", "top"),), ((1, "arg0", 0),))
        >>> second = Triples(("sleep", "cat"), ((0, "top", "top"),), ((0, "arg0", 1),))
        >>> canonical(first) == canonical(second)
        True
    """
    return _Search(triples).smallest()


class _Search:
    """The search for the smallest description of a graph."""

    def __init__(self, triples: Triples) -> None:
        self.triples = triples
        self.tried = 0
        self.neighbours: list[list[tuple[bool, str, int]]] = [[] for _ in triples.labels]
        for source, role, target in triples.relations:
            self.neighbours[source].append((True, role, target))
            self.neighbours[target].append((False, role, source))
        self.attributes: list[list[tuple[str, str]]] = [[] for _ in triples.labels]
        for node, role, value in triples.attributes:
            self.attributes[node].append((role, value))

    def smallest(self) -> Hashable:
        """Return the smallest description of the graph over all orders of its nodes that are possible."""
        colours = _ranks([(label, self.attributes[node]) for node, label in enumerate(self.triples.labels)])
        found: Hashable = self._best(self._refined(colours))
        return found

    def _refined(self, colours: list[int]) -> list[int]:
        """Return the coarsest colours that tell apart nodes with different neighbours."""
        while True:
            known = [
                (colours[node], sorted((out, role, colours[other]) for out, role, other in around))
                for node, around in enumerate(self.neighbours)
            ]
            finer = _ranks(known)
            if max(finer, default=0) == max(colours, default=0):
                return finer
            colours = finer

    def _best(self, colours: list[int]) -> Any:
        cells: dict[int, list[int]] = {}
        for node, colour in enumerate(colours):
            cells.setdefault(colour, []).append(node)
        cell = next((cells[colour] for colour in sorted(cells) if len(cells[colour]) > 1), None)
        if cell is None:
            self.tried += 1
            return self._description(colours)
        if self.tried >= MOST or self._twins(cell):
            cell = cell[:1]
        found = []
        for node in cell:
            apart = [2 * colour + 1 for colour in colours]
            apart[node] -= 1
            found.append(self._best(self._refined(_ranks(apart))))
        return min(found)

    def _twins(self, cell: Sequence[int]) -> bool:
        """Return whether the nodes of *cell* have the same neighbours, so that they can be exchanged."""
        return len({tuple(sorted(self.neighbours[node])) for node in cell}) == 1

    def _description(self, places: Sequence[int]) -> tuple[Any, ...]:
        order = sorted(range(len(places)), key=places.__getitem__)
        relations = sorted((places[a], role, places[b]) for a, role, b in self.triples.relations)
        nodes = tuple((self.triples.labels[node], tuple(self.attributes[node])) for node in order)
        return nodes, tuple(relations)


def _ranks(keys: Sequence[Any]) -> list[int]:
    """Return the place of each key among the different keys in order."""
    places = {key: place for place, key in enumerate(sorted({_frozen(key) for key in keys}))}
    return [places[_frozen(key)] for key in keys]


def _frozen(key: Any) -> Any:
    return tuple(map(_frozen, key)) if isinstance(key, list | tuple) else key

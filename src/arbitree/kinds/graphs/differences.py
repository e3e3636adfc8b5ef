"""Differences between two graphs under their alignment, by kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from arbitree.kinds.graphs.merging import aligned, paired
from arbitree.kinds.graphs.value import TOP, Graph

LABEL, NODE, VALUE, ATTRIBUTE, ROLE, EDGE = "label", "node", "value", "attribute", "role", "edge"
KINDS = (LABEL, VALUE, ROLE, TOP, NODE, ATTRIBUTE, EDGE)  # of the first four, two triples differ


class Difference(NamedTuple):
    """One difference. A side is None if only the other graph has the node, attribute or edge."""

    kind: str
    first: str | None  # label, value or role, as it is compared
    second: str | None

    @property
    def triples(self) -> int:
        """The number of triples of both graphs that do not match."""
        return (self.first is not None) + (self.second is not None)


def differences(first: Graph, second: Graph) -> list[Difference]:
    """Return the differences between two graphs under their alignment.

    Two graphs of sizes a and b with m matching triples differ in a + b - 2 m triples: two for each label,
    value, role or top that differs, and one for each node, attribute or edge that only one graph has. This
    holds if every node has a label and every graph has one top.

    Example:
        >>> from arbitree.kinds.graphs.value import Edge, Node
        >>> nodes = Node("s", "sing-01"), Node("b", "bird")
        >>> one, two = (Graph(nodes, (Edge("s", role, "b"),), ("s",)) for role in ("ARG0", "ARG1"))
        >>> differences(one, two)
        [Difference(kind='role', first='arg0', second='arg1')]
    """
    partners = aligned(first, second)
    back = {other: node for node, other in partners.items()}
    # Nodes that only the second graph has are numbered after those of the first.
    number = {node: back.get(node, len(first.nodes) + node) for node in range(len(second.nodes))}
    one, two = first.triples, second.triples
    found = list(_labels(one.labels, two.labels, number))
    found += _tops(one.attributes, two.attributes, number)
    found += _compared(
        (VALUE, ATTRIBUTE),
        ((node, role, value) for node, role, value in one.attributes if role != TOP),
        ((number[node], role, value) for node, role, value in two.attributes if role != TOP),
    )
    found += _compared(
        (ROLE, EDGE),
        ((a, b, role) for a, role, b in one.relations),
        ((number[a], number[b], role) for a, role, b in two.relations),
    )
    return found


def counts(found: Iterable[Difference]) -> Counter[tuple[str, str]]:
    """Return the number of differences by kind and side: ``both``, ``first`` or ``second``."""
    sides = {(True, True): "both", (True, False): "first", (False, True): "second"}
    return Counter((each.kind, sides[each.first is not None, each.second is not None]) for each in found)


def _labels(one: tuple[str, ...], two: tuple[str, ...], number: dict[int, int]) -> Iterator[Difference]:
    other = {number[node]: label for node, label in enumerate(two)}
    for node in sorted({*range(len(one)), *other}):
        label = one[node] if node < len(one) else None
        if label is None or node not in other:
            yield Difference(NODE, label, other.get(node))
        elif label != other[node]:
            yield Difference(LABEL, label, other[node])


def _tops(
    one: Iterable[tuple[int, str, str]], two: Iterable[tuple[int, str, str]], number: dict[int, int]
) -> Iterator[Difference]:
    tops = [str(node) for node, role, _ in one if role == TOP]
    others = [str(number[node]) for node, role, _ in two if role == TOP]
    for first, second in paired([tops, others]):
        if first != second:
            yield Difference(TOP, first, second)


def _compared(
    kinds: tuple[str, str],
    one: Iterable[tuple[int, int | str, str]],
    two: Iterable[tuple[int, int | str, str]],
) -> Iterator[Difference]:
    """Yield differences in the last part of triples whose other parts are equal.

    The first of *kinds* is that of two different values, the second that of a value on one side only.
    """
    said: dict[tuple[int, str], tuple[list[str], list[str]]] = {}
    for side, triples in enumerate((one, two)):
        for node, other, value in triples:
            said.setdefault((node, str(other)), ([], []))[side].append(value)
    for key in sorted(said):
        for first, second in paired(said[key]):
            if first != second:
                yield Difference(kinds[0 if first is not None and second is not None else 1], first, second)

"""Differences between graphs that belong together: a node with its edges, or an edge that is moved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arbitree.kinds.graphs.merging import CONCEPT, ROLE, Slot


def together(contested: Sequence[Slot]) -> list[list[Slot]]:
    """Return differences that belong together, each difference in one list.

    A node that not all annotators have belongs together with its attributes and edges. Two edges belong
    together if each annotator has one of them, and one seems to replace the other: the edge is moved, or its
    second node is attached to another node.
    """
    leader = list(range(len(contested)))

    def lead(place: int) -> int:
        while leader[place] != place:
            place = leader[place]
        return place

    for one, other in _linked(contested):
        first, second = sorted((lead(one), lead(other)))
        leader[second] = first
    found: dict[int, list[Slot]] = {}
    for place, slot in enumerate(contested):
        found.setdefault(lead(place), []).append(slot)
    return list(found.values())


def _linked(contested: Sequence[Slot]) -> Iterator[tuple[int, int]]:
    """Yield the numbers of two differences that belong together."""
    partial = {
        slot.nodes[0]: place
        for place, slot in enumerate(contested)
        if slot.what == CONCEPT and None in slot.values
    }
    for place, slot in enumerate(contested):
        yield from ((partial[node], place) for node in slot.nodes if node in partial)
    moved: set[int] = set()
    for one, slot in enumerate(contested):
        for other in range(one + 1, len(contested)):
            if one not in moved and other not in moved and is_replaced(slot, contested[other]):
                moved |= {one, other}
                yield one, other


def is_replaced(one: Slot, other: Slot) -> bool:
    """Return whether every annotator has exactly one of two edges, and one replaces the other."""
    if one.what != ROLE or other.what != ROLE:
        return False
    apart = all((a is None) != (b is None) for a, b in zip(one.values, other.values, strict=True))
    return apart and (one.nodes[1] == other.nodes[1] or is_move(one, other))


def is_move(one: Slot, other: Slot) -> bool:
    """Return whether two edges have the same role and one common end."""
    if one.what != ROLE or other.what != ROLE:
        return False
    ends = sum(a == b for a, b in zip(one.nodes, other.nodes, strict=True))
    roles = {value for value in (*one.values, *other.values) if value is not None}
    return ends == 1 and len(roles) == 1

"""Layout of the words and phrases of trees, in pixels or in terminal columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil

from arbitree.kinds.phrase.picture.overlay import Node, Phrases, Slot


@dataclass(frozen=True, slots=True)
class Metrics:
    """Measurements of a picture."""

    word: Callable[[str], float]
    label: Callable[[Node], float]
    gap: float  # between words


@dataclass(frozen=True, slots=True)
class Column:
    """The column of a word or a trace, the same in all trees."""

    start: float
    width: float

    @property
    def middle(self) -> float:
        """The middle of the column."""
        return self.start + self.width / 2


@dataclass(frozen=True, slots=True)
class Panel:
    """One tree: the middle and the row of every node, from 0 at the leaves."""

    tree: Phrases
    middles: list[float]
    rows: list[int]

    @property
    def height(self) -> int:
        """The highest row."""
        return max(self.rows, default=0)


@dataclass(frozen=True, slots=True)
class Layout:
    """Trees over the same columns, so that equal words are aligned."""

    panels: list[Panel]
    columns: dict[Slot, Column]
    width: float


def lay_out(trees: Sequence[Phrases], metrics: Metrics) -> Layout:
    """Return the layout; words keep their order, so discontinuous phrases cross others."""
    columns = _columns(trees, metrics)
    width = max((column.start + column.width for column in columns.values()), default=0.0)
    return Layout([_panel(tree, columns, metrics) for tree in trees], columns, width)


def deepest(trees: Sequence[Phrases]) -> int:
    """Return the highest row that a tree with any of the brackets of *trees* can have.

    Example:
        >>> from arbitree.kinds.phrase.picture.overlay import phrases_of
        >>> from arbitree.kinds.phrase.value import PhraseTree
        >>> left = PhraseTree(("a", "b", "c", "d"), ("", "", "", "", "S", "X"), (5, 5, 4, 4, -1, 4))
        >>> right = PhraseTree(("a", "b", "c", "d"), ("", "", "", "", "S", "Y"), (5, 5, 5, 4, -1, 4))
        >>> deepest([phrases_of(left), phrases_of(right)])
        3
    """
    chains: dict[frozenset[int], int] = {}  # brackets over the same tokens
    for tree in trees:
        own = Counter(frozenset(tree.tokens[k]) for k, node in enumerate(tree.nodes) if node.slot is None)
        chains.update({span: max(count, chains.get(span, 0)) for span, count in own.items() if span})
    folded = {frozenset(node.folded) for tree in trees for node in tree.nodes if node.folded}
    heights: dict[frozenset[int], int] = dict.fromkeys(folded, 1)
    for span in sorted(chains, key=len):
        below = max((height for inside, height in heights.items() if inside < span), default=0)
        heights[span] = chains[span] + max(below, heights.get(span, 0))
    return max(heights.values(), default=0)


def _columns(trees: Sequence[Phrases], metrics: Metrics) -> dict[Slot, Column]:
    slots = sorted({node.slot for tree in trees for node in tree.nodes if node.slot is not None})
    place = {slot: number for number, slot in enumerate(slots)}
    widths = [0.0] * len(slots)
    needs: list[tuple[int, int, float]] = []
    for tree in trees:
        for number, node in enumerate(tree.nodes):
            own = tree.slots[number]
            if own:
                need = max(metrics.label(node), metrics.word(node.word) if node.slot else 0.0)
                ends = _run(tree, number)
                needs.append((place[ends[0]], place[ends[1]], need))
    for first, last, need in sorted(set(needs), key=lambda each: (each[1] - each[0], each)):
        has = sum(widths[first : last + 1]) + metrics.gap * (last - first)
        if need > has:
            share = (need - has) / (last - first + 1)
            for column in range(first, last + 1):
                widths[column] += share
    found, start = {}, 0.0
    for slot, width in zip(slots, map(ceil, widths), strict=True):  # whole columns of a terminal
        found[slot] = Column(start, width)
        start += width + metrics.gap
    return found


def _run(tree: Phrases, place: int) -> tuple[Slot, Slot]:
    """Return the ends of the words below a label: the first run without a gap."""
    own = tree.slots[place]
    if not tree.broken(place):
        return own[0], own[-1]
    tokens = set(tree.tokens[place])
    last = next(slot for slot in own if slot[1])
    for slot in own:
        if slot > last and slot[0] == last[0] + 1 and slot[0] in tokens:
            last = slot
    return own[0], last


def _panel(tree: Phrases, columns: dict[Slot, Column], metrics: Metrics) -> Panel:
    size = len(tree.nodes)
    middles, rows = [0.0] * size, [0] * size
    crossing = any(tree.broken(place) for place in range(size))
    taken: list[list[tuple[Slot, Slot]]] = []  # by row: from which slot to which
    for place in _bottom_up(tree):
        node, below = tree.nodes[place], [k for k in tree.children[place] if tree.slots[k]]
        if node.slot is not None:
            middles[place] = columns[node.slot].middle
            rows[place] = 1 if node.folded else 0
        elif below:
            own = tree.slots[place]
            half = metrics.label(node) / 2
            first, last = (columns[slot] for slot in _run(tree, place))
            middle = (middles[below[0]] + middles[below[-1]]) / 2
            middles[place] = max(min(middle, last.start + last.width - half), first.start + half)
            rows[place] = 1 + max(rows[child] for child in below)
            if crossing:
                rows[place] = _free(taken, rows[place], own)
    return Panel(tree, middles, rows)


def _free(taken: list[list[tuple[Slot, Slot]]], row: int, own: tuple[Slot, ...]) -> int:
    """Return the first row from *row* upwards that is free between the ends of *own*."""
    while len(taken) > row and any(first <= own[-1] and own[0] <= last for first, last in taken[row]):
        row += 1
    while len(taken) <= row:
        taken.append([])
    taken[row].append((own[0], own[-1]))
    return row


def _bottom_up(tree: Phrases) -> list[int]:
    order = [place for place, node in enumerate(tree.nodes) if node.parent < 0]
    for place in order:
        order.extend(tree.children[place])
    return order[::-1]

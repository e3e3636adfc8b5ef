"""Fragments of dependency trees as SVG: words with their tags, and arcs between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from arbitree.analyses.inconsistencies.findings import Fragment
from arbitree.reports import svg
from arbitree.reports.lettering import columns, drawable, runs_leftwards
from arbitree.reports.svg import LETTER, PAD, number, text

GAP = 14  # between words
STEP = 24  # between rows of arcs
TALLEST = 7  # rows of arcs

Edge = tuple[int, int, str]  # head, dependent and relation; head -1: outside


def fragment_arcs(
    fragment: Fragment, others: Sequence[Fragment], words: Sequence[str], differing: Sequence[int]
) -> str:
    """Return the words in a row with an arc from each to its head, and a short line over a root.

    Args:
        fragment: what to draw.
        others: the fragments beside it; arcs that all of them have are drawn thin and grey.
        words: of an example.
        differing: offsets of the words to mark.
    """
    edges = _edges(fragment)
    shared = Counter(edges)
    for other in others:
        shared &= Counter(_edges(other))
    labels = {node.token: drawable(node.label) for node in fragment.nodes if node.token is not None}
    shown = [drawable(word) for word in words]
    middles, right = _middles(edges, labels, shown)
    if runs_leftwards(words):
        middles = [right - middle for middle in middles]
    rows = {edge: min(abs(edge[0] - edge[1]), TALLEST) if edge[0] >= 0 else 1 for edge in edges}
    floor = (max(rows.values(), default=1) + 1) * STEP + PAD
    pieces: list[str] = []
    for edge in sorted(edges, key=lambda each: -rows[each]):
        pieces += _arc(edge, middles, floor, rows[edge], "" if edge in shared else " own")
    for token, word in enumerate(shown):
        mark = " differs" if token in differing else ""
        pieces.append(text(middles[token], floor + 14, word, f"word{mark}"))
        pieces.append(text(middles[token], floor + 30, labels.get(token, ""), "label"))
    label = f"{fragment.brackets}: {' '.join(shown)}"
    return svg.frame(right, floor + 30 + PAD, pieces, kind="tree", label=label)


def _middles(
    edges: Sequence[Edge], labels: dict[int, str], words: Sequence[str]
) -> tuple[list[float], float]:
    """Return the middle of every word, and where the row ends."""
    middles, right = [], float(PAD)
    for token, word in enumerate(words):
        longest = max((columns(edge) + 1 for _, dependent, edge in edges if dependent == token), default=0)
        width = max(columns(word), columns(labels.get(token, "")), longest) * LETTER
        middles.append(right + width / 2)
        right += width + GAP
    return middles, right


def _arc(edge: Edge, middles: Sequence[float], floor: float, row: int, own: str) -> list[str]:
    head, token, relation = edge
    end = middles[token]
    label = drawable(relation)
    if head < 0:
        top = floor - STEP - 2
        line = f'<path class="arc{own}" d="M{number(end)} {number(top)}V{number(floor - 2)}"/>'
        return [line, text(end, top - 4, label, f"edge{own}")] if label else [line]
    start = middles[head] + (4 if end > middles[head] else -4)
    top = floor - row * STEP
    way = f"M{number(start)} {number(floor - 2)}V{number(top)}H{number(end)}V{number(floor - 2)}"
    point = f'<path class="point{own}" d="M{number(end - 3)} {number(floor - 8)}h6l-3 7z"/>'
    return [
        f'<path class="arc{own}" d="{way}"/>',
        point,
        text((start + end) / 2, top - 4, label, f"edge{own}"),
    ]


def _edges(fragment: Fragment) -> list[Edge]:
    """Return the edge of every token."""
    found = []
    for node in fragment.nodes:
        if node.token is not None:
            head = fragment.nodes[node.parent].token if node.parent >= 0 else None
            found.append((-1 if head is None else head, node.token, node.edge))
    return found

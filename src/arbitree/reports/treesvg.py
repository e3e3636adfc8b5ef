"""Small trees as pictures: phrases above their words, or arcs between them."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from arbitree.analyses.inconsistencies.findings import Fragment, Node

LETTER = 7.4  # width of a letter of the labels and words, in pixels; wide ones have twice that
GAP = 14  # between words
ROW = 30  # between a phrase and its parent
PAD = 8
MANY = 14  # words from which phrases that all have are drawn as triangles
TALLEST = 7  # rows of arcs

Spanned = tuple[str, str, tuple[int, ...]]


@dataclass(slots=True)
class _Box:
    """A node as it is drawn: its middle, its row from the bottom, and what it says."""

    x: float
    row: int
    text: str
    mark: str  # classes
    below: list[_Box]
    words: str = ""  # of a leaf or a triangle
    triangle: float = 0.0  # half the width of its foot


def tree_svg(
    fragment: Fragment, others: Sequence[Fragment], words: Sequence[str], differing: Sequence[int]
) -> str:
    """Return a picture of *fragment* over *words*.

    Args:
        fragment: what to draw.
        others: the fragments beside it; phrases or arcs that all of them have are drawn thin and grey.
        words: of an example.
        differing: offsets of the words to mark.
    """
    if fragment.drawn == "dependency":
        return _arcs(fragment, others, words, differing)
    return _phrases(fragment, others, words, differing)


def text_width(text: str) -> float:
    """Return how wide *text* is drawn; marks that combine have no width, wide characters twice the usual.

    Example:
        >>> text_width("ab") == text_width("水")
        True
    """
    letters = 0
    for character in text:
        if unicodedata.combining(character) or unicodedata.category(character) in ("Cf", "Mn", "Me"):
            continue
        letters += 2 if unicodedata.east_asian_width(character) in "WF" else 1
    return letters * LETTER


def _phrases(
    fragment: Fragment, others: Sequence[Fragment], words: Sequence[str], differing: Sequence[int]
) -> str:
    nodes, below = fragment.nodes, fragment.children()
    tokens = _tokens(fragment)
    shared = Counter(_spanned(fragment, tokens))
    for other in others:
        shared &= Counter(_spanned(other, _tokens(other)))
    roots = sorted((k for k, node in enumerate(nodes) if node.parent < 0), key=lambda k: tokens[k][:1])
    if len(nodes) == 1 and nodes[0].token is None:  # only the label of the whole is known
        tokens[0] = tuple(range(len(words)))
    pen = _Pen(nodes, below, tokens, words, frozenset(differing), shared, many=len(words) > MANY)
    boxes = [pen.box(root) for root in roots]
    if _right_to_left(words):
        _mirror(boxes, pen.right + PAD)
    height = (max(box.row for box in boxes) + 1) * ROW + 2 * PAD + 16
    pieces: list[str] = []
    for box in boxes:
        _draw(box, height - PAD - 20, pieces)
    return _svg(pen.right + PAD, height, pieces, f"{fragment.brackets}: {' '.join(words)}")


@dataclass(slots=True)
class _Pen:
    """Places leaves from left to right, and phrases over the middle of what they hold."""

    nodes: Sequence[Node]
    below: list[list[int]]
    tokens: list[tuple[int, ...]]
    words: Sequence[str]
    differing: frozenset[int]
    shared: Counter[Spanned]
    many: bool
    right: float = PAD

    def box(self, root: int) -> _Box:
        """Return the boxes under *root*; no recursion, so that trees may be deep."""
        done: dict[int, _Box] = {}
        stack = [(root, False)]
        while stack:
            node, ready = stack.pop()
            if node in done:
                continue
            if not self.below[node] or (self._folded(node) and not ready):
                done[node] = self._leaf(node)
            elif ready:
                done[node] = self._over(node, [done[child] for child in self.below[node]])
            else:
                stack.append((node, True))
                stack.extend((child, False) for child in reversed(self.below[node]))
        return done[root]

    def _folded(self, node: int) -> bool:
        """Return whether to draw a triangle: in a long sentence, a phrase that is the same everywhere."""
        return (
            self.many and self.nodes[node].token is None and len(self.tokens[node]) > 2 and self._same(node)
        )

    def _same(self, node: int) -> bool:
        stack = [node]
        for each in stack:
            if _key(self.nodes[each], self.tokens[each]) not in self.shared:
                return False
            stack.extend(self.below[each])
        return True

    def _leaf(self, node: int) -> _Box:
        label = self.nodes[node].label
        tokens = self.tokens[node]
        words = [self.words[token] for token in tokens if token < len(self.words)]
        folded = len(words) > 1
        text = f"{words[0]} … {words[-1]}" if len(words) > 3 else " ".join(words)
        width = max(text_width(label), text_width(text), 2 * LETTER)
        x = self.right + width / 2
        self.right += width + GAP
        mark = " differs" if any(token in self.differing for token in tokens) else ""
        own = "" if _key(self.nodes[node], tokens) in self.shared else " own"
        return _Box(x, 1 if folded else 0, label, f"{own}{mark}", [], text, width / 2 if folded else 0.0)

    def _over(self, node: int, below: list[_Box]) -> _Box:
        own = "" if _key(self.nodes[node], self.tokens[node]) in self.shared else " own"
        x = (below[0].x + below[-1].x) / 2
        half = text_width(self.nodes[node].label) / 2
        if x - half < PAD:
            x = PAD + half
        self.right = max(self.right, x + half + GAP)
        return _Box(x, max(box.row for box in below) + 1, self.nodes[node].label, own, below)


def _draw(root: _Box, floor: float, pieces: list[str]) -> None:
    stack = [root]
    while stack:
        box = stack.pop()
        y = floor - box.row * ROW
        for child in box.below:
            top = floor - child.row * ROW - 13
            pieces.append(
                f'<line class="branch{child.mark}" x1="{box.x:.1f}" y1="{y + 4:.1f}"'
                f' x2="{child.x:.1f}" y2="{top:.1f}"/>'
            )
        if box.triangle:
            left, right = box.x - box.triangle, box.x + box.triangle
            pieces.append(
                f'<path class="triangle{box.mark}" d="M{box.x:.1f} {y + 4:.1f} L{left:.1f} {floor + 2:.1f}'
                f' L{right:.1f} {floor + 2:.1f} Z"/>'
            )
        pieces.append(_text(box.x, y, box.text, f"label{box.mark}"))
        if box.words:
            pieces.append(_text(box.x, floor + 16, box.words, f"word{box.mark}"))
        stack.extend(box.below)


def _arcs(
    fragment: Fragment, others: Sequence[Fragment], words: Sequence[str], differing: Sequence[int]
) -> str:
    """Return the words in a row with an arc from each to its head, and a short line over a root."""
    edges = _edges(fragment)
    shared = Counter(edges)
    for other in others:
        shared &= Counter(_edges(other))
    labels = {node.token: node.label for node in fragment.nodes if node.token is not None}
    longest = {
        token: max((text_width(edge) for _, dep, edge in edges if dep == token), default=0)
        for token in labels
    }
    middles, right = [], float(PAD)
    for token, word in enumerate(words):
        width = max(text_width(word), text_width(labels.get(token, "")), longest.get(token, 0) + LETTER)
        middles.append(right + width / 2)
        right += width + GAP
    if _right_to_left(words):
        middles = [right - middle for middle in middles]
    rows = {edge: min(abs(edge[0] - edge[1]), TALLEST) if edge[0] >= 0 else 1 for edge in edges}
    floor = (max(rows.values(), default=1) + 1) * 24 + PAD
    pieces: list[str] = []
    for edge in sorted(edges, key=lambda each: -rows[each]):
        pieces += _arc(edge, middles, floor, rows[edge], "" if edge in shared else " own")
    for token, word in enumerate(words):
        mark = " differs" if token in differing else ""
        pieces.append(_text(middles[token], floor + 14, word, f"word{mark}"))
        pieces.append(_text(middles[token], floor + 30, labels.get(token, ""), "label"))
    return _svg(right, floor + 30 + PAD, pieces, f"{fragment.brackets}: {' '.join(words)}")


def _arc(edge: tuple[int, int, str], middles: Sequence[float], floor: float, row: int, own: str) -> list[str]:
    head, token, label = edge
    end = middles[token]
    if head < 0:
        top = floor - 26
        line = f'<line class="arc{own}" x1="{end:.1f}" y1="{top:.1f}" x2="{end:.1f}" y2="{floor - 2:.1f}"/>'
        return [line, _text(end, top - 4, label, f"edge{own}")] if label else [line]
    start = middles[head] + (4 if end > middles[head] else -4)
    top = floor - row * 24
    path = f'<path class="arc{own}" d="M{start:.1f} {floor - 2:.1f} V{top:.1f} H{end:.1f} V{floor - 2:.1f}"/>'
    point = f'<path class="point{own}" d="M{end - 3:.1f} {floor - 8:.1f} h6 l-3 7 Z"/>'
    return [path, point, _text((start + end) / 2, top - 4, label, f"edge{own}")]


def _right_to_left(words: Sequence[str]) -> bool:
    """Return whether the words read from right to left: the pictures follow them."""
    classes = [unicodedata.bidirectional(letter) for word in words for letter in word]
    turned = sum(each in ("R", "AL") for each in classes)
    return turned > classes.count("L")


def _mirror(boxes: list[_Box], width: float) -> None:
    stack = list(boxes)
    for box in stack:
        box.x = width - box.x
        stack.extend(box.below)


def _edges(fragment: Fragment) -> list[tuple[int, int, str]]:
    """Return head, dependent and relation of every token; -1 for a head outside."""
    found = []
    for node in fragment.nodes:
        if node.token is not None:
            head = fragment.nodes[node.parent].token if node.parent >= 0 else None
            found.append((-1 if head is None else head, node.token, node.edge))
    return found


def _tokens(fragment: Fragment) -> list[tuple[int, ...]]:
    found: list[list[int]] = [[] for _ in fragment.nodes]
    for place, node in enumerate(fragment.nodes):
        above = place
        while node.token is not None and above >= 0:
            found[above].append(node.token)
            above = fragment.nodes[above].parent
    return [tuple(sorted(own)) for own in found]


def _spanned(fragment: Fragment, tokens: list[tuple[int, ...]]) -> list[Spanned]:
    return [_key(node, own) for node, own in zip(fragment.nodes, tokens, strict=True)]


def _key(node: Node, tokens: tuple[int, ...]) -> Spanned:
    return ("word" if node.token is not None else "phrase", node.label, tokens)


def _text(x: float, y: float, text: str, kind: str) -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{escape(text)}</text>'


def _svg(width: float, height: float, pieces: Sequence[str], label: str) -> str:
    return (
        f'<svg class="tree" role="img" aria-label="{escape(label)}" width="{width:.0f}" height="{height:.0f}"'
        f' viewBox="0 0 {width:.0f} {height:.0f}">{"".join(pieces)}</svg>'
    )

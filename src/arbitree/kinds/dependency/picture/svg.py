"""Dependency arcs as SVG: agreed ones thin and grey, contested ones with badges, colours and dashes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import repeat

from arbitree.drawing import svg
from arbitree.drawing.badges import hue_of, style_of
from arbitree.drawing.fragment import Fragment
from arbitree.drawing.lettering import columns, drawable, runs_leftwards
from arbitree.drawing.svg import LETTER, PAD, number, text
from arbitree.kinds.dependency.picture.clicks import Clicks
from arbitree.kinds.dependency.picture.layout import (
    ABOVE,
    Layout,
    Line,
    Metrics,
    Row,
    lay_out,
    lay_out_aligned,
)
from arbitree.kinds.dependency.picture.overlay import AGREED, HEAD, GivenRelation, Overlay, fold

LEVEL = 18  # pixels between levels of arcs
ROUND = 5  # radius of corners
TIP = 12  # from the words to the first level
WORDS = 24  # height of a row of words
BETWEEN = 26  # rows
STRIPE = 7  # length of a stripe of a line that several coders share
MARGIN = 28  # for the number of the first word, where there are several rows
WIDEST = 960


def arcs_svg(
    overlay: Overlay, *, widest: float = WIDEST, keys: Sequence[str] = (), folded: bool = False
) -> str:
    """Return the picture of *overlay* for a page with the style sheet of pictures.

    Args:
        overlay: the overlay to draw.
        widest: the maximum width of a row of words in pixels; longer sentences are wrapped.
        keys: the places that a click decides on the adjudication page (default: none).
        folded: draw a mark for agreed words far from all disagreements, if the sentence needs several rows;
            return an empty string if nothing is folded.
    """
    clicks = Clicks(overlay, keys)
    metrics = _metrics(widest, boxed=clicks.active)
    layout = lay_out(overlay, metrics)
    if folded:
        overlay = fold(overlay, clicks.tokens)
        if len(layout.rows) == 1 or not overlay.folds:
            return ""
        clicks = replace(clicks, overlay=overlay)
        layout = lay_out(overlay, metrics)
    return _drawn(clicks, layout, widest)


def aligned_svg(
    overlays: Sequence[Overlay], *, differing: Collection[int] = (), widest: float = WIDEST
) -> list[str]:
    """Return one picture for each of *overlays* of the same words; words are at the same place in all.

    Args:
        overlays: the overlays to draw.
        differing: numbers of the words to mark, with their arcs.
        widest: the maximum width of a row of words in pixels.
    """
    layouts = lay_out_aligned(overlays, _metrics(widest))
    return [
        _drawn(Clicks(each, ()), layout, widest, differing)
        for each, layout in zip(overlays, layouts, strict=True)
    ]


def _drawn(clicks: Clicks, layout: Layout, widest: float, differing: Collection[int] = ()) -> str:
    overlay = clicks.overlay
    pieces: list[str] = []
    least, top = 0.0, float(svg.PAD)
    if len(overlay.coders) > 1:
        names = {coder: drawable(overlay.coders[coder]) for coder in overlay.done}
        pieces, least, top = svg.legend(names, overlay.badges, overlay.notes, widest, top=top)
    margin = svg.PAD + (MARGIN if len(layout.rows) > 1 else 0)
    width = max(layout.width + svg.PAD + margin, least + svg.PAD)
    pen = _Pen(clicks, layout, width, margin, differing)
    height = pen.draw(top)
    pieces += [pen.fold(token) if token in overlay.folds else pen.token(token) for token in overlay.drawn]
    kind = "arcs alone" if len(overlay.done) == 1 else "arcs"
    role = "group" if overlay.contested else "img"  # a group may hold what can be focused
    return svg.frame(width, height, [*pen.numbers, *pieces], kind=kind, label=overlay.alternative, role=role)


def _metrics(widest: float, *, boxed: bool = False) -> Metrics:
    return Metrics(
        word=lambda word: columns(word) * svg.LETTER,
        reading=_boxed_reading if boxed else _reading,
        gap=16,
        port=7,
        slack=14,
        widest=widest,
    )


def _reading(overlay: Overlay, reading: GivenRelation, badged: bool, mark: str) -> float:
    if not (badged or mark or reading.tick):
        return columns(drawable(reading.label)) * svg.SMALL + 4
    letters = columns(drawable(reading.label)) + (columns(mark) + 1 if mark else 0)
    own = sum(svg.badge_width(overlay.badges[coder]) for coder in reading.coders) if badged else 0.0
    own += svg.badge_width(reading.tick) if reading.tick else 0.0
    return letters * svg.SMALL + own + 4


def _boxed_reading(overlay: Overlay, reading: GivenRelation, badged: bool, mark: str) -> float:
    """Return the width with a check box, which a decision does not change."""
    bare = _reading(overlay, replace(reading, tick=""), badged, mark)
    return bare + (svg.badge_width(svg.TICK) if badged or reading.tick else 0)


class _Pen:
    """Draws rows from top to bottom, and collects the elements of every token."""

    def __init__(
        self, clicks: Clicks, layout: Layout, width: float, margin: float, differing: Collection[int]
    ) -> None:
        self.overlay = overlay = clicks.overlay
        self.layout = layout
        self.clicks = clicks
        self.differing = differing
        self.numbers: list[str] = []
        self.pieces: list[list[str]] = [[] for _ in range(len(overlay.tokens) + 1)]
        self.keys = [clicks.of_token(token) for token in range(len(overlay.tokens) + 1)]
        self.x: Callable[[float], float] = (
            (lambda x: width - margin - x) if overlay.leftwards else (lambda x: margin + x)
        )

    def draw(self, top: float) -> float:
        """Draw all rows below *top*, and return the bottom of the picture."""
        for row in self.layout.rows:
            floor = top + row.above * LEVEL + (TIP + 4 if row.above else 4)
            for line in row.lines:
                self._line(line, floor if line.side == ABOVE else floor + WORDS)
            self._words(row, floor)
            top = floor + WORDS + (row.below * LEVEL + TIP + 4 if row.below else 0) + BETWEEN
        return top - BETWEEN + svg.PAD

    def token(self, token: int) -> str:
        """Return a word with the arcs that end at it, as one group."""
        overlay = self.overlay
        heads = " ".join([str(arc.head) for arc in overlay.arcs_of(token)])
        state = overlay.contested.get(token)
        inside = "".join(self.pieces[token])
        kind = "token differs" if token in self.differing else "token"
        start = f'<g class="{kind}" data-token="{token}" data-heads="{heads}"'
        if state is None:
            return f"{start}>{inside}</g>"
        title = f"<title>{svg.quoted(overlay.sentences[token])}</title>"
        keys = self.keys[token]
        if keys:  # its arcs are buttons
            return f'{start} {svg.keyed(keys)} role="group">{title}{inside}</g>'
        return f'{start} tabindex="0" role="img">{title}{inside}</g>'

    def fold(self, token: int) -> str:
        """Return the mark that stands for words from *token* on, with the words as its title."""
        words = " ".join(map(drawable, self.overlay.tokens[token - 1 : self.overlay.folds[token]]))
        return f'<g class="fold"><title>{svg.quoted(words)}</title>{"".join(self.pieces[token])}</g>'

    def _words(self, row: Row, floor: float) -> None:
        wrapped = len(self.layout.rows) > 1
        for word in row.words:
            middle, y = self.x(word.middle), floor + 15
            own = self.pieces[word.token]
            state = self.overlay.contested.get(word.token)
            if self.keys[word.token]:
                wide = columns(word.text) * svg.LETTER + 8
                spot = f'x="{number(middle - wide / 2)}" y="{number(y - 14)}" width="{number(wide)}"'
                own.append(f'<rect class="spot" {spot} height="20" rx="4"/>')
            kind = "elided" if word.token in self.overlay.folds else "word"
            own.append(svg.text(middle, y, word.text, f"{kind} rtl" if self.overlay.leftwards else kind))
            if state == HEAD:
                width = columns(word.text) * svg.LETTER
                chosen = self.overlay.decided.get(word.token, (None, None))[0] is not None
                kind, left = "under decided" if chosen else "under", number(middle - width / 2)
                own.append(f'<path class="{kind}" d="M{left} {number(y + 4)}h{number(width)}"/>')
        if wrapped and row.words:
            first = row.words[0]
            self.numbers.append(svg.text(self.x(-MARGIN / 2), floor + 14, str(first.token), "count"))

    def _line(self, line: Line, floor: float) -> None:
        arc = line.arc
        y = floor - line.side * (TIP + (line.level - 1) * LEVEL)
        path = self._path(line, floor, y)
        drawn = self._strokes(line, path)
        if self.keys[arc.token]:
            drawn.insert(0, f'<path class="hit" d="{path}"/>')
        for x, arrow in line.tips:
            if arrow:
                tip = f"M{number(self.x(x) - 3)} {number(floor - 6 * line.side)}h6l-3 {6 * line.side}z"
                drawn.append(f'<path class="{self._class("point", line)}" d="{tip}"/>')
        labels = []
        for place, reading in enumerate(arc.readings):
            base = y - 4 - place * LEVEL if line.side == ABOVE else y + 12 + place * LEVEL
            labels.append(self._label(line, reading, base, line.mark if place == 0 else ""))
        if not self.keys[arc.token]:
            self.pieces[arc.token] += [*drawn, *labels]
            return
        if len(labels) == 1:
            drawn, labels = [*drawn, *labels], []
        self.pieces[arc.token] += [
            self.clicks.button(arc, arc.readings, "".join(drawn)),
            *map(self.clicks.button, repeat(arc), ([reading] for reading in arc.readings), labels),
        ]

    def _path(self, line: Line, floor: float, y: float) -> str:
        """Return the path from one word to another; a stub ends without a second word."""
        first = self.x(line.tips[0][0])
        if line.left == line.right:
            return f"M{number(first)} {number(y)}V{number(floor)}"
        if len(line.tips) == 2:
            last = self.x(line.tips[1][0])
        else:
            far = line.right if line.tips[0][0] - line.left < line.right - line.tips[0][0] else line.left
            last = self.x(far)
        turn = min(ROUND, abs(last - first) / 2)
        way = turn if last > first else -turn
        down = turn if y < floor else -turn
        up, back = _corners(way, down)
        bottom = number(floor)
        path = f"M{number(first)} {bottom}V{number(y + down)}{up}"
        if len(line.tips) == 1:
            return f"{path}H{number(last)}"
        return f"{path}H{number(last - way)}{back}V{bottom}"

    def _strokes(self, line: Line, path: str) -> list[str]:
        """Return the line, or coloured stripes if several annotators share a contested arc."""
        arc = line.arc
        contested = line.badged and arc.state == HEAD and not (arc.decided or arc.passed)
        who = arc.coders if contested else ()
        if len(who) < 2:
            return [f'<path class="{self._class("arc", line)}" d="{path}"/>']
        rest = STRIPE * (len(who) - 1)
        return [
            f'<path class="arc own {hue_of(coder)}" stroke-dasharray="{STRIPE} {rest}"'
            f' stroke-dashoffset="{-STRIPE * place}" d="{path}"/>'
            for place, coder in enumerate(who)
        ]

    def _class(self, kind: str, line: Line) -> str:
        if line.arc.state == AGREED:
            return kind
        if line.arc.decided or line.arc.passed:
            return f"{kind} {'decided' if line.arc.decided else 'passed'}"
        who = line.arc.coders
        if line.arc.state == HEAD and len(who) == 1:
            return f"{kind} own {style_of(who[0])}"
        return f"{kind} own"

    def _edge(self, line: Line, reading: GivenRelation) -> str:
        if line.arc.state == AGREED:
            return "edge"
        if reading.tick:
            return "edge own decided"
        chosen = self.overlay.decided.get(line.arc.token, (None, None))[1]
        return "edge own" if chosen is None and not line.arc.passed else "edge passed"

    def _label(self, line: Line, reading: GivenRelation, y: float, mark: str) -> str:
        shown = drawable(reading.label)
        if mark:
            shown = f"{shown} {mark}" if shown else mark
        kind = self._edge(line, reading)
        middle = self.x(line.label)
        if not line.badged and not reading.tick:
            return svg.text(middle, y, shown, kind)
        boxed = self.clicks.active
        width = _boxed_reading if boxed else _reading
        x = middle - width(self.overlay, reading, line.badged, mark) / 2 + 2
        drawn = []
        if boxed:
            state = "open" if not reading.tick else "decided" if reading.tick == svg.TICK else "half"
            drawn.append(svg.check_box(x, y, state))
            x += svg.badge_width(svg.TICK)
        elif reading.tick:
            drawn.append(svg.tick(x, y, reading.tick))
            x += svg.badge_width(reading.tick)
        for coder in reading.coders if line.badged else ():
            drawn.append(svg.badge(x, y, self.overlay.badges[coder], coder))
            x += svg.badge_width(self.overlay.badges[coder])
        return "".join([*drawn, svg.text(x, y, shown, f"{kind} after")])


@lru_cache(maxsize=64)  # most have the same radius
def _corners(way: float, down: float) -> tuple[str, str]:
    """Return the corners of a path at its beginning and at its end."""
    up = f"q0 {number(-down)} {number(way)} {number(-down)}"
    return up, f"q{number(way)} 0 {number(way)} {number(down)}"


GAP = 14  # between words
STEP = 24  # between rows of arcs
TALLEST = 7  # rows of arcs

Edge = tuple[int, int, str]  # head, dependent and relation; head -1: outside


def fragment_svg(
    fragment: Fragment, others: Sequence[Fragment], words: Sequence[str], differing: Sequence[int]
) -> str:
    """Return the words in a row with an arc from each to its head, and a short line over a root.

    Args:
        fragment: the fragment to draw.
        others: the fragments next to it; arcs that all of them share are drawn thin and grey.
        words: the words of an example.
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
    """Return the middle of every word, and the end of the row."""
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

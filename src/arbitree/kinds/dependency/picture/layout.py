"""Layout of the words and arcs of an overlay, in pixels or in terminal columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import ceil

from arbitree.drawing.lettering import drawable
from arbitree.kinds.dependency.picture.overlay import AGREED, Arc, GivenRelation, Overlay

ABOVE, BELOW = 1, -1  # the words: contested arcs, and agreed ones where some are contested
EVEN = (1.05, 1.15, 1.3)  # of the mean width that rows may have
MARKED = 12  # letters of the word that a stub points to


@dataclass(frozen=True, slots=True)
class Metrics:
    """Measurements of a picture."""

    word: Callable[[str], float]  # width of a word
    reading: Callable[[Overlay, GivenRelation, bool, str], float]  # of a relation with badges and a mark
    gap: float  # between words
    port: float  # between the ends of arcs at one word
    slack: float  # the space of an arc next to its label
    widest: float  # a row


Port = tuple[int, int, bool]  # token, head, and whether this is the end at the head
Placed = tuple[list[list["Word"]], dict[int, int]]  # the words of every row, and the row of every token
Boxes = list[tuple[float, float, int]]  # start, end and highest level of an element


@dataclass(slots=True)
class Word:
    """A token in its row."""

    token: int
    text: str
    start: float
    width: float

    @property
    def middle(self) -> float:
        """The middle of the word."""
        return self.start + self.width / 2


@dataclass(slots=True)
class Line:
    """An arc, or the part of it in one row: a line at a level, with a tip at one or both ends."""

    arc: Arc
    side: int  # above or below the words
    left: float
    right: float
    tips: tuple[tuple[float, bool], ...]  # where it comes down to a word, and whether with an arrow
    badged: bool
    mark: str = ""  # of a stub: where it goes on
    level: int = 0  # from 1 at the words
    label: float = 0.0  # the middle of the label


@dataclass(slots=True)
class Row:
    """Words in reading order, with the arcs above and below them."""

    words: list[Word] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    above: int = 0  # levels in use
    below: int = 0

    @property
    def width(self) -> float:
        """The end of the last word."""
        return self.words[-1].start + self.words[-1].width if self.words else 0.0


@dataclass(frozen=True, slots=True)
class Layout:
    """Rows of words with their arcs; x increases in reading order."""

    rows: list[Row]
    width: float


def lay_out(overlay: Overlay, metrics: Metrics) -> Layout:
    """Return the layout of words and arcs.

    Arcs at a word end at ports side by side, those to the left before those to the right, and longer arcs
    nearer to the middle. So lines of a projective tree never cross. Arcs are placed from short to long, each
    on the lowest level that is free.
    """
    return lay_out_aligned([overlay], metrics)[0]


def lay_out_aligned(overlays: Sequence[Overlay], metrics: Metrics) -> list[Layout]:
    """Return the layouts of overlays of the same words, with every word at the same place in all of them."""
    settings = [_Setting(overlay, metrics) for overlay in overlays]
    words, row_of = _place_evenly(settings, metrics)
    found = [
        setting.lay_out([Row([replace(word) for word in row]) for row in words], row_of)
        for setting in settings
    ]
    low, high = min(each[1] for each in found), max(each[2] for each in found)
    if low < 0:
        for rows, _, _ in found:
            _shift(rows, -low)
    for same in zip(*(rows for rows, _, _ in found), strict=True):
        above, below = max(row.above for row in same), max(row.below for row in same)
        for row in same:
            row.above, row.below = above, below
    return [Layout(rows, ceil(-low) + high) for rows, _, _ in found]


class _Setting:
    """The state of a layout under construction."""

    def __init__(self, overlay: Overlay, metrics: Metrics) -> None:
        self.overlay = overlay
        self.metrics = metrics
        self.several = len(overlay.done) > 1
        self.quiet = BELOW if overlay.contested else ABOVE  # the side of agreed arcs
        self.ports = self._ports()
        self.at: dict[Port, float] = {}  # where ports are
        self.closing: list[list[tuple[int, Port, Port, float]]] = [[] for _ in range(len(overlay.tokens) + 1)]
        for arc in overlay.arcs:
            if arc.length:
                first, last = min(arc.token, arc.head), max(arc.token, arc.head)
                here, there = ((arc.token, arc.head, arc.head == end) for end in (last, first))
                need = self._label_width(arc) + metrics.slack
                self.closing[last].append((first, here, there, need))

    def lay_out(self, rows: list[Row], row_of: dict[int, int]) -> tuple[list[Row], float, float]:
        """Place the arcs over the words of *rows*; return the rows, and where the picture begins and ends."""
        width = max(row.width for row in rows)
        boxes: list[dict[int, Boxes]] = [{ABOVE: [], BELOW: []} for _ in rows]
        low = 0.0
        high = width
        for arc in sorted(self.overlay.arcs, key=lambda arc: (arc.length == 0, arc.length)):
            for row, line in self._lines(arc, row_of, width):
                left, right = self._stack(rows[row], boxes[row][line.side], line)
                low, high = min(low, left), max(high, right)
        for each in rows:
            self._move_labels(each)
        return rows, low, high

    def _side(self, arc: Arc) -> int:
        return self.quiet if arc.state == AGREED else ABOVE

    def _badged(self, arc: Arc) -> bool:
        return self.several and arc.state != AGREED

    def _label_width(self, arc: Arc, mark: str = "") -> float:
        widths = [
            self.metrics.reading(self.overlay, reading, self._badged(arc), mark) for reading in arc.readings
        ]
        return max(widths)

    def _ports(self) -> list[dict[Port, float]]:
        """Return the distance of each arc's end from the middle of its token."""
        ends: dict[tuple[int, int], list[tuple[int, int, int, Port]]] = {}
        for number, arc in enumerate(self.overlay.arcs):
            side = self._side(arc)
            way = 0 if arc.length == 0 else 1 if arc.head > arc.token else -1
            own = (way, -arc.length * way, -number * way, (arc.token, arc.head, False))
            ends.setdefault((arc.token, side), []).append(own)
            if arc.head:
                back = -way or 1
                end = (back, -arc.length * back, -number * back, (arc.token, arc.head, True))
                ends.setdefault((arc.head, side), []).append(end)
        found: list[dict[Port, float]] = [{} for _ in range(len(self.overlay.tokens) + 1)]
        for (token, _), here in ends.items():
            here.sort()
            first = -(len(here) - 1) / 2
            for place, end in enumerate(here):
                found[token][end[3]] = (first + place) * self.metrics.port
        return found

    def cut(self, row_of: dict[int, int]) -> int:
        """Return the number of arcs between rows."""
        return sum(bool(arc.head) and row_of[arc.head] != row_of[arc.token] for arc in self.overlay.arcs)

    def width_of(self, token: int) -> float:
        """Return the width of a word with the ends of its arcs."""
        ends = 2 * max(self.ports[token].values(), default=0.0) + self.metrics.port
        return max(self.metrics.word(self.overlay.word(token)), ends)

    def start_of(self, token: int, width: float, joined: Callable[[int], bool]) -> float:
        """Return where a word of *width* can start at the earliest, so that labels of arcs to its left fit.

        Args:
            token: The word.
            width: The space that it takes.
            joined: Whether an earlier word is in the same row.
        """
        own = self.ports[token]
        return max(
            (
                ceil(self.at[there] + need - own[here] - width / 2)
                for first, here, there, need in self.closing[token]
                if joined(first)
            ),
            default=0.0,
        )

    def put(self, token: int, middle: float) -> None:
        """Put the ends of the arcs at a word to both sides of its middle."""
        for port, offset in self.ports[token].items():
            self.at[port] = middle + offset

    def _lines(self, arc: Arc, row_of: dict[int, int], width: float) -> Iterator[tuple[int, Line]]:
        """Yield the arc in its row, or a stub in the rows of both of its ends."""
        side, badged = self._side(arc), self._badged(arc)
        row, end = row_of[arc.token], self.at[arc.token, arc.head, False]
        if not arc.head:
            yield row, Line(arc, side, end, end, ((end, True),), badged)
            return
        start = self.at[arc.token, arc.head, True]
        if row == row_of[arc.head]:
            tips = ((start, False), (end, True))
            yield row, Line(arc, side, min(start, end), max(start, end), tips, badged)
            return
        for token, other, x, arrow in ((arc.token, arc.head, end, True), (arc.head, arc.token, start, False)):
            forward = other > token
            sign = "→" if forward != self.overlay.leftwards else "←"
            word = "…" if other in self.overlay.folds else drawable(self.overlay.tokens[other - 1], MARKED)
            mark = f"{sign} {other} {word}"
            need = self._label_width(arc, mark) + self.metrics.slack
            ahead = x + need <= width if forward else x < need  # to the side where there is room
            left, right = (x, x + need) if ahead else (x - need, x)
            yield row_of[token], Line(arc, side, left, right, ((x, arrow),), badged, mark)

    def _stack(self, row: Row, boxes: Boxes, line: Line) -> tuple[float, float]:
        """Put *line* on the lowest level on which it and its labels do not overlap with others."""
        half = self._label_width(line.arc, line.mark) / 2
        line.label = (line.left + line.right) / 2
        left, right = min(line.left, line.label - half), max(line.right, line.label + half)
        level = 1 + max([top for start, end, top in boxes if start <= right and left <= end], default=0)
        top = level + len(line.arc.readings) - (0 if line.arc.loop else 1)  # no room between its ends
        boxes.append((left, right, top))
        line.level = level
        row.lines.append(line)
        if line.side == ABOVE:
            row.above = max(row.above, top)
        else:
            row.below = max(row.below, top)
        return left, right

    def _move_labels(self, row: Row) -> None:
        """Move labels along their arcs to positions that no vertical line crosses, if possible."""
        for line in row.lines:
            need = self._label_width(line.arc, line.mark) + self.metrics.port
            if line.right - line.left <= need:
                continue
            coming = [
                x
                for other in row.lines
                if other.level >= line.level and other.side == line.side and other is not line
                for x, _ in other.tips
                if line.left < x < line.right
            ]
            if any(abs(x - line.label) < need / 2 for x in coming):
                stops = [line.left, *sorted(coming), line.right]
                free = [(a, b) for a, b in pairwise(stops) if b - a >= need]
                places = [min(max(line.label, a + need / 2), b - need / 2) for a, b in free]
                middle = line.label
                line.label = min(places, key=lambda place: abs(place - middle), default=middle)


def _place_evenly(settings: Sequence[_Setting], metrics: Metrics) -> Placed:
    """Place words in as few rows as needed, with similar widths or few cut arcs."""
    widest = metrics.widest
    placed = _place_words(settings, metrics, widest)
    count = len(placed[0])
    if count == 1:
        return placed
    fair = sum(row[-1].start + row[-1].width for row in placed[0]) / count
    limits = [widest, *(min(share * fair, widest) for share in EVEN)]
    found = [(limit, _place_words(settings, metrics, limit)) for limit in limits]
    even = [
        (sum(setting.cut(each[1]) for setting in settings), limit)
        for limit, each in found
        if len(each[0]) == count
    ]
    return _place_words(settings, metrics, min(even)[1])


def _place_words(settings: Sequence[_Setting], metrics: Metrics, widest: float) -> Placed:
    """Place words from the first to the last, far enough apart for the labels."""
    overlay = settings[0].overlay
    rows: list[list[Word]] = [[]]
    row_of: dict[int, int] = {}
    next_start = 0.0

    def joined(first: int) -> bool:
        return row_of[first] == len(rows) - 1

    for token in overlay.drawn:
        width = max(setting.width_of(token) for setting in settings)
        start = max(next_start, *(setting.start_of(token, width, joined) for setting in settings))
        if rows[-1] and start + width > widest:
            rows.append([])
            start = 0.0
        row_of[token] = len(rows) - 1
        rows[-1].append(Word(token, overlay.word(token), start, width))
        for setting in settings:
            setting.put(token, start + width / 2)
        next_start = start + width + metrics.gap
    return rows, row_of


def _shift(rows: list[Row], by: float) -> None:
    """Shift all elements to make room for a label before the first word."""
    by = ceil(by)
    for row in rows:
        for word in row.words:
            word.start += by
        for line in row.lines:
            line.left += by
            line.right += by
            line.label += by
            line.tips = tuple([(x + by, arrow) for x, arrow in line.tips])

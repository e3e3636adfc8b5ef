"""Layout of the words and arcs of an overlay, in pixels or in terminal columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import ceil

from arbitree.drawing.lettering import drawable
from arbitree.kinds.dependency.picture.overlay import AGREED, Arc, GivenRelation, Overlay

ABOVE, BELOW = 1, -1  # the words: contested arcs, and agreed ones where some are contested
EVEN = (1.05, 1.15, 1.3)  # of the mean width that rows may have
MARKED = 12  # letters of the word that a stub points to
LAST = 1 << 30  # sorts loops and arcs from the root after all others


@dataclass(frozen=True, slots=True)
class Metrics:
    """Measurements of a picture."""

    word: Callable[[str], float]  # width of a word
    reading: Callable[[Overlay, GivenRelation, bool, str], float]  # of a relation with badges and a mark
    gap: float  # between words
    port: float  # between the ends of arcs at one word
    slack: float  # the space of an arc next to its label
    widest: float  # a row


Port = int  # an end of an arc: twice the number of the arc for that at its token, one more at its head
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
    need: float  # width of its widest label
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
        setting.lay_out(
            [Row([Word(each.token, each.text, each.start, each.width) for each in row]) for row in words],
            row_of,
        )
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
        several = len(overlay.done) > 1
        self.quiet = BELOW if overlay.contested else ABOVE  # the side of agreed arcs
        self.sides = [self.quiet if arc.state == AGREED else ABOVE for arc in overlay.arcs]
        self.badged = [several and arc.state != AGREED for arc in overlay.arcs]
        self.needs = [self._label_width(arc, number) for number, arc in enumerate(overlay.arcs)]
        self.lengths = [arc.length for arc in overlay.arcs]
        self.offsets = [0.0] * (2 * len(overlay.arcs))  # of ports from the middle of their tokens
        self.at = [0.0] * (2 * len(overlay.arcs))  # where ports are
        size = len(overlay.tokens) + 1
        self.ports: list[list[Port]] = [[] for _ in range(size)]  # by token
        self.most = [1] * size  # ports on one side of a token
        self._find_ports()
        self.closing: list[list[tuple[int, Port, Port, float]]] = [[] for _ in range(size)]
        for number, arc in enumerate(overlay.arcs):
            if self.lengths[number]:
                need = self.needs[number] + metrics.slack
                own, far = 2 * number, 2 * number + 1
                if arc.head > arc.token:
                    self.closing[arc.head].append((arc.token, far, own, need))
                else:
                    self.closing[arc.token].append((arc.head, own, far, need))

    def lay_out(self, rows: list[Row], row_of: dict[int, int]) -> tuple[list[Row], float, float]:
        """Place the arcs over the words of *rows*; return the rows, and where the picture begins and ends."""
        width = max(row.width for row in rows)
        boxes: list[dict[int, Boxes]] = [{ABOVE: [], BELOW: []} for _ in rows]
        low = 0.0
        high = width
        for number in sorted(
            range(len(self.lengths)), key=[each or LAST for each in self.lengths].__getitem__
        ):
            for row, line in self._lines(number, row_of, width):
                left, right = self._stack(rows[row], boxes[row][line.side], line)
                low = min(low, left)
                high = max(high, right)
        for each in rows:
            self._move_labels(each)
        return rows, low, high

    def _label_width(self, arc: Arc, number: int, mark: str = "") -> float:
        reading, badged = self.metrics.reading, self.badged[number]
        return max([reading(self.overlay, each, badged, mark) for each in arc.readings])

    def _find_ports(self) -> None:
        """Find the distance of each arc's end from the middle of its token."""
        ends: dict[tuple[int, int], list[tuple[int, int, int, int, Port]]] = {}
        for number, arc in enumerate(self.overlay.arcs):
            side, length, head = self.sides[number], self.lengths[number], arc.head
            way = 0 if length == 0 else 1 if head > arc.token else -1
            own = (way, -length * way, -number * way, head, 2 * number)
            ends.setdefault((arc.token, side), []).append(own)
            if head:
                back = -way or 1
                end = (back, -length * back, -number * back, head, 2 * number + 1)
                ends.setdefault((head, side), []).append(end)
        for (token, _), here in ends.items():
            if len(here) == 1:  # in the middle
                self.ports[token].append(here[0][-1])
                continue
            here.sort()
            first = -(len(here) - 1) / 2
            for place, end in enumerate(here):
                self.offsets[end[-1]] = (first + place) * self.metrics.port
                self.ports[token].append(end[-1])
            self.most[token] = max(self.most[token], len(here))

    def cut(self, row_of: dict[int, int]) -> int:
        """Return the number of arcs between rows."""
        return sum(bool(arc.head) and row_of[arc.head] != row_of[arc.token] for arc in self.overlay.arcs)

    def start_of(self, token: int, width: float, first: int) -> float:
        """Return where a word of *width* can start at the earliest, so that labels of arcs to its left fit.

        Args:
            token: The word.
            width: The space that it takes.
            first: The first word of the same row.
        """
        at, offsets, half = self.at, self.offsets, width / 2
        starts = [
            at[there] + need - offsets[here] - half
            for other, here, there, need in self.closing[token]
            if other >= first
        ]
        return ceil(max(starts)) if starts else 0

    def put(self, token: int, middle: float) -> None:
        """Put the ends of the arcs at a word to both sides of its middle."""
        for port in self.ports[token]:
            self.at[port] = middle + self.offsets[port]

    def _lines(self, number: int, row_of: dict[int, int], width: float) -> list[tuple[int, Line]]:
        """Return an arc in its row, or a stub in the rows of both of its ends."""
        arc, side, badged = self.overlay.arcs[number], self.sides[number], self.badged[number]
        row, end, need = row_of[arc.token], self.at[2 * number], self.needs[number]
        if not arc.head:
            return [(row, Line(arc, side, end, end, ((end, True),), badged, need))]
        start = self.at[2 * number + 1]
        if row == row_of[arc.head]:
            tips = ((start, False), (end, True))
            left, right = (start, end) if start < end else (end, start)
            return [(row, Line(arc, side, left, right, tips, badged, need))]
        found = []
        for token, other, x, arrow in ((arc.token, arc.head, end, True), (arc.head, arc.token, start, False)):
            forward = other > token
            sign = "→" if forward != self.overlay.leftwards else "←"
            word = "…" if other in self.overlay.folds else drawable(self.overlay.tokens[other - 1], MARKED)
            mark = f"{sign} {other} {word}"
            own = self._label_width(arc, number, mark)
            space = own + self.metrics.slack
            ahead = x + space <= width if forward else x < space  # to the side where there is room
            left, right = (x, x + space) if ahead else (x - space, x)
            found.append((row_of[token], Line(arc, side, left, right, ((x, arrow),), badged, own, mark)))
        return found

    def _stack(self, row: Row, boxes: Boxes, line: Line) -> tuple[float, float]:
        """Put *line* on the lowest level on which it and its labels do not overlap with others."""
        line.label = (line.left + line.right) / 2
        left, right = line.label - line.need / 2, line.label + line.need / 2
        left = min(left, line.left)
        right = max(right, line.right)
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
        tips: dict[int, list[tuple[float, int, Line]]] = {ABOVE: [], BELOW: []}
        for line in row.lines:
            tips[line.side] += [(x, line.level, line) for x, _ in line.tips]
        for line in row.lines:
            need = line.need + self.metrics.port
            left, right, level, middle = line.left, line.right, line.level, line.label
            if right - left <= need:
                continue
            coming = [
                x
                for x, high, other in tips[line.side]
                if left < x < right and high >= level and other is not line
            ]
            if coming and any(abs(x - middle) < need / 2 for x in coming):
                stops = [left, *sorted(coming), right]
                free = [(a, b) for a, b in pairwise(stops) if b - a >= need]
                places = [min(max(middle, a + need / 2), b - need / 2) for a, b in free]
                line.label = min(places, key=lambda place: abs(place - middle), default=middle)


def _place_evenly(settings: Sequence[_Setting], metrics: Metrics) -> Placed:
    """Place words in as few rows as needed, with similar widths or few cut arcs."""
    widest = metrics.widest
    placed = _place_words(settings, metrics, widest)
    count = len(placed[0])
    if count == 1:
        return placed
    fair = sum(row[-1].start + row[-1].width for row in placed[0]) / count
    found = {widest: (placed, [setting.at for setting in settings])}
    for limit in (min(share * fair, widest) for share in EVEN):
        if limit not in found:
            found[limit] = _place_words(settings, metrics, limit), [setting.at for setting in settings]
    even = [
        (sum(setting.cut(each[1]) for setting in settings), limit)
        for limit, (each, _) in found.items()
        if len(each[0]) == count
    ]
    placed, ends = found[min(even)[1]]
    for setting, at in zip(settings, ends, strict=True):
        setting.at = at
    return placed


def _place_words(settings: Sequence[_Setting], metrics: Metrics, widest: float) -> Placed:
    """Place words from the first to the last, far enough apart for the labels."""
    overlay = settings[0].overlay
    row: list[Word] = []
    rows = [row]
    row_of: dict[int, int] = {}
    first, next_start = 0, 0.0
    for setting in settings:
        setting.at = [0.0] * len(setting.offsets)
    for token in overlay.drawn:
        word = overlay.word(token)
        width = metrics.word(word)
        for setting in settings:
            width = max(width, setting.most[token] * metrics.port)
        start = next_start
        for setting in settings:
            if setting.closing[token]:
                start = max(start, setting.start_of(token, width, first))
        if row and start + width > widest:
            row = []
            rows.append(row)
            first, start = token, 0.0
        row_of[token] = len(rows) - 1
        row.append(Word(token, word, start, width))
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

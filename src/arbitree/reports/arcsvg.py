"""Dependency arcs as SVG: agreed ones thin and grey, contested ones with badges, colours and dashes."""

from __future__ import annotations

from collections.abc import Callable

from arbitree.reports import svg
from arbitree.reports.arclayout import ABOVE, Layout, Line, Metrics, Row, lay_out
from arbitree.reports.arcs import AGREED, HEAD, Overlay, Reading
from arbitree.reports.badges import hue_of, style_of
from arbitree.reports.lettering import columns, drawable
from arbitree.reports.svg import number

LEVEL = 18  # pixels between levels of arcs
ROUND = 5  # radius of corners
TIP = 12  # from the words to the first level
WORDS = 24  # height of a row of words
BETWEEN = 26  # rows
STRIPE = 7  # length of a stripe of a line that several coders share
MARGIN = 28  # for the number of the first word, where there are several rows
WIDEST = 960


def arcs_svg(overlay: Overlay, *, widest: float = WIDEST) -> str:
    """Return the picture of *overlay* for a page that has the style sheet of pictures.

    Args:
        overlay: what to draw.
        widest: pixels of a row of words; longer sentences go on in the next.
    """
    layout = lay_out(overlay, _metrics(widest))
    pieces: list[str] = []
    least, top = 0.0, float(svg.PAD)
    if len(overlay.coders) > 1:
        names = {coder: drawable(overlay.coders[coder]) for coder in overlay.done}
        pieces, least, top = svg.legend(names, overlay.badges, overlay.notes, widest, top=top)
    margin = svg.PAD + (MARGIN if len(layout.rows) > 1 else 0)
    width = max(layout.width + svg.PAD + margin, least + svg.PAD)
    pen = _Pen(overlay, layout, width, margin)
    height = pen.draw(top)
    pieces += [pen.token(token) for token in range(1, len(overlay.tokens) + 1)]
    kind = "arcs alone" if len(overlay.done) == 1 else "arcs"
    role = "group" if overlay.contested else "img"  # a group may hold what can be focused
    return svg.frame(width, height, [*pen.numbers, *pieces], kind=kind, label=overlay.alternative, role=role)


def _metrics(widest: float) -> Metrics:
    return Metrics(
        word=lambda word: columns(word) * svg.LETTER,
        reading=_reading,
        gap=16,
        port=7,
        slack=14,
        widest=widest,
    )


def _reading(overlay: Overlay, reading: Reading, badged: bool, mark: str) -> float:
    letters = columns(drawable(reading.label)) + (columns(mark) + 1 if mark else 0)
    own = sum(svg.badge_width(overlay.badges[coder]) for coder in reading.coders) if badged else 0.0
    own += svg.badge_width(reading.tick) if reading.tick else 0.0
    return letters * svg.SMALL + own + 4


class _Pen:
    """Draws rows from top to bottom, and keeps for every token the pieces that belong to it."""

    def __init__(self, overlay: Overlay, layout: Layout, width: float, margin: float) -> None:
        self.overlay = overlay
        self.layout = layout
        self.numbers: list[str] = []
        self.pieces: list[list[str]] = [[] for _ in range(len(overlay.tokens) + 1)]
        self.x: Callable[[float], float] = (
            (lambda x: width - margin - x) if overlay.leftwards else (lambda x: margin + x)
        )

    def draw(self, top: float) -> float:
        """Draw all rows from *top* on; return where the picture ends."""
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
        heads = " ".join(str(arc.head) for arc in overlay.arcs_of(token))
        state = overlay.contested.get(token)
        inside = "".join(self.pieces[token])
        start = f'<g class="token" data-token="{token}" data-heads="{heads}"'
        if state is None:
            return f"{start}>{inside}</g>"
        title = f"<title>{svg.quoted(overlay.sentence(token))}</title>"
        return f'{start} tabindex="0" role="img">{title}{inside}</g>'

    def _words(self, row: Row, floor: float) -> None:
        wrapped = len(self.layout.rows) > 1
        for word in row.words:
            middle, y = self.x(word.middle), floor + 15
            own = self.pieces[word.token]
            state = self.overlay.contested.get(word.token)
            own.append(svg.text(middle, y, word.text, "word rtl" if self.overlay.leftwards else "word"))
            if state == HEAD:
                width = columns(word.text) * svg.LETTER
                chosen = self.overlay.decided.get(word.token, (None, None))[0] is not None
                kind, left = "under decided" if chosen else "under", number(middle - width / 2)
                own.append(f'<path class="{kind}" d="M{left} {number(y + 4)}h{number(width)}"/>')
        if wrapped and row.words:
            first = row.words[0]
            self.numbers.append(svg.text(self.x(-MARGIN / 2), floor + 14, str(first.token), "count"))

    def _line(self, line: Line, floor: float) -> None:
        own = self.pieces[line.arc.token]
        y = floor - line.side * (TIP + (line.level - 1) * LEVEL)
        own += self._strokes(line, self._path(line, floor, y))
        for x, arrow in line.tips:
            if arrow:
                tip = f"M{number(self.x(x) - 3)} {number(floor - 6 * line.side)}h6l-3 {6 * line.side}z"
                own.append(f'<path class="{self._class("point", line)}" d="{tip}"/>')
        for place, reading in enumerate(line.arc.readings):
            base = y - 4 - place * LEVEL if line.side == ABOVE else y + 12 + place * LEVEL
            self._label(line, reading, base, line.mark if place == 0 else "")

    def _path(self, line: Line, floor: float, y: float) -> str:
        """Return up from one word, along, and down to another; a stub ends in the air."""
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
        corner = f"q0 {number(-down)} {number(way)} {number(-down)}"
        path = f"M{number(first)} {number(floor)}V{number(y + down)}{corner}"
        if len(line.tips) == 1:
            return f"{path}H{number(last)}"
        return f"{path}H{number(last - way)}q{number(way)} 0 {number(way)} {number(down)}V{number(floor)}"

    def _strokes(self, line: Line, path: str) -> list[str]:
        """Return the line once or, where several coders share a contested one, in stripes of colours."""
        who = line.arc.coders
        single = not line.badged or len(who) == 1 or line.arc.state != HEAD
        if single or line.arc.decided or line.arc.passed:
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

    def _edge(self, line: Line, reading: Reading) -> str:
        if line.arc.state == AGREED:
            return "edge"
        if reading.tick:
            return "edge own decided"
        chosen = self.overlay.decided.get(line.arc.token, (None, None))[1]
        return "edge own" if chosen is None and not line.arc.passed else "edge passed"

    def _label(self, line: Line, reading: Reading, y: float, mark: str) -> None:
        own = self.pieces[line.arc.token]
        shown = " ".join(filter(None, (drawable(reading.label), mark)))
        kind = self._edge(line, reading)
        middle = self.x(line.label)
        if not line.badged and not reading.tick:
            own.append(svg.text(middle, y, shown, kind))
            return
        x = middle - _reading(self.overlay, reading, line.badged, mark) / 2 + 2
        if reading.tick:
            own.append(svg.tick(x, y, reading.tick))
            x += svg.badge_width(reading.tick)
        for coder in reading.coders if line.badged else ():
            own.append(svg.badge(x, y, self.overlay.badges[coder], coder))
            x += svg.badge_width(self.overlay.badges[coder])
        own.append(svg.text(x, y, shown, f"{kind} after"))

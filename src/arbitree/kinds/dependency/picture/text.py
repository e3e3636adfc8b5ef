"""Dependency arcs as text for a terminal, with box characters."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, floor
from textwrap import wrap

from arbitree.drawing.badges import DECIDED, LOUD, QUIET, paint_of
from arbitree.drawing.canvas import SHORTEST, WIDTH, Canvas
from arbitree.drawing.lettering import columns, drawable
from arbitree.kinds.dependency.picture.layout import ABOVE, Layout, Line, Metrics, Row, lay_out
from arbitree.kinds.dependency.picture.overlay import AGREED, HEAD, GivenRelation, Overlay

LABEL = 24  # columns of a relation


def arcs_text(overlay: Overlay, *, width: int = WIDTH, colour: bool = False) -> str:
    """Return the picture of *overlay* as lines of text, optionally with escapes for colours.

    Example:
        >>> from arbitree.kinds.dependency.value import DepTree
        >>> from arbitree.kinds.dependency.picture.overlay import overlay_of
        >>> ann = DepTree(("we", "saw", "it"), (2, 0, 2), ("nsubj", "root", "obj"))
        >>> bob = DepTree(("we", "saw", "it"), (2, 0, 1), ("nsubj", "root", "dep"))
        >>> print(arcs_text(overlay_of({"ann": ann, "bob": bob})))
        a ann   b bob
        <BLANKLINE>
         ╭─────b:dep──────╮
         │       ╭─a:obj─╮│
         │       │       ▾▾
        we      saw      it
                         ══
         ▴       │▴
         ╰─nsubj─╯│
                root
    """
    widest = width
    layout = lay_out(overlay, _metrics(widest))
    while layout.width > width and widest > SHORTEST:
        widest -= 10
        layout = lay_out(overlay, _metrics(widest))
    drawn = [_drawn(overlay, layout, row) for row in layout.rows]
    parts = [each.coloured() if colour else str(each) for each in drawn]
    if len(parts) > 1:  # stubs name words by their numbers
        parts = [
            f"words {row.words[0].token} to {row.words[-1].token}\n{part}"
            for row, part in zip(layout.rows, parts, strict=True)
        ]
    return "\n\n".join([*filter(None, [legend_text(overlay, width)]), *parts])


def legend_text(overlay: Overlay, width: int) -> str:
    """Return the legend: the badges of annotators, and the annotators who are not in the picture."""
    if len(overlay.coders) == 1:
        return ""
    lines = [""]
    for place in overlay.done:
        each = f"{overlay.badges[place]} {drawable(overlay.coders[place])}"
        if lines[-1] and columns(lines[-1]) + columns(each) + 3 > width:
            lines.append("")
        lines[-1] = f"{lines[-1]}   {each}" if lines[-1] else each
    return "\n".join([*lines, *(line for note in overlay.notes for line in wrap(note, width))])


def _metrics(widest: int) -> Metrics:
    return Metrics(
        word=lambda word: float(columns(word)), reading=_reading, gap=1, port=1, slack=3, widest=float(widest)
    )


def _shown(overlay: Overlay, reading: GivenRelation, badged: bool, mark: str) -> str:
    who = ",".join(overlay.badges[coder] for coder in reading.coders) if badged else ""
    label = drawable(reading.label, LABEL)
    return " ".join(filter(None, (reading.tick, f"{who}:{label}" if who else label, mark)))


def _reading(overlay: Overlay, reading: GivenRelation, badged: bool, mark: str) -> float:
    return float(columns(_shown(overlay, reading, badged, mark)))


def _drawn(overlay: Overlay, layout: Layout, row: Row) -> Canvas:
    """Return a row; 0 is the row of words, tips are next to it, followed by the arcs."""
    canvas = Canvas()
    width = ceil(layout.width)
    x: Callable[[float], int] = (lambda at: width - 1 - floor(at)) if overlay.leftwards else floor
    under = 1 if any(state == HEAD for state in overlay.contested.values()) else 0
    for line in row.lines:
        canvas.paint = _paint(overlay, line)
        _draw_line(canvas, overlay, line, x, 0 if line.side == ABOVE else under)
    canvas.paint = ""
    for word in row.words:
        own = columns(word.text)
        start = floor(word.middle) - own // 2
        at = width - start - own if overlay.leftwards else start
        canvas.write(0, at, word.text)
        if overlay.contested.get(word.token) == HEAD:
            canvas.write(1, at, "═" * own)
    return canvas


def _paint(overlay: Overlay, line: Line) -> str:
    if len(overlay.done) == 1 and not overlay.decided:
        return ""
    if line.arc.state == AGREED or line.arc.passed:
        return QUIET
    if line.arc.decided:
        return DECIDED
    who = line.arc.coders
    return paint_of(who[0]) if len(who) == 1 else LOUD


def _draw_line(canvas: Canvas, overlay: Overlay, line: Line, x: Callable[[float], int], base: int) -> None:
    away = -line.side  # rows grow downwards
    level = base + line.level + 1 if away > 0 else -(line.level + 1)
    foot = base + 1 if away > 0 else -1
    tips = [(x(at), arrow) for at, arrow in line.tips]
    for at, arrow in tips:
        canvas.down(at, level, foot)
        canvas.write(foot, at, ("▴" if away > 0 else "▾") if arrow else "│")
    first, last = sorted((x(line.left), x(line.right)))
    inside = (first + 1, last) if tips[0][0] == last else (first, last - 1)  # of a stub
    canvas.along(level, *(inside if len(tips) == 1 and first < last else (first, last)))
    for place, reading in enumerate(line.arc.readings):
        shown = _shown(overlay, reading, line.badged, line.mark if place == 0 else "")
        own = columns(shown)
        start = first + (last - first + 1 - own) // 2
        if line.label != (line.left + line.right) / 2:  # moved out of the way of another arc
            start = min(max(x(line.label) - own // 2, first + 1), last - own)
        canvas.write(level + away * (place + line.arc.loop), max(start, 0), shown)

"""Outlines of graphs as SVG and as text."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from arbitree.drawing import badges, svg
from arbitree.drawing.lettering import columns
from arbitree.drawing.svg import LETTER, PAD, SMALL, number
from arbitree.kinds.graphs.picture.outline import INDENT, OWN, RELABELLED, SHARED, Outline, Piece

ROW = 20  # height of a line
CAPTION = 24  # height of the names of annotators
MARKS = {SHARED: "", RELABELLED: "~", OWN: "+"}
LEGEND = "+ part that only some have   ~ different value"


@dataclass(frozen=True, slots=True)
class Clicks:
    """The places that a click decides on the adjudication page, and the values that are decided."""

    keys: Collection[str] = ()
    decided: Mapping[str, str] = field(default_factory=dict)


def outline_svg(outline: Outline, *, several: bool, clicks: Clicks | None = None, label: str = "") -> str:
    """Return a picture of one graph for a page with the style sheet of pictures.

    Args:
        outline: The graph.
        several: Whether there are other graphs, so that it needs a caption and a colour.
        clicks: The places that a click decides.
        label: The text alternative.
    """
    clicks = clicks or Clicks()
    pieces, y = [], float(PAD)
    if several:
        pieces.append(svg.text(PAD, y + 12, outline.caption, "who"))
        y += CAPTION
    width = columns(outline.caption) * SMALL if several else 0.0
    for line in outline.lines:
        x = PAD + INDENT * line.depth * LETTER
        for piece in line.pieces:
            size = columns(piece.text) * LETTER
            pieces += _drawn(outline, piece, x, y, size, clicks)
            x += size
        width, y = max(width, x - PAD), y + ROW
    if clicks.keys:
        width = max(width, outline.room[0] * LETTER)
        y += ROW * max(0, outline.room[1] - len(outline.lines))
    kind = "decided" if outline.decided else badges.hue_of(outline.number) if several else ""
    inside = [f'<g class="panel {kind}">{"".join(pieces)}</g>']
    role = "group" if clicks.keys else "img"  # a group may hold what can be focused
    return svg.frame(width + 2 * PAD, y + PAD, inside, kind="outline", label=label, role=role)


def _drawn(outline: Outline, piece: Piece, x: float, y: float, size: float, clicks: Clicks) -> Iterator[str]:
    """Yield the elements of a piece that begins at *x*, on the line at *y*."""
    shown = piece.text.lstrip()
    if not shown:
        return
    kind = f"after label {piece.mark}" if piece.mark else "after word"
    inside = [svg.text(x + LETTER * (len(piece.text) - len(shown)), y + 14, shown.rstrip(), kind)]
    if piece.mark == OWN:
        inside.append(_box(x, y, size, "frame"))
    if piece.mark == RELABELLED:
        inside.append(f'<path class="under" d="M{number(x)} {number(y + 18)}h{number(size)}"/>')
    if piece.key not in clicks.keys:
        yield "".join(inside)
        return
    elements = _box(x, y, size, "hit") + "".join(inside)
    if outline.decided:
        yield f"<g {svg.keyed([piece.key])}>{elements}</g>"
        return
    about = f"{piece.value} ({outline.caption})"
    pressed = clicks.decided.get(piece.key) == piece.value
    if pressed:
        elements = f'<g class="decided">{elements}</g>'
    yield svg.choice(elements, [piece.key], {piece.key: piece.value}, about, pressed=pressed)


def _box(x: float, y: float, size: float, kind: str) -> str:
    place = f'x="{number(x - 1.5)}" y="{number(y + 1)}" width="{number(size + 3)}" height="{ROW - 2}"'
    return f'<rect class="{kind}" {place} rx="3"/>'


def outline_text(outline: Outline, *, several: bool, colour: bool = False) -> str:
    """Return a graph as lines of text, with marks before the parts that differ.

    Example:
        >>> from arbitree.kinds.graphs.picture.outline import Line
        >>> print(outline_text(Outline((Line(0, (Piece("("), Piece("bird", mark=OWN))),)), several=False))
        (+bird
    """
    ink = badges.DECIDED if outline.decided else badges.paint_of(outline.number)
    lines = [outline.caption] if several else []
    for line in outline.lines:
        shown = [" " * INDENT * line.depth]
        for piece in line.pieces:
            text = f"{MARKS[piece.mark]}{piece.text}"
            shown.append(f"\x1b[{ink}m{text}\x1b[0m" if colour and piece.mark else text)
        lines.append("".join(shown))
    return "\n".join(lines)


def has_marks(outlines: Sequence[Outline]) -> bool:
    """Return whether any part is marked."""
    return any(piece.mark for outline in outlines for line in outline.lines for piece in line.pieces)

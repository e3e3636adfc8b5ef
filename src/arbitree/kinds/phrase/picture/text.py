"""Phrase-structure trees as text for a terminal, with box characters; wide trees as outlines."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor

from arbitree.drawing.badges import DECIDED, QUIET, paint_of
from arbitree.drawing.canvas import WIDTH, Canvas
from arbitree.drawing.lettering import columns, drawable, runs_leftwards
from arbitree.kinds.phrase.picture.layout import Layout, Metrics, Panel, lay_out
from arbitree.kinds.phrase.picture.overlay import OWN, RELABELLED, SHARED, Node, Phrases, fold

MARKS = {SHARED: "", RELABELLED: "~", OWN: "+"}
LEGEND = "+ bracket that only some have   ~ different label"
DEEPEST = 20  # beyond this depth a number stands for the lines of an outline


def phrases_text(trees: Sequence[Phrases], *, width: int = WIDTH, colour: bool = False) -> str:
    """Return the trees of one sentence as lines of text, one below the other, optionally with colours.

    Example:
        >>> from arbitree.kinds.phrase.value import PhraseTree
        >>> from arbitree.kinds.phrase.picture.overlay import side_by_side
        >>> ann = PhraseTree(("wake", "me", "up"), ("V", "P", "R", "S", "VP"), (4, 3, 4, -1, 3))
        >>> print(phrases_text(side_by_side({"ann": ann})))
        ann
            S
           ╭┴─╮
          VP  │
          ╭┴──┼──╮
          V   P  R
        wake me up
    """
    shown = list(trees)
    layout = lay_out(shown, _metrics())
    if layout.width > width and len(trees) > 1:
        shown = fold(trees)
        layout = lay_out(shown, _metrics())
    leftwards = runs_leftwards(node.word for node in trees[0].nodes)
    parts = []
    for panel in layout.panels:
        if layout.width > width:
            drawn = _outline(panel.tree, width)
        else:
            canvas = _drawn(panel, layout, leftwards)
            drawn = canvas.coloured() if colour and len(trees) > 1 else str(canvas)
        parts.append("\n".join(filter(None, (panel.tree.caption, drawn))))
    legend = [LEGEND] if any(node.mark for tree in trees for node in tree.nodes) else []
    return "\n\n".join([*parts, *legend])


def label_text(node: Node) -> str:
    """Return a label with its mark."""
    return f"{MARKS[node.mark]}{node.label}"


def _metrics() -> Metrics:
    return Metrics(
        word=lambda word: float(columns(word)), label=lambda node: float(columns(label_text(node))), gap=1.0
    )


def _drawn(panel: Panel, layout: Layout, leftwards: bool) -> Canvas:
    """Return a tree; rows of labels alternate with rows of bars, and words are in row 0."""
    canvas = Canvas()
    tree = panel.tree
    width = ceil(layout.width)
    ink = DECIDED if tree.decided else paint_of(tree.number)

    def x(place: float) -> int:
        return width - 1 - floor(place) if leftwards else floor(place)

    def y(place: int) -> int:
        return -1 - 2 * panel.rows[place]

    for place, node in enumerate(tree.nodes):
        if node.parent >= 0:
            bar = y(node.parent) + 1
            loud = OWN in (node.mark, tree.nodes[node.parent].mark)
            canvas.paint = ink if loud else QUIET
            start, end = x(panel.middles[node.parent]), x(panel.middles[place])
            canvas.down(start, bar - 1, bar)
            canvas.along(bar, start, end)
            canvas.down(end, bar, y(place) if node.label else 0)
        if node.folded and node.slot is not None:
            column = layout.columns[node.slot]
            canvas.down(x(panel.middles[place]), y(place), y(place) + 1)
            own = ceil(column.width)
            start = width - floor(column.start) - own if leftwards else floor(column.start)
            canvas.write(-1, start, f"╱{'‾' * max(own - 2, 0)}╲")
    for place, node in enumerate(tree.nodes):
        for row, text in ((y(place), label_text(node) if node.label else ""), (0, node.word)):
            canvas.paint = ink if row and node.mark else ""
            own = columns(text)
            start = floor(panel.middles[place]) - own // 2
            canvas.write(row, width - start - own if leftwards else start, text)
    return canvas


def _outline(tree: Phrases, width: int) -> str:
    """Return one line per node, top down."""
    lines = []
    stack = [(place, "", "", 0) for place, node in enumerate(tree.nodes) if node.parent < 0][::-1]
    while stack:
        place, lead, branch, depth = stack.pop()
        node = tree.nodes[place]
        gaps = f" ({' '.join(str(token + 1) for token in tree.tokens[place])})" if tree.broken(place) else ""
        text = " ".join(filter(None, (label_text(node) + gaps, node.word)))
        shown = lead + branch if depth <= DEEPEST else f"{lead}({depth}) "
        lines.append(shown + drawable(text, max(width - columns(shown), 10)))
        below = lead + {"": "", "├─ ": "│  ", "└─ ": "   "}[branch] if depth < DEEPEST else lead
        children = tree.children[place]
        stack += [(k, below, "└─ " if k == children[-1] else "├─ ", depth + 1) for k in reversed(children)]
    return "\n".join(lines)

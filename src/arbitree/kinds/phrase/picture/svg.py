"""Phrase-structure trees as SVG: whole trees side by side, aligned by words, and fragments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arbitree.drawing import svg
from arbitree.drawing.badges import style_of
from arbitree.drawing.fragment import Fragment
from arbitree.drawing.fragment import Node as FragmentNode
from arbitree.drawing.lettering import columns, drawable, runs_leftwards
from arbitree.drawing.svg import LETTER, PAD, number, text
from arbitree.kinds.phrase.picture.clicks import Clicks
from arbitree.kinds.phrase.picture.layout import Layout, Metrics, Panel, deepest, lay_out
from arbitree.kinds.phrase.picture.overlay import OWN, Node, Phrases, alternative, fold, marked

GAP = 14  # between words
ROW = 34  # between a phrase and its parent
LOW = 23  # the same, where trees have to take little space
MANY = 14  # words from which phrases that all have are drawn as triangles
WIDEST = 1000  # pixels that trees may take beside one another; the others follow below
CAPTION = 26  # height of the names of coders
FOOT = 24  # height of the words


def phrases_svg(
    trees: Sequence[Phrases],
    *,
    folded: bool | None = None,
    notes: Sequence[str] = (),
    widest: float = WIDEST,
    clicks: Sequence[Clicks] = (),
) -> str:
    """Return a picture of the trees of one sentence for a page with the style sheet of pictures.

    Args:
        trees: marked trees from ``side_by_side``.
        folded: draw phrases that all trees share as triangles (default: in long sentences).
        notes: lines below the picture, such as missing annotations.
        widest: the maximum width of trees side by side in pixels; other trees follow below.
        clicks: for each tree, the places that a click decides on the adjudication page (default: none).
    """
    label = alternative(trees)
    shown = fold(trees) if (is_folded(trees) if folded is None else folded) else list(trees)
    layout = lay_out(shown, _metrics())
    leftwards = runs_leftwards(node.word for node in trees[0].nodes)
    captions = [_caption(each, len(trees) > 1) for each in trees]
    wide = max([layout.width, *(size for _, size in captions)])
    across = max(int(widest // (wide + 3 * PAD)), 1)  # trees in a row
    pieces: list[str] = []
    x, y, right, bottom = float(PAD), float(PAD), 0.0, 0.0
    reserved = deepest(shown) if clicks else 0  # for the tree that grows with every decision
    heights = [max(panel.height, reserved if panel.tree.decided else 0) for panel in layout.panels]
    for place, (panel, (caption, size)) in enumerate(zip(layout.panels, captions, strict=True)):
        start = place - place % across
        if place and place == start:
            x, y = float(PAD), bottom + 2 * PAD
        high = max(heights[start : start + across])
        floor = y + (CAPTION if size else 0) + high * ROW + 14
        own = clicks[place] if clicks else None
        pen = _Pen(panel, layout, x, floor, leftwards, frozenset(), own)
        inside = "".join(pen.draw())
        kind = style_of(panel.tree.number) if len(trees) > 1 else ""
        kind = "decided" if panel.tree.decided else kind
        moved = caption.replace("X", number(x)).replace("Y", number(y + 12)) if size else ""
        pieces.append(f'<g class="panel {kind}">{moved}{inside}</g>')
        right, bottom = max(right, x + wide), max(bottom, pen.floor + FOOT)
        x += wide + 3 * PAD
    below, reach, bottom = svg.remarks(notes, widest, top=bottom)
    pieces, right = [*pieces, *below], max(right, reach)
    role = "group" if clicks else "img"  # a group may hold what can be focused
    return svg.frame(right + PAD, bottom + PAD, pieces, kind="tree", label=label, role=role)


def aligned_svg(trees: Sequence[Phrases]) -> list[str]:
    """Return one picture for each of *trees* of one sentence; words are at the same place in all."""
    layout = lay_out(trees, _metrics())
    leftwards = runs_leftwards(node.word for node in trees[0].nodes)
    high = max(panel.height for panel in layout.panels)
    found = []
    for tree, panel in zip(trees, layout.panels, strict=True):
        floor = PAD + high * LOW + 14.0
        inside = _Pen(panel, layout, float(PAD), floor, leftwards, frozenset(), row=LOW).draw()
        label = alternative([tree])
        found.append(svg.frame(layout.width + 2 * PAD, floor + FOOT + PAD, inside, kind="tree", label=label))
    return found


def is_folded(trees: Sequence[Phrases]) -> bool:
    """Return whether a picture of *trees* shows triangles by default."""
    long = sum(node.token is not None for node in trees[0].nodes) > MANY
    return long and len(trees) > 1 and any(node.folded for node in fold(trees)[0].nodes)


def fragment_svg(
    fragment: Fragment, others: Sequence[Fragment], words: Sequence[str], differing: Sequence[int]
) -> str:
    """Return a picture of *fragment* over *words*.

    Args:
        fragment: the fragment to draw.
        others: the fragments next to it; phrases or arcs that all share are drawn thin and grey.
        words: the words of an example.
        differing: offsets of the words to mark.
    """
    own, *rest = (_phrases(each, words) for each in (fragment, *others))
    tree = marked(own, rest)
    if len(words) > MANY and rest:
        tree = fold([tree, *(marked(each, [own]) for each in rest)])[0]
    layout = lay_out([tree], _metrics())
    panel = layout.panels[0]
    floor = PAD + panel.height * ROW + 14.0
    pen = _Pen(panel, layout, float(PAD), floor, runs_leftwards(words), frozenset(differing))
    label = f"{fragment.brackets}: {' '.join(map(drawable, words))}"
    return svg.frame(layout.width + 2 * PAD, floor + FOOT + PAD, pen.draw(), kind="tree", label=label)


def _phrases(fragment: Fragment, words: Sequence[str]) -> Phrases:
    """Return a fragment as a tree; a fragment with only a label becomes a triangle over all words."""
    nodes = fragment.nodes
    if len(nodes) == 1 and nodes[0].token is None:
        shown = " ".join(words) if len(words) < 4 else f"{words[0]} … {words[-1]}"
        folded = tuple(range(len(words)))
        return Phrases((Node(drawable(nodes[0].label), -1, (0, 1, 0), drawable(shown), folded=folded),))
    last = _last_tokens(nodes)
    found, traces = [], 0
    below = {node.parent for node in nodes}
    for place, node in enumerate(nodes):
        slot, word = None, ""
        if node.token is not None:
            slot, word = (node.token, 1, 0), drawable(words[node.token])
        elif place not in below:  # a trace: after the words of its parent
            slot, traces = (last[node.parent] + 1, 0, traces), traces + 1
        found.append(Node(drawable(node.label), node.parent, slot, word))
    return Phrases(tuple(found))


def _last_tokens(nodes: Sequence[FragmentNode]) -> list[int]:
    last = [-1] * len(nodes)
    for node in nodes:
        above = node.parent
        while node.token is not None and above >= 0:
            last[above] = max(last[above], node.token)
            above = nodes[above].parent
    return last


def _metrics() -> Metrics:
    return Metrics(
        word=lambda word: columns(word) * LETTER,
        label=lambda node: columns(node.label) * LETTER + (8 if node.mark else 0),
        gap=GAP,
    )


def _caption(tree: Phrases, several: bool) -> tuple[str, float]:
    """Return the caption of a tree with a line in its style, at X and Y, and its width."""
    who = tree.caption
    if not who:
        return "", 0.0
    line = '<path class="branch own" transform="translate(X Y)" d="M0 -4h26"/>' if several else ""
    shift = 34 if several else 0
    shown = f'<text class="who" x="{shift}" transform="translate(X Y)">{svg.quoted(who)}</text>'
    return line + shown, shift + columns(who) * svg.SMALL


@dataclass(slots=True)
class _Pen:
    """Draws one tree over its words."""

    panel: Panel
    layout: Layout
    left: float
    floor: float  # the line of the leaves' labels
    leftwards: bool
    differing: frozenset[int | None]
    clicks: Clicks | None = None
    row: float = ROW

    def draw(self) -> list[str]:
        """Return the branches, followed by labels and words."""
        tree = self.panel.tree
        branches = [self._branch(place) for place, node in enumerate(tree.nodes) if node.parent >= 0]
        pieces = sorted(branches, key=lambda branch: " own" in branch[:24])  # loud ones on top
        for place, node in enumerate(tree.nodes):
            if node.slot is not None or tree.slots[place]:
                pieces += self._node(place, node)
        return pieces

    def x(self, place: float) -> float:
        """Return the x coordinate of *place* in the picture."""
        return self.left + (self.layout.width - place if self.leftwards else place)

    def y(self, place: int) -> float:
        """Return the y coordinate of a node's label."""
        return self.floor - self.panel.rows[place] * self.row

    def _branch(self, place: int) -> str:
        """Return the path from the bar under the parent down to a node."""
        node = self.panel.tree.nodes[place]
        start, end = self.x(self.panel.middles[node.parent]), self.x(self.panel.middles[place])
        top, bottom = self.y(node.parent) + 4, self.y(place) - 12
        if node.slot is not None and not node.label:
            bottom += 14  # a word without a label of its own
        bar = top + min(6.0, (self.row - 16) / 2)
        turn = "" if abs(start - end) < 0.1 else f"V{number(bar)}H{number(end)}"
        kind = "branch own" if OWN in (node.mark, self.panel.tree.nodes[node.parent].mark) else "branch"
        return f'<path class="{kind}" d="M{number(start)} {number(top)}{turn}V{number(bottom)}"/>'

    def _node(self, place: int, node: Node) -> list[str]:
        x, y = self.x(self.panel.middles[place]), self.y(place)
        pieces = []
        if node.folded and node.slot is not None:
            half = self.layout.columns[node.slot].width / 2
            foot = f"L{number(x - half)} {number(self.floor + 4)}H{number(x + half)}z"
            pieces.append(f'<path class="triangle {node.mark}" d="M{number(x)} {number(y + 4)}{foot}"/>')
        shown = self._frame(x, y, node) if node.mark else ""
        if node.label:
            label = text(x, y, node.label, f"label {node.mark}".rstrip())
            note = f"<title>{svg.quoted(node.others)}</title>" if node.others else ""
            shown += f"<g>{note}{label}</g>" if note else label
        if self.clicks is not None:
            shown = self.clicks.button(self.panel.tree, place, self._hit(x, y, node) + shown, plain=shown)
        pieces.append(shown)
        if node.word:
            differs = self.differing.intersection(node.folded or (node.token,))
            mark = " differs" if differs else ""
            turned = " rtl" if self.leftwards else ""
            pieces.append(text(x, self.floor + 18, node.word, f"word{mark}{turned}"))
        return ['<g class="fold">', *pieces, "</g>"] if node.folded else pieces

    def _hit(self, x: float, y: float, node: Node) -> str:
        """Return the area around a label that can be clicked."""
        half = max(columns(node.label) * LETTER / 2 + 5, 10)
        start, width = number(x - half), number(2 * half)
        return f'<rect class="hit" x="{start}" y="{number(y - 14)}" width="{width}" height="20" rx="4"/>'

    def _frame(self, x: float, y: float, node: Node) -> str:
        """Return a box around a bracket, or a line under a label, that not all trees share."""
        half = columns(node.label) * LETTER / 2 + 3
        if node.mark == OWN:
            start, width = number(x - half), number(2 * half)
            return (
                f'<rect class="frame" x="{start}" y="{number(y - 12)}" width="{width}" height="16" rx="3"/>'
            )
        return f'<path class="frame" d="M{number(x - half)} {number(y + 3)}h{number(2 * half)}"/>'

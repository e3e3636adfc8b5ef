"""Choices in a picture of phrases: the labels and tags that a click on the adjudication page chooses."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from arbitree.drawing import svg
from arbitree.drawing.lettering import drawable
from arbitree.kinds.phrase.choices import BRACKET, TAG
from arbitree.kinds.phrase.picture.overlay import Phrases


@dataclass(frozen=True)
class Clicks:
    """The values of one tree at the places that can be decided.

    The tree of the decisions has places and no values to choose.
    """

    keys: Collection[str]
    said: Mapping[str, str]  # by place, in the form in which they are chosen
    decided: Mapping[str, str]

    def button(self, tree: Phrases, place: int, inside: str, plain: str) -> str:
        """Return a node as a button if a click can choose its label, else *plain*."""
        key = key_of(tree, place)
        if key not in self.keys:
            return plain
        if tree.decided or key not in self.said:
            return f"<g {svg.keyed([key])}>{inside}</g>"
        wish = {key: self.said[key]}
        words = {node.slot: node.word for node in tree.nodes}
        covered = " ".join(words[slot] for slot in tree.slots[place] if slot[1])
        about = f"{drawable(wish[key])} over {drawable(covered)} ({tree.caption})"
        return svg.choice(inside, [key], wish, about, pressed=self.decided.get(key) == wish[key])


def key_of(tree: Phrases, place: int) -> str:
    """Return the key of the place of a node: its span, or the number of its token.

    Example:
        >>> from arbitree.kinds.phrase.picture.overlay import phrases_of
        >>> from arbitree.kinds.phrase.value import PhraseTree
        >>> tree = phrases_of(PhraseTree(("wake", "me", "up"), ("V", "P", "R", "S", "VP"), (4, 3, 4, -1, 3)))
        >>> [key_of(tree, place) for place in range(5)]
        ['1 tag', '2 tag', '3 tag', '1-3 bracket', '1-1,3-3 bracket']
    """
    node = tree.nodes[place]
    if node.slot is not None and not node.folded:
        return f"{node.token + 1} {TAG}" if node.token is not None else ""
    runs: list[list[int]] = []
    for token in tree.tokens[place]:
        if not runs or token != runs[-1][1]:
            runs.append([token + 1, token])
        runs[-1][1] = token + 1
    return ",".join(f"{first}-{last}" for first, last in runs) + f" {BRACKET}"

"""Noise in dependency trees: other relations, other heads.

Reference:
    Skjærholt (2014), section 3.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from random import Random

from arbitree.analyses.simulation.drawing import pick
from arbitree.data.dependency import DepTree
from arbitree.registry import check_name

DRAWS = ("any", "others", "new")


@dataclass(frozen=True, slots=True)
class Heads:
    """Which tokens a head is drawn from: those that the token does not dominate, less some.

    Args:
        draw: ``any``: all of them. A token does not dominate itself; one that draws itself keeps its head.
            ``others``: without the token itself. ``new``: without its present head too.
        root: whether the artificial root is among them.
    """

    draw: str = "any"
    root: bool = False

    def __post_init__(self) -> None:
        check_name(self.draw, DRAWS, "ways to draw a head")


@dataclass(frozen=True, slots=True)
class Attachments:
    """Gives tokens a relation and a head by chance, each with a probability of its own.

    Tokens are visited in the post-order of the original tree, and what a token dominates is taken from the
    tree as it is by then. So the result is always a tree. A relation is drawn from all relations of the
    corpus, its own among them, as the published curves show: they end above 0.

    Args:
        labels: the relations of the corpus.
        relabel: probability of a new relation, as a multiple of the level.
        reattach: probability of a new head, as a multiple of the level.
        heads: what heads are drawn from.
    Example:
        >>> tree = DepTree(("birds", "sing", "softly"), (2, 0, 2), ("nsubj", "root", "advmod"))
        >>> Attachments(("obj", "obl"), 1.0, 0.0)(tree, 1.0, Random(0)).heads
        (2, 0, 2)
        >>> Attachments(("obj", "obl"), 0.0, 1.0)(tree, 0.0, Random(0)) == tree
        True
    """

    labels: tuple[str, ...]
    relabel: float
    reattach: float
    heads: Heads = field(default_factory=Heads)

    def __call__(self, tree: DepTree, level: float, rng: Random) -> DepTree:
        """Return *tree* with noise of this level."""
        relations = list(tree.relations)
        heads = list(tree.heads)
        children = tree.children()
        for token in postorder(children):
            if rng.random() < self.relabel * level:
                relations[token - 1] = pick(self.labels, rng)
            if rng.random() < self.reattach * level:
                _reattach(token, heads, children, self.heads, rng)
        return replace(tree, heads=tuple(heads), relations=tuple(relations))


def postorder(children: list[list[int]]) -> list[int]:
    """Return the tokens under 0, those below a token before it, from left to right.

    Example:
        >>> postorder([[2], [], [1, 3], []])
        [1, 3, 2]
    """
    order: list[int] = []
    stack = [0]
    while stack:
        node = stack.pop()
        order.append(node)
        stack.extend(children[node])
    return order[:0:-1]


def _reattach(token: int, heads: list[int], children: list[list[int]], among: Heads, rng: Random) -> None:
    """Give *token* another head; it keeps its own where there is none to choose from."""
    below = _dominated(token, children)
    options = [node for node in range(0 if among.root else 1, len(children)) if node not in below]
    if among.draw == "any":
        options.append(token)
    old = heads[token - 1]
    if among.draw == "new" and old in options:
        options.remove(old)
    new = pick(options, rng) if options else token
    if new == token:
        return
    heads[token - 1] = new
    children[old].remove(token)
    children[new].append(token)


def _dominated(token: int, children: list[list[int]]) -> set[int]:
    """Return *token* and all that is below it."""
    below = {token}
    stack = [token]
    while stack:
        found = children[stack.pop()]
        below.update(found)
        stack.extend(found)
    return below

"""Simulated errors in dependency trees: other relations, other heads.

Reference:
    Skjærholt (2014), section 3.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from random import Random

from arbitree.kinds.dependency.value import DepTree
from arbitree.simulation.noise import HABIT, Noise, NoiseOptions, habit_noise, pick


@dataclass(frozen=True, slots=True)
class Attachments:
    """Gives tokens random relations and heads, each with its own probability.

    Tokens are visited in the post-order of the original tree, and the descendants of a token are those in the
    current tree. So the result is always a tree. A relation is drawn from all relations of the corpus,
    including its own, because the published curves end above 0.

    Args:
        labels: the relations of the corpus.
        relabel: probability of a new relation, as a multiple of the level.
        reattach: probability of a new head, as a multiple of the level.
        draw: the candidates for heads. ``any``: all tokens that the token does not dominate; a token does
            not dominate itself, and a token that draws itself keeps its head. ``others``: without the token
            itself. ``new``: also without its current head.
        root: whether the artificial root is a candidate.
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
    draw: str = "any"
    root: bool = False

    def __call__(self, tree: DepTree, level: float, rng: Random) -> DepTree:
        """Return *tree* with simulated errors at this noise level."""
        relations = list(tree.relations)
        heads = list(tree.heads)
        children = tree.children()
        for token in postorder(children):
            if rng.random() < self.relabel * level:
                relations[token - 1] = pick(self.labels, rng)
            if rng.random() < self.reattach * level:
                self._reattach(token, heads, children, rng)
        return replace(tree, heads=tuple(heads), relations=tuple(relations))

    def _reattach(self, token: int, heads: list[int], children: list[list[int]], rng: Random) -> None:
        """Give *token* another head; without candidates it keeps its own."""
        below = _dominated(token, children)
        options = [node for node in range(0 if self.root else 1, len(children)) if node not in below]
        if self.draw == "any":
            options.append(token)
        old = heads[token - 1]
        if self.draw == "new" and old in options:
            options.remove(old)
        new = pick(options, rng) if options else token
        if new == token:
            return
        heads[token - 1] = new
        children[old].remove(token)
        children[new].append(token)


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


def _dominated(token: int, children: list[list[int]]) -> set[int]:
    """Return *token* and its descendants."""
    below = {token}
    stack = [token]
    while stack:
        found = children[stack.pop()]
        below.update(found)
        stack.extend(found)
    return below


FORM = "#new"
UNKNOWN = "_"


@dataclass(frozen=True, slots=True)
class Nodes:
    """Deletes tokens and inserts new ones, so that the number of tokens changes.

    Dependents of a deleted token are attached to its head. A new token is a leaf attached to the token before
    it, with a relation of the corpus. The last token of a tree is not deleted.

    Args:
        labels: the relations of the corpus.
        insert: probability that a token gets a new one, as a multiple of the level.
        delete: probability that a token is deleted, as a multiple of the level.
    Example:
        >>> tree = DepTree(("birds", "sing", "softly"), (2, 0, 2), ("nsubj", "root", "advmod"))
        >>> Nodes(("obj",), insert=1.0, delete=0.0)(tree, 1.0, Random(0)).heads
        (3, 1, 0, 3, 3, 5)
        >>> len(Nodes(("obj",), insert=0.0, delete=1.0)(tree, 1.0, Random(0)))
        1
    """

    labels: tuple[str, ...]
    insert: float
    delete: float

    def __call__(self, tree: DepTree, level: float, rng: Random) -> DepTree:
        """Return *tree* with simulated errors at this noise level."""
        gone: set[int] = set()
        rows: list[tuple[int, int, str]] = []  # old number or 0, old head, relation
        for token in range(1, len(tree) + 1):
            if rng.random() < self.delete * level:
                gone.add(token)
            else:
                rows.append((token, tree.heads[token - 1], tree.relations[token - 1]))
            if rng.random() < self.insert * level:
                rows.append((0, token, pick(self.labels, rng)))
        if not rows:
            kept = pick(range(1, len(tree) + 1), rng)
            gone.remove(kept)
            rows = [(kept, tree.heads[kept - 1], tree.relations[kept - 1])]
        return _rebuilt(tree, rows, gone)


def _rebuilt(tree: DepTree, rows: list[tuple[int, int, str]], gone: set[int]) -> DepTree:
    """Return the tree of *rows*, whose heads are token numbers of the old tree."""
    number = {0: 0} | {old: new for new, (old, _, _) in enumerate(rows, 1) if old}
    heads = []
    for _, old_head, _ in rows:
        head = old_head
        while head in gone:
            head = tree.heads[head - 1]
        heads.append(number[head])
    return DepTree(
        tokens=tuple(tree.tokens[old - 1] if old else FORM for old, _, _ in rows),
        heads=tuple(heads),
        relations=tuple(relation for _, _, relation in rows),
        columns={
            name: tuple(column[old - 1] if old else UNKNOWN for old, _, _ in rows)
            for name, column in tree.columns.items()
        },
        comments=tree.comments,
    )


@dataclass(frozen=True, slots=True)
class Unbiased:
    """Releases each token with the probability of the level, and draws heads for the released tokens.

    The result is uniform over all trees in which the other tokens keep their heads. At level 1 it is uniform
    over all trees: (n + 1)^(n - 1) for n tokens, or n^(n - 1) with a single root.

    Args:
        single_root: whether only one token may be attached to the artificial root.
    Example:
        >>> tree = DepTree(("birds", "sing"), (2, 0), ("nsubj", "root"))
        >>> {Unbiased()(tree, 1.0, Random(seed)).heads for seed in range(50)} == {(0, 0), (0, 1), (2, 0)}
        True
    """

    single_root: bool = False

    def __call__(self, tree: DepTree, level: float, rng: Random) -> DepTree:
        """Return *tree* with simulated errors at this noise level."""
        released = [token for token in range(1, len(tree) + 1) if rng.random() < level]
        return replace(tree, heads=draw_heads(tree.heads, released, rng, single_root=self.single_root))


def draw_heads(
    heads: Sequence[int], released: Collection[int], rng: Random, *, single_root: bool = False
) -> tuple[int, ...]:
    """Return the heads of a tree drawn uniformly from all trees that keep the heads of tokens not *released*.

    With *single_root*, all tokens that would stay under the artificial root, except the first, are released
    as well, because no tree can keep them.
    """
    free = set(released)
    if single_root:
        free |= set([token for token, head in enumerate(heads, 1) if head == 0 and token not in free][1:])
    if not free:
        return tuple(heads)
    tops = _tops(heads, free)
    new = list(heads)
    closed = single_root and any(head == 0 and t not in free for t, head in enumerate(heads, 1))
    start = 0
    if single_root and not closed:
        # A tree's top is the top of one part: as often as that part has tokens, by the count of such trees.
        start = tops[pick(range(1, len(tops)), rng)]
        new[start - 1] = 0
    _walk(new, sorted(free - {start}), tops, start, 1 if single_root else 0, rng)
    return tuple(new)


def _tops(heads: Sequence[int], free: set[int]) -> list[int]:
    """Return for every node the released token at or above it, or 0; this names the part of the node."""
    tops = [0] + [-1] * len(heads)
    for token in range(1, len(tops)):
        path = []
        node = token
        while tops[node] < 0 and node not in free:
            path.append(node)
            node = heads[node - 1]
        top = tops[node] if tops[node] >= 0 else node
        for each in (*path, node):
            tops[each] = top
    return tops


def _walk(new: list[int], free: list[int], tops: list[int], start: int, lowest: int, rng: Random) -> None:
    """Give the *free* tokens heads by random walks over the parts that end in the current tree.

    A walk leaves a part for a node outside it, all with the same probability. Only the last step from every
    part counts, which erases loops.
    """
    nodes = range(lowest, len(tops))
    reached = {start}
    for token in free:
        top = token
        while top not in reached:
            node = pick(nodes, rng)
            if tops[node] == top:
                continue
            new[top - 1] = node
            top = tops[node]
        top = token
        while top not in reached:
            reached.add(top)
            top = tops[new[top - 1]]


def relations_of(trees: Sequence[DepTree]) -> tuple[str, ...]:
    """Return the relations of a corpus in alphabetical order."""
    return tuple(sorted({relation for tree in trees for relation in tree.relations}))


def relabel(tree: DepTree, rewrite: Callable[[str], str]) -> DepTree:
    """Return *tree* with *rewrite* applied to every relation."""
    return replace(tree, relations=tuple(rewrite(each) for each in tree.relations))


def _attachments(about: str, relabel: float, reattach: float) -> Noise[DepTree]:
    def make(trees: Sequence[DepTree], options: NoiseOptions) -> Attachments:
        return Attachments(relations_of(trees), relabel, reattach, options.heads, options.root)

    def recorded(options: NoiseOptions) -> list[str]:
        return [f"heads:{options.heads}{'+root' if options.root else ''}"] if reattach else []

    return Noise(about, make, by_default=True, recorded=recorded)


def _nodes(about: str, insert: float, delete: float) -> Noise[DepTree]:
    return Noise(about, lambda trees, options: Nodes(relations_of(trees), insert, delete))


# The defaults are the three experiments of Skjærholt (2014).
NOISES: dict[str, Noise[DepTree]] = {
    "both": _attachments("other relations and other heads", 1, 1),
    "labels": _attachments("other relations", 1, 0),
    "heads": _attachments("other heads", 0, 1),
    "unbiased": Noise(
        "other heads, drawn so that all trees are equally likely",
        lambda trees, options: Unbiased(options.single_root),
        recorded=lambda options: [f"single_root:{options.single_root}"],
    ),
    "nodes": _nodes("tokens inserted and deleted", 1, 1),
    "nodes_insert": _nodes("tokens inserted", 1, 0),
    "nodes_delete": _nodes("tokens deleted", 0, 1),
    HABIT: habit_noise(relations_of, relabel),
}

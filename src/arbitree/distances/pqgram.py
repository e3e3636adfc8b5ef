"""pq-gram distance: how many small pieces of shape p and q two trees have in common.

Reference:
    Augsten, Böhlen & Gamper (2005). Approximate matching of hierarchical data using pq-grams.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

from arbitree.errors import UnknownName
from arbitree.study.flat_tree import Tree, TreeValue, Vocabulary

NULL = None  # no label of a tree can be equal to it

Gram = tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class PqGram:
    """Share of the pq-grams that two annotations do not have in common.

    Formula:
        δ(x, y) = 1 - 2 |P(x) ∩ P(y)| / (|P(x)| + |P(y)|)
        with P(x) the bag of pq-grams of x. Not a metric: distinct trees can have the same bag.
    Args:
        p: nodes on the way down to the anchor of a gram, the anchor included.
        q: children of the anchor that a gram holds.
        labelled: whether labels count, or only structure.
    Example:
        >>> from arbitree import PhraseTree
        >>> clause = PhraseTree(("", ""), ("NP", "VP", "S"), (2, 2, -1))
        >>> round(PqGram()(clause, PhraseTree(("",), ("NP", "S"), (1, -1))), 4)
        0.6
    """

    kinds: ClassVar[tuple[type, ...]] = (TreeValue,)
    references: ClassVar[tuple[str, ...]] = ("augsten2005",)
    slow_from: ClassVar[None] = None
    column: ClassVar[int] = 0  # among the distances that one pass over the pairs gives

    p: int = 2
    q: int = 3
    labelled: bool = True

    def __post_init__(self) -> None:
        for name, value in (("p", self.p), ("q", self.q)):
            if value < 1:
                raise UnknownName(f"{name} of the pq-grams is {value}", hint="Give a whole number from 1 on")

    @property
    def about(self) -> str:
        """What it is, in a line."""
        return "pq-gram distance"

    def __call__(self, first: TreeValue, second: TreeValue) -> float:
        """Return the distance of two annotations."""
        trees = (each.flatten(Vocabulary(), labelled=self.labelled) for each in (first, second))
        ours, theirs = map(self.profile, trees)
        return 1 - 2 * (ours & theirs).total() / (ours.total() + theirs.total())

    def profile(self, tree: Tree) -> Counter[Gram]:
        """Return the bag of pq-grams of *tree*: p labels down to a node, then q of its children.

        The tree is thought to have p - 1 null nodes above the root, q - 1 before and after the children of
        every inner node, and q under every leaf.
        """
        labels = [tree.label(node) for node in range(len(tree))]
        children: list[list[int]] = [[] for _ in labels]
        for node, parent in enumerate(tree.parents[:-1].tolist()):
            children[parent].append(node)
        profile: Counter[Gram] = Counter()
        stems: dict[int, Gram] = {-1: (NULL,) * self.p}
        for node in reversed(range(len(labels))):  # parents before children
            stems[node] = (*stems[int(tree.parents[node])], labels[node])[1:]
            base: Gram = (NULL,) * self.q
            if children[node]:
                margin = base[1:]
                base = (*margin, *(labels[child] for child in children[node]), *margin)
            for start in range(len(base) - self.q + 1):
                profile[(*stems[node], *base[start : start + self.q])] += 1
        return profile


PLUGINS = {"pqgram": PqGram()}

"""pq-gram distance: the share of small subtrees of shape p and q that two trees do not share.

Reference:
    Augsten, Böhlen & Gamper (2005). Approximate matching of hierarchical data using pq-grams.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

from arbitree.errors import UnknownName
from arbitree.study.flat_tree import Tree, TreeValue, Vocabulary

NULL = None  # differs from every label of a tree

Gram = tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class PqGram:
    """Share of the pq-grams that two annotations do not have in common.

    Formula:
        δ(x, y) = 1 - 2 |P(x) ∩ P(y)| / (|P(x)| + |P(y)|)
        with P(x) the bag of pq-grams of x. Not a metric: distinct trees can have the same bag.
    Args:
        p: Number of nodes on the path down to the anchor of a gram, including the anchor.
        q: Number of children of the anchor in a gram.
        labelled: Whether labels count, or only the structure.
    Example:
        >>> from arbitree import PhraseTree
        >>> clause = PhraseTree(("", ""), ("NP", "VP", "S"), (2, 2, -1))
        >>> round(PqGram()(clause, PhraseTree(("",), ("NP", "S"), (1, -1))), 4)
        0.6
    """

    kinds: ClassVar[tuple[type, ...]] = (TreeValue,)
    references: ClassVar[tuple[str, ...]] = ("augsten2005",)
    slow_from: ClassVar[None] = None
    column: ClassVar[int] = 0  # index among the distances that one pass over the pairs computes

    p: int = 2
    q: int = 3
    labelled: bool = True

    def __post_init__(self) -> None:
        for name, value in (("p", self.p), ("q", self.q)):
            if value < 1:
                raise UnknownName(
                    f"pq-gram parameter {name} is {value}", hint="Use a whole number of 1 or more"
                )

    @property
    def about(self) -> str:
        """One-line description."""
        return "pq-gram distance"

    def __call__(self, first: TreeValue, second: TreeValue) -> float:
        """Return the distance of two annotations."""
        trees = (each.flatten(Vocabulary(), labelled=self.labelled) for each in (first, second))
        ours, theirs = map(self.profile, trees)
        return 1 - 2 * (ours & theirs).total() / (ours.total() + theirs.total())

    def profile(self, tree: Tree) -> Counter[Gram]:
        """Return the bag of pq-grams of *tree*: p labels down to a node, then q of its children.

        The tree is extended by p - 1 null nodes above the root, q - 1 before and after the children of
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

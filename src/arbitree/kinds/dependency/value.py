"""Dependency trees as annotated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import ClassVar

import numpy as np

from arbitree.study.flat_tree import Tree, TreeValue, Vocabulary, flatten

# The artificial root has a label of its own: no relation in a file can be the empty string.
ROOT_LABEL = ""


@dataclass(frozen=True, slots=True)
class DepTree(TreeValue):
    """A head and a relation for every token; head 0 is the artificial root.

    Example:
        >>> tree = DepTree(("birds", "sing"), (2, 0), ("nsubj", "root"))
        >>> tree.heads
        (2, 0)
        >>> len(tree.flatten(Vocabulary()))
        3
    """

    kind: ClassVar[str] = "dependency"
    plural: ClassVar[str] = "dependency trees"
    unit: ClassVar[str] = "sentence"  # what an item is called

    tokens: tuple[str, ...]
    heads: tuple[int, ...]
    relations: tuple[str, ...]
    columns: Mapping[str, tuple[str, ...]] = field(
        default_factory=dict
    )  # lemma, upos ... one value a token, as read
    comments: tuple[str, ...] = ()
    extra: tuple[tuple[int, str], ...] = ()  # lines of ranges and empty nodes, each after so many tokens

    def __post_init__(self) -> None:
        if not len(self.tokens) == len(self.heads) == len(self.relations):
            raise ValueError("the numbers of tokens, heads and relations differ")

    def __len__(self) -> int:
        return len(self.tokens)

    def children(self) -> list[list[int]]:
        """Return the dependents of 0 (the artificial root) and of every token, in token order."""
        children: list[list[int]] = [[] for _ in range(len(self.heads) + 1)]
        for token, head in enumerate(self.heads, start=1):
            children[head].append(token)
        return children

    def name(self, node: int) -> str:
        """Return the token of a node of the flat tree; the artificial root has none."""
        return self.tokens[node - 1] if node else ""

    def unreached(self) -> list[int]:
        """Return the tokens that the root does not dominate: those on a cycle or below one.

        Example:
            >>> DepTree(("a", "b", "c"), (2, 1, 0), ("x", "y", "z")).unreached()
            [1, 2]
        """
        children = self.children()
        reached = {0}
        stack = [0]
        while stack:
            below = children[stack.pop()]
            reached.update(below)
            stack.extend(below)
        return [token for token in range(1, len(self) + 1) if token not in reached]

    def defects(self) -> list[str]:
        """Return the problems that prevent this from being a tree, in words."""
        lost = self.unreached()
        if not lost:
            return []
        return [
            f"a cycle disconnects {len(lost)} of {len(self)} tokens from the root, including token {lost[0]}"
        ]

    def flatten(self, vocabulary: Vocabulary, *, labelled: bool = True) -> Tree:
        """Return the tree for the kernels: node label = relation, children in token order.

        Tokens that the root does not reach are not nodes but count in the size, as in the published
        evaluation (Skjærholt 2014).
        """
        labels = (ROOT_LABEL, *self.relations) if labelled else (ROOT_LABEL,) * (len(self) + 1)
        return flatten(self.children(), labels, 0, vocabulary, size=len(self) + 1, leaves=len(self))


def with_cycles(trees: Sequence[DepTree]) -> list[int]:
    """Return which of *trees* have tokens that the root does not dominate; fast for many trees.

    Example:
        >>> good = DepTree(("a", "b"), (2, 0), ("x", "y"))
        >>> with_cycles([good, DepTree(("a", "b"), (2, 1), ("x", "y")), good])
        [1]
    """
    sizes = np.fromiter(map(len, trees), dtype=np.intp, count=len(trees)) + 1  # with a root for each
    roots = np.cumsum(sizes) - sizes
    above = np.zeros(int(sizes.sum()), dtype=np.intp)
    tokens = np.ones(len(above), dtype=bool)
    tokens[roots] = False
    above[tokens] = np.fromiter(chain.from_iterable(tree.heads for tree in trees), dtype=np.intp)
    above += np.repeat(roots, sizes)
    for _ in range(int(sizes.max(initial=1)).bit_length()):  # every step goes twice as far up
        above = above[above]
    lost = np.repeat(roots, sizes) != above
    return np.flatnonzero(np.bincount(np.repeat(np.arange(len(trees)), sizes), lost)).tolist()

"""Dependency trees as annotated."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, count, pairwise
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

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

    @classmethod
    def flatten_all(
        cls, values: Sequence[DepTree], vocabulary: Vocabulary, *, labelled: bool = True
    ) -> list[Tree]:
        """Return many trees as flat arrays, level by level for all trees at once.

        Example:
            >>> tree = DepTree(("birds", "sing"), (2, 0), ("nsubj", "root"))
            >>> [DepTree.flatten_all([tree], Vocabulary())[0].label(node) for node in range(3)]
            ['nsubj', 'root', '']
        """
        if not values:
            return []
        grove = _Grove.of(values)
        levels = grove.levels()
        sizes = np.ones(len(grove.above), dtype=np.intp)  # nodes of the subtree under each node
        for level in reversed(levels[1:]):
            np.add.at(sizes, grove.above[level], sizes[level])
        starts = np.zeros(len(grove.above), dtype=np.intp)  # nodes to the left of each subtree
        for level in levels[1:]:
            above, left = grove.above[level], np.cumsum(sizes[level]) - sizes[level]
            first = np.flatnonzero(np.diff(above, prepend=-1))  # a level contains siblings side by side
            starts[level] = starts[above] + left - np.repeat(left[first], np.diff(first, append=len(level)))
        nodes = np.concatenate(levels)
        ends = np.cumsum(sizes[grove.roots])
        place = np.repeat(ends - sizes[grove.roots], grove.sizes)[nodes] + starts[nodes] + sizes[nodes] - 1
        order = np.empty_like(nodes)
        order[place] = nodes  # all trees in postorder, one after the other
        parents = (starts + sizes - 1)[grove.above[order]]
        parents[ends - 1] = -1
        labels = _numbered(grove, values, order, vocabulary, labelled=labelled)
        origins = order - np.repeat(grove.roots, grove.sizes)[order]
        found = (labels, parents, starts[order], origins)
        label, parent, leftmost, origin = (each.astype(np.int32) for each in found)
        return [
            Tree(
                labels=label[start:end],
                parents=parent[start:end],
                leftmost=leftmost[start:end],
                origins=origin[start:end],
                vocabulary=vocabulary,
                size=size,
                leaves=size - 1,
            )
            for size, (start, end) in zip(grove.sizes.tolist(), pairwise([0, *ends.tolist()]), strict=True)
        ]


@dataclass(frozen=True, slots=True)
class _Grove:
    """The nodes of many trees: for each tree the artificial root, then its tokens."""

    roots: NDArray[np.intp]  # (trees,) places among all nodes
    sizes: NDArray[np.intp]  # (trees,) tokens, and one
    above: NDArray[np.intp]  # (nodes,) the head of each node; of a root, itself

    @classmethod
    def of(cls, trees: Sequence[DepTree]) -> _Grove:
        """Return the nodes of *trees*."""
        sizes = np.fromiter(map(len, trees), dtype=np.intp, count=len(trees)) + 1
        roots = np.cumsum(sizes) - sizes
        above = np.zeros(int(sizes.sum()), dtype=np.intp)
        tokens = np.ones(len(above), dtype=bool)
        tokens[roots] = False
        above[tokens] = np.fromiter(chain.from_iterable(tree.heads for tree in trees), dtype=np.intp)
        above += np.repeat(roots, sizes)
        return cls(roots, sizes, above)

    def levels(self) -> list[NDArray[np.intp]]:
        """Return the roots, their dependents, the dependents of these and so on, without lost tokens."""
        below = np.flatnonzero(self.above != np.arange(len(self.above)))  # roots and loops are not
        counts = np.bincount(self.above[below], minlength=len(self.above))
        by_head = below[np.argsort(self.above[below], kind="stable")]
        firsts = np.cumsum(counts) - counts
        found = [self.roots]
        while len(found[-1]):
            heads = found[-1][counts[found[-1]] > 0]
            own = counts[heads]
            offsets = np.arange(int(own.sum())) - np.repeat(np.cumsum(own) - own, own)
            found.append(by_head[np.repeat(firsts[heads], own) + offsets])
        return found[:-1]


def _numbered(
    grove: _Grove,
    trees: Sequence[DepTree],
    order: NDArray[np.intp],
    vocabulary: Vocabulary,
    *,
    labelled: bool,
) -> NDArray[np.intp]:
    """Return the label numbers of the nodes in this *order*; new labels are numbered as they appear."""
    known: defaultdict[str, int] = defaultdict(count().__next__)  # in the order of the tokens
    codes = np.full(len(grove.above), known[ROOT_LABEL], dtype=np.intp)
    if labelled:
        tokens = np.ones(len(codes), dtype=bool)
        tokens[grove.roots] = False
        relations = chain.from_iterable(tree.relations for tree in trees)
        codes[tokens] = np.fromiter(map(known.__getitem__, relations), dtype=np.intp)
    codes = codes[order]
    # The first place of each label among the nodes; labels of lost tokens have none.
    first = np.full(len(known), len(codes))
    np.minimum.at(first, codes, np.arange(len(codes)))
    numbers = np.zeros(len(known), dtype=np.intp)
    names = list(known)
    for code in np.argsort(first)[: np.count_nonzero(first < len(codes))].tolist():
        numbers[code] = vocabulary.number(names[code])
    return numbers[codes]


def with_cycles(trees: Sequence[DepTree]) -> list[int]:
    """Return which of *trees* have tokens that the root does not dominate; fast for many trees.

    Example:
        >>> good = DepTree(("a", "b"), (2, 0), ("x", "y"))
        >>> with_cycles([good, DepTree(("a", "b"), (2, 1), ("x", "y")), good])
        [1]
    """
    grove = _Grove.of(trees)
    roots, sizes, above = grove.roots, grove.sizes, grove.above
    for _ in range(int(sizes.max(initial=1)).bit_length()):  # every step goes twice as far up
        above = above[above]
    lost = np.repeat(roots, sizes) != above
    return np.flatnonzero(np.bincount(np.repeat(np.arange(len(trees)), sizes), lost)).tolist()

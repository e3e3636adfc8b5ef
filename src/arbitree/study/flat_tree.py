"""Ordered labelled trees as flat arrays, the input of kernels."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from arbitree.wording import brief

IntArray = NDArray[np.int32]


class Vocabulary:
    """Labels and their numbers, in order of first appearance.

    Example:
        >>> words = Vocabulary()
        >>> words.number("nsubj"), words.number("obj"), words.number("nsubj")
        (0, 1, 0)
        >>> words.labels
        ['nsubj', 'obj']
    """

    def __init__(self, labels: Iterable[str] = ()) -> None:
        self.labels: list[str] = []
        self._numbers: dict[str, int] = {}
        for label in labels:
            self.number(label)

    def __len__(self) -> int:
        return len(self.labels)

    def number(self, label: str) -> int:
        """Return the number of *label*; assign a new number to a new label."""
        number = self._numbers.setdefault(label, len(self.labels))
        if number == len(self.labels):
            self.labels.append(label)
        return number


class TreeValue(ABC):
    """Base class for annotations that can be compared as ordered labelled trees."""

    __slots__ = ()

    @abstractmethod
    def flatten(self, vocabulary: Vocabulary, *, labelled: bool = True) -> Tree:
        """Return the tree as flat arrays for kernels."""

    @classmethod
    def flatten_all(
        cls, values: Sequence[Self], vocabulary: Vocabulary, *, labelled: bool = True
    ) -> list[Tree]:
        """Return many trees as flat arrays, with the same numbers as if they were flattened one by one."""
        return [value.flatten(vocabulary, labelled=labelled) for value in values]


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """Nodes in left-to-right postorder: a node follows all nodes under it.

    ``size`` and ``leaves`` are the possible values of |x|. They can differ from the number of nodes: tokens
    on a cycle are not in the tree but count in ``size``.
    """

    labels: IntArray  # (n,) ids into vocabulary
    parents: IntArray  # (n,) -1 at the root
    leftmost: IntArray  # (n,) leftmost leaf under each node
    origins: IntArray  # (n,) the node or token of the annotation that each node represents; -1: none
    vocabulary: Vocabulary
    size: int
    leaves: int

    __repr__ = brief

    def __len__(self) -> int:
        return len(self.labels)

    def label(self, node: int) -> str:
        """Return the label of *node* as text."""
        return self.vocabulary.labels[int(self.labels[node])]


def flatten(
    children: Sequence[Sequence[int]],
    labels: Sequence[str],
    root: int,
    vocabulary: Vocabulary,
    *,
    size: int,
    leaves: int,
) -> Tree:
    """Return the tree under *root* in postorder, without nodes that are not connected to *root*.

    Args:
        children: The children of every node, in order.
        labels: The label of every node.
        root: The node to start from.
        vocabulary: The vocabulary that numbers the labels.
        size: The default value of |x|.
        leaves: The value of |x| under ``size=leaves``.

    Example:
        >>> t = flatten([[1, 2], [], []], ["S", "NP", "VP"], 0, Vocabulary(), size=3, leaves=2)
        >>> [t.label(k) for k in range(3)], t.parents.tolist(), t.leftmost.tolist()
        (['NP', 'VP', 'S'], [2, 2, -1], [0, 1, 0])
    """
    order: list[int] = []
    stack = [root]
    while stack:  # root, then its children from the right: the reverse of postorder
        node = stack.pop()
        order.append(node)
        stack.extend(children[node])
    order.reverse()
    place = dict(zip(order, range(len(order)), strict=True))
    parents = [-1] * len(order)
    leftmost = list(range(len(order)))
    for node, here in place.items():
        below = children[node]
        if below:
            leftmost[here] = leftmost[place[below[0]]]
            for child in below:
                parents[place[child]] = here
    number = vocabulary.number
    return Tree(
        labels=np.array([number(labels[node]) for node in order], dtype=np.int32),
        parents=np.array(parents, dtype=np.int32),
        leftmost=np.array(leftmost, dtype=np.int32),
        origins=np.array(order, dtype=np.int32),
        vocabulary=vocabulary,
        size=size,
        leaves=leaves,
    )

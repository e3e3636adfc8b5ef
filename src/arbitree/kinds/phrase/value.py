"""Phrase-structure trees as annotated, including discontinuous ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from arbitree.study.flat_tree import Tree, TreeValue, Vocabulary, flatten

TRACE = "-NONE-"
UNLABELLED = ""

Yield = tuple[tuple[int, int], ...]  # runs of token positions, each (first, last + 1)


@dataclass(frozen=True, slots=True)
class PhraseTree(TreeValue):
    """Nodes with a label and a parent; the first ``len(words)`` nodes are the terminals, in order.

    The label of a terminal is its part of speech. It is "" for a word directly under a phrase. The word is ""
    if the file contains none (delexicalised trees, whose leaf symbols are nodes). Every phrase has a terminal
    under it, so children are ordered by their first terminal.

    Example:
        >>> tree = PhraseTree(("birds", "sing"), ("NNS", "VBP", "S"), (2, 2, -1))
        >>> sorted(tree.brackets())
        [('NNS', ((0, 1),)), ('S', ((0, 2),)), ('VBP', ((1, 2),))]
    """

    kind: ClassVar[str] = "phrase"
    plural: ClassVar[str] = "phrase-structure trees"
    unit: ClassVar[str] = "sentence"  # what an item is called

    words: tuple[str, ...]
    labels: tuple[str, ...]
    parents: tuple[int, ...]  # -1 at the root; parents of phrases come before their children
    columns: Mapping[str, tuple[str, ...]] = field(
        default_factory=dict
    )  # edge, lemma, morph ... one value a node
    comments: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not len(self.words) <= len(self.labels) == len(self.parents):
            raise ValueError("the numbers of words, labels and parents do not match")

    def __len__(self) -> int:
        return len(self.words) - self.labels[: len(self.words)].count(TRACE)

    @property
    def tokens(self) -> tuple[str, ...]:
        """The annotated words: terminals without traces."""
        if TRACE not in self.labels:
            return self.words
        return tuple(word for word, label in zip(self.words, self.labels, strict=False) if label != TRACE)

    @property
    def delexicalised(self) -> bool:
        """Whether the leaves are symbols instead of words."""
        return not any(self.words)

    def name(self, node: int) -> str:
        """Return the word of a terminal, "" for other nodes."""
        return self.words[node] if node < len(self.words) else ""

    def children(self) -> list[list[int]]:
        """Return the children of every node, ordered by their first terminal."""
        first = self._first_terminals()
        children: list[list[int]] = [[] for _ in self.labels]
        for node in sorted(range(len(self.labels)), key=first.__getitem__):
            if self.parents[node] >= 0:
                children[self.parents[node]].append(node)
        return children

    def yields(self) -> list[Yield]:
        """Return the runs of tokens under every node; a trace has none.

        Example:
            >>> tree = PhraseTree(("wake", "me", "up"), ("V", "P", "R", "S", "VP"), (4, 3, 4, -1, 3))
            >>> tree.yields()[3:]
            [((0, 3),), ((0, 1), (2, 3))]
        """
        runs: list[list[tuple[int, int]]] = [[] for _ in self.labels]
        position = 0
        for terminal in range(len(self.words)):
            if self.labels[terminal] != TRACE:
                runs[terminal].append((position, position + 1))
                position += 1
        bottom_up = (*range(len(self.words)), *range(len(self.labels) - 1, len(self.words) - 1, -1))
        for node in bottom_up:
            runs[node] = _joined(runs[node])
            if self.parents[node] >= 0:
                runs[self.parents[node]].extend(runs[node])
        return [tuple(found) for found in runs]

    def phrases(self) -> Iterator[tuple[int, str, Yield]]:
        """Return the node, the label and the tokens of every phrase."""
        first, nodes = len(self.words), range(len(self.words), len(self.labels))
        return zip(nodes, self.labels[first:], self.yields()[first:], strict=True)

    def brackets(self) -> frozenset[tuple[str, Yield]]:
        """Return the set of labelled brackets: a label and the runs of tokens under it.

        Preterminals count, but words and traces do not. Unary repetitions of a label are merged.
        """
        labelled = enumerate(zip(self.labels, self.yields(), strict=True))
        return frozenset(
            (label, found) for node, (label, found) in labelled if found and not self._bare_word(node)
        )

    def defects(self) -> list[str]:
        """Return the problems that prevent this from being a tree: none, because readers reject them."""
        return []

    def flatten(self, vocabulary: Vocabulary, *, labelled: bool = True) -> Tree:
        """Return the tree for the kernels: all nodes except the words."""
        if not self.labels:
            raise ValueError("an empty tree has no nodes")
        children = [[c for c in below if not self._bare_word(c)] for below in self.children()]
        labels = self.labels if labelled else (UNLABELLED,) * len(self.labels)
        size = sum(not self._bare_word(node) for node in range(len(self.labels)))
        root = self.parents.index(-1)
        return flatten(children, labels, root, vocabulary, size=size, leaves=len(self.words))

    def _bare_word(self, node: int) -> bool:
        return node < len(self.words) and self.labels[node] == "" and self.words[node] != ""

    def _first_terminals(self) -> list[int]:
        first = [len(self.words)] * len(self.labels)
        for terminal in range(len(self.words)):
            node = terminal
            while node >= 0 and first[node] > terminal:
                first[node] = terminal
                node = self.parents[node]
        return first


def _joined(runs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Sort *runs* and join adjacent ones."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(runs):
        if joined and joined[-1][1] == start:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined

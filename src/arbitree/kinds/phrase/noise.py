"""Simulated errors in phrase-structure trees: phrases are relabelled, deleted, inserted and moved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random

from arbitree.kinds.phrase.value import PhraseTree
from arbitree.simulation.noise import HABIT, Noise, habit_noise, pick

INSERTED = -1


@dataclass(frozen=True, slots=True)
class Constituents:
    """Changes phrases in four ways, each with a probability given as a multiple of the level.

    Phrases are visited in the post-order of the original tree. The root is not deleted or moved.

    Args:
        labels: the labels of phrases in the corpus.
        relabel: give the phrase one of these labels, possibly its own.
        insert: insert a new phrase over some adjacent children of the phrase.
        move: move the phrase without changing the word order: up, past the edge of phrases that it begins
            or ends, or into an adjacent phrase.
        delete: replace the phrase by its children.
    Example:
        >>> tree = PhraseTree(("she", "sings"), ("P", "V", "S", "NP", "VP"), (3, 4, -1, 2, 2))
        >>> flat = Constituents(("S",), 0.0, 0.0, 0.0, 1.0)(tree, 1.0, Random(0))
        >>> flat.labels, flat.parents
        (('P', 'V', 'S'), (2, 2, -1))
    """

    labels: tuple[str, ...]
    relabel: float
    insert: float
    move: float
    delete: float

    def __call__(self, tree: PhraseTree, level: float, rng: Random) -> PhraseTree:
        """Return *tree* with simulated errors at this noise level."""
        draft = Draft.of(tree)
        for node in draft.phrases():
            if rng.random() < self.relabel * level:
                draft.labels[node] = pick(self.labels, rng)
            if rng.random() < self.insert * level:
                first = int(rng.random() * len(draft.children[node]))
                last = first + 1 + int(rng.random() * (len(draft.children[node]) - first))
                draft.insert(node, first, last, pick(self.labels, rng))
            if draft.parents[node] < 0:
                continue
            if rng.random() < self.move * level:
                places = draft.places(node)
                if places:
                    draft.move(node, *pick(places, rng))
            if rng.random() < self.delete * level:
                draft.delete(node)
        return draft.finish(tree)


@dataclass(slots=True)
class Draft:
    """A phrase-structure tree that can be changed: ordered children, parents, labels, origins of nodes."""

    words: int
    labels: list[str]
    parents: list[int]
    children: list[list[int]]
    origins: list[int]

    @classmethod
    def of(cls, tree: PhraseTree) -> Draft:
        """Return a draft of *tree*."""
        nodes = list(range(len(tree.labels)))
        return cls(len(tree.words), list(tree.labels), list(tree.parents), tree.children(), nodes)

    def phrases(self) -> list[int]:
        """Return the phrases in post-order."""
        return [node for node in reversed(self._downward(reverse=True)) if node >= self.words]

    def insert(self, node: int, first: int, last: int, label: str) -> None:
        """Insert a new phrase over the children of *node* from *first* to before *last*."""
        new = len(self.labels)
        inside = self.children[node][first:last]
        self.labels.append(label)
        self.parents.append(node)
        self.children.append(inside)
        self.origins.append(INSERTED)
        self.children[node][first:last] = [new]
        for child in inside:
            self.parents[child] = new

    def delete(self, node: int) -> None:
        """Replace *node* by its children."""
        above = self.parents[node]
        place = self.children[above].index(node)
        self.children[above][place : place + 1] = self.children[node]
        for child in self.children[node]:
            self.parents[child] = above
        self.children[node] = []
        self.parents[node] = -1

    def places(self, node: int) -> list[tuple[int, int]]:
        """Return the possible targets for moving *node*, each a phrase and an index among its children.

        The word order does not change, and every phrase keeps at least one word.
        """
        found: list[tuple[int, int]] = []
        above = self.parents[node]
        if len(self.children[above]) == 1:
            return found
        for side in (-1, 1):
            here, parent = node, above
            while True:
                siblings = self.children[parent]
                place = siblings.index(here)
                beside = place + side
                if 0 <= beside < len(siblings):
                    found += self._inside(siblings[beside], side)
                    break
                here, parent = parent, self.parents[parent]
                if parent < 0:
                    break
                place = self.children[parent].index(here)
                found.append((parent, place + 1 if side > 0 else place))
        return found

    def move(self, node: int, parent: int, place: int) -> None:
        """Move *node* under *parent*, which is neither its current parent nor a descendant."""
        self.children[self.parents[node]].remove(node)
        self.children[parent].insert(place, node)
        self.parents[node] = parent

    def finish(self, tree: PhraseTree) -> PhraseTree:
        """Return the tree, with the words and comments of *tree*."""
        order = [*range(self.words), *(node for node in self._downward() if node >= self.words)]
        number = {-1: -1} | {node: place for place, node in enumerate(order)}
        origins = [self.origins[node] for node in order]
        return PhraseTree(
            words=tree.words,
            labels=tuple(self.labels[node] for node in order),
            parents=tuple(number[self.parents[node]] for node in order),
            columns={
                name: tuple("" if origin == INSERTED else column[origin] for origin in origins)
                for name, column in tree.columns.items()
            },
            comments=tree.comments,
        )

    def _inside(self, node: int, side: int) -> list[tuple[int, int]]:
        """Return the targets at the near edge of *node* and of the phrases along that edge."""
        found = []
        while node >= self.words and self.children[node]:
            found.append((node, 0 if side > 0 else len(self.children[node])))
            node = self.children[node][0 if side > 0 else -1]
        return found

    def _downward(self, *, reverse: bool = False) -> list[int]:
        """Return the nodes, parents before children, from left to right or from right to left."""
        order = []
        stack = [self.root]
        while stack:
            node = stack.pop()
            order.append(node)
            stack.extend(self.children[node] if reverse else reversed(self.children[node]))
        return order

    @property
    def root(self) -> int:
        """The node above all words."""
        node = 0
        while self.parents[node] >= 0:
            node = self.parents[node]
        return node


def labels_of(trees: Sequence[PhraseTree]) -> tuple[str, ...]:
    """Return the labels of phrases in a corpus in alphabetical order."""
    return tuple(sorted({label for tree in trees for label in tree.labels[len(tree.words) :]}))


def relabel(tree: PhraseTree, rewrite: Callable[[str], str]) -> PhraseTree:
    """Return *tree* with *rewrite* applied to the label of every phrase; tags do not change."""
    words = len(tree.words)
    return replace(tree, labels=(*tree.labels[:words], *(rewrite(each) for each in tree.labels[words:])))


def _phrases(about: str, relabel: float, insert: float, move: float, delete: float) -> Noise[PhraseTree]:
    return Noise(
        about,
        lambda trees, options: Constituents(labels_of(trees), relabel, insert, move, delete),
        by_default=True,
    )


NOISES: dict[str, Noise[PhraseTree]] = {
    "phrase": _phrases("phrases relabelled, inserted, moved and deleted", 1, 1, 1, 1),
    "phrase_relabel": _phrases("phrases relabelled", 1, 0, 0, 0),
    "phrase_insert": _phrases("phrases inserted", 0, 1, 0, 0),
    "phrase_move": _phrases("phrases moved", 0, 0, 1, 0),
    "phrase_delete": _phrases("phrases deleted", 0, 0, 0, 1),
    HABIT: habit_noise(labels_of, relabel),
}

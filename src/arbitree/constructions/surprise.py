"""Measure how unusual an annotation of some words is among all annotations of these words in a study."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import log2
from typing import TypeVar

V = TypeVar("V", bound=Hashable)
Words = tuple[str | None, ...]  # None for each word in a gap
Site = tuple[Words, Iterable[Hashable]]  # words, and the values that the annotators gave them


@dataclass(slots=True)
class _Branch:
    """A node of the tree of wanted word sequences."""

    below: dict[str | None, _Branch] = field(default_factory=dict)
    words: Words | None = None  # the sequence that ends here


@dataclass(slots=True)
class Surprise:
    """Counts how often word sequences have each value in all annotations of a study.

    Only the sequences passed to ``want`` are counted: those that are annotated differently somewhere. A value
    can be anything hashable. Values of several sites with the same words, such as the part of speech of a
    word and the phrase over this word, must not be equal to each other.

    Example:
        >>> surprise = Surprise()
        >>> surprise.want(("on",))
        >>> for tag, times in (("IN", 160), ("NN", 1)):
        ...     for _ in range(times):
        ...         surprise.add(("went", "on"), lambda positions: [tag])
        >>> round(surprise.bits(("on",), "IN", "NN"), 1)
        6.8
    """

    counts: dict[Words, Counter[Hashable]] = field(default_factory=dict)
    _root: _Branch = field(default_factory=_Branch)

    def want(self, words: Words) -> None:
        """Count the values of *words* from now on."""
        if words in self.counts:
            return
        self.counts[words] = Counter()
        branch = self._root
        for word in words:
            branch = branch.below.setdefault(word, _Branch())
        branch.words = words

    def add(self, tokens: Sequence[str], values_at: Callable[[tuple[int, ...]], Iterable[Hashable]]) -> None:
        """Count the values of all wanted sequences in one annotation of a sentence.

        Args:
            tokens: the words of the sentence.
            values_at: returns the values that the annotation has at the positions of a sequence, with a value
                for "nothing here", such as the empty chain of phrases.
        """
        for words, positions in self._places(tokens):
            self.counts[words].update(values_at(positions))

    def bits(self, words: Words, x: Hashable, y: Hashable) -> float:
        """Return the surprise of a disagreement between the values *x* and *y* of *words*.

        Returns:
            1 if both values are equally frequent, more if one of them is rare.
        """
        return most_surprising(self.counts.get(words, Counter()), (x, y))

    def most(self, sites: Iterable[Site]) -> float:
        """Return the largest surprise of any two different values at any of *sites*; at least 1."""
        none: Counter[Hashable] = Counter()
        found = (most_surprising(self.counts.get(words, none), values) for words, values in sites)
        return max(found, default=1.0)

    def _places(self, tokens: Sequence[str]) -> Iterator[tuple[Words, tuple[int, ...]]]:
        """Yield the wanted sequences in *tokens* with their positions."""
        for start in range(len(tokens)):
            branches = [self._root]
            for place in range(start, len(tokens)):
                steps = (tokens[place], None)
                branches = [each.below[step] for each in branches for step in steps if step in each.below]
                if not branches:
                    break
                for branch in branches:
                    if branch.words is not None:
                        yield branch.words, _positions(branch.words, start)


def _positions(words: Words, start: int) -> tuple[int, ...]:
    return tuple(start + offset for offset, word in enumerate(words) if word is not None)


def most_surprising(counts: Counter[V], values: Iterable[V]) -> float:
    """Return the largest surprise of any two different *values*; at least 1.

    Formula:
        s = -log2((min(c_x, c_y) + 1/2) / (c_x + c_y + 1))
    Example:
        >>> round(most_surprising(Counter(IN=160, NN=1), ("IN", "NN")), 1)
        6.8
    """
    pairs = combinations([counts[value] for value in dict.fromkeys(values)], 2)
    return max((-log2((min(pair) + 0.5) / (sum(pair) + 1)) for pair in pairs), default=1.0)


def words_at(tokens: Sequence[str], positions: Sequence[int]) -> Words:
    """Return the words at *positions*, with None for the words between them that are not included.

    Example:
        >>> words_at(("ring", "her", "up"), (0, 2))
        ('ring', None, 'up')
    """
    members = set(positions)
    return tuple(
        tokens[place] if place in members else None for place in range(min(positions), max(positions) + 1)
    )

"""Evidence that a difference between two occurrences of the same words in a corpus is an error."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import log2
from operator import ne
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arbitree.constructions.repeats import CorpusWords, IntArray

CONTEXT = 2  # words on either side that count
# Occurrences per fragment that are compared with each other. Of the rarer fragment there are few, unless both
# are frequent, and then the difference is no error.
RARER, OTHERS = 100, 1000
TOGETHER = 2000  # places from which on no further fragment is compared in the same step

FloatArray = NDArray[np.float64]
Place = tuple[int, int]  # positions of the first and the last word in the corpus


class Evidence(NamedTuple):
    """How likely a nucleus contains an error, and the two occurrences that show it."""

    value: float
    rarer: Place
    other: Place


class Occurrences(NamedTuple):
    """The occurrences of a fragment."""

    places: IntArray  # (n, 2), as in Place
    variants: IntArray  # (n,) numbers that are the same where the annotation is


def rarity(count: int, places: int, fragments: int) -> float:
    """Return the surprise of a fragment, in bits.

    Formula:
        s = -log2((n + 1/2) / (N + k/2))

    Args:
        count: n, the occurrences with this fragment.
        places: N, all occurrences.
        fragments: k, the number of fragments.

    Example:
        >>> rarity(1, 2, 2), round(rarity(1, 20, 2), 2)
        (1.0, 3.81)
    """
    return -log2((count + 0.5) / (places + fragments / 2))


class Witness:
    """Finds the strongest evidence among the occurrences of a nucleus.

    Example:
        >>> text = CorpusWords.of(["so big a cat".split(), "so big a dog".split(), "big a".split()])
        >>> fragments = (Occurrences(np.array([(1, 2)]), np.array([0])),)
        >>> fragments += (Occurrences(np.array([(5, 6), (8, 9)]), np.array([1, 1])),)
        >>> found = Witness(text).best(fragments)
        >>> round(found.value, 3), found.rarer, found.other
        (3.415, (1, 2), (5, 6))
    """

    def __init__(self, text: CorpusWords) -> None:
        self._text = text

    def best(
        self,
        fragments: Sequence[Occurrences],
        *,
        contiguous: bool = True,
        differ: Callable[[int, int], bool] = ne,
    ) -> Evidence | None:
        """Return the largest evidence of all pairs of places: one of a rarer fragment, one of another.

        Formula:
            E = s + min(l, 2) + min(r, 2) + (L - 1), with the words l before and r after the two places that
            are the same, and the length L. If other words may stand between the first and the last word,
            L - 1 is the number of words between that are the same.

        Args:
            fragments: the occurrences of each fragment.
            contiguous: whether all words from the first to the last are the same.
            differ: whether two variants differ; only occurrences with such variants are compared.
        """
        total = sum(len(each.places) for each in fragments)
        order = sorted(fragments, key=lambda each: len(each.places))
        best: Evidence | None = None
        for number, ours in enumerate(order[:-1]):
            surprise = rarity(len(ours.places), total, len(fragments))
            rows = _first(ours, RARER)
            longest = int((rows.places[:, 1] - rows.places[:, 0]).max()) - (0 if contiguous else 1)
            if best is not None and surprise + 2 * CONTEXT + longest <= best.value:
                continue
            for some in _in_steps([_first(each, OTHERS) for each in order[number + 1 :]]):
                columns = np.concatenate([each.places for each in some])
                inner = longest if contiguous else self._between(rows.places, columns)
                values = surprise + self._around(rows.places, columns) + inner
                start = 0
                for theirs in some:
                    end = start + len(theirs.places)
                    best = _better(values[:, start:end], rows, theirs, best, differ)
                    start = end
        return best

    def _around(self, rows: IntArray, columns: IntArray) -> FloatArray:
        """Return the number of words next to two places that are the same, at most two on a side."""
        found = np.zeros((len(rows), len(columns)))
        for side, sign in ((0, -1), (1, 1)):
            same = np.ones(found.shape, dtype=bool)
            for step in range(1, CONTEXT + 1):
                ours = self._neighbours(rows[:, side], sign * step, -1)
                theirs = self._neighbours(columns[:, side], sign * step, -2)
                same &= ours[:, None] == theirs
                found += same
        return found

    def _neighbours(self, positions: IntArray, step: int, none: int) -> IntArray:
        """Return the words at some distance in the same sentence; *none* where the sentence has ended."""
        text = self._text
        places = positions + step
        inside = (places >= text.starts[text.sentences[positions]]) & (places < text.ends[positions])
        return np.where(inside, text.words[np.where(inside, places, 0)], none)

    def _between(self, rows: IntArray, columns: IntArray) -> IntArray:
        """Return the number of words between the first and the last word that two places share."""
        shape = len(rows), len(columns)
        owners, words = self._words_between(np.concatenate([rows, columns]))
        ours = owners < len(rows)
        order = np.argsort(words[~ours], kind="stable")
        others, known = (owners[~ours] - len(rows))[order], words[~ours][order]
        first, last = (np.searchsorted(known, words[ours], side) for side in ("left", "right"))
        sizes = last - first
        partners = np.repeat(last - np.cumsum(sizes), sizes) + np.arange(sizes.sum())
        cells = np.repeat(owners[ours], sizes) * len(columns) + others[partners]
        return np.bincount(cells, minlength=shape[0] * shape[1]).reshape(shape)

    def _words_between(self, places: IntArray) -> tuple[IntArray, IntArray]:
        """Return the numbers of places and the words between their ends.

        The second occurrence of a word at the same place counts as another word, and so on.
        """
        sizes = places[:, 1] - places[:, 0] - 1
        owners = np.repeat(np.arange(len(places)), sizes)
        positions = np.repeat(places[:, 1] - np.cumsum(sizes), sizes) + np.arange(len(owners))
        words = self._text.words[positions]
        order = np.lexsort((words, owners))
        owners, words = owners[order], words[order]
        new = np.ones(len(words), dtype=bool)
        new[1:] = (owners[1:] != owners[:-1]) | (words[1:] != words[:-1])
        starts = np.flatnonzero(new)
        occurrence = np.arange(len(words)) - np.repeat(starts, np.diff(starts, append=len(words)))
        return owners, occurrence * len(self._text.vocabulary) + words


def _first(found: Occurrences, count: int) -> Occurrences:
    return Occurrences(found.places[:count], found.variants[:count])


def _in_steps(fragments: Sequence[Occurrences]) -> Iterator[list[Occurrences]]:
    """Yield the fragments in groups of not too many places."""
    found: list[Occurrences] = []
    count = 0
    for each in fragments:
        found.append(each)
        count += len(each.places)
        if count >= TOGETHER:
            yield found
            found, count = [], 0
    if found:
        yield found


def _better(
    values: FloatArray,
    ours: Occurrences,
    theirs: Occurrences,
    best: Evidence | None,
    differ: Callable[[int, int], bool],
) -> Evidence | None:
    """Return the first of the largest *values* whose variants differ if it exceeds *best*, or *best*."""
    least = best.value if best else -np.inf
    while (value := values.max(initial=-np.inf)) > least:
        rows, columns = np.nonzero(values == value)
        asked: set[tuple[int, int]] = set()
        variants = zip(ours.variants[rows].tolist(), theirs.variants[columns].tolist(), strict=True)
        for number, pair in enumerate(variants):
            if pair not in asked and differ(*pair):
                places = ours.places[rows[number]], theirs.places[columns[number]]
                one, other = ((first, last) for first, last in (place.tolist() for place in places))
                return Evidence(float(value), one, other)
            asked.add(pair)
        values = np.where(values == value, -np.inf, values)
    return best

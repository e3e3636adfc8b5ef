"""Evidence that a difference between two occurrences of the same words in a corpus is an error."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations
from math import log2
from typing import NamedTuple

from arbitree.constructions.repeats import CorpusWords

CONTEXT = 2  # words on either side that count
# Occurrences per fragment that are compared with each other. Of the rarer fragment there are few, unless both
# are frequent, and then the difference is no error.
RARER, OTHERS = 100, 1000

Place = tuple[int, int]  # positions of the first and the last word in the corpus


class Evidence(NamedTuple):
    """How likely a nucleus contains an error, and the two occurrences that show it."""

    value: float
    rarer: Place
    other: Place


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
        >>> found = Witness(text).best([[(1, 2)], [(5, 6), (8, 9)]])
        >>> round(found.value, 3), found.rarer, found.other
        (3.415, (1, 2), (5, 6))
    """

    def __init__(self, text: CorpusWords) -> None:
        self._words: list[int] = text.words.tolist()
        self._ends: list[int] = text.ends.tolist()
        self._starts: list[int] = text.starts[text.sentences].tolist()

    def best(
        self,
        fragments: Sequence[Sequence[Place]],
        *,
        contiguous: bool = True,
        differ: Callable[[Place, Place], bool] | None = None,
    ) -> Evidence | None:
        """Return the largest evidence of all pairs of places: one of a rarer fragment, one of another.

        Formula:
            E = s + min(l, 2) + min(r, 2) + (L - 1), with the words l before and r after the two places that
            are the same, and the length L. If other words may stand between the first and the last word,
            L - 1 is the number of words between that are the same.

        Args:
            fragments: the occurrences of each fragment.
            contiguous: whether all words from the first to the last are the same.
            differ: whether two occurrences count as a pair; by default all do.
        """
        total = sum(map(len, fragments))
        order = sorted(fragments, key=len)
        best: Evidence | None = None
        for ours, theirs in combinations(order, 2):
            surprise = rarity(len(ours), total, len(fragments))
            for one in ours[:RARER]:
                length = one[1] - one[0] - (0 if contiguous else 1)
                most = surprise + 2 * CONTEXT + length
                if best is not None and most <= best.value:
                    continue
                for other in theirs[:OTHERS]:
                    inner = length if contiguous else self._between(one, other)
                    value = surprise + self._around(one, other) + inner
                    better = best is None or value > best.value
                    if better and (differ is None or differ(one, other)):
                        best = Evidence(value, one, other)
                        if value >= most:
                            break
        return best

    def _around(self, one: Place, other: Place) -> int:
        """Return the number of words next to the two places that are the same, at most two on a side."""
        words, found = self._words, 0
        for step in range(1, CONTEXT + 1):
            ours, theirs = one[0] - step, other[0] - step
            inside = ours >= self._starts[one[0]] and theirs >= self._starts[other[0]]
            if not inside or words[ours] != words[theirs]:
                break
            found += 1
        for step in range(1, CONTEXT + 1):
            ours, theirs = one[1] + step, other[1] + step
            inside = ours < self._ends[one[1]] and theirs < self._ends[other[1]]
            if not inside or words[ours] != words[theirs]:
                break
            found += 1
        return found

    def _between(self, one: Place, other: Place) -> int:
        ours, theirs = (self._words[first + 1 : last] for first, last in (one, other))
        if ours == theirs:
            return len(ours)
        return (Counter(ours) & Counter(theirs)).total()

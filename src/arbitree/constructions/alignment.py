"""Sentences whose words differ between coders: the runs of words that all of them share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Words = Sequence[str]


@dataclass(frozen=True, slots=True)
class SharedRun:
    """Words from *lo* to before *hi* of the first version; the others have them so many places later."""

    lo: int
    hi: int
    shifts: tuple[int, ...]


def runs_of(versions: Sequence[Words]) -> list[SharedRun]:
    """Return the longest runs of words that stand together in all versions, in order.

    Example:
        >>> runs_of([["a", "b", "c", "d"], ["a", "b", "x", "c", "d"]])
        [SharedRun(lo=0, hi=2, shifts=(0, 0)), SharedRun(lo=2, hi=4, shifts=(0, 1))]
    """
    maps = [dict(common(versions[0], other)) for other in versions]
    runs: list[SharedRun] = []
    for word in range(len(versions[0])):
        if not all(word in each for each in maps):
            continue
        shifts = tuple(each[word] - word for each in maps)
        if runs and runs[-1].hi == word and runs[-1].shifts == shifts:
            runs[-1] = SharedRun(runs[-1].lo, word + 1, shifts)
        else:
            runs.append(SharedRun(word, word + 1, shifts))
    return runs


def common(first: Words, second: Words) -> list[tuple[int, int]]:
    """Return the places of a longest common subsequence of two sentences.

    Example:
        >>> common("to day we sail".split(), "today we sail".split())
        [(2, 1), (3, 2)]
    """
    lengths = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for i in range(len(first) - 1, -1, -1):
        here, below = lengths[i], lengths[i + 1]
        for j in range(len(second) - 1, -1, -1):
            here[j] = below[j + 1] + 1 if first[i] == second[j] else max(below[j], here[j + 1])
    i = j = 0
    found = []
    while i < len(first) and j < len(second):
        if first[i] == second[j]:
            found.append((i, j))
            i, j = i + 1, j + 1
        elif lengths[i + 1][j] >= lengths[i][j + 1]:
            i += 1
        else:
            j += 1
    return found

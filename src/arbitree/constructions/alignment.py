"""Sentences whose words differ between coders: the runs of words that all of them share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arbitree.study.comparable import common_subsequence

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
    maps = [dict(common_subsequence(versions[0], other)) for other in versions]
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

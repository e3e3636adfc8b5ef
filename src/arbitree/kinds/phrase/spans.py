"""The brackets of a phrase-structure tree by their spans, and token sets as bits."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

from arbitree.adjudication.places import AROUND, in_context
from arbitree.kinds.phrase.value import TRACE, PhraseTree

_RUN = re.compile(r"([1-9][0-9]{0,8})-([1-9][0-9]{0,8})", re.ASCII)

NO_TAG = "_"

Runs = list[tuple[int, int]]  # first and last token of each, from 1


def brackets_of(tree: PhraseTree) -> dict[str, tuple[str, ...]]:
    """Return the labels over every span of tokens, by span name; nested phrases over one span top first.

    Example:
        >>> tree = PhraseTree(("wake", "me", "up"), ("V", "P", "R", "S", "VP"), (4, 3, 4, -1, 3))
        >>> brackets_of(tree)
        {'1-3': ('S',), '1-1,3-3': ('VP',)}
    """
    chains: dict[str, tuple[str, ...]] = {}
    for _, label, runs in tree.phrases():
        if runs:
            name = ",".join(f"{start + 1}-{end}" for start, end in runs)
            chains[name] = (*chains.get(name, ()), label)
    return chains


def tags_of(tree: PhraseTree) -> tuple[str, ...]:
    """Return the part of speech of every token that has a word; ``_`` if it is missing."""
    return tuple(
        label or NO_TAG
        for word, label in zip(tree.words, tree.labels, strict=False)
        if label != TRACE and word
    )


def runs_of(name: str, size: int) -> Runs | None:
    """Return the runs of tokens of the span *name*, or None if it is not a span of the sentence.

    Example:
        >>> runs_of("1-2,4-5", 5), runs_of("1-2,3-5", 5), runs_of("4-6", 5)
        ([(1, 2), (4, 5)], None, None)
    """
    found: Runs = []
    for part in name.split(","):
        match = _RUN.fullmatch(part)
        if match is None:
            return None
        first, last = int(match[1]), int(match[2])
        if not (found[-1][1] + 1 if found else 0) < first <= last <= size:
            return None
        found.append((first, last))
    return found


def bits_of(runs: Iterable[tuple[int, int]]) -> int:
    """Return the set of the tokens in *runs*.

    Example:
        >>> bin(bits_of([(1, 2), (4, 4)]))
        '0b1011'
    """
    return sum((1 << last) - (1 << first - 1) for first, last in runs)


@lru_cache(maxsize=8192)  # the same few spans are compared over and over
def bits_named(name: str, size: int) -> int:
    """Return the set of tokens of the span *name*, empty if it is not a span of the sentence."""
    return bits_of(runs_of(name, size) or ())


def crossing(one: int, other: int) -> bool:
    """Return whether two sets of tokens are neither nested nor disjoint.

    Example:
        >>> crossing(0b011, 0b110), crossing(0b011, 0b111), crossing(0b011, 0b100)
        (True, False, False)
    """
    return bool(one & other and one & ~other and other & ~one)


def words_in(tokens: Sequence[str], runs: Runs) -> tuple[str, str]:
    """Return the words of a span, alone and in context.

    Example:
        >>> words_in(("please", "wake", "me", "up"), [(2, 2), (4, 4)])
        ('wake … up', 'please [wake] me [up]')
    """
    if len(runs) == 1:
        return in_context(tokens, *runs[0])
    parts = [in_context(tokens, *run)[0] for run in runs]
    between = [tokens[one[1] : two[0] - 1] for one, two in pairwise(runs)]
    start, end = runs[0][0] - 1, runs[-1][1]
    inside = [f"[{parts[0]}]"]
    for gap, part in zip(between, parts[1:], strict=True):
        inside += [*gap, f"[{part}]"]
    around = [*tokens[max(0, start - AROUND) : start], *inside, *tokens[end : end + AROUND]]
    return " … ".join(parts), " ".join(around)

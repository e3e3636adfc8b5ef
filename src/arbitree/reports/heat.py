"""Tables of names by names, shaded: what is confused with what, who agrees with whom."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from arbitree.analyses.contested import Confusion
from arbitree.data.result import Group

LEVELS = 6  # of shading, 0 for none
WIDEST = 12  # names of a matrix on a page


@dataclass(frozen=True, slots=True)
class Cell:
    """What two names have together."""

    text: str
    level: int  # of shading
    title: str  # the same in words
    pair: tuple[str, str] | None = None  # the names, if something can be shown of them
    agreed: bool = False


@dataclass(frozen=True, slots=True)
class Matrix:
    """Names, and for each a row of cells."""

    names: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    hidden: int = 0  # names that there is no room for


def confusion_matrix(found: Confusion, *, most: int = WIDEST) -> Matrix:
    """Return the names with most disagreements against each other.

    Example:
        >>> found = Confusion(Counter(a=9), Counter({("a", "b"): 4, ("a", "c"): 1}))
        >>> confusion_matrix(found).names
        ('a', 'b', 'c')
    """
    totals: Counter[str] = Counter()
    for pair, count in found.counts.items():
        for name in set(pair):
            totals[name] += count
    ranked = sorted(totals, key=lambda name: (-totals[name], name))
    names, highest = ranked[:most], max(found.counts.values(), default=1)
    rows = tuple(tuple(_confused(found, one, two, highest) for two in names) for one in names)
    return Matrix(tuple(names), rows, len(ranked) - len(names))


def _confused(found: Confusion, one: str, two: str, highest: int) -> Cell:
    pair = (min(one, two), max(one, two))
    count = found.counts[pair]
    if one == two and not count:
        agreed = found.agreed[one]
        return Cell(f"{agreed:,}", 0, f"{one}: agreed {agreed:,} times", agreed=True)
    if not count:
        return Cell("", 0, f"{one} and {two} are not confused")
    words = f"{one} against {two}" if one != two else f"{one} against another {one}"
    return Cell(f"{count:,}", level(count / highest), f"{words}: {count:,} times", pair)


def level(share: float) -> int:
    """Return how dark a share of the highest count is; small counts are told apart better than large ones.

    Example:
        >>> level(0), level(0.01), level(1)
        (0, 1, 5)
    """
    return min(LEVELS - 1, math.ceil((LEVELS - 1) * math.sqrt(share)))


def pair_matrix(coders: Sequence[str], groups: Sequence[Group]) -> Matrix:
    """Return who agrees with whom: the darker, the less, between the best and the least pair."""
    values: Mapping[tuple[str, str], Group] = dict(zip(combinations(coders, 2), groups, strict=True))
    known = [group.value for group in groups if group.value is not None]
    low, high = (min(known), max(known)) if known else (0.0, 0.0)

    def cell(one: str, two: str) -> Cell:
        group = values.get((one, two)) or values.get((two, one))
        if group is None:
            return Cell("", 0, one)
        if group.value is None:
            return Cell("—", 0, f"{group.name}: undefined", (one, two))
        share = (high - group.value) / (high - low) if high > low else 0.0
        dark = min(LEVELS - 1, round((LEVELS - 1) * share))
        return Cell(f"{group.value:.3f}", dark, f"{group.name}: {group.value:.3f}", (group.name, ""))

    return Matrix(tuple(coders), tuple(tuple(cell(one, two) for two in coders) for one in coders))

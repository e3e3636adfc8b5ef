"""Shaded matrices of an HTML report: confusions of labels, and agreement of pairs of annotators."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from arbitree.adjudication.differences import Confusion
from arbitree.study.result import Group
from arbitree.wording import count_of, decimal

LEVELS = 6  # of shading, 0 for none
WIDEST = 12  # names of a matrix in an HTML report


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a matrix: the value of two names."""

    text: str
    level: int  # of shading
    title: str  # the text alternative
    pair: tuple[str, str] | None = None  # the names, if the cell has a link
    agreed: bool = False


@dataclass(frozen=True, slots=True)
class Matrix:
    """A square table of cells, with the names of its rows and columns."""

    names: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    hidden: int = 0  # names that are not shown


def confusion_matrix(found: Confusion, *, most: int = WIDEST) -> Matrix:
    """Return the confusion matrix of the names with most disagreements.

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
    rows = tuple(tuple(_confused_cells(found, one, two, highest) for two in names) for one in names)
    return Matrix(tuple(names), rows, len(ranked) - len(names))


def _confused_cells(found: Confusion, one: str, two: str, highest: int) -> Cell:
    pair = (min(one, two), max(one, two))
    count = found.counts[pair]
    if one == two and not count:
        agreed = found.agreed[one]
        return Cell(f"{agreed:,}", 0, f"{one}: {count_of(agreed, 'agreement')}", agreed=True)
    if not count:
        return Cell("", 0, f"{one} and {two}: no confusions")
    words = f"{one} and {two}" if one != two else f"{one} and another {one}"
    return Cell(f"{count:,}", level(count / highest), f"{words}: {count_of(count, 'confusion')}", pair)


def level(share: float) -> int:
    """Return the shade of a share of the highest count, with more shades for small counts.

    Example:
        >>> level(0), level(0.01), level(1)
        (0, 1, 5)
    """
    return min(LEVELS - 1, math.ceil((LEVELS - 1) * math.sqrt(share)))


def pair_matrix(coders: Sequence[str], groups: Sequence[Group]) -> Matrix:
    """Return the agreement of every pair of annotators; darker cells mean lower agreement."""
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
        shown = decimal(group.value)
        return Cell(shown, dark, f"{group.name}: {shown}", (group.name, ""))

    return Matrix(tuple(coders), tuple(tuple(cell(one, two) for two in coders) for one in coders))

"""Metrics that are a ratio of sums: a numerator and a denominator for every item, added up over the corpus.

A metric compares annotations in pairs. If the study has a reference, each pair is the reference and another
coder, in this order. Without one, all pairs of coders count, and a metric that treats its two sides unlike
is averaged over both orders.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from arbitree.measures.measure import FloatArray
from arbitree.study.result import Ignored, Table
from arbitree.study.study import Item


@dataclass(frozen=True, slots=True)
class Tally:
    """What a metric counts in every item; *parts* are further counts that details add up."""

    numerators: FloatArray  # (items,)
    denominators: FloatArray  # (items,); 0 where the metric is undefined
    parts: Mapping[str, FloatArray] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GroupTally:
    """The same for groups of tokens: a name and counts for every group."""

    names: tuple[str, ...]
    numerators: FloatArray  # (groups, items)
    denominators: FloatArray  # (groups, items)
    sizes: FloatArray  # (groups,) tokens of the reference in the group
    details: tuple[Mapping[str, Any], ...] = ()  # of every group


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """What statistics of metrics have in common; a tally is made once for each metric."""

    columns: NDArray[np.intp]  # (items,) place of each item's cluster in the weights
    used: tuple[Item, ...]
    ignored: tuple[Ignored, ...]
    notes: tuple[str, ...] = ()
    tallies: dict[Any, Tally] = field(default_factory=dict, compare=False, repr=False)
    products: dict[int, Any] = field(default_factory=dict, compare=False, repr=False)
    ids: tuple[str, ...] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "ids", tuple(item.id for item in self.used))

    def tally(self, metric: Any, count: Callable[[], Tally]) -> Tally:
        """Return what *count* gives for *metric*, counting once."""
        if metric not in self.tallies:
            self.tallies[metric] = count()
        return self.tallies[metric]

    def sums(self, metric: Any, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the numerators and denominators of *metric* for every row of *weights*, added up.

        The metrics that were tallied so far are summed in one product, which is kept for the rest of them.
        """
        if metric not in self.tallies:
            raise KeyError(metric)
        kept, done = self.products.get(id(weights), (None, {}))
        if kept is not weights or metric not in done:
            self.products.clear()
            names = list(self.tallies)
            clusters = weights.shape[1]
            stacked = [self.by_cluster(t.numerators, clusters) for t in self.tallies.values()]
            stacked += [self.by_cluster(t.denominators, clusters) for t in self.tallies.values()]
            product = weights @ np.array(stacked).T
            done = {n: (product[:, k], product[:, k + len(names)]) for k, n in enumerate(names)}
            self.products[id(weights)] = (weights, done)
        found: tuple[FloatArray, FloatArray] = done[metric]
        return found

    def by_cluster(self, counts: FloatArray, clusters: int) -> FloatArray:
        """Add up *counts* of items over so many clusters."""
        found: FloatArray = np.bincount(self.columns, counts, minlength=clusters).astype(np.float64)
        return found


class Ratio:
    """Base of metrics: a frozen dataclass with a method ``count``.

    Formula:
        Σ_i numerator_i / Σ_i denominator_i; items whose denominator is 0 have no value and add nothing.
    """

    __slots__ = ()

    metric: ClassVar[bool] = True  # it can score systems against a reference
    leads: ClassVar[bool] = False  # it comes before others, and ranks systems
    by_default: ClassVar[bool] = False  # among those of an ``agree`` without --measure
    per_item_shows: ClassVar[str] = "agreement"
    undefined: ClassVar[str] = "no_pairable"  # the status without a denominator

    def count(self, stats: Any) -> Tally:
        """Return the counts of every item."""
        raise NotImplementedError

    def offered(self, study: Any) -> bool:
        """Whether a score of everything that fits has this metric."""
        return True

    def tally(self, stats: Any) -> Tally:
        """Return the counts of every item, made once."""
        found: Tally = stats.tally(self, lambda: self.count(stats))
        return found

    def score(self, stats: Any, weights: FloatArray) -> FloatArray:
        """Return the ratio for every row of *weights*; NaN where there is nothing to divide by."""
        self.tally(stats)
        return quotient(*stats.sums(self, weights))

    def status(self, value: float | None, items: int) -> str:
        """Return ``ok``, or why there is no value."""
        if value is not None:
            return "ok"
        return self.undefined if items else "no_pairable"

    def details(self, stats: Any, weights: FloatArray) -> Mapping[str, Any]:
        """Return the sums that the value rests on, and the number of items without a value."""
        tally = self.tally(stats)
        row = weights[0][stats.columns]
        sums = {
            "numerator": tally.numerators,
            "denominator": tally.denominators,
            **tally.parts,
        }
        found: dict[str, Any] = {name: _plain(float(row @ counts)) for name, counts in sums.items()}
        lost = int(np.sum((tally.denominators == 0) & (row > 0)))
        return found | ({"undefined_items": lost} if lost else {})

    def per_item(self, stats: Any) -> Table:
        """Return numerator, denominator and value of every item; None for a value that is undefined."""
        tally = self.tally(stats)
        quotients = quotient(tally.numerators, tally.denominators)
        values = quotients.tolist()
        for place in np.flatnonzero(np.isnan(quotients)).tolist():
            values[place] = None
        rows = zip(
            stats.ids,
            tally.numerators.tolist(),
            tally.denominators.tolist(),
            values,
            strict=True,
        )
        return Table(("item", "numerator", "denominator", "value"), tuple(rows))


def quotient(above: FloatArray, below: FloatArray) -> FloatArray:
    """Return above / below, NaN where below is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        found: FloatArray = np.where(below == 0, np.nan, above / below)
    return found


def mean_of(tallies: Sequence[Tally]) -> Tally:
    """Return the mean of several tallies of the same items."""
    if len(tallies) == 1:
        return tallies[0]
    return Tally(
        np.mean([each.numerators for each in tallies], axis=0),
        np.mean([each.denominators for each in tallies], axis=0),
        {name: np.mean([each.parts[name] for each in tallies], axis=0) for name in tallies[0].parts},
    )


def joined(tallies: Sequence[Tally]) -> Tally:
    """Return one tally of the items of all *tallies*, one after the other."""
    if len(tallies) == 1:
        return tallies[0]
    return Tally(
        np.concatenate([each.numerators for each in tallies]),
        np.concatenate([each.denominators for each in tallies]),
        {name: np.concatenate([each.parts[name] for each in tallies]) for name in tallies[0].parts},
    )


def averaged(tally: Tally) -> Tally:
    """Return the tally of the mean over items: an item's value over 1, or nothing where it has none."""
    values = quotient(tally.numerators, tally.denominators)
    there = ~np.isnan(values)
    return Tally(np.where(there, values, 0.0), there.astype(np.float64), tally.parts)


def _plain(number: float) -> int | float:
    return int(number) if number.is_integer() else number

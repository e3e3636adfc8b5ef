"""Metrics that are a ratio of sums: a numerator and a denominator for every item, added up over the corpus.

A metric compares annotations in pairs. If the study has a reference, each pair is the reference and another
coder, in this order. Without one, all pairs of coders count, and a metric that treats its two sides unlike
is averaged over both orders.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeVar

import numpy as np

from arbitree.measures.measure import FloatArray, ItemCounts, Measure, Prepared, Tally, quotient

C = TypeVar("C", bound="Compared")
Sums = tuple[FloatArray, FloatArray]  # numerators and denominators, added up for every row of weights


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared(Prepared):
    """What statistics of metrics have in common; a tally is made once for each metric."""

    tallies: dict[Measure[Any], Tally] = field(default_factory=dict, compare=False, repr=False)
    products: dict[int, tuple[FloatArray, dict[Measure[Any], Sums]]] = field(
        default_factory=dict, compare=False, repr=False
    )

    def tally(self, metric: Measure[Any], count: Callable[[], Tally]) -> Tally:
        """Return what *count* gives for *metric*, counting once."""
        if metric not in self.tallies:
            self.tallies[metric] = count()
        return self.tallies[metric]

    def sums(self, metric: Measure[Any], weights: FloatArray) -> Sums:
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
        return done[metric]

    def by_cluster(self, counts: FloatArray, clusters: int) -> FloatArray:
        """Add up *counts* of items over so many clusters."""
        found: FloatArray = np.bincount(self.columns, counts, minlength=clusters).astype(np.float64)
        return found


class Ratio(Measure[C]):
    """Base of metrics: a frozen dataclass with a method ``count``.

    Formula:
        Σ_i numerator_i / Σ_i denominator_i; items whose denominator is 0 have no value and add nothing.
    """

    __slots__ = ()

    scores_systems: ClassVar[bool] = True
    by_default: ClassVar[bool] = False

    @abstractmethod
    def count(self, stats: C) -> Tally:
        """Return the counts of every item."""

    def tally(self, stats: C) -> Tally:
        """Return the counts of every item, made once."""
        return stats.tally(self, lambda: self.count(stats))

    def score(self, stats: C, weights: FloatArray) -> FloatArray:
        """Return the ratio for every row of *weights*; NaN where there is nothing to divide by."""
        self.tally(stats)
        return quotient(*stats.sums(self, weights))

    def details(self, stats: C, weights: FloatArray) -> Mapping[str, Any]:
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

    def item_counts(self, stats: C) -> ItemCounts:
        """Return numerator and denominator of every item."""
        tally = self.tally(stats)
        return ItemCounts(tally.numerators, tally.denominators)


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

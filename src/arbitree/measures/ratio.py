"""Metrics that are a ratio of sums: a numerator and a denominator per item, added up over the corpus.

A metric compares annotations in pairs. If the study has a reference, each pair is the reference and another
annotator, in this order. Without a reference, all pairs of annotators count, and an asymmetric metric is
averaged over both orders.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeVar

import numpy as np

from arbitree.measures.measure import Extent, FloatArray, ItemCounts, Measure, Prepared, Tally, quotient

C = TypeVar("C", bound="Compared")
Sums = tuple[FloatArray, FloatArray]  # numerators and denominators, added up for every row of weights


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared(Prepared):
    """Base class of statistics of metrics; each metric is tallied once."""

    tallies: dict[Measure[Any], Tally] = field(default_factory=dict, compare=False, repr=False)
    products: dict[int, tuple[FloatArray, dict[Measure[Any], Sums]]] = field(
        default_factory=dict, compare=False, repr=False
    )

    def tally(self, metric: Measure[Any], count: Callable[[], Tally]) -> Tally:
        """Return the result of *count* for *metric*, computed once."""
        if metric not in self.tallies:
            self.tallies[metric] = count()
        return self.tallies[metric]

    def sums(self, metric: Measure[Any], weights: FloatArray) -> Sums:
        """Return the numerators and denominators of *metric* for every row of *weights*, added up.

        All metrics tallied so far are summed in one product, which is cached for the others.
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
        """Add up *counts* of items over clusters."""
        found: FloatArray = np.bincount(self.columns, counts, minlength=clusters).astype(np.float64)
        return found


class Ratio(Measure[C]):
    """Base class of metrics: a frozen dataclass with a method ``count``.

    Formula:
        Σ_i numerator_i / Σ_i denominator_i; items whose denominator is 0 are undefined and add nothing.
    """

    __slots__ = ()

    scores_systems: ClassVar[bool] = True
    by_default: ClassVar[bool] = False

    @abstractmethod
    def count(self, stats: C) -> Tally:
        """Return the counts of every item."""

    def tally(self, stats: C) -> Tally:
        """Return the counts of every item, computed once."""
        return stats.tally(self, lambda: self.count(stats))

    def score(self, stats: C, weights: FloatArray) -> FloatArray:
        """Return the ratio for every row of *weights*; NaN if the denominator is 0."""
        self.tally(stats)
        return quotient(*stats.sums(self, weights))

    def extent(self, stats: C, weights: FloatArray) -> Extent:
        """Return the extent of a share, or of a distance, which has no largest value."""
        if self.better == "higher":
            return Extent()
        return Extent(best=0, worst=math.inf, unlike=self.apart(stats))

    def apart(self, stats: C) -> float:
        """Return the distance per item of annotations that share nothing, for a metric that is a distance."""
        return 1.0

    def without(self, stats: C, weights: FloatArray) -> FloatArray:
        """Return the ratio without each cluster in turn."""
        tally = self.tally(stats)
        above, below = (
            stats.by_cluster(counts, weights.shape[1]) for counts in (tally.numerators, tally.denominators)
        )
        return quotient(weights[0] @ above - above, weights[0] @ below - below)

    def details(self, stats: C, weights: FloatArray) -> Mapping[str, Any]:
        """Return numerator and denominator, and the number of undefined items."""
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
    """Return one tally with the items of all *tallies*, concatenated."""
    if len(tallies) == 1:
        return tallies[0]
    return Tally(
        np.concatenate([each.numerators for each in tallies]),
        np.concatenate([each.denominators for each in tallies]),
        {name: np.concatenate([each.parts[name] for each in tallies]) for name in tallies[0].parts},
    )


def averaged(tally: Tally) -> Tally:
    """Return the tally of the mean over items: each value over 1; undefined items count nothing."""
    values = quotient(tally.numerators, tally.denominators)
    there = ~np.isnan(values)
    return Tally(np.where(there, values, 0.0), there.astype(np.float64), tally.parts)


def _plain(number: float) -> int | float:
    return int(number) if number.is_integer() else number

"""Krippendorff's α over labels, numbers, ranks and sets.

Reference:
    Krippendorff (2004), chapter 11; Krippendorff (2011), Computing Krippendorff's alpha-reliability.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from arbitree.kinds.labels.distances import (
    CostedLabels,
    Equality,
    IntervalScale,
    Nominal,
    Ordinal,
    RatioScale,
    Scale,
    SetDistance,
)
from arbitree.kinds.labels.measures.chance import LABEL_COEFFICIENTS
from arbitree.kinds.labels.measures.ratings import LabelCounts, RatingCounts
from arbitree.kinds.labels.value import ratings
from arbitree.measures.alpha import DisagreementRatio, Parts
from arbitree.measures.measure import Extent, FloatArray, ItemCounts, share
from arbitree.study.study import Study

LabelDistance = Nominal | Ordinal | IntervalScale | RatioScale | CostedLabels | SetDistance


@dataclass(frozen=True, slots=True)
class LabelAlpha(DisagreementRatio[LabelCounts]):
    """Krippendorff's α: one minus the ratio of observed to expected disagreement of labels.

    Formula:
        α = 1 - D_o / D_e
        D_o = 1/n Σ_i 1/(r_i - 1) Σ_{c≠c'} δ(x_ic, x_ic')
        D_e = 1/(n(n - 1)) Σ δ(x, y) over all ordered pairs of labels
        with r_i labels of item i, n = Σ r_i, over the items with r_i >= 2. δ is squared for numbers.
    """

    family: ClassVar[str] = LABEL_COEFFICIENTS

    distance: LabelDistance
    by_default: bool = field(default=True, metadata={"fixed": True})

    @property
    def kinds(self) -> tuple[type, ...]:
        """The types of values that the distance can compare."""
        return self.distance.kinds

    @property
    def references(self) -> tuple[str, ...]:
        """The papers behind the coefficient and the distance."""
        return ("krippendorff2004", *self.distance.references)

    @property
    def about(self) -> str:
        """One-line description."""
        return f"Krippendorff's α over labels: {self.distance.about}"

    @property
    def statistics(self) -> RatingCounts:
        """The recipe that numbers and counts the labels."""
        return RatingCounts()

    @property
    def one_label(self) -> LabelAlpha:
        """The measure for one label against all others."""
        return LabelAlpha(Nominal())

    def suits(self, study: Study[Any]) -> bool:
        """Return whether the distance suits the values of *study*."""
        return self.distance.suits(ratings(study).values)

    def extent(self, stats: LabelCounts, weights: FloatArray) -> Extent:
        """Return the extent; labels that differ are more unlike than two random ones.

        α is not below -1 if δ is the square of a distance in space: D_o = E(x - y)² <= 4 Var(x) = 2 D_e.
        """
        totals = stats.totals(weights, pairable=True)
        unlike = float(totals.sum() ** 2) / max(float(Equality().pairs(totals, totals)[0]), 1.0)
        squared = isinstance(self.distance, Nominal | Ordinal | IntervalScale)
        return Extent(worst=-math.inf, unlike=unlike, farthest=2 if squared else math.inf)

    def alike(self, stats: LabelCounts) -> NDArray[np.intp]:
        """Return numbers of clusters: those with the same labels can be exchanged."""
        return stats.alike(coders=False)

    def details(self, stats: LabelCounts, weights: FloatArray) -> Mapping[str, Any]:
        """Return both disagreements, and the numbers of labels and categories."""
        observed, expected, _ = (float(each[0]) for each in self.parts(stats, weights))
        return {
            "observed": share(observed),
            "expected": share(expected),
            "annotations": int(stats.given[stats.pairable].sum()),
            "categories": len(stats.values),
        }

    def item_counts(self, stats: LabelCounts) -> ItemCounts:
        """Return for every used item Σ δ / (r - 1) over its ordered pairs, and its labels r."""
        given = stats.given[stats.pairable]
        totals = stats.totals(np.ones((1, stats.cluster_count)), pairable=True)[0]
        return ItemCounts(self._sums(stats, totals).own / (given - 1), given)

    def parts(self, stats: LabelCounts, weights: FloatArray) -> Parts:
        """Return D_o, D_e and the number of pairs behind D_e for every row of *weights*.

        Copies of one cluster in a resample are not paired with each other, as in the alphas over trees.
        """
        totals, copies = stats.totals(weights, pairable=True), stats.copied_pairs(weights)
        if not self.distance.adaptive:
            return _parts(self._sums(stats), weights, copies, totals)
        rows = [
            _parts(self._sums(stats, total), row[None], pairs[None], total[None])
            for row, pairs, total in zip(weights, copies, totals, strict=True)
        ]
        observed, expected, pairs = (np.concatenate(column) for column in zip(*rows, strict=True))
        return observed, expected, pairs

    def _sums(self, stats: LabelCounts, totals: FloatArray | None = None) -> _Sums:
        """Return the sums under the scale for *totals*; compute them once if *totals* do not matter."""
        if self.distance.adaptive:
            return _sums(stats, self.distance.scale(stats.values, totals))
        kept: _Sums = stats.kept(self, lambda: _sums(stats, self.distance.scale(stats.values)))
        return kept


@dataclass(frozen=True, slots=True)
class _Sums:
    """Disagreements by cluster under one scale."""

    scale: Scale
    own: FloatArray  # (used,) Σ δ over the ordered pairs of each item
    sizes: FloatArray  # (clusters,) labels of pairable items
    observed: FloatArray  # (clusters,) Σ over items of their ordered pairs' δ / (r - 1)
    within: FloatArray  # (clusters,) Σ δ over all ordered pairs inside the cluster


def _sums(stats: LabelCounts, scale: Scale) -> _Sums:
    items = stats.pairable
    given = stats.given[items].astype(np.float64)
    own = stats.disagreement(scale)
    within = stats.by_cluster(own, items)
    if not stats.single:
        for part, counts in stats.cluster_blocks(items):
            within[part] = scale.pairs(counts, counts)
    sizes, observed = (stats.by_cluster(each, items) for each in (given, own / (given - 1)))
    return _Sums(scale, own, sizes, observed, within)


def _parts(sums: _Sums, weights: FloatArray, copies: FloatArray, totals: FloatArray) -> Parts:
    """Return D_o, D_e and its pairs; *copies* are the ordered pairs of copies of one cluster."""
    n = weights @ sums.sizes
    pairs = n * (n - 1) - copies @ sums.sizes**2
    total = sums.scale.pairs(totals, totals) - copies @ sums.within
    with np.errstate(divide="ignore", invalid="ignore"):
        return weights @ sums.observed / n, total / pairs, pairs


PLUGINS = {
    "alpha_nominal": LabelAlpha(Nominal()),
    "alpha_ordinal": LabelAlpha(Ordinal()),
    "alpha_interval": LabelAlpha(IntervalScale()),
    "alpha_ratio": LabelAlpha(RatioScale(), by_default=False),
    "alpha_masi": LabelAlpha(SetDistance(monotonic=True)),
    "alpha_jaccard": LabelAlpha(SetDistance(monotonic=False)),
    "alpha_table": LabelAlpha(CostedLabels(), by_default=False),
}

"""Krippendorff's α with tree edit distance: agreement on syntax, corrected for chance.

Reference:
    Skjærholt (2014), section 2.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from arbitree.data.result import Table
from arbitree.distances.ted import DELTAS, Ted
from arbitree.measures.base import FloatArray
from arbitree.measures.pairsums import PairSums
from arbitree.measures.tedsums import TedSums


@dataclass(frozen=True, slots=True)
class Alpha:
    """One minus observed over expected disagreement.

    Formula:
        α = 1 - D_o / D_e
        D_o = 1/n Σ_i 1/(r_i - 1) Σ_{c≠c'} δ(x_ic, x_ic')²
        D_e = 1/(n(n - 1)) Σ δ(x, y)² over all ordered pairs of annotations
        with r_i annotations of item i, n = Σ r_i, over the items with r_i >= 2.
    """

    kinds: ClassVar[tuple[type, ...]] = Ted.kinds
    references: ClassVar[tuple[str, ...]] = ("skjaerholt2014", "krippendorff2004", "zhang-shasha1989")
    per_item_shows: ClassVar[str] = "disagreement"

    distance: Ted = field(default_factory=Ted)

    @property
    def about(self) -> str:
        """What it is, in a line."""
        return f"Krippendorff's α: {self.distance.about}, corrected for chance"

    @property
    def statistics(self) -> TedSums:
        """The sums that the alphas of all three deltas share."""
        return TedSums(self.distance.size, self.distance.labelled, self.distance.costs)

    def score(self, stats: PairSums, weights: FloatArray) -> FloatArray:
        """Return α for every row of *weights*; NaN where D_e is 0 or nothing can be paired."""
        observed, expected = self._disagreements(stats, weights)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(expected > 0, 1 - observed / expected, np.nan)

    def status(self, value: float | None, items: int) -> str:
        """Return ``no_pairable``, ``no_variation``, ``single_item`` or ``ok``."""
        if value is None:
            return "no_variation" if items else "no_pairable"
        return "single_item" if items == 1 else "ok"

    def details(self, stats: PairSums, weights: FloatArray) -> Mapping[str, Any]:
        """Return both disagreements and the number of annotations."""
        observed, expected = (float(each[0]) for each in self._disagreements(stats, weights))
        return {
            "observed": observed if np.isfinite(observed) else None,
            "expected": expected if np.isfinite(expected) else None,
            "annotations": sum(stats.annotations),
        }

    def per_item(self, stats: PairSums) -> Table:
        """Return the disagreement of every item: Σ δ² / (r - 1), r, and their ratio."""
        numerators = stats.per_item[self._delta]
        rows = tuple(
            (item.id, float(numerator), count, float(numerator) / count)
            for item, numerator, count in zip(stats.used, numerators, stats.annotations, strict=True)
        )
        return Table(("item", "numerator", "denominator", "value"), rows)

    @property
    def _delta(self) -> int:
        return DELTAS.index(self.distance.delta)

    def _disagreements(self, stats: PairSums, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return D_o and D_e for every row of *weights*.

        Copies of one cluster in a resample are not paired with each other: they would add distances of
        0 that no second sentence has. The pairs inside one copy count, once for each copy.
        """
        w = weights[:, stats.columns]
        n = w @ stats.sizes
        pairs = n**2 - w**2 @ stats.sizes**2 + w @ (stats.sizes * (stats.sizes - 1))
        total = 2 * stats.between(w, self._delta) + w @ stats.within[self._delta]
        with np.errstate(divide="ignore", invalid="ignore"):
            return w @ stats.observed[self._delta] / n, total / pairs


PLUGINS = {f"alpha_{delta}": Alpha(Ted(delta)) for delta in DELTAS}

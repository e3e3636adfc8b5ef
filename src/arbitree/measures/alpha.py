"""Krippendorff's α with tree distances: chance-corrected agreement on syntax.

Reference:
    Skjærholt (2014), section 2.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Protocol

import numpy as np

from arbitree.distances.pqgram import PqGram
from arbitree.distances.ted import DELTAS, Ted
from arbitree.measures.measure import Extent, FloatArray, ItemCounts, Measure, S, Shows, share
from arbitree.measures.sums.pairs import PairStatistics, PairSums, aligned
from arbitree.measures.sums.recipes import recipe_of
from arbitree.measures.sums.sampled import PairMeasure, Sampling

Parts = tuple[FloatArray, FloatArray, FloatArray]  # D_o, D_e, and how many pairs D_e rests on


class DisagreementRatio(Measure[S]):
    """α = 1 - D_o / D_e; subclasses define the comparison.

    The counts of an item are Σ δ / (r - 1) over its ordered pairs, and its annotations r.
    """

    __slots__ = ()

    shows: ClassVar[Shows] = "disagreement"
    undefined: ClassVar[str] = "no_variation"
    across_items: ClassVar[bool] = True

    @abstractmethod
    def parts(self, stats: S, weights: FloatArray) -> Parts:
        """Return D_o, D_e and the number of ordered pairs behind D_e for every row of *weights*."""

    def score(self, stats: S, weights: FloatArray) -> FloatArray:
        """Return α for every row of *weights*; NaN if D_e is 0 or there are no pairs."""
        observed, expected, _ = self.parts(stats, weights)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(expected > 0, 1 - observed / expected, np.nan)

    def extent(self, stats: S, weights: FloatArray) -> Extent:
        """Return a value without a lower limit; annotations that differ are like two random ones."""
        return Extent(worst=-math.inf)


class Distance(Protocol):
    """A distance between annotations with a recipe for its sums of squares."""

    @property
    def kinds(self) -> tuple[type, ...]:
        """The types of values that the distance compares."""
        ...

    @property
    def references(self) -> tuple[str, ...]:
        """The papers that define the distance."""
        ...

    @property
    def about(self) -> str:
        """A short description."""
        ...

    @property
    def column(self) -> int:
        """The index of the distance in its recipe."""
        ...

    @property
    def slow_from(self) -> int | None:
        """The tree size from which a pair takes seconds; None if the time does not depend on the size."""
        ...

    def __call__(self, first: Any, second: Any) -> float:
        """Return the distance of two annotations."""
        ...


@dataclass(frozen=True, slots=True)
class Alpha(DisagreementRatio[PairSums], PairMeasure):
    """1 minus the ratio of observed to expected disagreement.

    Formula:
        α = 1 - D_o / D_e
        D_o = 1/n Σ_i 1/(r_i - 1) Σ_{c≠c'} δ(x_ic, x_ic')²
        D_e = 1/(n(n - 1)) Σ δ(x, y)² over all ordered pairs of annotations
        with r_i annotations of item i, n = Σ r_i, over the items with r_i >= 2.
    """

    family: ClassVar[str] = "chance-corrected agreement on trees"

    distance: Distance = field(default_factory=Ted)
    sampling: Sampling = field(default_factory=Sampling)
    by_default: bool = field(default=True, metadata={"fixed": True})

    @property
    def kinds(self) -> tuple[type, ...]:
        """The types of values that the distance compares."""
        return self.distance.kinds

    @property
    def references(self) -> tuple[str, ...]:
        """The papers behind the coefficient and the distance."""
        return ("skjaerholt2014", "krippendorff2004", *self.distance.references)

    @property
    def about(self) -> str:
        """A one-line description."""
        return f"Krippendorff's α with {self.distance.about}"

    @property
    def column(self) -> int:
        """The index of the distance in its recipe."""
        return self.distance.column

    @property
    def slow_from(self) -> int | None:
        """The tree size from which a pair takes seconds."""
        return self.distance.slow_from

    def resolved(self, stats: PairSums) -> Mapping[str, str]:
        """Return the number of pairs that were sampled, also if a tolerance determined it."""
        error = stats.error(self.distance.column)
        return {"pairs": "" if error is None else str(error.pairs), "tolerance": ""}

    def sees(self, stats: PairSums) -> tuple[str, ...]:
        """Return the tree without words and other columns."""
        return ("tree",)

    def sampled(self, plan: Sampling) -> Alpha:
        """Return the same measure with the sampling *plan*."""
        return replace(self, sampling=plan)

    @property
    def statistics(self) -> PairStatistics:
        """The sums; alphas whose distances are computed in one pass share them."""
        return recipe_of(self.distance, self.sampling)

    def details(self, stats: PairSums, weights: FloatArray) -> Mapping[str, Any]:
        """Return observed and expected disagreement, the number of annotations, and the error of an estimate.

        To first order, the standard error of α is D_o / D_e² times that of D_e.
        """
        observed, expected, pairs = (float(each[0]) for each in self.parts(stats, weights))
        found: dict[str, Any] = {
            "observed": share(observed),
            "expected": share(expected),
            "annotations": sum(stats.annotations),
        }
        error = stats.error(self.distance.column)
        if error is None:
            return found
        deviation = 2 * error.deviation / pairs
        found |= {"estimated": True, "sampled_pairs": error.pairs, "all_pairs": error.every}
        found |= {
            "expected_se": deviation,
            "value_se": observed / expected**2 * deviation if expected else None,
        }
        return found

    def extent(self, stats: PairSums, weights: FloatArray) -> Extent:
        """Return a value without a lower limit, with the error of an estimate."""
        error = self.details(stats, weights).get("value_se")
        return Extent(worst=-math.inf, error=error or 0.0)

    def without(self, stats: PairSums, weights: FloatArray) -> FloatArray:
        """Return α without each cluster in turn: its own terms are subtracted from the sums."""
        w = weights[0, stats.columns]
        column = self.distance.column
        total, own = stats.between_without(w, column)
        n = w @ stats.sizes - stats.sizes
        pairs = n**2 - n  # a weight is 0 or 1: no copies
        within, observed = (w @ each[column] - each[column] for each in (stats.within, stats.observed))
        with np.errstate(divide="ignore", invalid="ignore"):
            expected = (2 * (total - own) + within) / pairs
            found = np.where(expected > 0, 1 - observed / n / expected, np.nan)
        values = np.full(weights.shape[1], np.nan)
        values[stats.columns] = found
        return values

    def item_counts(self, stats: PairSums) -> ItemCounts:
        """Return for every used item Σ δ² / (r - 1) over its ordered pairs, and its annotations r."""
        return ItemCounts(stats.per_item[self.distance.column], stats.annotations)

    def parts(self, stats: PairSums, weights: FloatArray) -> Parts:
        """Return D_o, D_e and the number of pairs behind D_e for every row of *weights*.

        Copies of one cluster in a resample are not paired with each other, because they would add distances
        of 0. Pairs inside one copy count once per copy.
        """
        return self.parts_of(stats, weights, self.distance.column)

    def parts_of(self, stats: PairSums, weights: FloatArray, column: int) -> Parts:
        """Return D_o, D_e and the number of pairs for the distance with this index in the recipe."""
        w = aligned(len(weights), len(stats.columns))
        np.take(weights, stats.columns, axis=1, out=w, mode="clip")  # other modes fill a copy first
        n = w @ stats.sizes
        pairs = n**2 - np.einsum("bi,bi,i->b", w, w, stats.sizes**2) + w @ (stats.sizes * (stats.sizes - 1))
        total = 2 * stats.between(w, column) + w @ stats.within[column]
        with np.errstate(divide="ignore", invalid="ignore"):
            return w @ stats.observed[column] / n, total / pairs, pairs


PLUGINS = {
    **{f"alpha_{delta}": Alpha(Ted(delta)) for delta in DELTAS},
    "alpha_pqgram": Alpha(PqGram(), by_default=False),
}

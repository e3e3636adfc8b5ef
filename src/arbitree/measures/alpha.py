"""Krippendorff's α with a distance of trees: agreement on syntax, corrected for chance.

Reference:
    Skjærholt (2014), section 2.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

import numpy as np

from arbitree.distances.pqgram import PqGram
from arbitree.distances.ted import DELTAS, Ted
from arbitree.measures.measure import FloatArray, Statistics
from arbitree.measures.pair_sums import PairSums, aligned, recipe_of
from arbitree.measures.sampled_sums import Sampling
from arbitree.study.result import Columns, Table

Parts = tuple[FloatArray, FloatArray, FloatArray]  # D_o, D_e, and how many pairs D_e rests on


class DisagreementRatio:
    """α = 1 - D_o / D_e; what is compared, and how, is for subclasses to say."""

    __slots__ = ()

    per_item_shows: ClassVar[str] = "disagreement"

    def parts(self, stats: Any, weights: FloatArray) -> Parts:
        """Return D_o, D_e and the number of ordered pairs behind D_e for every row of *weights*."""
        raise NotImplementedError

    def item_sums(self, stats: Any) -> tuple[FloatArray, Any]:
        """Return for every used item Σ δ / (r - 1) over its ordered pairs, and its annotations r."""
        raise NotImplementedError

    def score(self, stats: Any, weights: FloatArray) -> FloatArray:
        """Return α for every row of *weights*; NaN where D_e is 0 or nothing can be paired."""
        observed, expected, _ = self.parts(stats, weights)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(expected > 0, 1 - observed / expected, np.nan)

    def status(self, value: float | None, items: int) -> str:
        """Return ``no_pairable``, ``no_variation``, ``single_item`` or ``ok``."""
        if value is None:
            return "no_variation" if items else "no_pairable"
        return "single_item" if items == 1 else "ok"

    def per_item(self, stats: Any) -> Table:
        """Return the disagreement of every item: Σ δ / (r - 1), r, and their ratio."""
        sums, counts = self.item_sums(stats)
        ids = Ids(stats.used)
        rows = Columns(ids, sums, counts, sums / np.asarray(counts, dtype=np.float64))
        return Table(("item", "numerator", "denominator", "value"), rows)


class Ids:
    """The ids of items, without a list of them."""

    def __init__(self, items: Any) -> None:
        self._items = items

    def __len__(self) -> int:
        return len(self._items)

    def __getitem__(self, place: int | slice) -> Any:
        return Ids(self._items[place]) if isinstance(place, slice) else self._items[place].id


def share(value: float) -> float | None:
    """Return *value* for JSON, which knows no NaN."""
    return float(value) if np.isfinite(value) else None


class Distance(Protocol):
    """A distance of annotations whose sums of squares have a recipe."""

    @property
    def kinds(self) -> tuple[type, ...]:
        """The types of values that it compares."""
        ...

    @property
    def references(self) -> tuple[str, ...]:
        """The papers that define it."""
        ...

    @property
    def about(self) -> str:
        """What it is, in a few words."""
        ...

    @property
    def column(self) -> int:
        """Its place among the distances of its recipe."""
        ...

    def __call__(self, first: Any, second: Any) -> float:
        """Return the distance of two annotations."""
        ...


@dataclass(frozen=True, slots=True)
class Alpha(DisagreementRatio):
    """One minus observed over expected disagreement.

    Formula:
        α = 1 - D_o / D_e
        D_o = 1/n Σ_i 1/(r_i - 1) Σ_{c≠c'} δ(x_ic, x_ic')²
        D_e = 1/(n(n - 1)) Σ δ(x, y)² over all ordered pairs of annotations
        with r_i annotations of item i, n = Σ r_i, over the items with r_i >= 2.
    """

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
        """What it is, in a line."""
        return f"Krippendorff's α: {self.distance.about}, corrected for chance"

    @property
    def statistics(self) -> Statistics[PairSums]:
        """The sums, which alphas whose distances come from one pass share."""
        return recipe_of(self.distance, self.sampling)

    def details(self, stats: PairSums, weights: FloatArray) -> Mapping[str, Any]:
        """Return both disagreements, the number of annotations, and the error of an estimate.

        To the first order, the standard error of α is D_o / D_e² times that of D_e.
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

    def item_sums(self, stats: PairSums) -> tuple[FloatArray, Any]:
        """Return for every used item Σ δ² / (r - 1) over its ordered pairs, and its annotations r."""
        sums: FloatArray = stats.per_item[self.distance.column]
        return sums, stats.annotations

    def parts(self, stats: PairSums, weights: FloatArray) -> Parts:
        """Return D_o, D_e and the number of pairs behind D_e for every row of *weights*.

        Copies of one cluster in a resample are not paired with each other: they would add distances of
        0 that no second sentence has. The pairs inside one copy count, once for each copy.
        """
        w = aligned(len(weights), len(stats.columns))
        np.take(weights, stats.columns, axis=1, out=w, mode="clip")  # other modes fill a copy first
        n = w @ stats.sizes
        pairs = n**2 - np.einsum("bi,bi,i->b", w, w, stats.sizes**2) + w @ (stats.sizes * (stats.sizes - 1))
        total = 2 * stats.between(w, self.distance.column) + w @ stats.within[self.distance.column]
        with np.errstate(divide="ignore", invalid="ignore"):
            return w @ stats.observed[self.distance.column] / n, total / pairs, pairs


PLUGINS = {
    **{f"alpha_{delta}": Alpha(Ted(delta)) for delta in DELTAS},
    "alpha_pqgram": Alpha(PqGram(), by_default=False),
}

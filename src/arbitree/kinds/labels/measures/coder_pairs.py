"""κ and π of pairs of annotators, plain and weighted, averaged over the pairs.

Reference:
    Cohen (1960, 1968); Scott (1955); Artstein & Poesio (2008).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from arbitree.distances.ted import CostTable
from arbitree.errors import UnknownName, UnsupportedStudy
from arbitree.kinds.labels.distances import Matrix, Scale, ordered, table_of
from arbitree.kinds.labels.measures.chance import Categories, ChanceCorrected, corrected
from arbitree.kinds.labels.measures.ratings import BLOCK, LabelCounts
from arbitree.kinds.labels.value import Label
from arbitree.measures.measure import FloatArray

WEIGHTS = ("linear", "quadratic")


class _OverPairs(ChanceCorrected):
    """Base class: a coefficient of each pair of annotators over their shared items, averaged over pairs."""

    __slots__ = ()

    pooled: ClassVar[bool] = False  # chance agreement uses the labels of both annotators together

    def score(self, stats: LabelCounts, weights: FloatArray) -> FloatArray:
        """Return the mean over the pairs with a defined value, for every row of *weights*."""
        observed, expected = self._agreements(stats, weights)
        values = corrected(observed, expected)
        upper = values[:, *np.triu_indices(values.shape[1], 1)]
        known = ~np.isnan(upper)
        with np.errstate(divide="ignore", invalid="ignore"):
            mean: FloatArray = np.where(known, upper, 0).sum(axis=1) / known.sum(axis=1)
        return mean

    def parts(self, stats: LabelCounts, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the mean observed and expected agreement over the pairs."""
        pairs = np.triu_indices(stats.codes.shape[1], 1)
        both = (each[:, *pairs] for each in self._agreements(stats, weights))
        observed, expected = (np.array([_mean(row) for row in each]) for each in both)
        return observed, expected

    def details(self, stats: LabelCounts, weights: FloatArray) -> Mapping[str, Any]:
        """Return the agreements, and the number of pairs of annotators that share items."""
        said = (stats.codes >= 0).astype(np.float64)
        shared = np.triu(said.T @ said, 1)
        found = dict(ChanceCorrected.details(self, stats, weights))
        return found | {"pairs_of_coders": int(np.count_nonzero(shared))}

    def _agreements(self, stats: LabelCounts, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return A_o and A_e of each pair of annotators, for every row of *weights*: (B, coders, coders)."""
        coders, size = stats.codes.shape[1], max(len(stats.values), 1)
        step = max(1, BLOCK // (size * coders**2))
        scale = self.scale(stats)
        parts = [
            _pair_agreements(stats, scale, weights[start : start + step], self.pooled)
            for start in range(0, len(weights), step)
        ]
        observed, expected = (np.concatenate(each) for each in zip(*parts, strict=True))
        return observed, expected


def _pair_agreements(
    stats: LabelCounts, scale: Scale, weights: FloatArray, pooled: bool
) -> tuple[FloatArray, FloatArray]:
    """Return A_o and A_e of each pair; one product compares a label of one annotator with all others."""
    codes = stats.codes
    coders = codes.shape[1]
    apart = np.zeros((len(weights), coders, coders))
    # Frequency of each label on the items that another annotator labelled: (B, coder, other, label).
    given = np.zeros((len(weights), coders, coders, len(stats.values)))
    said = (codes >= 0).astype(np.float64)
    for coder in range(coders):
        for label in range(len(stats.values)):
            items = np.flatnonzero(codes[:, coder] == label)
            if len(items):
                w = weights[:, stats.clusters[items]]
                given[:, coder, :, label] = w @ said[items]
                apart[:, coder] += w @ (scale.between(label, codes[items]) * said[items])
    shared = given.sum(axis=3)
    theirs = given.swapaxes(1, 2)
    with np.errstate(divide="ignore", invalid="ignore"):
        if pooled:
            both = (given + theirs) / 2
            chance = scale.pairs(both, both) / shared**2
        else:
            chance = scale.pairs(given, theirs) / shared**2
        return 1 - apart / shared, 1 - chance


def _mean(values: FloatArray) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else np.nan


@dataclass(frozen=True, slots=True)
class Kappa(_OverPairs):
    """Cohen's κ; for more than two annotators, the mean over pairs.

    Formula:
        A_e = Σ_k p_k|1 p_k|2 over the items that both annotators labelled
    """

    references: ClassVar[tuple[str, ...]] = ("cohen1960",)
    about: ClassVar[str] = "Cohen's κ, averaged over pairs of annotators"


@dataclass(frozen=True, slots=True)
class Pi(_OverPairs):
    """Scott's π; for more than two annotators, the mean over pairs."""

    references: ClassVar[tuple[str, ...]] = ("scott1955",)
    about: ClassVar[str] = "Scott's π, averaged over pairs of annotators"
    pooled: ClassVar[bool] = True

    by_default: bool = field(default=False, metadata={"fixed": True})


@dataclass(frozen=True, slots=True)
class Weighting:
    """Distances between categories: by their ranks in an order, or from a table.

    Args:
        weights: ``linear``, ``quadratic``, or a file with a table.
        order: Labels from low to high, separated by slashes. Numbers need none. An order also declares the
            categories.
        categories: The categories, if some of them do not occur. Numbers are ranked among them.
    """

    weights: str = "linear"
    order: str = ""
    categories: Categories = field(default_factory=Categories)

    def __post_init__(self) -> None:
        both = self.order and self.categories.names
        if both and set(self.declared) != set(self.categories.names):
            raise UnknownName(
                "the options order and categories name different labels",
                hint="Set only one of them; order declares the categories too",
            )

    @property
    def declared(self) -> tuple[str, ...]:
        """The declared categories, the lowest first if an order is given."""
        return Categories(self.order).names or self.categories.names

    def scale(self, stats: LabelCounts, measure: str) -> Scale:
        """Return the distances of the labels that occur, from 0 to 1."""
        made: Scale = stats.kept(("scale", self, measure), lambda: self._occurring(stats, measure))
        return made

    def distances(self, stats: LabelCounts, measure: str) -> FloatArray:
        """Return the distances of all categories, including those that do not occur: (q, q)."""
        made: FloatArray = stats.kept(("distances", self, measure), lambda: self._table(stats, measure))
        return made

    def _occurring(self, stats: LabelCounts, measure: str) -> Scale:
        names = [str(each) for each in self._categories(stats.values, measure)]
        places = [names.index(str(value)) for value in stats.values]
        return Matrix(self.distances(stats, measure)[np.ix_(places, places)])

    def _categories(self, values: Sequence[Any], measure: str) -> Sequence[Any]:
        return Categories(self.order or self.categories.categories).of(values, f"{measure} category")

    def _table(self, stats: LabelCounts, measure: str) -> FloatArray:
        found = self._categories(stats.values, measure)
        if self.weights not in WEIGHTS:
            return self._read(found, measure)
        places = ordered(found, self.order, measure)
        if not self.order:  # numbers count by their rank among the categories, as usual
            places = np.argsort(np.argsort(places)).astype(np.float64)
        apart = np.abs(np.subtract.outer(places, places)) / max(len(found) - 1, 1)
        return apart if self.weights == "linear" else apart**2

    def _read(self, values: Sequence[Any], measure: str) -> FloatArray:
        table = table_of(values, CostTable.read(self.weights).rows)
        if table.max(initial=0) > 1:
            raise UnsupportedStudy(
                f"{measure} needs distances from 0 to 1, but {self.weights} contains larger ones",
                hint="Divide all distances by the largest",
            )
        return table


@dataclass(frozen=True, slots=True)
class WeightedKappa(_OverPairs):
    """Cohen's weighted κ; for more than two annotators, the mean over pairs.

    Formula:
        κ_w = 1 - Σ w_ab o_ab / Σ w_ab e_ab, w the disagreement of two categories: |a - b| or (a - b)²
        with a and b their ranks in the order.
    """

    kinds: ClassVar[tuple[type, ...]] = (Label,)
    references: ClassVar[tuple[str, ...]] = ("cohen1968",)
    about: ClassVar[str] = "weighted κ of ordered categories (weights=linear|quadratic|FILE)"

    weighting: Weighting = field(default_factory=Weighting)
    by_default: bool = field(default=False, metadata={"fixed": True})

    @property
    def one_label(self) -> Kappa:
        """The measure for one label against all others."""
        return Kappa()

    def declared(self) -> tuple[str, ...]:
        """Return the declared categories."""
        return self.weighting.declared

    def scale(self, stats: LabelCounts) -> Scale:
        """Return the disagreement of categories."""
        return self.weighting.scale(stats, "weighted_kappa")


PLUGINS = {"kappa": Kappa(), "pi": Pi(), "weighted_kappa": WeightedKappa()}

"""κ and π of pairs of annotators, plain and weighted, averaged over the pairs.

Reference:
    Cohen (1960, 1968); Scott (1955); Artstein & Poesio (2008).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from arbitree.distances.ted import CostTable
from arbitree.errors import UnknownName, UnsupportedStudy
from arbitree.kinds.labels.distances import Matrix, Scale, ordered, table_of
from arbitree.kinds.labels.measures.chance import Categories, ChanceCorrected, corrected
from arbitree.kinds.labels.measures.pair_counts import count_pairs
from arbitree.kinds.labels.measures.ratings import BLOCK, LabelCounts
from arbitree.kinds.labels.measures.shared_items import (
    Finish,
    SharedItems,
    Sharing,
    count_label_pairs,
    is_crowd,
    observed_and_expected,
    sharing,
    sparse_means,
)
from arbitree.kinds.labels.value import Label, ratings
from arbitree.measures.measure import FloatArray
from arbitree.study.study import Study

WEIGHTS = ("linear", "quadratic")
MOST = 5_000_000  # pairs of labels of one item that are compared by default


def read_weights(text: str) -> str | CostTable:
    """Return the name of the weights, or the table in the file at *text*."""
    return text if text in WEIGHTS else CostTable.read(text)


class _OverPairs(ChanceCorrected):
    """Base class: a coefficient of each pair of annotators over their shared items, averaged over pairs."""

    __slots__ = ()

    pooled: ClassVar[bool] = False  # chance agreement uses the labels of both annotators together

    def score(self, stats: LabelCounts, weights: FloatArray) -> FloatArray:
        """Return the mean over the pairs with a defined value, for every row of *weights*."""
        found = self._means(stats, weights, lambda observed, expected: (corrected(observed, expected),))
        return found.reshape(-1)

    def alike(self, stats: LabelCounts) -> NDArray[np.intp]:
        """Return numbers of clusters with the same labels by the same annotators."""
        return stats.alike(coders=True)

    def parts(self, stats: LabelCounts, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the mean observed and expected agreement over the pairs."""
        observed, expected = self._means(stats, weights, lambda observed, expected: (observed, expected))
        return observed, expected

    def details(self, stats: LabelCounts, weights: FloatArray) -> Mapping[str, Any]:
        """Return the agreements, and the number of pairs of annotators that share items or too few."""
        found = dict(ChanceCorrected.details(self, stats, weights))
        shared = self._shared(stats)
        return found | {"pairs_of_coders": len(shared.counts), "sparse_pairs": len(shared.scarce)}

    def unsuited(self, study: Study[Any]) -> str:
        """Return why the mean over pairs says little about *study*, or takes too long; empty otherwise."""
        codes = ratings(study).codes
        given = np.count_nonzero(codes >= 0, axis=1)
        compared = count_label_pairs(given)
        if compared > MOST:
            return f"it compares {compared:,} pairs of labels"
        shared = sharing(codes)
        return shared.told(study.coders) if shared.sparse else ""

    def notes(self, stats: LabelCounts) -> tuple[str, ...]:
        """Return a note that names the pairs of annotators that share too little."""
        told = self._shared(stats).told(stats.coders)
        return (
            (f"{told}; agreement on so few items is too low on average. Use multi_pi or alpha",)
            if told
            else ()
        )

    def _shared(self, stats: LabelCounts) -> Sharing:
        found: Sharing = stats.kept("sharing", lambda: sharing(stats.codes))
        return found

    def _means(self, stats: LabelCounts, weights: FloatArray, finish: Finish) -> FloatArray:
        """Return means over pairs of annotators of values that *finish* returns: (values, B)."""
        found: FloatArray = np.concatenate(list(self._parts(stats, weights, finish)), axis=1)
        return found

    def _parts(self, stats: LabelCounts, weights: FloatArray, finish: Finish) -> Iterator[FloatArray]:
        """Yield the means for some rows of *weights*."""
        scale = self.scale(stats)
        coders, size = stats.codes.shape[1], max(len(stats.values), 1)
        if is_crowd(stats.given, coders):
            shared: SharedItems = stats.kept("shared items", lambda: SharedItems.of(stats))
            blocks = stats.kept(("shared items", scale), lambda: shared.blocks(scale, size))
            yield from sparse_means(blocks, weights, scale, self.pooled, finish)
            return
        pairs = np.triu_indices(coders, 1)
        step = max(1, BLOCK // (size * coders**2))
        for start in range(0, len(weights), step):
            given, apart = count_pairs(stats, scale, weights[start : start + step])
            both = observed_and_expected(
                given.sum(axis=3), apart, given, given.swapaxes(1, 2), scale, self.pooled
            )
            found = finish(*(each[:, *pairs] for each in both))
            yield np.array([mean_of(values) for values in found])


def mean_of(values: FloatArray) -> FloatArray:
    """Return the mean of the defined values of every row; NaN if there is none."""
    known = ~np.isnan(values)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean: FloatArray = np.where(known, values, 0).sum(axis=1) / known.sum(axis=1)
    return mean


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

    weights: str | CostTable = field(default="linear", metadata={"parse": read_weights})
    order: str = ""
    categories: Categories = field(default_factory=Categories)

    def __post_init__(self) -> None:
        if isinstance(self.weights, str):
            object.__setattr__(self, "weights", read_weights(self.weights))
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
        if isinstance(self.weights, CostTable):
            return self._given(self.weights, found, measure)
        places = ordered(found, self.order, measure)
        if not self.order:  # numbers count by their rank among the categories, as usual
            places = np.argsort(np.argsort(places)).astype(np.float64)
        apart = np.abs(np.subtract.outer(places, places)) / max(len(found) - 1, 1)
        return apart if self.weights == "linear" else apart**2

    def _given(self, weights: CostTable, values: Sequence[Any], measure: str) -> FloatArray:
        table = table_of(values, weights.rows)
        if table.max(initial=0) > 1:
            raise UnsupportedStudy(
                f"{measure} needs distances from 0 to 1, but {weights.name} contains larger ones",
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

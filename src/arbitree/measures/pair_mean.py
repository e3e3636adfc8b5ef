"""Agreement without chance correction: the mean similarity of annotator pairs, weighted by length.

Reference:
    Skjærholt (2014), equation 3.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, ClassVar, Protocol

import numpy as np

from arbitree.backends.base import Run
from arbitree.measures.measure import FloatArray, ItemCounts, Measure, Prepared, Statistics, quotient
from arbitree.plugins import check_name
from arbitree.study.comparable import cluster_positions, pairable
from arbitree.study.result import Ignored
from arbitree.study.study import Annotation, Study

LENGTHS = ("mean", "first")


class Similarity(Protocol):
    """A hashable function that returns similarities of two annotations of one item, each from 0 to 1."""

    about: ClassVar[Mapping[str, str]]  # the names of the similarities, and what each is

    def __call__(self, first: Any, second: Any) -> tuple[float, ...]:
        """Return one similarity per name."""
        ...

    def obstacle(self, cells: list[Annotation[Any]]) -> Ignored | None:
        """Return the reason why these annotations of one item cannot be compared, or None."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class PairMeans(Prepared):
    """The mean similarities of the pairs of every used item, and its length."""

    means: FloatArray  # (names, items)
    lengths: FloatArray  # (items,)


@dataclass(frozen=True, slots=True)
class PairwiseStatistics(Statistics[PairMeans]):
    """Recipe for comparing all pairs of annotations of every item; *length* is that of an item."""

    comparison: Similarity
    length: str = "mean"

    def prepare(self, study: Study[Any], run: Run) -> PairMeans:
        """Compare the annotations; this is fast, so *run* is not used."""
        candidates, ignored = pairable(study)
        places = cluster_positions(study)
        used, means, lengths = [], [], []
        for item, cells in candidates:
            obstacle = self.comparison.obstacle(cells)
            if obstacle is not None:
                ignored.append(obstacle)
                continue
            used.append(item)
            pairs = [self.comparison(a.value, b.value) for a, b in combinations(cells, 2)]
            means.append([sum(column) / len(pairs) for column in zip(*pairs, strict=True)])
            weighed = cells[:1] if self.length == "first" else cells
            lengths.append(sum(len(cell.value) for cell in weighed) / len(weighed))
        return PairMeans(
            means=np.array(means, dtype=np.float64).reshape(len(used), len(self.comparison.about)).T,
            lengths=np.array(lengths, dtype=np.float64),
            columns=np.array([places[item.cluster] for item in used], dtype=np.intp),
            used=tuple(used),
            ignored=tuple(ignored),
        )


@dataclass(frozen=True, slots=True)
class PairwiseMean(Measure[PairMeans]):
    """Mean pairwise similarity, weighted by length.

    Formula:
        Σ_i |x_i| Λ(X_i) / Σ_i |x_i|, with Λ the mean similarity over the pairs of annotators of item i, and
        |x_i| its length.
    Args:
        length: the length of an item whose annotations differ in length, if the comparison allows that: their
            ``mean``, or that of the ``first`` annotator of the item, as in the program of the paper.
    """

    references: ClassVar[tuple[str, ...]] = ("skjaerholt2014",)
    scores_systems: ClassVar[bool] = True

    comparison: Similarity
    name: str = field(metadata={"fixed": True})
    kinds: tuple[type, ...] = field()
    length: str = "mean"

    def __post_init__(self) -> None:
        check_name(self.length, LENGTHS, "length value")

    @property
    def about(self) -> str:
        """A one-line description."""
        return f"{self.comparison.about[self.name]}, averaged over pairs of annotators"

    @property
    def family(self) -> str:
        """The similarities of the same comparison."""
        return type(self.comparison).__name__

    @property
    def statistics(self) -> PairwiseStatistics:
        """The comparison of all pairs, which its measures share."""
        return PairwiseStatistics(self.comparison, self.length)

    def score(self, stats: PairMeans, weights: FloatArray) -> FloatArray:
        """Return the weighted mean for every row of *weights*; NaN without items."""
        w = weights[:, stats.columns]
        with np.errstate(divide="ignore", invalid="ignore"):
            return w @ (self._means(stats) * stats.lengths) / (w @ stats.lengths)

    def without(self, stats: PairMeans, weights: FloatArray) -> FloatArray:
        """Return the mean without each cluster in turn."""
        lengths = np.bincount(stats.columns, stats.lengths, weights.shape[1])
        sums = np.bincount(stats.columns, self._means(stats) * stats.lengths, weights.shape[1])
        return quotient(weights[0] @ sums - sums, weights[0] @ lengths - lengths)

    def details(self, stats: PairMeans, weights: FloatArray) -> Mapping[str, Any]:
        """Return the number of tokens used."""
        return {"tokens": int((weights[:, stats.columns] @ stats.lengths)[0])}

    def item_counts(self, stats: PairMeans) -> ItemCounts:
        """Return the mean similarity of every item, with its length as denominator."""
        means = self._means(stats)
        return ItemCounts(means * stats.lengths, stats.lengths, means)

    def _means(self, stats: PairMeans) -> FloatArray:
        means: FloatArray = stats.means[list(self.comparison.about).index(self.name)]
        return means

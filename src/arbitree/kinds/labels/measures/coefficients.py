"""Agreement on labels: observed agreement, S, π, κ and AC1, also with missing annotations.

Reference:
    Artstein & Poesio (2008); Gwet (2008); Conger (1980).
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from arbitree.kinds.labels.distances import Equality, Scale
from arbitree.kinds.labels.measures.chance import Categories, ChanceCorrected, observed_agreement
from arbitree.kinds.labels.measures.coder_pairs import Weighting
from arbitree.kinds.labels.measures.ratings import BLOCK, LabelCounts, count_labels, weighted
from arbitree.kinds.labels.value import Label
from arbitree.measures.measure import Extent, FloatArray
from arbitree.plugins import check_name

POOLS = ("items", "ratings")


class _OverItems(ChanceCorrected):
    """Base class: agreement averaged over items, where every item with two or more labels counts once."""

    __slots__ = ()

    @abstractmethod
    def expected(self, stats: LabelCounts, weights: FloatArray) -> FloatArray:
        """Return the expected agreement for every row of *weights*."""

    def parts(self, stats: LabelCounts, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the observed and the expected agreement for every row of *weights*."""
        return observed_agreement(stats, Equality(), "equal", weights), self.expected(stats, weights)


@dataclass(frozen=True, slots=True)
class Agreement(_OverItems):
    """Share of pairs of annotators that agree on an item, averaged over items; not chance-corrected.

    Formula:
        A_o = mean over items with r_i >= 2 of Σ_k r_ik (r_ik - 1) / (r_i (r_i - 1))
    """

    references: ClassVar[tuple[str, ...]] = ("artstein-poesio2008",)
    family: ClassVar[str] = "uncorrected agreement on labels"
    undefined: ClassVar[str] = "no_pairable"
    across_items: ClassVar[bool] = False
    about: ClassVar[str] = "share of pairs of annotators that give the same label, not chance-corrected"

    def expected(self, stats: LabelCounts, weights: FloatArray) -> FloatArray:
        """Return 0, because the measure is not chance-corrected."""
        return np.zeros(len(weights))

    def extent(self, stats: LabelCounts, weights: FloatArray) -> Extent:
        """Return the extent of a share."""
        return Extent()


@dataclass(frozen=True, slots=True)
class S(_OverItems):
    """All categories are equally likely: A_e = 1/q (Bennett et al.; Brennan & Prediger)."""

    references: ClassVar[tuple[str, ...]] = ("bennett1954",)
    about: ClassVar[str] = "S: chance agreement is 1/q for q categories"

    categories: Categories = field(default_factory=Categories)
    by_default: bool = field(default=False, metadata={"fixed": True})

    def expected(self, stats: LabelCounts, weights: FloatArray) -> FloatArray:
        """Return 1/q."""
        return np.full(len(weights), 1 / max(len(self.categories.of(stats.values)), 1))

    def declared(self) -> tuple[str, ...]:
        """Return the declared categories."""
        return self.categories.names


@dataclass(frozen=True, slots=True)
class MultiPi(_OverItems):
    """Chance agreement from the labels of all annotators together: A_e = Σ p_k² (Scott; Fleiss).

    Args:
        pool: ``items``, p_k is the mean over items of r_ik / r_i; or ``ratings``, p_k is the share among all
            ratings.
    """

    references: ClassVar[tuple[str, ...]] = ("fleiss1971",)
    about: ClassVar[str] = "Fleiss' multi-π: chance agreement from the labels of all annotators together"
    singles: ClassVar[bool] = True

    pool: str = "items"

    def __post_init__(self) -> None:
        check_name(self.pool, POOLS, "pool value")

    def expected(self, stats: LabelCounts, weights: FloatArray) -> FloatArray:
        """Return Σ p_k²."""
        p = shares(stats, weights, self.pool)
        squares: FloatArray = np.einsum("bk,bk->b", p, p)
        return squares


@dataclass(frozen=True, slots=True)
class AC1(_OverItems):
    """Chance agreement only where annotators guess: A_e = Σ p_k (1 - p_k) / (q - 1) (Gwet)."""

    references: ClassVar[tuple[str, ...]] = ("gwet2008",)
    about: ClassVar[str] = (
        "Gwet's AC1: chance-corrected agreement that is robust to skewed label distributions"
    )
    singles: ClassVar[bool] = True

    categories: Categories = field(default_factory=Categories)

    def expected(self, stats: LabelCounts, weights: FloatArray) -> FloatArray:
        """Return Σ p_k (1 - p_k) / (q - 1); for a single category 1, so that the value is undefined."""
        count = len(self.categories.of(stats.values))
        p = shares(stats, weights)
        return (p * (1 - p)).sum(axis=1) / (count - 1) if count > 1 else np.ones(len(weights))

    def declared(self) -> tuple[str, ...]:
        """Return the declared categories."""
        return self.categories.names


@dataclass(frozen=True, slots=True)
class MultiKappa(_OverItems):
    """Chance agreement from the labels of each annotator, averaged over pairs (Davies & Fleiss; Conger).

    Formula:
        A_e = mean over pairs of annotators of Σ_k p_k|c p_k|c', p_k|c the share of k among the labels of c
    """

    references: ClassVar[tuple[str, ...]] = ("conger1980", "davies-fleiss1982")
    about: ClassVar[str] = (
        "multi-κ: chance agreement from the labels of each annotator, ratio of means over pairs"
    )
    singles: ClassVar[bool] = True

    by_default: bool = field(default=False, metadata={"fixed": True})

    def alike(self, stats: LabelCounts) -> NDArray[np.intp]:
        """Return numbers of clusters with the same labels by the same annotators."""
        return stats.alike(coders=True)

    def expected(self, stats: LabelCounts, weights: FloatArray) -> FloatArray:
        """Return the mean over pairs, computed as a square of sums minus the sums of squares."""
        coders, size = stats.codes.shape[1], len(stats.values)
        table = stats.kept("coders", lambda: _coder_table(stats))
        step = max(1, BLOCK // max(coders * size, 1))
        found = []
        for start in range(0, len(weights), step):
            counts = weighted(weights[start : start + step], table).reshape(-1, coders, size)
            given = counts.sum(axis=2, keepdims=True)
            p = counts / np.maximum(given, 1)
            sums, active = p.sum(axis=1), (given[..., 0] > 0).sum(axis=1)
            pairs = np.einsum("bk,bk->b", sums, sums) - np.einsum("bck,bck->b", p, p)
            with np.errstate(divide="ignore", invalid="ignore"):
                found.append(pairs / (active * (active - 1)))
        return np.concatenate(found)


def shares(stats: LabelCounts, weights: FloatArray, pool: str = "items") -> FloatArray:
    """Return p_k for every row of *weights*: (B, values). Items with one label count too."""
    found = stats.totals(weights, pairable=False, shared=pool == "items")
    with np.errstate(divide="ignore", invalid="ignore"):
        p: FloatArray = found / found.sum(axis=1, keepdims=True)
    return p


def _coder_table(stats: LabelCounts) -> Any:
    """Return the frequency of each label of each annotator in each cluster: (clusters, coders x values)."""
    size = len(stats.values)
    shape = (stats.cluster_count, stats.codes.shape[1] * size)
    return count_labels(stats, shape, lambda coders, labels: coders * size + labels)


@dataclass(frozen=True, slots=True)
class AC2(ChanceCorrected):
    """AC1 with weights: A_e = Σ_kl a_kl / (q (q - 1)) Σ p_k (1 - p_k), a_kl = 1 - w_kl.

    The sum is over the q categories, including those that are declared but do not occur.
    """

    kinds: ClassVar[tuple[type, ...]] = (Label,)
    references: ClassVar[tuple[str, ...]] = ("gwet2014",)
    about: ClassVar[str] = "Gwet's AC2: AC1 with partial agreement (weights=linear|quadratic|FILE)"
    singles: ClassVar[bool] = True

    weighting: Weighting = field(default_factory=Weighting)
    by_default: bool = field(default=False, metadata={"fixed": True})

    @property
    def one_label(self) -> AC1:
        """The measure for one label against all others."""
        return AC1()

    def declared(self) -> tuple[str, ...]:
        """Return the declared categories."""
        return self.weighting.declared

    def scale(self, stats: LabelCounts) -> Scale:
        """Return the disagreement of categories."""
        return self.weighting.scale(stats, "ac2")

    def parts(self, stats: LabelCounts, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the observed and the expected agreement for every row of *weights*."""
        scale = self.scale(stats)
        observed = observed_agreement(stats, scale, self.weighting, weights)
        every = 1 - self.weighting.distances(stats, "ac2")  # also of declared categories without a label
        count = len(every)
        if count < 2:
            return observed, np.ones(len(weights))
        p = shares(stats, weights)
        return observed, every.sum() / (count * (count - 1)) * (p * (1 - p)).sum(axis=1)


PLUGINS = {
    "agreement": Agreement(),
    "s": S(),
    "multi_pi": MultiPi(),
    "multi_kappa": MultiKappa(),
    "ac1": AC1(),
} | {"ac2": AC2()}

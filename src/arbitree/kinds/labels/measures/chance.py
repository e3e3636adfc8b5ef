"""Chance-corrected agreement: (A_o - A_e) / (1 - A_e) with observed and expected agreement."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from arbitree.kinds.labels.distances import Equality, Scale
from arbitree.kinds.labels.measures.ratings import LabelCounts, RatingCounts
from arbitree.kinds.labels.value import Label, Tags, spelled_like
from arbitree.measures.measure import Extent, FloatArray, ItemCounts, Measure, share
from arbitree.plugins import check_name

LABEL_COEFFICIENTS = "chance-corrected agreement on labels"  # a family of measures
ROUNDING = 1e-12  # chance agreement above this counts as 1


class ChanceCorrected(Measure[LabelCounts]):
    """Base class of coefficients over labels; subclasses define observed and expected agreement."""

    __slots__ = ()

    kinds: ClassVar[tuple[type, ...]] = (Label, Tags)
    family: ClassVar[str] = LABEL_COEFFICIENTS
    undefined: ClassVar[str] = "no_variation"
    across_items: ClassVar[bool] = True

    singles: ClassVar[bool] = False  # items with one label count for the frequency of labels

    @property
    def statistics(self) -> RatingCounts:
        """The recipe that numbers and counts the labels."""
        return RatingCounts(self.singles)

    @property
    def one_label(self) -> Measure[LabelCounts]:
        """The measure for one label against all others, without categories and their order."""
        return type(self)()

    @abstractmethod
    def parts(self, stats: LabelCounts, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the observed and the expected agreement for every row of *weights*."""

    def scale(self, stats: LabelCounts) -> Scale:
        """Return the scale, with distances from 0 to 1."""
        return Equality()

    def score(self, stats: LabelCounts, weights: FloatArray) -> FloatArray:
        """Return the coefficient for every row of *weights*; NaN if chance agreement is 1."""
        return corrected(*self.parts(stats, weights))

    def extent(self, stats: LabelCounts, weights: FloatArray) -> Extent:
        """Return 1 to -1; labels that differ are more unlike than two random ones.

        There is no lower limit with weights, nor if chance agreement depends on labels that are not compared.
        """
        _, expected = self.parts(stats, weights)
        scale = self.scale(stats)
        unlike = mean_difference(stats, scale, weights) / max(1 - float(expected[0]), ROUNDING)
        compared = not self.singles or bool((stats.codes >= 0).all())
        limited = compared and isinstance(scale, Equality)
        return Extent(worst=-math.inf, unlike=unlike, farthest=2 if limited else math.inf)

    def alike(self, stats: LabelCounts) -> NDArray[np.intp]:
        """Return numbers of clusters: those with the same labels can be exchanged."""
        return stats.alike(coders=False)

    def declared(self) -> tuple[str, ...] | None:
        """Return the categories that the user declared; None if the measure has no such option."""
        return None

    def details(self, stats: LabelCounts, weights: FloatArray) -> Mapping[str, Any]:
        """Return both agreements, the numbers of labels and categories, and whether these are declared."""
        observed, expected = self.parts(stats, weights)
        declared = self.declared()
        return {
            "observed_agreement": share(observed[0]),
            "expected_agreement": share(expected[0]),
            "annotations": int(stats.given[stats.pairable].sum()),
            "categories": len(declared or stats.values),
        } | ({} if declared is None else {"declared": bool(declared)})

    def item_counts(self, stats: LabelCounts) -> ItemCounts:
        """Return the share of agreeing pairs of annotators for every item, with denominator 1."""
        found = item_agreement(stats, self.scale(stats))
        return ItemCounts(found, np.ones(len(found), dtype=np.int64))


def mean_difference(stats: LabelCounts, scale: Scale, weights: FloatArray) -> float:
    """Return the mean distance of two random labels that differ, for one row of *weights*."""
    totals = stats.totals(weights, pairable=True)
    pairs = float(Equality().pairs(totals, totals)[0])
    return float(scale.pairs(totals, totals)[0]) / pairs if pairs else 1.0


def corrected(observed: FloatArray, expected: FloatArray) -> FloatArray:
    """Return (A_o - A_e) / (1 - A_e); NaN if A_e is 1."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(1 - expected > ROUNDING, (observed - expected) / (1 - expected), np.nan)


def item_agreement(stats: LabelCounts, scale: Scale) -> FloatArray:
    """Return the mean agreement 1 - δ of the pairs of labels of every pairable item."""
    given = stats.given[stats.pairable].astype(np.float64)
    return 1 - stats.disagreement(scale) / (given * (given - 1))


def observed_agreement(stats: LabelCounts, scale: Scale, key: Any, weights: FloatArray) -> FloatArray:
    """Return the mean agreement of the items for every row of *weights*."""
    sums, counts = stats.kept(("agreement", key), lambda: _by_cluster(stats, scale))
    with np.errstate(divide="ignore", invalid="ignore"):
        found: FloatArray = weights @ sums / (weights @ counts)
    return found


def _by_cluster(stats: LabelCounts, scale: Scale) -> tuple[FloatArray, FloatArray]:
    agreement = item_agreement(stats, scale)
    return stats.by_cluster(agreement, stats.pairable), stats.by_cluster(
        np.ones(len(agreement)), stats.pairable
    )


@dataclass(frozen=True, slots=True)
class Categories:
    """The labels that annotators could choose from.

    Args:
        categories: the labels, separated by slashes; by default those that occur.
    """

    categories: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The declared categories."""
        return tuple(self.categories.split("/")) if self.categories else ()

    def of(self, values: Sequence[Any], what: str = "category") -> Sequence[Any]:
        """Return the declared categories as labels, or *values* if none are declared.

        Args:
            values: The labels that occur.
            what: What a label is called in the error message.
        Raises:
            UnknownName: if a label that occurs is not declared.
        """
        names = spelled_like(self.names, values)
        for value in values if names else ():
            check_name(str(value), names, what)
        return tuple(map(Label, names)) or values

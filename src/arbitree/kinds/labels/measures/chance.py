"""Observed agreement corrected by the agreement that chance would give: (A_o - A_e) / (1 - A_e)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from arbitree.kinds.labels.distances import Equality, Scale
from arbitree.kinds.labels.measures.ratings import LabelCounts, RatingCounts
from arbitree.kinds.labels.value import Label, Tags
from arbitree.measures.measure import FloatArray, ItemCounts, Measure, share
from arbitree.plugins import check_name

ROUNDING = 1e-12  # chance agreement so close to 1 is 1


class ChanceCorrected(Measure[LabelCounts]):
    """What coefficients over labels share; subclasses say what agreement to observe and to expect."""

    __slots__ = ()

    kinds: ClassVar[tuple[type, ...]] = (Label, Tags)
    undefined: ClassVar[str] = "no_variation"
    across_items: ClassVar[bool] = True

    singles: ClassVar[bool] = False  # items with one label say how often each label is used

    @property
    def statistics(self) -> RatingCounts:
        """The labels in numbers."""
        return RatingCounts(self.singles)

    @property
    def one_label(self) -> Measure[LabelCounts]:
        """The measure for one label against all others: categories and their order do not matter then."""
        return type(self)()

    @abstractmethod
    def parts(self, stats: LabelCounts, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the observed and the expected agreement for every row of *weights*."""

    def scale(self, stats: LabelCounts) -> Scale:
        """Return how far two labels are apart, from 0 to 1."""
        return Equality()

    def score(self, stats: LabelCounts, weights: FloatArray) -> FloatArray:
        """Return the coefficient for every row of *weights*; NaN where chance alone would agree."""
        return corrected(*self.parts(stats, weights))

    def details(self, stats: LabelCounts, weights: FloatArray) -> Mapping[str, Any]:
        """Return both agreements and how many labels and categories there are."""
        observed, expected = self.parts(stats, weights)
        return {
            "observed_agreement": share(observed[0]),
            "expected_agreement": share(expected[0]),
            "annotations": int(stats.given[stats.pairable].sum()),
            "categories": len(stats.values),
        }

    def item_counts(self, stats: LabelCounts) -> ItemCounts:
        """Return for every item the share of pairs of coders that agree, over 1."""
        found = item_agreement(stats, self.scale(stats))
        return ItemCounts(found, np.ones(len(found), dtype=np.int64))


def corrected(observed: FloatArray, expected: FloatArray) -> FloatArray:
    """Return (A_o - A_e) / (1 - A_e), NaN where A_e is 1."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(1 - expected > ROUNDING, (observed - expected) / (1 - expected), np.nan)


def item_agreement(stats: LabelCounts, scale: Scale) -> FloatArray:
    """Return the mean agreement 1 - δ of the pairs of labels of every pairable item."""
    given = stats.given[stats.pairable].astype(np.float64)
    return 1 - stats.disagreement(scale) / (given * (given - 1))


def observed_agreement(stats: LabelCounts, scale: Scale, key: Any, weights: FloatArray) -> FloatArray:
    """Return the mean of the items' agreement for every row of *weights*."""
    sums, counts = stats.kept(("agreement", key), lambda: _by_cluster(stats, scale))
    with np.errstate(divide="ignore", invalid="ignore"):
        found: FloatArray = weights @ sums / (weights @ counts)
    return found


def _by_cluster(stats: LabelCounts, scale: Scale) -> tuple[FloatArray, FloatArray]:
    agreement = item_agreement(stats, scale)
    return stats.by_cluster(agreement, stats.pairable), stats.by_cluster(
        np.ones(len(agreement)), stats.pairable
    )


def parse_categories(text: str) -> tuple[str, ...]:
    """Return the categories that *text* declares, a slash between them."""
    return tuple(text.split("/"))


@dataclass(frozen=True, slots=True)
class Categories:
    """The labels that coders could choose from; by default those that they did choose."""

    categories: tuple[str, ...] = field(default=(), metadata={"parse": parse_categories})

    def count(self, values: Sequence[Any]) -> int:
        """Return how many categories there are; raise UnknownName for a label outside a declared set."""
        for value in values if self.categories else ():
            check_name(str(value), self.categories, "category")
        return len(self.categories) or len(values)

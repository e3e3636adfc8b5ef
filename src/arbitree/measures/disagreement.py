"""One minus observed over expected disagreement: what all of Krippendorff's alphas are."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from arbitree.data.result import Columns, Table
from arbitree.measures.base import FloatArray

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

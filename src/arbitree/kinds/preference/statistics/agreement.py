"""Agreement between judges."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arbitree.kinds.labels.kind import KIND
from arbitree.kinds.labels.value import Label
from arbitree.measures.evaluate import evaluate
from arbitree.measures.measure import FloatArray
from arbitree.measures.resampling import Resampling
from arbitree.study.study import Annotation, Item, Study
from arbitree.wording import brief

Codes = NDArray[np.intp]  # (items, coders): 0 first, 1 second, 2 neither is better, -1 no judgment

NEITHER = 2
MISSING = -1
CATEGORIES = (Label("first"), Label("second"), Label("neither"))
COEFFICIENTS = {"agreement": "raw", "kappa": "kappa", "multi_pi": "fleiss", "alpha_nominal": "alpha"}


@dataclass(frozen=True, slots=True)
class Pair:
    """Two judges on the items that both judged; kappa is None if it is undefined."""

    coders: tuple[str, str]
    items: int
    raw: float | None
    kappa: float | None


@dataclass(frozen=True, slots=True)
class Agreement:
    """Raw agreement and three chance-corrected coefficients; None if there is nothing to compare."""

    raw: float | None = None  # mean over pairs of coders
    pooled: float | None = None  # over all pairs of judgments of one item
    kappa: float | None = None  # mean over pairs of coders of Cohen's
    fleiss: float | None = None
    alpha: float | None = None
    compared: int = 0  # pairs of judgments of one item
    pairs: tuple[Pair, ...] = ()

    __repr__ = brief

    def to_dict(self) -> Mapping[str, Any]:
        """Return the values for JSON."""
        values = {name: getattr(self, name) for name in ("raw", "pooled", "kappa", "fleiss", "alpha")}
        pairs = [
            {"coders": list(each.coders), "items": each.items, "raw": each.raw, "kappa": each.kappa}
            for each in self.pairs
        ]
        return values | {"compared": self.compared, "pairs": pairs}


def agree(codes: Codes, coders: tuple[str, ...]) -> Agreement:
    """Return the agreement of *coders*; two judges who prefer neither parse agree.

    Example:
        >>> codes = np.array([[0, 0], [1, 1], [0, 1], [1, 1]])
        >>> found = agree(codes, ("ann", "bob"))
        >>> found.raw, found.kappa
        (0.75, 0.5)
    """
    if len(coders) < 2 or not np.any(codes >= 0):
        return Agreement()
    judged = _labels(codes, coders)
    results = evaluate(judged, KIND, list(COEFFICIENTS), by=["pair"], resampling=Resampling(0))
    found = {COEFFICIENTS[result.measure]: result for result in results}
    pairs = tuple(
        Pair(_names(raw.name, coders), raw.items_used, raw.value, kappa.value)
        for raw, kappa in zip(found["raw"].groups["pair"], found["kappa"].groups["pair"], strict=True)
    )
    known = [pair.raw for pair in pairs if pair.raw is not None]
    return Agreement(
        raw=sum(known) / len(known) if known else None,
        pooled=_pooled(codes),
        kappa=found["kappa"].value,
        fleiss=found["fleiss"].value,
        alpha=found["alpha"].value,
        compared=int(_pairs(codes)[1].sum()) // 2,
        pairs=pairs,
    )


def shares(codes: Codes) -> FloatArray:
    """Return the share of agreeing pairs of judgments for every item; NaN with fewer than two."""
    same, pairs = _pairs(codes)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(pairs > 0, same / pairs, np.nan)


def _labels(codes: Codes, coders: tuple[str, ...]) -> Study[Label]:
    items = tuple(Item(str(row), "text", str(row)) for row in range(len(codes)))
    cells = {
        (items[row].id, coders[column]): Annotation(
            items[row], coders[column], CATEGORIES[codes[row, column]]
        )
        for row, column in zip(*(side.tolist() for side in np.nonzero(codes >= 0)), strict=True)
    }
    return Study(items, coders, cells)


def _names(pair: str, coders: tuple[str, ...]) -> tuple[str, str]:
    """Return the two judges that a group of pairs is named after."""
    found = [(a, b) for a in coders for b in coders if f"{a} - {b}" == pair]
    return found[0]


def _pooled(codes: Codes) -> float | None:
    same, pairs = _pairs(codes)
    return float(same.sum() / pairs.sum()) if pairs.any() else None


def _pairs(codes: Codes) -> tuple[FloatArray, FloatArray]:
    """Return the numbers of agreeing and of all ordered pairs of judgments for every item."""
    counts = np.stack([(codes == k).sum(axis=1) for k in range(len(CATEGORIES))], axis=1).astype(float)
    sizes = counts.sum(axis=1)
    return (counts * (counts - 1)).sum(axis=1), sizes * (sizes - 1)

"""Correlation of the difference between two systems with the preferred system.

The verdict is binary, so a rank correlation cannot reach 1. The ceiling is the highest possible value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from arbitree.measures.measure import FloatArray


@dataclass(frozen=True, slots=True)
class Association:
    """All coefficients for one metric; None if one of the two sides does not vary."""

    spearman: float | None
    kendall: float | None
    point_biserial: float | None
    auc: float | None
    ceiling: float | None

    def to_dict(self) -> Mapping[str, float | None]:
        """Return the coefficients by name."""
        return {name: getattr(self, name) for name in self.__slots__}


def midranks(values: ArrayLike) -> FloatArray:
    """Return the ranks, starting at 1; ties get their mean rank.

    Example:
        >>> midranks([0.2, 0.5, 0.2]).tolist()
        [1.5, 3.0, 1.5]
    """
    _, inverse, counts = np.unique(np.asarray(values, dtype=float), return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    ranks: FloatArray = (ends - (counts - 1) / 2)[inverse]
    return ranks


def pearson(first: ArrayLike, second: ArrayLike) -> float | None:
    """Return the product-moment correlation, or None if one side does not vary.

    Example:
        >>> pearson([1, 2, 3], [2, 4, 6]), pearson([1, 1], [1, 2])
        (1.0, None)
    """
    a, b = (np.asarray(side, dtype=float) for side in (first, second))
    if len(a) < 2 or np.all(a == a[0]) or np.all(b == b[0]):
        return None
    a, b = a - a.mean(), b - b.mean()
    found = float(a @ b / np.sqrt((a @ a) * (b @ b)))
    return min(max(found, -1.0), 1.0)


def spearman(first: ArrayLike, second: ArrayLike) -> float | None:
    """Return the rank correlation with midranks for ties.

    Example:
        >>> round(spearman([1, 2, 3, 4], [0, 0, 1, 1]), 4)
        0.8944
    """
    return pearson(midranks(first), midranks(second))


def kendall(x: ArrayLike, y: ArrayLike) -> float | None:
    """Return Kendall's τ_b of x with a binary y.

    Formula:
        τ_b = (C - D) / √((P - T_x)(P - T_y)), P all pairs, T those tied on one side. Pairs that are not tied
        in y contain one item of each side, so C - D and P - T_y follow from the area under the curve.
    Example:
        >>> round(kendall([1, 2, 3, 4], [0, 0, 1, 1]), 4)
        0.8165
    """
    chosen = np.asarray(y) > 0
    area = auc(x, y)
    _, counts = np.unique(np.asarray(x, dtype=float), return_counts=True)
    untied = (len(chosen) * (len(chosen) - 1) - float(np.sum(counts * (counts - 1)))) / 2
    if area is None or untied == 0:
        return None
    apart = float(chosen.sum()) * float((~chosen).sum())
    return float((2 * area - 1) * apart / np.sqrt(untied * apart))


def auc(x: ArrayLike, y: ArrayLike) -> float | None:
    """Return the area under the ROC curve: how often x is higher if y is 1 than if y is 0; ties count half.

    Example:
        >>> auc([3, 2, 2, 1], [1, 1, 0, 0])
        0.875
    """
    values, chosen = np.asarray(x, dtype=float), np.asarray(y) > 0
    ones, zeros = int(chosen.sum()), int((~chosen).sum())
    if not ones or not zeros:
        return None
    return float((midranks(values)[chosen].sum() - ones * (ones + 1) / 2) / (ones * zeros))


def ceiling(x: ArrayLike, y: ArrayLike) -> float | None:
    """Return the highest rank correlation that these x and y could have under the best pairing.

    Example:
        >>> round(ceiling([1, 2, 3, 4], [1, 0, 1, 0]), 4)
        0.8944
        >>> ceiling([-1, 1, 1, -1], [1, 0, 1, 0])
        1.0
    """
    return spearman(np.sort(np.asarray(x, dtype=float)), np.sort(np.asarray(y, dtype=float)))


def associate(x: ArrayLike, y: ArrayLike) -> Association:
    """Return all coefficients of the differences *x* with the verdicts *y* (1 first, 0 second)."""
    return Association(spearman(x, y), kendall(x, y), pearson(x, y), auc(x, y), ceiling(x, y))


def resampled(x: ArrayLike, y: ArrayLike, weights: FloatArray) -> FloatArray:
    """Return the rank correlation of x and a binary y for every row of *weights*; NaN if undefined.

    Args:
        x, y: (n,).
        weights: (B, n), the number of times each item was drawn.
    Example:
        >>> resampled([1, 2, 3, 4], [0, 0, 1, 1], np.ones((1, 4))).round(4).tolist()
        [0.8944]
    """
    ranks_x, sums_x = _drawn_ranks(x, weights)
    ranks_y, sums_y = _drawn_ranks(y, weights)
    total = weights.sum(axis=1)
    middle = (total + 1) / 2
    joint = np.zeros(len(weights))
    levels, inverse = np.unique(np.asarray(y, dtype=float), return_inverse=True)
    for level in range(len(levels)):
        part = _grouped(x, weights * (inverse == level))
        joint += ranks_y[:, level] * np.sum(ranks_x * part, axis=1)
    covariance = joint - total * middle**2
    spread_x = np.sum(sums_x * ranks_x**2, axis=1) - total * middle**2
    spread_y = np.sum(sums_y * ranks_y**2, axis=1) - total * middle**2
    flat = (spread_x <= 1e-9) | (spread_y <= 1e-9)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(flat, np.nan, covariance / np.sqrt(spread_x * spread_y))


def _drawn_ranks(values: ArrayLike, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the midrank of each distinct value in every resample, and its count."""
    sums = _grouped(values, weights)
    return np.cumsum(sums, axis=1) - (sums - 1) / 2, sums


def _grouped(values: ArrayLike, weights: FloatArray) -> FloatArray:
    """Return the sums of *weights* over the items of each distinct value, in the order of the values."""
    array = np.asarray(values, dtype=float)
    order = np.argsort(array, kind="stable")
    starts = np.flatnonzero(np.diff(array[order], prepend=-np.inf))
    found: FloatArray = np.add.reduceat(weights[:, order], starts, axis=1)
    return found

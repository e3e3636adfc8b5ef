"""Tests of the difference between two dependent correlations with the same verdicts."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from arbitree.kinds.preference.statistics.correlation import resampled, spearman
from arbitree.measures.measure import FloatArray
from arbitree.measures.resampling import percentile_bounds, tail_p


@dataclass(frozen=True, slots=True)
class Tested:
    """A statistic and its two-sided p-value; None if the test is not possible."""

    z: float | None
    p: float | None


NO_TEST = Tested(None, None)


def steiger(first: float, second: float, between: float, n: int) -> Tested:
    """Return Steiger's test of two correlations that share a variable, with the pooled estimate.

    Formula:
        Z = (z₁₂ - z₁₃) √(n - 3) / √(2 - 2c), r̄ = (r₁₂ + r₁₃) / 2,
        c = [r₂₃ (1 - 2r̄²) - ½ r̄² (1 - 2r̄² - r₂₃²)] / (1 - r̄²)²
    Args:
        first, second: the correlations of the two metrics with the verdicts.
        between: the correlation of the two metrics with each other.
        n: the number of items.
    Reference:
        Steiger (1980), equations 10, 11 and 14.
    """
    if not _testable(first, second, n):
        return NO_TEST
    square = ((first + second) / 2) ** 2
    c = (between * (1 - 2 * square) - square * (1 - 2 * square - between**2) / 2) / (1 - square) ** 2
    if c >= 1 - 1e-12:
        return NO_TEST
    return _two_sided((math.atanh(first) - math.atanh(second)) * math.sqrt(n - 3) / math.sqrt(2 - 2 * c))


@dataclass(frozen=True, slots=True)
class Contrast:
    """A metric compared with the baseline by both tests."""

    difference: float | None
    interval: tuple[float, float] | None  # of the difference, by the bootstrap over items
    between: float | None  # correlation of the two metrics
    steiger: Tested
    bootstrap: float | None

    def to_dict(self) -> Mapping[str, Any]:
        """Return the values for JSON."""
        return {
            "difference": self.difference,
            "interval": None if self.interval is None else list(self.interval),
            "correlation_of_metrics": self.between,
            "steiger": {"z": self.steiger.z, "p": self.steiger.p},
            "bootstrap": {"p": self.bootstrap},
        }

    def p(self, test: str) -> float | None:
        """Return the p-value of the test with this name."""
        return self.steiger.p if test == "steiger" else self.bootstrap


def contrast(
    x: ArrayLike, baseline: ArrayLike, y: ArrayLike, weights: FloatArray, confidence: float
) -> Contrast:
    """Return the tests of *x* against *baseline* as predictors of *y*.

    Args:
        x, baseline, y: (n,) the differences by two metrics, and the verdicts.
        weights: (B, n) resamples of the items; empty for no bootstrap.
        confidence: the confidence level of the interval.
    """
    ours, theirs, between = spearman(x, y), spearman(baseline, y), spearman(x, baseline)
    if ours is None or theirs is None or between is None:
        return Contrast(None, None, between, NO_TEST, None)
    n = len(np.asarray(y))
    drawn = resampled(x, y, weights) - resampled(baseline, y, weights)
    return Contrast(
        difference=ours - theirs,
        interval=percentile_bounds(drawn, confidence),
        between=between,
        steiger=steiger(ours, theirs, between, n),
        bootstrap=tail_p(drawn),
    )


def _testable(first: float, second: float, n: int) -> bool:
    return n > 3 and abs(first) < 1 and abs(second) < 1


def _two_sided(z: float) -> Tested:
    return Tested(z, 2 * NormalDist().cdf(-abs(z)))

"""Intervals by resampling clusters (sentences) with replacement."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from arbitree.data.result import Interval
from arbitree.errors import UnknownName
from arbitree.measures.base import FloatArray
from arbitree.registry import check_name

METHODS = ("percentile", "bca")
CHUNK = 4_000_000  # weights held at once

Score = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True, slots=True)
class Resampling:
    """How often, from which seed, and which interval."""

    resamples: int = 1000
    confidence: float = 0.95
    seed: int = 0
    method: str = "percentile"

    def __post_init__(self) -> None:
        check_name(self.method, METHODS, "intervals")
        if not 0 < self.confidence < 1:
            raise UnknownName(
                f"confidence is {self.confidence}", hint="Give a number between 0 and 1, such as 0.95"
            )
        if self.resamples < 0 or self.seed < 0:
            raise UnknownName(
                "resamples and seed cannot be negative", hint="Give 0 resamples for no interval"
            )

    def interval(
        self, score: Score, value: float, members: NDArray[np.intp], clusters: int
    ) -> Interval | None:
        """Return the interval of *score* around *value*.

        Args:
            score: values for rows of weights over all *clusters*.
            value: the estimate.
            members: the clusters to draw from.
            clusters: how many columns the weights have.
        """
        if not self.resamples or len(members) < 2:
            return None
        drawn = np.concatenate([score(weights) for weights in self._draws(members, clusters)])
        defined = drawn[~np.isnan(drawn)]
        if len(defined) == 0:
            return None
        levels = np.array([(1 - self.confidence) / 2, (1 + self.confidence) / 2])
        if self.method == "bca":
            levels = _bca_levels(levels, defined, value, _jackknife(score, members, clusters))
        low, high = np.quantile(defined, levels)
        return Interval(
            float(low), float(high), self.confidence, self.method, self.resamples, len(drawn) - len(defined)
        )

    def _draws(self, members: NDArray[np.intp], clusters: int) -> Iterator[FloatArray]:
        """Yield multinomial weights in chunks; the numbers do not depend on the size of the chunks."""
        random = np.random.default_rng(self.seed)
        step = max(1, CHUNK // clusters)
        for start in range(0, self.resamples, step):
            count = min(step, self.resamples - start)
            weights = np.zeros((count, clusters))
            for row in weights:
                np.add.at(row, members[random.integers(len(members), size=len(members))], 1)
            yield weights


def _jackknife(score: Score, members: NDArray[np.intp], clusters: int) -> FloatArray:
    """Return the values with each cluster left out in turn."""
    base = np.zeros(clusters)
    base[members] = 1
    step = max(1, CHUNK // clusters)
    parts = []
    for start in range(0, len(members), step):
        out = members[start : start + step]
        weights = np.tile(base, (len(out), 1))
        weights[np.arange(len(out)), out] = 0
        parts.append(score(weights))
    values = np.concatenate(parts)
    return values[~np.isnan(values)]


def _bca_levels(levels: FloatArray, drawn: FloatArray, value: float, left_out: FloatArray) -> FloatArray:
    """Return the quantile levels corrected for bias and acceleration (Efron 1987)."""
    normal = NormalDist()
    below = (np.sum(drawn < value) + 0.5 * np.sum(drawn == value)) / len(drawn)
    if not 0 < below < 1:
        return levels
    bias = normal.inv_cdf(float(below))
    gaps = left_out.mean() - left_out
    spread = float(np.sum(gaps**2))
    acceleration = float(np.sum(gaps**3)) / (6 * spread**1.5) if spread > 0 else 0.0
    corrected = []
    for level in levels:
        shifted = bias + normal.inv_cdf(float(level))
        corrected.append(normal.cdf(bias + shifted / (1 - acceleration * shifted)))
    return np.array(corrected)

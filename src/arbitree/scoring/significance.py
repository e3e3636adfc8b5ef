"""Paired significance tests of the difference between two systems on the same items.

Both tests are for metrics that are a ratio of sums over items. They resample or swap whole items, because the
tokens of a sentence are not independent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

BLOCK = 100  # rounds at once: few enough for a processor's own memory


@dataclass(frozen=True, slots=True)
class PairedCounts:
    """Numerators and denominators of some metrics for the same items."""

    numerators: FloatArray  # (metrics, items)
    denominators: FloatArray  # (metrics, items)

    def values(self, weights: FloatArray) -> FloatArray:
        """Return the metrics for every row of *weights* (rows, items): (rows, metrics), NaN if undefined."""
        stacked = weights @ np.concatenate((self.numerators, self.denominators)).T
        return _ratio(stacked[:, : len(self.numerators)], stacked[:, len(self.numerators) :])


def bootstrap_p(differences: FloatArray, observed: FloatArray) -> FloatArray:
    """Return two-sided p-values of a paired bootstrap, one per metric.

    Formula:
        p = (1 + |{b: |δ_b - δ| >= |δ|}|) / (1 + B): how often resampling alone changes the difference δ by at
        least its distance from 0.
    Args:
        differences: (B, metrics) differences in the resamples.
        observed: (metrics,) differences in the data.
    Reference:
        Berg-Kirkpatrick et al. (2012), for both directions.
    Example:
        >>> bootstrap_p(np.array([[0.5], [0.1], [0.3], [0.2]]), np.array([0.3])).tolist()
        [0.2]
    """
    there = ~np.isnan(differences)
    # A hair of slack: sums in another order differ in the last digit.
    far = np.abs(differences - observed) >= np.abs(observed) * (1 - 1e-12)
    p: FloatArray = (1 + np.sum(far & there, axis=0)) / (1 + np.sum(there, axis=0))
    return np.where(np.isnan(observed), np.nan, p)


def randomisation_p(first: PairedCounts, second: PairedCounts, *, rounds: int, seed: int) -> FloatArray:
    """Return two-sided p-values of approximate randomisation, one per metric.

    In every iteration, the counts of each item are swapped between the systems with probability 0.5.

    Formula:
        p = (1 + |{rounds: |δ*| >= |δ|}|) / (1 + rounds)
    Reference:
        Noreen (1989); Yeh (2000).
    """
    random = np.random.default_rng([seed, 1])
    differences = np.concatenate(
        [_swapped(first, second, random, rounds=0)]
        + [
            _swapped(first, second, random, rounds=min(BLOCK, rounds - done))
            for done in range(0, rounds, BLOCK)
        ]
    )
    observed, shuffled = differences[0], differences[1:]
    there = ~np.isnan(shuffled)
    far = np.abs(shuffled) >= np.abs(observed) - 1e-12
    p: FloatArray = (1 + np.sum(far & there, axis=0)) / (1 + np.sum(there, axis=0))
    return np.where(np.isnan(observed), np.nan, p)


def _swapped(
    first: PairedCounts, second: PairedCounts, random: np.random.Generator, *, rounds: int
) -> FloatArray:
    """Return the differences after random swaps: (rounds, metrics).

    With 0 rounds, the result is one row without swaps.
    """
    items = first.numerators.shape[1]
    coins = random.integers(2, size=(rounds, items), dtype=np.int8) if rounds else np.zeros((1, items))
    swaps = coins.astype(np.float64)
    parts = []
    for ours, theirs in ((first.numerators, second.numerators), (first.denominators, second.denominators)):
        moved = swaps @ (theirs - ours).T
        parts.append((ours.sum(axis=1) + moved, theirs.sum(axis=1) - moved))
    (above, other_above), (below, other_below) = parts
    return _ratio(above, below) - _ratio(other_above, other_below)


def holm(values: Sequence[float]) -> list[float]:
    """Return p-values corrected for their number by the step-down method of Holm (1979).

    Example:
        >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03])]
        [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(values)), key=values.__getitem__)
    corrected = [0.0] * len(values)
    least = 0.0
    for rank, place in enumerate(order):
        least = max(least, min(1.0, (len(values) - rank) * values[place]))
        corrected[place] = least
    return corrected


def _ratio(above: FloatArray, below: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore", invalid="ignore"):
        found: FloatArray = np.where(below == 0, np.nan, above / below)
    return found

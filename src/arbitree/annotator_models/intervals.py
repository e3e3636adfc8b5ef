"""Confidence intervals of competences.

Competences are often close to 1. There, resamples vary too little: with 20 items and a competence of 0.95,
the percentile interval contains the true value in half of all samples
(``benchmarks/coverage_competences.py``).
"""

from __future__ import annotations

import numpy as np

from arbitree.annotator_models.votes import FloatArray
from arbitree.measures.quantiles import beta
from arbitree.measures.resampling import Resampling, percentile_bounds
from arbitree.study.result import Interval

KORN_GRAUBARD = "korn_graubard"  # the default
METHODS = (KORN_GRAUBARD, "percentile")
STILL = 0.25  # a smaller part of the variance of independent answers is an error of the estimation
REFERENCES = {KORN_GRAUBARD: ("korn-graubard1998",), "percentile": ()}


def competence_interval(
    value: float, draws: FloatArray, answers: float, clusters: int, method: str, resampling: Resampling
) -> Interval | None:
    """Return the interval of a competence.

    Args:
        value: The competence; NaN if undefined.
        draws: (resamples,) The competence in every resample.
        answers: The number of answers behind it, less those that guesses get right by chance.
        clusters: The number of sentences that they come from, or of items if labels belong to none.
        method: ``korn_graubard`` or ``percentile``.
        resampling: The number of resamples and the confidence.
    """
    known = draws[~np.isnan(draws)]
    if np.isnan(value) or not len(known):
        return None
    if method == KORN_GRAUBARD:
        bounds = korn_graubard(value, float(known.var()), answers, clusters, resampling.confidence)
    else:
        found = percentile_bounds(known, resampling.confidence)
        assert found is not None
        bounds = found
    undefined = len(draws) - len(known)
    return Interval(*bounds, resampling.confidence, method, resampling.resamples, undefined, clusters)


def korn_graubard(
    share: float, variance: float, answers: float, clusters: int, confidence: float
) -> tuple[float, float]:
    """Return the Clopper-Pearson interval of *share* for the effective number of answers.

    Formula:
        n* = c (1 - c) / v, at most the number of answers
        low, high = quantiles of Beta(c n*, n* - c n* + 1) and of Beta(c n* + 1, n* - c n*)
    Args:
        share: The estimate c.
        variance: Its variance v. If it is about 0, all clusters look alike, and n* is at most their number.
        answers: The number of answers.
        clusters: The number of clusters that they come from.
        confidence: The level of the interval.
    Reference:
        Korn and Graubard (1998), without the correction for the degrees of freedom.
    Example:
        >>> [round(end, 4) for end in korn_graubard(0.95, 0.95 * 0.05 / 20, 20, 20, 0.95)]  # 19 of 20
        [0.7513, 0.9987]
    """
    spread = share * (1 - share)
    still = variance * answers <= STILL * spread
    size = min(clusters if still else spread / variance, answers)
    right, wrong = share * size, (1 - share) * size
    tail = (1 - confidence) / 2
    low = beta(right, wrong + 1, tail) if right > 0 else 0.0
    high = beta(right + 1, wrong, 1 - tail) if wrong > 0 else 1.0
    return low, high

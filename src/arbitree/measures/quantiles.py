"""Quantiles of Student's t and of the beta distribution, for confidence intervals.

SciPy has both, but the import of ``scipy.special`` takes long compared with ``agree`` on a small study.
"""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist

COMPLETE = 4e-15  # relative change at which the fraction is complete; rounding changes it by less
STEP = 1e-14  # relative step at which the search for a quantile ends
STEPS = 200  # of the search, at most; bisection alone needs about 100
LARGE = 400  # degrees of freedom from which the series for Student's t has 12 correct digits
STIRLING = 16  # argument from which Stirling's series has 15 correct digits


@lru_cache(maxsize=10_000)
def student(freedom: float, confidence: float) -> float:
    """Return the quantile of Student's t that leaves half of 1 - *confidence* above it.

    Args:
        freedom: the degrees of freedom.
        confidence: the level, more than 0 and less than 1. From 400 degrees of freedom, the error is about
            1e-16, so the quantiles of levels below 0.0001 have fewer than 12 correct digits.
    Reference:
        Abramowitz and Stegun (1964), 26.7.5, for many degrees of freedom.
    Example:
        >>> round(student(9, 0.95), 4), round(student(1e9, 0.95), 4)
        (2.2622, 1.96)
    """
    level = (1 + confidence) / 2
    z = NormalDist().inv_cdf(level) if level < 1 else -NormalDist().inv_cdf((1 - confidence) / 2)
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    t = math.fsum(term / freedom**power for power, term in enumerate(terms))
    if freedom >= LARGE:
        return t
    if confidence < 0.5:  # the share of the other formula would be next to 1, with few digits below 1
        share = beta(0.5, freedom / 2, confidence, start=t**2 / (freedom + t**2))
        return math.sqrt(freedom * share / (1 - share))
    share = beta(freedom / 2, 0.5, 1 - confidence, start=freedom / (freedom + t**2))
    return math.sqrt(freedom * (1 - share) / share)


@lru_cache(maxsize=10_000)
def beta(a: float, b: float, level: float, *, start: float | None = None) -> float:
    """Return the quantile of the distribution Beta(*a*, *b*) at a *level* between 0 and 1.

    Args:
        a: the first parameter.
        b: the second parameter.
        level: the share of the distribution below the quantile.
        start: a value near the quantile, if one is known; by default, the mean.
    Example:
        >>> round(beta(2, 3, 0.5), 4), round(beta(1, 20, 0.975), 4)
        (0.3857, 0.1684)
    """
    low, high = 0.0, 1.0
    x = float(a / (a + b) if start is None else start)
    for _ in range(STEPS):
        below, density = _distribution(a, b, x)
        low, high = (x, high) if below < level else (low, x)
        nearer = x + float((level - below) / density) if density else high  # Newton's method
        nearer = nearer if low < nearer < high else (low + high) / 2
        if abs(nearer - x) <= STEP * x:
            return nearer
        x = nearer
    return x


def _distribution(a: float, b: float, x: float) -> tuple[float, float]:
    """Return the share of Beta(*a*, *b*) below *x*, and the density at *x*, 0 where it cannot be computed."""
    if not 0 < x < 1:
        return x, 0.0
    if x > (a + 1) / (a + b + 2):  # the fraction would converge slowly
        above, density = _distribution(b, a, 1 - x)
        return 1 - above, density
    n = a + b
    error = _stirling_error(n) - _stirling_error(a) - _stirling_error(b)
    exponent = error - _deviance(a, n * x) - _deviance(b, n * (1 - x))
    scaled = math.sqrt(a * b / (2 * math.pi * n)) * math.exp(exponent)  # x (1 - x) times the density
    return scaled / (a * _fraction(a, b, x)), scaled / (x * (1 - x))


def _fraction(a: float, b: float, x: float) -> float:
    """Return the continued fraction of the incomplete beta function, computed from the front.

    Reference:
        Abramowitz and Stegun (1964), 26.5.8; Lentz (1976).
    """
    value = numerator = 1.0
    denominator = 0.0
    factor = m = 0.0
    while abs(factor - 1) > COMPLETE:
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        m += 1
        for term in (odd, m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))):
            denominator = 1 / (1 + term * denominator)
            numerator = 1 + term / numerator
            factor = numerator * denominator
            value *= factor
    return value


def _stirling_error(z: float) -> float:
    """Return the logarithm of Γ(z) / (√(2π/z) (z/e)^z)."""
    if z < STIRLING:
        return math.lgamma(z) - (z - 0.5) * math.log(z) + z - math.log(2 * math.pi) / 2
    square = z * z
    return (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / (1188 * square)) / square) / square) / square) / z


def _deviance(expected: float, found: float) -> float:
    """Return expected · log(expected / found) + found - expected, also where both are nearly equal."""
    change = (found - expected) / expected
    return expected * (change - (math.log1p(change) if change > -0.5 else math.log(found / expected)))

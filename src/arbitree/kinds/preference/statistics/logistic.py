"""Logistic regression with shrinkage towards a given direction, by Newton's method."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from arbitree.measures.measure import FloatArray

STEPS = 30
ENOUGH = 1e-6  # Newton stops where no coefficient moves by more
FLOOR = 1e-6  # ridge on the free coefficient, so that separable data have a solution


def ridge_logistic(
    x: FloatArray, y: FloatArray, ridge: float, start: FloatArray | None = None, free: int = 0
) -> FloatArray:
    """Return the coefficients that predict *y* by the sign of x·θ, shrunk by *ridge*; one is not shrunk.

    There is no intercept, so swapping the two systems gives the same coefficients.

    Formula:
        min Σ_i log(1 + exp(-s_i θ·x_i)) + ½ ridge Σ_{k ≠ free} θ_k², s_i = ±1
    Example:
        >>> x = np.array([[1.0, 0.0], [0.5, 1.0], [-1.0, 0.2], [-0.3, -1.0], [0.4, 0.1]])
        >>> theta = ridge_logistic(x, np.array([1.0, 1.0, 0.0, 0.0, 0.0]), ridge=1.0)
        >>> bool(theta[0] > 0 and theta[1] > 0)
        True
    """
    theta = np.zeros(x.shape[1]) if start is None else start.copy()
    penalty = np.full(x.shape[1], ridge)
    penalty[free] = FLOOR
    loss = _loss(x, y, theta, penalty)
    for _ in range(STEPS):
        chance = _chance(x @ theta)
        gradient = x.T @ (chance - y) + penalty * theta
        spread = np.maximum(chance * (1 - chance), 1e-9)
        move = _solve(x, spread, penalty, gradient)
        size = 1.0
        while (new := _loss(x, y, theta - size * move, penalty)) > loss and size > 1e-6:
            size /= 2
        theta, loss = theta - size * move, min(loss, new)
        if np.max(np.abs(size * move)) < ENOUGH:
            break
    return theta


def log_loss(x: FloatArray, y: FloatArray, theta: FloatArray) -> float:
    """Return the mean of -log P(y)."""
    margin = np.where(y > 0.5, 1.0, -1.0) * (x @ theta)
    return float(np.mean(np.logaddexp(0.0, -margin)))


def folds_of(sizes: Sequence[int], count: int, seed: int) -> NDArray[np.intp]:
    """Return the fold of every item; the items of each data set are spread over all folds.

    Example:
        >>> sorted(folds_of([4], 2, seed=0).tolist())
        [0, 0, 1, 1]
    """
    random = np.random.default_rng(seed)
    parts = [random.permutation(np.arange(size) % count) for size in sizes]
    return np.concatenate(parts).astype(np.intp)


def _solve(x: FloatArray, spread: FloatArray, penalty: FloatArray, gradient: FloatArray) -> FloatArray:
    """Return the step (Xᵀ S X + P)⁻¹ g, by the smaller of the two equivalent linear systems."""
    if len(x) >= x.shape[1]:
        return np.asarray(np.linalg.solve((x.T * spread) @ x + np.diag(penalty), gradient), dtype=np.float64)
    inside = x / penalty
    small = inside @ x.T + np.diag(1 / spread)
    found: FloatArray = gradient / penalty - inside.T @ np.linalg.solve(small, inside @ gradient)
    return found


def _chance(margin: FloatArray) -> FloatArray:
    found: FloatArray = 0.5 * (1 + np.tanh(0.5 * margin))
    return found


def _loss(x: FloatArray, y: FloatArray, theta: FloatArray, penalty: FloatArray) -> float:
    return log_loss(x, y, theta) * len(y) + 0.5 * float(penalty @ theta**2)

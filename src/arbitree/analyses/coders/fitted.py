"""A model of the coders after it was fitted to a table of labels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arbitree.analyses.coders.votes import FloatArray, Sample


@dataclass(frozen=True, slots=True)
class Fitted:
    """What a model says of items and coders.

    Items that nobody annotated have a posterior and an entropy of NaN, and -1 as their consensus. Coders
    who annotated nothing have a competence of NaN: the data say nothing of them.

    Args:
        posterior: (items, labels), the probability of every label.
        competence: (coders,), the share of answers that come from the truth; what exactly it is depends
            on the model, so that it can be compared between coders but not between models.
        log_likelihood: of the annotations, natural logarithm; None where nothing is modelled.
        history: the objective after each iteration of the best start; it does not decrease, except that
            of variational MACE, which is the log-likelihood and not the bound that is climbed.
        guesses: (coders, labels), what a coder says who does not know; None in models without it.
        confusion: (coders, labels, labels), the chance of each answer (last) given each truth.
        prior: (labels,), how frequent the true labels are.
    """

    posterior: FloatArray
    competence: FloatArray
    log_likelihood: float | None
    history: tuple[float, ...]
    guesses: FloatArray | None
    confusion: FloatArray
    prior: FloatArray

    @property
    def entropy(self) -> FloatArray:
        """The uncertainty about each item in nats: its difficulty."""
        return entropy_of(self.posterior)

    @property
    def consensus(self) -> NDArray[np.intp]:
        """The most probable label of each item, the first of several; -1 where nobody annotated."""
        filled = np.nan_to_num(self.posterior, nan=-1.0)
        return np.where(np.isnan(self.posterior).any(axis=1), -1, first_best(filled))


def first_best(posterior: FloatArray) -> NDArray[np.intp]:
    """Return the first column within rounding of the highest of its row, so that ties do not hang on noise.

    Example:
        >>> first_best(np.array([[0.5, 0.5 + 1e-15], [0.2, 0.8]])).tolist()
        [0, 1]
    """
    best = posterior.max(axis=1, keepdims=True)
    return np.asarray(np.argmax(posterior >= best - 1e-12, axis=1))


def entropy_of(posterior: FloatArray) -> FloatArray:
    """Return the entropy of every row in nats.

    Example:
        >>> entropy_of(np.array([[0.5, 0.5], [1.0, 0.0]])).round(4).tolist()
        [0.6931, 0.0]
    """
    logs = np.log(posterior, out=np.zeros_like(posterior), where=posterior > 0)
    found: FloatArray = np.where(np.isnan(posterior).any(axis=1), np.nan, -np.sum(posterior * logs, axis=1))
    return np.where(found == 0, 0.0, found)  # no negative zero


def unless_silent(sample: Sample, values: FloatArray) -> FloatArray:
    """Return *values* (coders,), NaN for coders who annotated nothing."""
    return np.where(sample.totals[:, 0] > 0, values, np.nan)

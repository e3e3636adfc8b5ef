"""Iterative fitting of a model, for all restarts or all resamples at once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from arbitree.annotator_models.votes import FloatArray, IntArray, Sample, Votes, label_votes


@dataclass(frozen=True, slots=True)
class Fitted:
    """The fitted model: posteriors of items and competence of annotators.

    Items without annotations have a posterior and an entropy of NaN, and a consensus of -1. Annotators
    without annotations have a competence of NaN.

    Args:
        posterior: (items, labels), the probability of every label.
        competence: (coders,), the share of answers that come from the true label. The exact definition
            depends on the model, so compare annotators, not models.
        log_likelihood: of the annotations, natural logarithm; None where nothing is modelled.
        history: the objective after each iteration of the best start. It does not decrease, except in
            variational MACE, where it is the log-likelihood and not the bound that is optimised.
        guesses: (coders, labels), the distribution of guesses; None in models without guesses.
        confusion: (coders, labels, labels), the chance of each answer (last) given each truth.
        prior: (labels,), the frequencies of the true labels.
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
        """The difficulty of each item: its entropy in nats."""
        return entropy_of(self.posterior)

    @property
    def consensus(self) -> NDArray[np.intp]:
        """The most probable label of each item, the first if several tie; -1 without annotations."""
        filled = np.nan_to_num(self.posterior, nan=-1.0)
        return np.where(np.isnan(self.posterior).any(axis=1), -1, first_best(filled))


def first_best(posterior: FloatArray) -> NDArray[np.intp]:
    """Return the first column within rounding error of the maximum of its row.

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


ITERATIONS = 50  # as the program of MACE's authors has it
FLAT = 1e-10  # a change of the objective, over itself, that ends the way
NEAR = 1e-4  # a step that moves no competence by more than this ends the way of a resample
CHUNK = 4_000_000  # posteriors held at once

P = TypeVar("P")


class IterativeModel(ABC, Generic[P]):
    """A model that is fitted iteratively.

    Parameters are named tuples of arrays. The last axis contains restarts or resamples, called columns.
    """

    @abstractmethod
    def start(self, sample: Sample, restarts: int, seed: int) -> P:
        """Return start parameters; models with one good start return one column."""

    @abstractmethod
    def step(self, sample: Sample, parameters: P) -> tuple[P, FloatArray]:
        """Return improved parameters, and the log-likelihood of the given ones."""

    @abstractmethod
    def penalty(self, parameters: P) -> FloatArray:
        """Return the contribution of priors; its sum with the log-likelihood does not decrease."""

    @abstractmethod
    def competence(self, parameters: P) -> FloatArray:
        """Return the competence of each annotator: (coders, columns)."""

    def width(self, votes: Votes) -> int:
        """Return the number of posteriors per column."""
        return len(votes.cell_value)

    @property
    def chance(self) -> FloatArray | float:
        """The probability that a guess is right, for all kinds of votes or for each; 0 without guesses."""
        return 0.0


@dataclass(frozen=True)
class LabelModel(IterativeModel[P]):
    """A model of labels, which are the same for all items.

    Args:
        size: the number of labels.
    """

    size: int

    @abstractmethod
    def fitted(self, sample: Sample, parameters: P, pattern: IntArray, history: tuple[float, ...]) -> Fitted:
        """Return the result for parameters with one column."""


class Climb(NamedTuple):
    """The best parameters (one column), their log-likelihood, and the objective after each step."""

    parameters: Any
    log_likelihood: float
    history: tuple[float, ...]


def fit_labels(
    model: LabelModel[Any],
    codes: NDArray[np.integer[Any]],
    *,
    iterations: int = ITERATIONS,
    restarts: int = 1,
    seed: int = 0,
) -> Fitted:
    """Return *model* fitted to a table of labels.

    Args:
        model: for the number of labels in the table.
        codes: (items, coders), labels as numbers from 0 to ``model.size`` - 1, negative where there is none.
        iterations: the number of iterations per restart.
        restarts: the number of random starts; the one with the highest likelihood is returned.
        seed: the random seed of the restarts.
    Example:
        >>> from arbitree.annotator_models.mace import Mace
        >>> codes = np.array([[0, 0, 1], [1, 1, 1], [0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 1]])
        >>> fit = fit_labels(Mace(2), codes, restarts=10)
        >>> fit.consensus.tolist(), bool(fit.competence[0] > fit.competence[2])
        ([0, 1, 0, 1, 0, 1], True)
    """
    votes, pattern = label_votes(codes, model.size)
    sample = Sample(votes, np.bincount(pattern, minlength=votes.patterns)[:, None].astype(float))
    found = climb(model, sample, iterations=iterations, restarts=restarts, seed=seed)
    return model.fitted(sample, found.parameters, pattern, found.history)


def climb(model: IterativeModel[Any], sample: Sample, *, iterations: int, restarts: int, seed: int) -> Climb:
    """Return the restart with the highest likelihood after *iterations*, fewer if all have converged."""
    if iterations < 1 or restarts < 1:
        raise ValueError("iterations and restarts must be at least 1")
    parameters = model.start(sample, restarts, seed)
    path: list[FloatArray] = []
    for number in range(iterations + 1):
        after, likely = model.step(sample, parameters)
        path.append(likely + model.penalty(parameters))
        if number == iterations or (
            number and np.all(np.abs(path[-1] - path[-2]) <= FLAT * np.abs(path[-1]))
        ):
            break
        parameters = after
    most = likely.max()
    best = int(np.argmax(likely >= most - FLAT * np.abs(most)))  # rounding does not decide between restarts
    history = tuple(float(each[best]) for each in path)
    return Climb(_columns(parameters, [best]), float(likely[best]), history)


def resample(model: IterativeModel[Any], votes: Votes, parameters: Any, weights: FloatArray) -> FloatArray:
    """Return the competence of each annotator in every resample: (coders, resamples).

    Every resample starts from the estimate. That saves most of the steps and prevents label switching.

    Args:
        model: the fitted model.
        votes: the votes that it was fitted to.
        parameters: the fitted parameters; one column.
        weights: (patterns, resamples).
    """
    parts = [_near(model, Sample(votes, chunk), parameters) for chunk in _chunks(model, votes, weights)]
    return np.concatenate([np.empty((votes.coders, 0)), *parts], axis=1)


def _near(model: IterativeModel[Any], sample: Sample, parameters: Any) -> FloatArray:
    """Return the competence in all columns; columns that have converged skip later steps."""
    columns = np.arange(sample.weights.shape[1])
    result = np.empty((sample.votes.coders, len(columns)))
    totals = sample.totals
    found = _columns(parameters, np.zeros(len(columns), dtype=np.intp))
    competence = model.competence(found)
    for _ in range(ITERATIONS):
        found, _ = model.step(sample, found)
        before, competence = competence, model.competence(found)
        moving = np.any(np.abs(competence - before) > NEAR, axis=0)
        result[:, columns] = competence
        if not moving.any():
            break
        if 2 * moving.sum() < len(columns):
            sample = Sample(sample.votes, sample.weights[:, moving])
            found, columns, competence = _columns(found, moving), columns[moving], competence[:, moving]
    return np.where(totals > 0, result, np.nan)


def _chunks(model: IterativeModel[Any], votes: Votes, weights: FloatArray) -> Iterator[FloatArray]:
    step = max(1, CHUNK // max(1, model.width(votes)))
    for start in range(0, weights.shape[1], step):
        yield weights[:, start : start + step]


def _columns(parameters: Any, places: Any) -> Any:
    return type(parameters)(*(each[..., places] for each in parameters))

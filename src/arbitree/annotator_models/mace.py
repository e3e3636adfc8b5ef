"""MACE: annotators know the answer with some probability, and otherwise guess from a distribution."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from arbitree.annotator_models.fitting import Fitted, LabelModel, unless_silent
from arbitree.annotator_models.votes import FloatArray, IntArray, Sample, Votes, expect, scrambled
from arbitree.plugins import check_name

METHODS = ("vb", "em")
SMOOTHING = 0.01  # over the number of labels, added to every count in EM
COMPETENCE_PRIOR = 0.5  # of knowing and of guessing, in variational Bayes
GUESS_PRIOR = 10.0  # of every label, in variational Bayes


class Parameters(NamedTuple):
    """Parameters of MACE; those of variational Bayes sum to less than 1."""

    know: FloatArray  # (coders, columns)
    guess: FloatArray  # (coders, columns)
    theta: FloatArray  # (coders, labels, columns)


@dataclass(frozen=True)
class Mace(LabelModel[Parameters]):
    """The model MACE (multi-annotator competence estimation).

    Formula:
        P(a_i | T_i = t) = ∏_j (c_j [a_ij = t] + (1 - c_j) θ_j(a_ij)), with T_i uniform over the labels
    Args:
        size: the number of labels.
        method: ``vb`` for variational Bayes with priors of 0.5 on competence and 10 on guesses, or ``em``.
            Competence under ``vb`` is slightly too low for a probability, because the expected logarithms
            behind it sum to less than 1.
    Reference:
        Hovy, Berg-Kirkpatrick, Vaswani and Hovy (2013).
    """

    method: str = "vb"

    def __post_init__(self) -> None:
        check_name(self.method, METHODS, "MACE method")

    def start(self, sample: Sample, restarts: int, seed: int) -> Parameters:
        """Return random parameters close to uniform.

        Those of a restart do not depend on the number of restarts, and those of an annotator only on the
        annotations. So the order of annotators and items does not matter.
        """
        places = np.arange(self.size + 2, dtype=np.uint64)[:, None]  # knowing, guessing, labels
        runs = scrambled(np.arange(restarts, dtype=np.uint64) ^ scrambled(np.array([seed], dtype=np.uint64)))
        numbers = scrambled(scrambled(sample.keys[:, None, None] ^ runs) + places)
        uniform = 1 + 0.5 * np.asarray((numbers >> np.uint64(11)) * 2.0**-53, dtype=np.float64)
        strategy, theta = _normalised(uniform[:, :2]), _normalised(uniform[:, 2:])
        return Parameters(strategy[:, 0], strategy[:, 1], theta)

    def step(self, sample: Sample, parameters: Parameters) -> tuple[Parameters, FloatArray]:
        """Return improved parameters, and the log-likelihood of the given ones.

        A vote for the true label comes from knowing with probability know / hit. Every other vote is a
        guess. So the expected counts follow from the posteriors alone.
        """
        miss, hit = self._chances(parameters)
        posterior, likely = expect(sample, miss, hit)
        known = sample.weigh(posterior) * (1 - miss / hit)
        guessed = np.maximum(sample.counts - known, 0)
        shape = (sample.votes.coders, self.size, known.shape[1])
        return self._maximise(known.reshape(shape).sum(axis=1), guessed.reshape(shape)), likely

    def _chances(self, parameters: Parameters) -> tuple[FloatArray, FloatArray]:
        """Return the probabilities of a wrong and of a correct vote of each kind."""
        know, guess, theta = parameters
        miss = (guess[:, None] * theta).reshape(-1, know.shape[1])
        return miss, miss + np.repeat(know, self.size, axis=0)

    def _maximise(self, known: FloatArray, guessed: FloatArray) -> Parameters:
        strategy = np.stack([known, guessed.sum(axis=1)], axis=1)
        if self.method == "em":
            smoothing = SMOOTHING / self.size
            strategy, theta = _normalised(strategy + smoothing), _normalised(guessed + smoothing)
        else:
            strategy, theta = _expected_log(strategy + COMPETENCE_PRIOR), _expected_log(guessed + GUESS_PRIOR)
        return Parameters(strategy[:, 0], strategy[:, 1], theta)

    @property
    def chance(self) -> float:
        """The probability that a guess is right; all labels are equally probable."""
        return 1 / max(self.size, 1)

    def penalty(self, parameters: Parameters) -> FloatArray:
        """Return the contribution of smoothing to the objective of EM; 0 for variational Bayes."""
        if self.method == "vb":
            return np.zeros(parameters.know.shape[-1])
        logs = sum(np.log(each).reshape(-1, each.shape[-1]).sum(axis=0) for each in parameters)
        return np.asarray(SMOOTHING / self.size * logs)

    def competence(self, parameters: Parameters) -> FloatArray:
        """Return the probability of knowing."""
        return parameters.know

    def fitted(
        self, sample: Sample, parameters: Parameters, pattern: IntArray, history: tuple[float, ...]
    ) -> Fitted:
        """Return the result for parameters with one column."""
        posterior, likely = expect(sample, *self._chances(parameters))
        know, guess, theta = (each[..., 0] for each in parameters)
        answers = know[:, None, None] * np.eye(self.size) + (guess[:, None] * theta)[:, None, :]
        return Fitted(
            posterior=dense(sample.votes, posterior[:, 0], self.size)[pattern],
            competence=unless_silent(sample, know),
            log_likelihood=float(likely[0]),
            history=history,
            guesses=theta / theta.sum(axis=1, keepdims=True),
            confusion=answers / answers.sum(axis=2, keepdims=True),
            prior=np.full(self.size, 1 / self.size),
        )


def dense(votes: Votes, posterior: FloatArray, size: int) -> FloatArray:
    """Return the posteriors of cells as a table (patterns, labels); NaN where there is no vote.

    Labels without votes share the remaining probability.
    """
    table = np.full((votes.patterns, size), np.nan)
    taken = np.bincount(votes.place, weights=posterior, minlength=len(votes.voted))
    rest = np.maximum(1 - taken, 0) / np.maximum(votes.unseen, 1)
    table[votes.voted] = rest[:, None]
    table[votes.cell_pattern, votes.cell_value] = posterior
    table /= table.sum(axis=1, keepdims=True)
    return table


def _normalised(counts: FloatArray) -> FloatArray:
    return np.asarray(counts / counts.sum(axis=1, keepdims=True))


def _expected_log(counts: FloatArray) -> FloatArray:
    """Return exp(E[log p]) of Dirichlet distributions with these parameters along axis 1."""
    from scipy.special import psi

    return np.asarray(np.exp(psi(counts) - psi(counts.sum(axis=1, keepdims=True))))

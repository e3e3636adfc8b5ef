"""The model of Dawid and Skene: a confusion matrix per annotator, and label frequencies."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from arbitree.annotator_models.fitting import Fitted, LabelModel, unless_silent
from arbitree.annotator_models.majority import vote_shares
from arbitree.annotator_models.votes import FloatArray, IntArray, Sample, Votes

SMOOTHING = 0.01  # added to every count, so that no answer is impossible


class Parameters(NamedTuple):
    """Label frequencies, and the confusion matrix of each annotator."""

    prior: FloatArray  # (truths, columns)
    confusion: FloatArray  # (coders, answers, truths, columns); sums to 1 over the answers


@dataclass(frozen=True)
class DawidSkene(LabelModel[Parameters]):
    """The model of Dawid and Skene.

    Formula:
        P(a_i | T_i = t) = ∏_j κ_j(t, a_ij), with P(T_i = t) = π_t
    Reference:
        Dawid and Skene (1979).
    """

    def start(self, sample: Sample, restarts: int, seed: int) -> Parameters:
        """Return start parameters, computed with the shares of votes as posteriors."""
        columns = sample.weights.shape[1]
        shares = np.nan_to_num(vote_shares(sample.votes, self.size))[sample.votes.voted]
        return self._maximise(sample, np.repeat(shares[:, :, None], columns, axis=2))

    def step(self, sample: Sample, parameters: Parameters) -> tuple[Parameters, FloatArray]:
        """Return improved parameters, and the log-likelihood of the given ones."""
        posterior, likely = self._expect(sample, parameters)
        return self._maximise(sample, posterior), likely

    def _expect(self, sample: Sample, parameters: Parameters) -> tuple[FloatArray, FloatArray]:
        """Return the posteriors of the patterns that have votes (voted, truths, columns), and likelihoods."""
        votes = sample.votes
        columns = parameters.prior.shape[-1]
        logs = np.log(parameters.confusion).reshape(len(votes.kind_coder), self.size * columns)
        joint = np.asarray(votes.profile @ logs)
        joint = joint.reshape(len(votes.voted), self.size, columns) + np.log(parameters.prior)
        top = joint.max(axis=1, keepdims=True)
        posterior = np.exp(joint - top)
        total = posterior.sum(axis=1, keepdims=True)
        likely = (top + np.log(total))[:, 0] * sample.weights[votes.voted]
        return posterior / total, likely.sum(axis=0)

    def _maximise(self, sample: Sample, posterior: FloatArray) -> Parameters:
        votes = sample.votes
        weighted = posterior * sample.weights[votes.voted][:, None]
        prior = weighted.sum(axis=0) + SMOOTHING
        cells = weighted[votes.place].reshape(len(votes.place), math.prod(weighted.shape[1:]))
        counts = np.asarray(votes.transposed @ cells).reshape(votes.coders, self.size, *weighted.shape[1:])
        counts += SMOOTHING
        return Parameters(prior / prior.sum(axis=0), counts / counts.sum(axis=1, keepdims=True))

    def penalty(self, parameters: Parameters) -> FloatArray:
        """Return the contribution of smoothing to the objective."""
        logs = sum(np.log(each).reshape(-1, each.shape[-1]).sum(axis=0) for each in parameters)
        return np.asarray(SMOOTHING * logs)

    def competence(self, parameters: Parameters) -> FloatArray:
        """Return the probability of a correct answer, averaged over the label frequencies."""
        return np.asarray(np.einsum("caab,ab->cb", parameters.confusion, parameters.prior))

    def width(self, votes: Votes) -> int:
        """Return the number of posteriors per column."""
        return len(votes.cell_value) * self.size

    def fitted(
        self, sample: Sample, parameters: Parameters, pattern: IntArray, history: tuple[float, ...]
    ) -> Fitted:
        """Return the result for parameters with one column."""
        posterior, likely = self._expect(sample, parameters)
        table = np.full((sample.votes.patterns, self.size), np.nan)
        table[sample.votes.voted] = posterior[..., 0]
        return Fitted(
            posterior=table[pattern],
            competence=unless_silent(sample, self.competence(parameters)[:, 0]),
            log_likelihood=float(likely[0]),
            history=history,
            guesses=None,
            confusion=parameters.confusion[..., 0].swapaxes(1, 2),
            prior=parameters.prior[:, 0],
        )

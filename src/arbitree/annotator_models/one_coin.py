"""The one-coin model: each annotator is right with one probability, otherwise errors are uniform."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from arbitree.annotator_models.fitting import Fitted, LabelModel, unless_silent
from arbitree.annotator_models.mace import dense
from arbitree.annotator_models.majority import winners
from arbitree.annotator_models.votes import FloatArray, IntArray, Sample, Votes, expect

SMOOTHING = 0.01  # added to the counts of right and of wrong answers


class Parameters(NamedTuple):
    """The probability of a correct answer."""

    right: FloatArray  # (coders, columns)


@dataclass(frozen=True)
class OneCoin(LabelModel[Parameters]):
    """The one-coin model.

    Formula:
        P(a_i | T_i = t) = ∏_j (p_j where a_ij = t, else (1 - p_j) / (L - 1)), with T_i uniform over L labels
    Reference:
        Zhang, Chen, Zhou and Jordan (2016); a Dawid and Skene (1979) model with one parameter.
    """

    def start(self, sample: Sample, restarts: int, seed: int) -> Parameters:
        """Return start parameters, computed with the majority as true labels."""
        return self._maximise(
            sample, np.repeat(winners(sample.votes)[:, None], sample.weights.shape[1], axis=1)
        )

    def step(self, sample: Sample, parameters: Parameters) -> tuple[Parameters, FloatArray]:
        """Return improved parameters, and the log-likelihood of the given ones."""
        posterior, likely = expect(sample, *self._chances(sample.votes, parameters))
        return self._maximise(sample, posterior), likely

    def _chances(self, votes: Votes, parameters: Parameters) -> tuple[FloatArray, FloatArray]:
        hit = parameters.right[votes.kind_coder]
        return (1 - hit) / max(self.size - 1, 1), hit

    def _maximise(self, sample: Sample, posterior: FloatArray) -> Parameters:
        right = np.asarray(sample.votes.coders_of_kinds @ sample.weigh(posterior))
        return Parameters((right + SMOOTHING) / (sample.totals + 2 * SMOOTHING))

    def penalty(self, parameters: Parameters) -> FloatArray:
        """Return the contribution of smoothing to the objective."""
        right = parameters.right
        return np.asarray(SMOOTHING * np.sum(np.log(right) + np.log1p(-right), axis=0))

    def competence(self, parameters: Parameters) -> FloatArray:
        """Return the probability of a correct answer."""
        return parameters.right

    def fitted(
        self, sample: Sample, parameters: Parameters, pattern: IntArray, history: tuple[float, ...]
    ) -> Fitted:
        """Return the result for parameters with one column."""
        posterior, likely = expect(sample, *self._chances(sample.votes, parameters))
        right = parameters.right[:, 0, None, None]
        other = (1 - right) / max(self.size - 1, 1)
        return Fitted(
            posterior=dense(sample.votes, posterior[:, 0], self.size)[pattern],
            competence=unless_silent(sample, parameters.right[:, 0]),
            log_likelihood=float(likely[0]),
            history=history,
            guesses=None,
            confusion=np.where(np.eye(self.size, dtype=bool), right, other),
            prior=np.full(self.size, 1 / self.size),
        )

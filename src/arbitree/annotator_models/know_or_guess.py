"""The know-or-guess model: annotators know the true value with one probability, or guess uniformly.

The possible values may differ between items: a longer sentence has more possible heads.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from arbitree.annotator_models.fitting import IterativeModel
from arbitree.annotator_models.majority import winners
from arbitree.annotator_models.votes import FloatArray, Sample, Votes, expect

SMOOTHING = 0.01  # added to the counts of known and of guessed answers


class Parameters(NamedTuple):
    """The probability that each annotator knows the true value."""

    know: FloatArray  # (coders, columns)


@dataclass(frozen=True, eq=False)
class KnowOrGuess(IterativeModel[Parameters]):
    """The model P(a | T) = c_j [a = T] + (1 - c_j) g, with one g per kind of vote."""

    guess: FloatArray  # (kinds,)

    @property
    def chance(self) -> FloatArray:
        """The probability that a guess is right, for each kind of vote."""
        return self.guess

    def start(self, sample: Sample, restarts: int, seed: int) -> Parameters:
        """Return start parameters, computed with the majority as true values."""
        won = np.repeat(winners(sample.votes)[:, None], sample.weights.shape[1], axis=1)
        return self._maximise(sample, sample.weigh(won))

    def step(self, sample: Sample, parameters: Parameters) -> tuple[Parameters, FloatArray]:
        """Return improved parameters, and the log-likelihood of the given ones."""
        miss, hit = self._chances(sample.votes, parameters)
        posterior, likely = expect(sample, miss, hit)
        return self._maximise(sample, sample.weigh(posterior) * (1 - miss / hit)), likely

    def posterior(self, sample: Sample, parameters: Parameters) -> FloatArray:
        """Return the posterior of every cell: (cells, columns)."""
        return expect(sample, *self._chances(sample.votes, parameters))[0]

    def _chances(self, votes: Votes, parameters: Parameters) -> tuple[FloatArray, FloatArray]:
        know = parameters.know[votes.kind_coder]
        miss = (1 - know) * self.guess[:, None]
        return miss, miss + know

    def _maximise(self, sample: Sample, known: FloatArray) -> Parameters:
        total = np.asarray(sample.votes.coders_of_kinds @ known)
        return Parameters((total + SMOOTHING) / (sample.totals + 2 * SMOOTHING))

    def penalty(self, parameters: Parameters) -> FloatArray:
        """Return the contribution of smoothing to the objective."""
        know = parameters.know
        return np.asarray(SMOOTHING * np.sum(np.log(know) + np.log1p(-know), axis=0))

    def competence(self, parameters: Parameters) -> FloatArray:
        """Return the probability of knowing the true value."""
        return parameters.know

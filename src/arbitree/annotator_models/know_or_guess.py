"""Coders who see the truth with one probability, and else take any of the possible values alike.

The values need not be the same for all items: heads are places in a sentence, and a longer sentence has more.
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
    """The chance to see the truth."""

    know: FloatArray  # (coders, columns)


@dataclass(frozen=True, eq=False)
class KnowOrGuess(IterativeModel[Parameters]):
    """The model P(a | T) = c_j [a = T] + (1 - c_j) g, with one g for every kind of vote."""

    guess: FloatArray  # (kinds,)

    def start(self, sample: Sample, restarts: int, seed: int) -> Parameters:
        """Return what follows from taking the majority for the truth."""
        won = np.repeat(winners(sample.votes)[:, None], sample.weights.shape[1], axis=1)
        return self._maximise(sample, sample.weigh(won))

    def step(self, sample: Sample, parameters: Parameters) -> tuple[Parameters, FloatArray]:
        """Return better parameters, and the log-likelihood of those given."""
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
        """Return what smoothing adds to the objective."""
        know = parameters.know
        return np.asarray(SMOOTHING * np.sum(np.log(know) + np.log1p(-know), axis=0))

    def competence(self, parameters: Parameters) -> FloatArray:
        """Return the chance to see the truth."""
        return parameters.know

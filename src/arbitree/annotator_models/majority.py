"""The majority model: all votes have the same weight."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from arbitree.annotator_models.fitting import Fitted, LabelModel, unless_silent
from arbitree.annotator_models.votes import FloatArray, IntArray, Sample, Votes


class Parameters(NamedTuple):
    """The share of each annotator's votes that match the majority."""

    agreement: FloatArray  # (coders, columns)


@dataclass(frozen=True)
class Majority(LabelModel[Parameters]):
    """Shares of votes, and the agreement of each annotator with the majority; one step is enough.

    Competence counts a vote for one of m tied values as 1/m, and excludes items with one vote. The consensus
    is the first of the tied values.
    """

    def start(self, sample: Sample, restarts: int, seed: int) -> Parameters:
        """Return empty parameters."""
        return Parameters(np.full((sample.votes.coders, 1), 0.5))

    def step(self, sample: Sample, parameters: Parameters) -> tuple[Parameters, FloatArray]:
        """Return the agreement with the majority; tied values share the vote.

        Items with a single vote do not count, because their majority is that vote.
        """
        columns = sample.weights.shape[1]
        winning = np.repeat(winners(sample.votes)[:, None], columns, axis=1)
        shared = Sample(sample.votes, sample.weights.copy())
        shared.weights[sample.votes.single] = 0
        won = np.asarray(sample.votes.coders_of_kinds @ shared.weigh(winning))
        with np.errstate(invalid="ignore"):
            return Parameters(won / shared.totals), np.zeros(columns)

    def penalty(self, parameters: Parameters) -> FloatArray:
        """Return 0."""
        return np.zeros(parameters.agreement.shape[-1])

    def competence(self, parameters: Parameters) -> FloatArray:
        """Return the agreement with the majority."""
        return parameters.agreement

    def fitted(
        self, sample: Sample, parameters: Parameters, pattern: IntArray, history: tuple[float, ...]
    ) -> Fitted:
        """Return the shares of votes as posteriors."""
        posterior = vote_shares(sample.votes, self.size)
        counts = confusion_counts(sample, posterior, self.size)
        return Fitted(
            posterior=posterior[pattern],
            competence=unless_silent(sample, parameters.agreement[:, 0]),
            log_likelihood=None,
            history=(),
            guesses=None,
            confusion=counts / np.maximum(counts.sum(axis=2, keepdims=True), 1e-300),
            prior=_frequency(sample, posterior),
        )


def winners(votes: Votes) -> FloatArray:
    """Return 1/m for every cell that is one of m cells with the most votes of its pattern, otherwise 0."""
    counts = np.asarray(votes.matrix.sum(axis=1), dtype=float)
    if not len(counts):
        return counts
    best = (counts == np.maximum.reduceat(counts, votes.starts)[votes.place]).astype(float)
    return np.asarray(best / np.bincount(votes.place, weights=best)[votes.place])


def vote_shares(votes: Votes, size: int) -> FloatArray:
    """Return the share of votes for each label: (patterns, labels); NaN where there is no vote."""
    table = np.zeros((votes.patterns, size))
    table[votes.cell_pattern, votes.cell_value] = votes.matrix.sum(axis=1)
    total = table.sum(axis=1, keepdims=True)
    return np.asarray(np.divide(table, total, out=np.full_like(table, np.nan), where=total > 0))


def confusion_counts(sample: Sample, posterior: FloatArray, size: int) -> FloatArray:
    """Return the expected count of each label (last axis) per annotator and true label, under *posterior*.

    Args:
        sample: of votes for labels, with one column.
        posterior: (patterns, labels).
        size: the number of labels.
    """
    votes = sample.votes
    truths = np.nan_to_num(posterior)[votes.cell_pattern] * sample.weights[votes.cell_pattern]
    counts = np.asarray(votes.transposed @ truths)  # (coders x answers, truths)
    return counts.reshape(votes.coders, size, size).swapaxes(1, 2)


def _frequency(sample: Sample, posterior: FloatArray) -> FloatArray:
    total = np.sum(np.nan_to_num(posterior) * sample.weights, axis=0)
    return np.asarray(total / max(total.sum(), 1e-300))

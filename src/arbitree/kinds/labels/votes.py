"""Annotator models for studies of labels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arbitree.annotator_models.dawid_skene import DawidSkene
from arbitree.annotator_models.fitting import ITERATIONS, Fitted, LabelModel, climb, resample
from arbitree.annotator_models.mace import Mace
from arbitree.annotator_models.majority import Majority, confusion_counts
from arbitree.annotator_models.model import (
    AnnotatorModel,
    CoderConfusion,
    ModelOutcome,
    clusters_of,
    confusion_rows,
    group_sizes,
    pattern_weights,
    unannotated,
)
from arbitree.annotator_models.one_coin import OneCoin
from arbitree.annotator_models.votes import FloatArray, IntArray, Sample, informative, label_votes
from arbitree.kinds.labels.value import Tags, ratings
from arbitree.measures.resampling import Resampling
from arbitree.study.study import Study


@dataclass(frozen=True, slots=True)
class LabelAnnotators(AnnotatorModel[Any]):
    """An annotator model for labels.

    Args:
        about: Definition of competence in this model.
        make: Function from the number of labels and the name of a method to the model.
        references: Keys of the papers that define the model.
        restarted: Whether the model has methods and is restarted from random parameters.
    """

    about: str
    make: Callable[[int, str], LabelModel[Any]]
    references: tuple[str, ...] = ()
    restarted: bool = False

    def __call__(
        self, study: Study[Any], resampling: Resampling, *, method: str, restarts: int
    ) -> ModelOutcome:
        """Return the estimates of the model; restarts use the seed of the resamples."""
        table = ratings(study)
        codes, size = np.asarray(table.codes), len(table.values)
        model = self.make(size, method)
        votes, pattern = label_votes(codes, size)
        annotated = (codes >= 0).any(axis=1)
        used = np.flatnonzero(annotated)
        cluster = clusters_of(study, used.tolist())
        weights = pattern_weights(study, resampling, pattern[used], cluster, votes.patterns)
        sample = Sample(votes, weights[:, :1])
        best = climb(model, sample, iterations=ITERATIONS, restarts=restarts, seed=resampling.seed)
        fit = model.fitted(sample, best.parameters, pattern, best.history)
        present = (codes >= 0).astype(float)
        shared = (present.T @ present).astype(np.intp)
        likely = _likely(fit.posterior, codes)
        settled = _settled(codes, shared)
        likely[settled] = np.arange(size) == codes.max(axis=1)[settled, None]
        chosen = np.where(likely.any(axis=1), np.argmax(likely, axis=1), -1)
        given = (codes >= 0).sum(axis=0)
        return ModelOutcome(
            competence=fit.competence,
            draws=resample(model, votes, best.parameters, weights[:, 1:]),
            answers=informative(sample, model.chance),
            clusters=_clusters(codes, study.columns),
            agreement=_agreement(likely, codes, given),
            annotations=given,
            entropy=fit.entropy,
            consensus=tuple(table.values[code] if code >= 0 else None for code in chosen.tolist()),
            ties=_ties(fit.posterior, table.values),
            shared=shared,
            members=np.unique(cluster),
            varied=size > 1,
            confusion=_confusion(study, sample, fit, pattern, [str(value) for value in table.values]),
            details=self._details(method, restarts, fit, size),
            ignored=tuple(
                unannotated(study.items[place], 0) for place in np.flatnonzero(~annotated).tolist()
            ),
            notes=("the model treats every distinct set or distribution of tags as a separate category",)
            * (study.value_type is Tags),
        )

    def _details(self, method: str, restarts: int, fit: Fitted, size: int) -> dict[str, Any]:
        details: dict[str, Any] = {"labels": size}
        if fit.log_likelihood is not None:
            details |= {"log_likelihood": fit.log_likelihood, "iterations": ITERATIONS}
        return details | ({"method": method, "restarts": restarts} if self.restarted else {})


def _clusters(codes: NDArray[np.integer[Any]], columns: IntArray) -> IntArray:
    """Return the number of clusters that each annotator shares with another annotator."""
    coders = codes.shape[1]
    items, who = np.nonzero((codes >= 0) & ((codes >= 0).sum(axis=1) > 1)[:, None])
    return np.bincount(np.unique(columns[items] * coders + who) % coders, minlength=coders)


def _settled(codes: NDArray[np.integer[Any]], shared: IntArray) -> NDArray[np.bool_]:
    """Return which items have one label, by one or two annotators who share no item with a third.

    Nothing tells how good these annotators are, so no model may replace a label on which they agree.
    """
    _, sizes = group_sizes(shared)
    least = np.where(codes >= 0, codes, codes.max(initial=0)).min(axis=1)
    few = (sizes <= 2)[np.argmax(codes >= 0, axis=1)]
    return np.asarray((codes.max(axis=1) >= 0) & (least == codes.max(axis=1)) & few)


def tied_codes(posterior: FloatArray) -> NDArray[np.bool_]:
    """Return which labels have the highest probability of their item, within rounding: (items, labels)."""
    filled = np.nan_to_num(posterior, nan=-1.0)
    highest = filled.max(axis=1, keepdims=True, initial=-1)
    return np.asarray((filled >= highest - 1e-12) & (filled >= 0))


def _ties(posterior: FloatArray, values: Sequence[Any]) -> tuple[tuple[Any, ...], ...]:
    """Return the values with equal probability for every item; empty if one value is the best."""
    tied = tied_codes(posterior)
    found: list[tuple[Any, ...]] = [()] * len(tied)
    for place in np.flatnonzero(tied.sum(axis=1) > 1).tolist():
        found[place] = tuple(values[code] for code in np.flatnonzero(tied[place]).tolist())
    return tuple(found)


def _likely(posterior: FloatArray, codes: Any) -> NDArray[np.bool_]:
    """Return which labels may be the consensus: the most probable, among these those with most votes.

    Example:
        >>> even = [0.5, 0.5]
        >>> _likely(np.array([even, even, [np.nan, np.nan]]), np.array([[1, 1], [0, 1], [-1, -1]]))
        array([[False,  True],
               [ True,  True],
               [False, False]])
    """
    size = posterior.shape[1]
    item, coder = np.nonzero(codes >= 0)
    cells = item * size + codes[item, coder]
    votes = np.bincount(cells, minlength=len(codes) * size).reshape(len(codes), size)
    found = np.where(tied_codes(posterior), votes, -1)
    return np.asarray((found == found.max(axis=1, keepdims=True)) & votes.any(axis=1, keepdims=True))


def _agreement(likely: NDArray[np.bool_], codes: NDArray[np.integer[Any]], given: IntArray) -> FloatArray:
    """Return how often each annotator has the consensus label; one of m tied labels counts 1/m."""
    item, coder = np.nonzero(codes >= 0)
    shares = likely[item, codes[item, coder]] / np.maximum(likely.sum(axis=1)[item], 1)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.bincount(coder, weights=shares, minlength=codes.shape[1]) / given)


def _confusion(
    study: Study[Any], sample: Sample, fit: Fitted, pattern: IntArray, names: list[str]
) -> tuple[CoderConfusion, ...]:
    posterior = np.full((sample.votes.patterns, len(names)), np.nan)
    posterior[pattern] = fit.posterior
    table = confusion_counts(sample, posterior, len(names))
    where = np.argwhere(table > 0)
    counts = {(c, names[t], names[a]): float(table[c, t, a]) for c, t, a in where.tolist()}
    return confusion_rows(study.coders, counts)


RIGHT = "the estimated probability that the annotator gives the correct label"
MODELS = {
    "mace": LabelAnnotators(
        "the estimated probability that the annotator knows the correct label instead of guessing",
        Mace,
        ("hovy2013",),
        restarted=True,
    ),
    "dawid_skene": LabelAnnotators(RIGHT, lambda size, method: DawidSkene(size), ("dawid-skene1979",)),
    "one_coin": LabelAnnotators(RIGHT, lambda size, method: OneCoin(size), ("dawid-skene1979", "zhang2016")),
    "majority": LabelAnnotators(
        "the share of annotations that match the majority", lambda size, method: Majority(size)
    ),
}

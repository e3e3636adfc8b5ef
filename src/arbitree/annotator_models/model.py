"""The interface of annotator models, their results, and functions that models of all kinds share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from arbitree.annotator_models.votes import FloatArray, IntArray
from arbitree.measures.resampling import Resampling, are_many
from arbitree.study.comparable import annotated, tokens_match
from arbitree.study.result import Ignored
from arbitree.study.study import Item, Study

LEAST = 0.005  # expected counts below this are not listed
TIED = 1e-9  # weights that differ by less are equal

V = TypeVar("V")


class Ordered(Protocol):
    """A value that can be sorted."""

    def __lt__(self, other: Any, /) -> bool: ...

    def __hash__(self) -> int: ...


T = TypeVar("T", bound=Ordered)


@dataclass(frozen=True, slots=True)
class CoderConfusion:
    """How often an annotator gave *answer* where the consensus is *truth*; None means no bracket."""

    coder: str
    truth: str | None
    answer: str | None
    count: float
    share: float  # of the coder's annotations with this truth, or of those with none


@dataclass(frozen=True, slots=True)
class ModelOutcome:
    """Result of a model: competence of annotators, difficulty of items, and consensus.

    Args:
        competence: (coders,); NaN where it is undefined.
        draws: (coders, resamples), the competence in every resample.
        answers: (coders,), the number of labels, tokens or brackets behind the competence, less those that a
            guess gets right by chance.
        clusters: (coders,), the number of sentences (or items) that they come from.
        agreement: (coders,), the share of answers that equal the consensus.
        annotations: (coders,), the number of annotations that the model could use.
        entropy: (items,), the difficulty in nats; NaN for items that were not used.
        consensus: (items,), the values; None for items that were not used.
        shared: (coders, coders), the number of items that two annotators share.
        members: the clusters that were used.
        ties: (items,), the values that are as probable as the consensus, including it; none without a tie.
        varied: whether there is more than one value to choose from.
        confusion: the confusion of each annotator.
        details: further values for the result.
        ignored: items that were not used, with the reason.
        notes: notes for the reader of the results.
    """

    competence: FloatArray
    draws: FloatArray
    answers: FloatArray
    clusters: IntArray
    agreement: FloatArray
    annotations: IntArray
    entropy: FloatArray
    consensus: tuple[Any, ...]
    ties: tuple[tuple[Any, ...], ...]
    shared: NDArray[np.integer[Any]]
    members: IntArray
    varied: bool
    confusion: tuple[CoderConfusion, ...]
    details: Mapping[str, Any] = field(default_factory=dict)
    ignored: tuple[Ignored, ...] = ()
    notes: tuple[str, ...] = ()


class AnnotatorModel(ABC, Generic[V]):
    """An annotator model; ``kind.models`` maps names to models, the default first."""

    about: str  # the meaning of competence, as a noun phrase
    references: tuple[str, ...] = ()  # keys of the papers behind the model

    @abstractmethod
    def __call__(
        self, study: Study[V], resampling: Resampling, *, method: str, restarts: int
    ) -> ModelOutcome:
        """Return the model fitted to *study*.

        Args:
            study: a study with at least two annotators.
            resampling: resamples of clusters for the intervals; the restarts use its seed too.
            method: the method of MACE, ``vb`` or ``em``; other models ignore it.
            restarts: the number of restarts of MACE; other models have one start.
        """


class Usable(NamedTuple):
    """The items that a model can use: their positions in the study, and annotations with annotators."""

    places: list[int]
    annotations: list[list[tuple[int, Any]]]
    ignored: tuple[Ignored, ...]


def usable_trees(study: Study[Any]) -> Usable:
    """Return the items whose trees have the same number of tokens; an empty tree counts as missing."""
    numbers = {coder: number for number, coder in enumerate(study.coders)}
    places, annotations, ignored = [], [], []
    for place, (item, cells) in enumerate(study):
        full = annotated(cells)
        if not full:
            ignored.append(unannotated(item, len(cells)))
        elif tokens_match([cell.value for cell in full]):
            places.append(place)
            annotations.append([(numbers[cell.coder], cell.value) for cell in full])
        else:
            counted = ", ".join(f"{cell.coder} {len(cell.value)}" for cell in full)
            ignored.append(Ignored(item.id, "token_mismatch", f"tokens: {counted}"))
    return Usable(places, annotations, tuple(ignored))


class Choice:
    """Chooses between values with the same support, so that the order of annotators does not matter.

    Args:
        rank: which of tied values to choose, in ascending order; the last one if there are fewer.
    """

    def __init__(self, rank: int = 0) -> None:
        self.rank = rank
        self.most = 1  # values that tied at once

    def of(self, weights: Mapping[T, float]) -> T:
        """Return the value with the highest weight.

        Example:
            >>> Choice().of({"b": 2, "a": 2, "c": 1}), Choice(1).of({"b": 2, "a": 2, "c": 1})
            ('a', 'b')
        """
        if len(weights) == 1:
            return next(iter(weights))
        highest = max(weights.values())
        tied = sorted(value for value, weight in weights.items() if weight >= highest - TIED)
        self.most = max(self.most, len(tied))
        return tied[min(self.rank, len(tied) - 1)]


def chosen_values(build: Callable[[Choice], V]) -> list[V]:
    """Return the value that *build* makes, followed by the others if choices tied."""
    first = Choice()
    found = [build(first)]
    for rank in range(1, first.most):
        other = build(Choice(rank))
        if other not in found:
            found.append(other)
    return found


def shared_lines(versions: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """Return the lines that all versions contain, such as comments.

    Example:
        >>> shared_lines([("# by ann", "# sent_id = 1"), ("# sent_id = 1", "# by bob")])
        ('# sent_id = 1',)
    """
    found = list(versions)
    shared = set(found[0]).intersection(*found[1:])
    return min(tuple(line for line in version if line in shared) for version in found)


def unannotated(item: Item, empty: int) -> Ignored:
    """Return the reason why an item has no usable annotation."""
    if empty:
        return Ignored(item.id, "empty_tree", "empty for all annotators")
    return Ignored(item.id, "no_annotation", "no annotations")


def shared_items(study: Study[Any], annotations: Sequence[Sequence[tuple[int, Any]]]) -> NDArray[np.intp]:
    """Return the number of items that each pair of annotators shares: (coders, coders)."""
    present = np.zeros((len(annotations), len(study.coders)), dtype=np.intp)
    for row, found in zip(present, annotations, strict=True):
        row[[coder for coder, _ in found]] = 1
    return np.asarray(present.T @ present)


def group_sizes(shared: NDArray[np.integer[Any]]) -> tuple[IntArray, IntArray]:
    """Return the group of each annotator, and its size; annotators of different groups share no item.

    Example:
        >>> group_sizes(np.array([[4, 2, 0], [2, 3, 0], [0, 0, 1]]))
        (array([0, 0, 1]), array([2, 2, 1]))
    """
    from scipy.sparse.csgraph import connected_components

    groups = np.asarray(connected_components(shared, directed=False)[1], dtype=np.intp)
    return groups, np.bincount(groups)[groups]


def counted(annotations: Sequence[Sequence[tuple[int, Any]]], coders: int) -> IntArray:
    """Return the number of *annotations* of each annotator."""
    numbers = [coder for found in annotations for coder, _ in found]
    return np.bincount(np.array(numbers, dtype=np.intp), minlength=coders)


def clusters_of(study: Study[Any], places: Sequence[int]) -> IntArray:
    """Return the number of the cluster of each item at *places*."""
    return np.asarray(study.columns[np.asarray(places, dtype=np.intp)], dtype=np.intp)


def count_clusters(
    cluster: IntArray, annotations: Sequence[Sequence[tuple[int, Any]]], coders: int
) -> IntArray:
    """Return the number of clusters that each annotator shares with another annotator.

    Args:
        cluster: the cluster of every item used.
        annotations: the annotations of every item used, with the numbers of the annotators.
        coders: the number of annotators.
    Example:
        >>> count_clusters(np.array([0, 0, 1]), [[(0, "a"), (1, "a")], [(0, "b")], [(0, "b"), (1, "a")]], 2)
        array([2, 2])
    """
    pairs = zip(cluster.tolist(), annotations, strict=True)
    found = {(place, coder) for place, given in pairs if len(given) > 1 for coder, _ in given}
    return np.bincount(np.array([coder for _, coder in found], dtype=np.intp), minlength=coders)


def pattern_weights(
    study: Study[Any], resampling: Resampling, pattern: IntArray, cluster: IntArray, patterns: int
) -> FloatArray:
    """Return the weight of each pattern: (patterns, 1 + resamples), the first column for the estimate.

    If every item is its own cluster and there are many items per pattern, the items of a pattern are drawn
    together.

    Args:
        study: the study whose clusters are resampled.
        resampling: the resamples.
        pattern: the pattern of every item used.
        cluster: the cluster of every item used.
        patterns: the number of patterns.
    """
    from scipy.sparse import csr_array

    counts = np.bincount(pattern, minlength=patterns).astype(np.float64)
    used = np.flatnonzero(counts)
    if len(np.unique(cluster)) == len(cluster) and are_many(len(cluster), len(used)):
        weights = np.zeros((patterns, 1 + resampling.resamples))
        weights[:, 0] = counts
        weights[used, 1:] = np.concatenate([np.empty((0, len(used))), *resampling.together(counts[used])]).T
        return weights
    clusters = study.cluster_count
    shape = (patterns, clusters)
    table = csr_array((np.ones(len(pattern)), (pattern, cluster)), shape=shape)
    rows = resampling.rows(np.unique(cluster), clusters)
    return np.concatenate([np.asarray(table @ chunk.T) for chunk in rows], axis=1)


def confusion_rows(
    coders: Sequence[str], counts: Mapping[tuple[int, Any, Any], float]
) -> tuple[CoderConfusion, ...]:
    """Return the rows of a confusion table from counts by annotator, truth and answer, without tiny counts.

    Example:
        >>> confusion_rows(["ann"], {(0, "N", "N"): 3.0, (0, "N", "V"): 1.0})[1]
        CoderConfusion(coder='ann', truth='N', answer='V', count=1.0, share=0.25)
    """
    totals: dict[tuple[int, Any], float] = {}
    for (coder, truth, _), count in counts.items():
        totals[coder, truth] = totals.get((coder, truth), 0.0) + count
    found = [
        CoderConfusion(coders[coder], truth, answer, float(count), float(count / totals[coder, truth]))
        for (coder, truth, answer), count in counts.items()
        if count >= LEAST
    ]
    order = {coder: number for number, coder in enumerate(coders)}
    return tuple(
        sorted(found, key=lambda row: (order[row.coder], row.truth or "", -row.count, row.answer or ""))
    )

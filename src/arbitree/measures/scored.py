"""The value of a measure over a study or some of its items, with its interval."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arbitree.measures.jackknife import Score
from arbitree.measures.measure import FloatArray, Measure, Prepared, S
from arbitree.measures.resampling import Flags, Resampling, Sample
from arbitree.study.comparable import cluster_positions
from arbitree.study.result import Interval
from arbitree.study.study import Item, Study

LARGE = 10_000  # clusters of a study, from which on a group is computed without the others


@dataclass(frozen=True, slots=True)
class Scored:
    """A value or None, its status, its interval, and the weights used."""

    value: float | None
    status: str
    interval: Interval | None
    used: Sequence[Item]
    weights: FloatArray  # (1, clusters)
    highest: float | None = None  # value of identical annotators, if it is stated; may be NaN


def sample_of(
    study: Study[Any], measure: Measure[S], stats: S, members: NDArray[np.intp] | None = None
) -> Sample:
    """Return the value of *measure* over some clusters, by default all usable clusters of *stats*."""
    if members is None:
        members = np.flatnonzero(np.bincount(stats.columns, minlength=study.cluster_count))
    return _sample(measure, stats, members, study.cluster_count, lambda: study.clusters, study)


def _sample(
    measure: Measure[S],
    stats: S,
    members: NDArray[np.intp],
    clusters: int,
    names: Callable[[], Sequence[str]],
    study: Study[Any],
) -> Sample:
    """Return the value of *measure* over the clusters *members* of *stats*.

    Args:
        measure, stats: the measure and its statistics.
        members: the clusters with a weight.
        clusters: the number of clusters of *stats*.
        names: returns their names.
        study: the study.
    """

    def evidence() -> tuple[Flags, Flags]:
        columns = used_columns(study, stats)
        apart, equal = (
            np.bincount(columns, shown, minlength=clusters) > 0 for shown in measure.item_evidence(stats)
        )
        return apart, equal

    def together(first: NDArray[np.intp], counts: FloatArray) -> Score | None:
        distinct = stats.distinct(first, counts)
        return None if distinct is None else lambda rows: measure.score(distinct, rows)

    def joined(blocks: NDArray[np.intp], count: int) -> Score | None:
        found = stats.joined(blocks, count)
        return None if found is None else lambda rows: measure.score(found, rows)

    return Sample(
        score=lambda rows: measure.score(stats, rows),
        members=members,
        clusters=clusters,
        names=names,
        extent=lambda weights: measure.extent(stats, weights),
        evidence=evidence,
        without=lambda weights: measure.without(stats, weights),
        alike=lambda: measure.alike(stats),
        groups=lambda: measure.drawn_together(stats),
        together=together,
        joined=joined,
    )


def used_columns(study: Study[Any], stats: Prepared) -> NDArray[np.intp]:
    """Return the column of the cluster of every used item."""
    found = stats.used_columns
    if found is not None:
        return found
    places = cluster_positions(study)
    return np.array([places[item.cluster] for item in stats.used], dtype=np.intp)


def score_items(
    study: Study[Any],
    measure: Measure[S],
    stats: S,
    resampling: Resampling,
    places: NDArray[np.intp] | None = None,
) -> Scored:
    """Return the value of *measure* over the used items at *places*, by default over all usable ones."""
    chosen = stats.used
    if places is None:
        sample = sample_of(study, measure, stats)
    else:
        chosen = tuple(map(chosen.__getitem__, places.tolist()))
        stats, sample = _part(study, measure, stats, np.unique(used_columns(study, stats)[places]))
    interval = resampling.interval(sample)  # first: resamples compute the value too
    value = None if np.isnan(sample.value) else sample.value
    status, highest = measure.status(value, len(chosen)), measure.highest(stats, sample.weights)
    return Scored(value, status, interval, chosen, sample.weights, highest)


def _part(study: Study[Any], measure: Measure[S], stats: S, members: NDArray[np.intp]) -> tuple[S, Sample]:
    """Return the value over some clusters; in a large study from statistics of these clusters alone."""
    if study.cluster_count > LARGE:
        part = stats.distinct(members, np.ones(len(members)))
        if part is not None:
            own = np.arange(len(members))
            return part, _sample(measure, part, own, len(own), lambda: _names(study, members), study)
    return stats, sample_of(study, measure, stats, members)


def _names(study: Study[Any], members: NDArray[np.intp]) -> list[str]:
    names = study.clusters
    return [names[place] for place in members.tolist()]

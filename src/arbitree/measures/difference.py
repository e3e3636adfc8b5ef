"""Differences between two values, with intervals: two measures on one study, or one on two studies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arbitree.backends.base import Run
from arbitree.backends.threads import Threads
from arbitree.errors import UnsupportedStudy
from arbitree.kinds.kind import Kind
from arbitree.measures.evaluate import check_coders
from arbitree.measures.measure import FloatArray, Preparation
from arbitree.measures.options import fitting, measure_named
from arbitree.measures.resampling import Resampling, tail_p
from arbitree.study.result import Table
from arbitree.study.study import Study

COLUMNS = ("what", "first", "second", "difference", "low", "high", "p")


def measure_differences(
    study: Study[Any],
    kind: Kind[Any],
    measures: Sequence[str] = (),
    *,
    resampling: Resampling | None = None,
    run: Run | None = None,
) -> Table:
    """Return the difference between the first of *measures* and each other, on the same resamples of *study*.

    Returns:
        One row per measure: the values, their difference, its interval, and p, which is twice the share of
        resamples in which the difference is 0 or has the opposite sign.
    """
    resampling = resampling or Resampling()
    names = list(measures or fitting(study, kind))
    if len(names) < 2:
        raise UnsupportedStudy(
            "a difference needs at least two measures", hint="Use --measure at least twice"
        )
    prepared = Preparation(study, run or Threads())
    drawn = [_Drawn(prepared, kind, name) for name in names]
    members = np.unique(np.concatenate([each.members for each in drawn]))
    first, *others = (each.scores(resampling, members) for each in drawn)
    rows = [
        _row(f"{names[0]} - {name}", first, scores, resampling)
        for name, scores in zip(names[1:], others, strict=True)
    ]
    return Table(COLUMNS, tuple(rows))


def study_differences(
    study: Study[Any],
    other: Study[Any],
    kinds: tuple[Kind[Any], Kind[Any]],
    measures: Sequence[str] = (),
    *,
    resampling: Resampling | None = None,
    run: Run | None = None,
) -> Table:
    """Return the differences of *measures* between *study* and *other*, which have these *kinds*.

    Resamples are paired if both studies have the same clusters in the same order, otherwise independent.
    """
    for each in (study, other):
        check_coders(each)
    resampling = resampling or Resampling()
    ours, theirs = kinds
    names = list(measures) or [name for name in fitting(study, ours) if name in fitting(other, theirs)]
    if not names:
        what = f"no measure can compare {study.kind} annotations with {other.kind} annotations"
        raise UnsupportedStudy(what, hint="Compare studies of the same kind")
    paired = study.clusters == other.clusters
    apart = resampling if paired else replace(resampling, seed=resampling.seed + 1)
    prepared = [Preparation(each, run or Threads()) for each in (study, other)]
    rows = []
    for name in names:
        first, second = (_Drawn(each, kind, name) for each, kind in zip(prepared, kinds, strict=True))
        if paired:
            members = np.unique(np.concatenate([first.members, second.members]))
            pair = (first.scores(resampling, members), second.scores(apart, members))
        else:
            pair = (first.scores(resampling, first.members), second.scores(apart, second.members))
        rows.append(_row(name, *pair, resampling))
    return Table(COLUMNS, tuple(rows))


class _Drawn:
    """One measure on one study."""

    def __init__(self, prepared: Preparation, kind: Kind[Any], name: str) -> None:
        study = prepared.study
        _, self._measure = measure_named(name, kind)
        if not self._measure.fits(study):
            raise UnsupportedStudy(f"{name} cannot measure {study.kind} annotations")
        self._stats = prepared.of(self._measure)
        self._clusters = study.cluster_count
        self.members: NDArray[np.intp] = np.unique(self._stats.columns)

    def scores(self, resampling: Resampling, members: NDArray[np.intp]) -> FloatArray:
        """Return the value, followed by the values of all resamples of *members*."""
        return resampling.scores(lambda rows: self._measure.score(self._stats, rows), members, self._clusters)


def _row(what: str, first: FloatArray, second: FloatArray, resampling: Resampling) -> tuple[Any, ...]:
    gaps = first - second
    values = (None if np.isnan(each[0]) else float(each[0]) for each in (first, second, gaps))
    bounds = resampling.bounds(gaps)
    if bounds is None:
        return (what, *values, None, None, None)
    return (what, *values, *bounds, tail_p(gaps[1:]))

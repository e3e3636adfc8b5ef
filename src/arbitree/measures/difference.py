"""Differences between two values, with intervals: two measures on one study, or one on two studies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from arbitree.backends.base import Run
from arbitree.backends.threads import Threads
from arbitree.errors import UnsupportedStudy
from arbitree.kinds.kind import Kind
from arbitree.measures.evaluate import check_coders
from arbitree.measures.measure import Measure, Named, Preparation
from arbitree.measures.options import fitting, known_measures, measure_named
from arbitree.measures.resampling import Resampling, Sample
from arbitree.measures.scored import sample_of
from arbitree.study.result import Table
from arbitree.study.study import Study

COLUMNS = ("what", "first", "second", "difference", "low", "high", "p")


def measure_differences(
    study: Study[Any],
    kind: Kind[Any],
    measures: Sequence[str | Named] = (),
    *,
    resampling: Resampling | None = None,
    run: Run | None = None,
) -> Table:
    """Return the difference between the first of *measures* and each other, on the same clusters of *study*.

    Measures of different families cannot be compared.

    Returns:
        One row per measure: the values, their difference, its interval, and p. By the jackknife, p is 1 minus
        the highest confidence at which the interval excludes 0. By resampling, it is twice the share of
        resamples in which the difference is 0 or has the opposite sign.
    """
    resampling = resampling or Resampling()
    named = comparable(study, kind, measures)
    prepared = Preparation(study, run or Threads())
    first, *others = _together([_sample(prepared, *each) for each in named])
    (ours, _), *rest = named
    rows = [
        _row(f"{ours} - {name}", first, sample, resampling, paired=True)
        for (name, _), sample in zip(rest, others, strict=True)
    ]
    return Table(COLUMNS, tuple(rows))


def comparable(study: Study[Any], kind: Kind[Any], measures: Sequence[str | Named] = ()) -> list[Named]:
    """Return *measures*, by default those that fit *study* and belong to the family of the first.

    Raises:
        UnsupportedStudy: if there are fewer than two, or if they belong to different families.
    """
    named = [_named(each, kind) for each in measures or fitting(study, kind)]
    family = named[0][1].family if named else ""
    alike = [each for each in named if each[1].family == family]
    if measures and len(alike) < len(named):
        first, other = named[0][0], next(name for name, measure in named if measure.family != family)
        known = known_measures(kind)
        inside = [each for each in fitting(study, kind, on_request=True) if known[each].family == family]
        others = [each for each in inside if each != first.partition(":")[0]]
        raise UnsupportedStudy(
            f"{first} and {other} cannot be compared, because the same value does not mean the same level of "
            "agreement in both",
            hint=f"Compare {first} with one of: {', '.join(others)}" if others else "Omit --difference",
        )
    if len(alike) < 2:
        hint = "Use --measure at least twice"
        raise UnsupportedStudy("a difference needs at least two measures", hint=hint)
    return alike


def study_differences(
    study: Study[Any],
    other: Study[Any],
    kinds: tuple[Kind[Any], Kind[Any]],
    measures: Sequence[str | Named] = (),
    *,
    resampling: Resampling | None = None,
    run: Run | None = None,
) -> Table:
    """Return the differences of *measures* between *study* and *other*, which have these *kinds*.

    The values are paired if both studies have the same clusters in the same order, otherwise independent.
    """
    for each in (study, other):
        check_coders(each)
    resampling = resampling or Resampling()
    ours, theirs = kinds
    names = list(measures) or [name for name in fitting(study, ours) if name in fitting(other, theirs)]
    if not names:
        what = f"no measure can compare {ours.noun} with {theirs.noun}"
        raise UnsupportedStudy(what, hint="Compare studies of the same kind")
    paired = study.clusters == other.clusters
    prepared = [Preparation(each, run or Threads()) for each in (study, other)]
    rows = []
    for name in names:
        pair = [_sample(each, *_named(name, kind)) for each, kind in zip(prepared, kinds, strict=True)]
        first, second = _together(pair) if paired else pair
        what = name if isinstance(name, str) else name[0]
        rows.append(_row(what, first, second, resampling, paired=paired))
    return Table(COLUMNS, tuple(rows))


def _named(measure: str | Named, kind: Kind[Any]) -> Named:
    """Return a measure with its name, including options."""
    return (measure, measure_named(measure, kind)[1]) if isinstance(measure, str) else measure


def _sample(prepared: Preparation, name: str, measure: Measure[Any]) -> Sample:
    """Return the value of one measure on one study."""
    study = prepared.study
    if not measure.fits(study):
        raise UnsupportedStudy(f"{name} cannot measure {study.kind} annotations")
    return sample_of(study, measure, prepared.of(measure))


def _together(samples: Sequence[Sample]) -> list[Sample]:
    """Return the samples with the clusters of all of them."""
    members = np.unique(np.concatenate([each.members for each in samples]))
    return [replace(each, members=members) for each in samples]


def _row(
    what: str, first: Sample, second: Sample, resampling: Resampling, *, paired: bool
) -> tuple[Any, ...]:
    bounds, p = resampling.difference(first, second, paired=paired)
    gap = first.value - second.value
    values = (None if np.isnan(each) else each for each in (first.value, second.value, gap))
    return (what, *values, *(bounds or (None, None)), p)

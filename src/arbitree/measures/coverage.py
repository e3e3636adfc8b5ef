"""What intervals are worth: notes on few items, from the coverage that benchmarks/coverage.py measured."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from arbitree.study.result import Interval
from arbitree.study.study import Study
from arbitree.wording import count_of, percent

ENOUGH = 50  # clusters from which no note is needed, unless the coverage is low
SLACK = 0.02  # a coverage this far below the level is low
LEVEL = 0.95  # of the intervals that were measured


@dataclass(frozen=True, slots=True)
class Coverage:
    """The range of the coverage of a method over all populations and measures, for one size of samples."""

    size: int
    lowest: float
    highest: float


@cache
def measured(method: str) -> tuple[Coverage, ...]:
    """Return the coverage of *method* by size of the samples; empty if it was not measured.

    Example:
        >>> [each.size for each in measured("jackknife")]
        [10, 20, 50, 100, 300]
    """
    with Path(__file__).with_name("coverage.tsv").open(newline="", encoding="utf-8") as file:
        return tuple(
            Coverage(int(row["n"]), float(row["lowest"]), float(row["highest"]))
            for row in csv.DictReader(file, delimiter="\t")
            if row["method"] == method
        )


def interval_notes(measure: str, value: float, interval: Interval, study: Study[Any]) -> list[str]:
    """Return what a reader of *interval* must know.

    Args:
        measure: the name of the measure.
        value: its value.
        interval: the interval.
        study: the study; its items are called clusters if several of them are resampled together.
    """
    unit: str = study.value_type.unit if study.cluster_count == len(study.items) else "cluster"
    notes = []
    level = f"{100 * interval.confidence:g}%"
    if interval.differing == 0:
        p = percent(1 - (1 - interval.confidence) ** (1 / interval.clusters), 1)
        notes.append(
            f"where a measure shows no difference in {count_of(interval.clusters, unit)}, up to {p} of all "
            f"{unit}s could still differ (at {level} confidence); the interval reaches to the value if these "
            "differed as much as two random annotations"
        )
    elif interval.differing == 1:
        notes.append(
            f"where a measure shows a difference in only 1 of {count_of(interval.clusters, unit)}, the "
            f"interval follows from the share of {unit}s that could differ (Clopper and Pearson)"
        )
    if not interval.low - 1e-12 <= value <= interval.high + 1e-12:
        notes.append(
            f"the {interval.method} interval of {measure} does not contain its value, because resamples are "
            "biased; use --interval jackknife"
        )
    return [*notes, *_small(interval, unit)]


def _small(interval: Interval, unit: str) -> list[str]:
    """Return a note with the coverage for about so many clusters, if these are few or the coverage is low."""
    known = measured(interval.method)
    if not known or not interval.clusters:
        return []
    nearest = max((each for each in known if each.size <= interval.clusters), default=known[0], key=_size)
    if interval.clusters >= ENOUGH and nearest.lowest >= LEVEL - SLACK:
        return []
    few = count_of(interval.clusters, unit)
    simulated = f"in simulated studies of {nearest.size} {unit}s"
    return [
        f"{few} are few, so {LEVEL:.0%} intervals are approximate: {simulated}, {percent(nearest.lowest)} to "
        f"{percent(nearest.highest)} of them contained the true value, depending on the data"
        if interval.clusters < ENOUGH
        else f"{LEVEL:.0%} {interval.method} intervals can be too narrow: {simulated}, only "
        f"{percent(nearest.lowest)} of them contained the true value with some data"
    ]


def _size(coverage: Coverage) -> int:
    return coverage.size

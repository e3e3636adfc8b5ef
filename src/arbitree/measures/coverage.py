"""Notes on the coverage of confidence intervals for few items, which benchmarks/coverage.py measured."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

from arbitree.study.result import Interval
from arbitree.study.study import Study
from arbitree.wording import count_of, listed, percent

ENOUGH = 50  # clusters from which no note is needed, unless the coverage is low
SLACK = 0.02  # a coverage this far below the level is low
LEVEL = 0.95  # of the intervals that were measured
WHOSE = "<measures>"  # stands for the names of measures in a note


@dataclass(frozen=True, slots=True)
class Coverage:
    """The range of the coverage of a method over all populations and measures, for one size of samples."""

    size: int
    lowest: float
    highest: float


class FewItems(str):
    """The note that the intervals of some measures are approximate, because their items are few."""

    measures: dict[str, list[str]]  # by their number of items, such as "7 sentences"
    effect: str  # on intervals, with WHOSE for a mention of the measures
    simulated: tuple[str, str]  # method of the intervals, and size of the simulated studies: 10, <10 or none

    @classmethod
    def of(cls, measures: dict[str, list[str]], effect: str, simulated: tuple[str, str]) -> FewItems:
        """Return the note, which names the measures if their numbers of items differ."""
        counts = [f"{count} ({listed(names)})" for count, names in measures.items()]
        whose = listed(list(dict.fromkeys(chain.from_iterable(measures.values()))))
        few = listed(counts if len(measures) > 1 else list(measures))
        note = cls(f"{few} are few, so {effect.replace(WHOSE, whose)}")
        note.measures, note.effect, note.simulated = measures, effect, simulated
        return note


def each_once(notes: Iterable[str]) -> list[str]:
    """Return every note once; those on few items become one if the same simulated studies are meant.

    Example:
        >>> few = FewItems.of({"7 items": ["pi"]}, "intervals are approximate", ("jackknife", "10"))
        >>> fewer = FewItems.of({"4 items": ["s"]}, "intervals are approximate", ("jackknife", "10"))
        >>> each_once([few, "2 cells are empty", fewer, few])
        ['7 items (pi) and 4 items (s) are few, so intervals are approximate', '2 cells are empty']
        >>> resampled = FewItems.of({"7 items": ["pi"]}, "intervals are approximate", ("percentile", "10"))
        >>> each_once([few, resampled])
        ['7 items are few, so intervals are approximate']
    """
    found: dict[str | tuple[str, str], str] = {}
    few: dict[tuple[str, str], FewItems] = {}
    for note in notes:
        if not isinstance(note, FewItems):
            found.setdefault(note, note)
            continue
        known = few.setdefault(note.simulated, note)
        counts = dict.fromkeys((*known.measures, *note.measures))
        measures = {
            count: list(dict.fromkeys((*known.measures.get(count, ()), *note.measures.get(count, ()))))
            for count in counts
        }
        found[note.simulated] = few[note.simulated] = FewItems.of(measures, known.effect, note.simulated)
    return list(dict.fromkeys(found.values()))


@cache
def measured(method: str, model: str = "") -> tuple[Coverage, ...]:
    """Return the coverage of *method* by size of the samples; empty if it was not measured.

    Args:
        method: of the intervals.
        model: the annotator model whose competences have the intervals; empty for measures.

    Example:
        >>> [each.size for each in measured("jackknife")]
        [10, 20, 50, 100, 300]
        >>> measured("korn_graubard", "edges")
        ()
    """
    with Path(__file__).with_name("coverage.tsv").open(newline="", encoding="utf-8") as file:
        return tuple(
            Coverage(int(row["n"]), float(row["lowest"]), float(row["highest"]))
            for row in csv.DictReader(file, delimiter="\t")
            if row["method"] == method and model in (row["models"].split() or [""])
        )


def interval_notes(
    measure: str,
    value: float,
    interval: Interval,
    study: Study[Any],
    *,
    model: str = "",
    simulated: bool = True,
) -> list[str]:
    """Return what a reader of *interval* must know.

    Args:
        measure: the name of the measure.
        value: its value.
        interval: the interval.
        study: the study; its items are called clusters if several of them are resampled together.
        model: the annotator model, if the value is a competence.
        simulated: whether the coverage that was measured holds for this measure.
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
    known = measured(interval.method, model) if simulated else ()
    return [*notes, *_small(measure, interval, unit, known, model)]


def _small(measure: str, interval: Interval, unit: str, known: tuple[Coverage, ...], model: str) -> list[str]:
    """Return a note with the coverage for about so many clusters, if these are few or the coverage is low."""
    if not interval.clusters or (interval.clusters >= ENOUGH and not known):
        return []
    measures = {count_of(interval.clusters, unit): [measure]}
    method = f"{interval.method} {model}"
    level = f"{100 * interval.confidence:g}%"
    # The note names competences and measures that were not simulated: the notes on others read differently.
    intervals = f"the {level} intervals of {WHOSE}" if model or not known else f"{level} intervals"
    if not known:
        effect = f"{intervals} are approximate; their coverage was not measured"
        return [FewItems.of(measures, effect, (method, "none"))]
    nearest = max((each for each in known if each.size <= interval.clusters), default=known[0], key=_size)
    if interval.clusters >= ENOUGH and nearest.lowest >= LEVEL - SLACK:
        return []
    simulated = f"in simulated studies of {nearest.size} {unit}s"
    if interval.clusters >= ENOUGH:
        return [
            f"{LEVEL:.0%} {interval.method} intervals can be too narrow: {simulated}, only "
            f"{percent(nearest.lowest)} of them contained the true value with some data"
        ]
    these = "them" if interval.confidence == LEVEL else f"{LEVEL:.0%} intervals"
    effect = (
        f"{intervals} are approximate: {simulated}, {percent(nearest.lowest)} to "
        f"{percent(nearest.highest)} of {these} contained the true value, depending on the data"
    )
    if interval.clusters >= nearest.size:
        return [FewItems.of(measures, effect, (method, f"{nearest.size}"))]
    effect += "; smaller studies were not simulated, and their coverage may be lower"
    return [FewItems.of(measures, effect, (method, f"<{nearest.size}"))]


def _size(coverage: Coverage) -> int:
    return coverage.size

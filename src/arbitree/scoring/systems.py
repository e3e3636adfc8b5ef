"""Systems scored against a gold standard, ranked, and compared with each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

import numpy as np

from arbitree.backends.base import Run
from arbitree.backends.threads import Threads
from arbitree.errors import UnsupportedStudy
from arbitree.kinds.kind import Kind
from arbitree.measures.breakdown import breakdowns_of_items
from arbitree.measures.evaluate import evaluate
from arbitree.measures.measure import Measure, Named, Preparation
from arbitree.measures.options import known_measures, measure_named
from arbitree.measures.resampling import Resampling, ratio_sample
from arbitree.plugins import check_name
from arbitree.scoring.significance import PairedCounts, bootstrap_p, holm, randomisation_p
from arbitree.study.result import Result, Table
from arbitree.study.study import Study
from arbitree.wording import EXACT, brief


@dataclass(frozen=True, slots=True)
class SystemComparison:
    """A comparison of two systems by one measure, on the items that both have."""

    measure: str
    first: str
    second: str
    difference: float | None  # first less second
    interval: tuple[float, float] | None  # of the difference
    items: int
    bootstrap: float | None  # p-values
    randomisation: float | None
    holm: float | None = None  # of the p-values by randomisation, over all pairs of systems

    def to_dict(self) -> dict[str, Any]:
        """Return the values for JSON."""
        return {
            "measure": self.measure,
            "systems": [self.first, self.second],
            "difference": self.difference,
            "interval": list(self.interval) if self.interval else None,
            "items_used": self.items,
            "p_bootstrap": self.bootstrap,
            "p_randomisation": self.randomisation,
            "p_holm": self.holm,
        }


@dataclass(frozen=True, slots=True)
class Difference:
    """An item on which two systems differ."""

    item: str
    first: float
    second: float

    @property
    def size(self) -> float:
        """The absolute difference."""
        return abs(self.first - self.second)


@dataclass(frozen=True, slots=True)
class Scores:
    """The results of every system, ordered by the first measure, and the tests between systems."""

    study: Study[Any]
    systems: tuple[str, ...]  # by rank
    results: dict[str, tuple[Result, ...]]  # of every system, one for each measure
    comparisons: tuple[SystemComparison, ...] = ()
    seed: int = 0
    resamples: int = 0
    confusions: Mapping[str, Mapping[str, Table]] = field(default_factory=dict)

    __repr__ = brief

    @property
    def measures(self) -> tuple[str, ...]:
        """The names of the measures."""
        return tuple(result.measure for result in self.results[self.systems[0]])

    def ranks(self) -> dict[str, int]:
        """Return the rank of every system by the first measure; systems with the same value share a rank."""
        found: dict[str, int] = {}
        last: float | None = None
        for place, system in enumerate(self.systems, start=1):
            value = self.results[system][0].value
            tied = value is not None and last is not None and abs(value - last) <= EXACT
            found[system] = found[self.systems[place - 2]] if tied else place
            last = value
        return found

    def differences(self, most: int) -> list[Difference]:
        """Return the items on which the two best systems differ most under the first measure."""
        if len(self.systems) < 2:
            return []
        ours, theirs = (_values(self.results[system][0]) for system in self.systems[:2])
        found = [
            Difference(item, value, theirs[item])
            for item, value in ours.items()
            if item in theirs and value != theirs[item]
        ]
        return sorted(found, key=lambda each: -each.size)[:most]


def offered(study: Study[Any], kind: Kind[Any]) -> list[str]:
    """Return the names of the metrics that fit *study*; metrics used for ranking come first."""
    known = known_measures(kind)
    fit = [name for name in kind.sorted(known) if known[name].fits(study) and known[name].offered(study)]
    return sorted(fit, key=lambda name: not known[name].ranks_systems)


def score_systems(
    study: Study[Any],
    kind: Kind[Any],
    measures: Sequence[str | Named] = (),
    *,
    by: Sequence[str] = (),
    resampling: Resampling | None = None,
    run: Run | None = None,
) -> Scores:
    """Score every system of *study* against its reference, and test the differences between them.

    Args:
        study: a study with a reference.
        kind: the kind of its values.
        measures: names or pairs of a name and a measure; by default all metrics that fit.
        by: breakdowns by groups of tokens or items.
        resampling: the bootstrap resamples; randomisation uses the same number of iterations.
        run: the backend.
    """
    gold = study.reference
    if gold is None:
        raise UnsupportedStudy("scoring needs a gold standard", hint="Pass the gold file first")
    if study.coders == (gold,):
        raise UnsupportedStudy(f"there is no system to score against {gold}", hint="Pass one file per system")
    resampling = resampling or Resampling()
    chosen = [
        measure_named(each, kind) if isinstance(each, str) else each
        for each in measures or offered(study, kind)
    ]
    if not chosen:
        hint = "To measure agreement, use 'arbitree agree'"
        if kind.models:
            hint += "; to compare a consensus with the gold standard, use 'arbitree coders'"
        raise UnsupportedStudy(f"no metric can score {kind.noun}", hint=hint)
    for name, measure in chosen:
        if not measure.scores_systems:
            known = known_measures(kind)
            fit = offered(study, kind) or [each for each in kind.sorted(known) if known[each].scores_systems]
            others = f"Use one of: {', '.join(fit)}; " if fit else ""
            hint = f"{others}'arbitree agree' computes {name}"
            raise UnsupportedStudy(f"{name} does not score systems against gold", hint=hint)
    for each in by:  # annotators and their pairs are not groups: every system is compared with gold alone
        check_name(each, breakdowns_of_items(kind), "breakdown")
    found: dict[str, tuple[Result, ...]] = {}
    for system in study.coders:
        if system != gold:
            part = study.select(coders=[gold, system])
            results = evaluate(part, kind, chosen, by=by, run=run, resampling=resampling)
            found[system] = tuple(results)
    confused: dict[str, Mapping[str, Table]] = {}
    grouped = next((measure for _, measure in chosen if set(by) & set(measure.grouped_by)), None)
    if grouped:
        for system in found:
            prepared = Preparation(study.select(coders=[gold, system]), run or Threads())
            confused[system] = grouped.errors(prepared.of(grouped))
    ranked = tuple(sorted(found, key=lambda system: _rank(found[system][0], chosen[0][1])))
    tested = resampling.resamples > 0
    comparisons = tuple(_compared(found, ranked, chosen, resampling)) if tested else ()
    return Scores(study, ranked, found, comparisons, resampling.seed, resampling.resamples, confused)


def _rank(result: Result, measure: Measure[Any]) -> float:
    if result.value is None:
        return float("inf")
    return result.value if measure.better == "lower" else -result.value


def _compared(
    found: dict[str, tuple[Result, ...]],
    ranked: Sequence[str],
    chosen: Sequence[Named],
    resampling: Resampling,
) -> list[SystemComparison]:
    """Return the comparisons by measure, with p-values corrected for the number of system pairs."""
    pairs = list(combinations(ranked, 2))
    tested = {pair: _tested(found[pair[0]], found[pair[1]], pair, resampling) for pair in pairs}
    comparisons: list[SystemComparison] = []
    for place in range(len(chosen)):
        row = [tested[pair][place] for pair in pairs]
        known = [each.randomisation for each in row if each.randomisation is not None]
        corrected = iter(holm(known))
        comparisons += [
            each if each.randomisation is None else replace(each, holm=next(corrected)) for each in row
        ]
    return comparisons


def _tested(
    ours: Sequence[Result], theirs: Sequence[Result], names: tuple[str, str], resampling: Resampling
) -> list[SystemComparison]:
    """Test two systems by all measures; measures that use the same items are tested together."""
    groups: dict[tuple[str, ...], list[int]] = {}
    for place, (a, b) in enumerate(zip(ours, theirs, strict=True)):
        groups.setdefault(_common(a, b), []).append(place)
    comparisons: dict[int, SystemComparison] = {}
    for items, places in groups.items():
        first, second = (_counts([side[k] for k in places], items) for side in (ours, theirs))
        for place, comparison in zip(
            places,
            _test_group([ours[k].measure for k in places], names, first, second, resampling),
            strict=True,
        ):
            comparisons[place] = comparison
    return [comparisons[place] for place in range(len(ours))]


def _test_group(
    measures: list[str],
    names: tuple[str, str],
    first: PairedCounts,
    second: PairedCounts,
    resampling: Resampling,
) -> list[SystemComparison]:
    items = first.numerators.shape[1]
    if not items:
        return [SystemComparison(measure, *names, None, None, 0, None, None) for measure in measures]
    members = np.arange(items, dtype=np.intp)
    every = np.concatenate(
        [first.values(rows) - second.values(rows) for rows in resampling.rows(members, items)]
    )
    observed, drawn = every[0], every[1:]
    by_resampling = bootstrap_p(drawn, observed)
    by_chance = randomisation_p(first, second, rounds=resampling.resamples, seed=resampling.seed)
    comparisons = []
    for place, measure in enumerate(measures):
        ours, theirs = (
            ratio_sample(side.numerators[place], side.denominators[place], members, lambda: ())
            for side in (first, second)
        )
        bounds, _ = resampling.difference(ours, theirs, paired=True)
        if bounds is None:
            comparisons.append(SystemComparison(measure, *names, None, None, items, None, None))
            continue
        comparisons.append(
            SystemComparison(
                measure,
                *names,
                float(observed[place]),
                bounds,
                items,
                float(by_resampling[place]),
                float(by_chance[place]),
            )
        )
    return comparisons


def _values(result: Result) -> dict[str, float]:
    """Return the value of every item for which it is defined."""
    table = result.per_item
    return {row[0]: row[3] for row in table.rows if row[3] is not None} if table else {}


def _common(ours: Result, theirs: Result) -> tuple[str, ...]:
    first, second = (_ids(result) for result in (ours, theirs))
    if first == second:
        return first
    there = set(second)
    return tuple(item for item in first if item in there)


def _ids(result: Result) -> tuple[str, ...]:
    return tuple(row[0] for row in result.per_item.rows) if result.per_item else ()


def _counts(results: Sequence[Result], items: tuple[str, ...]) -> PairedCounts:
    numerators, denominators = [], []
    for result in results:
        rows = result.per_item.rows if result.per_item else ()
        if len(rows) != len(items):
            wanted = set(items)
            rows = tuple(row for row in rows if row[0] in wanted)
        _, above, below, _ = zip(*rows, strict=True) if rows else ((),) * 4
        numerators.append(above)
        denominators.append(below)
    return PairedCounts(np.array(numerators, dtype=np.float64), np.array(denominators, dtype=np.float64))

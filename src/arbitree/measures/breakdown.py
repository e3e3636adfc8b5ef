"""Measures per document, length, label, annotator and pair of annotators.

Groups of items are weights on the prepared statistics. Annotators and pairs have statistics of their own,
which share the comparisons of the whole study.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np

from arbitree.errors import UnsupportedStudy
from arbitree.kinds.kind import Kind, PartStudy
from arbitree.measures.measure import Measure, Named, Preparation, S, share
from arbitree.measures.options import known_measures
from arbitree.measures.resampling import Resampling, ratio_sample
from arbitree.measures.scored import Scored, score_items
from arbitree.plugins import check_name
from arbitree.study.groupings import GROUPINGS
from arbitree.study.result import Group, Result
from arbitree.study.study import Item, Study

Maker = Callable[[Measure[Any]], tuple[Group, ...]]


def divides(by: Sequence[str], study: Study[Any]) -> bool:
    """Return whether one of the breakdowns *by* measures some of the annotators of *study*."""
    return len(study.coders) > 2 and not {"pair", "coder"}.isdisjoint(by)


def breakdowns_of_items(kind: Kind[Any]) -> list[str]:
    """Return the breakdowns of a comparison of two annotators, such as a system with gold."""
    return [*_inside_items(kind), *kind.breakdowns, *GROUPINGS, *kind.parts]


def _inside_items(kind: Kind[Any]) -> list[str]:
    """Return the breakdowns by groups of tokens."""
    return list(dict.fromkeys(name for each in known_measures(kind).values() for name in each.grouped_by))


def breakdown(
    kind: Kind[Any],
    chosen: Sequence[Named],
    results: Sequence[Result],
    prepared: Preparation,
    resampling: Resampling,
    by: Sequence[str],
) -> list[Result]:
    """Return *results* with a table for every breakdown in *by*."""
    if not by:
        return list(results)
    study = prepared.study
    parts = _Parts(prepared, [measure for _, measure in chosen])
    bare = replace(resampling, resamples=0)
    makers: dict[str, Maker] = {
        name: partial(_by_classes, parts, resampling, classes)
        for name, classes in {**GROUPINGS, **kind.breakdowns}.items()
    }
    makers["pair"] = lambda measure: _by_pair(parts, measure, resampling)
    makers["coder"] = lambda measure: _by_coder(parts, measure, resampling if "pair" in by else bare)
    inside = _inside_items(kind)
    if study.reference is not None:
        for name in inside:
            makers[name] = partial(_by_tokens, prepared, resampling, name)
    for name, split in kind.parts.items():
        makers[name] = partial(parts.one_by_one, name, split, resampling)
    for name in by:
        if name == "label" and name not in makers:
            other = ", or select labels from the trees with --column" if study.reference is None else ""
            hint = f"Use one of {', '.join(makers)}{other}"
            raise UnsupportedStudy("--by label needs a study of labels", hint=hint)
        if name in inside and not any(name in measure.grouped_by for _, measure in chosen):
            *others, last = kind.leading
            raise UnsupportedStudy(
                f"none of these measures can be broken down by {name}",
                hint=f"Add {', '.join(others)} or {last}",
            )
        if name in inside and study.reference is None:
            raise UnsupportedStudy(f"--by {name} needs a gold standard", hint="Use 'arbitree score'")
        check_name(name, makers, "breakdown")
    return [
        replace(result, groups={name: makers[name](measure) for name in dict.fromkeys(by)})
        for (_, measure), result in zip(chosen, results, strict=True)
    ]


def _by_tokens(
    prepared: Preparation, resampling: Resampling, by: str, measure: Measure[S]
) -> tuple[Group, ...]:
    """Return the values of groups of tokens; empty for a measure without token counts."""
    if by not in measure.grouped_by:
        return ()
    stats = prepared.of(measure)
    tally = measure.groups(stats, by)
    clusters = len(prepared.study.clusters)
    groups = []
    for place, name in enumerate(tally.names):
        above, below = (
            np.bincount(stats.columns, counts[place], minlength=clusters).astype(np.float64)
            for counts in (tally.numerators, tally.denominators)
        )
        items = int(np.sum(tally.denominators[place] > 0))
        members = np.flatnonzero(below > 0) if (below > 0).any() else np.unique(stats.columns)
        sample = ratio_sample(above, below, members, lambda: prepared.study.clusters)
        value = None if np.isnan(sample.value) else sample.value
        interval = resampling.interval(sample)
        groups.append(Group(name, value, measure.status(value, items), interval, items, tally.details[place]))
    return tuple(groups)


class _Parts:
    """The measures on some of the annotators or items.

    All measures are scored together, so shared statistics are prepared once and freed before the next part.
    """

    def __init__(self, prepared: Preparation, measures: Sequence[Measure[Any]]) -> None:
        self.prepared = prepared
        self.study = prepared.study
        self.run = prepared.run
        self.measures = measures
        self._scored: dict[tuple[tuple[str, ...], int], list[Scored]] = {}
        self._groups: dict[str, list[tuple[Group, ...]]] = {}

    def score(self, coders: tuple[str, ...], measure: Measure[Any], resampling: Resampling) -> Scored:
        """Return the value of *measure* for these *coders* only."""
        key = coders, resampling.resamples
        if key not in self._scored:
            whole = coders == self.study.coders
            part = self.study if whole else self.study.select(coders=coders)
            prepared = self.prepared if whole else self.prepared.part(part)
            every = [prepared.of(each) for each in self.measures]
            self._scored[key] = [
                score_items(part, each, stats, resampling)
                for each, stats in zip(self.measures, every, strict=True)
            ]
        return self._scored[key][self._place(measure)]

    def one_by_one(
        self,
        name: str,
        split: Callable[[Study[Any]], Iterable[PartStudy]],
        resampling: Resampling,
        measure: Measure[Any],
    ) -> tuple[Group, ...]:
        """Return the value of each part of the study, such as one label against all others.

        Args:
            name: The breakdown.
            split: Returns the parts.
            resampling: The resamples for intervals.
            measure: The measure; measures that are the same for one label are scored once.
        """
        if name not in self._groups:
            rows = [self._part_groups(part, resampling) for part in split(self.study)]
            self._groups[name] = list(zip(*rows, strict=True)) if rows else [()] * len(self.measures)
        return self._groups[name][self._place(measure)]

    def _part_groups(self, part: PartStudy, resampling: Resampling) -> list[Group]:
        """Return the group of one part for every measure."""
        prepared = Preparation(part.study, self.run)
        scored: dict[Measure[Any], Group] = {}
        found = []
        for measure in self.measures:
            plain = measure.one_label
            if plain is None:
                found.append(Group(part.name, None, "unsupported", None, 0, part.details))
                continue
            if plain not in scored:
                value = score_items(part.study, plain, prepared.of(plain), resampling)
                scored[plain] = replace(_group(part.name, value), details=part.details)
            found.append(scored[plain])
        return found

    def _place(self, measure: Measure[Any]) -> int:
        return next(place for place, each in enumerate(self.measures) if each is measure)

    def score_items(self, items: Sequence[Item], measure: Measure[Any], resampling: Resampling) -> Scored:
        """Return the value of *measure* for these *items* only."""
        part = self.study.select(items=[item.id for item in items])
        return score_items(part, measure, self.prepared.part(part).of(measure), resampling)


def _by_classes(
    parts: _Parts,
    resampling: Resampling,
    classes: Callable[[Study[Any]], Mapping[str, str]],
    measure: Measure[Any],
) -> tuple[Group, ...]:
    return _by_items(parts, measure, classes(parts.study), resampling)


def _by_items(
    parts: _Parts, measure: Measure[S], names: Mapping[str, str], resampling: Resampling
) -> tuple[Group, ...]:
    stats = parts.prepared.of(measure)
    members: dict[str, list[int]] = {name: [] for name in names.values()}
    for place, item in enumerate(stats.used):
        members[names[item.id]].append(place)
    groups = []
    for name, places in members.items():
        if stats.streamed:
            scored = parts.score_items([stats.used[place] for place in places], measure, resampling)
        else:
            scored = score_items(parts.study, measure, stats, resampling, np.array(places, dtype=np.intp))
        groups.append(_group(name, scored))
    return tuple(groups)


def _by_pair(parts: _Parts, measure: Measure[Any], resampling: Resampling) -> tuple[Group, ...]:
    return tuple(
        _group(" - ".join(pair), parts.score(pair, measure, resampling))
        for pair in combinations(parts.study.coders, 2)
    )


def _by_coder(parts: _Parts, measure: Measure[Any], resampling: Resampling) -> tuple[Group, ...]:
    """Return the mean over each annotator's pairs, and the value without the annotator.

    The mean is weighted by the number of items that both annotated.
    """
    bare = replace(resampling, resamples=0)
    pairs = {pair: parts.score(pair, measure, resampling) for pair in combinations(parts.study.coders, 2)}
    groups = []
    for coder in parts.study.coders:
        own = [
            (each.value, each.used)
            for pair, each in pairs.items()
            if coder in pair and each.value is not None
        ]
        shared = sum(len(used) for _, used in own)
        mean = sum(value * len(used) for value, used in own) / shared if own else None
        others = tuple(each for each in parts.study.coders if each != coder)
        scored = resampling if len(others) == 2 else bare  # of three coders, the others are a pair
        without = parts.score(others, measure, scored).value if len(others) > 1 else None
        items = {item.id for used in {id(used): used for _, used in own}.values() for item in used}
        status = "no_pairable" if mean is None else "ok"
        groups.append(Group(coder, mean, status, None, len(items), {"without": without}))
    return tuple(groups)


def _group(name: str, scored: Scored) -> Group:
    details = {} if scored.highest is None else {"highest": share(scored.highest)}
    return Group(name, scored.value, scored.status, scored.interval, len(scored.used), details)

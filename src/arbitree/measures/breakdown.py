"""The same measures per document, length, label, coder and pair of coders.

Groups of items are weights on the statistics already prepared; coders and pairs prepare their own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np

from arbitree.errors import UnsupportedStudy
from arbitree.kinds.labels.value import Label, Tags, ratings
from arbitree.measures.measure import FloatArray, Measure, Named, Preparation, S, quotient
from arbitree.measures.resampling import Resampling, Scored, score_items
from arbitree.plugins import check_name
from arbitree.study.flat_tree import IntArray
from arbitree.study.grid import Grid
from arbitree.study.result import Group, Result
from arbitree.study.study import Item, Study

Maker = Callable[[Measure[Any]], tuple[Group, ...]]

TOKEN_GROUPS = ("deprel", "upos", "distance", "depth")  # groups of tokens, against a gold standard
LENGTHS = (5, 10, 20, 40)  # upper ends of the classes of sentence length, in tokens


def breakdown(
    chosen: Sequence[Named],
    results: Sequence[Result],
    prepared: Preparation,
    resampling: Resampling,
    by: Sequence[str],
) -> list[Result]:
    """Return *results* with a table for every kind of group in *by*."""
    study = prepared.study
    parts = _Parts(prepared, [measure for _, measure in chosen])
    bare = replace(resampling, resamples=0)
    makers: dict[str, Maker] = {
        "document": lambda measure: _by_items(
            parts, measure, {item.id: item.document for item in study.items}, resampling
        ),
        "length": lambda measure: _by_items(parts, measure, _length_classes(study), resampling),
        "pair": lambda measure: _by_pair(parts, measure, resampling),
        "coder": lambda measure: _by_coder(parts, measure, resampling if "pair" in by else bare),
    }
    if study.reference is not None:
        for kind in TOKEN_GROUPS:
            makers[kind] = partial(_by_tokens, prepared, resampling, kind)
    if study.value_type in (Label, Tags):
        makers["label"] = lambda measure: _by_label(parts, measure, resampling)
        del makers["length"]
    for kind in by:
        if kind == "label" and kind not in makers:
            other = ", or take labels from the trees with --column" if study.reference is None else ""
            hint = f"Use one of {', '.join(makers)}{other}"
            raise UnsupportedStudy("--by label needs a study of labels", hint=hint)
        if kind in TOKEN_GROUPS and not any(kind in measure.grouped_by for _, measure in chosen):
            raise UnsupportedStudy(
                f"none of these measures can be broken down by {kind}", hint="Add las, uas or la"
            )
        if kind in TOKEN_GROUPS and study.reference is None:
            raise UnsupportedStudy(f"--by {kind} needs a gold standard", hint="Use 'arbitree score'")
        check_name(kind, makers, "breakdowns")
    kinds = tuple(dict.fromkeys(by))
    return [
        replace(result, groups={kind: makers[kind](measure) for kind in kinds})
        for (_, measure), result in zip(chosen, results, strict=True)
    ]


def _by_tokens(
    prepared: Preparation, resampling: Resampling, kind: str, measure: Measure[S]
) -> tuple[Group, ...]:
    """Return the values of groups of tokens; nothing for a measure that does not look at tokens."""
    if kind not in measure.grouped_by:
        return ()
    stats = prepared.of(measure)
    tally = measure.groups(stats, kind)
    clusters = len(prepared.study.clusters)
    groups = []
    for place, name in enumerate(tally.names):
        above, below = (
            np.bincount(stats.columns, counts[place], minlength=clusters).astype(np.float64)
            for counts in (tally.numerators, tally.denominators)
        )
        items = int(np.sum(tally.denominators[place] > 0))

        def score(rows: FloatArray, above: FloatArray = above, below: FloatArray = below) -> FloatArray:
            return quotient(rows @ above, rows @ below)

        members = np.unique(stats.columns)
        scores = resampling.scores(score, members, clusters)
        value = None if np.isnan(scores[0]) else float(scores[0])
        interval = resampling.interval(score, scores, members, clusters)
        groups.append(Group(name, value, measure.status(value, items), interval, items, tally.details[place]))
    return tuple(groups)


class _Parts:
    """The measures on some of the coders or items.

    All measures are scored where one is: what they share is prepared once, and let go before the next part.
    """

    def __init__(self, prepared: Preparation, measures: Sequence[Measure[Any]]) -> None:
        self.prepared = prepared
        self.study = prepared.study
        self.run = prepared.run
        self.measures = measures
        self._scored: dict[tuple[tuple[str, ...], int], list[Scored]] = {}

    def score(self, coders: tuple[str, ...], measure: Measure[Any], resampling: Resampling) -> Scored:
        """Return the value of *measure* among these *coders* alone."""
        key = coders, resampling.resamples
        if key not in self._scored:
            part = self.study.select(coders=coders)
            prepared = Preparation(part, self.run)
            every = [prepared.of(each) for each in self.measures]
            self._scored[key] = [
                score_items(part, each, stats, resampling)
                for each, stats in zip(self.measures, every, strict=True)
            ]
        place = next(place for place, each in enumerate(self.measures) if each is measure)
        return self._scored[key][place]

    def score_items(self, items: Sequence[Item], measure: Measure[Any], resampling: Resampling) -> Scored:
        """Return the value of *measure* on these *items* alone."""
        part = self.study.select(items=[item.id for item in items])
        return score_items(part, measure, measure.statistics.prepare(part, self.run), resampling)


def _by_items(
    parts: _Parts, measure: Measure[S], names: dict[str, str], resampling: Resampling
) -> tuple[Group, ...]:
    stats = parts.prepared.of(measure)
    members: dict[str, list[Item]] = {name: [] for name in names.values()}
    for item in stats.used:
        members[names[item.id]].append(item)
    groups = []
    for name, items in members.items():
        if stats.streamed:
            scored = parts.score_items(items, measure, resampling)
        else:
            scored = score_items(parts.study, measure, stats, resampling, items)
        groups.append(_group(name, scored))
    return tuple(groups)


def _by_pair(parts: _Parts, measure: Measure[Any], resampling: Resampling) -> tuple[Group, ...]:
    return tuple(
        _group(" - ".join(pair), parts.score(pair, measure, resampling))
        for pair in combinations(parts.study.coders, 2)
    )


def _by_coder(parts: _Parts, measure: Measure[Any], resampling: Resampling) -> tuple[Group, ...]:
    """Return for every coder the mean over the pairs with the others, and the value without the coder.

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
        items = {item.id for _, used in own for item in used}
        status = "no_pairable" if mean is None else "ok"
        groups.append(Group(coder, mean, status, None, len(items), {"without": without}))
    return tuple(groups)


def _by_label(parts: _Parts, measure: Measure[Any], resampling: Resampling) -> tuple[Group, ...]:
    """Return the value of each label against all others, the most frequent label first.

    A set of tags has a label if it holds the tag. The specific agreement of a label is the chance that a
    second coder gives it too, where one coder did.
    """
    found = ratings(parts.study)
    plain = measure.one_label
    names = [str(value) for value in found.values]
    if parts.study.value_type is Tags:
        names = sorted({tag for value in found.values for tag in value.tags})
    has = np.array([[name in value.tags for value in found.values] for name in names], dtype=np.int32)
    said = found.codes >= 0
    groups = []
    for name, row in zip(names, has, strict=True):
        codes = np.where(said, row[found.codes], -1).astype(np.int32)
        details = {"specific": _specific(codes), "share": float((codes == 1).sum() / max(said.sum(), 1))}
        if plain is None:
            groups.append(Group(name, None, "unsupported", None, 0, details))
            continue
        cells = Grid(parts.study.items, parts.study.coders, codes, (Label("0"), Label("1")))
        part = replace(parts.study, cells=cells)
        scored = score_items(part, plain, plain.statistics.prepare(part, parts.run), resampling)
        groups.append(replace(_group(name, scored), details=details))
    return tuple(sorted(groups, key=lambda group: -group.details["share"]))


def _specific(codes: IntArray) -> float | None:
    given, own = (codes >= 0).sum(axis=1), (codes == 1).sum(axis=1)
    pairable = given > 1
    total = float(own[pairable].sum())
    agreed = float((own[pairable] * (own[pairable] - 1) / (given[pairable] - 1)).sum())
    return agreed / total if total else None


def _group(name: str, scored: Scored) -> Group:
    return Group(name, scored.value, scored.status, scored.interval, len(scored.used))


def _length_classes(study: Study[Any]) -> dict[str, str]:
    """Return the class of every item by the length of its first annotation, short classes first."""
    lengths = {item.id: len(cells[0].value) for item, cells in study if cells}
    bounds = (0, *LENGTHS)
    names = [f"{low + 1}-{high}" for low, high in zip(bounds, LENGTHS, strict=False)] + [
        f"{LENGTHS[-1] + 1}+"
    ]
    classes = {key: names[int(np.searchsorted(LENGTHS, length))] for key, length in lengths.items()}
    return dict(sorted(classes.items(), key=lambda entry: names.index(entry[1])))

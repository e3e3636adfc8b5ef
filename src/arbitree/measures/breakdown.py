"""The same measures per document, length, coder and pair of coders.

Groups of items are weights on the statistics already prepared; coders and pairs prepare their own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from arbitree.backends.base import Run
from arbitree.data.result import Group, Result
from arbitree.data.study import Item, Study
from arbitree.errors import UnsupportedStudy
from arbitree.measures.resampling import Resampling
from arbitree.measures.scoring import Scored, score_items
from arbitree.registry import check_name

LENGTHS = (5, 10, 20, 40)  # upper ends of the classes of sentence length, in tokens


def breakdown(
    study: Study[Any],
    chosen: Sequence[tuple[str, Any]],
    results: Sequence[Result],
    prepared: Mapping[Any, Any],
    resampling: Resampling,
    by: Sequence[str],
    run: Run,
) -> list[Result]:
    """Return *results* with a table for every kind of group in *by*."""
    parts = _Parts(study, run)
    makers: dict[str, Callable[[Any], tuple[Group, ...]]] = {
        "document": lambda measure: _by_items(
            parts,
            measure,
            prepared[measure.statistics],
            {item.id: item.document for item in study.items},
            resampling,
        ),
        "length": lambda measure: _by_items(
            parts, measure, prepared[measure.statistics], _length_classes(study), resampling
        ),
        "pair": lambda measure: _by_pair(parts, measure, resampling),
        "coder": lambda measure: _by_coder(parts, measure, resampling),
    }
    for kind in by:
        if kind == "label":
            raise UnsupportedStudy(
                "--by label needs a study of labels", hint=f"Use one of {', '.join(makers)}"
            )
        check_name(kind, makers, "breakdowns")
    kinds = tuple(dict.fromkeys(by))
    return [
        replace(result, groups={kind: makers[kind](measure) for kind in kinds})
        for (_, measure), result in zip(chosen, results, strict=True)
    ]


class _Parts:
    """Studies of some of the coders or items; what measures of the same coders share is prepared once."""

    def __init__(self, study: Study[Any], run: Run) -> None:
        self.study = study
        self._run = run
        self._studies: dict[tuple[str, ...], Study[Any]] = {}
        self._prepared: dict[tuple[tuple[str, ...], Any], Any] = {}

    def score(self, coders: tuple[str, ...], measure: Any, resampling: Resampling) -> Scored:
        """Return the value of *measure* among these *coders* alone."""
        if coders not in self._studies:
            self._studies[coders] = self.study.select(coders=coders)
        part, recipe = self._studies[coders], measure.statistics
        if (coders, recipe) not in self._prepared:
            self._prepared[coders, recipe] = recipe.prepare(part, self._run)
        return score_items(part, measure, self._prepared[coders, recipe], resampling)

    def score_items(self, items: Sequence[Item], measure: Any, resampling: Resampling) -> Scored:
        """Return the value of *measure* on these *items* alone."""
        part = self.study.select(items=[item.id for item in items])
        return score_items(part, measure, measure.statistics.prepare(part, self._run), resampling)


def _by_items(
    parts: _Parts, measure: Any, stats: Any, names: dict[str, str], resampling: Resampling
) -> tuple[Group, ...]:
    members: dict[str, list[Item]] = {name: [] for name in names.values()}
    for item in stats.used:
        members[names[item.id]].append(item)
    groups = []
    for name, items in members.items():
        if getattr(stats, "streamed", False):  # weights would mean a pass over all pairs
            scored = parts.score_items(items, measure, resampling)
        else:
            scored = score_items(parts.study, measure, stats, resampling, items)
        groups.append(_group(name, scored))
    return tuple(groups)


def _by_pair(parts: _Parts, measure: Any, resampling: Resampling) -> tuple[Group, ...]:
    return tuple(
        _group(" - ".join(pair), parts.score(pair, measure, resampling))
        for pair in combinations(parts.study.coders, 2)
    )


def _by_coder(parts: _Parts, measure: Any, resampling: Resampling) -> tuple[Group, ...]:
    """Return for every coder the mean over the pairs with the others, and the value without the coder.

    The mean is weighted by the number of items that both annotated.
    """
    bare = replace(resampling, resamples=0)
    pairs = {pair: parts.score(pair, measure, bare) for pair in combinations(parts.study.coders, 2)}
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
        without = parts.score(others, measure, bare).value if len(others) > 1 else None
        items = {item.id for _, used in own for item in used}
        status = "no_pairable" if mean is None else "ok"
        groups.append(Group(coder, mean, status, None, len(items), {"without": without}))
    return tuple(groups)


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

"""The value of a measure on some of a study's items, with its interval."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from arbitree.data.result import Interval
from arbitree.data.study import Item, Study
from arbitree.measures.base import FloatArray, cluster_positions
from arbitree.measures.resampling import Resampling


@dataclass(frozen=True, slots=True)
class Scored:
    """A value or None, why, its interval, and the weights that it was computed with."""

    value: float | None
    status: str
    interval: Interval | None
    used: tuple[Item, ...]
    weights: FloatArray  # (1, clusters)


def score_items(
    study: Study[Any], measure: Any, stats: Any, resampling: Resampling, items: Iterable[Item] | None = None
) -> Scored:
    """Return the value of *measure* over *items*, by default all that *stats* could use."""
    clusters = study.cluster_count
    if items is None:
        chosen, members = stats.used, np.flatnonzero(np.bincount(stats.columns, minlength=clusters))
    else:
        chosen, places = tuple(items), cluster_positions(study)
        members = np.array(sorted({places[item.cluster] for item in chosen}), dtype=np.intp)

    def score(rows: FloatArray) -> FloatArray:
        found: FloatArray = measure.score(stats, rows)
        return found

    scores = resampling.scores(score, members, clusters)
    value = None if np.isnan(scores[0]) else float(scores[0])
    interval = resampling.interval(score, scores, members, clusters)
    weights = resampling.ones(members, clusters)
    return Scored(value, measure.status(value, len(chosen)), interval, chosen, weights)

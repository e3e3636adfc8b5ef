"""Confidence intervals by resampling clusters (sentences) with replacement."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arbitree.errors import UnknownName
from arbitree.measures.measure import FloatArray, Measure, S
from arbitree.plugins import check_name
from arbitree.study.comparable import cluster_positions
from arbitree.study.result import Interval
from arbitree.study.study import Item, Study

CHUNK = 64_000_000  # weights held at once: 1,000 resamples of 64,000 sentences
KEPT = 8_000_000  # weights that are kept for later, besides the last ones
BLOCK = 50  # rows that are drawn at once: few enough for a processor's own memory

Score = Callable[[FloatArray], FloatArray]
Bounds = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Resampling:
    """The number of resamples, the seed, and the method of the interval."""

    resamples: int = 1000
    confidence: float = 0.95
    seed: int = 0
    method: str = "percentile"
    _kept: dict[tuple[bytes, int], list[FloatArray]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        check_name(self.method, METHODS, "interval method")
        if not 0 < self.confidence < 1:
            raise UnknownName(
                f"confidence is {self.confidence}", hint="Use a number between 0 and 1, such as 0.95"
            )
        if self.resamples < 0 or self.seed < 0:
            raise UnknownName(
                "resamples and seed cannot be negative",
                hint="Use 0 resamples to skip the confidence interval",
            )

    def scores(self, score: Score, members: NDArray[np.intp], clusters: int) -> FloatArray:
        """Return the score of *members*, followed by the scores of all resamples: (1 + resamples,).

        Args:
            score: a function that returns values for rows of weights over all *clusters*.
            members: the clusters to draw from.
            clusters: the number of columns of the weights.
        """
        return np.concatenate([score(rows) for rows in self.rows(members, clusters)])

    def bounds(self, scores: FloatArray) -> Bounds | None:
        """Return the bounds of the interval around the first of *scores* that the others make."""
        return None if np.isnan(scores[0]) else METHODS[self.method](scores, self.confidence)

    def interval(self, scores: FloatArray) -> Interval | None:
        """Return the interval of the first of *scores*, from the others."""
        found = self.bounds(scores)
        if found is None:
            return None
        undefined = int(np.isnan(scores[1:]).sum())
        return Interval(*found, self.confidence, self.method, self.resamples, undefined)

    def ones(self, members: NDArray[np.intp], clusters: int) -> FloatArray:
        """Return the weights of *members* without resampling: one row."""
        weights = np.zeros((1, clusters))
        weights[0, members] = 1
        return weights

    def rows(self, members: NDArray[np.intp], clusters: int) -> Iterable[FloatArray]:
        """Return the weights: ones, then multinomial draws, in chunks that do not affect the values.

        Rows are cached while memory allows, so measures on the same clusters share them.
        """
        if (self.resamples + 1) * clusters > CHUNK:
            return self._drawn(members, clusters)
        key = (members.tobytes(), clusters)
        if key not in self._kept:
            while sum(rows.size for kept in self._kept.values() for rows in kept) > KEPT:
                self._kept.pop(next(iter(self._kept)))
            self._kept[key] = list(self._drawn(members, clusters))
        return self._kept[key]

    def _drawn(self, members: NDArray[np.intp], clusters: int) -> Iterator[FloatArray]:
        random = np.random.default_rng(self.seed)
        resamples = self.resamples if len(members) > 1 else 0
        step = max(1, CHUNK // max(clusters, 1))
        for start in range(0, resamples + 1, step):
            weights = np.empty((min(step, resamples + 1 - start), clusters))
            if start == 0:
                weights[0] = np.bincount(members, minlength=clusters)
            for first in range(start == 0, len(weights), BLOCK):
                _fill(weights[first : first + BLOCK], members, random)
            yield weights


def percentile_bounds(drawn: FloatArray, confidence: float) -> Bounds | None:
    """Return the percentile interval of *drawn* values; None if all of them are undefined."""
    defined = drawn[~np.isnan(drawn)]
    if not len(defined):
        return None
    low, high = quantiles(defined, [(1 - confidence) / 2, (1 + confidence) / 2])
    return float(low), float(high)


# The bounds by each method, from a value followed by its resamples; None if no resample is defined.
METHODS: dict[str, Callable[[FloatArray, float], Bounds | None]] = {
    "percentile": lambda scores, confidence: percentile_bounds(scores[1:], confidence),
}


def tail_p(differences: FloatArray) -> float | None:
    """Return the two-sided p-value of a difference from its resamples: twice the smaller tail, plus one.

    Example:
        >>> tail_p(np.array([0.1, 0.2, 0.3, 0.2, 0.1, 0.2, 0.4, 0.2, -0.1]))
        0.4
    """
    drawn = differences[~np.isnan(differences)]
    if not len(drawn):
        return None
    tail = min(int((drawn <= 0).sum()), int((drawn >= 0).sum()))
    return min(1.0, 2 * (tail + 1) / (len(drawn) + 1))


def quantiles(values: FloatArray, levels: Sequence[float] | FloatArray) -> FloatArray:
    """Return quantiles of *values* by linear interpolation.

    The results equal those of ``numpy.quantile``, which is slow to import.

    Example:
        >>> quantiles(np.array([4.0, 1.0, 2.0]), [0.0, 0.25, 1.0]).tolist()
        [1.0, 1.5, 4.0]
    """
    ordered = np.sort(values)
    places = np.asarray(levels) * (len(ordered) - 1)
    below = np.floor(places).astype(np.intp)
    first, second = ordered[below], ordered[np.minimum(below + 1, len(ordered) - 1)]
    part = places - below
    found: FloatArray = np.where(
        part < 0.5, first + (second - first) * part, second - (second - first) * (1 - part)
    )
    return found


def _fill(weights: FloatArray, members: NDArray[np.intp], random: np.random.Generator) -> None:
    """Fill each row of *weights* with a draw from *members*."""
    rows, clusters = weights.shape
    drawn = members[random.integers(len(members), size=(rows, len(members)))]
    drawn += np.arange(rows)[:, None] * clusters
    weights.ravel()[:] = np.bincount(drawn.ravel(), minlength=rows * clusters)


@dataclass(frozen=True, slots=True)
class Scored:
    """A value or None, its status, its interval, and the weights used."""

    value: float | None
    status: str
    interval: Interval | None
    used: tuple[Item, ...]
    weights: FloatArray  # (1, clusters)


def score_items(
    study: Study[Any],
    measure: Measure[S],
    stats: S,
    resampling: Resampling,
    items: Iterable[Item] | None = None,
) -> Scored:
    """Return the value of *measure* over *items*, by default all usable items of *stats*."""
    clusters = study.cluster_count
    if items is None:
        chosen, members = stats.used, np.flatnonzero(np.bincount(stats.columns, minlength=clusters))
    else:
        chosen, places = tuple(items), cluster_positions(study)
        members = np.array(sorted({places[item.cluster] for item in chosen}), dtype=np.intp)

    scores = resampling.scores(lambda rows: measure.score(stats, rows), members, clusters)
    value = None if np.isnan(scores[0]) else float(scores[0])
    interval = resampling.interval(scores)
    weights = resampling.ones(members, clusters)
    return Scored(value, measure.status(value, len(chosen)), interval, chosen, weights)

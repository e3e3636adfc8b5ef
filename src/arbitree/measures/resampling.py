"""Confidence intervals: resampling of clusters (sentences), and the methods to choose from."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from arbitree.errors import UnknownName
from arbitree.measures.jackknife import Bounds, Contrast, Evidence, Joined, Score, left_out
from arbitree.measures.measure import Extent, FloatArray, quotient
from arbitree.plugins import known_name
from arbitree.study.result import Interval

CHUNK = 8_000_000  # weights held at once: 1,000 resamples of 8,000 sentences
KEPT = 64_000_000  # weights that are kept for later, in a byte each
BLOCK = 50  # rows that are drawn at once: few enough for a processor's own memory
ALIKE = 10  # clusters per group, on average, from which on drawing groups is faster

DEFAULT = "jackknife"

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Resampling:
    """The method of the interval and its level, the number of resamples and their seed.

    Without resamples there are no intervals, also by methods that do not resample.
    """

    resamples: int = 1000
    confidence: float = 0.95
    seed: int = 0
    method: str = DEFAULT
    _kept: dict[tuple[bytes, int], list[NDArray[Any]]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "method", known_name(self.method, METHODS, "interval method"))
        if not 0 < self.confidence < 1:
            raise UnknownName(
                f"confidence is {self.confidence}", hint="Use a number between 0 and 1, such as 0.95"
            )
        if self.resamples < 0 or self.seed < 0:
            raise UnknownName(
                "resamples and seed cannot be negative",
                hint="Use 0 resamples to skip the confidence interval",
            )

    @property
    def resampled(self) -> bool:
        """Whether the intervals depend on resamples."""
        return self.resamples > 0 and METHODS[self.method].resampled

    @property
    def parts(self) -> list[str]:
        """The settings that the signature of a value records."""
        if not self.resamples:
            return []
        found = [f"interval:{self.method}", f"confidence:{self.confidence:g}"]
        return [*found, f"resamples:{self.resamples}"] if self.resampled else found

    def interval(self, sample: Sample) -> Interval | None:
        """Return the interval of the value of *sample*; None if the value is undefined."""
        if not self.resamples or len(sample.members) < 2:
            return None
        return METHODS[self.method].interval(sample, self)

    def difference(
        self, first: Sample, second: Sample, *, paired: bool
    ) -> tuple[Bounds | None, float | None]:
        """Return the interval and the p-value of the difference between two values.

        Args:
            first, second: the values.
            paired: whether they are values of the same clusters.
        """
        if not self.resamples or np.isnan(first.value - second.value):
            return None, None
        return METHODS[self.method].difference(first, second, paired, self)

    def scores(self, score: Score, members: NDArray[np.intp], clusters: int) -> FloatArray:
        """Return the score of *members*, followed by the scores of all resamples: (1 + resamples,).

        Args:
            score: a function that returns values for rows of weights over all *clusters*.
            members: the clusters to draw from.
            clusters: the number of columns of the weights.
        """
        return np.concatenate([score(rows) for rows in self.rows(members, clusters)])

    def values(self, *samples: Sample) -> list[FloatArray]:
        """Return the value of each sample, followed by its values on all resamples: (1 + resamples,) each.

        All samples are computed on the same resamples, so they need the same clusters. Clusters that are
        alike in all samples are drawn together if there are many of them: their weights are one multinomial
        number.
        """
        groups = Groups.of(samples)
        scores = [] if groups is None else [each.together(groups.first, groups.counts) for each in samples]
        if groups is None or None in scores:
            return [self.scores(each.score, each.members, each.clusters) for each in samples]
        rows = list(self.together(groups.counts))
        return [
            np.concatenate([[each.value], *map(score, rows)])
            for each, score in zip(samples, scores, strict=True)
            if score is not None
        ]

    def together(self, counts: FloatArray) -> Iterator[FloatArray]:
        """Yield resamples of groups of clusters, in chunks that do not affect the values.

        Args:
            counts: The number of clusters in each group.
        """
        random = np.random.default_rng(self.seed)
        size = int(counts.sum())
        step = max(1, CHUNK // len(counts))
        for start in range(0, self.resamples, step):
            rows = min(step, self.resamples - start)
            yield random.multinomial(size, counts / size, size=rows).astype(np.float64)

    def percentile_interval(self, scores: FloatArray) -> Interval | None:
        """Return the percentile interval of the first of *scores*, from the others."""
        found = None if np.isnan(scores[0]) else percentile_bounds(scores[1:], self.confidence)
        if found is None:
            return None
        undefined = int(np.isnan(scores[1:]).sum())
        return Interval(*found, self.confidence, "percentile", self.resamples, undefined)

    def rows(self, members: NDArray[np.intp], clusters: int) -> Iterable[FloatArray]:
        """Return the weights: ones, then multinomial draws, in chunks that do not affect the values.

        Rows are cached while memory allows, so measures on the same clusters share them.
        """
        size = (self.resamples + 1) * clusters
        if size > KEPT:
            return self._drawn(members, clusters)
        key = (members.tobytes(), clusters)
        if key not in self._kept:
            while size + sum(rows.nbytes for kept in self._kept.values() for rows in kept) > KEPT:
                self._kept.pop(next(iter(self._kept)))
            self._kept[key] = [_compact(rows) for rows in self._drawn(members, clusters)]
        return (rows.astype(np.float64) for rows in self._kept[key])

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


@dataclass(frozen=True)
class Sample:
    """A value over some clusters that can be computed again for other weights.

    Args:
        score: returns values for rows of weights over all *clusters*.
        members: the clusters with a weight.
        clusters: the number of columns of the weights.
        names: the names of all clusters.
        extent: how far the value can go.
        evidence: returns for every cluster whether it shows any disagreement, and whether any agreement.
        without: returns the value without each of all clusters, if there is a fast way.
        alike: returns a number for every cluster; clusters with the same number can be exchanged.
        groups: returns a number for every cluster; those with the same number have equal statistics.
        together: returns a function that scores weights of groups of such clusters, from one cluster of each
            group and the number of its clusters; None if each cluster must be drawn by itself.
        joined: returns a function that scores weights of blocks of clusters, from the block of each cluster
            and the number of blocks; None if there is no faster way than *score*.
    """

    score: Score
    members: NDArray[np.intp]
    clusters: int
    names: Callable[[], Sequence[str]]
    extent: Callable[[FloatArray], Extent] = lambda weights: Extent()
    evidence: Callable[[], tuple[Flags, Flags]] | None = None
    without: Callable[[FloatArray], FloatArray | None] = lambda weights: None
    alike: Callable[[], NDArray[np.intp] | None] = lambda: None
    groups: Callable[[], NDArray[np.intp] | None] = lambda: None
    together: Callable[[NDArray[np.intp], FloatArray], Score | None] = lambda first, counts: None
    joined: Joined = lambda blocks, count: None

    @cached_property
    def weights(self) -> FloatArray:
        """The weights of the value: one row of zeros and ones."""
        weights = np.zeros((1, self.clusters))
        weights[0, self.members] = 1
        return weights

    @cached_property
    def value(self) -> float:
        """The value; NaN if undefined."""
        return float(self.score(self.weights)[0])

    def jackknifed(self, *, grouped: bool = True, fast: bool = True) -> Evidence:
        """Return the values without each cluster, and what the clusters show.

        Args:
            grouped: whether clusters that can be exchanged may share a value.
            fast: whether a faster way than scoring rows of weights may be used.
        """
        found = self.without(self.weights) if fast else None
        if found is not None:
            without, counts = found[self.members], np.ones(len(self.members))
        else:
            without, counts = left_out(
                self.score,
                self.members,
                self.clusters,
                alike=self.alike() if grouped else None,
                names=self.names,
                joined=self.joined,
            )
        every = np.ones(self.clusters, dtype=np.bool_)
        apart, equal = (each[self.members] for each in (self.evidence() if self.evidence else (every, every)))
        informative = int((apart | equal).sum())  # a cluster without tokens that count shows nothing
        return Evidence(
            self.value,
            without,
            counts,
            informative or len(self.members),
            int(apart.sum()),
            int(equal.sum()),
            self.extent(self.weights),
        )


@dataclass(frozen=True, slots=True)
class Groups:
    """Groups of clusters with equal statistics, in the order of their first clusters."""

    first: NDArray[np.intp]  # (groups,) a cluster of each group
    counts: FloatArray  # (groups,) its clusters

    @classmethod
    def of(cls, samples: Sequence[Sample]) -> Groups | None:
        """Return the groups of clusters that are equal in all *samples*; None if small or unknown."""
        members = samples[0].members
        if any(not np.array_equal(each.members, members) for each in samples):
            return None
        keys = np.zeros(len(members), dtype=np.intp)
        for sample in samples:
            groups = sample.groups()
            if groups is None:
                return None
            keys = np.unique(keys * (groups.max() + 1) + groups[members], return_inverse=True)[1]
        _, first, counts = np.unique(keys, return_index=True, return_counts=True)
        if not are_many(len(members), len(first)):
            return None
        order = np.argsort(first)
        return cls(members[first[order]], counts[order].astype(np.float64))


def are_many(clusters: int, groups: int) -> bool:
    """Return whether there are enough clusters per group, so that groups are drawn, not single clusters."""
    return clusters >= ALIKE * max(groups, 1)


def ratio_sample(
    above: FloatArray,
    below: FloatArray,
    members: NDArray[np.intp],
    names: Callable[[], Sequence[str]],
    *,
    grouped: bool = False,
) -> Sample:
    """Return the sample of a share: the sum of *above* over the sum of *below*, of every cluster.

    Args:
        above, below: (clusters,) the counts of every cluster.
        members: the clusters with a weight.
        names: returns the names of all clusters.
        grouped: whether clusters with equal counts are drawn together if there are many of them.
    """

    def groups() -> NDArray[np.intp] | None:
        if not grouped:
            return None
        return np.unique(np.stack([above, below]), axis=1, return_inverse=True)[1].reshape(-1)

    return Sample(
        score=lambda rows: quotient(rows @ above, rows @ below),
        members=members,
        clusters=len(above),
        names=names,
        evidence=lambda: (above < below, above > 0),
        without=lambda weights: quotient(weights[0] @ above - above, weights[0] @ below - below),
        groups=groups,
        together=lambda first, counts: lambda rows: quotient(rows @ above[first], rows @ below[first]),
    )


class Method(ABC):
    """A method of confidence intervals."""

    resampled: ClassVar[bool]  # whether the intervals depend on resamples and their seed

    @abstractmethod
    def interval(self, sample: Sample, settings: Resampling) -> Interval | None:
        """Return the interval of the value of *sample*."""

    @abstractmethod
    def difference(
        self, first: Sample, second: Sample, paired: bool, settings: Resampling
    ) -> tuple[Bounds | None, float | None]:
        """Return the interval and the p-value of the difference between two values."""


class Percentile(Method):
    """Quantiles of the values of bootstrap resamples."""

    resampled: ClassVar[bool] = True

    def interval(self, sample: Sample, settings: Resampling) -> Interval | None:
        """Return the quantiles of the resampled values."""
        (scores,) = settings.values(sample)
        found = settings.percentile_interval(scores)
        return found and replace(found, clusters=len(sample.members))

    def difference(
        self, first: Sample, second: Sample, paired: bool, settings: Resampling
    ) -> tuple[Bounds | None, float | None]:
        """Return the quantiles of the resampled differences, and twice the share beyond 0."""
        if paired:
            ours, theirs = settings.values(first, second)
        else:
            apart = replace(settings, seed=settings.seed + 1)
            (ours,), (theirs,) = settings.values(first), apart.values(second)
        gaps = (ours - theirs)[1:]
        return percentile_bounds(gaps, settings.confidence), tail_p(gaps)


class Jackknife(Method):
    """Student's t with the standard error of the values without each cluster, on a transformed scale."""

    resampled: ClassVar[bool] = False

    def interval(self, sample: Sample, settings: Resampling) -> Interval | None:
        """Return the interval from the values without each cluster."""
        if np.isnan(sample.value):
            return None
        evidence = sample.jackknifed()
        found = evidence.bounds(settings.confidence)
        undefined = int(evidence.counts[np.isnan(evidence.without)].sum())
        if found is None:
            return None
        seen = evidence.seen
        n = evidence.clusters if seen < 2 else len(sample.members)  # as the notes need it
        return Interval(*found, settings.confidence, settings.method, 0, undefined, n, seen)

    def difference(
        self, first: Sample, second: Sample, paired: bool, settings: Resampling
    ) -> tuple[Bounds | None, float | None]:
        """Return the interval from those of both values and their correlation."""
        ours, theirs = (each.jackknifed(grouped=not paired) for each in (first, second))
        if paired and len(ours.without) != len(theirs.without):  # one of them by blocks of clusters
            ours, theirs = (each.jackknifed(grouped=False, fast=False) for each in (first, second))
        contrast = Contrast(ours, theirs, paired)
        return contrast.bounds(settings.confidence), contrast.p()


METHODS: dict[str, Method] = {DEFAULT: Jackknife(), "percentile": Percentile()}


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


def _compact(weights: FloatArray) -> NDArray[Any]:
    """Return *weights* in the smallest type that holds them."""
    return weights.astype(np.min_scalar_type(int(weights.max(initial=0))))

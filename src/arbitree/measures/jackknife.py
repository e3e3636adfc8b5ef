"""Confidence intervals by the jackknife: from the value without each cluster in turn.

Formula:
    d = |best - value|, the disagreement
    u = log d, or log(d / (1 - d)) for a share of 1
    p_i = n u - (n - 1) u_(i), the pseudo-values, where u_(i) leaves out cluster i
    s² = Σ (p_i - p̄)² / (n (n - 1))
    ends = u + (p̄* - p̄) ± t s*, where p̄* and s* count the cluster that moves this end most once more
    t has min(2n / (κ - 1), clusters with a disagreement - 1) degrees of freedom, κ the kurtosis of the p_i
Reference:
    Tukey (1958); Arvesen (1969), for functions of means; Clopper & Pearson (1934), for few disagreements.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from arbitree.measures.measure import Extent, FloatArray
from arbitree.measures.quantiles import beta, student
from arbitree.wording import EXACT

BLOCKS = 1000  # values that are computed without a part of the clusters, at most
ROOM = 8_000_000  # weights held at once
STEPS = 40  # of halving, until a p-value is exact
STILL = 1e-9  # a standard error below this is a rounding error

Bounds = tuple[float, float]
Score = Callable[[FloatArray], FloatArray]
Joined = Callable[[NDArray[np.intp], int], Score | None]


@dataclass(frozen=True)
class Evidence:
    """A value, the values without each cluster, and how many clusters show agreement and disagreement.

    Clusters that cannot be told apart share one of the values *without*; *counts* says how many they are.
    """

    value: float
    without: FloatArray  # (groups,)
    counts: FloatArray  # (groups,)
    clusters: int
    disagreeing: int  # clusters with any disagreement
    agreeing: int  # clusters with any agreement
    extent: Extent

    @property
    def distance(self) -> float:
        """The distance of the value from perfect agreement: d."""
        return self._direction * (self.extent.best - self.value)

    @property
    def perfect(self) -> bool:
        """Whether there is no disagreement."""
        return self.distance <= EXACT

    @property
    def seen(self) -> int:
        """The clusters with a disagreement; all of them if none is known although there is disagreement."""
        return 0 if self.perfect else self.disagreeing or self.clusters

    @cached_property
    def pseudo(self) -> FloatArray:
        """The pseudo-values of the value itself, which is not transformed."""
        return self._pseudo(self.value, self.without)

    def bounds(self, confidence: float) -> Bounds | None:
        """Return the interval at this level of *confidence*; None for a single cluster."""
        if self.clusters < 2:
            return None
        best, span = self.extent.best, abs(self.extent.best - self.extent.worst)
        every = self._direction * (best - np.append(self.without, self.value))
        every = every[~np.isnan(every)]
        if every.min() < -EXACT:  # beyond perfect agreement, so the extent says nothing
            return self.ends(self.value, self.pseudo, self.extent.error, math.inf, confidence)
        share = math.isfinite(span) and every.max() <= span + EXACT
        low, high = self._distances(span if share else math.inf, confidence)
        ends = (best - self._direction * high, best - self._direction * low)
        return min(ends), max(ends)

    def _distances(self, span: float, confidence: float) -> Bounds:
        """Return the smallest and the largest distance from perfect agreement."""
        d, n, k, unlike = self.distance, self.clusters, self.seen, self.extent.unlike
        few = clopper_pearson(k, n, confidence)
        typical = d * n / k if k else unlike  # distance of a cluster that disagrees
        least, most = few[0] * min(typical, unlike), few[1] * max(typical, unlike)
        if d >= unlike - EXACT:  # at least as far as random annotations are
            most = max(most, few[1] * self._largest)
        share = math.isfinite(span)
        k_agree = n if (self.agreeing == 0) != (span - d <= EXACT) else self.agreeing
        low, high = least, most
        if k > 1 and not (share and k_agree <= 1):
            found = self._transformed(span, min(k, k_agree) if share else k, confidence)
            if found is not None:
                low, high = found[0], min(found[1], most)
        if share:
            few = clopper_pearson(k_agree, n, confidence)
            typical = (span - d) * n / k_agree if k_agree else span
            if k_agree <= 1:
                low, high = span - few[1] * max(typical, span), span - few[0] * min(typical, span)
            low = max(low, span - few[1] * max(typical, span))
        elif self.extent.worst < self.extent.best:
            low = min(low, self._unseen(confidence))
        return max(low, 0.0), min(high, span, max(self.extent.farthest, d))

    @property
    def _largest(self) -> float:
        """The distance of the cluster that disagrees most, by the pseudo-values."""
        found = self._direction * (self.extent.best - self.pseudo)
        return float(np.nanmax(found, initial=self.distance))

    def _unseen(self, confidence: float) -> float:
        """Return the distance if unseen clusters agreed on annotations that are rare, which raises chance.

        With a share p of such clusters D_o is multiplied by 1 - p, and D_e by (1 - p)² + (1 - (1 - p)²) h,
        where h D_e is the disagreement of two annotations that differ.
        """
        rest: float = (1 - confidence) ** (1 / self.clusters)
        return self.distance * rest / (rest**2 + (1 - rest**2) * self.extent.unlike)

    def _transformed(self, span: float, informative: int, confidence: float) -> Bounds | None:
        """Return the ends on the scale of u; None if the clusters do not vary."""
        share = math.isfinite(span)

        def scale(distance: FloatArray) -> FloatArray:
            with np.errstate(divide="ignore", invalid="ignore"):
                found: FloatArray = np.log(distance) - (np.log1p(-distance / span) if share else 0)
            return found

        d = self.distance
        u = float(scale(np.array(d)))
        pseudo = self._pseudo(u, scale(self._direction * (self.extent.best - self.without)))
        error = self.extent.error / (d * (1 - d / span) if share else d)
        found = self.ends(u, pseudo, error, informative - 1, confidence)
        if found is None:
            return None
        with np.errstate(over="ignore"):
            ends = np.exp(np.array(found))
        low, high = ends / (1 + ends / span) if share else ends
        return float(low), float(high)

    def ends(
        self, u: float, pseudo: FloatArray, error: float, freedom: float, confidence: float
    ) -> Bounds | None:
        """Return the ends of u from its pseudo-values; None without at least two that differ.

        Args:
            u: the value on the scale of the pseudo-values.
            pseudo: the pseudo-values, as many as *counts*.
            error: a further standard error of u.
            freedom: the degrees of freedom, at most.
            confidence: the level.
        """
        known = np.isfinite(pseudo)
        p, c = pseudo[known], self.counts[known]
        n = float(c.sum())
        if n < 2:
            return None
        mean = float(c @ p / n)
        squares = c @ (p - mean) ** 2
        if math.sqrt(squares / (n * (n - 1))) <= STILL * (1 + abs(u)):
            return None
        kurtosis = float(n * (c @ (p - mean) ** 4) / squares**2)
        t = student(max(1.0, min(2 * n / max(kurtosis - 1, EXACT), freedom)), confidence)
        ends = []
        for extra, sign in ((p.min(), -1), (p.max(), 1)):
            shift = float(extra - mean) / (n + 1)
            more = squares + (extra - mean) ** 2 - (n + 1) * shift**2
            ends.append(u + shift + sign * t * math.sqrt(more / ((n + 1) * n) + error**2))
        return ends[0], ends[1]

    def _pseudo(self, whole: float, without: FloatArray) -> FloatArray:
        n = self.counts.sum()
        found: FloatArray = n * whole - (n - 1) * without
        return found

    @property
    def _direction(self) -> int:
        return 1 if self.extent.worst < self.extent.best else -1


def clopper_pearson(successes: int, trials: int, confidence: float) -> Bounds:
    """Return the exact interval of a share; without successes or failures all of the error is on one side.

    Example:
        >>> [round(end, 4) for end in clopper_pearson(0, 20, 0.95)]
        [0.0, 0.1391]
        >>> [round(end, 4) for end in clopper_pearson(1, 20, 0.95)]
        [0.0013, 0.2487]
    """
    rest = (1 - confidence) ** (1 / trials)
    if successes == 0:
        return 0.0, 1 - rest
    if successes == trials:
        return rest, 1.0
    tail = (1 - confidence) / 2
    return beta(successes, trials - successes + 1, tail), beta(successes + 1, trials - successes, 1 - tail)


def left_out(
    score: Score,
    members: NDArray[np.intp],
    clusters: int,
    *,
    alike: NDArray[np.intp] | None = None,
    names: Callable[[], Sequence[str]],
    joined: Joined = lambda blocks, count: None,
) -> tuple[FloatArray, FloatArray]:
    """Return the values without each of *members*, and for how many of them each value stands.

    Above a thousand values, clusters are left out in a thousand blocks. The names decide about the block, so
    that the order of the clusters does not matter.

    Args:
        score: a function that returns values for rows of weights over all *clusters*.
        members: the clusters with a weight.
        clusters: the number of columns of the weights.
        alike: for every cluster a number; clusters with the same number can be exchanged.
        names: the names of all clusters.
        joined: returns a function that scores weights of blocks of clusters, from the block of each cluster
            and the number of blocks; None if there is no faster way than *score*.
    """
    kinds = np.arange(len(members)) if alike is None else alike[members]
    _, first, counts = np.unique(kinds, return_index=True, return_counts=True)
    parts: list[NDArray[np.intp]]
    if len(first) <= BLOCKS:
        parts = list(members[first][:, None])
    else:
        known = names()
        parts = np.array_split(members[_shuffled([known[place] for place in members.tolist()])], BLOCKS)
        counts = np.ones(len(parts), dtype=np.intp)
    whole = _block_score(joined, parts, members, clusters) if len(parts) * clusters > ROOM else None
    if whole is not None:
        return whole, counts.astype(np.float64)
    base = np.zeros(clusters)
    base[members] = 1
    step = max(1, ROOM // max(clusters, 1))
    values = []
    for start in range(0, len(parts), step):
        some = parts[start : start + step]
        rows = np.tile(base, (len(some), 1))
        for row, part in zip(rows, some, strict=True):
            row[part] = 0
        values.append(score(rows))
    return np.concatenate(values), counts.astype(np.float64)


def _shuffled(names: Sequence[str]) -> NDArray[np.intp]:
    """Return an order of *names* that depends on nothing else: by a hash of each, then by name."""
    hashes = np.array([crc32(name.encode("utf-8", "surrogatepass")) for name in names], dtype=np.int64)
    order = np.argsort(hashes, kind="stable")
    ties = np.flatnonzero(np.diff(hashes[order]) == 0)
    if len(ties):
        return np.array(sorted(range(len(names)), key=lambda place: (hashes[place], names[place])))
    return order


def _block_score(
    joined: Joined,
    parts: Sequence[NDArray[np.intp]],
    members: NDArray[np.intp],
    clusters: int,
) -> FloatArray | None:
    """Return the values without each of *parts*, from blocks: the parts, the other members, and the rest."""
    blocks = np.full(clusters, len(parts) + 1, dtype=np.intp)
    blocks[members] = len(parts)
    blocks[np.concatenate(parts)] = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
    score = joined(blocks, len(parts) + 2)
    if score is None:
        return None
    rows = np.ones((len(parts), len(parts) + 2))
    rows[:, -1] = 0
    np.fill_diagonal(rows, 0)
    return score(rows)


@dataclass(frozen=True, slots=True)
class Contrast:
    """The difference between two values.

    On the same clusters, it is a value like any other: its pseudo-values are the differences of theirs, and
    its scale is not transformed. On other clusters, and if no cluster or one shows a disagreement, its
    interval follows from those of both values.

    Formula:
        low = x - y - √((x - x_low)² + (y_high - y)²), high = x - y + √((x_high - x)² + (y - y_low)²)
    Reference:
        Zou & Donner (2008).
    """

    first: Evidence
    second: Evidence
    paired: bool

    @property
    def value(self) -> float:
        """The first value minus the second."""
        return self.first.value - self.second.value

    def bounds(self, confidence: float) -> Bounds | None:
        """Return the interval of the difference at this level of *confidence*."""
        if self.paired and min(self.first.seen, self.second.seen) > 1:
            pseudo = self.first.pseudo - self.second.pseudo
            error = math.hypot(self.first.extent.error, self.second.extent.error)
            found = self.first.ends(self.value, pseudo, error, math.inf, confidence)
            return found or (self.value, self.value)
        ours, theirs = self.first.bounds(confidence), self.second.bounds(confidence)
        if ours is None or theirs is None:
            return None
        below, above = self.first.value - ours[0], ours[1] - self.first.value
        fall, rise = self.second.value - theirs[0], theirs[1] - self.second.value
        return self.value - math.hypot(below, rise), self.value + math.hypot(above, fall)

    def p(self) -> float | None:
        """Return the p-value: 1 minus the highest confidence at which the interval excludes 0."""
        low, high = 0.0, 1.0  # the interval contains 0 at p = low, and excludes it at p = high
        if abs(self.value) <= EXACT:
            return 1.0
        for _ in range(STEPS):
            middle = (low + high) / 2
            found = self.bounds(1 - middle)
            if found is None:
                return None
            low, high = (low, middle) if found[0] > 0 or found[1] < 0 else (middle, high)
        return high

"""Expected disagreement from a sample of cluster pairs, for large studies.

Clusters are sorted by the size of their trees and divided into classes. Two classes, or one class with
itself, form a stratum. Pairs i < j are drawn with replacement within each stratum, with probabilities
proportional to r_i r_j. Each pair is compared in full.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import blake2b
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from arbitree.backends.base import Run
from arbitree.backends.serial import Serial
from arbitree.errors import UnknownName, UnsupportedStudy
from arbitree.kinds.kind import Kind
from arbitree.measures.measure import FloatArray, Measure, Named
from arbitree.measures.options import fitting, measure_named
from arbitree.measures.sums.pairs import (
    DistanceSource,
    PairStatistics,
    PairSums,
    Parts,
    SampleError,
    Stripes,
    digest,
    must_stream,
    stored_or_streamed,
)
from arbitree.study.comparable import pairable
from arbitree.study.flat_tree import IntArray
from arbitree.study.study import Study

PILOT = 2000  # pairs that tell how many are needed
MARGIN = 1.2  # more than the pilot asks for: its variances are estimates
CLASSES = 8  # of size, at most
PAIRS_A_STRATUM = 50  # on average, or there are fewer classes
BLOCK = 2048  # pairs of clusters in a piece of work
ROWS = 8  # resamples in a piece of work
Z = 1.959963984540054  # the normal distribution has 0.975 below this
ENOUGH = "Use a whole number of at least 2, such as 1000000 or 1e6"


@dataclass(frozen=True, slots=True)
class Sampling:
    """The number of cluster pairs to compare: all, a fixed number, or enough for a given error.

    Args:
        pairs: Number of pairs.
        tolerance: Maximum error of alpha at 95% confidence, which determines the number of pairs.
        seed: Random seed.
        column: Distance whose alpha the tolerance refers to.
    """

    pairs: int | None = field(default=None, metadata={"parse": lambda text: _whole(_number(text, "pairs"))})
    tolerance: float | None = field(default=None, metadata={"parse": lambda text: _number(text, "tolerance")})
    seed: int = field(default=0, metadata={"fixed": True})
    column: int = field(default=0, metadata={"fixed": True})

    def __post_init__(self) -> None:
        if self.pairs is not None and self.tolerance is not None:
            raise UnknownName("pairs and tolerance cannot be combined", hint="Set only one of them")
        if self.pairs is not None and self.pairs < 2:
            raise UnknownName(f"pairs is {self.pairs}", hint=ENOUGH)
        if self.tolerance is not None and not 0 < self.tolerance < math.inf:
            raise UnknownName(f"tolerance is {self.tolerance:g}", hint="Use a number above 0, such as 0.001")

    @property
    def asked(self) -> bool:
        """Whether sampling is requested."""
        return self.pairs is not None or self.tolerance is not None

    def stripes(self, source: DistanceSource, parts: Parts, run: Run) -> tuple[Stripes, tuple[str, ...]]:
        """Return the sums between clusters, sampled if requested, and notes about them."""
        count = len(source.clusters)
        every = count * (count - 1) // 2
        wanted = self.pairs or (self._needed(source, parts, every, run) if self.asked else every)
        if wanted < every:
            return draw(source, parts.sizes, wanted, (self.seed, 1), run), ()
        note = f"all {every:,} pairs of sentences were compared, because the requested sample is not smaller"
        return stored_or_streamed(source, run), (note,) if self.asked else ()

    def _needed(self, source: DistanceSource, parts: Parts, every: int, run: Run) -> int:
        """Return the number of pairs that keeps the error of alpha within the tolerance, from a pilot."""
        if every <= PILOT or self.tolerance is None:
            return every
        pilot = draw(source, parts.sizes, PILOT, (self.seed, 0), run)
        ones = np.ones((1, len(parts.sizes)))
        observed, expected, pairs = parts.disagreements(
            float(pilot.between(ones, self.column)[0]), self.column
        )
        if expected <= 0:
            return every
        most = self.tolerance / Z * expected**2 * pairs / 2  # standard error of the sum, times observed
        return max(PILOT, math.ceil(MARGIN * pilot.spread(self.column) * (observed / most) ** 2))


@dataclass(frozen=True, slots=True)
class Strata:
    """Classes of clusters by size, and the pairs of classes."""

    starts: NDArray[np.intp]  # (classes,) the first cluster of each
    first: NDArray[np.intp]  # (strata,) class of i
    second: NDArray[np.intp]  # (strata,) class of j

    @classmethod
    def of(cls, clusters: int, pairs: int) -> Strata:
        """Return the classes for these *clusters* and this number of sampled *pairs*."""
        fitting = [
            k
            for k in range(2, CLASSES + 1)
            if k * (k + 1) // 2 * PAIRS_A_STRATUM <= pairs and 2 * k <= clusters
        ]
        count = max(fitting, default=1)
        first, second = np.triu_indices(count)
        return cls(np.arange(count) * clusters // count, first, second)

    def masses(self, amounts: FloatArray) -> FloatArray:
        """Return Σ a_i a_j over the pairs i < j of every stratum, for amounts a of all clusters."""
        sums = np.add.reduceat(amounts, self.starts)
        squares = np.add.reduceat(amounts**2, self.starts)
        products: FloatArray = sums[self.first] * sums[self.second]
        return np.where(self.first == self.second, (products - squares[self.first]) / 2, products)

    def parts(self, amounts: FloatArray, own: FloatArray) -> FloatArray:
        """Return the part of every cluster i with the amount *own*_i in the masses: (strata, clusters)."""
        sums = np.add.reduceat(amounts, self.starts)
        classes = np.searchsorted(self.starts, np.arange(len(amounts)), side="right") - 1
        found = np.zeros((len(self.first), len(amounts)))
        for stratum, (first, second) in enumerate(zip(self.first, self.second, strict=True)):
            if first == second:
                found[stratum] = np.where(classes == first, own * (sums[first] - amounts), 0)
            else:
                found[stratum] = np.where(classes == first, own * sums[second], 0)
                found[stratum] += np.where(classes == second, own * sums[first], 0)
        return found


@dataclass(frozen=True, slots=True)
class Sampled:
    """The sampled cluster pairs of each stratum, and their mean squared distances."""

    streamed: ClassVar[bool] = True

    first: IntArray  # (pairs,)
    second: IntArray  # (pairs,)
    means: FloatArray  # (deltas, pairs) S_ij / (r_i r_j)
    begin: NDArray[np.intp]  # (strata,) where the pairs of each begin
    strata: Strata
    sizes: FloatArray  # (clusters,) annotations: r
    seed: int
    run: Run
    last: dict[bytes, FloatArray] = field(default_factory=dict)  # what was found last, by its weights

    def between(self, weights: FloatArray, delta: int) -> FloatArray:
        """Return estimates of Σ w_i w_j S_ij over i < j; measures with the same weights share the result."""
        key = digest(weights)
        if key not in self.last:
            pieces = [weights[at : at + ROWS] for at in range(0, len(weights), ROWS)]
            estimates = replace(self, run=Serial(), last={})._estimates  # no connection, which cannot be sent
            total = np.concatenate(list(self.run(estimates, pieces)), axis=1)
            self.last.clear()
            self.last[key] = total
        found: FloatArray = self.last[key][delta]
        return found

    def without(self, weights: FloatArray, delta: int) -> FloatArray:
        """Return the part of each cluster in the estimate, for one row of zeros and ones (n,).

        Without cluster i, the masses of its strata lose what it adds, and their means the pairs with i.
        """
        count, strata = len(weights), np.repeat(np.arange(len(self.begin)), self._counts)
        chosen = weights[self.first] * weights[self.second]
        values = self.means[delta]
        plain = np.add.reduceat(values, self.begin) / self._counts
        sums = [np.add.reduceat(each, self.begin) for each in (chosen, chosen * values)]
        places = np.concatenate([strata * count + side for side in (self.first, self.second)])
        lost = [
            np.bincount(places, np.tile(each, 2), len(self.begin) * count).reshape(-1, count)
            for each in (chosen, chosen * values)
        ]
        amounts = weights * self.sizes
        masses = self.strata.masses(amounts)
        left = masses[:, None] - self.strata.parts(amounts, self.sizes)
        pairs, totals = (whole[:, None] - gone for whole, gone in zip(sums, lost, strict=True))
        means = np.where(pairs > 0.5, totals / np.maximum(pairs, 1), plain[:, None])
        whole = masses @ np.where(sums[0] > 0, sums[1] / np.maximum(sums[0], 1), plain)
        found: FloatArray = whole - np.einsum("hi,hi->i", left, means)
        return found

    def error(self, delta: int) -> SampleError:
        """Return the error of the sum over all pairs."""
        masses, counts = self.strata.masses(self.sizes), self._counts
        variance = float(np.sum(masses**2 * self._variances(delta) / counts))
        every = len(self.sizes) * (len(self.sizes) - 1) // 2
        return SampleError(len(self.first), every, math.sqrt(variance))

    def spread(self, delta: int) -> float:
        """Return the variance of the sum times the number of pairs, for proportional allocation to strata."""
        masses = self.strata.masses(self.sizes)
        return float(masses.sum() * (masses @ self._variances(delta)))

    @property
    def _counts(self) -> NDArray[np.intp]:
        return np.diff(self.begin, append=len(self.first))

    def _variances(self, delta: int) -> FloatArray:
        counts, values = self._counts, self.means[delta]
        centre = np.repeat(np.add.reduceat(values, self.begin) / counts, counts)
        found: FloatArray = np.add.reduceat((values - centre) ** 2, self.begin) / (counts - 1)
        return found

    def _estimates(self, weights: FloatArray) -> FloatArray:
        return np.stack([self._estimate(row) for row in weights], axis=1)

    def _estimate(self, w: FloatArray) -> FloatArray:
        """Return for every delta Σ_h M_h(w) Σ w_i w_j v_ij m_ij / Σ w_i w_j v_ij, the sums over stratum h.

        M_h(w) is Σ w_i w_j r_i r_j over all its pairs, m_ij the mean squared distance. Without
        resampling v is 1, so weights of 1 give the expansion estimate. In a resample v is 0 or 2 with equal
        probability, so the sample of pairs varies as much as if it were drawn again.
        """
        chosen = w[self.first] * w[self.second]
        if w.max() > 1:
            toss = np.random.default_rng((self.seed, *blake2b(w.tobytes(), digest_size=16).digest()))
            chosen *= np.unpackbits(np.frombuffer(toss.bytes(len(chosen) // 8 + 1), np.uint8))[: len(chosen)]
        total = np.add.reduceat(chosen, self.begin)
        masses = self.strata.masses(w * self.sizes)
        found = np.empty(len(self.means))
        for delta, values in enumerate(self.means):
            part = np.add.reduceat(chosen * values, self.begin)
            plain = np.add.reduceat(values, self.begin) / self._counts  # of a stratum that has lost all pairs
            found[delta] = masses @ np.where(total > 0, part / np.maximum(total, 1), plain)
        return found


def draw(source: DistanceSource, sizes: FloatArray, pairs: int, seed: tuple[int, int], run: Run) -> Sampled:
    """Draw this number of cluster *pairs* and compare them, in blocks that *run* distributes."""
    strata = Strata.of(len(sizes), pairs)
    counts = _allocate(strata.masses(sizes), pairs)
    random = np.random.default_rng(seed)
    drawn = [_drawn(random, sizes, strata, stratum, int(count)) for stratum, count in enumerate(counts)]
    first, second = (np.concatenate(side) for side in zip(*drawn, strict=True))
    blocks = [(first[at : at + BLOCK], second[at : at + BLOCK]) for at in range(0, pairs, BLOCK)]
    sums = np.concatenate(list(run(partial(_sums, source), blocks)), axis=1)
    means = sums / (sizes[first] * sizes[second])
    begin = np.cumsum(counts) - counts
    return Sampled(first, second, means, begin, strata, sizes, seed[0], run)


def _allocate(masses: FloatArray, pairs: int) -> NDArray[np.intp]:
    """Return the number of pairs per stratum: two, and the rest in proportion to its mass."""
    shares = (pairs - 2 * len(masses)) * masses / masses.sum()
    counts: NDArray[np.intp] = np.floor(shares).astype(np.intp)
    left = pairs - 2 * len(masses) - counts.sum()
    counts[np.argsort(counts - shares, kind="stable")[:left]] += 1
    counts += 2
    return counts


def _drawn(
    random: np.random.Generator, sizes: FloatArray, strata: Strata, stratum: int, count: int
) -> tuple[IntArray, IntArray]:
    """Return *count* pairs i < j of a stratum, drawn with probabilities proportional to r_i r_j."""
    ends = np.append(strata.starts[1:], len(sizes))
    sides = [
        np.arange(strata.starts[each], ends[each]) for each in (strata.first[stratum], strata.second[stratum])
    ]
    found = np.empty((2, 0), dtype=np.int32)
    while found.shape[1] < count:
        more = np.stack(
            [random.choice(side, count, p=sizes[side] / sizes[side].sum()) for side in sides]
        ).astype(np.int32)
        found = np.concatenate([found, more[:, more[0] != more[1]]], axis=1)
    pairs = np.sort(found[:, :count], axis=0)
    first, second = pairs[:, np.lexsort((pairs[1], pairs[0]))]
    return first, second


def _sums(source: DistanceSource, pairs: tuple[IntArray, IntArray]) -> FloatArray:
    """Return S_ij of pairs of clusters: (deltas, pairs)."""
    first, second = pairs
    heights, widths = (source.groups[side + 1] - source.groups[side] for side in pairs)
    areas = heights * widths
    begin = np.cumsum(areas) - areas
    place = np.arange(areas.sum()) - np.repeat(begin, areas)
    ours = np.repeat(source.groups[first], areas) + place // np.repeat(widths, areas)
    theirs = np.repeat(source.groups[second], areas) + place % np.repeat(widths, areas)
    squares = source.squares(ours.astype(np.int32), theirs.astype(np.int32))
    squares *= source.counts[ours] * source.counts[theirs]
    return np.add.reduceat(squares, begin, axis=1)


class PairMeasure(Measure[PairSums]):
    """A measure that compares all pairs of clusters, or a sample of them."""

    __slots__ = ()

    @property
    @abstractmethod
    def sampling(self) -> Sampling:
        """The sampling of pairs."""

    @property
    @abstractmethod
    def statistics(self) -> PairStatistics:
        """The sums over the pairs."""

    @property
    @abstractmethod
    def column(self) -> int:
        """The index of its distance in its recipe."""

    @property
    @abstractmethod
    def slow_from(self) -> int | None:
        """The value size from which a pair takes seconds; None if the time does not depend on the size."""

    @abstractmethod
    def sampled(self, plan: Sampling) -> PairMeasure:
        """Return the same measure with the sampling *plan*."""

    @property
    def over_pairs(self) -> PairMeasure:
        """The measure itself."""
        return self


def with_sampling(chosen: Sequence[Named], asked: Sampling, seed: int) -> Iterator[Named]:
    """Yield the measures with the sampling *asked* for, unless they have their own.

    A tolerance refers to the first of the measures that share their sums.
    """
    if asked.asked and not any(measure.over_pairs for _, measure in chosen):
        names = ", ".join(name for name, _ in chosen)
        raise UnsupportedStudy(
            f"there are no pairs of sentences to sample for {names}",
            hint="Choose an alpha, such as alpha_plain",
        )
    columns: dict[PairStatistics, int] = {}
    for name, measure in chosen:
        over = measure.over_pairs
        if over is None or not (over.sampling.asked or asked.asked):
            yield name, measure
            continue
        seeded = replace(over.sampling if over.sampling.asked else asked, seed=seed)
        column = columns.setdefault(over.sampled(seeded).statistics, over.column)
        yield name, over.sampled(replace(seeded, column=column))


def sampling_of(pairs: float | None, tolerance: float | None) -> Sampling:
    """Return the sampling for a number of *pairs*, which may be written 1e6, or for a *tolerance*."""
    return Sampling(None if pairs is None else _whole(pairs), tolerance)


def _whole(number: float) -> int:
    if not math.isfinite(number) or number != math.floor(number):
        raise UnknownName(f"pairs is {number:g}", hint=ENOUGH)
    return int(number)


def _number(text: str, name: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise UnknownName(f"{name} is {text!r}", hint="Write a number") from None


FORECAST_PAIRS = 500  # pairs of sentences that give the rough error
SUGGESTED = 1_000_000  # pairs of sentences that are offered


def outlook(study: Study[Any], kind: Kind[Any], measures: Sequence[str], seed: int, run: Run) -> str | None:
    """Return a message about the number of pairs and the error of a sample; None for small studies."""
    named = [measure_named(each, kind) for each in measures or fitting(study, kind)]
    open_ones = [(name, each.over_pairs) for name, each in named if each.over_pairs and each.fits(study)]
    if not open_ones or any(each.sampling.asked for _, each in open_ones):
        return None
    name, measure = open_ones[0]
    limits = [each.slow_from for _, each in open_ones if each.slow_from is not None]
    large = must_stream(study.cluster_count, measure.statistics.deltas)
    long = any(len(cell.value) > min(limits) for cell in study.cells.values()) if limits else False
    if not (large or long):
        return None
    used, _ = pairable(study)
    if limits:
        longest = max(((len(cell.value), item.id) for item, cells in used for cell in cells), default=(0, ""))
        if longest[0] > min(limits):
            return long_tree(*longest)
    clusters = len({item.cluster for item, _ in used})
    if not must_stream(clusters, measure.statistics.deltas) or clusters * (clusters - 1) // 2 <= SUGGESTED:
        return None
    trees = sum(len(cells) for _, cells in used)
    pairs = trees * (trees - 1) // 2
    line = f"{pairs:,} pairs of trees to compare; to estimate {name} from a sample, add --pairs 1e6"
    error = _error(study, measure, seed, run)
    return line if error is None else f"{line} (error about ± {error:.1g})"


def _error(study: Study[Any], measure: PairMeasure, seed: int, run: Run) -> float | None:
    """Return half the width of the 95% interval of *measure* with SUGGESTED pairs, from a pilot."""
    pilot = measure.sampled(Sampling(FORECAST_PAIRS, seed=seed))
    stats = pilot.statistics.prepare(study, run)
    error = pilot.details(stats, np.ones((1, len(study.clusters)))).get("value_se")
    return None if error is None else Z * float(error) * math.sqrt(FORECAST_PAIRS / SUGGESTED)


def long_tree(size: int, item: str) -> str:
    """Return a message about the computation time for a tree of this *size*.

    Example:
        >>> long_tree(10_000, "s1")
        "sentence 's1' has 10,000 tokens, so edit distance may take very long; las and uas (-m las) are fast"
    """
    what = f"sentence {item!r} has {size:,} tokens, so edit distance may take very long"
    return f"{what}; las and uas (-m las) are fast"

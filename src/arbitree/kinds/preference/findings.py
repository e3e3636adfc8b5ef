"""Results of a preference study: judges, metrics compared with judges, and metrics with each other."""

from __future__ import annotations

from dataclasses import dataclass, field

from arbitree.kinds.preference.contest import Measured
from arbitree.kinds.preference.statistics.agreement import Agreement
from arbitree.kinds.preference.statistics.dependent import Contrast
from arbitree.kinds.preference.statistics.verdicts import METHODS, TIES, Overruled, Verdicts
from arbitree.measures.measure import FloatArray
from arbitree.measures.resampling import Resampling
from arbitree.plugins import check_name
from arbitree.study.result import Result
from arbitree.wording import brief

CORRELATE = ("sign", "size")
POOLED = "all"


@dataclass(frozen=True, slots=True)
class PreferOptions:
    """Options of the study; every field is part of the signature."""

    correlate: str = "sign"  # what is correlated: the sign of the difference or its size
    aggregate: str = "mace"
    ties: str = "half"
    against: str | None = None  # LAS, or the first metric where LAS is none of them
    resampling: Resampling = field(default_factory=Resampling)

    def __post_init__(self) -> None:
        check_name(self.correlate, CORRELATE, "correlate value")
        check_name(self.ties, TIES, "ties value")
        check_name(self.aggregate, (*METHODS, "given"), "aggregate value")


@dataclass(frozen=True)
class SetFindings:
    """One data set, or all pooled: verdicts, metric differences, and derived values."""

    name: str
    x: FloatArray  # (metrics, items) sign or size of the differences, items with a verdict alone
    raw: FloatArray  # (metrics, items) the differences themselves
    y: FloatArray  # (items,)
    weights: FloatArray  # (resamples, items)
    contrasts: tuple[Contrast | None, ...]  # of every metric; None for the baseline itself
    right: tuple[float | None, ...]  # share of verdicts that each metric shares
    decided: tuple[int, ...]  # the number of verdicts that these are shares of

    __repr__ = brief


@dataclass(frozen=True)
class Judged:
    """Results on one data set other than correlations."""

    measured: Measured
    verdicts: Verdicts
    agreement: Agreement
    with_coders: tuple[float | None, ...]  # for every metric the mean agreement with the single coders
    overruled: Overruled | None
    length: float  # mean number of tokens
    depth: float | None  # mean depth of the gold trees
    length_rho: float | None  # of the length of an item with the agreement on it

    __repr__ = brief

    @property
    def name(self) -> str:
        """The name of the data set."""
        return self.measured.contest.name

    @property
    def per_item(self) -> tuple[int, int]:
        """The smallest and the largest number of judgments per judged item."""
        counts = (self.measured.codes >= 0).sum(axis=1)
        counts = counts[counts > 0]
        return (int(counts.min()), int(counts.max())) if len(counts) else (0, 0)


@dataclass(frozen=True)
class PreferenceFindings:
    """All results of ``arbitree prefer``."""

    settings: PreferOptions
    metrics: tuple[str, ...]
    sets: tuple[Judged, ...]
    correlations: tuple[SetFindings, ...]  # of every set, then pooled if there are several
    results: tuple[Result, ...]
    between: tuple[tuple[float | None, ...], ...]  # correlations among metrics, pooled
    notes: tuple[str, ...]

    __repr__ = brief

    @property
    def pooled(self) -> SetFindings:
        """All items together."""
        return self.correlations[-1]

    @property
    def baseline(self) -> int:
        """The index of the metric that others are tested against."""
        return self.pooled.contrasts.index(None)

    def score(self, metric: int, found: Judged) -> tuple[float | None, float | None]:
        """Return the corpus-level value of a metric for both systems."""
        first, second = found.measured.results[metric]
        return first.value, second.value

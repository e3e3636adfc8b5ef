"""What a study of preferences finds: people, metrics against people, metrics against each other."""

from __future__ import annotations

from dataclasses import dataclass

from arbitree.kinds.preference.contest import Measured
from arbitree.kinds.preference.statistics.agreement import Agreement
from arbitree.kinds.preference.statistics.dependent import Contrast
from arbitree.kinds.preference.statistics.verdicts import METHODS, TIES, Overruled, Verdicts
from arbitree.measures.measure import FloatArray
from arbitree.plugins import check_name
from arbitree.study.result import Result

CORRELATE = ("sign", "size")
POOLED = "all"


@dataclass(frozen=True, slots=True)
class PreferOptions:
    """How the study is made; every field is part of the signature."""

    correlate: str = "sign"  # what is correlated: the sign of the difference or its size
    aggregate: str = "mace"
    ties: str = "half"
    against: str | None = None  # LAS, or the first metric where LAS is none of them
    resamples: int = 1000
    confidence: float = 0.95
    seed: int = 0

    def __post_init__(self) -> None:
        check_name(self.correlate, CORRELATE, "correlate value")
        check_name(self.ties, TIES, "ties value")
        check_name(self.aggregate, (*METHODS, "given"), "aggregate value")


@dataclass(frozen=True)
class SetFindings:
    """One set of items, or all pooled: verdicts, differences of metrics, and what follows from both."""

    name: str
    x: FloatArray  # (metrics, items) sign or size of the differences, items with a verdict alone
    raw: FloatArray  # (metrics, items) the differences themselves
    y: FloatArray  # (items,)
    weights: FloatArray  # (resamples, items)
    contrasts: tuple[Contrast | None, ...]  # of every metric; None for the baseline itself
    right: tuple[float | None, ...]  # share of verdicts that each metric shares


@dataclass(frozen=True)
class Judged:
    """What is known of one set beyond the correlations."""

    measured: Measured
    verdicts: Verdicts
    agreement: Agreement
    with_coders: tuple[float | None, ...]  # for every metric the mean agreement with the single coders
    overruled: Overruled | None
    length: float  # mean number of tokens
    depth: float | None  # mean depth of the gold trees
    length_rho: float | None  # of the length of an item with the agreement on it

    @property
    def name(self) -> str:
        """The name of the set."""
        return self.measured.contest.name

    @property
    def per_item(self) -> tuple[int, int]:
        """The least and the most judgments of an item that has any."""
        counts = (self.measured.codes >= 0).sum(axis=1)
        counts = counts[counts > 0]
        return (int(counts.min()), int(counts.max())) if len(counts) else (0, 0)


@dataclass(frozen=True)
class PreferenceFindings:
    """Everything that ``arbitree prefer`` shows."""

    settings: PreferOptions
    metrics: tuple[str, ...]
    sets: tuple[Judged, ...]
    correlations: tuple[SetFindings, ...]  # of every set, then pooled if there are several
    results: tuple[Result, ...]
    between: tuple[tuple[float | None, ...], ...]  # correlations among metrics, pooled
    notes: tuple[str, ...]

    @property
    def pooled(self) -> SetFindings:
        """All items together."""
        return self.correlations[-1]

    @property
    def baseline(self) -> int:
        """The place of the metric that others are tested against."""
        return self.pooled.contrasts.index(None)

    def score(self, metric: int, found: Judged) -> tuple[float | None, float | None]:
        """Return the value of a metric on the corpus for either system."""
        first, second = found.measured.results[metric]
        return first.value, second.value

"""The interface of measures: prepare statistics once, then score any weights."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, NamedTuple, Self, TypeVar, cast, overload

import numpy as np
from numpy.typing import NDArray

from arbitree.backends.base import Run
from arbitree.study.result import Columns, Ignored, Table
from arbitree.study.study import Item, Study
from arbitree.wording import EXACT

if TYPE_CHECKING:
    from arbitree.measures.sums.sampled import PairMeasure

FloatArray = NDArray[np.float64]
Amounts = FloatArray | NDArray[np.int64] | Sequence[float]  # one number for every used item
Shows = Literal["agreement", "disagreement"]
Better = Literal["higher", "lower"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """Base class of prepared statistics: the items that they use and exclude."""

    columns: NDArray[np.intp]  # of the weights, that is the clusters, that the used items belong to
    used: Sequence[Item]
    ignored: tuple[Ignored, ...]
    notes: tuple[str, ...] = ()

    @property
    def streamed(self) -> bool:
        """Whether preparing a subset of the clusters again is faster than giving the others weight 0."""
        return False

    def distinct(self, clusters: NDArray[np.intp], counts: FloatArray) -> Self | None:
        """Return the statistics of *clusters* only, numbered in this order, to draw alike clusters together.

        Weights of these statistics are the copies of all clusters that are alike, counted together. None if
        resamples must draw each cluster by itself.

        Args:
            clusters: One cluster of each group that ``Measure.drawn_together`` gives the same number.
            counts: The number of clusters in each group.
        """
        return None

    def joined(self, blocks: NDArray[np.intp], count: int) -> Self | None:
        """Return the statistics in which the clusters of one block are one cluster.

        Their weights are 0 and 1. None if there is no faster way than weights of all clusters.

        Args:
            blocks: (clusters,) The number of the block of each cluster.
            count: The number of blocks.
        """
        return None

    @property
    def used_columns(self) -> NDArray[np.intp] | None:
        """The column of the cluster of every used item; None if the names of clusters tell it."""
        return None


S = TypeVar("S", bound=Prepared)
S_co = TypeVar("S_co", bound=Prepared, covariant=True)


class Statistics(ABC, Generic[S_co]):
    """A hashable recipe for statistics; equal recipes are prepared once per study.

    ``serial`` tells that ``prepare`` and ``parts`` do not use the backend: they may run in a second thread.
    """

    __slots__ = ()

    serial: ClassVar[bool] = False

    @abstractmethod
    def prepare(self, study: Study[Any], run: Run) -> S_co:
        """Return the statistics of *study*, one entry per cluster."""

    def parts(self, study: Study[Any], run: Run) -> Callable[[Study[Any]], S_co]:
        """Return a function that prepares *study* and parts of it, with some of the annotators or items.

        Override it if the parts can share work. By default, each part is prepared like another study.
        """
        return lambda part: self.prepare(part, run)


class Preparation:
    """The statistics of one study; each recipe is prepared once.

    Args:
        study: The study.
        run: The backend.
        divided: Whether the statistics of parts of the study will be needed too.
    """

    def __init__(self, study: Study[Any], run: Run, *, divided: bool = False) -> None:
        self.study = study
        self.run = run
        self._divided = divided
        self._whole: Preparation | None = None
        self._known: dict[Statistics[Any], Prepared] = {}
        self._makers: dict[Statistics[Any], Callable[[Study[Any]], Prepared]] = {}

    def of(self, measure: Measure[S]) -> S:
        """Return the statistics of *measure*."""
        recipe = measure.statistics
        if recipe not in self._known:
            self._known[recipe] = (self._whole or self)._prepare(recipe, self.study)
        return cast(S, self._known[recipe])

    def part(self, study: Study[Any]) -> Preparation:
        """Return the statistics of a part of the study; parts share work if the study is divided."""
        part = Preparation(study, self.run)
        part._whole = self._whole or self
        return part

    def _prepare(self, recipe: Statistics[Any], study: Study[Any]) -> Prepared:
        if recipe not in self._makers:
            run = self.run
            whole = recipe.parts(self.study, run) if self._divided else lambda part: recipe.prepare(part, run)
            self._makers[recipe] = whole
        return self._makers[recipe](study)


@dataclass(frozen=True, slots=True)
class Tally:
    """Numerator and denominator of every item; *parts* are further counts that details add up."""

    numerators: FloatArray  # (items,)
    denominators: FloatArray  # (items,); 0 where the metric is undefined
    parts: Mapping[str, FloatArray] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GroupTally:
    """Counts of groups within items, such as the tokens with one relation."""

    names: tuple[str, ...]
    numerators: FloatArray  # (groups, items)
    denominators: FloatArray  # (groups, items)
    details: tuple[Mapping[str, Any], ...]  # (groups,)


class ItemCounts(NamedTuple):
    """Numerator and denominator of every used item."""

    numerators: Amounts
    denominators: Amounts
    values: Amounts | None = None  # by default numerators over denominators, None where these are 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Extent:
    """How far values can go, for their confidence intervals.

    Args:
        best: the value of perfect agreement.
        worst: the value without any agreement; infinite if there is no such value.
        unlike: the distance of the value from *best* if the annotations of every item differed as much as
            two random annotations that differ.
        error: the standard error of the value that comes from a sample of pairs of clusters.
        farthest: the distance from *best* that no value exceeds, for values whose *worst* is infinite.
    """

    best: float = 1.0
    worst: float = 0.0
    unlike: float = 1.0
    error: float = 0.0
    farthest: float = math.inf


class Measure(ABC, Generic[S]):
    """A coefficient or metric: a frozen dataclass with slots whose fields are its options.

    Required methods are abstract. Optional abilities have a default, which means that the measure does not
    support them. A subclass may define a property as a class variable, a field or a property.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def kinds(self) -> tuple[type, ...]:
        """The types of values that it measures, including their subclasses."""

    @property
    @abstractmethod
    def about(self) -> str:
        """A one-line description."""

    @property
    @abstractmethod
    def statistics(self) -> Statistics[S]:
        """The recipe of the statistics to prepare."""

    @abstractmethod
    def score(self, stats: S, weights: FloatArray) -> FloatArray:
        """Return one value per row of *weights* (B, clusters); NaN if undefined."""

    @abstractmethod
    def item_counts(self, stats: S) -> ItemCounts:
        """Return numerator and denominator of every used item."""

    @property
    def references(self) -> tuple[str, ...]:
        """Keys of the papers that define the measure, or BibTeX entries."""
        return ()

    @property
    def simulated(self) -> bool:
        """Whether the coverage of intervals that simulations measured holds for it."""
        return True

    @property
    def shows(self) -> Shows:
        """The meaning of a high value of an item."""
        return "agreement"

    @property
    def better(self) -> Better:
        """Whether higher or lower values of a study are better; lower for distances."""
        return "higher"

    @property
    def family(self) -> str:
        """The family of measures with which it can be compared: by default itself with other options."""
        return type(self).__name__

    @property
    def undefined(self) -> str:
        """The status of a measure that has items but is undefined."""
        return "no_pairable"

    @property
    def across_items(self) -> bool:
        """Whether items are compared with each other, so that a single item is not meaningful."""
        return False

    def status(self, value: float | None, items: int) -> str:
        """Return ``ok`` or the reason for an undefined or unreliable value over this number of items."""
        if value is None:
            return self.undefined if items else "no_pairable"
        return "single_item" if self.across_items and items == 1 else "ok"

    def details(self, stats: S, weights: FloatArray) -> Mapping[str, Any]:
        """Return the parts of the value under one row of *weights*."""
        return {}

    def highest(self, stats: S, weights: FloatArray) -> float | None:
        """Return the value of identical annotators under one row of *weights*, if it can be below 1.

        None means that identical annotators reach 1, or 0 if lower values are better. NaN if undefined.
        """
        return None

    def resolved(self, stats: S) -> Mapping[str, str]:
        """Return options as they were applied, for the signature, where the annotations decided them."""
        return {}

    def sees(self, stats: S) -> tuple[str, ...]:
        """Return what it sees of annotations, for the fingerprint: names among ``Kind.aspects``.

        Empty for the default of the kind, ``Kind.seen``.
        """
        return ()

    def compared(self, study: Study[Any]) -> Study[Any]:
        """Return the study that it compares, for the fingerprint; its reference is the gold standard."""
        return study

    def extent(self, stats: S, weights: FloatArray) -> Extent:
        """Return how far the value can go under one row of *weights*: by default that of a share."""
        return Extent()

    def without(self, stats: S, weights: FloatArray) -> FloatArray | None:
        """Return the value without each cluster in turn, from one row of zeros and ones: (clusters,).

        None if there is no faster way than to score a row for every cluster.
        """
        return None

    def alike(self, stats: S) -> NDArray[np.intp] | None:
        """Return a number for every cluster, the same for clusters that can be exchanged; None if unknown.

        The jackknife computes one value for them.
        """
        return None

    def drawn_together(self, stats: S) -> NDArray[np.intp] | None:
        """Return a number for every cluster, the same for clusters with equal statistics; None if unknown.

        Resamples draw these clusters together if ``Prepared.distinct`` returns statistics in which one of
        them represents all. By default, they are the clusters that are alike.
        """
        return self.alike(stats)

    def item_evidence(self, stats: S) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Return for every used item whether it shows any disagreement, and whether any agreement."""
        above, below, _ = self.item_counts(stats)
        numerators, denominators = (np.asarray(each, dtype=np.float64) for each in (above, below))
        some = numerators > EXACT
        less = numerators < denominators - EXACT
        return (some, less) if self.shows == "disagreement" else (less, some)

    def per_item(self, stats: S) -> Table:
        """Return numerator, denominator and value of every item; None for undefined values."""
        above, below, values = self.item_counts(stats)
        rows = Columns(_Ids(stats.used), above, below, _quotients(above, below) if values is None else values)
        return Table(("item", "numerator", "denominator", "value"), rows)

    @property
    def by_default(self) -> bool:
        """Whether ``agree`` computes it by default."""
        return True

    def fits(self, study: Study[Any]) -> bool:
        """Return whether it measures the values of *study*."""
        return self.fits_any([study.value_type])

    def fits_any(self, values: Iterable[type]) -> bool:
        """Return whether it measures values of one of these types."""
        return any(issubclass(each, self.kinds) for each in values)

    def suits(self, study: Study[Any]) -> bool:
        """Return whether it adds information about *study* to other measures."""
        return True

    def unsuited(self, study: Study[Any]) -> str:
        """Return why ``agree`` leaves it out although it suits the values; empty if it does not."""
        return ""

    def notes(self, stats: S) -> tuple[str, ...]:
        """Return remarks on its value, besides those on the statistics."""
        return ()

    def check(self, study: Study[Any]) -> None:
        """Raise an error if a required input, such as a file, is missing."""

    def tally(self, stats: S) -> Tally | None:
        """Count before scoring; all metrics counted so far are scored together."""
        return None

    @property
    def scores_systems(self) -> bool:
        """Whether the counts of items add up to the value, so that systems can be scored and tested."""
        return False

    @property
    def ranks_systems(self) -> bool:
        """Whether ``score`` lists it before other metrics."""
        return False

    def offered(self, study: Study[Any]) -> bool:
        """Return whether ``score`` computes it by default."""
        return self.scores_systems

    @property
    def over_pairs(self) -> PairMeasure | None:
        """The measure itself if it compares all pairs of clusters and supports sampling, otherwise None."""
        return None

    @property
    def one_label(self) -> Measure[Any] | None:
        """The measure for one label against all others."""
        return None

    @property
    def grouped_by(self) -> tuple[str, ...]:
        """The breakdowns inside items that it supports against a gold standard."""
        return ()

    def groups(self, stats: S, by: str) -> GroupTally:
        """Return the counts of groups inside items; *by* is one of ``grouped_by``."""
        raise NotImplementedError

    def errors(self, stats: S) -> Mapping[str, Table]:
        """Return tables of the errors of a system, the most frequent first."""
        return {}


Named = tuple[str, Measure[Any]]  # a measure and the name that it was asked for by


def quotient(above: FloatArray, below: FloatArray) -> FloatArray:
    """Return above / below; NaN if below is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        found: FloatArray = np.where(below == 0, np.nan, above / below)
    return found


def share(value: float) -> float | None:
    """Return *value* for JSON, with None for NaN."""
    return float(value) if np.isfinite(value) else None


def _quotients(above: Amounts, below: Amounts) -> Sequence[float | None] | FloatArray:
    found = quotient(np.asarray(above, dtype=np.float64), np.asarray(below, dtype=np.float64))
    undefined = np.flatnonzero(np.isnan(found)).tolist()
    if not undefined:
        return found
    values: list[float | None] = found.tolist()
    for place in undefined:
        values[place] = None
    return values


class _Ids(Sequence[str]):
    """The ids of items as a sequence, without storing a list."""

    def __init__(self, items: Sequence[Item]) -> None:
        self._items = items

    def __len__(self) -> int:
        return len(self._items)

    @overload
    def __getitem__(self, place: int) -> str: ...

    @overload
    def __getitem__(self, place: slice) -> _Ids: ...

    def __getitem__(self, place: int | slice) -> str | _Ids:
        return _Ids(self._items[place]) if isinstance(place, slice) else self._items[place].id

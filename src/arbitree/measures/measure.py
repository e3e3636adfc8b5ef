"""The contract of a measure: statistics once, scores for any weights."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from arbitree.backends.base import Run
from arbitree.study.result import Ignored, Table
from arbitree.study.study import Item, Study

FloatArray = NDArray[np.float64]


class Prepared(Protocol):
    """What all prepared statistics tell of the items they rest on."""

    @property
    def used(self) -> tuple[Item, ...]:
        """The items that count."""
        ...

    @property
    def columns(self) -> NDArray[np.intp]:
        """The columns of the weights, that is the clusters, that the used items belong to."""
        ...

    @property
    def ignored(self) -> tuple[Ignored, ...]:
        """The items that do not, and why."""
        ...


S = TypeVar("S", bound=Prepared)
S_co = TypeVar("S_co", bound=Prepared, covariant=True)


class Statistics(Protocol[S_co]):
    """A hashable recipe; equal recipes are prepared once for a study."""

    def prepare(self, study: Study[Any], run: Run) -> S_co:
        """Return the statistics of *study*, one entry for each of its clusters."""
        ...


class Measure(Protocol[S]):
    """A coefficient or metric: a frozen dataclass whose fields are its options."""

    kinds: ClassVar[tuple[type, ...]]  # types of values that it fits
    references: ClassVar[tuple[str, ...]]  # keys of the papers that define it, or BibTeX entries
    per_item_shows: ClassVar[str]  # agreement or disagreement: what a high value of an item means

    @property
    def about(self) -> str:
        """What it is, in a line."""
        ...

    @property
    def statistics(self) -> Statistics[S]:
        """What to prepare."""
        ...

    def score(self, stats: S, weights: FloatArray) -> FloatArray:
        """Return one value a row of *weights* (B, clusters); NaN where it is undefined."""
        ...

    def status(self, value: float | None, items: int) -> str:
        """Return ``ok``, or why there is no value, or an odd one, over so many items."""
        ...

    def details(self, stats: S, weights: FloatArray) -> Mapping[str, Any]:
        """Return the parts of the value under one row of *weights*."""
        ...

    def per_item(self, stats: S) -> Table | None:
        """Return numerator, denominator and value of every item."""
        ...

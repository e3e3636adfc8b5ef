"""What a measure found: a value or the reason why there is none, and everything needed to trust it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, overload

import numpy as np


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval and how it was made."""

    low: float
    high: float
    confidence: float
    method: str
    resamples: int
    undefined: int = 0  # resamples that had no value


@dataclass(frozen=True, slots=True)
class Ignored:
    """An item that a measure could not use."""

    item: str
    reason: str  # a code: single_annotation, token_mismatch, empty_tree
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """Named columns and rows."""

    columns: tuple[str, ...]
    rows: Sequence[tuple[Any, ...]]

    def records(self) -> list[dict[str, Any]]:
        """Return the rows as dictionaries.

        Example:
            >>> Table(("item", "value"), (("a", 1.0),)).records()
            [{'item': 'a', 'value': 1.0}]
        """
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


@dataclass(frozen=True, slots=True, eq=False)
class Columns(Sequence[tuple[Any, ...]]):
    """Rows of a long table, made from its columns when they are asked for.

    Example:
        >>> list(Columns(("a", "b"), (1, 0)))
        [('a', 1), ('b', 0)]
        >>> Columns(("a", "b"), (1, 0)) == (("a", 1), ("b", 0))
        True
    """

    parts: tuple[Any, ...]

    def __init__(self, *parts: Any) -> None:
        object.__setattr__(self, "parts", parts)

    def __len__(self) -> int:
        return len(self.parts[0])

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        columns = (part.tolist() if isinstance(part, np.ndarray) else part for part in self.parts)
        return zip(*columns, strict=True)

    def __eq__(self, other: object) -> bool:
        """Compare row by row, so that it does not matter how the rows are kept."""
        if not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and all(
            ours == theirs for ours, theirs in zip(self, other, strict=True)
        )

    __hash__ = None  # type: ignore[assignment]  # as of lists: the columns may be arrays

    @overload
    def __getitem__(self, place: int) -> tuple[Any, ...]: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[tuple[Any, ...]]: ...

    def __getitem__(self, place: int | slice) -> Any:
        if isinstance(place, slice):
            return Columns(*(part[place] for part in self.parts))
        return tuple(_plain(part[place]) for part in self.parts)


def _plain(value: Any) -> Any:
    """Return a number of numpy as Python's own."""
    return value.item() if isinstance(value, np.generic) else value


@dataclass(frozen=True, slots=True)
class Group:
    """One row of a breakdown: a document, a coder, a pair of coders, a class of lengths."""

    name: str
    value: float | None
    status: str
    interval: Interval | None
    items_used: int
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Result:
    """The value of one measure on one study."""

    measure: str
    value: float | None
    status: str  # ok, or why there is no value; see docs/json.md
    interval: Interval | None
    items_used: int
    ignored: tuple[Ignored, ...]
    signature: str
    details: Mapping[str, Any] = field(default_factory=dict)
    per_item: Table | None = None
    per_item_shows: str = "agreement"  # or disagreement: what a high value of an item means
    groups: Mapping[str, tuple[Group, ...]] = field(default_factory=dict)  # by document, coder, pair, length
    notes: tuple[str, ...] = ()
    references: tuple[str, ...] = ()  # keys of the papers that define the measure

    def to_dict(self) -> dict[str, Any]:
        """Return what the JSON output holds of this result."""
        found: dict[str, Any] = {
            "measure": self.measure,
            "value": self.value,
            "interval": _bounds(self.interval),
            "status": self.status,
            "items_used": self.items_used,
            "items_ignored": len(self.ignored),
            "details": dict(self.details),
            "signature": self.signature,
        }
        if self.ignored:
            found["ignored"] = [
                {"item": each.item, "reason": each.reason, "detail": each.detail} for each in self.ignored
            ]
        if self.groups:
            found["by"] = {kind: [_group(group) for group in groups] for kind, groups in self.groups.items()}
        return found


def _bounds(interval: Interval | None) -> list[float] | None:
    return None if interval is None else [interval.low, interval.high]


def _group(group: Group) -> dict[str, Any]:
    return {
        "group": group.name,
        "value": group.value,
        "interval": _bounds(group.interval),
        "status": group.status,
        "items_used": group.items_used,
        **group.details,
    }

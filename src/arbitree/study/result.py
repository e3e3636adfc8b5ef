"""Results of measures: a value or the reason why it is undefined, with all details, and tables of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, NamedTuple, cast, overload

import numpy as np

from arbitree.extras import need
from arbitree.wording import brief, count_of, decimal, one_line

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval and the settings behind it."""

    low: float
    high: float
    confidence: float
    method: str
    resamples: int
    undefined: int = 0  # resamples, or values without a cluster, that are undefined
    clusters: int = 0  # that the value is computed from
    differing: int | None = None  # clusters with any disagreement, if known


@dataclass(frozen=True, slots=True)
class Ignored:
    """An item that a measure could not use."""

    item: str
    reason: str  # a code: single_annotation, token_mismatch, empty_tree
    detail: str = ""


def plain_text(value: Any) -> str:
    """Return a value as text: numbers with four decimals, — for None.

    Example:
        >>> plain_text(0.5), plain_text(None), plain_text(1200)
        ('0.5000', '—', '1200')
    """
    if value is None:
        return "—"
    return decimal(value, 4) if isinstance(value, float) else str(value)


class Form(NamedTuple):
    """Conversion of the values of a column to text, and the layout of that text in a table."""

    name: str
    text: Callable[[Any], str]
    right: bool = True  # right-aligned, like numbers
    wraps: bool = False  # may be wrapped if the line is too long
    bold: bool = False
    axis: bool = False  # the values are between 0 and 1; a workbook draws them as bars
    absent: str | None = None  # content of a workbook cell without a value


PLAIN = Form("plain", plain_text, wraps=True)
MEDIA = frozenset({"terminal", "html", "xlsx", "csv", "pandas"})


class Column(NamedTuple):
    """A column of a table: its name in data, its heading, its form and the media that show it."""

    name: str
    title: str
    form: Form = PLAIN
    media: frozenset[str] = MEDIA


@dataclass(frozen=True, slots=True, init=False)
class Table:
    """Columns and rows of values; numbers are stored as numbers, not as text."""

    columns: tuple[Column, ...]
    rows: Sequence[tuple[Any, ...]]
    name: str  # of its sheet, its file, and for ``to_pandas``
    note: str  # a comment below the table
    media: frozenset[str]  # media that show the table
    repeated: (
        int  # columns repeated in every part of a table that is too wide for the terminal; 0: wrap words
    )
    most: int | None  # rows that a terminal shows
    more: str  # what the other rows are, as a singular noun; the terminal prints their number
    folded: bool  # if False, shown only on request
    marks: Mapping[tuple[int, int], str]  # stars behind cells, by row and column

    def __init__(
        self,
        columns: Iterable[str | Column],
        rows: Sequence[tuple[Any, ...]],
        *,
        name: str = "",
        note: str = "",
        media: frozenset[str] = MEDIA,
        repeated: int = 0,
        most: int | None = None,
        more: str = "row",
        folded: bool = False,
        marks: Mapping[tuple[int, int], str] | None = None,
    ) -> None:
        found = tuple(Column(each, each) if isinstance(each, str) else each for each in columns)
        given = (found, rows, name, note, media, repeated, most, more, folded, marks or {})
        for field_, value in zip(fields(self), given, strict=True):
            object.__setattr__(self, field_.name, value)

    def __repr__(self) -> str:
        return f"Table of {count_of(len(self.rows), 'row')}: {one_line(', '.join(self.names))}"

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all columns."""
        return tuple(column.name for column in self.columns)

    def records(self) -> list[dict[str, Any]]:
        """Return the rows as dictionaries.

        Example:
            >>> Table(("item", "value"), (("a", 1.0),)).records()
            [{'item': 'a', 'value': 1.0}]
        """
        names = self.names
        return [dict(zip(names, row, strict=True)) for row in self.rows]

    def shown_in(self, medium: str) -> Table:
        """Return the table with the columns that *medium* shows.

        Example:
            >>> Table((Column("a", "A", media=frozenset({"csv"})), "b"), ((1, 2),)).shown_in("html").rows
            ((2,),)
        """
        places = [place for place, column in enumerate(self.columns) if medium in column.media]
        if len(places) == len(self.columns):
            return self
        kept = {place: number for number, place in enumerate(places)}
        marks = {(row, kept[place]): mark for (row, place), mark in self.marks.items() if place in kept}
        rows = tuple(tuple(row[place] for place in places) for row in self.rows)
        return replace(self, columns=tuple(self.columns[place] for place in places), rows=rows, marks=marks)

    def column(self, name: str) -> Sequence[Any]:
        """Return the values of one column.

        Example:
            >>> Table(("item", "value"), (("a", 1.0), ("b", 0.5))).column("value")
            [1.0, 0.5]
        """
        place = self.names.index(name)
        if isinstance(self.rows, Columns):
            return cast(Sequence[Any], self.rows.parts[place])
        return [row[place] for row in self.rows]

    def to_pandas(self) -> pd.DataFrame:
        """Return a data frame; needs pandas."""
        need("to_pandas", "pandas")
        import pandas

        found = self.shown_in("pandas")
        return pandas.DataFrame(list(found.rows), columns=list(found.names))


@dataclass(frozen=True, slots=True, eq=False)
class Later(Sequence[tuple[Any, ...]]):
    """Rows of a table that only some media show, computed on first use."""

    make: Callable[[], Sequence[tuple[Any, ...]]]

    def __len__(self) -> int:
        return len(self.make())

    @overload
    def __getitem__(self, place: int) -> tuple[Any, ...]: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[tuple[Any, ...]]: ...

    def __getitem__(self, place: int | slice) -> Any:
        return self.make()[place]

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return iter(self.make())


@dataclass(frozen=True, slots=True, eq=False)
class Columns(Sequence[tuple[Any, ...]]):
    """Rows of a long table, created from its columns on access.

    Example:
        >>> list(Columns(("a", "b"), (1, 0)))
        [('a', 1), ('b', 0)]
        >>> Columns(("a", "b"), (1, 0)) == (("a", 1), ("b", 0))
        True
    """

    parts: tuple[Any, ...]

    __repr__ = brief

    def __init__(self, *parts: Any) -> None:
        object.__setattr__(self, "parts", parts)

    def __len__(self) -> int:
        return len(self.parts[0])

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        columns = (part.tolist() if isinstance(part, np.ndarray) else part for part in self.parts)
        return zip(*columns, strict=True)

    def __eq__(self, other: object) -> bool:
        """Compare row by row, so that the storage of the rows does not matter."""
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
    """Return a numpy number as a Python number."""
    return value.item() if isinstance(value, np.generic) else value


@dataclass(frozen=True, slots=True)
class Group:
    """One row of a breakdown: a document, an annotator, a pair of annotators or a length class."""

    name: str
    value: float | None
    status: str
    interval: Interval | None
    items_used: int
    details: Mapping[str, Any] = field(default_factory=dict)

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class Result:
    """The value of one measure on one study."""

    measure: str
    value: float | None
    status: str  # ok, or why the value is undefined; see docs/json.md
    interval: Interval | None
    items_used: int
    ignored: tuple[Ignored, ...]
    signature: str
    details: Mapping[str, Any] = field(default_factory=dict)
    per_item: Table | None = None
    per_item_shows: str = "agreement"  # or disagreement: the meaning of a high value of an item
    better: str = "higher"  # or lower: which values are better
    groups: Mapping[str, tuple[Group, ...]] = field(default_factory=dict)  # by document, coder, pair, length
    notes: tuple[str, ...] = ()
    references: tuple[str, ...] = ()  # keys of the papers that define the measure

    def __repr__(self) -> str:
        value = self.status if self.value is None else decimal(self.value, 4)
        ends = (decimal(end, 4) for end in _bounds(self.interval) or ())
        bounds = f" ({' to '.join(ends)})" if self.interval else ""
        return f"Result: {one_line(self.measure)} {value}{bounds} on {self.items_used:,} items"

    @property
    def best(self) -> float:
        """The value of identical annotators: ``details["highest"]`` if stated, else 1; 0 for a distance."""
        highest: float | None = self.details.get("highest")
        if highest is not None:
            return highest
        return 1.0 if self.better == "higher" else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return the result as in the JSON output."""
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

"""Labels, numbers and sets of tags as annotations, and studies of them as arrays of numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar
from unicodedata import normalize

import numpy as np

from arbitree.study.flat_tree import IntArray
from arbitree.study.grid import MISSING, Grid
from arbitree.study.study import Study


@dataclass(frozen=True, slots=True)
class Label:
    """One category, or a number written as text.

    Example:
        >>> Label("NN").number, Label("2.5").number
        (None, 2.5)
    """

    kind: ClassVar[str] = "label"
    plural: ClassVar[str] = "labels"
    unit: ClassVar[str] = "item"

    text: str

    def __len__(self) -> int:
        return 1

    def __str__(self) -> str:
        return self.text

    @property
    def number(self) -> float | None:
        """The text as a number, or None if it is not a number."""
        try:
            number = float(self.text)
        except ValueError:
            return None
        return number if math.isfinite(number) else None

    @property
    def tags(self) -> frozenset[str]:
        """The label as a set of one."""
        return frozenset((self.text,))

    @property
    def weights(self) -> tuple[tuple[str, float], ...]:
        """The label as a distribution."""
        return ((self.text, 1.0),)

    @property
    def tokens(self) -> tuple[str, ...]:
        """What a report shows for it."""
        return (self.text,)


@dataclass(frozen=True, slots=True)
class Tags:
    """A set of tags, or a distribution over tags; the tags of a set have equal weights.

    Example:
        >>> Tags.of(["walk", "run"])
        Tags(weights=(('run', 0.5), ('walk', 0.5)))
        >>> print(Tags.of(["walk", "run"]), Tags((("run", 0.3), ("walk", 0.7))))
        run|walk run:0.3|walk:0.7
    """

    kind: ClassVar[str] = "tags"
    plural: ClassVar[str] = "sets of tags"
    unit: ClassVar[str] = "item"

    weights: tuple[tuple[str, float], ...]  # by tag; they sum to 1

    @classmethod
    def of(cls, tags: Iterable[str]) -> Tags:
        """Return the set of these *tags*."""
        found = sorted(set(tags))
        return cls(tuple((tag, 1 / len(found)) for tag in found))

    def __len__(self) -> int:
        return len(self.weights)

    def __str__(self) -> str:
        if len({weight for _, weight in self.weights}) == 1:
            return "|".join(tag for tag, _ in self.weights)
        return "|".join(f"{tag}:{weight:g}" for tag, weight in self.weights)

    @property
    def tags(self) -> frozenset[str]:
        """The tags without their weights."""
        return frozenset(tag for tag, _ in self.weights)

    @property
    def number(self) -> None:
        """None, because a set of tags is not a number."""
        return None

    @property
    def tokens(self) -> tuple[str, ...]:
        """What a report shows for it."""
        return (str(self),)


@dataclass(frozen=True, slots=True)
class Ratings:
    """The labels of all items and annotators as indices into the distinct values."""

    codes: IntArray  # (items, coders), -1 for missing labels
    values: tuple[Any, ...]  # the distinct values, sorted: numbers by size, others by text


def ratings(study: Study[Any]) -> Ratings:
    """Return the values of *study* as indices into the distinct values.

    Example:
        >>> from arbitree.study.study import Annotation, Item
        >>> item = Item("1", "text", "1")
        >>> cells = {("1", coder): Annotation(item, coder, Label(text)) for coder, text in ("x7", "y2")}
        >>> ratings(Study((item,), ("x", "y", "z"), cells)).codes.tolist()
        [[1, 0, -1]]
    """
    if isinstance(study.cells, Grid):
        return Ratings(study.cells.codes, study.cells.distinct)
    values = in_order({cell.value for cell in study.cells.values()})
    numbers = {value: number for number, value in enumerate(values)}
    rows = {item.id: row for row, item in enumerate(study.items)}
    columns = {coder: column for column, coder in enumerate(study.coders)}
    codes = np.full((len(rows), len(columns)), MISSING, dtype=np.int32)
    for (item, coder), cell in study.cells.items():
        codes[rows[item], columns[coder]] = numbers[cell.value]
    return Ratings(codes, values)


def in_order(values: Iterable[Any]) -> tuple[Any, ...]:
    """Return *values* sorted by size if all are numbers, otherwise by text.

    Example:
        >>> [label.text for label in in_order([Label("10"), Label("9")])]
        ['9', '10']
    """
    found = list(values)
    sizes = [value.number for value in found]
    if None not in sizes:
        return tuple(sorted(found, key=lambda value: (value.number, str(value))))
    return tuple(sorted(found, key=str))


def spelled_like(names: Iterable[str], values: Iterable[Any]) -> list[str]:
    """Return *names* of labels in the spelling of *values*: 1 for 1.0, and the same Unicode form.

    Example:
        >>> spelled_like(["1.0", "2.0", "x"], [Label("1"), Label("2.0")])
        ['1', '2.0', 'x']
    """
    known = {str(value) for value in values}
    meant = {_meaning(text): text for text in sorted(known, reverse=True)}
    return [name if name in known else meant.get(_meaning(name), name) for name in names]


def _meaning(text: str) -> float | str:
    number = Label(text).number
    return normalize("NFC", text) if number is None else number

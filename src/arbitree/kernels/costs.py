"""Costs to relabel, delete and insert, as arrays over the labels of a vocabulary.

A table of the costs of all pairs of labels grows with the square of their number, so the costs of a large
vocabulary are listed pair by pair.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arbitree.errors import StudyError, shorten
from arbitree.study.flat_tree import IntArray, Vocabulary

FloatArray = NDArray[np.float64]

LARGEST_TABLE = 2048  # labels in a table of all pairs, which then takes 32 MB

_RANGE = "Use a cost of 0 or more"
_EQUAL = "Use 0, because keeping a label has no cost"


@dataclass(frozen=True, slots=True, eq=False)
class Listed:
    """Costs to relabel for some pairs of labels, in both directions; other pairs cost 1, equal labels 0."""

    starts: NDArray[np.int64]  # (L + 1,) where the pairs of each first label begin
    others: IntArray  # (k,) the second labels, rising for each first label
    prices: FloatArray  # (k,)

    @classmethod
    def of(cls, prices: dict[tuple[int, int], float], count: int) -> Listed:
        """Return the costs of pairs of *count* labels.

        Example:
            >>> Listed.of({(0, 2): 0.5}, 3).between(np.array([0, 1]), np.array([0, 1, 2])).tolist()
            [[0.0, 1.0, 0.5], [1.0, 0.0, 1.0]]
        """
        both = sorted({**prices, **{(b, a): cost for (a, b), cost in prices.items()}}.items())
        pairs = np.array([pair for pair, _ in both], dtype=np.int32).reshape(-1, 2)
        return cls(
            np.searchsorted(pairs[:, 0], np.arange(count + 1)).astype(np.int64),
            np.ascontiguousarray(pairs[:, 1]),
            np.array([cost for _, cost in both], dtype=np.float64),
        )

    def between(self, first: IntArray, second: IntArray) -> FloatArray:
        """Return the costs from each label of *first* to each label of *second*."""
        found = np.not_equal.outer(first, second).astype(np.float64)
        for row, label in zip(found, first, strict=True):
            start, end = self.starts[label], self.starts[label + 1]
            others = self.others[start:end]
            if len(others):
                place = np.minimum(np.searchsorted(others, second), len(others) - 1)
                hits = others[place] == second
                row[hits] = self.prices[start:end][place[hits]]
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Costs:
    """Costs by label number, in the order of the vocabulary.

    Example:
        >>> relations = Vocabulary(["det", "case", "punct"])
        >>> costs = Costs.from_rows(relations, [("det", "case", 0.5), ("punct", "", 0.1)])
        >>> costs.relabel[0].tolist(), costs.delete.tolist()
        ([0.0, 0.5, 1.0], [1.0, 1.0, 0.1])
        >>> costs.symmetric
        True
    """

    relabel: FloatArray | Listed  # (L, L) from a label of the first tree to one of the second, 0 if equal
    delete: FloatArray  # (L,)
    insert: FloatArray  # (L,)

    def __post_init__(self) -> None:
        names = ("delete", "insert") if isinstance(self.relabel, Listed) else ("relabel", "delete", "insert")
        for name in names:
            array = np.ascontiguousarray(getattr(self, name), dtype=np.float64)
            object.__setattr__(self, name, array)
        if not isinstance(self.relabel, Listed):
            labels = [f"label {number}" for number in range(len(self.delete))]
            _check(self.relabel, self.delete, self.insert, labels)

    @classmethod
    def unit(cls, count: int) -> Costs:
        """Return the costs of the plain distance for *count* labels: 1 each."""
        return cls(1 - np.eye(count), np.ones(count), np.ones(count))

    @classmethod
    def from_functions(
        cls,
        vocabulary: Vocabulary,
        relabel: Callable[[str, str], float],
        remove: Callable[[str], float] = lambda label: 1.0,
    ) -> Costs:
        """Return the costs that two functions compute.

        Args:
            vocabulary: The labels.
            relabel: Function from two labels to the cost of replacing the first by the second.
            remove: Function from a label to the cost of deleting or inserting it.
        """
        labels = vocabulary.labels
        pairs = np.array([relabel(a, b) for a in labels for b in labels], dtype=np.float64)
        table = pairs.reshape(len(labels), len(labels))
        single = np.array([remove(label) for label in labels], dtype=np.float64)
        _check(table, single, single, [shorten(label) for label in labels])
        return cls(table, single, single)

    @classmethod
    def from_rows(cls, vocabulary: Vocabulary, rows: Iterable[tuple[str, str, float]]) -> Costs:
        """Return the costs in a table; labels that it does not contain cost 1.

        Args:
            vocabulary: The labels; the table may contain others.
            rows: (label, label, cost) for both directions, (label, "", cost) to delete and to insert.

        Raises:
            StudyError: if a cost is negative, NaN or infinite, if a label has a cost for itself, or if an
                operation has two costs.
        """
        prices: dict[tuple[str, str], float] = {}
        for first, second, cost in rows:
            pair = (min(first, second), max(first, second))
            _check_row(pair, cost)
            if prices.setdefault(pair, cost) != cost:
                what = f"{_action(pair)} has 2 costs, {prices[pair]:g} and {cost:g}"
                raise StudyError(what, hint="Remove one of them")
        numbers = {label: number for number, label in enumerate(vocabulary.labels)}
        single = np.ones(len(numbers))
        pairs: dict[tuple[int, int], float] = {}
        for (first, second), cost in prices.items():
            if not first and second in numbers:
                single[numbers[second]] = cost
            elif first in numbers and second in numbers and first != second:
                pairs[numbers[first], numbers[second]] = cost
        listed = Listed.of(pairs, len(numbers))
        if len(numbers) > LARGEST_TABLE:
            return cls(listed, single, single)
        every = np.arange(len(numbers), dtype=np.int32)
        return cls(listed.between(every, every), single, single)

    def over(self, labels: IntArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the costs to relabel, delete and insert some labels only, the first in a table.

        Raises:
            ValueError: if one of them has no costs.
        """
        if len(labels) and labels.max() >= len(self.delete):
            raise ValueError("a label of the trees has no costs")
        if isinstance(self.relabel, Listed):
            relabel = self.relabel.between(labels, labels)
        else:
            relabel = self.relabel[np.ix_(labels, labels)]
        return relabel, self.delete[labels], self.insert[labels]

    @property
    def arrays(self) -> tuple[NDArray[Any], ...]:
        """The arrays in the order of the parameters of kernels: three, or five if pairs are listed."""
        if isinstance(self.relabel, Listed):
            return self.relabel.starts, self.relabel.others, self.relabel.prices, self.delete, self.insert
        return self.relabel, self.delete, self.insert

    @property
    def symmetric(self) -> bool:
        """Whether both directions cost the same, so that the distance does not depend on the order."""
        single = np.array_equal(self.delete, self.insert)
        if isinstance(self.relabel, Listed):
            return single
        return single and np.array_equal(self.relabel, self.relabel.T)


def _check(relabel: FloatArray, delete: FloatArray, insert: FloatArray, names: Sequence[str]) -> None:
    """Raise StudyError unless the arrays have matching shapes and contain valid costs."""
    if relabel.shape != (len(names), len(names)) or not delete.shape == insert.shape == (len(names),):
        shapes = f"{relabel.shape}, {delete.shape} and {insert.shape}"
        what = f"the costs to relabel, delete and insert have shapes {shapes}"
        raise StudyError(what, hint="For L labels, use (L, L), (L,) and (L,)")
    for verb, costs in (("deleting", delete), ("inserting", insert)):
        for wrong in np.flatnonzero(_is_no_cost(costs))[:1]:
            raise StudyError(f"{verb} {names[wrong]} costs {costs[wrong]:g}", hint=_RANGE)
    for a, b in np.argwhere(_is_no_cost(relabel))[:1]:
        raise StudyError(f"relabelling {names[a]} as {names[b]} costs {relabel[a, b]:g}", hint=_RANGE)
    for wrong in np.flatnonzero(relabel.diagonal())[:1]:
        what = f"relabelling {names[wrong]} as itself costs {relabel[wrong, wrong]:g}"
        raise StudyError(what, hint=_EQUAL)


def _is_no_cost(array: FloatArray) -> NDArray[np.bool_]:
    return ~((array >= 0) & (array < math.inf))


def _check_row(pair: tuple[str, str], cost: float) -> None:
    if pair == ("", ""):
        raise StudyError("a row of costs contains no label", hint="Write one or two labels")
    if not 0 <= cost < math.inf:
        raise StudyError(f"{_action(pair)} costs {cost:g}", hint=_RANGE)
    if pair[0] == pair[1] and cost:
        raise StudyError(f"{_action(pair)} costs {cost:g}", hint=_EQUAL)


def _action(pair: tuple[str, str]) -> str:
    first, second = map(shorten, pair)
    return f"relabelling {first} as {second}" if pair[0] else f"inserting or deleting {second}"

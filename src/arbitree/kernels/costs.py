"""Costs to relabel, delete and insert, as arrays over the labels of a vocabulary."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arbitree.errors import StudyError, shorten
from arbitree.study.flat_tree import Vocabulary

FloatArray = NDArray[np.float64]

_RANGE = "Use a cost of 0 or more"
_EQUAL = "Use 0, because keeping a label has no cost"


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

    relabel: FloatArray  # (L, L) from a label of the first tree to one of the second; 0 where they are equal
    delete: FloatArray  # (L,)
    insert: FloatArray  # (L,)

    def __post_init__(self) -> None:
        for name in ("relabel", "delete", "insert"):
            array = np.ascontiguousarray(getattr(self, name), dtype=np.float64)
            object.__setattr__(self, name, array)
        _check(*self.arrays, [f"label {number}" for number in range(len(self.delete))])

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
        relabel = 1 - np.eye(len(numbers))
        single = np.ones(len(numbers))
        for (first, second), cost in prices.items():
            if not first and second in numbers:
                single[numbers[second]] = cost
            elif first in numbers and second in numbers:
                relabel[numbers[first], numbers[second]] = relabel[numbers[second], numbers[first]] = cost
        return cls(relabel, single, single)

    @property
    def arrays(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The three arrays in the order of the parameters of kernels."""
        return self.relabel, self.delete, self.insert

    @property
    def symmetric(self) -> bool:
        """Whether both directions cost the same, so that the distance does not depend on the order."""
        return np.array_equal(self.relabel, self.relabel.T) and np.array_equal(self.delete, self.insert)


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

"""Columns of texts that repeat or are needed late: numbers of distinct texts, and texts decoded on access."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray


class Cells(Sequence[str]):
    """Texts in the bytes of a file, decoded on access.

    Example:
        >>> list(Cells(b"NN,VB", np.array([0, 3]), np.array([2, 5])))
        ['NN', 'VB']
    """

    def __init__(self, data: bytes, starts: NDArray[np.integer[Any]], ends: NDArray[np.integer[Any]]) -> None:
        self._data, self._starts, self._ends = data, starts, ends

    def __len__(self) -> int:
        return len(self._starts)

    @overload
    def __getitem__(self, place: int) -> str: ...

    @overload
    def __getitem__(self, place: slice) -> list[str]: ...

    def __getitem__(self, place: int | slice) -> str | list[str]:
        if isinstance(place, slice):
            return [self[each] for each in range(len(self))[place]]
        return self._data[int(self._starts[place]) : int(self._ends[place])].decode()

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    @cached_property
    def _texts(self) -> list[str]:
        edges = zip(self._starts.tolist(), self._ends.tolist(), strict=True)
        if not self._data.isascii():
            return [self._data[start:end].decode() for start, end in edges]
        text = self._data.decode("ascii")
        return [text[start:end] for start, end in edges]


@dataclass(frozen=True, slots=True, eq=False)
class Coded(Sequence[Any]):
    """A column as numbers of its distinct texts, in the order of their first rows.

    Example:
        >>> list(Coded(["NN", "VB"], np.array([0, 1, 0])))
        ['NN', 'VB', 'NN']
    """

    distinct: Sequence[Any]  # texts; None for cells that the table does not have
    codes: NDArray[np.integer[Any]]
    ascii: bool = False  # whether the texts are known to be ASCII

    def __len__(self) -> int:
        return len(self.codes)

    @overload
    def __getitem__(self, place: int) -> Any: ...

    @overload
    def __getitem__(self, place: slice) -> list[Any]: ...

    def __getitem__(self, place: int | slice) -> Any:
        if isinstance(place, slice):
            return [self.distinct[code] for code in self.codes[place].tolist()]
        return self.distinct[int(self.codes[place])]

    def __iter__(self) -> Iterator[Any]:
        return map(list(self.distinct).__getitem__, self.codes.tolist())

    def at(self, rows: NDArray[np.integer[Any]] | NDArray[np.bool_]) -> Coded:
        """Return the cells of some rows; texts keep their numbers, also those that do not occur."""
        return Coded(self.distinct, self.codes[rows], self.ascii)


def constant(text: str | None, size: int) -> Coded:
    """Return a column with the same text in all rows.

    Example:
        >>> list(constant("a", 2))
        ['a', 'a']
    """
    return Coded([text], np.broadcast_to(np.int32(0), size))

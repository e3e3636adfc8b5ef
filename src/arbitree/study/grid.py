"""Store many small values as one array of numbers; create annotations on access."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, ValuesView
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from arbitree.errors import Source
from arbitree.study.flat_tree import IntArray
from arbitree.study.study import Annotation, CellTable, Item
from arbitree.wording import brief

V = TypeVar("V")

MISSING = -1


@dataclass(frozen=True, eq=False)
class Grid(CellTable[V]):
    """The cells of a study of labels: row i, column j contains an index into ``distinct``.

    Example:
        >>> birds, bees = (Item(name, "nature", name) for name in ("birds", "bees"))
        >>> grid = Grid((birds, bees), ("ann", "bob"), np.array([[0, 1], [1, -1]]), ("NN", "VB"))
        >>> grid["birds", "bob"].value, len(grid), ("bees", "bob") in grid
        ('VB', 3, False)
    """

    listed: Sequence[Item]  # not called items, because a mapping has a method of that name
    coders: tuple[str, ...]
    codes: IntArray  # (items, coders), -1 for missing annotations
    distinct: tuple[V, ...]
    lines: IntArray | None = None  # (items, coders) line number of each cell
    paths: tuple[str, ...] = ()
    files: IntArray | None = None  # (items, coders) index into paths
    clusters: NDArray[np.intp] | None = None  # (items,) if known

    __repr__ = brief

    def __getitem__(self, key: tuple[str, str]) -> Annotation[V]:
        row, column = self._rows[key[0]], self._columns[key[1]]
        if self.codes[row, column] == MISSING:
            raise KeyError(key)
        return self._annotation(row, column)

    def __iter__(self) -> Iterator[tuple[str, str]]:
        for item, codes in zip(
            self.listed, self.codes, strict=True
        ):  # by row: often only the first is needed
            for column in np.flatnonzero(codes != MISSING).tolist():
                yield item.id, self.coders[column]

    def values(self) -> ValuesView[Annotation[V]]:
        """Return the annotations, row by row."""
        return _Annotations(self)

    def __len__(self) -> int:
        return int(np.count_nonzero(self.codes != MISSING))

    @property
    def columns(self) -> NDArray[np.intp]:
        """The number of the cluster of every item, in order of first appearance."""
        return self._numbered if self.clusters is None else self.clusters

    def part(self, rows: Sequence[int] | None, columns: Sequence[int]) -> Grid[V]:
        """Return the cells of these items (None: all) and annotators."""
        coders = tuple(self.coders[column] for column in columns)
        if rows is None:
            lines, files = (None if each is None else each[:, columns] for each in (self.lines, self.files))
            return replace(self, coders=coders, codes=self.codes[:, columns], lines=lines, files=files)
        chosen = np.ix_(rows, columns)
        return Grid(
            tuple(self.listed[row] for row in rows),
            coders,
            self.codes[chosen],
            self.distinct,
            None if self.lines is None else self.lines[chosen],
            self.paths,
            None if self.files is None else self.files[chosen],
        )

    def triples(self) -> Iterator[tuple[str, str, V]]:
        """Yield the item, the annotator and the value of each cell, row by row.

        Example:
            >>> birds = Item("birds", "nature", "birds")
            >>> list(Grid((birds,), ("ann", "bob"), np.array([[0, -1]]), ("NN",)).triples())
            [('birds', 'ann', 'NN')]
        """
        rows, columns = np.nonzero(self.codes != MISSING)
        codes = self.codes[rows, columns].tolist()
        for row, column, code in zip(rows.tolist(), columns.tolist(), codes, strict=True):
            yield self.listed[row].id, self.coders[column], self.distinct[code]

    def together(self, coder: str) -> tuple[str, ...]:
        """Return the annotators whose annotations come from the same file as those of *coder*.

        Example:
            >>> birds = Item("birds", "nature", "birds")
            >>> Grid((birds,), ("ann", "bob"), np.array([[0, 1]]), ("NN", "VB")).together("bob")
            ('ann', 'bob')
        """
        if self.files is None:
            return self.coders
        given = self.codes != MISSING
        own = self._columns[coder]
        shared = given & np.isin(self.files, np.unique(self.files[given[:, own], own]))
        return tuple(self.coders[column] for column in np.flatnonzero(shared.any(axis=0)).tolist())

    def annotations(self) -> Iterator[Annotation[V]]:
        """Yield the annotations, row by row."""
        for row, codes in enumerate(self.codes):
            for column in np.flatnonzero(codes != MISSING).tolist():
                yield self._annotation(row, column)

    def _annotation(self, row: int, column: int) -> Annotation[V]:
        source = None
        if self.lines is not None and self.files is not None:
            source = Source(self.paths[self.files[row, column]], int(self.lines[row, column]))
        value = self.distinct[self.codes[row, column]]
        return Annotation(self.listed[row], self.coders[column], value, source)

    @cached_property
    def _rows(self) -> dict[str, int]:
        return {item.id: row for row, item in enumerate(self.listed)}

    @cached_property
    def _columns(self) -> dict[str, int]:
        return {coder: column for column, coder in enumerate(self.coders)}

    @cached_property
    def _numbered(self) -> NDArray[np.intp]:
        numbers: dict[str, int] = {}
        found = [numbers.setdefault(item.cluster, len(numbers)) for item in self.listed]
        return np.array(found, dtype=np.intp)


class _Annotations(ValuesView[Annotation[V]]):
    """The annotations of a grid, found without their names."""

    def __init__(self, grid: Grid[V]) -> None:
        super().__init__(grid)
        self._grid = grid

    def __iter__(self) -> Iterator[Annotation[V]]:
        return self._grid.annotations()

"""The Python fallback of the C++ kernel: Zhang & Shasha's algorithm with the names of the paper.

Nodes are numbered in left-to-right postorder, here from 0. l(i) is the leftmost leaf under node i, so
that the tree under i is the interval l(i)..i. Both kernels have the same interface, results and errors.

Results are equal to the last bit, whatever the costs, because both kernels add the same numbers in the
same order: both trees of a pair are traversed from the left, or both from the right if that makes smaller
tables; every cell of a table is the least of three sums of two numbers; and sums over pairs are added one
pair after the other. No operation is fused.

Reference:
    Zhang & Shasha (1989). Simple fast algorithms for the editing distance between trees and related
    problems. SIAM Journal on Computing 18(6).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from threading import Event
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arbitree.kernels.costs import FloatArray, Listed
from arbitree.study.flat_tree import IntArray

Table = list[list[float]]

_stopped = Event()


class Interrupted(RuntimeError):
    """Another thread called interrupt()."""


def interrupt() -> None:
    """Make all running computations, and all new ones until resume(), raise Interrupted."""
    _stopped.set()


def resume() -> None:
    """Allow computations again."""
    _stopped.clear()


def share() -> float:
    """Return how much of the running calls is done, in whole calls; the fallback always returns 0."""
    return 0.0


def lanes() -> str:
    """Return the vectors of the C++ kernel (avx512, avx2, scalar or off); the fallback returns off."""
    return "off"


@dataclass(frozen=True)
class Nodes:
    """One tree."""

    labels: list[int]
    l: list[int]  # noqa: E741  the paper's name for the leftmost leaf

    @cached_property
    def keyroots(self) -> list[int]:
        """The highest node with each leftmost leaf, in order: the root and all nodes with a left sibling."""
        return sorted({leaf: node for node, leaf in enumerate(self.l)}.values())

    @cached_property
    def work(self) -> int:
        """The sum of the sizes of the trees under keyroots."""
        return sum(node - self.l[node] + 1 for node in self.keyroots)

    @cached_property
    def mirrored(self) -> Nodes:
        """The mirror image of the tree: its postorder is the preorder of the tree, backwards."""
        begun = Counter(self.l)
        above = 0  # nodes above the current one: those that began up to here less those that ended
        order = []  # place in the preorder, label, size
        for node, (label, leaf) in enumerate(zip(self.labels, self.l, strict=True)):
            above += begun[node] - 1
            order.append((leaf + above, label, node - leaf + 1))
        order.sort(reverse=True)
        labels = [label for _, label, _ in order]
        return Nodes(labels, [place - size + 1 for place, (_, _, size) in enumerate(order)])


@dataclass(frozen=True, slots=True)
class Gamma:
    """The costs of the nodes of two trees (γ in the paper)."""

    relabel: Table  # γ(i → j)
    delete: list[float]  # γ(i → Λ)
    insert: list[float]  # γ(Λ → j)

    @classmethod
    def unit(cls, first: Nodes, second: Nodes) -> Gamma:
        """Return costs of 1, as integers."""
        relabel: Table = [[int(a != b) for b in second.labels] for a in first.labels]
        return cls(relabel, [1] * len(first.labels), [1] * len(second.labels))

    @classmethod
    def of(cls, first: Nodes, second: Nodes, costs: _Costs) -> Gamma:
        """Return the costs of labels in three arrays."""
        relabel, delete, insert = costs
        if isinstance(relabel, Listed):
            table = relabel.between(np.array(first.labels), np.array(second.labels))
        else:
            table = relabel[np.ix_(first.labels, second.labels)]
        return cls(
            table.tolist(),
            delete[first.labels].tolist(),
            insert[second.labels].tolist(),
        )


def tree_distances(first: Nodes, second: Nodes, gamma: Gamma) -> Table:
    """Return treedist(i, j) for all nodes i of *first* and j of *second*."""
    treedist: Table = [[0] * len(second.l) for _ in first.l]
    for i in first.keyroots:
        for j in second.keyroots:
            if _stopped.is_set():
                raise Interrupted("the computation was interrupted")
            _fill(treedist, first, second, i, j, gamma)
    return treedist


def _fill(treedist: Table, first: Nodes, second: Nodes, i: int, j: int, gamma: Gamma) -> None:
    """Compute treedist for all pairs of trees that begin where those under keyroots *i* and *j* begin.

    forestdist[x][y] is the distance of the first x nodes under i and the first y nodes under j.
    """
    li, lj = first.l[i], second.l[j]
    forestdist: Table = [[0] * (j - lj + 2) for _ in range(i - li + 2)]
    for x in range(li, i + 1):
        forestdist[x - li + 1][0] = forestdist[x - li][0] + gamma.delete[x]
    for y in range(lj, j + 1):
        forestdist[0][y - lj + 1] = forestdist[0][y - lj] + gamma.insert[y]
    for x in range(li, i + 1):
        above, row = forestdist[x - li], forestdist[x - li + 1]
        before = forestdist[first.l[x] - li]
        for y in range(lj, j + 1):
            deleted = above[y - lj + 1] + gamma.delete[x]
            inserted = row[y - lj] + gamma.insert[y]
            if first.l[x] == li and second.l[y] == lj:  # both forests are trees
                matched = above[y - lj] + gamma.relabel[x][y]
                treedist[x][y] = row[y - lj + 1] = min(deleted, inserted, matched)
            else:
                matched = before[second.l[y] - lj] + treedist[x][y]
                row[y - lj + 1] = min(deleted, inserted, matched)


_Costs = tuple[FloatArray | Listed, FloatArray, FloatArray]
_Range = tuple[int, int]


class Corpus:
    """Trees prepared for many comparisons. All methods may be called from several threads at once.

    Args:
        offsets: (N + 1,) The offset of each tree in the other two arrays, and their length.
        labels: The labels of all nodes, tree by tree in postorder, as numbers of 0 or more.
        leftmost: The leftmost leaf under every node, counted from the beginning of its tree.

    Raises:
        ValueError: if the arrays do not match or are not trees.
        TypeError: if an array has another type or is not contiguous, here and in all methods.
    """

    def __init__(self, offsets: NDArray[np.int64], labels: IntArray, leftmost: IntArray) -> None:
        _check_type(offsets, np.int64)
        _check_type(labels, np.int32)
        _check_type(leftmost, np.int32)
        if len(labels) != len(leftmost):
            raise ValueError("labels and leftmost differ in length")
        if len(offsets) == 0 or offsets[0] != 0 or offsets[-1] != len(labels):
            raise ValueError("offsets do not run from 0 to the number of labels")
        for tree in np.flatnonzero(np.diff(offsets) <= 0)[:1]:
            raise ValueError(f"tree {tree} has no nodes")
        if np.any(labels < 0):
            raise ValueError("labels must not be negative")
        self._arrays = (offsets, labels, leftmost)
        self._label_count = int(labels.max(initial=-1)) + 1
        self._trees = [
            Nodes(labels[start:end].tolist(), leftmost[start:end].tolist())
            for start, end in pairwise(offsets)
        ]
        for number, nodes in enumerate(self._trees):
            _check_tree(number, nodes.l)

    def __reduce__(self) -> tuple[Any, ...]:
        return Corpus, self._arrays

    @property
    def tree_count(self) -> int:
        """The number of trees."""
        return len(self._trees)

    def distances(self, first: IntArray, second: IntArray) -> IntArray:
        """Return the edit distances of pairs of trees at unit costs.

        Args:
            first, second: (k,) numbers of trees.

        Raises:
            IndexError: if a number is not that of a tree.
            ValueError: if *first* and *second* differ in length.
        """
        return np.array([self._distance(x, y, None) for x, y in self._pairs(first, second)], dtype=np.int32)

    def weighted_distances(self, first: IntArray, second: IntArray, *costs: NDArray[Any]) -> FloatArray:
        """Return the costs of turning each first tree into the second.

        Args:
            first, second: (k,) numbers of trees.
            costs: The costs to relabel a label of the first tree as one of the second, to delete a label of
                the first tree, (L,), and to insert one of the second, (L,). The costs to relabel are one
                table, (L, L), or three arrays: where the pairs of each first label begin, (L + 1,), the
                second labels, rising for each first label, and the costs of these pairs; other pairs cost
                1, and equal labels 0.

        Raises:
            ValueError: if the costs do not match or a label has no cost; here and below.
        """
        checked = self._costs(*costs)
        found = [self._distance(x, y, checked) for x, y in self._pairs(first, second)]
        return np.array(found, dtype=np.float64)

    def cells(self, first: IntArray, second: IntArray) -> FloatArray:
        """Return the number of values in the tables of pairs of trees, from the side with less work.

        The time for a pair is nearly proportional to this number.
        """
        sides = (self._side(x, y) for x, y in self._pairs(first, second))
        return np.array([ours.work * theirs.work for ours, theirs in sides], dtype=np.float64)

    def sums(
        self, groups: NDArray[np.int64], counts: FloatArray, sizes: FloatArray, rows: _Range, columns: _Range
    ) -> FloatArray:
        """Return the sums of squared distances between groups of trees, for a block of pairs of groups.

        Formula:
            S[d, i, j] = Σ counts[x] counts[y] δ_d(x, y)² over x in group i and y in group j, for i < j;
            S[d, i, i] is the same over all ordered pairs of different trees of the group;
            δ_0 = TED(x, y), δ_1 = TED(x, y) - ||x| - |y||, δ_2 = TED(x, y) / (|x| + |y|).
        Args:
            groups: (G + 1,) group g is the trees groups[g] to groups[g + 1] - 1.
            counts: (N,) The weight of each tree.
            sizes: (N,) |x| of each tree.
            rows, columns: The first group and the one after the last.
        Returns:
            (3, rows, columns); 0 if i > j. The order of summation does not depend on the block.

        Raises:
            IndexError: if a range contains groups that do not exist.
            ValueError: if the arrays do not match.
        """
        return self._sums(groups, counts, sizes, rows, columns, None)

    def weighted_sums(
        self,
        groups: NDArray[np.int64],
        counts: FloatArray,
        sizes: FloatArray,
        rows: _Range,
        columns: _Range,
        *costs: NDArray[Any],
    ) -> FloatArray:
        """Return the same sums under other costs, which must be symmetric."""
        return self._sums(groups, counts, sizes, rows, columns, self._costs(*costs))

    def triangle(self, rows: _Range) -> NDArray[np.uint16]:
        """Return the distances of some trees to all trees after each of them, one tree after the other.

        The triangles of rows that follow each other, concatenated, are the distances of all pairs.

        Args:
            rows: The first tree and the one after the last.

        Raises:
            IndexError: if the range contains trees that do not exist.
            ValueError: if a tree has more than 32,767 nodes, so that distances need more than 16 bits.
        """
        if any(len(tree.l) > np.iinfo(np.int16).max for tree in self._trees):
            raise ValueError("a tree is too large for distances of 16 bits")
        return np.array(self._following(rows, None), dtype=np.uint16)

    def weighted_triangle(self, rows: _Range, *costs: NDArray[Any]) -> FloatArray:
        """Return the same distances under other costs, which must be symmetric."""
        return np.array(self._following(rows, self._costs(*costs)), dtype=np.float64)

    def table(self, first: int, second: int) -> FloatArray:
        """Return the distances of all trees under nodes of *first* and nodes of *second*: (n, m)."""
        return self._table(first, second, None)

    def weighted_table(self, first: int, second: int, *costs: NDArray[Any]) -> FloatArray:
        """Return the same table under other costs."""
        return self._table(first, second, self._costs(*costs))

    def _side(self, x: int, y: int) -> tuple[Nodes, Nodes]:
        """Return both trees from the left, or both mirrored if that makes smaller tables."""
        left = self._trees[x], self._trees[y]
        right = left[0].mirrored, left[1].mirrored
        return left if left[0].work * left[1].work <= right[0].work * right[1].work else right

    def _distance(self, x: int, y: int, costs: _Costs | None) -> float:
        return _treedist(*self._side(x, y), costs)[-1][-1]

    def _table(self, first: int, second: int, costs: _Costs | None) -> FloatArray:
        _check_numbers(np.array([first, second]), self.tree_count)
        return np.array(_treedist(self._trees[first], self._trees[second], costs), dtype=np.float64)

    def _sums(
        self,
        groups: NDArray[np.int64],
        counts: FloatArray,
        sizes: FloatArray,
        rows: _Range,
        columns: _Range,
        costs: _Costs | None,
    ) -> FloatArray:
        _check_groups(self.tree_count, groups, counts, sizes, (rows, columns))
        return _summed(groups, counts, sizes, rows, columns, lambda x, y: self._distance(x, y, costs))

    def _following(self, rows: _Range, costs: _Costs | None) -> list[float]:
        if not 0 <= rows[0] <= rows[1] <= self.tree_count:
            raise IndexError(f"no trees {rows[0]} to {rows[1]} among {self.tree_count}")
        return [self._distance(x, y, costs) for x in range(*rows) for y in range(x + 1, self.tree_count)]

    def _pairs(self, first: IntArray, second: IntArray) -> list[tuple[int, int]]:
        _check_type(first, np.int32)
        _check_type(second, np.int32)
        if len(first) != len(second):
            raise ValueError("first and second differ in length")
        _check_numbers(first, self.tree_count)
        _check_numbers(second, self.tree_count)
        return list(zip(first.tolist(), second.tolist(), strict=True))

    def _costs(self, *arrays: NDArray[Any]) -> _Costs:
        *pairs, delete, insert = arrays
        for array in (delete, insert):
            _check_type(array, np.float64)
        relabel: FloatArray | Listed
        if len(pairs) == 3:
            _check_type(pairs[0], np.int64)
            _check_type(pairs[1], np.int32)
            _check_type(pairs[2], np.float64)
            relabel = Listed(*pairs)
            fine = len(relabel.starts) == len(delete) + 1 == len(insert) + 1
            fine = fine and len(relabel.others) == len(relabel.prices)
        else:
            (relabel,) = pairs
            _check_type(relabel, np.float64, dimensions=2)
            fine = relabel.shape[0] == relabel.shape[1] == len(delete) == len(insert)
        if not fine:
            raise ValueError("costs differ in their number of labels")
        if self._label_count > len(delete):
            raise ValueError("a label of the trees has no costs")
        if isinstance(relabel, Listed):
            starts = relabel.starts
            if starts[0] != 0 or starts[-1] != len(relabel.others) or np.any(np.diff(starts) < 0):
                raise ValueError("the listed costs do not run from 0 to their number")
        return relabel, delete, insert


def stored_sums(
    distances: NDArray[Any],
    trees: NDArray[np.int64],
    groups: NDArray[np.int64],
    counts: FloatArray,
    sizes: FloatArray,
    rows: _Range,
    columns: _Range,
) -> FloatArray:
    """Return the sums of ``Corpus.sums`` over some trees of a corpus, from distances that are stored.

    Args:
        distances: Distances of all pairs of trees of a corpus, from ``triangle`` (16 bits) or
            ``weighted_triangle``.
        trees: (n,) numbers of trees in the corpus.
        groups, counts, sizes, rows, columns: As in ``Corpus.sums``, of these n trees.

    Raises:
        IndexError: if a number is not that of a tree, or a range contains groups that do not exist.
        ValueError: if the arrays do not match.
    """
    _check_type(distances, np.uint16 if distances.dtype == np.uint16 else np.float64)
    _check_type(trees, np.int64)
    count = (1 + math.isqrt(1 + 8 * len(distances))) // 2
    if count * (count - 1) // 2 != len(distances):
        raise ValueError("the distances are not those of all pairs")
    _check_numbers(trees, count)
    _check_groups(len(trees), groups, counts, sizes, (rows, columns))
    numbers, known = trees.tolist(), distances.tolist()

    def distance(x: int, y: int) -> float:
        first, second = sorted((numbers[x], numbers[y]))
        start = first * (2 * count - first - 1) // 2
        found: float = known[start + second - first - 1] if first < second else 0
        return found

    return _summed(groups, counts, sizes, rows, columns, distance)


def _summed(
    groups: NDArray[np.int64],
    counts: FloatArray,
    sizes: FloatArray,
    rows: _Range,
    columns: _Range,
    distance: Callable[[int, int], float],
) -> FloatArray:
    sums = np.zeros((3, rows[1] - rows[0], columns[1] - columns[0]))
    members = [range(start, end) for start, end in pairwise(groups.tolist())]
    for i in range(*rows):
        for j in range(max(i, columns[0]), columns[1]):
            entry = sums[:, i - rows[0], j - columns[0]]
            for x in members[i]:
                for y in members[j] if i < j else range(x + 1, members[j].stop):
                    ted = distance(x, y)
                    joint = sizes[x] + sizes[y]
                    diff = ted - abs(sizes[x] - sizes[y])
                    norm = ted / joint if joint else 0.0
                    weight = (1 if i < j else 2) * counts[x] * counts[y]
                    entry += weight * np.array([ted * ted, diff * diff, norm * norm])
    return sums


def _treedist(first: Nodes, second: Nodes, costs: _Costs | None) -> Table:
    gamma = Gamma.unit(first, second) if costs is None else Gamma.of(first, second, costs)
    return tree_distances(first, second, gamma)


def _check_type(array: NDArray[Any], dtype: type[np.generic], *, dimensions: int = 1) -> None:
    """Raise TypeError for arrays that the C++ kernel would have to convert."""
    fine = isinstance(array, np.ndarray) and array.dtype == dtype and array.ndim == dimensions
    if not fine or not array.flags.c_contiguous:
        raise TypeError(f"expected a contiguous array of {dtype.__name__} with {dimensions} dimensions")


def _check_numbers(numbers: NDArray[np.integer[Any]], count: int) -> None:
    for number in numbers[(numbers < 0) | (numbers >= count)][:1]:
        raise IndexError(f"no tree {number} among {count}")


def _check_groups(
    count: int,
    groups: NDArray[np.int64],
    counts: FloatArray,
    sizes: FloatArray,
    ranges: tuple[_Range, _Range],
) -> None:
    """Raise an error unless these are groups of *count* trees, and the ranges are some of them."""
    _check_type(groups, np.int64)
    _check_type(counts, np.float64)
    _check_type(sizes, np.float64)
    inside = len(groups) and groups[0] >= 0 and groups[-1] <= count
    if not inside or np.any(np.diff(groups) < 0):
        raise ValueError("groups are not rising numbers of trees")
    if not len(counts) == len(sizes) == count:
        raise ValueError("counts and sizes are not as many as the trees")
    for first, last in ranges:
        if not 0 <= first <= last < len(groups):
            raise IndexError(f"no groups {first} to {last} among {len(groups) - 1}")


def _check_tree(number: int, leftmost: list[int]) -> None:
    """Raise ValueError unless the intervals are nested like those of a tree in postorder."""
    open_nodes: list[int] = []  # those whose parent is still to come
    for node, leaf in enumerate(leftmost):
        start = node
        while open_nodes and open_nodes[-1] >= leaf:
            start = leftmost[open_nodes.pop()]
        if start != leaf:
            raise ValueError(f"tree {number} is not in postorder")
        open_nodes.append(node)
    if len(open_nodes) > 1:
        raise ValueError(f"tree {number} has more than one root")

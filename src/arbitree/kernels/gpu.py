"""Compute tree edit distance on a GPU, through CuPy, with the same results as the other kernels.

Needs only numpy and cupy, so that it also runs from a source tree on a machine without installed packages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arbitree.errors import UnsupportedStudy
from arbitree.extras import need
from arbitree.kernels import arrays
from arbitree.study.flat_tree import IntArray, Tree

FloatArray = NDArray[np.float64]

BLOCK = 128  # threads of one block: four warps
BLOCKS = 8448  # at most; 64 for each multiprocessor of a large GPU
SHARE_OF_MEMORY = 0.5  # of the free memory of the GPU, for the tables of the threads
LARGEST_IN_A_BYTE = 127  # nodes of the smaller tree of a pair, whose similarity is at most twice that
LARGEST = 32767  # nodes of a tree, and labels: both are 16 bits


@dataclass(frozen=True, slots=True)
class Layout:
    """All trees from the side with less work, with their keyroots, as flat arrays."""

    offsets: IntArray
    nodes: NDArray[np.uint32]  # the label, and below 16 bits the leftmost leaf
    leaf_offsets: IntArray
    leaves: NDArray[np.uint16]
    keyroot_offsets: IntArray
    keyroots: NDArray[np.uint16]

    @classmethod
    def of(cls, offsets: NDArray[np.int64], labels: IntArray, leftmost: IntArray) -> Layout:
        """Return the layout of the side with less work.

        Example:
            >>> caterpillar = np.array([0, 1, 1, 0], dtype=np.int32)  # (x (y z))
            >>> Layout.of(np.array([0, 4]), np.arange(4, dtype=np.int32), caterpillar).keyroots.tolist()
            [3]
        """
        sides = [(labels, leftmost), _mirrored(offsets, labels, leftmost)]
        labels, leftmost = min(sides, key=lambda side: _work(offsets, side[1]))
        keyroots = _keyroots(offsets, leftmost)
        first = np.repeat(offsets[:-1], np.diff(offsets))
        place = np.arange(len(labels)) - first  # of every node within its tree
        leaf = leftmost[keyroots] == place[keyroots]
        return cls(
            offsets.astype(np.int32),
            (labels.astype(np.uint32) << np.uint32(16)) | leftmost.astype(np.uint32),
            np.searchsorted(keyroots[leaf], offsets).astype(np.int32),
            place[keyroots[leaf]].astype(np.uint16),
            np.searchsorted(keyroots[~leaf], offsets).astype(np.int32),
            place[keyroots[~leaf]].astype(np.uint16),
        )

    @property
    def arrays(self) -> tuple[NDArray[Any], ...]:
        """The first arguments of kernels."""
        return (
            self.offsets,
            self.nodes,
            self.leaf_offsets,
            self.leaves,
            self.keyroot_offsets,
            self.keyroots,
        )


class Corpus:
    """Trees in the memory of the GPU; one thread compares each pair of groups of trees."""

    def __init__(self, offsets: NDArray[np.int64], labels: IntArray, leftmost: IntArray) -> None:
        self._cupy = _cupy()
        self._sizes = np.diff(offsets)
        if max(self._sizes.max(initial=0), labels.max(initial=0)) > LARGEST:
            what = f"the GPU backend supports at most {LARGEST} nodes per tree and {LARGEST} labels"
            raise UnsupportedStudy(what, hint="Use --backend threads")
        self._trees = tuple(map(self._cupy.asarray, Layout.of(offsets, labels, leftmost).arrays))

    @property
    def tree_count(self) -> int:
        """The number of trees."""
        return len(self._sizes)

    def sums(
        self,
        groups: NDArray[np.int64],
        counts: FloatArray,
        sizes: FloatArray,
        rows: tuple[int, int],
        columns: tuple[int, int],
    ) -> FloatArray:
        """Return the sums of squares of the three deltas between groups, like the other kernels."""
        height, width = rows[1] - rows[0], columns[1] - columns[0]
        if not height or not width or not self.tree_count:
            return np.zeros((3, height, width))
        top, bottom, left, right = (int(groups[each]) for each in (*rows, *columns))
        largest = (int(self._sizes[a:b].max(initial=1)) for a, b in ((top, bottom), (left, right)))
        shape = (max(1, bottom - top), max(1, right - left))
        grid, tables, number = self._tables(shape[0] * shape[1], *largest)
        distances = self._cupy.empty(shape, dtype=np.uint16)
        place = [np.int32(each) for each in (top, bottom - top, left, right - left)]
        _kernel("block_distances", number)((grid,), (BLOCK,), (*self._trees, *place, *tables, distances))
        out = self._cupy.zeros((3, height, width))
        data = [self._cupy.asarray(array) for array in (groups, counts, sizes)]
        place = [np.int32(each) for each in (rows[0], height, columns[0], width)]
        blocks = -(-height * width // BLOCK)
        _kernel("group_sums", number)((blocks,), (BLOCK,), (distances, *data, *place, out))
        found: FloatArray = self._cupy.asnumpy(out)
        return found

    def distances(self, first: IntArray, second: IntArray) -> IntArray:
        """Return the distances of pairs of trees."""
        if not len(first):
            return np.zeros(0, dtype=np.int32)
        out = self._cupy.zeros(len(first), dtype=np.int32)
        rows, columns = int(self._sizes[first].max()), int(self._sizes[second].max())
        grid, tables, number = self._tables(len(first), rows, columns)
        pairs = [self._cupy.asarray(np.asarray(side, dtype=np.int32)) for side in (first, second)]
        arguments = (*self._trees, *pairs, np.int64(len(first)), *tables, out)
        _kernel("pair_distances", number)((grid,), (BLOCK,), arguments)
        found: IntArray = self._cupy.asnumpy(out)
        return found

    def weighted_sums(self, *arguments: Any) -> FloatArray:
        """Raise UnsupportedStudy, because the GPU does not support label costs."""
        raise UnsupportedStudy("the GPU backend does not support label costs", hint="Use --backend threads")

    weighted_distances = weighted_sums

    def _tables(self, work: int, rows: int, columns: int) -> tuple[int, tuple[Any, ...], str]:
        """Return the number of blocks, the tables of their threads, and the type of an entry."""
        number, per_word = (
            ("unsigned char", 4) if min(rows, columns) <= LARGEST_IN_A_BYTE else ("unsigned short", 2)
        )
        words = -(-columns // per_word)
        sizes = (rows * words, (rows + 1) * words)
        free = self._cupy.cuda.runtime.memGetInfo()[0] * SHARE_OF_MEMORY
        grid = min(-(-work // BLOCK), BLOCKS, int(free / (sum(sizes) * 4 * BLOCK)))
        if grid < 1:
            raise UnsupportedStudy(
                "the GPU has too little memory for trees of this size", hint="Use --backend threads"
            )
        tables = [self._cupy.empty(grid * BLOCK * size, dtype=np.uint32) for size in sizes]
        return grid, (*tables, *map(np.int64, sizes)), number


def pack(trees: Sequence[Tree]) -> Corpus:
    """Return *trees* in the memory of the GPU, numbered from 0."""
    return Corpus(*arrays(trees))


def _cupy() -> Any:
    """Return CuPy; raise an error if it is not installed or no GPU can be used."""
    need("the backend gpu", "cupy", hint="use --backend threads")
    import cupy

    try:
        count = cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError:
        count = 0
    if not count:
        raise UnsupportedStudy("no GPU found", hint="Install its driver, or use --backend threads")
    return cupy


@cache
def _kernel(name: str, number: str) -> Any:
    """Return a function of ``gpu.cu``, without fused operations so that sums equal those of a CPU."""
    source = Path(__file__).with_name("gpu.cu").read_text(encoding="utf-8")
    options = ("--std=c++14", "--fmad=false")
    return _cupy().RawKernel(f"typedef {number} Number;\n{source}", name, options=options)


def _keyroots(offsets: NDArray[np.int64], leftmost: IntArray) -> NDArray[np.intp]:
    """Return the nodes, over all trees, that are the highest with their leftmost leaf, in order."""
    leaf = leftmost + np.repeat(offsets[:-1], np.diff(offsets))
    highest = np.full(len(leftmost), -1, dtype=np.intp)
    np.maximum.at(highest, leaf, np.arange(len(leftmost)))
    return np.sort(highest[highest >= 0])


def _work(offsets: NDArray[np.int64], leftmost: IntArray) -> int:
    """Return the sum of the sizes of the trees under all keyroots."""
    place = np.arange(len(leftmost)) - np.repeat(offsets[:-1], np.diff(offsets))
    keyroots = _keyroots(offsets, leftmost)
    return int((place[keyroots] - leftmost[keyroots] + 1).sum())


def _mirrored(offsets: NDArray[np.int64], labels: IntArray, leftmost: IntArray) -> tuple[IntArray, IntArray]:
    """Return labels and leftmost leaves of the mirror images of all trees.

    Postorder from the right is preorder from the left, backwards. Before a node in preorder come the
    nodes to its left, as many as its leftmost leaf's number, and those above it. Above node v are as many
    as there are nodes u >= v with leftmost[u] <= v, less itself.
    """
    first = np.repeat(offsets[:-1], np.diff(offsets))
    size = np.repeat(np.diff(offsets), np.diff(offsets))
    node = np.arange(len(labels))
    begun = np.cumsum(np.bincount(leftmost + first, minlength=len(labels)))
    depth = begun - node - 1
    place = size - 1 - (leftmost + depth)
    ours, theirs = np.empty_like(labels), np.empty_like(leftmost)
    ours[first + place] = labels
    theirs[first + place] = place - (node - first - leftmost)
    return ours, theirs

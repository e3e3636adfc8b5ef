"""Compute tree edit distance on a GPU, through CuPy, with the same results as the other kernels.

Needs only numpy and cupy, so that it also runs from a source tree on a machine without installed packages.
With the C++ kernel, which prepares a program for all pairs of trees (``columns.cu``), it is faster.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arbitree.errors import UnsupportedStudy
from arbitree.extras import need
from arbitree.kernels import COMPILED, arrays
from arbitree.study.flat_tree import IntArray, Tree

FloatArray = NDArray[np.float64]
NUMBERS = {"u1": "unsigned char", "u2": "unsigned short"}  # types of similarities in numpy and in C

BLOCK = 128  # threads of one block: four warps
BLOCKS = 8448  # at most; 64 for each multiprocessor of a large GPU
TEAM = 32  # threads that compare one pack of trees: a warp
BUNDLE = 2  # columns that a team computes together
BAND = 128  # rows of sums that one thread of the processor copies at a time
SHARE_OF_MEMORY = 0.5  # of the free memory of the GPU, for the tables of the threads
LARGEST_IN_A_BYTE = 127  # nodes of the smaller tree of a pair, whose similarity is at most twice that
LARGEST = 32767  # nodes of a tree, and labels: both are 16 bits
WIDTHS = {512: "u2", 256: "u2", 128: "u1"}  # lanes of a pack, and the type of a similarity


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
    """Trees in the memory of the GPU."""

    def __init__(self, offsets: NDArray[np.int64], labels: IntArray, leftmost: IntArray) -> None:
        self._cupy = _cupy()
        self._sizes = np.diff(offsets)
        if max(self._sizes.max(initial=0), labels.max(initial=0)) > LARGEST:
            what = f"the GPU backend supports at most {LARGEST} nodes per tree and {LARGEST} labels"
            raise UnsupportedStudy(what, hint="Use --backend threads")
        self._trees = tuple(map(self._cupy.asarray, Layout.of(offsets, labels, leftmost).arrays))
        self._program = Program(offsets, labels, leftmost) if COMPILED and self.tree_count else None

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
        distances = self._between(*(int(groups[each]) for each in (*rows, *columns)))
        out = self._cupy.zeros((3, height, width))
        data = [self._cupy.asarray(array) for array in (groups, counts, sizes)]
        place = [np.int32(each) for each in (rows[0], height, columns[0], width)]
        blocks = -(-height * width // BLOCK)
        _kernel("gpu.cu", "group_sums", "u1")((blocks,), (BLOCK,), (distances, *data, *place, out))
        return self._copied(out, columns[0] - rows[0])

    def _copied(self, sums: Any, left: int) -> FloatArray:
        """Return sums in the memory of the processor. Those below the diagonal, which are 0, are not copied.

        Most of the time goes into new pages of memory, so several threads copy.
        """
        found = np.zeros(sums.shape)

        def copy(first: int) -> None:
            band = (slice(None), slice(first, first + BAND), slice(max(0, first - left), None))
            with self._cupy.cuda.Stream(non_blocking=True):
                found[band] = self._cupy.asnumpy(sums[band])

        self._cupy.cuda.runtime.deviceSynchronize()
        with ThreadPoolExecutor(max_workers=os.cpu_count()) as threads:
            list(threads.map(copy, range(0, sums.shape[1], BAND)))
        return found

    def _between(self, top: int, bottom: int, left: int, right: int) -> Any:
        """Return the distances between two ranges of trees, of those whose first tree comes first."""
        shape = (max(1, bottom - top), max(1, right - left))
        distances = self._cupy.empty(shape, dtype=np.uint16)
        place = tuple(np.int32(each) for each in (top, bottom - top, left, right - left))
        alone = np.full(shape[0], -1, dtype=np.int32), np.full(self.tree_count, -1, dtype=np.int32)
        rows, outputs = self._program.compare(place, distances) if self._program is not None else alone
        if (rows < 0).any() or (outputs[left:right] < 0).any():
            largest = (int(self._sizes[a:b].max(initial=1)) for a, b in ((top, bottom), (left, right)))
            grid, tables, number = self._tables(shape[0] * shape[1], *largest)
            known = map(self._cupy.asarray, (rows, outputs))
            arguments = (*self._trees, *known, *place, *tables, distances)
            _kernel("gpu.cu", "block_distances", number)((grid,), (BLOCK,), arguments)
        self._cupy.cuda.runtime.deviceSynchronize()
        return distances

    def distances(self, first: IntArray, second: IntArray) -> IntArray:
        """Return the distances of pairs of trees."""
        if not len(first):
            return np.zeros(0, dtype=np.int32)
        out = self._cupy.zeros(len(first), dtype=np.int32)
        rows, columns = int(self._sizes[first].max()), int(self._sizes[second].max())
        grid, tables, number = self._tables(len(first), rows, columns)
        pairs = [self._cupy.asarray(np.asarray(side, dtype=np.int32)) for side in (first, second)]
        arguments = (*self._trees, *pairs, np.int64(len(first)), *tables, out)
        _kernel("gpu.cu", "pair_distances", number)((grid,), (BLOCK,), arguments)
        found: IntArray = self._cupy.asnumpy(out)
        return found

    def triangle(self, rows: tuple[int, int]) -> NDArray[np.uint16]:
        """Return the distances of some trees to all trees after each of them, like the other kernels."""
        none = np.empty(0, dtype=np.uint16)
        if rows[0] == rows[1]:
            return none
        block = self._cupy.asnumpy(self._between(*rows, rows[0], self.tree_count))
        return np.concatenate([none, *(row[place + 1 :] for place, row in enumerate(block))])

    def weighted_sums(self, *arguments: Any) -> FloatArray:
        """Raise UnsupportedStudy, because the GPU does not support label costs."""
        raise UnsupportedStudy("the GPU backend does not support label costs", hint="Use --backend threads")

    weighted_distances = weighted_triangle = weighted_sums

    def _tables(self, work: int, rows: int, columns: int) -> tuple[int, tuple[Any, ...], str]:
        """Return the number of blocks, the tables of their threads, and the type of an entry."""
        number, per_word = ("u1", 4) if min(rows, columns) <= LARGEST_IN_A_BYTE else ("u2", 2)
        words = -(-columns // per_word)
        sizes = (rows * words, (rows + 1) * words)
        grid = min(-(-work // BLOCK), BLOCKS, _room(sum(sizes) * 4 * BLOCK))
        tables = [self._cupy.empty(grid * BLOCK * size, dtype=np.uint32) for size in sizes]
        return grid, (*tables, *map(np.int64, sizes)), number


class Program:
    """The program of the C++ kernel on the GPU. A team of threads runs it for a pack of trees."""

    def __init__(self, offsets: NDArray[np.int64], labels: IntArray, leftmost: IntArray) -> None:
        from arbitree.kernels import _compiled

        self._cupy = _cupy()
        self._corpus = _compiled.Corpus(offsets, labels, leftmost)
        self._program = _compiled.WholeProgram(self._corpus)
        self._outputs = self._program.outputs()
        columns, stretches, self._slots = self._program.bundles(BUNDLE)
        self._columns, self._stretches, self._places, self._offsets = map(
            self._cupy.asarray, (columns, stretches, self._outputs, offsets.astype(np.int32))
        )
        self._streams = [self._cupy.cuda.Stream(non_blocking=True) for _ in WIDTHS]

    def compare(self, place: tuple[np.int32, ...], distances: Any) -> tuple[IntArray, IntArray]:
        """Begin to write the distances of most pairs; return -1 for each row and each tree that is left out.

        *place* is the first tree of the rows, their number, the first tree of the columns, and their number.
        """
        self._cupy.cuda.runtime.deviceSynchronize()
        top, height = int(place[0]), int(place[1])
        rows = np.full(height, -1, dtype=np.int32)
        narrower = [*WIDTHS, 0][1:]
        for stream, (lanes, number), fewest in zip(self._streams, WIDTHS.items(), narrower, strict=True):
            found = self._program.packs(self._corpus, top, top + height, fewest, lanes)
            if not len(found[2]):
                continue
            rows = np.maximum(rows, found[4])
            with stream:  # the widths run at the same time, and while the next packs are made
                ours = self._cupy.asarray(found[4])
                similar = self._similarities(found, lanes, number)
                width = np.int64(similar.shape[1])
                known = (similar, width, ours, self._places, self._offsets, np.int32(self._program.bare))
                blocks = min(BLOCKS, -(-distances.size // BLOCK))
                _kernel("columns.cu", "spread", number, lanes)(
                    (blocks,), (BLOCK,), (*known, *place, distances)
                )
        return rows, self._outputs

    def _similarities(self, found: tuple[NDArray[Any], ...], lanes: int, number: str) -> Any:
        """Run the program for packs of so many lanes; return similarities of their rows to all outputs."""
        parts, labels, bounds, row_lanes = map(self._cupy.asarray, found[:4])
        room = _room(self._slots * lanes * np.dtype(number).itemsize * (BLOCK // TEAM) * len(WIDTHS))
        grid = min(-(-len(bounds) * TEAM // BLOCK), room)
        memory = self._cupy.empty(grid * (BLOCK // TEAM) * self._slots * lanes, dtype=number)
        out = self._cupy.empty((len(row_lanes), self._outputs.max() + 1), dtype=number)
        packs = (parts, labels, bounds, np.int32(len(bounds)), row_lanes)
        slots, width = np.int64(self._slots), np.int64(out.shape[1])
        arguments = (self._columns, self._stretches, *packs, memory, slots, out, width)
        _kernel("columns.cu", "run_columns", number, lanes)((grid,), (BLOCK,), arguments)
        return out


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


def _room(size: int) -> int:
    """Return how many blocks that need *size* bytes fit into the free memory; raise an error if none does."""
    count = int(_cupy().cuda.runtime.memGetInfo()[0] * SHARE_OF_MEMORY / size)
    if count < 1:
        what = "the GPU has too little memory for trees of this size"
        raise UnsupportedStudy(what, hint="Use --backend threads")
    return count


@cache
def _kernel(file: str, name: str, number: str, lanes: int = 64) -> Any:
    """Return a function of a source file, without fused operations so that sums equal those of a CPU."""
    source = Path(__file__).with_name(file).read_text(encoding="utf-8")
    sizes = {"LANES": lanes, "BLOCK": BLOCK, "TEAM": TEAM, "BUNDLE": BUNDLE}
    head = "".join(f"#define {name} {size}\n" for name, size in sizes.items())
    head += f"typedef {NUMBERS[number]} Number;\n"
    return _cupy().RawKernel(head + source, name, options=("--std=c++14", "--fmad=false"))


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

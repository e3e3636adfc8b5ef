"""The GPU's kernel: its source run as C++ on the processor everywhere, and on a card where there is one."""

import ctypes
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from arbitree import kernels
from arbitree.errors import ArbitreeError
from arbitree.kernels import gpu
from tests.support.trees import arrays, random_trees

SHIM = """
#define __global__
#define __device__
#include <algorithm>
using std::max;
struct Index { unsigned x; };
static Index gridDim, blockDim, blockIdx, threadIdx;
typedef %s Number;
%s
template <class Kernel> void launch(unsigned blocks, Kernel kernel) {
  gridDim.x = blocks; blockDim.x = 32;
  for (blockIdx.x = 0; blockIdx.x < gridDim.x; ++blockIdx.x)
    for (threadIdx.x = 0; threadIdx.x < blockDim.x; ++threadIdx.x) kernel();
}
extern "C" void run_sums(TREES, const long long* groups, const double* counts, const double* sizes, int row,
                         int height, int column, int width, TABLES, unsigned short* distances, double* out) {
  const int top = groups[row], left = groups[column];
  launch(2, [&] { block_distances(offsets, nodes, leaf_offsets, leaves, keyroot_offsets, keyroots, top,
                                  groups[row + height] - top, left, groups[column + width] - left,
                                  tree_tables, forest_tables, tree_words, forest_words, distances); });
  launch(height * width / 32 + 1,
         [&] { group_sums(distances, groups, counts, sizes, row, height, column, width, out); });
}
extern "C" void run_distances(TREES, const int* first, const int* second, long long count, TABLES, int* out) {
  launch(2, [&] { pair_distances(offsets, nodes, leaf_offsets, leaves, keyroot_offsets, keyroots, first,
                                 second, count, tree_tables, forest_tables, tree_words, forest_words,
                                 out); });
}
"""
THREADS = 64


@pytest.fixture(scope="module", params=["unsigned char", "unsigned short"])
def library(request, tmp_path_factory):
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        pytest.skip("no C++ compiler")
    folder = tmp_path_factory.mktemp("gpu")
    source = Path(gpu.__file__).with_name("gpu.cu").read_text()
    (folder / "gpu.cpp").write_text(SHIM % (request.param, source))
    command = [
        compiler,
        "-O1",
        "-std=c++17",
        "-shared",
        "-fPIC",
        "-ffp-contract=off",
        "-o",
        "gpu.so",
        "gpu.cpp",
    ]
    subprocess.run(command, cwd=folder, check=True)
    return ctypes.CDLL(str(folder / "gpu.so"))


def pointer(array):
    return array.ctypes.data_as(ctypes.c_void_p)


def emulated(library, corpus_arrays):
    """Return functions like those of gpu.Corpus that run the same source on the processor."""
    code = library
    layout = gpu.Layout.of(*corpus_arrays).arrays
    tree_sizes = np.diff(corpus_arrays[0])
    side = int(tree_sizes.max()) + 1
    room = [np.zeros(THREADS * side * side, dtype=np.uint32) for _ in range(2)]
    tables = (*map(pointer, room), *[ctypes.c_longlong(side * side)] * 2)

    def sums(groups, counts, sizes, rows, columns):
        height, breadth = rows[1] - rows[0], columns[1] - columns[0]
        out = np.zeros((3, height, breadth))
        between = np.zeros(len(counts) ** 2, dtype=np.uint16)
        code.run_sums(
            *map(pointer, layout), pointer(groups), pointer(counts), pointer(sizes), rows[0], height,
            columns[0], breadth, *tables, pointer(between), pointer(out),
        )  # fmt: skip
        return out

    def distances(first, second):
        out = np.zeros(len(first), dtype=np.int32)
        pairs = (pointer(first), pointer(second), ctypes.c_longlong(len(first)))
        code.run_distances(*map(pointer, layout), *pairs, *tables, pointer(out))
        return out

    return sums, distances


def a_corpus(seed, largest=30, count=40):
    packed = arrays(random_trees(seed, count, largest=largest))
    rng = np.random.default_rng(seed)
    groups = np.unique(np.concatenate([[0, count], rng.integers(0, count, 12)])).astype(np.int64)
    return packed, groups, rng.integers(1, 4, count).astype(float), rng.integers(1, 30, count).astype(float)


@pytest.mark.parametrize("seed", range(8))
def test_the_source_gives_the_sums_and_distances_of_the_other_kernels(library, seed):
    packed, groups, counts, sizes = a_corpus(seed)
    sums, distances = emulated(library, packed)
    corpus = kernels.Corpus(*packed)
    last = len(groups) - 1
    for rows, columns in (((0, last), (0, last)), ((0, 2), (0, last)), ((2, last), (2, last))):
        expected = corpus.sums(groups, counts, sizes, rows, columns)
        assert sums(groups, counts, sizes, rows, columns).tolist() == expected.tolist()
    first, second = (np.random.default_rng(seed).integers(0, 40, 300).astype(np.int32) for _ in range(2))
    second = second[::-1].copy()
    assert distances(first, second).tolist() == corpus.distances(first, second).tolist()


@pytest.mark.parametrize("seed", range(6))
def test_the_layout_is_that_of_the_mirrored_trees_where_they_mean_less_work(seed):
    """Distances from either side are the same, so equality above would not notice a wrong choice."""
    offsets, labels, leftmost = arrays(random_trees(seed, 30, largest=20))
    mirrored = gpu._mirrored(offsets, labels, leftmost)
    again = gpu._mirrored(offsets, *mirrored)
    assert [side.tolist() for side in again] == [labels.tolist(), leftmost.tolist()]
    layout = gpu.Layout.of(offsets, labels, leftmost)
    least = min(gpu._work(offsets, leftmost), gpu._work(offsets, mirrored[1]))
    assert gpu._work(offsets, (layout.nodes & 0xFFFF).astype(np.int32)) == least


def test_without_a_card_the_error_says_what_to_do():
    if has_card():
        pytest.skip("there is a card")
    with pytest.raises(ArbitreeError, match="backend='threads'"):
        gpu.Corpus(*arrays(random_trees(1, 3)))


def has_card():
    try:
        gpu._cupy()
    except ArbitreeError:
        return False
    return True


@pytest.mark.parametrize("largest", [20, 140, 300])
def test_a_card_gives_the_numbers_of_the_processor(largest):
    if not has_card():
        pytest.skip("no GPU")
    packed, groups, counts, sizes = a_corpus(3, largest=largest)
    last = len(groups) - 1
    ours = gpu.Corpus(*packed).sums(groups, counts, sizes, (0, last), (0, last))
    theirs = kernels.Corpus(*packed).sums(groups, counts, sizes, (0, last), (0, last))
    assert ours.tolist() == theirs.tolist()

"""The GPU's kernels: their source run as C++ on the processor, and on a card where there is one."""

import ctypes
import re
import shutil
import subprocess
from contextlib import nullcontext
from types import SimpleNamespace

import numpy as np
import pytest

from arbitree import kernels
from arbitree.errors import ArbitreeError
from arbitree.kernels import gpu
from tests.support.trees import arrays, needs_compiled, path, random_trees

# A team is one thread, and threads run one after the other. Only a card can show that a barrier is missing.
SHIM = """
#define __global__
#define __device__
#define __shared__ static
#include <algorithm>
#include <utility>
using std::max;
using std::min;
struct Index { unsigned x; };
static Index gridDim, blockDim, blockIdx, threadIdx;
static void __syncwarp() {}
%s
template <class... Types, std::size_t... Places>
void call(void (*kernel)(Types...), void** given, std::index_sequence<Places...>) {
  kernel(*(Types*)given[Places]...);
}
template <class... Types>
void launch(void (*kernel)(Types...), unsigned blocks, unsigned threads, void** given) {
  gridDim.x = blocks; blockDim.x = threads;
  for (blockIdx.x = 0; blockIdx.x < gridDim.x; ++blockIdx.x)
    for (threadIdx.x = 0; threadIdx.x < blockDim.x; ++threadIdx.x)
      call(kernel, given, std::index_sequence_for<Types...>());
}
"""
LAUNCH = """
extern "C" void launch_%s(unsigned blocks, unsigned threads, void** given) {
  launch(%s, blocks, threads, given);
}
"""


class Processor:
    """What the GPU's kernels need of CuPy, on the processor."""

    asnumpy = staticmethod(np.copy)
    zeros = staticmethod(np.zeros)
    cuda = SimpleNamespace(
        Stream=lambda non_blocking: nullcontext(),
        runtime=SimpleNamespace(memGetInfo=lambda: (1 << 30, 1 << 30), deviceSynchronize=lambda: None),
    )

    def __init__(self, compiler, folder):
        self._compiler = compiler
        self._folder = folder
        self._libraries = {}

    @staticmethod
    def asarray(array):
        return np.array(array, order="C")

    @staticmethod
    def empty(shape, dtype):
        """Return an array full of numbers that nobody wrote."""
        return np.full(shape, 77, dtype=dtype)

    def RawKernel(self, source, name, options):  # noqa: N802 - the name that CuPy gives it
        if source not in self._libraries:
            self._libraries[source] = self._compiled(source)
        launch = getattr(self._libraries[source], f"launch_{name}")

        def kernel(grid, block, arguments):
            values = [
                ctypes.c_void_p(each.ctypes.data)
                if isinstance(each, np.ndarray)
                else {np.int32: ctypes.c_int, np.int64: ctypes.c_longlong}[type(each)](each)
                for each in arguments
            ]
            pointers = (ctypes.c_void_p * len(values))(*(ctypes.addressof(each) for each in values))
            launch(ctypes.c_uint(grid[0]), ctypes.c_uint(block[0]), pointers)

        return kernel

    def _compiled(self, source):
        names = re.findall(r'extern "C" __global__ void (\w+)', source)
        target = self._folder / f"kernel{len(self._libraries)}"
        text = SHIM % source + "".join(LAUNCH % (name, name) for name in names)
        target.with_suffix(".cpp").write_text(text, encoding="utf-8")
        options = ["-O1", "-std=c++14", "-shared", "-fPIC", "-ffp-contract=off"]
        command = [self._compiler, *options, "-o", f"{target}.so", f"{target}.cpp"]
        subprocess.run(command, check=True)
        return ctypes.CDLL(f"{target}.so")


@pytest.fixture(scope="module")
def cupy(tmp_path_factory):
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        pytest.skip("no C++ compiler")
    return Processor(compiler, tmp_path_factory.mktemp("gpu"))


@pytest.fixture
def processor(cupy, monkeypatch):
    """Let the GPU's kernels run on the processor."""
    monkeypatch.setattr(gpu, "_cupy", lambda: cupy)
    monkeypatch.setattr(gpu, "BLOCK", 32)
    monkeypatch.setattr(gpu, "TEAM", 1)
    gpu._kernel.cache_clear()
    yield
    gpu._kernel.cache_clear()


def a_corpus(seed, largest=30, count=40):
    packed = arrays(random_trees(seed, count, largest=largest))
    rng = np.random.default_rng(seed)
    groups = np.unique(np.concatenate([[0, count], rng.integers(0, count, 12)])).astype(np.int64)
    return packed, groups, rng.integers(1, 4, count).astype(float), rng.integers(1, 30, count).astype(float)


@pytest.mark.parametrize("program", [pytest.param(True, marks=needs_compiled), False])
@pytest.mark.parametrize("seed", range(8))
def test_the_source_gives_the_sums_and_distances_of_the_other_kernels(processor, monkeypatch, program, seed):
    monkeypatch.setattr(gpu, "COMPILED", program)
    packed, groups, counts, sizes = a_corpus(seed)
    card, corpus = gpu.Corpus(*packed), kernels.Corpus(*packed)
    last = len(groups) - 1
    for rows, columns in (((0, last), (0, last)), ((0, 2), (0, last)), ((2, last), (2, last))):
        expected = corpus.sums(groups, counts, sizes, rows, columns)
        assert card.sums(groups, counts, sizes, rows, columns).tolist() == expected.tolist()
    first, second = (np.random.default_rng(seed).integers(0, 40, 300).astype(np.int32) for _ in range(2))
    second = second[::-1].copy()
    assert card.distances(first, second).tolist() == corpus.distances(first, second).tolist()


@needs_compiled
@pytest.mark.parametrize("labels", [1, 6])
def test_packs_of_every_width_and_trees_beyond_them_give_the_same_sums(processor, labels):
    """Widths are 128, 256 and 512 lanes. A path has as many forests as nodes, so its size sets its width."""
    trees = [
        *random_trees(labels, 12, largest=40, labels=labels),
        *(path([place % labels for place in range(size)]) for size in (1, 64, 126, 127, 128, 129)),
        *(
            path([place * place % labels for place in range(size)])
            for size in (254, 255, 256, 257, 510, 511, 512, 530)
        ),
        *random_trees(labels + 1, 3, largest=300, labels=labels),
    ]
    packed = arrays(trees)
    count = len(trees)
    arguments = (np.arange(count + 1), np.ones(count), np.arange(count, dtype=float), (0, count), (0, count))
    expected = kernels.Corpus(*packed).sums(*arguments)
    assert gpu.Corpus(*packed).sums(*arguments).tolist() == expected.tolist()


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

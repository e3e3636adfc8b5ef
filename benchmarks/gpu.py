"""All pairs of trees on a GPU, with transfers, compared with one core of the processor; needs a GPU.

    ARBITREE_DATA=corpora PYTHONPATH=src python -m benchmarks gpu

The program needs only numpy, scipy and cupy; Arbitree need not be installed. With the C++ kernel, which can
be compiled into ``src/arbitree/kernels``, it also measures the column program, and compares the sums.
"""

from unittest.mock import patch

import numpy as np

from arbitree import kernels
from arbitree.errors import ArbitreeError
from arbitree.kernels import gpu
from arbitree.measures.sums.trees import TedSums, distinct_trees
from arbitree.reading.assembly import read_study
from arbitree.study.comparable import pairable
from benchmarks.costs import call, data
from benchmarks.rows import Row, Unavailable

STRIPES = (1024, 4096)  # clusters in a block of sums
DELTAS = ("plain", "diff", "norm")


def measure(quick):
    """Yield the rows: preparing the trees, and blocks of several sizes, with a program and pair by pair."""
    if quick or not data("pcedt-sized"):
        raise Unavailable("a full run with ARBITREE_DATA measures it")
    used, _ = pairable(read_study([str(path) for path in sorted(data("pcedt-sized").glob("a*.conllu"))]))
    try:
        sums(prepared(used[:50]), 64)
    except ArbitreeError as error:
        raise Unavailable(str(error)) from error
    with patch.object(gpu, "COMPILED", False):
        pairs = prepared(used)
    what = f"{pairs.corpus.tree_count:,} distinct trees of {len(used):,} sentences"
    if not kernels.COMPILED:
        yield Row(f"all pairs of {what}", call(lambda: sums(pairs, 4096)), clock="wall")
        return
    trees, processor = prepared(used), distinct_trees(used, TedSums())
    sums(trees, 4096)  # compiles the kernels
    yield Row(f"flattening and preparing {what}", call(lambda: prepared(used)), clock="wall")
    peers = {
        "GPU, one thread per pair": call(lambda: sums(pairs, 4096)),
        "C++ kernel, 1 thread": call(lambda: sums(processor, 4096)),
    }
    for stripe in STRIPES:
        ours = call(lambda stripe=stripe: sums(trees, stripe))
        yield Row(f"all pairs of {what}, blocks of {stripe:,} sentences", ours, peers, clock="wall")
    (found,), (expected,) = sums(trees, 4096), sums(processor, 4096)
    total = ", ".join(f"{name} {np.triu(each).sum():,.6f}" for name, each in zip(DELTAS, found, strict=True))
    same = "equal" if (found == expected).all() else "differ from"
    name = gpu._cupy().cuda.runtime.getDeviceProperties(0)["name"].decode()
    yield f"The sums of squares on the {name} ({total}) {same} those of the processor in every digit."


def prepared(used):
    """Return the distinct trees in the memory of the GPU."""
    return distinct_trees(used, TedSums(), gpu.pack)


def sums(trees, stripe):
    """Return the sums of all pairs in blocks."""
    count = len(trees.clusters)
    return [trees.sums((start, min(start + stripe, count))) for start in range(0, count, stripe)]

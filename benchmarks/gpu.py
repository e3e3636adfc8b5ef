"""All pairs of trees on a GPU, with transfers, compared with one core of the processor; needs a GPU.

    ARBITREE_DATA=corpora PYTHONPATH=src python -m benchmarks gpu
    ARBITREE_DATA=corpora PYTHONPATH=src python -m benchmarks.gpu        # sums of squares, time of each step
    ARBITREE_DATA=corpora PYTHONPATH=src python -m benchmarks.gpu --cpu  # the same sums by the C++ kernel

The program needs only numpy, scipy and cupy; Arbitree need not be installed.
"""

import argparse
import os
import time
from pathlib import Path

import numpy as np

from arbitree import kernels
from arbitree.measures.sums.trees import TedSums, distinct_trees
from arbitree.reading.assembly import read_study
from arbitree.study.comparable import pairable
from benchmarks.costs import call, data
from benchmarks.rows import Row, Unavailable


def measure(quick):
    """Yield the rows: blocks of several sizes on the GPU."""
    from arbitree.errors import ArbitreeError
    from arbitree.kernels import gpu

    if quick or not data("pcedt-sized"):
        raise Unavailable("a full run with ARBITREE_DATA measures it")
    used, _ = pairable(read_study([str(path) for path in sorted(data("pcedt-sized").glob("a*.conllu"))]))
    try:
        job(used[:50], gpu.pack, 64)  # compiles the kernel
    except ArbitreeError as error:
        raise Unavailable(str(error)) from error
    cpu = {"C++ kernel, 1 thread": call(lambda: job(used, kernels.pack, 128))} if kernels.COMPILED else {}
    for stripe in (256, 1024):
        ours = call(lambda stripe=stripe: job(used, gpu.pack, stripe))
        yield Row(f"all pairs of {len(used):,} sentences, blocks of {stripe:,}", ours, cpu, clock="wall")


def job(used, pack, stripe):
    """Return wall seconds of packing and of all stripes, and the sums of squares of the three deltas."""
    begin = time.perf_counter()
    trees = distinct_trees(used, TedSums(), pack)
    packed = time.perf_counter()
    count = len(trees.clusters)
    stripes = [trees.sums((start, min(start + stripe, count))) for start in range(0, count, stripe)]
    ended = time.perf_counter()
    total = sum(np.triu(sums).sum(axis=(1, 2)) for sums in stripes)
    return packed - begin, ended - packed, total


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cpu", action="store_true", help="use the processor's kernel")
    parser.add_argument("--stripes", type=int, nargs="*", default=[64, 256, 1024])
    options = parser.parse_args()
    paths = sorted(Path(os.environ["ARBITREE_DATA"], "pcedt-sized").glob("a*.conllu"))
    used, _ = pairable(read_study([str(path) for path in paths]))
    if options.cpu:
        pack = kernels.pack
    else:
        from arbitree.kernels import gpu

        pack = gpu.pack
        begin = time.perf_counter()
        job(used[:50], pack, 64)
        print(f"first call, with the compilation of the kernel: {time.perf_counter() - begin:.2f} s")
    for stripe in options.stripes:
        packing, computing, total = job(used, pack, stripe)
        sums = "  ".join(
            f"{name} {value:.6f}" for name, value in zip(("plain", "diff", "norm"), total, strict=True)
        )
        print(f"stripes of {stripe:5}: flatten and pack {packing:.3f} s, all pairs {computing:.3f} s; {sums}")


if __name__ == "__main__":
    main()

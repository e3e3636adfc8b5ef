"""The all-pairs job on a GPU: wall time with transfers, and the sums of squares to compare with the CPU's.

    ARBITREE_DATA=corpora PYTHONPATH=src python benchmarks/gpu.py   # on the card
    ARBITREE_DATA=corpora python benchmarks/gpu.py --cpu            # the same sums by the compiled kernel

Needs numpy and, for the card, cupy: nothing of the project has to be installed.
"""

import argparse
import os
import time
from pathlib import Path

import numpy as np

from arbitree import kernels
from arbitree.measures.tree_sums import TedSums, distinct_trees
from arbitree.reading.assembly import read_study
from arbitree.study.comparable import pairable


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

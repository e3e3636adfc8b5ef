"""Coefficients over labels: time beside the krippendorff package, and growth with items and coders.

    python benchmarks/labels.py

Studies are made in memory; times are CPU seconds, the least of several rounds, programs by turns.
"""

import os
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import krippendorff
import numpy as np

from arbitree.api.evaluate import evaluate
from arbitree.kinds.labels.value import Label
from arbitree.study.grid import Grid
from arbitree.study.study import Item, Study

MEASURES = (
    "agreement s pi kappa multi_pi multi_kappa ac1 weighted_kappa ac2 "
    "alpha_nominal alpha_ordinal alpha_interval alpha_ratio alpha_masi"
)


def made(items, coders, labels=5, agreement=0.7, seed=0):
    """Return a study in which coders take the same label so often, and chance decides else."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(labels, size=(items, 1))
    guess = rng.integers(labels, size=(items, coders))
    codes = np.where(rng.random((items, coders)) < agreement, truth, guess).astype(np.int32)
    listed = tuple(Item(str(k), "made", str(k)) for k in range(items))
    names = tuple(f"c{k}" for k in range(coders))
    values = tuple(Label(str(k)) for k in range(labels))
    return Study(listed, names, Grid(listed, names, codes, values, clusters=np.arange(items)))


def least(work, rounds=3):
    """Return the least CPU seconds of several rounds."""
    times = []
    for _ in range(rounds):
        begin = time.process_time()
        work()
        times.append(time.process_time() - begin)
    return min(times)


def beside_krippendorff():
    study = made(500_000, 2)
    table = study.cells.codes.T.astype(float)
    evaluate(study, "alpha_nominal", resamples=0)  # imports
    print("a million ratings: 2 coders, 500,000 items, 5 labels, no resamples")
    print(f"{'level':>10}{'krippendorff':>14}{'arbitree':>10}{'ratio':>8}")
    for level in ("nominal", "ordinal", "interval", "ratio"):
        theirs = least(
            lambda level=level: krippendorff.alpha(reliability_data=table, level_of_measurement=level)
        )
        ours = least(lambda level=level: evaluate(study, f"alpha_{level}", resamples=0))
        print(f"{level:>10}{theirs:14.3f}{ours:10.3f}{theirs / ours:8.1f}", flush=True)


def growth():
    sizes = [(50_000, 2), (100_000, 2), (200_000, 2), (10_000, 4), (10_000, 16), (10_000, 64)]
    print("\nCPU milliseconds of one value, no resamples")
    print(f"{'items x coders':>16}" + "".join(f"{f'{i // 1000}k x {c}':>10}" for i, c in sizes))
    studies = [made(items, coders) for items, coders in sizes]
    for measure in MEASURES.split():
        times = [least(lambda study=study, m=measure: evaluate(study, m, resamples=0)) for study in studies]
        print(f"{measure:>16}" + "".join(f"{1000 * seconds:10.1f}" for seconds in times), flush=True)


if __name__ == "__main__":
    beside_krippendorff()
    growth()

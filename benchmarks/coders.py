"""Models of coders beside crowd-kit: time and accuracy.

    ARBITREE_DATA=corpora python benchmarks/coders.py

The job is mace/test/rte.csv (800 items, 164 coders, 8,000 annotations) and temporal.csv, or made tables of
that size without ARBITREE_DATA. Both begin with lists of items, coders and labels in memory and end with a
label for every item. Times are the least of several rounds, programs by turns in one process. crowd-kit is
large, so that it is not installed with the rest: where it is absent, its columns are empty.
"""

import os
import time
from functools import partial
from pathlib import Path

import numpy as np

from arbitree.annotator_models.dawid_skene import DawidSkene
from arbitree.annotator_models.fitting import fit_labels
from arbitree.annotator_models.mace import Mace
from arbitree.annotator_models.majority import Majority
from arbitree.annotator_models.one_coin import OneCoin

ROUNDS = 5


def main():
    theirs = crowd_kit()
    if not theirs:
        print("crowd-kit is not installed (pip install crowd-kit): only our own times are shown\n")
    print(f"{'':28}{'accuracy':>18}{'CPU s':>20}{'wall s':>20}{'ratio':>16}")
    print(
        f"{'':28}{'ours':>9}{'theirs':>9}{'ours':>10}{'theirs':>10}{'ours':>10}{'theirs':>10}{'CPU':>8}{'wall':>8}"
    )
    for name, (items, coders, labels, truth) in tables().items():
        for model, ours in OURS.items():
            jobs = [partial(predicted, ours), *([theirs[model]] if model in theirs else [])]
            times, answers = race([partial(job, items, coders, labels) for job in jobs])
            right = [np.mean([answer[item] == label for item, label in truth.items()]) for answer in answers]
            show(f"{name} {model}", right, times)


OURS = {
    "MACE": Mace,
    "MACE, EM": partial(Mace, method="em"),
    "Dawid-Skene": DawidSkene,
    "one coin": OneCoin,
    "majority": Majority,
}


def predicted(model, items, coders, labels):
    """Return our label of every item."""
    names, whose, values = (sorted(set(each)) for each in (items, coders, labels))
    item, coder, label = (
        list(map({name: place for place, name in enumerate(known)}.__getitem__, each))
        for known, each in ((names, items), (whose, coders), (values, labels))
    )
    codes = np.full((len(names), len(whose)), -1, dtype=np.int32)
    codes[item, coder] = label
    found = fit_labels(model(len(values)), codes, restarts=10).consensus.tolist()
    return {name: values[place] for name, place in zip(names, found, strict=True)}


def crowd_kit():
    """Return crowd-kit's models by our names, none where it is not installed."""
    try:
        from crowdkit.aggregation import MACE, DawidSkene, MajorityVote, OneCoinDawidSkene
    except ImportError:
        return {}
    import pandas

    def runner(make):
        def run(items, coders, labels):
            table = pandas.DataFrame({"task": items, "worker": coders, "label": labels})
            return make().fit_predict(table).to_dict()

        return run

    return {
        "MACE": runner(lambda: MACE(n_restarts=10, n_iter=50)),
        "MACE, EM": runner(lambda: MACE(n_restarts=10, n_iter=50, method="em")),
        "Dawid-Skene": runner(lambda: DawidSkene(n_iter=50)),
        "one coin": runner(lambda: OneCoinDawidSkene(n_iter=50)),
        "majority": runner(MajorityVote),
    }


def race(jobs):
    """Return the least CPU and wall times of every job, and their answers."""
    least = [(float("inf"), float("inf"))] * len(jobs)
    answers = [None] * len(jobs)
    for _ in range(ROUNDS):
        for number, job in enumerate(jobs):
            wall, cpu = time.perf_counter(), time.process_time()
            answers[number] = job()
            taken = (time.process_time() - cpu, time.perf_counter() - wall)
            least[number] = tuple(map(min, least[number], taken))
    return least, answers


def show(name, right, times):
    columns = zip(*times, strict=True)
    cells = [f"{value:9.4f}" for value in right] + [" " * 9] * (2 - len(right))
    ratios = []
    for column in columns:
        cells += [f"{value:10.4f}" for value in column] + [" " * 10] * (2 - len(column))
        ratios.append(f"{column[0] / column[1]:8.3f}" if len(column) > 1 else "")
    print(f"{name:28}{''.join([*cells, *ratios])}")


def tables():
    """Return items, coders, labels and the truth of every table."""
    folder = Path(os.environ.get("ARBITREE_DATA", "/nowhere")) / "mace" / "test"
    found = {}
    for path in sorted(folder.glob("*.csv")):
        rows = [line.split(",") for line in path.read_text().splitlines()]
        triples = [
            (f"{r:05}", f"{c:05}", label)
            for r, row in enumerate(rows)
            for c, label in enumerate(row)
            if label
        ]
        truth = {
            f"{number:05}": label for number, label in enumerate(path.with_suffix(".key").read_text().split())
        }
        found[path.stem] = (*map(list, zip(*triples, strict=True)), truth)
    return found or {"made": made(800, 164, 10)}


def made(items, coders, each, seed=0):
    """Return a table in which coders are right from half to nearly all of the time."""
    random = np.random.default_rng(seed)
    skill = random.uniform(0.5, 0.98, coders)
    truth = random.integers(0, 2, items)
    triples = []
    for item in range(items):
        for coder in random.choice(coders, each, replace=False):
            label = truth[item] if random.random() < skill[coder] else 1 - truth[item]
            triples.append((f"{item:05}", f"{coder:05}", str(label)))
    return (*map(list, zip(*triples, strict=True)), {f"{k:05}": str(label) for k, label in enumerate(truth)})


if __name__ == "__main__":
    main()

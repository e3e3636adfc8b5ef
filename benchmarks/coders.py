"""Annotator models (`coders`), compared with crowd-kit.

The tables are rte.csv (800 items, 164 annotators, 8,000 annotations) and temporal.csv in mace/test of
ARBITREE_DATA, or a generated one. Both packages begin with lists of items, annotators and labels in memory
and end with a label for every item.
"""

from functools import partial

import numpy as np

from arbitree.annotator_models.dawid_skene import DawidSkene
from arbitree.annotator_models.fitting import fit_labels
from arbitree.annotator_models.mace import Mace
from arbitree.annotator_models.majority import Majority
from arbitree.annotator_models.one_coin import OneCoin
from benchmarks.costs import call, data
from benchmarks.rows import Row


def measure(quick):
    """Yield a row for each table and model, and the share of correct labels."""
    restarts = 1 if quick else 10
    theirs, right = crowd_kit(restarts), []
    for name, (*lists, truth) in ({"generated": made(50, 10, 5)} if quick else tables()).items():
        for model, make in OURS.items():
            works = [partial(predicted, make, restarts, *lists)]
            works += [partial(theirs[model], *lists)] if model in theirs else []
            shares = [
                np.mean([found[item] == truth[item] for item in truth])
                for found in (work() for work in works)
            ]
            right.append(f"{model}, {name}: {' and '.join(f'{share:.4f}' for share in shares)}")
            peers = dict(zip(["crowd-kit"], map(call, works[1:]), strict=False))
            yield Row(f"{model}, {name}, {len(truth):,} items", call(works[0], repeat=5), peers, 2)
    yield f"Share of correct labels, by Arbitree and crowd-kit: {'; '.join(right)}."


OURS = {
    "MACE": Mace,
    "MACE, EM": partial(Mace, method="em"),
    "Dawid-Skene": DawidSkene,
    "one coin": OneCoin,
    "majority": Majority,
}


def predicted(model, restarts, items, coders, labels):
    """Return our label of every item."""
    names, whose, values = (sorted(set(each)) for each in (items, coders, labels))
    item, coder, label = (
        list(map({name: place for place, name in enumerate(known)}.__getitem__, each))
        for known, each in ((names, items), (whose, coders), (values, labels))
    )
    codes = np.full((len(names), len(whose)), -1, dtype=np.int32)
    codes[item, coder] = label
    found = fit_labels(model(len(values)), codes, restarts=restarts).consensus.tolist()
    return {name: values[place] for name, place in zip(names, found, strict=True)}


def crowd_kit(restarts):
    """Return crowd-kit's models by our names, or none if it is not installed."""
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
        "MACE": runner(lambda: MACE(n_restarts=restarts, n_iter=50)),
        "MACE, EM": runner(lambda: MACE(n_restarts=restarts, n_iter=50, method="em")),
        "Dawid-Skene": runner(lambda: DawidSkene(n_iter=50)),
        "one coin": runner(lambda: OneCoinDawidSkene(n_iter=50)),
        "majority": runner(MajorityVote),
    }


def tables():
    """Return items, annotators, labels and true labels of real tables, or of a generated one."""
    folder, found = data("mace/test"), {}
    for path in sorted(folder.glob("*.csv")) if folder else ():
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
    return found or {"generated": made(800, 164, 10)}


def made(items, coders, each, seed=0):
    """Return a table in which annotators are right in half to nearly all cases."""
    random = np.random.default_rng(seed)
    skill = random.uniform(0.5, 0.98, coders)
    truth = random.integers(0, 2, items)
    triples = []
    for item in range(items):
        for coder in random.choice(coders, each, replace=False):
            label = truth[item] if random.random() < skill[coder] else 1 - truth[item]
            triples.append((f"{item:05}", f"{coder:05}", str(label)))
    return (*map(list, zip(*triples, strict=True)), {f"{k:05}": str(label) for k, label in enumerate(truth)})

"""How often the confidence intervals of competences contain the true value, on simulated annotators.

    python -m benchmarks.coverage_competences --write   # also updates the notes of `arbitree coders`
    python -m benchmarks.coverage_competences --models mace --items 20 --samples 1000

Annotators know the label of an item with probability c, their competence, and otherwise guess one of the
labels. All annotators of a study have the same competence. For `heads`, items are sentences of 3 to 12
tokens, and an annotator knows the head of a token with probability c. Errors come in sentences: one half of
them has three times the errors of the other half.

An interval that lies above the true value overstates the competence.
"""

import argparse
import os
from itertools import product
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

import arbitree as at
from arbitree import kinds
from arbitree.annotator_models.findings import findings_of
from arbitree.annotator_models.intervals import METHODS
from arbitree.kinds.dependency.value import DepTree
from arbitree.measures.resampling import Resampling
from arbitree.study.study import Annotation, Item, Study

MODELS = (  # with the number of labels
    ("mace", 2),
    ("mace", 4),
    ("dawid_skene", 3),
    ("one_coin", 3),
    ("majority", 3),
    ("heads", 0),
)
LABELS = " ".join(dict.fromkeys(name for name, size in MODELS if size))  # one row of notes for all of them
LARGE = 50_000  # items
COMPETENCES = (0.5, 0.8, 0.95)
ANNOTATORS = (3, 5)
ITEMS = (10, 20, 50, 100, 300)
PACKAGED = Path(__file__).parent.parent / "src" / "arbitree" / "measures" / "coverage.tsv"


def labels(random, items, coders, competence, size):
    """A study of labels."""
    truth = random.integers(size, size=(items, 1))
    guesses = random.integers(size, size=(items, coders))
    return at.from_table(np.where(random.random((items, coders)) < competence, truth, guesses))


def trees(random, items, coders, competence, size):
    """A study of dependency trees with one relation."""
    listed = tuple(Item(str(place), "made", str(place)) for place in range(items))
    names = tuple(f"c{coder}" for coder in range(coders))
    cells = {}
    for item in listed:
        size = int(random.integers(3, 13))
        truth = [0, *(int(random.integers(1, place)) for place in range(2, size + 1))]
        for name in names:
            errors = (1 - competence) * (1.5 if random.random() < 0.5 else 0.5)
            wrong = random.random(size) < errors
            # A guess is one of the other tokens or the root; cycles do not matter to the model.
            heads = [
                int(random.choice([h for h in range(size + 1) if h != place])) if bad else head
                for place, (head, bad) in enumerate(zip(truth, wrong, strict=True), start=1)
            ]
            value = DepTree(("w",) * size, tuple(heads), ("r",) * size)
            cells[item.id, name] = Annotation(item, name, value)
    return Study(listed, names, cells)


def true_value(model, size, coders, competence):
    """The competence as the model defines it: a lucky guess of a label counts as right, except in MACE."""
    if model == "majority":  # the agreement with the majority, from a large study
        study = labels(np.random.default_rng(0), LARGE, coders, competence, size)
        outcome = kinds.of(study).models[model](study, Resampling(0), method="vb", restarts=1)
        return float(outcome.competence.mean())
    return competence if model in ("mace", "heads") else competence + (1 - competence) / size


def simulate(model, size, items, coders, competence, given):
    """The intervals of the annotators and of their mean, by method: (samples, coders + 1, 2)."""
    random = np.random.default_rng([items, coders, int(100 * competence), size])
    found = {method: [] for method in METHODS}
    for _ in range(given.samples):
        made = labels if size else trees
        study = made(random, items, coders, competence, size)
        resampling = Resampling(given.resamples, seed=int(random.integers(2**31)))
        kind = kinds.of(study)
        fitted = kind.models[model]
        outcome = fitted(study, resampling, method="vb", restarts=10)
        for method in METHODS:
            findings = findings_of(study, model, fitted, outcome, resampling, method, kind=kind)
            ends = [each.interval for each in (*findings.coders, findings.results[0])]
            found[method].append([(each.low, each.high) if each else (np.nan, np.nan) for each in ends])
    return {method: np.array(each) for method, each in found.items()}


def summary(intervals, truth):
    """Coverage, misses above and below, and mean width of intervals (..., 2), without undefined ones."""
    low, high = intervals[~np.isnan(intervals[..., 0])].T
    above, below = np.mean(low > truth), np.mean(high < truth)
    return 1 - above - below, above, below, np.mean(high - low)


def write(covered):
    """Write the lowest and the highest coverage to the table that notes are taken from.

    Rows of other models, methods and sizes stay.
    """
    lines = PACKAGED.read_text().splitlines()
    rows = {tuple(line.split("\t")[:3]): line for line in lines}
    for (method, models, items), found in sorted(covered.items()):
        key = (method, models, str(items))
        rows[key] = "\t".join((*key, f"{min(found):.3f}", f"{max(found):.3f}", str(len(found))))
    PACKAGED.write_text("\n".join(rows.values()) + "\n")


def main():
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--models", nargs="*", default=[name for name, _ in MODELS])
    parser.add_argument("--items", nargs="*", type=int, default=ITEMS)
    parser.add_argument("--annotators", nargs="*", type=int, default=ANNOTATORS)
    parser.add_argument("--competences", nargs="*", type=float, default=COMPETENCES)
    parser.add_argument("--samples", type=int, default=300)
    parser.add_argument("--resamples", type=int, default=200)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    covered = {}
    print("                                                      each annotator                  mean")
    print(
        "model        labels  coders  c     items  method         cover  above  below  width   cover  width"
    )
    chosen = [(name, size) for name, size in MODELS if name in given.models]
    settings = product(chosen, given.annotators, given.competences, given.items)
    for (model, size), coders, competence, items in settings:
        truth = true_value(model, size, coders, competence)
        for method, intervals in simulate(model, size, items, coders, competence, given).items():
            own, mean = summary(intervals[:, :-1], truth), summary(intervals[:, -1], truth)
            covered.setdefault((method, LABELS if size else model, items), []).append(own[0])
            print(
                f"{model:12} {size:6}  {coders:6}  {truth:.2f}  {items:5}  {method:13}",
                *(f"{each:.3f}" for each in own),
                f" {mean[0]:.3f}  {mean[3]:.3f}",
                sep="  ",
                flush=True,
            )
    if given.write:
        write(covered)


if __name__ == "__main__":
    main()

"""Whole commands on trees, compared with zss: start-up, `agree`, `report`, `simulate`, and their growth.

zss is timed on a sample of the same pairs of trees, and its time is extrapolated to all of them. Without
ARBITREE_DATA, a corpus is generated.
"""

import sys
import tempfile

from arbitree.api.evaluate import evaluate
from arbitree.api.simulate import simulate
from arbitree.backends.base import InProcess
from arbitree.backends.serial import Serial
from arbitree.measures.sums import trees
from arbitree.reading.assembly import read_study
from benchmarks.corpora import large_corpus, made_corpus, zss_job
from benchmarks.costs import arbitree, call, command, data
from benchmarks.rows import Growth, Row

ALPHAS = [part for name in ("alpha_plain", "alpha_diff", "alpha_norm") for part in ("--measure", name)]
LEVELS = [step / 10 for step in range(1, 11)]


def measure(quick):
    """Yield the rows."""
    with tempfile.TemporaryDirectory() as folder:
        rounds = 3 if quick else 5
        numpy = {"import of numpy and scipy": command(sys.executable, "-c", "import numpy, scipy.sparse")}
        yield Row("`arbitree --help`", arbitree("--help"), numpy, rounds)
        small = made_corpus(folder, 130, coders=2)
        yield Row(
            "`agree`, 130 sentences x 2, no resamples",
            arbitree("agree", "--resamples", 0, *small),
            numpy,
            rounds,
        )
        name, paths = ("300 sentences x 3", made_corpus(folder, 300)) if quick else large_corpus(folder, 600)
        yield from corpus(name, paths, quick)
        yield pqgrams(name, paths)
        yield simulation(folder, quick)
        if not quick:
            yield from growth(folder)


def corpus(name, paths, quick):
    """Yield agree on one and two threads, and the report, on the large corpus."""
    study = read_study(paths)
    pairs = len(study.cells) * (len(study.cells) - 1) // 2
    sample = 100 if quick else 400
    zss = {f"zss, from {sample} pairs": zss_job(study, sample, pairs)}
    las = [*ALPHAS, "--measure", "las"]
    one, two = (arbitree("agree", "--threads", number, *las, *paths) for number in (1, 2))
    yield Row(f"`agree`, {name}, 1,000 resamples, 1 thread", one, zss, 2)
    yield Row(f"`agree`, {name}, 1,000 resamples, 2 threads", two, zss, 2)
    yield Row(f"`agree`, {name}, 2 threads", two, {"1 thread": one}, 2, clock="wall")
    with tempfile.TemporaryDirectory() as folder:
        yield Row(f"`report`, {name}", arbitree("report", "--output", folder, *paths), {"`agree`": two}, 2)
    yield f"{name}: {len(study.items):,} sentences, {len(study.cells):,} trees, {pairs:,} pairs."
    yield from parts(name, study)


def parts(name, study):
    """Yield alpha of all annotators, of each pair and without each one, from one pass and from several."""
    once, again = Passes(), Passes()
    jobs = [
        call(lambda run=run, room=room: by_coder(study, run, room))
        for run, room in ((once, trees.TRIANGLE_BYTES), (again, 0))
    ]
    job = f"`alpha_plain --by coder`, {name}, no resamples"
    yield Row(job, jobs[0], {"a pass for each part": jobs[1]}, 2)
    passes = f"1 pass or {again.count} passes" if once.count == 1 else f"{once.count} or {again.count} passes"
    yield f"`--by coder`, {name}: {passes} over pairs of trees."


def by_coder(study, run, room):
    """Compute alpha by coder; distances are stored if they fit into *room* bytes."""
    run.count, before, trees.TRIANGLE_BYTES = 0, trees.TRIANGLE_BYTES, room
    evaluate(study, "alpha_plain", by=["coder"], resamples=0, run=run)
    trees.TRIANGLE_BYTES = before


class Passes(InProcess):
    """The serial backend, which counts passes over pairs of trees."""

    def __init__(self):
        self.count = 0

    def __call__(self, function, arguments):
        """Return the results in order."""
        self.count += isinstance(function.__self__, trees.DistinctTrees)
        return Serial()(function, arguments)


def pqgrams(name, paths):
    """Return the row of alpha with pq-grams and with tree edit distance."""
    study = read_study(paths)
    jobs = [
        call(lambda measure=measure: evaluate(study, measure, resamples=0, run=Serial()))
        for measure in ("alpha_pqgram", "alpha_plain")
    ]
    return Row(f"`alpha_pqgram`, {name}, no resamples", jobs[0], {"`alpha_plain`": jobs[1]})


def simulation(folder, quick):
    """Return the row of the three experiments of Skjærholt (2014): ten levels, ten runs, four measures."""
    path = None if quick else data("syn-agreement/ndt/odin-danish.conll")
    study = read_study([str(path) if path else made_corpus(folder, 100, coders=1)[0]])
    sentences, runs = min(20 if quick else 100, len(study.items)), 2 if quick else 10
    pairs = 2 * sentences * (2 * sentences - 1) // 2 * runs * 3 * len(LEVELS)
    ours = call(lambda: simulate(study, levels=LEVELS, sentences=sentences, runs=runs, run=Serial()))
    zss = {"zss, from 100 pairs": zss_job(study, 100, pairs)}
    return Row(f"`simulate`, {sentences} sentences, {3 * runs * len(LEVELS)} runs", ours, zss, 2)


def growth(folder):
    """Yield growth of the whole command on generated corpora."""

    def job(sentences, coders=2, mean=17.5, resamples=1000):
        paths = made_corpus(folder, sentences, coders, mean)
        return arbitree("agree", "--resamples", resamples, *ALPHAS, *paths)

    sizes = (1000, 2000, 5000, 10_000)
    yield Growth("`agree`, 2 annotators", "sentences", {n: job(n) for n in sizes})
    yield Growth("`agree`, 1,000 sentences", "annotators", {n: job(1000, n) for n in (2, 4, 8, 16)})
    yield Growth("`agree`, 300 sentences x 2", "mean length", {n: job(300, mean=n) for n in (18, 36, 72)})
    jobs = {n: job(2000, resamples=n) for n in (1000, 2000, 4000, 8000)}
    yield Growth("`agree`, 2,000 sentences x 2", "resamples", jobs)

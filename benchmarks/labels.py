"""Coefficients over labels and their intervals, compared with krippendorff and scikit-learn.

Studies are generated in memory. The packages compute no confidence intervals, so one resample is timed and
the time is multiplied. scikit-learn is timed on a sample of the pairs of annotators.
"""

import tempfile
from itertools import combinations
from pathlib import Path

import numpy as np

from benchmarks.costs import alone, arbitree, call
from benchmarks.rows import Growth, Row

LEVELS = ("nominal", "ordinal", "interval", "ratio")
ALPHAS = [f"alpha_{level}" for level in LEVELS]
MEASURES = ["agreement", "s", "pi", "kappa", "multi_pi", "multi_kappa", "ac1", "ac2", "weighted_kappa"]
MEASURES += ALPHAS
PAIRS = "kappa", "pi", "weighted_kappa"
LABELS = 4


def measure(quick):
    """Yield the rows: values, percentile intervals, pairs of annotators, breakdowns, growth."""
    items = 20_000 if quick else 200_000
    codes = made(items, 5)
    for level in LEVELS:
        peers = {"krippendorff": call(lambda level=level: krippendorff_alpha(codes, level))}
        yield Row(f"`alpha_{level}` of {items:,} items x 5", call(values(codes, [f"alpha_{level}"])), peers)
    with tempfile.TemporaryDirectory() as folder:
        yield bootstrap(folder, codes)
        yield pairs(*((1_000, 100, 5) if quick else (20_000, 1000, 10)))
        if not quick:
            yield crowd(folder, 20_000, 1000, 10)
        yield breakdown(1_000 if quick else 10_000, 10)
        if not quick:
            yield from growth()


def bootstrap(folder, codes):
    """Return the row of a whole command with percentile intervals."""
    items, coders = codes.shape
    options = ("--measure", "alpha_nominal", "--interval", "percentile", "--resamples", 1000)
    ours = arbitree("agree", *options, write(folder, codes))
    peers = {"krippendorff, in memory": alone(resampled_by_krippendorff, items, coders, times=1000)}
    return Row(f"`agree`, `alpha_nominal` of {items:,} items x {coders}, 1,000 resamples", ours, peers, 2)


def made(items, coders, each=None, agreement=0.7, seed=0):
    """Return codes of labels (items, coders). Each item has *each* annotators, by default all.

    An annotator gives the true label with this probability and guesses otherwise.
    """
    rng = np.random.default_rng(seed)
    truth = rng.integers(LABELS, size=(items, 1))
    guess = rng.integers(LABELS, size=(items, coders))
    codes = np.where(rng.random((items, coders)) < agreement, truth, guess).astype(np.int32)
    if each is not None and each < coders:
        order = rng.random((items, coders)).argsort(axis=1)
        np.put_along_axis(codes, order[:, each:], -1, axis=1)
    return codes


def study_of(codes):
    """Return a study with these codes."""
    from arbitree.kinds.labels.value import Label
    from arbitree.study.grid import Grid
    from arbitree.study.study import Item, Study

    items, coders = codes.shape
    listed = tuple(Item(str(k), "made", str(k)) for k in range(items))
    names = tuple(f"c{k}" for k in range(coders))
    labels = tuple(Label(str(k)) for k in range(LABELS))
    return Study(listed, names, Grid(listed, names, codes, labels, clusters=np.arange(items)))


def values(codes, measures, resamples=0, by=()):
    """Return work that computes the measures, with percentile intervals if there are resamples."""
    from arbitree.api.evaluate import evaluate_all

    evaluate_all(study_of(codes[:10]), measures, resamples=0)  # imports
    study = study_of(codes)
    return lambda: evaluate_all(study, measures, resamples=resamples, interval="percentile", by=by)


def values_of(items, coders, each, measures, resamples=0, by=()):
    """Return the same work on generated codes."""
    return values(made(items, coders, each), measures, resamples, by)


def krippendorff_alpha(codes, level):
    """Compute alpha with the package krippendorff."""
    import krippendorff

    table = np.where(codes < 0, np.nan, codes).T
    return krippendorff.alpha(reliability_data=table, level_of_measurement=level)


def resampled_by_krippendorff(items, coders):
    """Return one resample of items by krippendorff, from counts of labels per item."""
    import krippendorff

    codes = made(items, coders)
    counts = (codes[:, :, None] == np.arange(LABELS)).sum(axis=1)
    rng = np.random.default_rng(0)
    return lambda: krippendorff.alpha(
        value_counts=counts[rng.integers(items, size=items)], level_of_measurement="nominal"
    )


def pairs(items, coders, each):
    """Return the row of coefficients over pairs of annotators, with percentile intervals."""
    ours = alone(values_of, items, coders, each, PAIRS, 1000)
    return Row(
        f"κ, π and weighted κ of {named(items, coders, each)}, 1,000 resamples",
        ours,
        scikit(items, coders, each),
        2,
    )


def crowd(folder, items, coders, each):
    """Return the row of a whole command with its default measures and intervals."""
    ours = arbitree("agree", write(folder, made(items, coders, each)))
    return Row(f"`agree` of {named(items, coders, each)}", ours, scikit(items, coders, each), 1)


def named(items, coders, each):
    """Return the name of a study in which each item has few of many annotators."""
    return f"{coders:,} annotators, {items:,} items x {each}"


def write(folder, codes):
    """Write a table of labels, and return its path."""
    path = Path(folder, "x".join(map(str, codes.shape)) + ".tsv")
    rows = (
        f"s{item}\tann{coder}\tL{codes[item, coder]}\n" for item, coder in np.argwhere(codes >= 0).tolist()
    )
    path.write_text("item\tcoder\tlabel\n" + "".join(rows))
    return path


def scikit(items, coders, each, sample=200):
    """Return κ of all pairs and resamples by scikit-learn as a peer, extrapolated from a sample of pairs."""
    times = 1001 * coders * (coders - 1) / 2 / sample
    return {"scikit-learn, κ": alone(scikit_kappas, items, coders, each, sample, times=times)}


def scikit_kappas(items, coders, each, sample):
    """Return κ of a sample of pairs by scikit-learn."""
    from sklearn.metrics import cohen_kappa_score

    codes = made(items, coders, each)
    drawn = np.random.default_rng(0).permutation(list(combinations(range(coders), 2)))[:sample]

    def work():
        for first, second in drawn:
            both = (codes[:, first] >= 0) & (codes[:, second] >= 0)
            if both.any():
                cohen_kappa_score(codes[both, first], codes[both, second], labels=range(LABELS))

    return work


def breakdown(items, coders):
    """Return the row of values by pair, by annotator and by label."""
    by = ("pair", "coder", "label")
    codes = made(items, coders)

    def theirs():
        for pair in combinations(range(coders), 2):
            krippendorff_alpha(codes[:, pair], "nominal")
        for coder in range(coders):
            krippendorff_alpha(np.delete(codes, coder, axis=1), "nominal")
        for label in range(LABELS):
            krippendorff_alpha((codes == label).astype(int), "nominal")

    return Row(
        f"`alpha_nominal` of {items * coders:,} labels by pair, annotator and label, 1,000 resamples",
        alone(values_of, items, coders, coders, ["alpha_nominal"], 1000, by),
        {"krippendorff, no resamples": call(theirs)},
    )


def growth():
    """Yield growth with items, annotators and resamples."""
    for resamples in (0, 1000):
        jobs = {
            n: alone(values_of, n, 4, 4, MEASURES, resamples) for n in (50_000, 100_000, 200_000, 400_000)
        }
        yield Growth(f"all measures of 4 annotators, {resamples:,} resamples", "items", jobs)
    jobs = {n: alone(values_of, 10_000, n, n, MEASURES) for n in (4, 8, 16, 32, 64)}
    yield Growth("all measures of 10,000 items, no resamples", "annotators", jobs)
    jobs = {n: alone(values_of, 10_000, n, 10, PAIRS, 100) for n in (125, 250, 500, 1000)}
    yield Growth(
        "κ, π and weighted κ of 10,000 items (10 annotators each), 100 resamples", "annotators", jobs
    )
    jobs = {n: alone(values_of, 100_000, 4, 4, ["alpha_nominal"], n) for n in (500, 1000, 2000, 4000)}
    yield Growth("`alpha_nominal` of 400,000 ratings", "resamples", jobs)

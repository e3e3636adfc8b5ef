"""How often the confidence intervals contain the true value: samples from populations that are known.

    ARBITREE_DATA=corpora python -m benchmarks.coverage            # the table of results
    ARBITREE_DATA=corpora python -m benchmarks.coverage --write    # also benchmarks/coverage.tsv and the docs
    python -m benchmarks.coverage --populations skewed-2 --sizes 20 --samples 200

A population is a study of some thousand items. Its value is the true value. Samples of n items are drawn
from it without replacement, and the interval of each sample contains the true value or misses it. An interval
that lies above the true value overstates agreement. Samples whose value is undefined do not count.

Methods that Arbitree offers run on its own code, on statistics of the sample that are cut out of those of the
population. Other methods that were tried are defined in this file. Without ARBITREE_DATA, only simulated
populations are used.
"""

import argparse
import csv
import math
import os
import random
import statistics
import sys
import time
import zlib
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path

import numpy as np

import arbitree as at
from arbitree import kinds
from arbitree.backends.threads import Threads
from arbitree.kinds.labels.measures.ratings import LabelCounts, counts_of
from arbitree.kinds.labels.value import Label
from arbitree.measures.jackknife import clopper_pearson, student
from arbitree.measures.options import measure_named
from arbitree.measures.resampling import METHODS, Method, Resampling, Sample, quantiles, ratio_sample
from arbitree.measures.sums.pairs import PairSums, Stored, Stripe
from arbitree.reproduction.pages import filled
from arbitree.study.result import Interval

HERE = Path(__file__).parent
RESULTS = HERE / "coverage.tsv"
PAGE = HERE.parent / "docs" / "uncertainty.md"
PACKAGED = HERE.parent / "src" / "arbitree" / "measures" / "coverage.tsv"

SIZES = (10, 20, 50, 100, 300)
CONFIDENCE = 0.95
COLUMNS = ("population", "measure", "n", "method", "samples", "coverage", "above", "below", "mean", "median")


# Populations


@dataclass(frozen=True)
class Population:
    """A study, and the measures whose value on it is the true value."""

    name: str
    study: at.Study
    measures: tuple[str, ...]

    @cached_property
    def parts(self):
        """The measures with their statistics; measures that share statistics share them here."""
        kind, known = kinds.of(self.study), {}
        found = {}
        for name in self.measures:
            _, measure = measure_named(name, kind)
            recipe = measure.statistics
            if recipe not in known:
                known[recipe] = _Cut(recipe.prepare(self.study, Threads(2)))
            found[name] = measure, known[recipe]
        return found

    def truth(self, name):
        """Return the true value of a measure."""
        measure, cut = self.parts[name]
        return float(measure.score(cut.whole, np.ones((1, self.study.cluster_count)))[0])

    def sample(self, name, members):
        """Return the sample of the items with the numbers *members*, as for a study of these items alone."""
        measure, cut = self.parts[name]
        names = lambda: [str(each) for each in members]  # noqa: E731
        if tally := measure.tally(cut.whole):
            places = cut.place[members]
            return ratio_sample(
                tally.numerators[places], tally.denominators[places], np.arange(len(places)), names
            )
        stats = cut.of(members)
        return Sample(
            score=lambda rows: measure.score(stats, rows),
            members=np.arange(len(members)),
            clusters=len(members),
            names=names,
            extent=lambda weights: measure.extent(stats, weights),
            evidence=lambda: measure.item_evidence(stats),
            without=lambda weights: measure.without(stats, weights),
            alike=lambda: measure.alike(stats),
        )


class _Cut:
    """The statistics of a population, and those of its samples; every item is a cluster."""

    def __init__(self, whole):
        self.whole = whole
        self.place = np.full(max(whole.columns) + 1, -1)
        self.place[whole.columns] = np.arange(len(whole.columns))
        self._last = None, None
        if isinstance(whole, PairSums):
            self._squares = _symmetric(whole.stripes.stripes, len(whole.columns))

    def of(self, members):
        """Return the statistics of *members*; the last ones are kept for other measures."""
        key = members.tobytes()
        if self._last[0] != key:
            self._last = key, self._cut(members)
        return self._last[1]

    def _cut(self, members):
        whole, places = self.whole, self.place[members]
        own = np.arange(len(members))
        if isinstance(whole, LabelCounts):
            codes = whole.codes[places]
            seen = np.unique(codes[codes >= 0])
            numbers = np.full(len(whole.values) + 1, -1)
            numbers[seen] = np.arange(len(seen))
            items = tuple(whole.used[place] for place in places)
            values = tuple(whole.values[each] for each in seen)
            return counts_of(
                numbers[codes].astype(np.int32), values, items=items, coders=whole.coders, clusters=own,
                cluster_count=len(own), singles=True,
            )  # fmt: skip
        if isinstance(whole, PairSums):
            sums = np.triu(self._squares[:, places[:, None], places].astype(np.float64), 1)
            return replace(
                whole,
                columns=own,
                sizes=whole.sizes[places],
                observed=whole.observed[:, places],
                within=whole.within[:, places],
                stripes=Stored((Stripe(0, sums),)),
                used=tuple(whole.used[place] for place in places),
                annotations=tuple(whole.sizes[places].astype(int).tolist()),
                per_item=whole.observed[:, places],
            )
        return replace(
            whole, columns=own, means=whole.means[:, places], lengths=whole.lengths[places],
            used=tuple(whole.used[place] for place in places),
        )  # fmt: skip


def _symmetric(stripes, count):
    """Return the sums of squared distances between all clusters: (deltas, clusters, clusters)."""
    found = np.zeros((len(stripes[0].sums), count, count), dtype=np.float32)  # whole numbers stay exact
    for stripe in stripes:
        end = stripe.start + stripe.sums.shape[1]
        found[:, stripe.start : end, stripe.start :] = stripe.sums
    return found + found.transpose(0, 2, 1)


ALPHAS = ("alpha_plain", "alpha_diff", "alpha_norm")
COEFFICIENTS = ("alpha_nominal", "kappa", "agreement", "ac1")


def corpus(*folders, measures, files=""):
    """Return a function that reads a study from ARBITREE_DATA."""

    def make(name):
        data = Path(os.environ["ARBITREE_DATA"])
        if files:
            study = at.read(*sorted(map(str, (data / folders[0]).glob(files))))
        else:
            study = at.read(*(str(data / each) for each in folders), dirs=True)
        return Population(name, study, (*ALPHAS, *measures))

    return make


def heavy_tailed(name, sentences=3000, seed=1):
    """Return dependency trees by two annotators; a few sentences hold most of the disagreement.

    The share of changed tokens of a sentence is a Pareto variable with shape 1.1 less its minimum of 1%.
    """
    rng = random.Random(seed)
    labels = ["nsubj", "obj", "obl", "det", "case", "amod", "advmod", "nmod", "conj", "cc", "punct", "mark"]
    items, cells = [], {}
    for number in range(sentences):
        size = max(2, min(80, round(rng.lognormvariate(2.7, 0.6))))
        order = rng.sample(range(1, size + 1), size)
        heads, relations = [0] * size, [""] * size
        for place, token in enumerate(order):
            heads[token - 1] = rng.choice(order[max(0, place - 8) : place] or [0])
            relations[token - 1] = rng.choice(labels) if place else "root"
        changed = min(1.0, 0.01 * rng.paretovariate(1.1) - 0.01)
        others, names = list(heads), list(relations)
        for place, token in enumerate(order):
            if rng.random() < changed:
                names[token - 1] = rng.choice(labels)
            if place and rng.random() < changed:
                others[token - 1] = rng.choice(order[:place])
        item = at.Item(str(number), "made", str(number))
        items.append(item)
        words = ("w",) * size
        for coder, tree in (("a", (heads, relations)), ("b", (others, names))):
            cells[item.id, coder] = at.Annotation(item, coder, at.DepTree(words, *map(tuple, tree)))
    return Population(name, at.Study(tuple(items), ("a", "b"), cells), (*ALPHAS, "las"))


def labelled(coders, shares, sure, items=20_000):
    """Return a function that makes labels.

    Every item has a true label, drawn by *shares*. An annotator knows it with the probability *sure*, and
    otherwise guesses by *shares*.
    """

    def make(name):
        rng = np.random.default_rng(zlib.crc32(name.encode()))
        true = rng.choice(len(shares), items, p=shares)
        codes = [
            np.where(rng.random(items) < sure, true, rng.choice(len(shares), items, p=shares))
            for _ in range(coders)
        ]
        every = tuple(at.Item(str(number), "made", str(number)) for number in range(items))
        names = [f"c{coder}" for coder in range(coders)]
        cells = {
            (item.id, name): at.Annotation(item, name, Label("abc"[column[place]]))
            for name, column in zip(names, codes, strict=True)
            for place, item in enumerate(every)
        }
        return Population(name, at.Study(every, tuple(names), cells), COEFFICIENTS)

    return make


REAL = {
    "pcedt-sized": corpus("pcedt-sized", files="a*.conllu", measures=("las",)),
    "gum-two-versions": corpus("gum-two-versions/early", "gum-two-versions/late", measures=("jaccard",)),
    "gum-parser-vs-gold": corpus(
        "gum-parser-vs-gold/gold", "gum-parser-vs-gold/parser", measures=("jaccard",)
    ),
}
MADE = {
    "heavy-tailed": heavy_tailed,
    "balanced-2": labelled(2, (0.5, 0.5), 0.8),
    "balanced-4": labelled(4, (0.4, 0.3, 0.3), 0.8),
    "low-2": labelled(2, (0.4, 0.3, 0.3), 0.5),
    "skewed-2": labelled(2, (0.9, 0.1), 0.8),
    "skewed-4": labelled(4, (0.9, 0.07, 0.03), 0.8),
    "skewed-2-sure": labelled(2, (0.9, 0.1), 0.95),
    "skewed-4-sure": labelled(4, (0.9, 0.1), 0.95),
}
TREES = (*REAL, "heavy-tailed")


# Methods that were tried


class _Drawn(Method):
    """Base class of other bootstrap intervals."""

    resampled = True

    def difference(self, first, second, paired, settings):
        """Raise an error: differences were not simulated."""
        raise NotImplementedError


class BCa(_Drawn):
    """Percentiles that are corrected for bias and acceleration (Efron 1987)."""

    def interval(self, sample, settings):
        """Return the corrected percentiles."""
        from scipy.special import ndtr, ndtri

        drawn = settings.scores(sample.score, sample.members, sample.clusters)[1:]
        drawn = drawn[~np.isnan(drawn)]
        without = sample.jackknifed(grouped=False).without
        gaps = np.nanmean(without) - without[~np.isnan(without)]
        cube = np.sum(gaps**2) ** 1.5
        pull = np.sum(gaps**3) / (6 * cube) if cube else 0.0
        share = np.clip(np.mean(drawn < sample.value), 1 / len(drawn), 1 - 1 / len(drawn))
        bias = ndtri(share)
        z = bias + ndtri([(1 - settings.confidence) / 2, (1 + settings.confidence) / 2])
        low, high = quantiles(drawn, ndtr(bias + z / (1 - pull * z)))
        return Interval(float(low), float(high), settings.confidence, "bca", settings.resamples)


class Studentised(_Drawn):
    """The bootstrap of t on the scale of log(1 - value), with the jackknife error of each resample."""

    resamples = 200

    def interval(self, sample, settings):
        """Return the interval of t."""
        n = len(sample.members)
        rows = next(iter(Resampling(self.resamples, seed=settings.seed).rows(sample.members, n)))
        left = np.repeat(rows, n, axis=0)
        left[np.arange(len(left)), np.tile(np.arange(n), len(rows))] -= 1
        there = left.min(axis=1) >= 0  # a cluster that was not drawn cannot be left out
        values = np.full(len(left), np.nan)
        values[there] = sample.score(left[there])
        with np.errstate(divide="ignore", invalid="ignore"):
            u = np.log(1 - sample.score(rows))
            each = np.log(1 - values).reshape(len(rows), n)
        each[~np.isfinite(each)] = np.nan
        share = np.nan_to_num(rows)
        known = np.isfinite(each)
        weights = np.where(known, share, 0)
        total = weights.sum(axis=1)
        mean = np.where(known, each * weights, 0).sum(axis=1) / np.maximum(total, 1)
        squares = np.where(known, weights * (each - mean[:, None]) ** 2, 0).sum(axis=1)
        s = np.sqrt(squares * (total - 1) / np.maximum(total, 1))
        with np.errstate(divide="ignore", invalid="ignore"):
            t = ((u - u[0]) / s)[1:]
        t = t[np.isfinite(t)]
        if len(t) < 2 or not np.isfinite(u[0]) or not s[0]:
            return Interval(sample.value, sample.value, settings.confidence, "studentised", self.resamples)
        low, high = quantiles(t, [(1 - settings.confidence) / 2, (1 + settings.confidence) / 2])
        ends = 1 - np.exp(np.clip(u[0] - np.array([low, high]) * s[0], -50, 50))
        return Interval(*map(float, ends), settings.confidence, "studentised", self.resamples)


class DoubleBootstrap(_Drawn):
    """Percentiles at a level that is calibrated by resampling every resample (Hall & Martin 1988)."""

    outer, inner = 200, 50

    def interval(self, sample, settings):
        """Return the calibrated percentiles."""
        n = len(sample.members)
        rng = np.random.default_rng(settings.seed)
        rows = rng.multinomial(n, np.full(n, 1 / n), self.outer).astype(float)
        drawn = sample.score(rows)
        again = rng.multinomial(n, np.repeat(rows / n, self.inner, axis=0)).astype(float)
        inner = sample.score(again).reshape(self.outer, self.inner)
        with np.errstate(invalid="ignore"):
            depth = np.nanmean(inner <= sample.value, axis=1)  # where the truth lies in each resample
        drawn = drawn[~np.isnan(drawn)]
        tails = quantiles(
            depth[~np.isnan(depth)], [(1 - settings.confidence) / 2, (1 + settings.confidence) / 2]
        )
        low, high = quantiles(drawn, np.clip(tails, 0, 1))
        return Interval(float(low), float(high), settings.confidence, "double", self.outer)


class PlainJackknife(Method):
    """The jackknife on log(1 - value) without prior counts: the candidate that the default grew from."""

    resampled = False

    def interval(self, sample, settings):
        """Return the ends on the scale of log(1 - value)."""
        found = sample.jackknifed(grouped=False)
        n, k = found.clusters, found.seen
        if k <= 1:
            few = clopper_pearson(k, n, settings.confidence)
            ends = 1 - few[1], 1 - few[0]
        else:
            u = math.log(1 - found.value)
            with np.errstate(divide="ignore", invalid="ignore"):
                p = n * u - (n - 1) * np.log(1 - found.without)
            p = p[np.isfinite(p)]
            s = p.std(ddof=1) / math.sqrt(len(p))
            kurtosis = np.mean((p - p.mean()) ** 4) / max(np.var(p) ** 2, 1e-300)
            t = student(max(1, min(2 * n / max(kurtosis - 1, 1e-9), k - 1)), settings.confidence)
            ends = 1 - math.exp(min(u + t * s, 50)), 1 - math.exp(u - t * s)
        return Interval(*ends, settings.confidence, "plain jackknife", 0)

    def difference(self, first, second, paired, settings):
        """Raise an error: differences were not simulated."""
        raise NotImplementedError


TRIED = {
    **METHODS,
    "plain jackknife": PlainJackknife(),
    "bca": BCa(),
    "studentised": Studentised(),
    "double": DoubleBootstrap(),
}
SLOW = {"percentile": 10_000, "bca": 10_000, "studentised": 50, "double": 50}  # the largest samples they get


# The simulation


def simulate(population, size, methods, samples, seed):
    """Yield a row of results for every measure and method."""
    rng = np.random.default_rng((seed, size))
    places = [rng.choice(population.study.cluster_count, size, replace=False) for _ in range(samples)]
    found = {(name, method): [] for name in population.measures for method in methods}
    usable = {}
    for number, members in enumerate(places):
        settings = Resampling(1000, CONFIDENCE, seed + number)
        for name in population.measures:
            sample = population.sample(name, np.sort(members))
            if np.isnan(sample.value):
                continue
            for method in methods:
                if number < usable.setdefault(
                    method, samples if method not in SLOW else max(samples // 4, 1)
                ):
                    found[name, method].append(TRIED[method].interval(sample, settings))
    for (name, method), intervals in found.items():
        truth = population.truth(name)
        ends = np.array([(each.low, each.high) for each in intervals if each])
        above, below = (ends[:, 0] > truth + 1e-12).mean(), (ends[:, 1] < truth - 1e-12).mean()
        widths = ends[:, 1] - ends[:, 0]
        numbers = (1 - above - below, above, below, widths.mean(), float(np.median(widths)))
        yield (population.name, name, size, method, len(ends), *(f"{each:.4g}" for each in numbers))


def same_as_study(population, members, name):
    """Check that statistics cut out of the population give the interval of a study of these items."""
    ids = [population.study.items[place].id for place in members]
    (result,) = at.evaluate_all(population.study.select(items=ids), [name])
    ours = METHODS["jackknife"].interval(population.sample(name, members), Resampling())
    theirs = result.interval
    close = math.isclose(ours.low, theirs.low, rel_tol=1e-6) and math.isclose(
        ours.high, theirs.high, rel_tol=1e-6
    )
    if not close:
        raise SystemExit(f"{population.name}, {name}: {ours} is not {theirs}")


# The tables


def show(rows):
    """Print the rows."""
    heads = f"{'cover':>7}{'above':>7}{'below':>7}{'mean':>11}{'median':>10}"
    print(f"{'population':20}{'measure':15}{'n':>4}  {'method':16}{heads}")
    for population, measure, n, method, _, coverage, above, below, mean, median in rows:
        print(
            f"{population:20}{measure:15}{n:>4}  {method:16}{float(coverage):7.3f}{float(above):7.3f}"
            f"{float(below):7.3f}{float(mean):11.4g}{float(median):10.4f}"
        )


GROUPS = {
    "alphas of trees": lambda row: row[1] in ALPHAS,
    "shares (LAS, Jaccard)": lambda row: row[1] in ("las", "jaccard"),
    "labels, balanced": lambda row: row[0] in ("balanced-2", "balanced-4", "low-2"),
    "labels, 90% in one category": lambda row: row[0].startswith("skewed"),
}


def page_table(rows):
    """Return the table of the documentation: the lowest and the mean coverage in each group of measures."""
    lines = ["| method | n | " + " | ".join(GROUPS) + " |", "|---|---|" + "---|" * len(GROUPS)]
    for method in dict.fromkeys(row[3] for row in rows):
        for n in SIZES:
            cells = []
            for chosen in GROUPS.values():
                own = [row for row in rows if row[3] == method and int(row[2]) == n and chosen(row)]
                if own:
                    lowest = min(own, key=lambda row: float(row[5]))
                    mean = statistics.mean(float(row[5]) for row in own)
                    above, below = (statistics.mean(float(row[place]) for row in own) for place in (6, 7))
                    cells.append(f"{float(lowest[5]):.3f} ({mean:.3f}; {above:.3f} / {below:.3f})")
                else:
                    cells.append("")
            if any(cells):
                lines.append(f"| {method} | {n} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def packaged(rows):
    """Return the rows that Arbitree's notes are made from: the range of coverage by method and size."""
    for method in METHODS:
        for n in SIZES:
            own = [float(row[5]) for row in rows if row[3] == method and int(row[2]) == n]
            if own:
                yield method, n, min(own), max(own), len(own)


def write(rows):
    """Write the results, the data of the package, and the table in the documentation.

    Results of other populations, sizes and methods that are there already stay.
    """
    every = {tuple(map(str, row[:4])): row for row in [*read(), *rows]}
    order = [list(known()), list(TRIED)]
    kept = sorted(
        every.values(), key=lambda row: (order[0].index(row[0]), row[1], int(row[2]), order[1].index(row[3]))
    )
    with RESULTS.open("w", newline="") as file:
        out = csv.writer(file, delimiter="\t", lineterminator="\n")
        out.writerow(COLUMNS)
        out.writerows(kept)
    write_tables(kept)


def read():
    """Return the results that were written last."""
    if not RESULTS.exists():
        return []
    with RESULTS.open(newline="") as file:
        return list(csv.reader(file, delimiter="\t"))[1:]


def write_tables(rows):
    """Write what follows from the results."""
    lines = ["method\tmodels\tn\tlowest\thighest\tcases"]
    lines += [
        f"{method}\t\t{n}\t{low:.3f}\t{high:.3f}\t{cases}" for method, n, low, high, cases in packaged(rows)
    ]
    others = [line for line in PACKAGED.read_text().splitlines()[1:] if line.split("\t")[1]]
    PACKAGED.write_text("\n".join([*lines, *others]) + "\n")
    PAGE.write_text(filled(PAGE.read_text(), "coverage", page_table(rows), PAGE))


@cache
def known():
    """Return the populations that can be made."""
    data = os.environ.get("ARBITREE_DATA")
    real = {name: make for name, make in REAL.items() if data and Path(data, name).is_dir()}
    return real | MADE


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--populations", nargs="+", default=list(known()), choices=list(known()))
    parser.add_argument("--sizes", nargs="+", type=int, default=list(SIZES))
    parser.add_argument("--methods", nargs="+", default=list(TRIED), choices=list(TRIED))
    parser.add_argument(
        "--samples", type=int, default=1000, help="a quarter of them for methods that resample"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--write", action="store_true", help="also write the results and the documentation")
    parser.add_argument(
        "--tables", action="store_true", help="only write the tables again, from coverage.tsv"
    )
    options = parser.parse_args()
    if options.tables:
        write_tables(read())
        return
    rows = []
    for name in options.populations:
        population = known()[name](name)
        checked = np.sort(
            np.random.default_rng(options.seed).choice(population.study.cluster_count, 25, False)
        )
        for measure in population.measures:
            same_as_study(population, checked, measure)
        for size in options.sizes:
            methods = [each for each in options.methods if size <= SLOW.get(each, size)]
            begin = time.process_time()
            found = list(simulate(population, size, methods, options.samples, options.seed))
            show(found)
            print(f"{time.process_time() - begin:.0f} s", file=sys.stderr, flush=True)
            rows += found
        if options.write:
            write(rows)


if __name__ == "__main__":
    main()

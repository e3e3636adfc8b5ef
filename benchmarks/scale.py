"""Time and memory of whole commands by the number of items, and what they would be for a million.

Trees and labels are generated: three annotators differ on a few tokens of 17.5 on average, five on labels.
Commands run with their defaults.
"""

import tempfile
from contextlib import ExitStack
from pathlib import Path

from benchmarks import labels, score
from benchmarks.corpora import made_corpus
from benchmarks.costs import Process, arbitree
from benchmarks.rows import Growth, duration, size
from benchmarks.serve import ready, serving

LARGE = 1_000_000
LEAST = 5_000  # items from which costs are extrapolated
PAIRS = 2  # the power of the number of items in commands that compare all pairs


def measure(quick):
    """Yield the growth of each command, and its extrapolation."""
    few = (200, 400) if quick else (1_000, 2_500, 5_000, 10_000)
    many = (2_000, 4_000) if quick else (25_000, 50_000, 100_000, 200_000)
    with tempfile.TemporaryDirectory() as folder:
        trees = {count: made_corpus(folder, count, 3) for count in few}
        tables = {count: [str(labels.write(folder, labels.made(count, 5)))] for count in many}
        page = ("--output", str(Path(folder, "report")))
        sums, heads = (("agree", "--measure", name) for name in ("alpha_plain", "las"))
        shorter = dict(list(trees.items())[:3])
        yield from grown("`agree`, trees of 3 annotators, `alpha_plain`", commands(trees, *sums), PAIRS)
        yield from grown("`agree`, trees of 3 annotators, `las`", commands(trees, *heads))
        yield from grown("`agree`, labels of 5 annotators", commands(tables, "agree"))
        yield from grown("`coders`, labels of 5 annotators", commands(tables, "coders"))
        yield from grown("`explain`, trees of 3 annotators", commands(trees, "explain"))
        yield from grown("`score`, two systems", {count: scored(folder, count) for count in few})
        yield from grown("`report`, trees of 3 annotators", commands(shorter, "report", *page), PAIRS)
        served = {count: Process(analyses(folder, paths)) for count, paths in trees.items()}
        yield from grown("`serve`, trees of 3 annotators, until the analyses are ready", served)


def commands(inputs, *line):
    """Return the jobs of a command by the size of its input."""
    return {count: arbitree(*line, *paths) for count, paths in inputs.items()}


def grown(name, jobs, power=1):
    """Yield the growth of a command, and a sentence with its cost for a million items.

    Costs are extrapolated as constant + factor * size ** power, with the constant and the factor of the two
    largest sizes, if these are not those of a quick run. The memory of commands that compare all pairs is
    not extrapolated, because they store less from a certain size on.
    """
    found = {}

    def keeping(count, job):
        def run(python):
            found[count] = job.run(python)
            return found[count]

        return Process(run)

    yield Growth(name, "items", {count: keeping(count, job) for count, job in jobs.items()})
    (first, low), (last, high) = list(found.items())[-2:]
    if last < LEAST:
        return
    factor = (LARGE**power - last**power) / (last**power - first**power)
    memory = f" and {size(high.memory + (high.memory - low.memory) * factor)}" if power == 1 else ""
    time = long(high.cpu + (high.cpu - low.cpu) * factor)
    yield f"* {name}: {LARGE:,} items would take {time} of CPU time{memory} (not measured)."


def long(seconds):
    """Return a time in hours if it is longer than one.

    Example:
        >>> long(90.0), long(9000.0)
        ('90.0 s', '2.5 h')
    """
    return f"{seconds / 3600:,.1f} h" if seconds >= 3600 else duration(seconds)


def scored(folder, count):
    """Return the job of `score` on a gold standard and two systems."""
    place = Path(folder, f"score{count}")
    place.mkdir()
    score.make(place, None, count)
    return arbitree("score", *(f"{name}.conllu" for name in ("gold", "first", "second")), folder=place)


def analyses(folder, paths):
    """Return a function that serves a study until agreement, types and suggestions are ready."""

    def run(python):
        with ExitStack() as running:
            return ready(lambda own: running.enter_context(serving(own, paths, folder))[0], python)

    return run

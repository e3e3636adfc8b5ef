"""`agree` on a local cluster of 1, 2 and 4 processes (`--backend dask`), compared with one thread.

Wall times, because processes share the work. More processes than cores gain nothing.
"""

import tempfile

from benchmarks.corpora import made_corpus
from benchmarks.costs import Process, arbitree
from benchmarks.rows import Row, duration

ALPHA = ("agree", "--measure", "alpha_plain")
MORE = (8, 16, 64)  # processes of the model


def measure(quick):
    """Yield `agree` with each number of processes, with two threads, and a model of more processes."""
    count = 300 if quick else 10_000
    walls = {}
    with tempfile.TemporaryDirectory() as folder:
        paths = made_corpus(folder, count, 3)
        name = f"`agree`, {count:,} sentences x 3"
        one = {"1 thread": arbitree(*ALPHA, "--threads", 1, *paths)}
        yield Row(f"{name}, 2 threads", arbitree(*ALPHA, "--threads", 2, *paths), one, 1, "wall")
        for processes in (1, 2) if quick else (1, 2, 4):
            job = arbitree(*ALPHA, "--backend", "dask", "--threads", processes, *paths)
            yield Row(f"{name}, dask, processes: {processes}", keeping(walls, processes, job), one, 1, "wall")
    if quick:
        return
    shared = 2 * (walls[1] - walls[2])  # half of it is saved by the second process
    rest = walls[1] - shared
    model = ", ".join(f"{duration(rest + shared / each)} with {each}" for each in MORE)
    yield (
        f"By the times with 1 and 2 processes, {duration(shared)} of the work are divided among the "
        f"processes, and {duration(rest)} are not. One core per process would give {model} (not measured)."
    )


def keeping(walls, processes, job):
    """Return a job that notes its wall time."""

    def run(python):
        cost = job.run(python)
        walls[processes] = cost.wall
        return cost

    return Process(run)

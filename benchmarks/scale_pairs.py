"""All pairs of sentences compared with a sample of them (`--pairs`), by the number of sentences."""

import tempfile

from benchmarks.corpora import made_corpus
from benchmarks.costs import arbitree
from benchmarks.rows import Growth, Row

ALPHA = ("agree", "--measure", "alpha_plain")
SAMPLE = 1_000_000


def measure(quick):
    """Yield `agree` with all pairs beside a sample of a million pairs, and the growth of the sample."""
    sizes = (300,) if quick else (2_000, 5_000, 10_000, 20_000)
    with tempfile.TemporaryDirectory() as folder:
        sampled = {}
        for size in sizes:
            paths = made_corpus(folder, size, 3)
            sampled[size] = arbitree(*ALPHA, "--pairs", SAMPLE, *paths)
            peer = {f"`--pairs {SAMPLE:.0e}`".replace("+06", "6"): sampled[size]}
            yield Row(f"`agree`, {size:,} sentences x 3, all pairs", arbitree(*ALPHA, *paths), peer, 1)
        if not quick:
            yield Growth("`agree --pairs 1e6`, trees of 3 annotators", "sentences", sampled)

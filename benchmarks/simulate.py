"""The three experiments of Skjærholt (2014), section 3: how long they take, here and elsewhere.

    ARBITREE_DATA=corpora python benchmarks/simulate.py

100 sentences of syn-agreement/ndt/odin-danish.conll, or made ones without ARBITREE_DATA; three settings, ten
levels, ten runs, four measures: 300 noisy corpora. Seconds are wall time, CPU seconds of the process beside
them. For zss, a package in Python, the pairs of one noisy corpus are timed on a sample and multiplied.
"""

import os
import random
import tempfile
import time
from itertools import combinations
from pathlib import Path

import zss
from agree import made_corpus

from arbitree.api.simulate import simulate
from arbitree.backends.serial import Serial
from arbitree.backends.threads import Threads
from arbitree.reading.assembly import read_study

LEVELS = [step / 10 for step in range(1, 11)]
PAIRS = 100  # that zss compares


def main():
    data = Path(os.environ.get("ARBITREE_DATA", "/nowhere")) / "syn-agreement/ndt/odin-danish.conll"
    with tempfile.TemporaryDirectory() as folder:
        study = read_study([str(data) if data.exists() else made_corpus(folder, 100)[0]])
    sentences = min(100, len(study.items))
    print(f"{sentences} sentences, 3 settings x {len(LEVELS)} levels x 10 runs x 4 measures\n")
    print(f"{'':12}{'seconds':>10}{'CPU s':>10}{'runs a second':>16}")
    for name, run in (("one thread", Serial()), ("two threads", Threads(2))):
        begin, cpu = time.perf_counter(), time.process_time()
        found = simulate(study, levels=LEVELS, sentences=sentences, run=run)
        took, used = time.perf_counter() - begin, time.process_time() - cpu
        print(f"{name:12}{took:10.1f}{used:10.1f}{300 / took:16.1f}")
    each = zss_seconds([cell.value for cell in found.simulation.corpus.cells.values()])
    pairs = 2 * sentences * (2 * sentences - 1) // 2
    whole = each * pairs * 300
    print(
        f"\nzss: {1000 * each:.1f} ms a pair, {pairs:,} pairs a run, {whole / 3600:.0f} hours for all runs:"
    )
    print(f"{whole / used:,.0f} times the CPU seconds above")


def zss_seconds(trees):
    """Return the seconds that zss needs for a pair of *trees*, on average over a sample."""
    drawn = random.Random(0).sample(list(combinations(trees, 2)), PAIRS)
    begin = time.process_time()
    for first, second in drawn:
        zss.simple_distance(node_of(first), node_of(second))
    return (time.process_time() - begin) / PAIRS


def node_of(tree):
    """Return *tree* in the form of zss."""
    nodes = [zss.Node(label) for label in ("", *tree.relations)]
    for head, below in enumerate(tree.children()):
        for token in below:
            nodes[head].addkid(nodes[token])
    return nodes[0]


if __name__ == "__main__":
    main()

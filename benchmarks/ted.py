"""Tree edit distance side by side: zss, apted, the plain twin and the compiled kernel.

    python benchmarks/ted.py

All programs get the same pairs of trees in one process, in turn, for several rounds; the least CPU time
of each is shown. Trees are made by a seeded generator or, where ARBITREE_DATA is set, read from its
pcedt-sized/*.conllu. The compiled kernel is too quick to time on so few pairs, and would learn them by
heart if they were repeated: it gets more random pairs, and its time is scaled by the cells to fill.
"""

import os
import random
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import numpy as np
import zss
from apted import APTED
from apted.helpers import Tree as AptedTree

from arbitree import kernels
from arbitree.data.tree import Vocabulary, flatten
from arbitree.kernels import plain

PAIRS = 200
ROUNDS = 3
MORE_PAIRS = 100_000
BATCH = 1500  # trees for the comparison of one thread and two
BLOCK = 50  # trees a side of one piece of work


def main():
    rng = random.Random(0)
    origin, trees = sample_trees(rng)
    pairs = [tuple(rng.sample(range(len(trees)), 2)) for _ in range(PAIRS)]
    sizes = [len(tree) for tree in trees]
    print(f"{origin}: {len(trees)} trees, {np.mean(sizes):.1f} nodes on average, {max(sizes)} at most")
    print(f"{PAIRS} random pairs, {ROUNDS} rounds, least CPU time\n")
    show(compare(trees, pairs))
    if kernels.COMPILED:
        print(f"\ntwo threads on all pairs of {BATCH} trees: {speedup(trees):.2f} times as fast as one")


def sample_trees(rng):
    """Return where the trees come from, and the trees."""
    folder = Path(os.environ.get("ARBITREE_DATA", "")) / "pcedt-sized"
    files = sorted(folder.glob("*.conllu")) if "ARBITREE_DATA" in os.environ else []
    vocabulary = Vocabulary()
    if not files:
        return "made trees", [made_tree(rng, vocabulary) for _ in range(4000)]
    from arbitree import registry
    from arbitree.formats.base import load

    reader = registry.get("formats", "conllu")
    entries = (entry for path in files for entry in reader.read(load(str(path))))
    return "pcedt-sized", [entry.value.flatten(vocabulary) for entry in entries]


def made_tree(rng, vocabulary):
    """Return a projective dependency tree under an artificial root, 18 nodes on average."""
    length = 1 + min(80, int(rng.gammavariate(2.2, 7.6)))
    children = [[] for _ in range(length + 1)]
    spans = [(0, 1, length + 1)]  # the tokens of a span are one subtree, hung under a node
    while spans:
        parent, start, end = spans.pop()
        head = rng.randrange(start, end)
        children[parent].append(head)
        for here, side_end in ((start, head), (head + 1, end)):
            cuts = [here]
            while cuts[-1] < side_end:
                cuts.append(min(side_end, cuts[-1] + 1 + int(rng.expovariate(0.4))))
            spans.extend((head, *cut) for cut in pairwise(cuts))
    ordered = [sorted(below) for below in children]
    labels = ["", *(f"relation{int(rng.paretovariate(1)) % 40}" for _ in range(length))]
    return flatten(ordered, labels, 0, vocabulary, size=length + 1, leaves=length)


def compare(trees, pairs):
    """Return the least CPU time per pair of each program, after checking that all agree."""
    first, second = (np.array(column, dtype=np.int32) for column in zip(*pairs, strict=True))
    known = {
        "zss": [(zss_tree(trees[x]), zss_tree(trees[y])) for x, y in pairs],
        "apted": [(apted_tree(trees[x]), apted_tree(trees[y])) for x, y in pairs],
    }
    twin = plain.Corpus(*packed(trees))
    programs = {
        "zss": (1, lambda: [zss.simple_distance(a, b, label_dist=unequal) for a, b in known["zss"]]),
        "apted": (1, lambda: [APTED(a, b).compute_edit_distance() for a, b in known["apted"]]),
        "plain twin": (1, lambda: twin.distances(first, second).tolist()),
    }
    if kernels.COMPILED:
        corpus = kernels.pack(trees)
        others = np.random.default_rng(0).integers(0, len(trees), (2, MORE_PAIRS), dtype=np.int32)
        many = np.concatenate([first, others[0]]), np.concatenate([second, others[1]])
        scale = corpus.cells(*many).sum() / corpus.cells(first, second).sum()
        programs["compiled kernel"] = (scale, lambda: corpus.distances(*many))
    times = dict.fromkeys(programs, np.inf)
    results = {}
    for _ in range(ROUNDS):
        for name, (scale, run) in programs.items():
            start = time.process_time()
            found = run()
            times[name] = min(times[name], (time.process_time() - start) / scale / PAIRS)
            results[name] = list(found[:PAIRS])
    assert all(found == results["zss"] for found in results.values())
    return times


def show(times):
    print(f"{'program':<16} {'µs a pair':>12} {'pairs a second':>15} {'times zss':>10}")
    for name, seconds in times.items():
        ratio = times["zss"] / seconds
        print(f"{name:<16} {seconds * 1e6:>12,.1f} {1 / seconds:>15,.0f} {ratio:>10,.1f}")


def speedup(trees):
    """Return the wall time of one thread over that of two, for the same blocks of sums."""
    batch = trees[:: max(1, len(trees) // BATCH)][:BATCH]
    corpus = kernels.pack(batch)
    groups = np.arange(len(batch) + 1)
    counts, sizes = np.ones(len(batch)), np.array([float(tree.size) for tree in batch])
    ranges = [(start, min(start + BLOCK, len(batch))) for start in range(0, len(batch), BLOCK)]
    blocks = [(rows, columns) for rows in ranges for columns in ranges if columns >= rows]
    times = {1: np.inf, 2: np.inf}
    for _ in range(ROUNDS):
        for threads in (1, 2):
            start = time.perf_counter()
            with ThreadPoolExecutor(threads) as pool:
                for _ in pool.map(lambda block: corpus.sums(groups, counts, sizes, *block), blocks):
                    pass
            times[threads] = min(times[threads], time.perf_counter() - start)
    return times[1] / times[2]


def packed(trees):
    offsets = np.cumsum([0, *map(len, trees)], dtype=np.int64)
    labels = np.concatenate([tree.labels for tree in trees])
    return offsets, labels, np.concatenate([tree.leftmost for tree in trees])


def unequal(a, b):
    # zss compares labels as strings where the package editdistance is installed, unless it is given this.
    return int(a != b)


def zss_tree(tree):
    return _linked(tree, [zss.Node(str(label)) for label in tree.labels], zss.Node.addkid)


def apted_tree(tree):
    nodes = [AptedTree(str(label)) for label in tree.labels]
    return _linked(tree, nodes, lambda parent, node: parent.children.append(node))


def _linked(tree, nodes, link):
    for node, parent in zip(nodes, tree.parents, strict=True):
        if parent >= 0:
            link(nodes[parent], node)
    return nodes[-1]


if __name__ == "__main__":
    main()

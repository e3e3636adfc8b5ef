"""Tree edit distance side by side: zss, apted, edist, the plain twin and the compiled kernel.

    python benchmarks/ted.py

All programs get the same pairs of trees in one process, in turn, for several rounds; the least CPU time
of each is shown. Trees are made by a seeded generator or, where ARBITREE_DATA is set, read from its
pcedt-sized/*.conllu. The compiled kernel is too quick to time on so few pairs, and would learn them by
heart if they were repeated: it gets more random pairs, and its time is scaled by the cells to fill. In the
rows with lanes it gets the whole job, the sums over all pairs of all trees, and its time is scaled alike.
"""

import os
import random
import resource
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import numpy as np
import zss
from apted import APTED
from apted.helpers import Tree as AptedTree
from edist import ted as edist

from arbitree import kernels
from arbitree.kernels import plain
from arbitree.study.flat_tree import Vocabulary, flatten

PAIRS = 200
ROUNDS = 3
MORE_PAIRS = 100_000
PANEL = 64  # groups of trees in one panel of the whole job


def main():
    rng = random.Random(0)
    origin, groups = sample_groups(rng)
    trees = [tree for group in groups for tree in group]
    pairs = [tuple(rng.sample(range(len(trees)), 2)) for _ in range(PAIRS)]
    sizes = [len(tree) for tree in trees]
    print(f"{origin}: {len(trees)} trees, {np.mean(sizes):.1f} nodes on average, {max(sizes)} at most")
    print(f"{PAIRS} random pairs, {ROUNDS} rounds, least CPU time\n")
    show(compare(groups, pairs))
    print(
        f"\npeak memory of this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB"
    )
    if kernels.COMPILED:
        print(f"the processor has {kernels.lanes()} lanes")
        print(f"two threads on the whole job: {speedup(groups):.2f} times as fast as one")


def sample_groups(rng):
    """Return where the trees come from, and the trees of every sentence, the smallest first."""
    folder = Path(os.environ.get("ARBITREE_DATA", "")) / "pcedt-sized"
    files = sorted(folder.glob("*.conllu")) if "ARBITREE_DATA" in os.environ else []
    vocabulary = Vocabulary()
    if not files:
        made = [[made_tree(rng, vocabulary)] for _ in range(4000)]
        return "made trees", sorted(made, key=lambda group: len(group[0]))
    from arbitree import plugins
    from arbitree.reading.content import load

    reader = plugins.get("formats", "conllu")
    sentences = {}
    for path in files:
        for entry in reader.read(load(str(path))):
            sentences.setdefault(entry.id, []).append(entry.value.flatten(vocabulary))
    return "pcedt-sized", sorted(sentences.values(), key=lambda group: len(group[0]))


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


def compare(groups, pairs):
    """Return the least CPU time per pair of each program, after checking that all agree."""
    trees = [tree for group in groups for tree in group]
    first, second = (np.array(column, dtype=np.int32) for column in zip(*pairs, strict=True))
    known = {
        "zss": [(zss_tree(trees[x]), zss_tree(trees[y])) for x, y in pairs],
        "apted": [(apted_tree(trees[x]), apted_tree(trees[y])) for x, y in pairs],
        "edist": [(*edist_tree(trees[x]), *edist_tree(trees[y])) for x, y in pairs],
    }
    twin = plain.Corpus(*packed(trees))
    programs = {
        "zss": (1, lambda: [zss.simple_distance(a, b, label_dist=unequal) for a, b in known["zss"]]),
        "apted": (1, lambda: [APTED(a, b).compute_edit_distance() for a, b in known["apted"]]),
        "edist": (1, lambda: [edist.standard_ted(*both) for both in known["edist"]]),
        "plain twin": (1, lambda: twin.distances(first, second).tolist()),
    }
    if kernels.COMPILED:
        corpus = kernels.pack(trees)
        others = np.random.default_rng(0).integers(0, len(trees), (2, MORE_PAIRS), dtype=np.int32)
        many = np.concatenate([first, others[0]]), np.concatenate([second, others[1]])
        scale = corpus.cells(*many).sum() / corpus.cells(first, second).sum()
        programs["compiled kernel"] = (scale, lambda: corpus.distances(*many))
        share = len(trees) * (len(trees) - 1) / 2 / len(many[0])  # all pairs, in numbers of the many
        for kind in lane_kinds():
            programs[f"lanes: {kind}"] = (scale * share, lambda kind=kind: whole_job(groups, kind))
    times = dict.fromkeys(programs, np.inf)
    results = {}
    for _ in range(ROUNDS):
        for name, (scale, run) in programs.items():
            start = time.process_time()
            found = run()
            times[name] = min(times[name], (time.process_time() - start) / scale / PAIRS)
            results[name] = list(found[:PAIRS])
    totals = [results.pop(name) for name in programs if name.startswith("lanes")]
    assert all(found == results["zss"] for found in results.values())
    assert all(total == totals[0] for total in totals)
    return times


def lane_kinds():
    """Return the kinds of lanes that this processor has, but not the one that compares pair by pair."""
    kinds = []
    for kind in ("avx512", "avx2", "scalar"):
        with suppress(ValueError):
            kernels._kernel._set_lanes(kind)
            kinds.append(kind)
    kernels._kernel._set_lanes("")
    return kinds


def whole_job(groups, kind, run=map):
    """Return the sums over all pairs of trees for the three deltas, after packing the corpus anew."""
    kernels._kernel._set_lanes(kind)
    corpus = kernels.pack([tree for group in groups for tree in group])
    bounds = np.cumsum([0, *map(len, groups)])
    counts, sizes = np.ones(bounds[-1]), np.array([float(tree.size) for group in groups for tree in group])
    panels = [
        ((row, min(row + PANEL, len(groups))), (row, len(groups))) for row in range(0, len(groups), PANEL)
    ]
    parts = run(lambda panel: corpus.sums(bounds, counts, sizes, *panel).sum(axis=(1, 2)), panels)
    total = sum(parts, np.zeros(3))
    kernels._kernel._set_lanes("")
    return total.tolist()


def show(times):
    peers = ["zss", "edist", *(name for name in ["compiled kernel"] if name in times)]
    heads = "".join(f" {'times ' + name:>21}" for name in peers)
    print(f"{'program':<16} {'µs a pair':>12} {'pairs a second':>15}{heads}")
    for name, seconds in times.items():
        ratios = "".join(f" {times[peer] / seconds:>21,.2f}" for peer in peers)
        print(f"{name:<16} {seconds * 1e6:>12,.3f} {1 / seconds:>15,.0f}{ratios}")


def speedup(groups):
    """Return the wall time of one thread over that of two, for the same panels of sums."""
    times = {1: np.inf, 2: np.inf}
    for _ in range(ROUNDS):
        for threads in (1, 2):
            start = time.perf_counter()
            with ThreadPoolExecutor(threads) as pool:
                whole_job(groups, "", pool.map)
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


def edist_tree(tree):
    """Return the labels and the children of every node, in preorder."""
    children = [[] for _ in tree.labels]
    for node, parent in enumerate(tree.parents):
        if parent >= 0:
            children[parent].append(node)
    order, stack = [], [len(tree) - 1]
    while stack:
        order.append(stack.pop())
        stack.extend(reversed(children[order[-1]]))
    place = {node: number for number, node in enumerate(order)}
    return [str(tree.labels[node]) for node in order], [[place[c] for c in children[node]] for node in order]


def _linked(tree, nodes, link):
    for node, parent in zip(nodes, tree.parents, strict=True):
        if parent >= 0:
            link(nodes[parent], node)
    return nodes[-1]


if __name__ == "__main__":
    main()

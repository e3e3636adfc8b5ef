"""Tree edit distance, compared with zss, apted and edist: all pairs and single pairs.

All packages compare the same pairs of trees, and must find the same distances. The C++ kernel is too fast for
so few pairs, so it compares more of them, or all, and its time is scaled by the number of table cells.
"""

import random
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import numpy as np
from apted import APTED
from edist import ted as edist

from arbitree import kernels, plugins
from arbitree.kernels import plain
from arbitree.reading.content import load
from arbitree.study.flat_tree import Vocabulary
from benchmarks.corpora import apted_tree, edist_tree, made_tree, zss_distance, zss_tree
from benchmarks.costs import call, data
from benchmarks.rows import Row

MORE_PAIRS = 100_000
PANEL = 64  # groups of trees in one panel of the whole job
VECTORS = {"avx512": "AVX-512", "avx2": "AVX2", "scalar": "scalar vectors"}


def measure(quick):
    """Yield the rows."""
    groups = made_groups(1000 if quick else 4000) if quick or not data("pcedt-sized") else real_groups()
    yield from pairs_of(groups, 50 if quick else 100)
    sizes = [len(tree) for group in groups for tree in group]
    yield f"{len(sizes):,} trees, {np.mean(sizes):.1f} nodes on average, {max(sizes)} at most."


def made_groups(count):
    """Return generated trees, each in a group of its own, the smallest first."""
    rng, vocabulary = random.Random(0), Vocabulary()
    return sorted(([made_tree(rng, vocabulary)] for _ in range(count)), key=lambda group: len(group[0]))


def real_groups():
    """Return the trees of every sentence in ARBITREE_DATA, the smallest first."""
    reader, vocabulary, sentences = plugins.get("formats", "conllu"), Vocabulary(), {}
    for path in sorted(data("pcedt-sized").glob("*.conllu")):
        for entry in reader.read(load(str(path))):
            sentences.setdefault(entry.id, []).append(entry.value.flatten(vocabulary))
    return sorted(sentences.values(), key=lambda group: len(group[0]))


def pairs_of(groups, count):
    """Yield the time per pair of our programs and of the peers."""
    rng = random.Random(0)
    trees = [tree for group in groups for tree in group]
    pairs = [tuple(rng.sample(range(len(trees)), 2)) for _ in range(count)]
    first, second = (np.array(column, dtype=np.int32) for column in zip(*pairs, strict=True))
    peers, found = peer_works([(trees[x], trees[y]) for x, y in pairs])
    jobs = {name: call(work, times=1 / count) for name, work in peers.items()}
    fallback = plain.Corpus(*packed(trees))
    assert all(each == fallback.distances(first, second).tolist() for each in found)
    yield Row(
        "one pair, Python fallback", call(lambda: fallback.distances(first, second), times=1 / count), jobs, 2
    )
    del jobs["apted"]
    if not kernels.COMPILED:
        return
    corpus = kernels.pack(trees)
    others = np.random.default_rng(0).integers(0, len(trees), (2, MORE_PAIRS), dtype=np.int32)
    many = np.concatenate([first, others[0]]), np.concatenate([second, others[1]])
    assert corpus.distances(first, second).tolist() == found[0]
    scale = corpus.cells(*many).sum() / corpus.cells(first, second).sum() * count
    yield Row(
        "one pair, C++ kernel, pair by pair", call(lambda: corpus.distances(*many), times=1 / scale), jobs, 2
    )
    share = len(trees) * (len(trees) - 1) / 2 / len(many[0])  # all pairs, divided by the number of the many
    totals = {}
    for kind in vectors():
        ours = call(lambda kind=kind: totals.update({kind: whole_job(groups, kind)}), times=1 / scale / share)
        yield Row(f"one pair of all, {VECTORS[kind]}", ours, jobs, 2 if len(groups) <= 1000 else 1)
    assert all(total == next(iter(totals.values())) for total in totals.values())
    one, two = (call(lambda threads=threads: on_threads(groups, threads)) for threads in (1, 2))
    yield Row("all pairs, 2 threads", two, {"1 thread": one}, clock="wall")


def peer_works(pairs, names=("zss", "apted", "edist")):
    """Return the work of some peers on pairs of trees, and the distances that each finds."""
    forms = {"zss": zss_tree, "apted": apted_tree, "edist": edist_tree}
    compare = {
        "zss": zss_distance,
        "apted": lambda one, two: APTED(one, two).compute_edit_distance(),
        "edist": lambda one, two: edist.standard_ted(*one, *two),
    }
    works = {}
    for name in names:
        made = [(forms[name](first), forms[name](second)) for first, second in pairs]
        works[name] = lambda name=name, made=made: [int(compare[name](*pair)) for pair in made]
    return works, [work() for work in works.values()]


def packed(trees):
    """Return the trees as the Python fallback stores them."""
    offsets = np.cumsum([0, *map(len, trees)], dtype=np.int64)
    labels = np.concatenate([tree.labels for tree in trees])
    return offsets, labels, np.concatenate([tree.leftmost for tree in trees])


def vectors():
    """Return the types of vectors that this processor has."""
    found = []
    for kind in VECTORS:
        with suppress(ValueError):
            kernels._kernel._set_lanes(kind)
            found.append(kind)
    kernels._kernel._set_lanes("")
    return found


def whole_job(groups, kind="", run=map):
    """Return the sums over all pairs of trees for the three distances, with this type of vector."""
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


def on_threads(groups, threads):
    """Compute the whole job on threads."""
    with ThreadPoolExecutor(threads) as pool:
        whole_job(groups, run=pool.map)

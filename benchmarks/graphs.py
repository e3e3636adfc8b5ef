"""Graphs: exact Smatch beside the package smatch, wl per pair, and whole commands on growing corpora.

    python benchmarks/graphs.py [--sentences 2000]

All graphs are made: trees of 20 nodes with reentrancies and attributes, and copies with simulated errors. The
package smatch is optional (pip install smatch); without it, its column is empty. Both align the same pairs in
the same process, one after the other.
"""

import argparse
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from arbitree.formats.penman_notation import arranged, penman_text
from arbitree.kinds.graphs.alignment import problem_of, solve
from arbitree.kinds.graphs.neighbourhoods import bag_distance, bag_of
from arbitree.kinds.graphs.noise import NOISES
from arbitree.kinds.graphs.value import Edge, Graph, Node
from arbitree.simulation.noise import NoiseOptions

ROLES = ["ARG0", "ARG1", "ARG2", "mod", "time", "location", "op1", "op2", "manner"]
LABELS = [f"c{k}" for k in range(3000)]
WEIGHTS = [1 / (k + 10) for k in range(3000)]


def made(rng, size):
    """Return a graph of this size; labels are as frequent as words are."""
    names = [f"x{k}" for k in range(size)]
    labels = rng.choices(LABELS, WEIGHTS, k=size)
    nodes = tuple(map(Node, names, labels))
    edges = [Edge(names[rng.randrange(k)], rng.choice(ROLES), names[k]) for k in range(1, size)]
    edges += [
        Edge(rng.choice(names), rng.choice(ROLES[:3]), rng.choice(names)) for _ in range(max(1, size // 8))
    ]
    edges += [Edge(rng.choice(names), "polarity", "-", constant=True)]
    edges += [
        Edge(rng.choice(names), "quant", str(rng.randrange(9)), constant=True) for _ in range(size // 6)
    ]
    return Graph(nodes, tuple(dict.fromkeys(edges)), (names[0],))


def annotated(rng, sentences, size=None, level=0.07):
    """Return pairs of graphs: one, and a copy with errors that keep it connected."""
    graphs = [made(rng, size or max(3, round(rng.gauss(14, 6)))) for _ in range(sentences)]
    errors = [NOISES[name].make(graphs, NoiseOptions()) for name in ("graph_labels", "graph_roles")]
    pairs = []
    for graph in graphs:
        other = graph
        for each in errors:
            other = each(other, level, rng)
        pairs.append((graph, other))
    return pairs


def text_of(graph):
    return penman_text(arranged(graph))


def align_peers(pairs):
    """Return the milliseconds and matches of the package smatch for every pair; None without it."""
    try:
        import smatch
        from amr import AMR
    except ImportError:
        return None
    found = []
    for one, two in pairs:
        triples = []
        for prefix, graph in (("a", one), ("b", two)):
            parsed = AMR.parse_AMR_line(text_of(graph).replace("\n", " "))
            parsed.rename_node(prefix)
            triples += parsed.get_triples()
        begin = time.perf_counter()
        _, match = smatch.get_best_match(*triples, "a", "b")
        found.append((1000 * (time.perf_counter() - begin), match))
        smatch.match_triple_dict.clear()
    return found


def align(pairs):
    found = []
    for one, two in pairs:
        begin = time.perf_counter()
        aligned = solve(problem_of(one.triples, two.triples))
        found.append((1000 * (time.perf_counter() - begin), aligned.gain))
    return found


def row(name, times):
    ordered = sorted(times)
    return (
        f"{name:28}{statistics.median(times):10.2f}{ordered[int(0.95 * len(times))]:10.2f}{ordered[-1]:10.2f}"
    )


def two_annotators(rng):
    pairs = annotated(rng, 60, size=20)
    align(pairs[:2])  # imports
    ours, theirs = align(pairs), align_peers(pairs)
    print("two annotations of one sentence, 20 nodes, ms:  median       95%       max")
    print(row("arbitree, exact", [each for each, _ in ours]))
    if theirs:
        print(row("smatch, hill climbing", [each for each, _ in theirs]))
        ratio = statistics.median(t for t, _ in theirs) / statistics.median(t for t, _ in ours)
        lower = sum(theirs[k][1] < ours[k][1] for k in range(len(ours)))
        print(
            f"ratio of medians {ratio:.1f}; hill climbing finds fewer matches in {lower} of {len(ours)} pairs"
        )
    others = [(pairs[k][0], pairs[-k - 1][1]) for k in range(len(pairs) // 2)]
    print(row("exact, different sentences", [each for each, _ in align(others)]))
    bags = [bag_of(graph.triples) for pair in pairs for graph in pair]
    begin = time.perf_counter()
    for first in bags:
        for second in bags:
            bag_distance(first, second)
    print(f"wl: {1e6 * (time.perf_counter() - begin) / len(bags) ** 2:.1f} microseconds per pair")


def command(folder, *arguments):
    begin = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "arbitree", *arguments], cwd=folder, capture_output=True, text=True, check=True
    )
    value = [line.split()[1] for line in done.stdout.splitlines() if line.startswith(("smatch", "alpha"))]
    return time.perf_counter() - begin, value[0]


def whole_commands(rng, most):
    sizes = [most // 4, most // 2, most]
    print(f"\nseconds of whole commands{'':20}" + "".join(f"{size:>12,}" for size in sizes))
    rows = {"smatch": [], "alpha_graph:distance=wl": []}
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            pairs = annotated(rng, size)
            for place, name in enumerate(("ann.amr", "bob.amr")):
                text = "\n".join(f"# ::id s{k}\n{text_of(pair[place])}\n" for k, pair in enumerate(pairs))
                Path(folder, name).write_text(text)
            for measure, found in rows.items():
                found.append(command(folder, "agree", "ann.amr", "bob.amr", "-m", measure, "-q"))
    for measure, found in rows.items():
        print(f"{measure:45}" + "".join(f"{seconds:>12.1f}" for seconds, _ in found), found[-1][1])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sentences", type=int, default=2000)
    chosen = parser.parse_args()
    random_source = random.Random(1)
    random.seed(1)  # of the package smatch
    two_annotators(random_source)
    whole_commands(random_source, chosen.sentences)

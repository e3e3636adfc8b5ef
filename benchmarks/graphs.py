"""Graphs: exact Smatch, compared with the hill climbing of smatch, and growth of commands on graphs.

Graphs are generated: trees of 20 nodes with reentrancies and attributes, and copies with simulated errors.
Both packages align the same pairs.
"""

import random
import tempfile
from importlib.util import find_spec
from pathlib import Path

from arbitree.formats.penman_notation import arranged, penman_text
from arbitree.kinds.graphs.alignment import problem_of, solve
from arbitree.kinds.graphs.neighbourhoods import bag_distance, bag_of
from arbitree.kinds.graphs.noise import NOISES
from arbitree.kinds.graphs.value import Edge, Graph, Node
from arbitree.simulation.noise import NoiseOptions
from benchmarks.costs import arbitree, call
from benchmarks.rows import Growth, Row

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
    """Return a graph in PENMAN notation."""
    return penman_text(arranged(graph))


def measure(quick):
    """Yield the rows."""
    rng = random.Random(1)
    random.seed(1)  # of the package smatch
    pairs = annotated(rng, 20 if quick else 60, size=20)
    yield from alignments(pairs)
    bags = [bag_of(graph.triples) for pair in pairs for graph in pair]
    wl = call(lambda: [bag_distance(one, two) for one in bags for two in bags], times=1 / len(bags) ** 2)
    exact = call(lambda: align(pairs), times=1 / len(pairs))
    yield Row("distance `wl` of one pair", wl, {"exact Smatch": exact})
    if not quick:
        yield from growth(rng)


def alignments(pairs):
    """Yield the time of one alignment, and how often hill climbing finds fewer matches."""
    works = {"ours": lambda: align(pairs)}
    if smatch_installed():
        forms = [smatch_triples(*pair) for pair in pairs]
        works["smatch"] = lambda: hill_climbing(forms)
    found = {name: work() for name, work in works.items()}
    jobs = {name: call(work, times=1 / len(pairs)) for name, work in works.items()}
    yield Row("Smatch of one pair, 20 nodes", jobs.pop("ours"), jobs)
    if "smatch" in found:
        fewer = sum(theirs < ours for ours, theirs in zip(found["ours"], found["smatch"], strict=True))
        yield f"Hill climbing finds fewer matches in {fewer} of {len(pairs)} pairs."


def align(pairs):
    """Return the number of matches of each pair."""
    return [solve(problem_of(one.triples, two.triples)).gain for one, two in pairs]


def smatch_installed():
    """Return whether the package smatch can be imported."""
    return all(find_spec(name) for name in ("smatch", "amr"))


def smatch_triples(one, two):
    """Return the triples of two graphs in the form of smatch."""
    from amr import AMR

    triples = []
    for prefix, graph in (("a", one), ("b", two)):
        parsed = AMR.parse_AMR_line(text_of(graph).replace("\n", " "))
        parsed.rename_node(prefix)
        triples += parsed.get_triples()
    return triples


def hill_climbing(forms):
    """Return the number of matches of each pair that smatch finds."""
    import smatch

    found = []
    for triples in forms:
        found.append(smatch.get_best_match(*triples, "a", "b")[1])
        smatch.match_triple_dict.clear()
    return found


def growth(rng):
    """Yield growth of whole commands with the number of sentences."""
    with tempfile.TemporaryDirectory() as name:
        jobs = {"smatch": {}, "alpha_graph:distance=wl": {}}
        for size in (500, 1000, 2000):
            pairs = annotated(rng, size)
            paths = [Path(name, f"{coder}{size}.amr") for coder in ("ann", "bob")]
            for place, path in enumerate(paths):
                text = "\n".join(f"# ::id s{k}\n{text_of(pair[place])}\n" for k, pair in enumerate(pairs))
                path.write_text(text)
            for measure, found in jobs.items():
                found[size] = arbitree("agree", *paths, "--measure", measure)
        for measure, found in jobs.items():
            yield Growth(f"`agree` on graphs, `{measure}`", "sentences", found)

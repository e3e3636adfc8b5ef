"""A small study of every kind of annotation, and all measures that fit it."""

import random
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from arbitree import kinds, plugins
from arbitree.kinds.dependency.value import DepTree
from arbitree.kinds.graphs.value import Edge, Graph, Node, Semantics
from arbitree.kinds.labels.value import Label, Tags
from arbitree.kinds.phrase.value import PhraseTree
from arbitree.kinds.treebanking.value import Decisions
from tests.support.build import phrase, random_dep, study_of
from tests.support.profiles import decisions

PHRASES = ["(S (NP P) (VP V (NP D N)))", "(S (NP P) (VP V D N))", "(S NP VP)", "(X (Y Z))", "(S (NP D N) V)"]


def dressed(tree):
    """The tree with parts of speech and enhanced arcs, for the metrics that look at them."""
    tags = ("VERB", "NOUN", "DET")
    columns = {
        "upos": tuple(tags[place % 3] for place in range(len(tree))),
        "feats": tuple("Case=Nom" if place % 2 else "_" for place in range(len(tree))),
        "deps": tuple(f"{head}:{label}" for head, label in zip(tree.heads, tree.relations, strict=True)),
    }
    return replace(tree, columns=columns)


SUPPORT = Path(__file__).parent
READY = {  # measures that want a file first
    "alpha_table": f"alpha_table:distance={SUPPORT / 'tags.tsv'}",
    "hierarchical_kappa": f"hierarchical_kappa:hierarchy={SUPPORT / 'tags.txt'}",
    "hierarchical_score": f"hierarchical_score:hierarchy={SUPPORT / 'tags.txt'}",
}


def graph(rng, size):
    """A meaning representation: predications of one character each, the first on top, with arguments."""
    spans = [(place, place + 1) for place in range(size)]
    args = tuple((one, rng.choice(("ARG1", "ARG2")), two) for one, two in pairwise(spans))
    names = tuple((span, rng.choice(("_rain_v_1", "_sky_n_1")), "") for span in spans)
    return Semantics(names=names, args=args, top=((spans[0], "top", ""),))


def amr(rng, size):
    """A graph in which each node but the first is below an earlier one, with a negation."""
    names = [f"x{place}" for place in range(size)]
    edges = [
        Edge(names[rng.randrange(place)], rng.choice(("ARG0", "ARG1", "mod")), names[place])
        for place in range(1, size)
    ]
    edges += [Edge(names[rng.randrange(size)], "polarity", "-", constant=True)]
    nodes = tuple(Node(name, rng.choice(("rain-01", "sky", "snow"))) for name in names)
    return Graph(nodes, tuple(edges), (names[0],))


MAKERS = {
    DepTree: lambda rng, size: dressed(random_dep(rng, size)),
    PhraseTree: lambda rng, size: phrase(rng.choice(PHRASES)),
    Label: lambda rng, size: Label(str(rng.choice([1, 1, 2, 3]))),
    Tags: lambda rng, size: Tags.of(rng.sample("abc", rng.randint(1, 2))),
    Semantics: graph,
    Graph: amr,
    Decisions: lambda rng, size: decisions(*((rng.choice((1, 2, 4)), f"k{n} ARG1 x") for n in range(size))),
}


def a_study(kind, same=False):
    """Return a study of nine items by three annotators, who agree everywhere if *same*."""
    rng = random.Random(3)
    rows = {}
    for number in range(9):
        size = rng.randint(2, 7)
        first = MAKERS[kind](rng, size)
        rows[f"d{number % 2}/{number}"] = {
            coder: first if same else MAKERS[kind](rng, size)
            for coder in "xyz"
            if same or rng.random() < 0.85
        }
    return study_of(rows, tuple("xyz"))


MEASURES = {
    (name, kind): measure
    for kind in MAKERS
    for name, measure in plugins.plugins("measures", kinds.of_type(kind).name).items()
    if measure.fits_any([kind])
}
CASES = [pytest.param(*case, id=f"{case[0]}-{case[1].__name__}") for case in MEASURES]
METRICS = [
    pytest.param(*case, id=f"{case[0]}-{case[1].__name__}")
    for case, measure in MEASURES.items()
    if measure.scores_systems
]

"""Simulated errors in graphs: what each does, and how the measures respond to it."""

from random import Random
from statistics import fmean

import pytest

from arbitree.api.evaluate import evaluate
from arbitree.kinds.graphs.noise import CHANGES, NOISES, labels_of, relabel, roles_of
from arbitree.kinds.graphs.value import Semantics
from arbitree.simulation.noise import NoiseOptions
from tests.support.build import study_of
from tests.support.measured_studies import amr, graph

RNG = Random(4)
CORPUS = [amr(RNG, RNG.randint(3, 7)) for _ in range(8)]
SINGLE = [name for name in NOISES if name.startswith("graph_")]


def noisy(name, level, seed=1, corpus=CORPUS):
    make = NOISES[name].make(corpus, NoiseOptions())
    rng = Random(seed)
    return [make(value, level, rng) for value in corpus]


def alpha(name, level, seeds, measure="alpha_graph:distance=wl"):
    """The mean alpha of two simulated annotators."""
    values = []
    for seed in seeds:
        pairs = zip(noisy(name, level, seed), noisy(name, level, seed + 100), strict=True)
        study = study_of({str(place): {"x": x, "y": y} for place, (x, y) in enumerate(pairs)})
        values.append(evaluate(study, measure, resamples=0).value)
    return fmean(values)


def test_there_is_an_experiment_for_every_change():
    assert len(SINGLE) == len(CHANGES)


@pytest.mark.parametrize("name", [name for name in NOISES if name != "habit"])
def test_no_noise_changes_nothing_and_noise_is_the_same_for_the_same_seed(name):
    assert [each.triples for each in noisy(name, 0)] == [each.triples for each in CORPUS]
    assert noisy(name, 0.5) == noisy(name, 0.5)
    assert noisy(name, 0.9) != noisy(name, 0)


@pytest.mark.parametrize("name", ["graph", *SINGLE])
def test_errors_keep_the_top_and_never_repeat_a_triple(name):
    for before, after in zip(CORPUS, noisy(name, 0.8), strict=True):
        assert after.tops == before.tops
        assert after.triples.repeated == 0


def test_each_change_changes_what_its_name_says():
    for before, labels, roles, move, drop in zip(
        CORPUS, *(noisy(f"graph_{name}", 1) for name in ("labels", "roles", "move", "drop")), strict=True
    ):
        assert all(a.label != b.label for a, b in zip(before.nodes, labels.nodes, strict=True))
        assert set(before.relations) == set(labels.relations)
        assert [node.label for node in roles.nodes] == [node.label for node in before.nodes]
        ends = [(a, b) for a, _, b in before.relations]
        assert sorted((a, b) for a, _, b in roles.relations) == sorted(ends)
        assert sorted(role for _, role, _ in move.relations) == sorted(
            role for _, role, _ in before.relations
        )
        assert list(drop.relations) == []
    assert all(len(after) == 1 for after in noisy("graph_drop_nodes", 1))
    assert all(len(a) == 2 * len(b) for a, b in zip(noisy("graph_add_nodes", 1), CORPUS, strict=True))


def test_alpha_falls_with_noise_and_approaches_0():
    """As in the specification: 1 without noise, lower on average with more, near 0 with much of all kinds."""
    curve = [alpha("graph", level, range(6)) for level in (0, 0.1, 0.4, 0.9)]
    assert curve[0] == 1
    assert curve == sorted(curve, reverse=True)
    assert abs(curve[-1]) < 0.15


@pytest.mark.parametrize("name", ["graph_labels", "graph_drop"])
def test_alpha_falls_with_one_kind_of_noise(name):
    """Dropping only to a level of 0.5: two annotators who leave out everything agree."""
    curve = [alpha(name, level, range(6)) for level in (0, 0.2, 0.5)]
    assert curve == sorted(curve, reverse=True)


def test_meaning_representations_keep_their_type():
    values = [graph(Random(3), 5)]
    (after,) = noisy("graph_labels", 1, corpus=values)
    assert isinstance(after, Semantics)
    assert [name for _, name, _ in after.names] == [node.label for node in after.graph.nodes]
    assert after.args == values[0].args
    (renamed,) = [relabel(value, str.upper) for value in values]
    assert renamed.names[0][1] == values[0].names[0][1].upper()


def test_labels_and_roles_are_drawn_by_frequency():
    assert len(labels_of(CORPUS)) == sum(map(len, CORPUS))
    assert set(roles_of(CORPUS)) == {"ARG0", "ARG1", "domain"}

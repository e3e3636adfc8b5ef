"""Sites of a tree, the alignment of chains, and trees made of the decisions of several annotators."""

import random

import pytest

from arbitree.kinds.phrase.constructions.differences import Comparison
from arbitree.kinds.phrase.constructions.normalisation import Normaliser
from arbitree.kinds.phrase.constructions.options import PhraseOptions
from arbitree.kinds.phrase.constructions.sites import columns, partners, sites_of, tree_of
from tests.support.constructions.build import found
from tests.support.constructions.random_trees import random_versions

ROUNDS = 150


def chain(text):
    """Labels such as "S NP-SBJ", topmost first."""
    return tuple((label.split("-")[0], frozenset(label.split("-")[1:])) for label in text.split())


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("NP-SBJ", "NP", [(0, 0)]),  # other tags: cost 1
        ("NP", "VP", [(0, 0)]),  # other category: 3, less than two nodes without a partner: 4
        ("S NP", "NP-SBJ", [(1, 0)]),
        ("S VP", "VP", [(1, 0)]),
        ("NP", "ADJP PP", [(0, 1)]),  # cost 5 both ways: the partner nearest the words
        ("S VP", "VP S", [(0, 1)]),  # cost 4 both ways, equally near: S before VP in the alphabet
        ("", "NP", []),
        ("S NP PP", "S ADJP PP", [(0, 0), (1, 1), (2, 2)]),
    ],
)
def test_partners_have_the_least_cost(first, second, expected):
    """Costs worked by hand: 0 equal, 1 other tags, 3 other category, 2 without a partner."""
    assert list(partners(chain(first), chain(second))) == expected
    assert list(partners(chain(second), chain(first))) == [(j, i) for i, j in expected]


def test_three_chains_stand_side_by_side():
    rows = columns([chain("S NP"), chain("NP-SBJ"), chain("")])
    assert rows == [(*chain("S"), None, None), (*chain("NP"), *chain("NP-SBJ"), None)]
    assert columns([chain(""), chain("S NP"), chain("NP-SBJ")])[1] == (None, *chain("NP"), *chain("NP-SBJ"))


def normal(value, **settings):
    return Normaliser(PhraseOptions(**settings)).normal(value)


@pytest.mark.parametrize("unary", ["collapse", "keep"])
@pytest.mark.parametrize(("gaps", "traces"), [(False, False), (True, False), (False, True)])
def test_a_tree_is_rebuilt_from_its_sites(gaps, traces, unary):
    rng = random.Random(3)
    for _ in range(ROUNDS):
        (value, _) = random_versions(rng, gaps=gaps, traces=traces)
        tree = normal(value, empties="keep", unary=unary)
        assert tree_of(tree.words, sites_of(tree)).brackets() == tree.brackets()


@pytest.mark.parametrize(("gaps", "traces"), [(False, False), (True, False), (False, True)])
def test_decisions_can_be_exchanged_one_by_one(gaps, traces):
    """All decisions make the other tree; any others leave exactly the differences of the rest."""
    rng = random.Random(4)
    for _ in range(ROUNDS):
        trees = [normal(value, empties="keep") for value in random_versions(rng, gaps=gaps, traces=traces)]
        sites = [sites_of(tree) for tree in trees]
        comparison = Comparison(trees, sites, gold=True)
        decisions = comparison.decisions()
        comparison.settle(decisions)
        owned = [site for decision in decisions for site in decision.sites]
        assert sorted(owned) == sorted(comparison.differences)
        assert bool(owned) == (trees[0].brackets() != trees[1].brackets())
        words = trees[0].words
        assert tree_of(words, comparison.base).brackets() == trees[0].brackets()
        whole = comparison.mixed(dict.fromkeys(owned, 1))
        assert tree_of(words, whole).brackets() == trees[1].brackets()
        left = [decision for decision in decisions if rng.random() < 0.5]
        moved = [site for decision in decisions if decision not in left for site in decision.sites]
        mixed = tree_of(words, comparison.mixed(dict.fromkeys(moved, 1)))
        rest = Comparison([mixed, trees[1]], [sites_of(mixed), sites[1]]).differences
        assert sorted(rest) == sorted(site for decision in left for site in decision.sites)


def test_a_trace_and_the_phrase_around_it_are_one_decision():
    """The trace is at the same place of the sentence; the ADJP around it exists for one annotator only."""
    ours = "(S (NP (NN tide)) (VP (VBZ is) (ADJP (JJ low) (-NONE- *T*-1))))"
    theirs = "(S (NP (NN tide)) (VP (VBZ is) (JJ low) (-NONE- *T*-1)))"
    (only,) = found(ours, theirs, empties="keep").types
    (nucleus,) = only.nuclei
    assert nucleus.asked == (("empty", ("*T*",)), ("phrase", ("ADJP",)))
    assert [(change.kind, change.labels) for change in nucleus.changes if change.kind == "empty"] in (
        [("empty", ("*T* in ADJP", "*T* in VP"))],
        [("empty", ("*T* in VP", "*T* in ADJP"))],
    )


def test_the_type_of_a_trace_is_compared():
    ours, theirs = "(S (NP (-NONE- *)) (VP (VB go)))", "(S (NP (-NONE- *PRO*)) (VP (VB go)))"
    (only,) = found(ours, theirs, empties="keep").types
    assert only.nuclei[0].asked == (("empty", ("*",)), ("empty", ("*PRO*",)))
    assert sorted(each.brackets for each in only.fragments) == [
        "(S (NP *) (VP VB))",
        "(S (NP *PRO*) (VP VB))",
    ]
    assert not found(ours, theirs).types

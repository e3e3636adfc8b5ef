"""Noise in phrases keeps words, order and treehood."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbitree.api.read import read
from arbitree.kinds.phrase.noise import Constituents, Draft
from arbitree.kinds.phrase.value import PhraseTree
from tests.support.build import phrase

LABELS = ("X", "Y")
WAYS = {"all": (1, 1, 1, 1), "relabel": (1, 0, 0, 0), "insert": (0, 1, 0, 0), "move": (0, 0, 1, 0),
        "delete": (0, 0, 0, 1)}  # fmt: skip
TREES = [cell.value for cell in read("examples/phrase/ann.mrg").cells.values()]
trees = st.sampled_from(TREES)
seeds = st.integers(0, 2**32)


def perturbed(way, tree, level, seed):
    return Constituents(LABELS, *WAYS[way])(tree, level, Random(seed))


def phrases(tree):
    return Counter(tree.labels[len(tree.words) :])


@given(trees, seeds, st.sampled_from(list(WAYS)))
def test_level_zero_changes_no_bracket(tree, seed, way):
    noisy = perturbed(way, tree, 0.0, seed)
    assert noisy.brackets() == tree.brackets()
    assert (noisy.words, phrases(noisy)) == (tree.words, phrases(tree))


@given(trees, st.sampled_from((0.3, 1.0)), seeds, st.sampled_from(list(WAYS)))
def test_words_and_their_tags_stay_and_the_result_is_a_tree(tree, level, seed, way):
    noisy = perturbed(way, tree, level, seed)
    count = len(tree.words)
    assert noisy.words == tree.words
    assert noisy.labels[:count] == tree.labels[:count]
    assert noisy.parents.count(-1) == 1
    for node, parent in enumerate(noisy.parents[count:], start=count):
        assert parent < node  # parents of phrases come first, so there is no cycle
    assert all(below for below in noisy.children()[count:])


@given(trees, st.sampled_from((0.3, 1.0)), seeds, st.sampled_from(list(WAYS)))
def test_continuous_trees_stay_continuous(tree, level, seed, way):
    assert all(len(runs) <= 1 for runs in perturbed(way, tree, level, seed).yields())


@given(trees, seeds)
def test_relabelling_keeps_the_structure(tree, seed):
    noisy = perturbed("relabel", tree, 1.0, seed)
    assert sorted(noisy.yields()) == sorted(tree.yields())
    assert set(phrases(noisy)) <= set(LABELS)


@given(trees, seeds)
def test_insertion_adds_one_phrase_to_each(tree, seed):
    noisy = perturbed("insert", tree, 1.0, seed)
    assert len(noisy.labels) == len(tree.labels) + phrases(tree).total()
    assert phrases(tree) <= phrases(noisy)
    assert {runs for _, runs in tree.brackets()} <= {runs for _, runs in noisy.brackets()}


@given(trees, seeds)
def test_moving_keeps_all_phrases_and_the_root(tree, seed):
    noisy = perturbed("move", tree, 1.0, seed)
    assert phrases(noisy) == phrases(tree)
    assert noisy.labels[noisy.parents.index(-1)] == tree.labels[tree.parents.index(-1)]


@given(trees, seeds)
def test_deleting_all_leaves_words_under_the_root(tree, seed):
    noisy = perturbed("delete", tree, 1.0, seed)
    assert len(noisy.labels) == len(tree.words) + 1


def test_a_phrase_can_move_up_and_into_its_neighbours_and_nowhere_else():
    """(S A (VP V (NP N) (PP P)) B): from PP up to S behind VP, and into NP; A, V and B are words."""
    tree = phrase("(S A (VP V (NP N) (PP P)) B)")
    draft = Draft.of(tree)
    pp, np, vp, s = (tree.labels.index(label) for label in ("PP", "NP", "VP", "S"))
    assert sorted(draft.places(pp)) == sorted([(np, 1), (s, 2)])
    assert sorted(draft.places(np)) == [(pp, 0)]  # V is before it and is no phrase
    assert draft.places(vp) == []


def test_an_only_child_does_not_move():
    tree = phrase("(S (VP (NP N)) B)")
    draft = Draft.of(tree)
    assert draft.places(tree.labels.index("NP")) == []


def test_discontinuous_trees_stay_trees():
    tree = PhraseTree(("wake", "me", "up"), ("V", "P", "R", "S", "VP"), (4, 3, 4, -1, 3))
    for seed in range(50):
        noisy = perturbed("all", tree, 0.7, seed)
        assert noisy.words == tree.words
        assert len(noisy.brackets()) >= 4


@pytest.mark.parametrize("way", WAYS)
def test_columns_follow_their_nodes(way):
    tree = PhraseTree(("a", "b"), ("A", "B", "S", "P"), (3, 2, -1, 2), columns={"edge": ("x", "y", "s", "p")})
    noisy = perturbed(way, tree, 1.0, 4)
    assert len(noisy.columns["edge"]) == len(noisy.labels)
    assert noisy.columns["edge"][:2] == ("x", "y")

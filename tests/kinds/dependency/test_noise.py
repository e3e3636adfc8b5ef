"""Noise in relations and heads: what it may change, what it may not, and how often it does what."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from arbitree.errors import UnknownName
from arbitree.kinds.dependency.noise import Attachments, postorder
from arbitree.simulation.noise import DRAWS, NoiseOptions
from tests.support.build import dep, dep_trees

LABELS = ("p", "q", "r")
levels = st.sampled_from((0.1, 0.5, 1.0))
seeds = st.integers(0, 2**32)
draws = st.tuples(st.sampled_from(DRAWS), st.booleans())


@given(dep_trees(), seeds, draws)
def test_level_zero_changes_nothing(tree, seed, heads):
    assert Attachments(LABELS, 1, 1, *heads)(tree, 0.0, Random(seed)) == tree


@given(dep_trees(), levels, seeds, draws)
def test_the_result_is_a_tree_over_the_same_tokens(tree, level, seed, heads):
    noisy = Attachments(LABELS, 1, 1, *heads)(tree, level, Random(seed))
    assert noisy.tokens == tree.tokens
    assert noisy.unreached() == []


@given(dep_trees(), seeds)
def test_relabelling_leaves_heads_alone_and_writes_labels_of_the_corpus(tree, seed):
    noisy = Attachments(LABELS, 1, 0)(tree, 1.0, Random(seed))
    assert noisy.heads == tree.heads
    assert set(noisy.relations) <= set(LABELS)


@given(dep_trees(), seeds, draws)
def test_reattachment_leaves_relations_alone(tree, seed, heads):
    assert Attachments(LABELS, 0, 1, *heads)(tree, 1.0, Random(seed)).relations == tree.relations


@given(dep_trees(), seeds, st.sampled_from(DRAWS))
def test_without_the_root_among_the_heads_nobody_is_hung_on_it(tree, seed, draw):
    noisy = Attachments(LABELS, 0, 1, draw, root=False)(tree, 1.0, Random(seed))
    before, after = ({k for k, head in enumerate(each.heads) if head == 0} for each in (tree, noisy))
    assert after <= before


@given(dep_trees(), seeds)
def test_a_new_head_is_another_one(tree, seed):
    """With the root among the heads, a token under another token can always move: to the root."""
    noisy = Attachments(LABELS, 0, 1, "new", root=True)(tree, 1.0, Random(seed))
    assert all(old != new for old, new in zip(tree.heads, noisy.heads, strict=True) if old != 0)


def test_tokens_are_visited_in_post_order():
    """A verb with two dependents, the second with one of its own before it."""
    assert postorder(dep([2, 0, 4, 2]).children()) == [1, 3, 4, 2]


CHAIN = {  # tree 1 <- 2 <- root; first token 1 draws, then token 2; counted by hand
    # token 1 stands below token 2, which can move only once token 1 hangs on the root
    ("any", False): {(2, 0): 1},
    ("others", False): {(2, 0): 1},
    ("new", False): {(2, 0): 1},
    ("any", True): {(2, 0): 2 / 3, (0, 0): 1 / 3 * 2 / 3, (0, 1): 1 / 3 * 1 / 3},
    ("others", True): {(2, 0): 1 / 2, (0, 0): 1 / 4, (0, 1): 1 / 4},
    ("new", True): {(0, 1): 1},
}


@pytest.mark.parametrize("draw", CHAIN, ids=str)
def test_two_tokens_end_up_as_often_as_counted_by_hand(draw):
    perturb = Attachments(LABELS, 0, 1, *draw)
    rng = Random(1)
    runs = 3000
    found = Counter(perturb(dep([2, 0]), 1.0, rng).heads for _ in range(runs))
    expected = CHAIN[draw]
    assert set(found) == set(expected)
    counts = [(found[heads], share * runs) for heads, share in expected.items()]
    assert len(expected) == 1 or chisquare(*zip(*counts, strict=True)).pvalue > 0.001


def test_relations_are_drawn_with_equal_chance_the_own_included():
    tree = dep([0] * 1000, ["p"] * 1000)
    noisy = Attachments(LABELS, 1, 0)(tree, 1.0, Random(2))
    assert chisquare([noisy.relations.count(label) for label in LABELS]).pvalue > 0.001


def test_the_level_is_the_probability():
    tree = dep([0] * 10_000, ["p"] * 10_000)
    noisy = Attachments(("q",), 1, 0)(tree, 0.3, Random(3))
    assert noisy.relations.count("q") == pytest.approx(3000, abs=3.3 * (0.3 * 0.7 * 10_000) ** 0.5)


def test_an_unknown_way_to_draw_is_named():
    with pytest.raises(UnknownName, match="unknown heads value"):
        NoiseOptions(heads="anny")


def test_long_chains_need_no_recursion():
    chain = dep(list(range(2000)))
    assert Attachments(LABELS, 1, 1)(chain, 0.05, Random(0)).unreached() == []

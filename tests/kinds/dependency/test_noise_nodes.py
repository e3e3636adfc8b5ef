"""Tokens that come and go."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from arbitree.kinds.dependency.noise import FORM, Nodes
from arbitree.kinds.dependency.value import DepTree
from tests.support.build import dep, dep_trees

seeds = st.integers(0, 2**32)


@given(dep_trees(), seeds)
def test_level_zero_changes_nothing(tree, seed):
    assert Nodes(("p",), 1, 1)(tree, 0.0, Random(seed)) == tree


@given(dep_trees(), st.sampled_from((0.2, 0.7, 1.0)), seeds, st.sampled_from([(1, 1), (1, 0), (0, 1)]))
def test_the_result_is_a_tree_with_a_token(tree, level, seed, how):
    noisy = Nodes(("p",), *how)(tree, level, Random(seed))
    assert len(noisy) >= 1
    assert noisy.unreached() == []


@given(dep_trees(), seeds)
def test_tokens_that_stay_keep_their_order_and_relations(tree, seed):
    noisy = Nodes(("new",), 1, 1)(tree, 0.5, Random(seed))
    old = [pair for pair in zip(noisy.tokens, noisy.relations, strict=True) if pair[0] != FORM]
    rest = iter(zip(tree.tokens, tree.relations, strict=True))
    assert all(pair in rest for pair in old)  # a subsequence


@given(dep_trees(), seeds)
def test_every_token_gets_a_leaf_when_all_do(tree, seed):
    noisy = Nodes(("new",), 1, 0)(tree, 1.0, Random(seed))
    assert len(noisy) == 2 * len(tree)
    leaves = [k for k, form in enumerate(noisy.tokens, 1) if form == FORM]
    assert [noisy.heads[k - 1] for k in leaves] == [k - 1 for k in leaves]
    assert not set(leaves) & set(noisy.heads)


def test_what_hangs_on_a_deleted_token_goes_to_its_head():
    """A chain 1 <- 2 <- 3 <- root: whatever goes, the rest is a chain in the same order."""
    for seed in range(30):
        noisy = Nodes(("p",), 0, 1)(dep([2, 3, 0]), 0.5, Random(seed))
        assert noisy.heads == (*(2, 3, 0)[: len(noisy) - 1], 0)


def test_columns_follow_their_tokens():
    tree = DepTree(("a", "b"), (2, 0), ("x", "y"), columns={"upos": ("A", "B")})
    noisy = Nodes(("p",), 1, 0)(tree, 1.0, Random(0))
    assert noisy.columns["upos"] == ("A", "_", "B", "_")

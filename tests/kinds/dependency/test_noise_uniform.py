"""The unbiased sampler against all trees, listed by brute force."""

from collections import Counter
from itertools import combinations, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from arbitree.api.read import read
from arbitree.api.simulate import simulate
from arbitree.kinds.dependency.noise import Unbiased, draw_heads
from tests.support.build import dep, dep_trees


def all_trees(size, *, single_root):
    """Every choice of heads that is a tree."""
    candidates = product(range(size + 1), repeat=size)
    trees = [heads for heads in candidates if not dep(heads).unreached()]
    return [heads for heads in trees if not single_root or heads.count(0) == 1]


def looks_uniform(draw, expected, each=25):
    """Whether *draw* gives each of *expected*, and nothing else, about equally often."""
    found = Counter(draw() for _ in range(each * len(expected)))
    assert set(found) <= set(expected)
    return len(expected) == 1 or chisquare([found[heads] for heads in expected]).pvalue > 0.001


@pytest.mark.parametrize(("single_root", "count"), [(False, 5**3), (True, 4**3)])
def test_all_trees_of_four_tokens_are_equally_likely(single_root, count):
    """By Cayley's formula there are (n + 1)^(n - 1), and n^(n - 1) with a single root."""
    trees = all_trees(4, single_root=single_root)
    assert len(trees) == count
    rng = Random(0)
    sampler = Unbiased(single_root=single_root)
    start = dep([2, 0, 2, 3])
    assert looks_uniform(lambda: sampler(start, 1.0, rng).heads, trees)


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize(
    "released", [each for k in (1, 2, 3) for each in combinations((1, 2, 3, 4), k)], ids=str
)
def test_trees_that_keep_some_heads_are_equally_likely(released, single_root):
    start = (2, 0, 2, 3)
    trees = [
        heads
        for heads in all_trees(4, single_root=single_root)
        if all(heads[k - 1] == start[k - 1] for k in (1, 2, 3, 4) if k not in released)
    ]
    rng = Random(1)
    assert looks_uniform(lambda: draw_heads(start, released, rng, single_root=single_root), trees, each=40)


def test_a_single_root_is_made_where_the_corpus_has_several():
    rng = Random(2)
    found = {draw_heads((0, 0, 0), (), rng, single_root=True) for _ in range(200)}
    assert found == {heads for heads in all_trees(3, single_root=True) if heads[0] == 0}


@given(dep_trees(), st.sampled_from((0.0, 0.3, 1.0)), st.booleans(), st.integers(0, 2**32))
def test_the_result_is_a_tree_and_level_zero_changes_nothing(tree, level, single_root, seed):
    noisy = Unbiased(single_root)(tree, level, Random(seed))
    assert noisy.unreached() == []
    assert (noisy.tokens, noisy.relations) == (tree.tokens, tree.relations)
    if single_root:
        assert noisy.heads.count(0) == 1
    elif level == 0:
        assert noisy == tree


def test_level_zero_keeps_a_single_root():
    tree = dep([2, 0, 2])
    assert Unbiased(single_root=True)(tree, 0.0, Random(0)) == tree


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("start", [(2, 0, 2, 3), (0, 1, 2, 3), (2, 3, 4, 0), (0, 1, 1, 1)], ids=str)
def test_one_token_keeps_its_head_on_average(start, single_root):
    """A token has a given other one as its head in 1 of n + 1 trees, the root in 2: n + 1 in all."""
    trees = all_trees(4, single_root=single_root)
    kept = sum(a == b for heads in trees for a, b in zip(heads, start, strict=True))
    assert kept == len(trees)


def test_uas_at_level_one_is_sentences_over_tokens():
    study = read("examples/dependency/ann.conllu")
    found = simulate(study, ["unbiased"], levels=[1], runs=40, measures=["uas"]).results[0]
    expected = 16 / sum(len(cell.value) for cell in study.cells.values())
    assert found.value == pytest.approx(expected, abs=4 * found.details["sd"] / 40**0.5)

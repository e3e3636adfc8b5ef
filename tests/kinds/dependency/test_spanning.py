"""The best tree, against all trees there are."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbitree.kinds.dependency.graph import spanning_tree
from arbitree.kinds.dependency.value import DepTree


def is_tree(heads):
    return not DepTree(("w",) * len(heads), tuple(heads), ("x",) * len(heads)).unreached()


def total(scores, heads):
    return sum(scores[head, token] for token, head in enumerate(heads, start=1))


def best_by_trial(scores, single_root):
    size = len(scores) - 1
    trees = (
        heads
        for heads in itertools.product(range(size + 1), repeat=size)
        if is_tree(heads) and (not single_root or heads.count(0) == 1)
    )
    return max(total(scores, heads) for heads in trees)


@given(st.integers(1, 5), st.booleans(), st.booleans(), st.integers(0, 2**32))
def test_no_tree_scores_higher(size, single_root, ties, seed):
    random = np.random.default_rng(seed)
    scores = (
        random.integers(-3, 1, (size + 1, size + 1)).astype(float)
        if ties
        else random.normal(size=(size + 1, size + 1))
    )
    heads = spanning_tree(scores, single_root=single_root)
    assert is_tree(heads)
    assert not single_root or heads.count(0) == 1
    assert total(scores, heads) == pytest.approx(best_by_trial(scores, single_root), abs=1e-9)


@given(st.integers(6, 40), st.integers(0, 2**32))
def test_networkx_finds_no_better_tree(size, seed):
    networkx = pytest.importorskip("networkx")
    scores = np.random.default_rng(seed).normal(size=(size + 1, size + 1))
    graph = networkx.DiGraph()
    edges = ((h, d, scores[h, d]) for h in range(size + 1) for d in range(1, size + 1) if h != d)
    graph.add_weighted_edges_from(edges)
    best = networkx.maximum_spanning_arborescence(graph)
    heads = spanning_tree(scores)
    assert is_tree(heads)
    assert total(scores, heads) == pytest.approx(sum(scores[h, d] for h, d in best.edges), abs=1e-9)


def test_one_cycle_inside_another_is_taken_apart():
    """1 and 2 prefer each other, the two of them and 3 too, and all of these and 4."""
    scores = np.full((5, 5), -100.0)
    scores[2, 1] = scores[1, 2] = 10
    scores[3, 1], scores[2, 3] = 8, 9
    scores[4, 3], scores[3, 4] = 5, 7
    scores[0, 4] = 1
    assert spanning_tree(scores) == (3, 1, 4, 0)


def test_a_sentence_of_a_thousand_tokens_in_one_cycle():
    size = 1000
    scores = np.full((size + 1, size + 1), -10.0)
    for token in range(1, size + 1):
        scores[token % size + 1, token] = 0.0
    scores[0, 500] = -1.0
    heads = spanning_tree(scores, single_root=True)
    assert heads[499] == 0
    assert sum(heads[token - 1] == token % size + 1 for token in range(1, size + 1)) == size - 1


def test_no_tokens_no_heads():
    assert spanning_tree(np.zeros((1, 1))) == ()
    assert spanning_tree(np.zeros((2, 2))) == (0,)

"""Distances of all pairs that are stored, and sums over some of the trees from them."""

import random
from types import SimpleNamespace

import numpy as np
import pytest
import zss

from arbitree.kernels import gpu
from tests.support.trees import (
    all_pairs,
    arrays,
    both_kernels,
    compiled,
    needs_compiled,
    random_trees,
    zss_tree,
)


def blocks(call, count, step, *more):
    """Return the distances of all pairs, in blocks of *step* trees."""
    return np.concatenate([call((row, min(count, row + step)), *more) for row in range(0, count, step)])


def some_costs(seed, count=64):
    """Return symmetric costs that no sum holds exactly."""
    rng = np.random.default_rng(seed)
    relabel = np.triu(rng.random((count, count)), 1)
    delete = rng.random(count)
    return relabel + relabel.T, delete, delete


@both_kernels
def test_stored_distances_are_those_of_zss(kernel):
    found = random_trees(5, 9)
    known = kernel.Corpus(*arrays(found)).triangle((0, 9))
    assert known.dtype == np.uint16
    shown = [zss_tree(one) for one in found]
    expected = [zss.simple_distance(shown[x], shown[y]) for x in range(9) for y in range(x + 1, 9)]
    assert known.tolist() == expected


@needs_compiled
@pytest.mark.parametrize("lanes", ["off", "scalar", "avx2", "avx512"])
def test_stored_distances_do_not_depend_on_lanes_and_blocks(lanes):
    found = random_trees(6, 300, largest=40) + random_trees(7, 3, largest=300)
    corpus, count = compiled.Corpus(*arrays(found)), len(found)
    expected = corpus.distances(*all_pairs(count)).reshape(count, count)[np.triu_indices(count, 1)]
    before = compiled.lanes()
    try:
        compiled._set_lanes(lanes)
    except ValueError:
        pytest.skip(f"the processor has no {lanes}")
    try:
        for step in (count, 128):
            assert blocks(corpus.triangle, count, step).tolist() == expected.tolist()
    finally:
        compiled._set_lanes(before)


@both_kernels
def test_stored_distances_under_costs_are_the_same_in_both_directions(kernel):
    found, costs = random_trees(8, 12), some_costs(8)
    corpus = kernel.Corpus(*arrays(found))
    known = blocks(corpus.weighted_triangle, 12, 5, *costs)
    for pairs in (all_pairs(12), all_pairs(12)[::-1]):
        expected = corpus.weighted_distances(*pairs, *costs).reshape(12, 12)
        assert known.tolist() == expected[np.triu_indices(12, 1)].tolist()


@both_kernels
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_sums_over_some_trees_are_those_of_a_corpus_of_these_trees(kernel, seed, weighted):
    found, rng = random_trees(seed, 16), random.Random(seed)
    chosen = [rng.randrange(16) for _ in range(11)]  # in any order, some of them twice
    groups = np.array([0, 2, 3, 6, 6, 11])
    counts, sizes = np.random.default_rng(seed).random((2, 11)) + 1
    costs = some_costs(seed) if weighted else ()
    corpus, alone = (kernel.Corpus(*arrays(each)) for each in (found, [found[number] for number in chosen]))
    known = corpus.weighted_triangle((0, 16), *costs) if weighted else corpus.triangle((0, 16))
    for rows, columns in (((0, 5), (0, 5)), ((1, 3), (1, 5)), ((2, 4), (0, 3))):
        given = groups, counts, sizes, rows, columns
        expected = alone.weighted_sums(*given, *costs) if weighted else alone.sums(*given)
        assert kernel.stored_sums(known, np.array(chosen), *given).tolist() == expected.tolist()


@both_kernels
@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"distances": np.zeros(4, dtype=np.uint16)}, ValueError),
        ({"distances": np.zeros(3, dtype=np.int64)}, TypeError),
        ({"trees": np.array([0, 3])}, IndexError),
        ({"trees": np.array([-1, 2])}, IndexError),
        ({"trees": np.array([0, 1, 2])}, ValueError),
        ({"groups": np.array([0, 3])}, ValueError),
        ({"rows": (0, 3)}, IndexError),
    ],
)
def test_arrays_that_do_not_fit_are_refused(kernel, changed, error):
    given = {
        "distances": np.zeros(3, dtype=np.uint16),
        "trees": np.array([0, 2]),
        "groups": np.array([0, 1, 2]),
        "counts": np.ones(2),
        "sizes": np.ones(2),
        "rows": (0, 2),
        "columns": (0, 2),
    }
    assert kernel.stored_sums(*given.values()).shape == (3, 2, 2)
    with pytest.raises(error):
        kernel.stored_sums(*(given | changed).values())


@both_kernels
@pytest.mark.parametrize("rows", [(0, 4), (-1, 2), (2, 1)])
def test_rows_of_no_trees_are_refused(kernel, rows):
    corpus = kernel.Corpus(*arrays(random_trees(1, 3)))
    with pytest.raises(IndexError):
        corpus.triangle(rows)


@both_kernels
def test_one_tree_and_no_tree_have_no_distances(kernel):
    corpus = kernel.Corpus(*arrays(random_trees(1, 1)))
    none = corpus.triangle((0, 1))
    assert none.tolist() == corpus.triangle((0, 0)).tolist() == []
    given = np.array([0, 1]), np.ones(1), np.ones(1), (0, 1), (0, 1)
    assert kernel.stored_sums(none, np.array([0]), *given).tolist() == [[[0]]] * 3


def test_a_gpu_compares_pairs_in_the_same_order(monkeypatch):
    corpus = object.__new__(gpu.Corpus)  # needs a GPU otherwise
    corpus._sizes, corpus._cupy = np.ones(4), SimpleNamespace(asnumpy=np.asarray)
    block = np.arange(4)[:, None] * 10 + np.arange(4)
    monkeypatch.setattr(
        gpu.Corpus, "_between", lambda _, top, bottom, *columns: block[top:bottom, slice(*columns)]
    )
    assert corpus.triangle((1, 3)).tolist() == [12, 13, 23]
    assert corpus.triangle((3, 4)).tolist() == []

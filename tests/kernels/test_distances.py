"""The compiled kernel and its plain twin, against each other, other packages and the laws of distances."""

import random
from itertools import product

import numpy as np
import pytest
import zss
from apted import APTED
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.trees import (
    SHAPES,
    all_pairs,
    apted_tree,
    arrays,
    both_kernels,
    compiled,
    distance,
    needs_compiled,
    numbers,
    path,
    plain,
    random_trees,
    star,
    trees,
    zss_tree,
)


def by_zss(a, b):
    # Without label_dist, zss compares labels as strings once the package editdistance is installed.
    return zss.simple_distance(zss_tree(a), zss_tree(b), label_dist=lambda one, other: int(one != other))


def random_costs(seed, count, *, symmetric=False):
    rng = np.random.default_rng(seed)
    relabel, delete, insert = rng.random((count, count)), rng.random(count), rng.random(count)
    if symmetric:
        relabel, insert = relabel + relabel.T, delete
    np.fill_diagonal(relabel, 0)
    return relabel, delete, insert


def labellings(size):
    """One label, all different, and two by turns."""
    return [0] * size, list(range(size)), [node % 2 for node in range(size)]


@needs_compiled
@settings(max_examples=500)
@given(trees(), trees())
def test_kernels_agree(a, b):
    found = distance(compiled, a, b)
    assert found == distance(compiled, b, a)
    assert found == distance(plain, a, b)


@needs_compiled
@pytest.mark.parametrize("labels", [1, 3, 40])
def test_kernels_agree_on_thousands_of_random_pairs(labels):
    corpus = arrays(random_trees(labels, 45, largest=25, labels=labels))
    pairs = all_pairs(45)
    found = compiled.Corpus(*corpus).distances(*pairs)
    assert found.dtype == np.int32
    assert found.tolist() == plain.Corpus(*corpus).distances(*pairs).tolist()


@both_kernels
@pytest.mark.parametrize("labels", [2, 5, 30])
def test_distances_are_those_of_zss(kernel, labels):
    found = random_trees(100 + labels, 1200, labels=labels)
    corpus = kernel.Corpus(*arrays(found))
    first, second = np.arange(0, 1200, 2, dtype=np.int32), np.arange(1, 1200, 2, dtype=np.int32)
    expected = [by_zss(found[x], found[y]) for x, y in zip(first, second, strict=True)]
    assert corpus.distances(first, second).tolist() == expected


@both_kernels
@pytest.mark.parametrize("labels", [1, 4, 30])
def test_distances_are_those_of_apted(kernel, labels):
    found = random_trees(200 + labels, 1200, labels=labels)
    corpus = kernel.Corpus(*arrays(found))
    first, second = np.arange(0, 1200, 2, dtype=np.int32), np.arange(1, 1200, 2, dtype=np.int32)
    forms = [apted_tree(one) for one in found]
    expected = [APTED(forms[x], forms[y]).compute_edit_distance() for x, y in zip(first, second, strict=True)]
    assert corpus.distances(first, second).tolist() == expected


@both_kernels
def test_extreme_shapes_are_those_of_zss(kernel):
    found = [shape(labels) for shape in SHAPES for size in (1, 2, 3, 9, 12) for labels in labellings(size)]
    rng = random.Random(0)
    pairs = rng.sample(list(product(range(len(found)), repeat=2)), 1000)
    first, second = (np.array(column, dtype=np.int32) for column in zip(*pairs, strict=True))
    expected = [by_zss(found[x], found[y]) for x, y in pairs]
    assert kernel.Corpus(*arrays(found)).distances(first, second).tolist() == expected


@needs_compiled
def test_kernels_agree_on_extreme_shapes_over_255_nodes():
    found = [shape([node % 3 for node in range(size)]) for shape in SHAPES for size in (5, 260)]
    first, second = all_pairs(len(found))
    kept = (first < second) & (np.array([len(one) for one in found])[first] < 10)
    first, second = first[kept], second[kept]
    expected = plain.Corpus(*arrays(found)).distances(first, second)
    assert compiled.Corpus(*arrays(found)).distances(first, second).tolist() == expected.tolist()


@both_kernels
@pytest.mark.parametrize(("n", "m"), [(1, 1), (1, 7), (2, 2), (8, 5), (60, 40)])
def test_paths_and_stars_of_one_label_have_known_distances(kernel, n, m):
    assert distance(kernel, path([0] * n), path([0] * m)) == abs(n - m)
    assert distance(kernel, star([0] * n), star([0] * m)) == abs(n - m)
    assert distance(kernel, path([0] * n), star([0] * m)) == n + m - 2 * min(n, m, 2)


@both_kernels
@given(trees(), trees(), trees())
def test_distance_is_a_metric_between_its_bounds(kernel, a, b, c):
    corpus = kernel.Corpus(*arrays([a, b, c]))
    table = corpus.distances(*all_pairs(3)).reshape(3, 3)
    assert (table.diagonal() == 0).all()
    assert (table == table.T).all()
    assert table[0, 2] <= table[0, 1] + table[1, 2]
    assert abs(len(a) - len(b)) <= table[0, 1] <= len(a) + len(b) - 1
    equal = a.labels.tolist() == b.labels.tolist() and a.leftmost.tolist() == b.leftmost.tolist()
    assert (table[0, 1] == 0) == equal


@both_kernels
def test_costs_by_label_are_those_of_zss(kernel):
    found = random_trees(7, 300)
    relabel, delete, insert = random_costs(7, 6)
    first, second = np.arange(0, 300, 2, dtype=np.int32), np.arange(1, 300, 2, dtype=np.int32)
    expected = [
        zss.distance(
            zss_tree(found[x]),
            zss_tree(found[y]),
            zss.Node.get_children,
            insert_cost=lambda node: insert[int(node.label)],
            remove_cost=lambda node: delete[int(node.label)],
            update_cost=lambda one, other: relabel[int(one.label), int(other.label)],
        )
        for x, y in zip(first, second, strict=True)
    ]
    weighted = kernel.Corpus(*arrays(found)).weighted_distances(first, second, relabel, delete, insert)
    assert weighted == pytest.approx(expected, abs=1e-9)


@needs_compiled
def test_kernels_agree_on_costs_by_label():
    found = [*random_trees(8, 30, largest=25), *(shape([0, 1, 2, 3, 4] * 3) for shape in SHAPES)]
    costs = random_costs(8, 6)
    pairs = all_pairs(len(found))
    expected = plain.Corpus(*arrays(found)).weighted_distances(*pairs, *costs)
    weighted = compiled.Corpus(*arrays(found)).weighted_distances(*pairs, *costs)
    assert weighted.tolist() == expected.tolist()


INEXACT = [0.0, 0.1, 1 / 3, 1e-3, 0.7, 1.0, 2.3, 1e3]


@needs_compiled
@given(
    found=st.lists(trees(largest=14, labels=4), min_size=2, max_size=6),
    prices=st.lists(st.sampled_from(INEXACT), min_size=24, max_size=24),
    weights=st.lists(st.sampled_from([0.1, 1 / 3, 1.0, 7.0]), min_size=6, max_size=6),
)
def test_kernels_agree_to_the_last_bit_under_any_costs(found, prices, weights):
    """Sums of numbers such as 0.1 show the order in which they are added."""
    relabel = np.array(prices[:16]).reshape(4, 4)
    relabel = np.triu(relabel, 1) + np.triu(relabel, 1).T
    delete, insert = np.array(prices[16:20]), np.array(prices[20:])
    both = [kernel.Corpus(*arrays(found)) for kernel in (compiled, plain)]
    ours, theirs = (one.weighted_distances(*all_pairs(len(found)), relabel, delete, insert) for one in both)
    assert ours.tolist() == theirs.tolist()
    ours, theirs = (one.weighted_table(0, 1, relabel, delete, insert) for one in both)
    assert ours.tolist() == theirs.tolist()
    block = np.arange(len(found) + 1), np.array(weights[: len(found)]), np.array(weights[: len(found)])
    rows = (0, len(found))
    ours, theirs = (one.weighted_sums(*block, rows, rows, relabel, delete, delete) for one in both)
    assert ours.tolist() == theirs.tolist()


@needs_compiled
@pytest.mark.parametrize("seed", range(4))
def test_kernels_agree_to_the_last_bit_on_large_trees(seed):
    rng = np.random.default_rng(seed)
    found = [*random_trees(seed, 12, largest=60), *(shape([0, 1, 2, 3, 4] * 6) for shape in SHAPES)]
    relabel = rng.choice(INEXACT, (6, 6))
    np.fill_diagonal(relabel, 0)
    costs = relabel, rng.choice(INEXACT, 6), rng.choice(INEXACT, 6)
    pairs = all_pairs(len(found))
    ours, theirs = (
        kernel.Corpus(*arrays(found)).weighted_distances(*pairs, *costs) for kernel in (compiled, plain)
    )
    assert ours.tolist() == theirs.tolist()


@both_kernels
def test_unit_costs_in_tables_give_the_plain_distance(kernel):
    corpus = kernel.Corpus(*arrays(random_trees(9, 20)))
    costs = (1 - np.eye(6), np.ones(6), np.ones(6))
    weighted = corpus.weighted_distances(*all_pairs(20), *costs)
    assert weighted.tolist() == corpus.distances(*all_pairs(20)).tolist()


@both_kernels
def test_table_holds_the_distances_of_all_subtrees(kernel):
    a, b = random_trees(10, 2, largest=12)
    costs = random_costs(10, 6)
    corpus = kernel.Corpus(*arrays([a, b]))
    plain_table, weighted_table = corpus.table(0, 1), corpus.weighted_table(0, 1, *costs)
    assert plain_table.shape == weighted_table.shape == (len(a), len(b))
    for x, y in product(range(len(a)), range(len(b))):
        parts = [
            (one.labels[one.leftmost[v] : v + 1], one.leftmost[one.leftmost[v] : v + 1] - one.leftmost[v])
            for one, v in ((a, x), (b, y))
        ]
        labels, leftmost = map(np.concatenate, zip(*parts, strict=True))
        offsets = np.array([0, len(parts[0][0]), len(labels)], dtype=np.int64)
        pair = kernel.Corpus(offsets, labels, leftmost)
        assert plain_table[x, y] == pair.distances(numbers(0), numbers(1))[0]
        expected = pair.weighted_distances(numbers(0), numbers(1), *costs)[0]
        assert weighted_table[x, y] == pytest.approx(expected, abs=1e-9)


@needs_compiled
def test_kernels_agree_on_tables_and_cells():
    found = [*random_trees(11, 8, largest=25), *(shape([0, 1] * 8) for shape in SHAPES)]
    ours, theirs = compiled.Corpus(*arrays(found)), plain.Corpus(*arrays(found))
    pairs = all_pairs(len(found))
    assert ours.cells(*pairs).tolist() == theirs.cells(*pairs).tolist()
    for x, y in zip(*pairs, strict=True):
        assert ours.table(x, y).tolist() == theirs.table(x, y).tolist()


def test_cells_are_counted_from_the_better_side():
    """A comb of 5 nodes is easy from the side of its spine: one keyroot of 5 nodes and two leaves."""
    combs = [SHAPES[2]([0] * 5), SHAPES[3]([0] * 5)]
    corpus = plain.Corpus(*arrays(combs))
    assert corpus.cells(*all_pairs(2)).tolist() == [49, 63, 63, 49]


def explicit_sums(corpus, groups, counts, sizes, costs):
    """Sum over all ordered pairs of different trees, one by one."""
    of = np.repeat(np.arange(len(groups) - 1), np.diff(groups))
    sums = np.zeros((3, len(groups) - 1, len(groups) - 1))
    for x, y in product(range(len(of)), repeat=2):
        if x == y or of[x] > of[y]:
            continue
        pair = numbers(x), numbers(y)
        ted = float((corpus.weighted_distances(*pair, *costs) if costs else corpus.distances(*pair))[0])
        total = sizes[x] + sizes[y]
        norm = ted / total if total else 0.0
        deltas = np.array([ted, ted - abs(sizes[x] - sizes[y]), norm])
        sums[:, of[x], of[y]] += counts[x] * counts[y] * deltas**2
    return sums


@both_kernels
@pytest.mark.parametrize("costs", [None, random_costs(12, 6, symmetric=True)], ids=["unit", "weighted"])
def test_sums_are_those_of_explicit_loops(kernel, costs):
    rng = np.random.default_rng(12)
    corpus = kernel.Corpus(*arrays(random_trees(12, 14)))
    groups = np.array([0, 3, 3, 4, 8, 9, 14])  # one of them is empty
    counts = rng.integers(1, 5, 14).astype(np.float64)
    sizes = rng.integers(0, 3, 14).astype(np.float64)  # sizes of 0 too: |x| is not the number of nodes
    method = corpus.weighted_sums if costs else corpus.sums
    found = method(groups, counts, sizes, (0, 6), (0, 6), *(costs or ()))
    assert found == pytest.approx(explicit_sums(corpus, groups, counts, sizes, costs), rel=1e-12)
    for rows, columns in product([(0, 2), (2, 6), (3, 3)], [(0, 6), (1, 4), (5, 6)]):
        block = method(groups, counts, sizes, rows, columns, *(costs or ()))
        assert block.tolist() == found[:, slice(*rows), slice(*columns)].tolist()


@needs_compiled
def test_kernels_agree_on_sums_to_the_last_digit():
    found = random_trees(13, 40)
    rng = np.random.default_rng(13)
    groups = np.arange(0, 41, 4)
    arguments = (groups, rng.random(40), rng.random(40) * 20, (0, 10), (0, 10))
    ours = compiled.Corpus(*arrays(found)).sums(*arguments)
    assert ours.tolist() == plain.Corpus(*arrays(found)).sums(*arguments).tolist()

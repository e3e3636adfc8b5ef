"""From distances back to the nodes that an optimal script matches."""

import random
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings

from arbitree.kernels import NAME
from arbitree.kernels.costs import Costs
from arbitree.kernels.mapping import mapping
from arbitree.study.flat_tree import Vocabulary, flatten
from tests.support.trees import LABELS, WORDS, arrays, numbers, path, plain, random_tree, star, tree, trees

UNIT = Costs.unit(len(LABELS))


def random_costs(seed):
    rng = np.random.default_rng(seed)
    relabel = rng.random((len(LABELS), len(LABELS)))
    np.fill_diagonal(relabel, 0)
    return Costs(relabel, rng.random(len(LABELS)), rng.random(len(LABELS)))


def cost(a, b, script, costs):
    """Add up what the steps of a script cost."""
    total = 0.0
    for i, j in script:
        if j < 0:
            total += costs.delete[a.labels[i]]
        elif i < 0:
            total += costs.insert[b.labels[j]]
        else:
            total += costs.relabel[a.labels[i], b.labels[j]]
    return total


def kept(a, b, script):
    """Count the nodes that keep their label."""
    return sum(i >= 0 and j >= 0 and a.labels[i] == b.labels[j] for i, j in script)


def is_above(one, node, other):
    return one.leftmost[node] <= other < node


def fits(a, b, first, second):
    """Say whether two matches agree in order and ancestry."""
    (i, j), (k, m) = first, second
    return (
        (i < k) == (j < m)
        and is_above(a, i, k) == is_above(b, j, m)
        and is_above(a, k, i) == is_above(b, m, j)
    )


def all_mappings(a, b):
    """Yield every mapping between two small trees, as a full script."""
    rows = range(len(a))
    for size in range(min(len(a), len(b)) + 1):
        for chosen in combinations(rows, size):
            for targets in combinations(range(len(b)), size):
                matches = list(zip(chosen, targets, strict=True))
                if all(fits(a, b, *two) for two in combinations(matches, 2)):
                    deleted = [(i, -1) for i in set(rows) - set(chosen)]
                    inserted = [(-1, j) for j in set(range(len(b))) - set(targets)]
                    yield [*matches, *deleted, *inserted]


def weighted_distance(a, b, costs):
    return plain.Corpus(*arrays([a, b])).weighted_distances(numbers(0), numbers(1), *costs.arrays)[0]


def check_laws(a, b, costs):
    script = mapping(a, b, None if costs is UNIT else costs)
    assert [i for i, _ in script if i >= 0] == list(range(len(a)))
    assert [j for _, j in script if j >= 0] == list(range(len(b)))
    matches = [(i, j) for i, j in script if i >= 0 and j >= 0]
    assert all(fits(a, b, *two) for two in combinations(matches, 2))
    assert cost(a, b, script, costs) == pytest.approx(weighted_distance(a, b, costs), abs=1e-9)


@settings(max_examples=200)
@given(trees(), trees())
def test_script_names_every_node_keeps_order_and_ancestry_and_costs_the_distance(a, b):
    check_laws(a, b, UNIT)
    check_laws(a, b, random_costs(len(a)))


@settings(max_examples=150)
@given(trees(largest=5), trees(largest=5))
def test_script_is_the_best_of_all_mappings_and_keeps_the_most_labels(a, b):
    """The definition of the distance, tried out."""
    everything = list(all_mappings(a, b))
    least = min(cost(a, b, script, UNIT) for script in everything)
    most = max(kept(a, b, script) for script in everything if cost(a, b, script, UNIT) == least)
    found = mapping(a, b)
    assert cost(a, b, found, UNIT) == least
    assert kept(a, b, found) == most


def test_equal_trees_are_matched_node_by_node():
    one = random_tree(random.Random(1), 40)
    assert mapping(one, one) == [(k, k) for k in range(40)]


def test_renamed_node_is_relabelled():
    assert mapping(tree([0, 0], [0, 1, 2]), tree([0, 0], [0, 3, 2])) == [(0, 0), (1, 1), (2, 2)]


def test_node_in_between_is_inserted():
    assert mapping(path([0, 1]), path([0, 2, 1])) == [(0, 0), (-1, 1), (1, 2)]


def test_labels_are_kept_rather_than_exchanged():
    """Two relabellings would cost the same."""
    assert mapping(star([0, 1, 2]), star([0, 2, 3])) == [(0, -1), (1, 0), (-1, 1), (2, 2)]


def test_dear_labels_are_kept_out_of_the_way():
    """To relabel costs more than to delete and insert."""
    costs = Costs(9 * (1 - np.eye(2)), np.ones(2), np.ones(2))
    assert mapping(path([0, 0]), path([0, 1]), costs) == [(0, -1), (-1, 0), (1, 1)]


@pytest.mark.parametrize("scale", [1e-12, 1e9])
def test_costs_of_any_scale_are_told_apart(scale):
    rng = random.Random(2)
    costs = random_costs(2)
    scaled = Costs(*(array * scale for array in costs.arrays))
    for _ in range(20):
        a, b = random_tree(rng, 12), random_tree(rng, 9)
        expected = weighted_distance(a, b, costs)
        assert cost(a, b, mapping(a, b, scaled), costs) == pytest.approx(expected, abs=1e-9)


def test_costs_of_nothing_are_no_trouble():
    count = len(LABELS)
    free = Costs(np.zeros((count, count)), np.zeros(count), np.zeros(count))
    check_laws(path([0, 1, 2]), star([3, 4]), free)


def test_large_trees_are_mapped():
    rng = random.Random(3)
    size = 150 if NAME == "compiled" else 60
    check_laws(random_tree(rng, size), random_tree(rng, size - 20), UNIT)
    check_laws(path([0] * 100), star([0] * 100), UNIT)


def test_trees_of_two_vocabularies_are_refused():
    other = flatten([[]], ["label0"], 0, Vocabulary(), size=1, leaves=1)
    with pytest.raises(ValueError, match="vocabularies"):
        mapping(path([0]), other)


def test_label_without_costs_is_refused():
    assert len(WORDS) > 2
    with pytest.raises(ValueError, match="no costs"):
        mapping(path([0]), path([2]), Costs.unit(2))

"""Long pairs of trees, taken apart along the paths that make least work, against the plain twin and apted."""

import random

import numpy as np
import pytest
from apted import APTED
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.trees import (
    KINDS,
    SHAPES,
    all_pairs,
    apted_tree,
    arrays,
    binary,
    compiled,
    distance,
    needs_compiled,
    path,
    plain,
    random_tree,
    random_trees,
    tree,
    trees,
    use_lanes,
    zigzag,
)

pytestmark = needs_compiled


@pytest.fixture(params=KINDS)
def lanes(request):
    """Use one kind of lanes during a test."""
    with use_lanes(request.param):
        yield request.param
        compiled._set_plans(0)


def deep(labels, reach=8):
    """Return the tree of a text in which the head of each token is one of the *reach* before."""
    rng = random.Random(len(labels))
    return tree([rng.randrange(max(0, node - reach), node) for node in range(1, len(labels))], labels)


def zhang_shasha(corpus, pairs):
    """Return the distances of pairs by the algorithm of Zhang and Shasha alone."""
    before = compiled.lanes()
    compiled._set_lanes("off")
    try:
        return corpus.distances(*pairs).tolist()
    finally:
        compiled._set_lanes(before)


@settings(max_examples=150)
@given(trees(largest=16), trees(largest=16), st.integers(1, 2**32 - 1))
def test_any_paths_give_the_distance_of_the_twin(a, b, seed):
    """Paths are drawn for every pair of subtrees; the order of the steps must not show."""
    expected = distance(plain, a, b)
    before = compiled.lanes()
    compiled._set_plans(seed)
    try:
        for kind in KINDS:
            try:
                compiled._set_lanes(kind)
            except ValueError:
                continue
            assert distance(compiled, a, b) == expected
    finally:
        compiled._set_plans(0)
        compiled._set_lanes(before)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_any_paths_through_extreme_shapes_give_the_same_distances(lanes, seed):
    sizes = [2, 17, 40] if seed > 1 else [63, 130]
    found = [shape([node % 3 for node in range(size)]) for shape in (*SHAPES, binary, deep) for size in sizes]
    corpus, pairs = compiled.Corpus(*arrays(found)), all_pairs(len(found))
    expected = zhang_shasha(corpus, pairs)
    compiled._set_plans(seed)
    assert corpus.distances(*pairs).tolist() == expected


@pytest.mark.parametrize("shape", [*SHAPES, binary, deep], ids=lambda shape: shape.__name__)
def test_cheapest_paths_give_the_distances_of_the_twin(shape):
    rng = random.Random(1)
    found = [shape([rng.randrange(3) for _ in range(60)]), zigzag([rng.randrange(3) for _ in range(50)])]
    found += [shape([rng.randrange(3) for _ in range(45)])]
    first, second = np.array([0, 0, 1], dtype=np.int32), np.array([1, 2, 2], dtype=np.int32)
    expected = plain.Corpus(*arrays(found)).distances(first, second).tolist()
    assert compiled.Corpus(*arrays(found)).distances(first, second).tolist() == expected
    assert compiled.Corpus(*arrays(found)).distances(second, first).tolist() == expected


@pytest.mark.parametrize("shape", [zigzag, deep])
def test_cheapest_paths_give_the_distances_of_apted(lanes, shape):
    rng = random.Random(2)
    a, b = (shape([rng.randrange(5) for _ in range(size)]) for size in (90, 80))
    expected = APTED(apted_tree(a), apted_tree(b)).compute_edit_distance()
    assert distance(compiled, a, b) == expected


def test_sizes_around_widths_and_numbers_give_the_same_distances(lanes):
    """Up to 127 nodes similarities fit bytes; vectors hold 64 or 128 lanes."""
    rng = random.Random(3)
    sizes = [64, 65, 127, 128, 129]
    found = [shape([rng.randrange(4) for _ in range(size)]) for shape in (zigzag, deep) for size in sizes]
    found += [random_tree(rng, size) for size in sizes]
    corpus, pairs = compiled.Corpus(*arrays(found)), np.triu_indices(len(found), 1)
    pairs = [side.astype(np.int32) for side in pairs]
    assert corpus.distances(*pairs).tolist() == zhang_shasha(corpus, pairs)


def test_trees_that_are_deep_in_places_give_the_same_distances(lanes):
    """Different paths are best for different subtrees."""
    rng = random.Random(4)
    found = [joined(rng, [zigzag, binary, path, deep, SHAPES[2], SHAPES[3]], 40) for _ in range(6)]
    found += random_trees(4, 4, largest=150)
    corpus, pairs = compiled.Corpus(*arrays(found)), all_pairs(len(found))
    assert corpus.distances(*pairs).tolist() == zhang_shasha(corpus, pairs)


def joined(rng, shapes, size):
    """Return one tree of *shapes* in random order, each hung under some node of those before."""
    parents, labels = [], [0]
    for shape in rng.sample(shapes, len(shapes)):
        part = shape([rng.randrange(3) for _ in range(size)])
        top = len(labels)
        order = range(len(part) - 1, -1, -1)  # the reverse of postorder: parents come first
        number = {node: top + place for place, node in enumerate(order)}
        for node in order:
            above = part.parents[node]
            parents.append(rng.randrange(top) if above < 0 else number[above])
            labels.append(int(part.labels[node]))
    return tree(parents, labels)


def test_long_zigzags_have_known_distances(lanes):
    """One label and a smaller zigzag inside a larger one: what is left over is deleted."""
    assert distance(compiled, zigzag([0] * 1000), zigzag([0] * 700)) == 300
    assert distance(compiled, zigzag([0] * 600), zigzag([1] * 600)) == 600

"""Trees for the tests of the kernels, and their forms in other packages."""

import random
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec

import numpy as np
import pytest
import zss
from apted.helpers import Tree as AptedTree
from hypothesis import strategies as st

from arbitree.kernels import plain
from arbitree.study.flat_tree import Tree, Vocabulary, flatten

LABELS = [f"label{number}" for number in range(64)]
WORDS = Vocabulary(LABELS)

HAS_COMPILED = find_spec("arbitree.kernels._compiled") is not None
compiled = import_module("arbitree.kernels._compiled") if HAS_COMPILED else None
needs_compiled = pytest.mark.skipif(not HAS_COMPILED, reason="needs the compiled kernel")
both_kernels = pytest.mark.parametrize(
    "kernel", [pytest.param(compiled, id="compiled", marks=needs_compiled), pytest.param(plain, id="plain")]
)


KINDS = ["scalar", "avx2", "avx512"]


@contextmanager
def use_lanes(kind):
    """Let the compiled kernel use one kind of lanes; skip the test if the processor does not have it."""
    before = compiled.lanes()
    try:
        compiled._set_lanes(kind)
    except ValueError:
        pytest.skip(f"the processor has no {kind}")
    yield
    compiled._set_lanes(before)


def tree(parents, labels):
    """Return the tree in which node k > 0 is the last child so far of parents[k - 1]; 0 is the root."""
    children = [[] for _ in labels]
    for node, parent in enumerate(parents, start=1):
        children[parent].append(node)
    return flattened(children, labels)


def flattened(children, labels):
    """Return the tree under node 0."""
    names = [LABELS[label] for label in labels]
    return flatten(children, names, 0, WORDS, size=len(labels), leaves=len(labels))


def random_tree(rng, size, *, labels=6):
    """Return a tree that is now deep, now broad."""
    reach = rng.choice([1, 2, 4, size])
    parents = [rng.randrange(max(0, node - reach), node) for node in range(1, size)]
    return tree(parents, [rng.randrange(labels) for _ in range(size)])


def random_trees(seed, count, *, largest=14, labels=6):
    """Return *count* trees of 1 to *largest* nodes."""
    rng = random.Random(seed)
    return [random_tree(rng, rng.randint(1, largest), labels=labels) for _ in range(count)]


def path(labels):
    """Return the tree of which every node has one child, from the root down."""
    return tree(range(len(labels) - 1), labels)


def star(labels):
    """Return the tree of a root and leaves."""
    return tree([0] * (len(labels) - 1), labels)


def left_comb(labels):
    """Return the tree that goes down its first children, each with a leaf for a sibling."""
    return _comb(labels, lambda depth: False)


def right_comb(labels):
    """Return the tree that goes down its last children, each with a leaf for a sibling."""
    return _comb(labels, lambda depth: True)


def zigzag(labels):
    """Return the tree that goes down first and last children by turns: hard from both sides."""
    return _comb(labels, lambda depth: depth % 2 == 0)


def _comb(labels, leaf_first):
    children = [[] for _ in labels]
    for depth, node in enumerate(range(1, len(labels), 2)):
        spine, leaf = node, node + 1
        pair = [spine] if leaf == len(labels) else [spine, leaf]
        children[max(0, spine - 2)] = pair[::-1] if leaf_first(depth) else pair
    return flattened(children, labels)


def binary(labels):
    """Return the tree that fills its levels from the left, with two children each."""
    return tree([(node - 1) // 2 for node in range(1, len(labels))], labels)


SHAPES = [path, star, left_comb, right_comb, zigzag]


@st.composite
def trees(draw, largest=10, labels=3):
    """Draw a tree."""
    size = draw(st.integers(1, largest))
    parents = [draw(st.integers(0, node)) for node in range(size - 1)]
    return tree(parents, [draw(st.integers(0, labels - 1)) for _ in range(size)])


def arrays(given: list[Tree]):
    """Return the three arrays that a Corpus takes."""
    offsets = np.cumsum([0, *map(len, given)], dtype=np.int64)
    labels = np.concatenate([one.labels for one in given])
    return offsets, labels, np.concatenate([one.leftmost for one in given])


def numbers(*given):
    """Return tree numbers as the kernels want them."""
    return np.array(given, dtype=np.int32)


def all_pairs(count):
    """Return the numbers of all ordered pairs of *count* trees."""
    first, second = np.indices((count, count)).reshape(2, -1)
    return first.astype(np.int32), second.astype(np.int32)


def distance(kernel, a, b):
    """Return the distance of two trees at unit costs."""
    return int(kernel.Corpus(*arrays([a, b])).distances(numbers(0), numbers(1))[0])


def zss_tree(one):
    """Return the tree in the form of zss, with label numbers as text."""
    nodes = [zss.Node(str(label)) for label in one.labels]
    for node, parent in zip(nodes, one.parents, strict=True):
        if parent >= 0:
            nodes[parent].addkid(node)
    return nodes[-1]


def apted_tree(one):
    """Return the tree in the form of apted."""
    nodes = [AptedTree(str(label)) for label in one.labels]
    for node, parent in zip(nodes, one.parents, strict=True):
        if parent >= 0:
            nodes[parent].children.append(node)
    return nodes[-1]

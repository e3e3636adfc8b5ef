"""Dependency trees as flat arrays."""

import random

from hypothesis import given
from hypothesis import strategies as st

from arbitree.kinds.dependency.value import DepTree
from arbitree.study.flat_tree import Vocabulary


@st.composite
def head_lists(draw):
    """Heads of a few sentences: any token or the root, so that many have cycles or lost tokens."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    return [[rng.randrange(size + 1) for _ in range(size)] for size in draw(st.lists(st.integers(0, 9)))]


@given(head_lists(), st.booleans())
def test_many_trees_are_flattened_as_one_by_one(sentences, labelled):
    trees = [
        DepTree(("word",) * len(heads), tuple(heads), tuple(f"r{head % 3}" for head in heads))
        for heads in sentences
    ]
    alone, together = Vocabulary(["r1"]), Vocabulary(["r1"])
    expected = [tree.flatten(alone, labelled=labelled) for tree in trees]
    found = DepTree.flatten_all(trees, together, labelled=labelled)
    assert together.labels == alone.labels
    assert len(found) == len(expected)
    for ours, theirs in zip(found, expected, strict=True):
        for name in ("labels", "parents", "leftmost", "origins"):
            assert getattr(ours, name).dtype == getattr(theirs, name).dtype
            assert getattr(ours, name).tolist() == getattr(theirs, name).tolist()
        assert (ours.size, ours.leaves) == (theirs.size, theirs.leaves)

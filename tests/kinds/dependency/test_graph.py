"""Circles and trees over candidate heads, against trying all combinations."""

import random
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from arbitree.kinds.dependency.graph import cycle_through, cycles, nearest_tree, unreached
from arbitree.kinds.dependency.value import DepTree


@st.composite
def candidates(draw):
    rng = random.Random(draw(st.integers(0, 2**32)))
    size = draw(st.integers(1, 5))
    found = [rng.sample(range(size + 1), rng.randint(1, min(3, size + 1))) for _ in range(size)]
    return [[], *found]


def trees(candidates, *, one_root):
    """Return all trees by trying every combination of heads."""
    for heads in product(*candidates[1:]):
        words = ("w",) * len(heads)
        if not DepTree(words, heads, words).unreached() and (not one_root or heads.count(0) == 1):
            yield heads


@given(candidates(), st.booleans())
def test_nothing_is_unreached_where_there_is_a_tree(candidates, one_root):
    there = any(True for _ in trees(candidates, one_root=one_root))
    assert bool(unreached(candidates, one_root=one_root)) != there


@given(candidates(), st.booleans(), st.integers(0, 2**32))
def test_the_nearest_tree_changes_as_little_as_any(candidates, one_root, seed):
    rng = random.Random(seed)
    decided = {
        token: rng.choice(candidates[token]) for token in range(1, len(candidates)) if rng.random() < 0.7
    }

    def changes(heads):
        return sum(heads[token - 1] != head for token, head in decided.items())

    every = [changes(heads) for heads in trees(candidates, one_root=one_root)]
    found = nearest_tree(candidates, decided, one_root=one_root)
    assert (found is None) == (not every)
    assert found is None or changes(found[1:]) == min(every)


@given(candidates())
def test_cycles_are_what_keeps_tokens_from_the_root(candidates):
    heads = [None, *(own[0] for own in candidates[1:])]
    words = ("w",) * (len(heads) - 1)
    lost = DepTree(words, tuple(heads[1:]), words).unreached()
    on_cycles = {token for cycle in cycles(heads) for token in cycle}
    assert on_cycles <= set(lost)
    assert bool(on_cycles) == bool(lost)
    assert on_cycles == {token for token in range(1, len(heads)) if cycle_through(heads, token)}

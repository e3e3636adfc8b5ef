"""Tests of differences: exact p-values for small samples, and corrections."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbitree.scoring.significance import PairedCounts, bootstrap_p, holm, randomisation_p


def counts(numerators, denominators):
    return PairedCounts(np.array([numerators], dtype=float), np.array([denominators], dtype=float))


def test_randomisation_comes_near_the_exact_p_value():
    """All 2^8 ways to swap, counted one by one."""
    ours, theirs, sizes = [5, 4, 6, 3, 7, 5, 2, 6], [3, 4, 5, 1, 6, 5, 2, 3], [7, 6, 8, 4, 9, 6, 3, 7]
    observed = abs(sum(ours) - sum(theirs)) / sum(sizes)
    far = 0
    for swap in product([False, True], repeat=8):
        first = sum(b if s else a for a, b, s in zip(ours, theirs, swap, strict=True))
        second = sum(ours) + sum(theirs) - first
        far += abs(first - second) / sum(sizes) >= observed - 1e-12
    found = randomisation_p(counts(ours, sizes), counts(theirs, sizes), rounds=20_000, seed=1)
    assert found[0] == pytest.approx(far / 256, abs=0.01)


def test_equal_systems_do_not_differ():
    same = counts([1, 2, 3], [4, 4, 4])
    assert randomisation_p(same, same, rounds=100, seed=0)[0] == 1
    assert bootstrap_p(np.zeros((50, 1)), np.zeros(1))[0] == 1


def test_undefined_differences_have_no_p_value():
    none = counts([0, 0], [0, 0])
    assert np.isnan(randomisation_p(none, none, rounds=10, seed=0)[0])


def test_randomisation_is_the_same_for_the_same_seed_and_other_for_another():
    a, b = counts([1, 2, 3, 4], [5] * 4), counts([2, 2, 1, 1], [5] * 4)
    first, again, other = (randomisation_p(a, b, rounds=500, seed=s)[0] for s in (3, 3, 4))
    assert first == again
    assert first != other


@given(st.lists(st.floats(0, 1), max_size=8))
def test_the_correction_raises_a_value_to_its_multiple_at_most(values):
    by_holm = holm(values)
    for p, h in zip(values, by_holm, strict=True):
        assert p <= h <= min(1, len(values) * p)
    order = sorted(range(len(values)), key=values.__getitem__)
    assert [by_holm[k] for k in order] == sorted(by_holm)


def test_holm_by_hand():
    """Three tests: .01 x 3, .02 x 2, .03 x 1 raised to what comes before it."""
    assert holm([0.02, 0.01, 0.03]) == pytest.approx([0.04, 0.03, 0.04])

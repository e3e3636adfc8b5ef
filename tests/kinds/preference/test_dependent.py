"""Tests of two correlations that rest on the same items."""

import numpy as np
import pytest

from arbitree.kinds.preference.statistics.dependent import NO_TEST, contrast, steiger
from arbitree.measures.resampling import tail_p

# Two metrics with ρ .3487 and .2730 on 200 items. Their correlation with each other is not given: .8491 is
# the one that makes Steiger's z 2.0447.
BETWEEN = 0.849104


def test_the_worked_example_of_steiger():
    found = steiger(0.3487, 0.2730, BETWEEN, 200)
    assert found.z == pytest.approx(2.0447, abs=5e-5)
    assert found.p == pytest.approx(0.0409, abs=5e-5)


def test_there_is_no_test_without_room():
    assert steiger(1.0, 0.5, 0.5, 100) == NO_TEST
    assert steiger(0.3, 0.3, 1.0, 100) == NO_TEST
    assert steiger(0.3, 0.2, 0.5, 3) == NO_TEST


def test_the_sign_of_z_follows_the_order():
    one, other = steiger(0.5, 0.3, 0.6, 80), steiger(0.3, 0.5, 0.6, 80)
    assert one.z == pytest.approx(-other.z)
    assert one.p == pytest.approx(other.p)


def test_a_metric_against_itself_makes_no_difference():
    x, y = np.array([1.0, -1, 1, 0, -1, 1]), np.array([1.0, 0, 1, 0, 1, 1])
    found = contrast(x, x, y, np.ones((5, 6)), 0.95)
    assert found.difference == 0
    assert found.interval == (0, 0)
    assert found.bootstrap == 1


def test_the_bootstrap_counts_the_smaller_tail_twice():
    assert tail_p(np.array([1.0] * 98 + [-1.0])) == pytest.approx(2 * 2 / 100)
    assert tail_p(np.array([np.nan])) is None

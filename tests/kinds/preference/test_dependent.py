"""Tests of two correlations that rest on the same items."""

import numpy as np
import pytest

from arbitree.kinds.preference.statistics.dependent import (
    NO_TEST,
    bootstrap_p,
    contrast,
    fisher_independent,
    meng,
    steiger,
)

# Two metrics with ρ .3487 and .2730 on 200 items. Their correlation with each other is not given: .8491 is
# the one that makes Steiger's z 2.0447, and then that of Meng, Rosenthal and Rubin must be 2.0432.
BETWEEN = 0.849104


def test_the_worked_example_of_steiger():
    found = steiger(0.3487, 0.2730, BETWEEN, 200)
    assert found.z == pytest.approx(2.0447, abs=5e-5)
    assert found.p == pytest.approx(0.0409, abs=5e-5)


def test_the_worked_example_of_meng_rosenthal_rubin():
    found = meng(0.3487, 0.2730, BETWEEN, 200)
    assert found.z == pytest.approx(2.0432, abs=5e-5)
    assert found.p == pytest.approx(0.0410, abs=5e-5)


def test_the_independent_test_finds_nothing_there():
    """p is .406 from unrounded correlations; those printed give .405."""
    assert fisher_independent(0.3487, 0.2730, 200).p == pytest.approx(0.406, abs=1e-3)


@pytest.mark.parametrize(
    ("las", "other", "n", "starred"),
    [
        (0.547, 0.387, 200, True),
        (0.547, 0.541, 200, False),
        (0.297, 0.171, 200, False),
        (0.466, 0.310, 200, False),
        (0.466, 0.190, 200, True),
        (0.478, 0.250, 184, True),
        (0.457, 0.361, 984, True),
        (0.457, 0.448, 984, False),
    ],
)
def test_published_stars_are_those_of_the_independent_test(las, other, n, starred):
    """Cells of Table 4 of Plank et al. (2015)."""
    assert (fisher_independent(las, other, n).p < 0.05) is starred


def test_there_is_no_test_without_room():
    assert fisher_independent(1.0, 0.5, 100) == NO_TEST
    assert steiger(0.3, 0.3, 1.0, 100) == NO_TEST
    assert meng(0.3, 0.3, 1.0, 100) == NO_TEST
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
    assert bootstrap_p(np.array([1.0] * 98 + [-1.0])) == pytest.approx(2 * 2 / 100)
    assert bootstrap_p(np.array([np.nan])) is None

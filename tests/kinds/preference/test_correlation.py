"""Coefficients against scipy, and the laws of resampling and ceilings."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from arbitree.kinds.preference.statistics.correlation import (
    associate,
    auc,
    ceiling,
    kendall,
    midranks,
    pearson,
    resampled,
    spearman,
)

VALUES = st.lists(st.tuples(st.integers(-3, 3), st.integers(0, 1)), min_size=4, max_size=30)


def sides(pairs):
    x, y = (np.array(side, dtype=float) for side in zip(*pairs, strict=True))
    return x, y


@given(VALUES)
def test_coefficients_are_those_of_scipy(pairs):
    x, y = sides(pairs)
    if len(set(x)) < 2 or len(set(y)) < 2:
        assert spearman(x, y) is None
        assert kendall(x, y) is None
        return
    assert spearman(x, y) == pytest.approx(stats.spearmanr(x, y).statistic)
    assert kendall(x, y) == pytest.approx(stats.kendalltau(x, y).statistic)
    assert pearson(x, y) == pytest.approx(stats.pointbiserialr(y, x).statistic)
    u = stats.mannwhitneyu(x[y == 1], x[y == 0]).statistic
    assert auc(x, y) == pytest.approx(u / (np.sum(y == 1) * np.sum(y == 0)))


@given(VALUES)
def test_no_pairing_exceeds_the_ceiling(pairs):
    x, y = sides(pairs)
    rho, most = spearman(x, y), ceiling(x, y)
    if rho is not None:
        assert rho <= most + 1e-9


def test_the_ceiling_of_untied_differences_and_even_verdicts():
    """√(3p(1 - p)) with p = 1/2 is 0.866; the finite value tends to it."""
    x, y = np.arange(1000), np.arange(1000) % 2
    assert ceiling(x, y) == pytest.approx(0.866, abs=1e-3)


@given(VALUES, st.integers(0, 100))
def test_a_resample_is_the_coefficient_of_the_items_drawn(pairs, seed):
    x, y = sides(pairs)
    drawn = np.random.default_rng(seed).integers(len(x), size=len(x))
    weights = np.bincount(drawn, minlength=len(x)).astype(float)[None]
    expected = spearman(x[drawn], y[drawn])
    found = resampled(x, y, weights)[0]
    assert np.isnan(found) if expected is None else found == pytest.approx(expected)


@given(VALUES)
def test_changing_sides_changes_nothing(pairs):
    x, y = sides(pairs)
    ours, theirs = associate(x, y), associate(-x, 1 - y)
    assert ours.spearman == pytest.approx(theirs.spearman) if ours.spearman is not None else True
    assert ours.auc == pytest.approx(theirs.auc) if ours.auc is not None else theirs.auc is None


def test_ranks_share_their_mean():
    assert midranks([5, 1, 5, 7]).tolist() == [2.5, 1, 2.5, 4]

"""Quantiles: those of SciPy, the distribution at the quantile, and what is known in closed form."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import betainc, betaincinv, ndtri, stdtr, stdtrit

from arbitree.measures.quantiles import beta, student

LEVELS = st.floats(0.0001, 0.9999)
PARAMETERS = st.floats(0.5, 1e5)


@given(PARAMETERS, PARAMETERS, LEVELS)
def test_the_share_below_a_quantile_is_its_level(a, b, level):
    a, b = sorted((a, b))  # quantiles next to 1 have few digits below 1
    assert betainc(a, b, beta(a, b, level)) == pytest.approx(level, rel=1e-9)


@given(st.integers(1, 10**6), st.integers(1, 10**6), LEVELS)
def test_quantiles_are_those_of_scipy(a, b, level):
    assert beta(a, b, level) == pytest.approx(betaincinv(a, b, level), rel=1e-9)


@given(PARAMETERS, PARAMETERS, LEVELS)
def test_quantiles_of_exchanged_parameters_add_up_to_one(a, b, level):
    assert beta(a, b, level) + beta(b, a, 1 - level) == pytest.approx(1, rel=1e-12)


@given(st.floats(0.5, 1000), LEVELS)
def test_one_parameter_of_one_gives_a_power(a, level):
    assert beta(a, 1, level) == pytest.approx(level ** (1 / a), rel=1e-12)


@given(st.floats(1, 1e12), st.floats(0.5, 0.9999))
def test_student_is_the_quantile_of_scipy(freedom, confidence):
    assert student(freedom, confidence) == pytest.approx(stdtrit(freedom, (1 + confidence) / 2), rel=1e-10)


@given(st.floats(1, 1e6), st.floats(0.5, 0.9999))
def test_student_leaves_half_of_the_rest_above(freedom, confidence):
    assert stdtr(freedom, -student(freedom, confidence)) == pytest.approx((1 - confidence) / 2, rel=1e-9)


@pytest.mark.parametrize("confidence", [1e-9, 0.001, 0.3, 0.5, 0.9, 0.95, 0.999])
def test_student_has_a_closed_form_for_one_and_two_degrees_of_freedom(confidence):
    assert student(1, confidence) == pytest.approx(math.tan(math.pi * confidence / 2), rel=1e-12)
    assert student(2, confidence) == pytest.approx(confidence * math.sqrt(2 / (1 - confidence**2)), rel=1e-12)


def test_the_highest_level_below_one_has_a_quantile():
    rest = (
        2.0**-53
    )  # closed form for two degrees of freedom; for many, minus the quantile of the normal at rest / 2
    assert student(2, 1 - rest) == pytest.approx((1 - rest) / math.sqrt(rest), rel=1e-12)
    assert student(1e12, 1 - rest) == pytest.approx(-ndtri(rest / 2), rel=1e-10)


@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.99])
def test_the_series_continues_the_exact_quantiles(confidence):
    below, above = student(399.999999, confidence), student(400.000001, confidence)
    assert below == pytest.approx(above, rel=1e-10)
    assert below > above


def test_quantiles_are_plain_numbers_also_for_parameters_of_numpy():
    assert type(beta(np.float64(19.5), np.float64(1.5), 0.025)) is float
    assert type(beta(np.int64(3), np.int64(4), 0.5)) is float
    assert type(student(np.float64(7), 0.95)) is float

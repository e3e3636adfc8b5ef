"""Intervals: seeds, coverage, degenerate resamples."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbitree.api.agree import agree
from arbitree.api.evaluate import evaluate
from arbitree.errors import ArbitreeError
from arbitree.measures.resampling import METHODS, Method, Resampling, Sample, quantiles
from arbitree.study.result import Interval
from tests.support.build import dep, study_of
from tests.support.random_studies import some_study

CHAIN, STAR = dep([0, 1, 2]), dep([0, 1, 1])


def mean_score(values):
    def score(weights):
        with np.errstate(invalid="ignore"):
            return weights @ values / weights.sum(axis=1)

    return score


def interval(resampling, values):
    score, members = mean_score(values), np.arange(len(values))
    return resampling.interval(Sample(score, members, len(values), names=lambda: ()))


def test_the_seed_decides():
    study = some_study()
    options = {"interval": "percentile", "resamples": 200}
    same = [evaluate(study, "alpha_plain", seed=3, **options).interval for _ in range(2)]
    assert same[0] == same[1]
    assert evaluate(study, "alpha_plain", seed=4, **options).interval != same[0]


def test_the_interval_of_a_mean_is_close_to_the_normal_one():
    values = np.random.default_rng(0).normal(size=400)
    found = interval(Resampling(4000, method="percentile"), values)
    half = 1.96 * values.std() / 20
    assert found.low == pytest.approx(values.mean() - half, abs=0.012)
    assert found.high == pytest.approx(values.mean() + half, abs=0.012)


def test_chunks_of_resamples_do_not_change_them(monkeypatch):
    from arbitree.measures import resampling

    study = some_study()
    whole = evaluate(study, "las", interval="percentile", resamples=100).interval
    monkeypatch.setattr(resampling, "CHUNK", 70)
    assert evaluate(study, "las", interval="percentile", resamples=100).interval == whole


def test_resamples_without_a_value_are_counted_and_dropped():
    study = study_of({"a": {"x": CHAIN, "y": CHAIN}, "b": {"x": STAR, "y": STAR}})
    result = evaluate(study, "alpha_plain", interval="percentile", resamples=400)
    assert 100 < result.interval.undefined < 300  # both items the same: half of the draws
    assert result.details["undefined_resamples"] == result.interval.undefined
    assert result.interval.low == result.interval.high == 1


def test_coverage_of_the_interval_is_near_what_it_says():
    """200 samples of a population with known mean similarity; 90 per cent intervals."""
    rng = random.Random(11)
    inside = 0
    for _ in range(200):
        rows = {
            str(k): {"x": CHAIN, "y": CHAIN if rng.random() < 0.7 else STAR} for k in range(40)
        }  # STAR has 2 of 3 heads right
        found = evaluate(study_of(rows), "uas", interval="percentile", resamples=200, confidence=0.9).interval
        inside += found.low <= 0.7 + 0.3 * 2 / 3 <= found.high
    assert 165 <= inside <= 195


@pytest.mark.parametrize("options", [{"method": "bca"}, {"confidence": 1.5}, {"resamples": -1}, {"seed": -1}])
def test_bad_settings_are_refused(options):
    with pytest.raises(ArbitreeError):
        evaluate(some_study(), "las", **options)


@given(
    st.lists(st.floats(-1, 1), min_size=1, max_size=40),
    st.lists(st.floats(0, 1), min_size=1, max_size=3),
)
def test_quantiles_have_the_digits_of_numpy(values, levels):
    assert quantiles(np.array(values), levels).tolist() == np.quantile(values, levels).tolist()


class Mine(Method):
    resampled = True

    def interval(self, sample, settings):
        return Interval(-settings.confidence, sample.value, settings.confidence, "mine", settings.resamples)

    def difference(self, first, second, paired, settings):
        return (-settings.confidence, first.value - second.value), 0.5


def test_a_new_method_makes_the_intervals_of_values_and_of_differences(monkeypatch):
    monkeypatch.setitem(METHODS, "mine", Mine())
    found = agree(some_study(), ["las", "uas"], difference=True, interval="mine", resamples=5)
    assert found["las"].interval.low == -0.95
    assert found["las"].interval.method == "mine"
    (row,) = found.tables["differences"].records()
    assert (row["low"], row["high"]) == (-0.95, row["difference"])

"""UAS, LAS and LA, two coders and more."""

import pytest

from arbitree.api.evaluate import evaluate, evaluate_all
from tests.support.build import dep, study_of


def test_two_coders_give_the_usual_scores():
    study = study_of(
        {
            "a": {"x": dep([2, 0, 2], "sro"), "y": dep([2, 0, 1], "srp")},
            "b": {"x": dep([0], "r"), "y": dep([0], "r")},
        }
    )
    results = {r.measure: r.value for r in evaluate_all(study, ["uas", "las", "la"], resamples=0)}
    assert results == {"uas": 3 / 4, "las": 3 / 4, "la": 3 / 4}


def test_more_coders_are_averaged_per_sentence_and_weighted_by_length():
    """Equation 3 of Skjærholt (2014)."""
    study = study_of(
        {
            "a": {"x": dep([0, 1], "rs"), "y": dep([0, 1], "rs"), "z": dep([0, 1], "rt")},
            "b": {"x": dep([0, 1, 1, 1], "rstu"), "z": dep([0, 1, 1, 2], "rstu")},
        }
    )
    expected = (2 * (1 + 0.5 + 0.5) / 3 + 4 * 0.75) / 6
    assert evaluate(study, "las", resamples=0).value == pytest.approx(expected)


def test_differing_numbers_of_tokens_are_ignored_and_listed():
    study = study_of(
        {
            "a": {"x": dep([0, 1]), "y": dep([0, 1, 2])},
            "b": {"x": dep([0]), "y": dep([0])},
            "c": {"x": dep([0])},
        }
    )
    result = evaluate(study, "las", resamples=0)
    assert result.value == 1
    assert {each.item: each.reason for each in result.ignored} == {
        "a": "token_mismatch",
        "c": "single_annotation",
    }
    assert result.details["ignored"] == {"single_annotation": 1, "token_mismatch": 1}
    assert evaluate(study, "alpha_plain", resamples=0).items_used == 2


def test_nothing_to_compare_is_undefined():
    study = study_of({"a": {"x": dep([0, 1]), "y": dep([0])}})
    result = evaluate(study, "las", resamples=10)
    assert (result.value, result.status, result.interval) == (None, "no_pairable", None)


def test_per_item_values_sum_up_to_the_whole():
    study = study_of(
        {"a": {"x": dep([0, 1], "rs"), "y": dep([0, 1], "rt")}, "b": {"x": dep([0]), "y": dep([0])}}
    )
    result = evaluate(study, "las", resamples=0)
    rows = result.per_item.records()
    assert sum(r["numerator"] for r in rows) / sum(r["denominator"] for r in rows) == pytest.approx(
        result.value
    )

"""Suggestions for contested places: how probable they are, and who speaks for them."""

import pytest

from arbitree import kinds
from arbitree.adjudication.differences import disagreements
from arbitree.adjudication.suggestions import Reason, reasons
from tests.support.build import labelled


def found(rows, suggested):
    """Return the reasons for labels that are suggested for items."""
    study = labelled(rows)
    wanted = {item: {"label": value} for item, value in suggested.items()}
    return reasons(disagreements(study, kinds.of(study)), wanted)


def test_the_probability_is_that_of_annotators_who_know_or_guess():
    """By hand, with 2 labels: c0 and c1 are right at 3 of 4 contested items, c2 at 1 of 4."""
    rows = [["x", "x", "y"], ["x", "x", "y"], ["x", "y", "x"], ["y", "x", "y"]]
    made = found(rows, {"0": "x", "1": "x", "2": "x", "3": "x"})
    know = (0.75 - 0.5) / 0.5
    right, wrong = know + (1 - know) / 2, (1 - know) / 2
    assert made["0"]["label"] == Reason(
        pytest.approx(right * right / (right * right + wrong * wrong)), "c0", 0.75, 2, 3
    )  # c2 knows nothing, and is as likely to give either label
    assert made["3"]["label"] == Reason(pytest.approx(0.5), "c1", 0.75, 1, 3)


def test_annotators_who_err_are_taken_to_give_one_of_the_values_of_the_place():
    """By hand: c0 and c1 are right at 2 of 3 items, c2 at none; every item has its own labels."""
    rows = [["a", "a", "b"], ["c", "d", "c"], ["e", "f", "f"]]
    made = found(rows, {"0": "a", "1": "d", "2": "e"})
    know = (2 / 3 - 1 / 2) / (1 / 2)
    pair = (know + (1 - know) / 2) ** 2 / 2
    single = ((1 - know) / 2) ** 2 / 2
    assert made["0"]["label"].probability == pytest.approx(pair / (pair + single))


def test_there_is_no_reason_for_a_value_that_nobody_gives():
    assert found([["x", "x", "y"]], {"0": "z"}) == {}
    assert found([["x", "x", "y"]], {}) == {}


def test_annotators_who_gave_nothing_do_not_count():
    (made,) = found([["x", "y", None], ["x", "x", "y"]], {"0": "x", "1": "x"})["0"].values()
    assert (made.given, made.done) == (1, 2)


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        (Reason(0.9996, "c0", 1.0, 2, 3), "probability >0.99: 2 of 3 annotators"),
        (Reason(0.72, "c0", 0.4, 1, 3), "probability 0.72: B is right on labels more often than the others"),
        (Reason(0.2, "c0", 0.9, 2, 3), "uncertain: part of the most probable annotation"),
    ],
)
def test_the_reason_is_given_in_words(reason, words):
    assert reason.words("labels", {"c0": "B"}.get) == words

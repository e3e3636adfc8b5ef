"""What an adjudicator decided, by hand."""

import pytest

from arbitree.adjudication.differences import disagreements
from arbitree.adjudication.standings import follow
from arbitree.adjudication.workbook import Decided, Decision
from arbitree.errors import StudyError
from tests.build import dep, study_of

STUDY = study_of(
    {
        "a": {"ann": dep((2, 0, 2)), "bob": dep((3, 0, 2)), "cho": dep((2, 0, 2))},
        "b": {"ann": dep((0, 1), "xy"), "bob": dep((0, 1), "xz")},
    }
)


def decided(*rows):
    found = [Decision(*row, "", f"Adjudication!H{number}") for number, row in enumerate(rows, start=2)]
    return Decided("x.xlsx", tuple(found))


def test_nothing_is_decided_at_first():
    found = follow(disagreements(STUDY), decided())
    assert (found.places, found.decided, found.undecided) == (2, 0, 2)
    assert [each.share for each in found.coders] == [None, None, None]


def test_shares_and_agreement_are_of_what_a_coder_annotated():
    """ann has 8 agreed places (2 heads, 3 labels; 2 heads, 1 label), cho 5, of the first sentence alone."""
    rows = decided(("a", "1", "head", "2 w1"), ("b", "2", "label", "z"))
    ann, bob, cho = follow(disagreements(STUDY), rows).coders
    assert (ann.followed, ann.decided, ann.share, ann.agreement) == (1, 2, 0.5, 9 / 10)
    assert (bob.followed, bob.decided, bob.share, bob.agreement) == (1, 2, 0.5, 9 / 10)
    assert (cho.followed, cho.decided, cho.share, cho.agreement) == (1, 1, 1.0, 1.0)


@pytest.mark.parametrize("written", ["3 w2", "3 W2", "3", "bob", "BOB"])
def test_a_head_is_chosen_by_value_number_or_coder(written):
    found = follow(disagreements(STUDY), decided(("a", "1", "head", written)))
    assert [each.followed for each in found.coders] == [0, 1, 0]
    assert found.neither == 0


def test_another_value_follows_nobody():
    found = follow(disagreements(STUDY), decided(("b", "2", "label", "q")))
    assert (found.decided, found.neither) == (1, 1)
    assert found.kinds == {"head": (0, 1), "label": (1, 1)}


def test_a_decision_for_a_place_that_is_not_contested_is_refused():
    with pytest.raises(StudyError, match=r"x\.xlsx: Adjudication!H2: the head of 'a' at 9 is not contested"):
        follow(disagreements(STUDY), decided(("a", "9", "head", "1")))
    follow(disagreements(STUDY), decided(("a", "9", "head", "")))

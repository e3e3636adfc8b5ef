"""What an adjudicator decided, by hand."""

import pytest

from arbitree.adjudication.differences import disagreements
from arbitree.adjudication.standings import follow, standings
from arbitree.adjudication.workbook import Filled, FilledRow
from arbitree.errors import StudyError
from arbitree.kinds.dependency.kind import KIND
from tests.support.build import dep, study_of

STUDY = study_of(
    {
        "a": {"ann": dep((2, 0, 2)), "bob": dep((3, 0, 2)), "cho": dep((2, 0, 2))},
        "b": {"ann": dep((0, 1), "xy"), "bob": dep((0, 1), "xz")},
    }
)
FOUND = disagreements(STUDY, KIND)


def decided(*rows):
    found = [FilledRow(*row, "", f"Adjudication!H{number}") for number, row in enumerate(rows, start=2)]
    return Filled("x.xlsx", tuple(found))


def test_nothing_is_decided_at_first():
    found = follow(FOUND, decided())
    assert (found.places, found.decided, found.undecided) == (2, 0, 2)
    assert [each.share for each in found.coders] == [None, None, None]


def test_shares_and_agreement_are_of_what_a_coder_annotated():
    """ann has 8 agreed places (2 heads, 3 labels; 2 heads, 1 label), cho 5, of the first sentence alone."""
    rows = decided(("a", "1", "head", "2 w1"), ("b", "2", "label", "z"))
    ann, bob, cho = follow(FOUND, rows).coders
    assert (ann.followed, ann.decided, ann.share, ann.agreement) == (1, 2, 0.5, 9 / 10)
    assert (bob.followed, bob.decided, bob.share, bob.agreement) == (1, 2, 0.5, 9 / 10)
    assert (cho.followed, cho.decided, cho.share, cho.agreement) == (1, 1, 1.0, 1.0)


@pytest.mark.parametrize("written", ["3 w2", "3 W2", "3", "bob", "BOB"])
def test_a_head_is_chosen_by_value_number_or_coder(written):
    found = follow(FOUND, decided(("a", "1", "head", written)))
    assert [each.followed for each in found.coders] == [0, 1, 0]
    assert found.neither == 0


def test_another_value_follows_nobody():
    found = follow(FOUND, decided(("b", "2", "label", "q")))
    assert (found.decided, found.neither) == (1, 1)
    assert found.kinds == {"head": (0, 1), "label": (1, 1)}


def test_a_decision_for_a_place_that_is_not_contested_is_refused():
    with pytest.raises(
        StudyError, match=r"x\.xlsx: Adjudication!H2: annotators do not disagree on the head of 'a' at 9"
    ):
        follow(FOUND, decided(("a", "9", "head", "1")))
    follow(FOUND, decided(("a", "9", "head", "")))


def test_a_coder_without_a_value_is_not_counted():
    ann, bob = standings(("ann", "bob"), [(True, False), (False, None)], (2, 0))
    assert (ann.followed, ann.decided, ann.share, ann.agreement) == (1, 2, 0.5, 3 / 4)
    assert (bob.followed, bob.decided, bob.share, bob.agreement) == (0, 1, 0.0, 0.0)

"""Decisions on what came of a sentence in several profiles."""

from dataclasses import replace

import pytest

from arbitree.adjudication.whole import sheet_of
from arbitree.errors import UnknownName
from arbitree.kinds.treebanking.kind import KIND
from arbitree.kinds.treebanking.value import AMBIGUOUS, REJECTED, TWIG, UNANNOTATED, Option
from tests.support.build import study_of
from tests.support.profiles import decisions

ONE = decisions((1, "sing ARG1 bird"), (2, "sing ARG1 song"), chosen=(12,))
TWO = decisions((2, "sing ARG1 bird"), (1, "sing ARG1 song"), chosen=(3,))
NONE = decisions(status=REJECTED, chosen=())


def sheet(*values):
    study = study_of({"s1": dict(zip(("ann", "bob", "cho"), values, strict=False))})
    return sheet_of(study, study.items[0], KIND)


def test_outcomes_are_values_in_words():
    (place,) = sheet(ONE, NONE, TWO).places
    assert (place.key, place.words) == ("reading", "birds sing")
    assert place.values == ("accepted 12", "rejected", "accepted 3")


def test_the_context_tells_on_what_coders_differ():
    assert sheet(ONE, TWO).places[0].context == (
        "dependency sing ARG1 bird: ann yes, bob no; dependency sing ARG1 song: ann no, bob yes"
    )


def test_the_coder_who_has_the_outcome_gives_the_annotation():
    found = sheet(ONE, NONE, TWO)
    assert found.gold({}) is None
    assert found.gold({"reading": "accepted 3"}) is TWO
    assert found.gold({"reading": "rejected"}) is NONE


def test_an_adjudicator_may_reject_or_want_another_parse():
    found = sheet(ONE, TWO)
    rejected, other = (found.gold({"reading": value}) for value in ("rejected", "other"))
    assert (rejected.status, rejected.chosen, rejected.options) == (REJECTED, (), ())
    assert (other.status, other.text) == ("other", "birds sing")
    with pytest.raises(UnknownName, match="accepted 12, accepted 3, rejected, other"):
        found.judge({}, {"reading": "accepted 7"})


def test_agreed_outcomes_leave_nothing_to_decide():
    assert not sheet(ONE, ONE).places
    assert sheet(ONE, ONE).gold({}) is ONE


def test_whoever_left_it_undecided_has_no_value():
    found = sheet(replace(ONE, status=UNANNOTATED, chosen=()), TWO)
    assert found.places[0].choices == (("accepted 3", ("bob",)),)
    assert found.remarks == ("No treebanking decision by: ann (unannotated).",)
    assert not sheet(*[replace(ONE, status=UNANNOTATED)] * 2).places


def test_several_trees_left_are_an_outcome_of_their_own():
    several = replace(ONE, status=AMBIGUOUS, chosen=(1, 2))
    many = replace(ONE, status=AMBIGUOUS, chosen=tuple(range(40)))
    assert sheet(several, ONE, many).places[0].values == (
        "ambiguous 1/2",
        "accepted 12",
        "ambiguous, 40 left",
    )


def test_parses_of_packed_forests_are_told_apart_by_who_chose_them():
    """A forest stores one parse, always with id 0."""
    forests = [
        replace(ONE, forest=True, chosen=(0,), options=(Option(1, TWIG, key, 0, 2),))
        for key in ("np", "vp", "np")
    ]
    assert sheet(*forests).places[0].choices == (
        ("accepted (ann)", ("ann", "cho")),
        ("accepted (bob)", ("bob",)),
    )


def test_options_that_one_coder_alone_took_tell_packed_forests_apart():
    bob = replace(ONE, forest=True, chosen=(0,), options=(Option(1, TWIG, "vp", 0, 2),))
    ann = replace(bob, options=(*bob.options, Option(1, TWIG, "np", 1, 2)))
    assert sheet(ann, bob).places[0].context == "chain np 1-2: only ann"

"""Decisions on head and label that contradict each other at the root."""

import pytest

from arbitree import kinds
from arbitree.adjudication.gold import Adjudication
from arbitree.adjudication.tag_sets import TagSet
from arbitree.kinds.dependency.value import DepTree
from tests.support.build import study_of

WORDS = ("we", "saw", "her")


def tree(heads, labels):
    return DepTree(WORDS, heads, labels)


ANN = tree((2, 0, 2), ("nsubj", "root", "obj"))
BOB = tree((3, 3, 0), ("nsubj", "aux", "root"))
CONSISTENT = {"s1": {"ann": ANN, "bob": BOB}}
# In s2, annotators also give obj to a root and root to another word.
MIXED = {**CONSISTENT, "s2": {"ann": tree((2, 0, 2), ("nsubj", "obj", "root")), "bob": ANN}}


def sheet_of(cells, tags=None):
    study = study_of(cells)
    return Adjudication(study, kinds.of(study), tags=tags).sheet(1)


def test_a_label_of_other_words_does_not_fit_the_root():
    verdict = sheet_of(CONSISTENT).weigh({}, {"3 head": "0 root", "3 label": "obj"})
    assert verdict.problem == "her would be the root, but obj is not the label of a root."
    assert [(offer.words, offer.changes, offer.confirm) for offer in verdict.offers] == [
        ("Use the label root.", {"3 head": "0 root", "3 label": "root"}, False),
        ("Attach her to saw.", {"3 head": "2 saw", "3 label": "obj"}, False),
    ]


def test_the_label_of_the_root_does_not_fit_another_word():
    verdict = sheet_of(CONSISTENT).weigh({"3 head": "2 saw"}, {"3 label": "root"})
    assert verdict.problem == "root is the label of the root, but her would be attached to saw."
    words = [offer.words for offer in verdict.offers]
    assert words == ["Use the label obj.", "Make her the root."]


def test_a_refused_arc_stays_refused_if_annotators_are_consistent():
    sheet = sheet_of(CONSISTENT)
    wish = {"3 head": "0 root", "3 label": "obj"}
    assert sheet.weigh({}, wish, confirmed=True).problem


@pytest.mark.parametrize("coder", ["ann", "bob"])
def test_arcs_of_an_annotator_are_accepted(coder):
    sheet = sheet_of(MIXED)
    assert not sheet.weigh({}, sheet.of_coder(coder)).problem


def test_half_an_arc_is_accepted_while_the_other_half_is_undecided():
    assert not sheet_of(CONSISTENT).weigh({}, {"3 head": "0 root"}).problem


def test_annotators_who_are_not_consistent_leave_the_decision_to_the_adjudicator():
    sheet = sheet_of(MIXED)
    wish = {"3 head": "0 root", "3 label": "obj"}
    verdict = sheet.weigh({}, wish)
    assert verdict.problem.endswith("obj is the label of 1 root and of 2 other words.")
    assert verdict.offers[-1].words == "Save anyway"
    assert verdict.offers[-1].confirm
    assert not sheet.weigh({}, wish, confirmed=True).problem


def test_offers_that_would_create_a_cycle_are_left_out():
    verdict = sheet_of(CONSISTENT).weigh(
        {"2 head": "3 her", "2 label": "aux"}, {"3 head": "0", "3 label": "obj"}
    )
    assert [offer.words for offer in verdict.offers] == ["Use the label root."]


def test_the_tag_set_tells_the_label_of_the_root():
    tags = TagSet("tags.txt", {"label": ("nsubj", "obj", "aux", "root")})
    sheet = sheet_of(MIXED, tags)
    assert sheet.weigh({}, {"3 head": "0 root", "3 label": "obj"}, confirmed=True).problem
    assert not sheet.weigh({}, {"3 head": "0 root", "3 label": "root"}).problem


def test_a_tag_set_without_a_label_of_the_root_says_nothing_about_it():
    tags = TagSet("tags.txt", {"label": ("nsubj", "obj", "aux", "main")})
    study = study_of(
        {
            "s1": {
                "ann": tree((2, 0, 2), ("nsubj", "main", "obj")),
                "bob": tree((2, 0, 1), ("obj", "main", "obj")),
            }
        }
    )
    sheet = Adjudication(study, kinds.of(study), tags=tags).sheet(1)
    assert not sheet.weigh({}, sheet.of_coder("bob")).problem


def test_an_agreed_root_can_be_attached_before_it_gets_another_label():
    sheet = sheet_of({"s1": {"ann": ANN, "bob": tree((2, 0, 1), ("nsubj", "root", "obj"))}})
    verdict = sheet.weigh({"1 head": "0 root", "1 label": "root"}, {"2 head": "1 we"})
    assert verdict.offers[-1].words == "Save anyway"

"""Decisions on labels and sets of tags."""

import pytest

from arbitree.adjudication.whole import sheet_of
from arbitree.errors import ArbitreeError, StudyError, UnknownName
from arbitree.kinds.labels.kind import KIND
from arbitree.kinds.labels.value import Label, Tags
from tests.support.build import study_of


def sheet(**values):
    study = study_of({"s1": values}, ("ann", "bob", "cho"))
    return sheet_of(study, study.items[0], KIND)


def test_the_label_is_the_one_place():
    found = sheet(ann=Label("for"), bob=Label("against"), cho=Label("for"))
    (place,) = found.places
    assert place.key == "label"
    assert place.choices == (("for", ("ann", "cho")), ("against", ("bob",)))
    assert found.gold({}) is None
    assert found.gold({"label": "against"}) == Label("against")
    assert found.of_coder("bob") == {"label": "against"}


def test_a_label_of_ones_own_is_taken():
    found = sheet(ann=Label("for"), bob=Label("against"))
    assert found.judge({}, {"label": "  rather  for "}).changes == {"label": "rather for"}
    assert found.gold({"label": "rather for"}) == Label("rather for")


@pytest.mark.parametrize("value", ["", " ", "a\x00b", "x" * 101, "for|against"])
def test_what_a_table_would_read_otherwise_is_refused(value):
    with pytest.raises(ArbitreeError):
        sheet(ann=Label("for"), bob=Label("against")).judge({}, {"label": value})


def test_tags_are_written_with_bars():
    found = sheet(ann=Tags.of(["a"]), bob=Tags.of(["a", "b"]))
    assert found.places[0].values == ("a", "a|b")
    assert found.judge({}, {"label": "c | b"}).changes == {"label": "b|c"}
    assert found.gold({"label": "b|c"}) == Tags.of("bc")
    assert found.gold({"label": "c"}) == Tags.of("c")


@pytest.mark.parametrize("value", ["|", "a:0.7|b:0.7"])
def test_tags_that_are_none_are_refused(value):
    with pytest.raises(ArbitreeError):
        sheet(ann=Tags.of("a"), bob=Tags.of("b")).judge({}, {"label": value})


def test_a_distribution_of_a_coder_is_taken_with_all_its_digits():
    exact = Tags((("a", 1 / 3), ("b", 2 / 3)))
    found = sheet(ann=exact, bob=Tags.of("b"))
    assert found.gold(found.of_coder("ann")) == exact


def test_coders_who_agree_leave_nothing_to_decide_but_can_be_overruled():
    found = sheet(ann=Label("for"), bob=Label("for"))
    assert not found.places
    assert found.gold({}) == Label("for")
    assert found.gold({"label": "against"}) == Label("against")


def test_there_is_no_other_place():
    with pytest.raises(UnknownName, match="label"):
        sheet(ann=Label("for"), bob=Label("against")).place("1 label")


def test_a_coder_who_has_not_the_item_is_refused():
    with pytest.raises(UnknownName, match="cho"):
        sheet(ann=Label("for"), bob=Label("against")).of_coder("cho")


def test_items_that_nobody_annotated_have_no_sheet():
    with pytest.raises(StudyError):
        sheet()

"""Items of which one coder's annotation is taken as it is."""

import pytest

from arbitree import kinds
from arbitree.adjudication.whole import sheet_of
from arbitree.errors import UnknownName
from arbitree.kinds.dependency.value import DepTree
from arbitree.kinds.labels.value import Label
from arbitree.kinds.preference.value import Preference
from tests.support.build import dep, study_of


def sheet(one_root=False, **values):
    study = study_of({"s1": values})
    return sheet_of(study, study.items[0], kinds.of(study), one_root=one_root)


SHORT = dep((0, 1), tokens=("cannot", "go"))
LONG = dep((0, 1, 1), tokens=("can", "not", "go"))


def test_coders_with_other_tokens_are_choices():
    found = sheet(ann=SHORT, bob=LONG, cho=SHORT)
    (place,) = found.places
    assert (found.kind, place.key) == ("whole", "whole")
    assert place.choices == (("ann", ("ann", "cho")), ("bob", ("bob",)))
    assert found.gold({}) is None
    assert found.gold({"whole": "bob"}) is LONG
    assert "tokens differ" in found.remarks[0]


def test_a_coder_who_has_the_same_as_another_is_meant_by_both_names():
    found = sheet(ann=SHORT, bob=LONG, cho=SHORT)
    assert found.of_coder("cho") == {"whole": "ann"}
    assert found.judge({}, {"whole": "cho"}).changes == {"whole": "ann"}


def test_other_words_in_the_same_number_are_another_sentence():
    assert sheet(ann=SHORT, bob=dep((0, 1), tokens=("rain", "fell"))).kind == "whole"


@pytest.mark.parametrize("value", [SHORT, Label("for")])
def test_one_coder_alone_is_one_choice(value):
    found = sheet(ann=value)
    assert [place.values for place in found.places] == [("ann",)]
    assert found.remarks == ("Only ann has annotated this.",)
    assert found.gold({"whole": "ann"}) is value


def test_annotations_without_tokens_do_not_count():
    found = sheet(ann=DepTree((), (), ()), bob=SHORT)
    assert found.places[0].values == ("bob",)
    assert found.tokens == ("cannot", "go")


def test_sentences_that_are_empty_for_all_are_agreed():
    empty = DepTree((), (), ())
    assert sheet(ann=empty, bob=empty).gold({}) is empty


def test_a_tree_with_a_circle_cannot_be_taken():
    found = sheet(ann=dep((2, 1), tokens=("cannot", "go")), bob=LONG)
    verdict = found.judge({}, {"whole": "ann"})
    assert verdict.problem == (
        "The heads form a cycle: cannot → go → cannot. Choose another annotator's tree, or fix the file."
    )
    assert found.blocked({}).keys() == {("whole", "ann")}
    assert found.gold({"whole": "ann"}) is None


def test_a_tree_with_two_roots_cannot_be_taken_where_one_is_asked_for():
    values = {"ann": dep((0, 0), tokens=("cannot", "go")), "bob": LONG}
    assert not sheet(**values).judge({}, {"whole": "ann"}).problem
    assert "one root" in sheet(one_root=True, **values).judge({}, {"whole": "ann"}).problem


def test_kinds_without_places_are_decided_by_choosing_a_coder():
    one, other = Preference(("malt", "mst"), "mst"), Preference(("malt", "mst"), None)
    found = sheet(ann=one, bob=other, cho=one)
    assert found.places[0].choices == (("ann", ("ann", "cho")), ("bob", ("bob",)))
    assert found.gold({"whole": "bob"}) == other
    assert sheet(ann=one, bob=one).gold({}) == one


def test_strangers_and_other_places_are_refused():
    with pytest.raises(UnknownName):
        sheet(ann=SHORT, bob=LONG).judge({}, {"whole": "dan"})
    with pytest.raises(UnknownName):
        sheet(ann=SHORT, bob=LONG).place("1 head")

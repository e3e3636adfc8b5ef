"""What the places of every kind promise: the same values wherever they are asked for."""

import pytest

import arbitree as at
from arbitree import kinds
from arbitree.adjudication.differences import disagreements
from arbitree.adjudication.index import index_of
from arbitree.adjudication.places import NOTHING, Said
from arbitree.adjudication.whole import sheet_of
from arbitree.kinds.dependency.places import dependency_sheet
from arbitree.study.study import Item
from tests.support.build import dep, study_of
from tests.support.examples import EXAMPLES
from tests.support.segments import KIND as SEGMENTS
from tests.support.segments import Segments


@pytest.fixture(params=EXAMPLES, ids=lambda paths: paths[0])
def study(request):
    return at.read(*request.param)


def test_a_value_is_written_alike_in_the_report_and_at_its_place(study):
    kind = kinds.of(study)
    if not kind.places.listed:
        pytest.skip("reports list no places of this kind")
    items = {item.id: item for item in study.items}
    for place in disagreements(study, kind).places:
        key = f"{place.place} {place.what}" if place.place else place.what
        choices = sheet_of(study, items[place.item], kind).place(key).choices
        given = {coder: choice.value for choice in choices for coder in choice.coders}
        for coder, said in zip(study.coders, place.values, strict=True):
            if said is not None:
                assert given[coder] == said
                if kind.models:  # they suggest values
                    assert kind.places.value_at(study.cells[place.item, coder].value, key) == said


def test_what_a_sheet_decides_is_compared_and_has_a_name(study):
    kind = kinds.of(study)
    for item in study.items:
        for place in sheet_of(study, item, kind).places:
            assert place.what in kind.places.whats or place.what in ("upos", "xpos", "feats", "lemma", "form")
            assert place.key == (f"{place.place} {place.what}" if place.place else place.what)


def test_values_that_coders_use_are_offered(study):
    kind = kinds.of(study)
    offered = {}
    for cell in study.cells.values():
        for what, values in kind.places.vocabulary(cell.value):
            offered.setdefault(what, set()).update(values)
    for place in disagreements(study, kind).places if kind.places.listed else ():
        # Of a chain of brackets, the labels are offered one by one; a role can be seen from both ends.
        if place.what in offered and place.what not in ("bracket", "role"):
            assert offered[place.what] >= set(place.choices) - {NOTHING}


def test_a_kind_without_places_is_compared_as_a_whole():
    one, two = (Segments(("it", "rained"), starts) for starts in ((), (1,)))
    rows = {"1": {"ann": one, "bob": one}, "2": {"ann": one, "bob": two}, "3": {"ann": one}}
    study = study_of(rows, ("ann", "bob"))
    index = index_of(study, SEGMENTS)
    assert index.words == ["agreed", "contested", "incomplete"]
    assert index.to_decide.tolist() == [False, True, True]
    assert [index[number].contested for number in (1, 2, 3)] == [0, 1, 0]
    assert index.confusions == ()


def test_places_that_are_not_tokens_bring_their_words():
    plain = Said("label", ["2"], [["a"], ["b"]])
    named = Said("role", ["h>p"], [["a"], ["b"]], where=[("help → patient", "They help patients .")])
    assert plain.located(("we", "sing"), 0) == ("sing", "we [sing]")
    assert named.located(("we", "sing"), 0) == ("help → patient", "They help patients .")
    assert Said("label", [""], [["a"], ["b"]]).located((), 0) == ("", "")


def test_a_place_is_inside_a_nucleus_with_all_its_tokens():
    one, two = dep((2, 0, 2), ("a", "root", "b")), dep((2, 0, 1), ("a", "root", "c"))
    sheet = dependency_sheet(Item("s1", "text", "s1"), {"ann": one, "bob": two})
    (place, *_) = sheet.places
    assert place.key == "3 head"
    assert sheet.covers(place, (1, 2))
    assert not sheet.covers(place, (0, 1))

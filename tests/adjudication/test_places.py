"""What the places of every kind promise: the same values wherever they are asked for."""

import pytest

import arbitree as at
from arbitree import kinds
from arbitree.adjudication.differences import disagreements
from arbitree.adjudication.index import index_of
from arbitree.adjudication.whole import sheet_of
from arbitree.kinds.graphs.value import Semantics
from tests.support.build import study_of
from tests.support.examples import EXAMPLES


@pytest.fixture(params=EXAMPLES, ids=lambda paths: paths[0])
def study(request):
    return at.read(*request.param)


def test_a_value_is_written_alike_in_the_report_and_at_its_place(study):
    kind = kinds.of(study)
    if not kind.places.listed:
        pytest.skip("reports list no places of this kind")
    for place in disagreements(study, kind).places:
        key = f"{place.place} {place.what}" if place.place else place.what
        for coder, said in zip(study.coders, place.values, strict=True):
            if said is not None:
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
        if place.what in offered and place.what != "bracket":  # of a chain, the labels are offered one by one
            assert offered[place.what] >= set(place.choices)


def test_a_kind_without_places_is_compared_as_a_whole():
    rain, snow = (Semantics(names=(((3, 9), name, ""),)) for name in ("_rain_v_1", "_snow_v_1"))
    rows = {"1": {"ann": rain, "bob": rain}, "2": {"ann": rain, "bob": snow}, "3": {"ann": rain}}
    study = study_of(rows, ("ann", "bob"))
    index = index_of(study, kinds.of(study))
    assert index.words == ["agreed", "contested", "incomplete"]
    assert index.to_decide.tolist() == [False, True, True]
    assert [index[number].contested for number in (1, 2, 3)] == [0, 1, 0]
    assert index.confusions == ()

"""Pictures of the adjudication page: what a click chooses, and that decisions move nothing."""

import pytest
from lxml import html

from arbitree import kinds, read
from arbitree.adjudication.places import NOTHING
from arbitree.adjudication.whole import sheet_of
from arbitree.drawing.picture import draw_item
from arbitree.kinds.phrase.choices import phrase_sheet
from arbitree.kinds.phrase.picture.pictures import PhrasePictures
from arbitree.study.study import Item
from tests.support.examples import EXAMPLES
from tests.support.phrase_trees import tree
from tests.support.pictures import choices_in

DRAWN = [paths for paths in EXAMPLES if paths[0].split("/")[1] in ("dependency", "phrase", "graphs")]


@pytest.fixture(scope="module", params=DRAWN, ids=["dependency", "phrase", "graphs"])
def contested(request):
    """A study of trees or graphs with the sheets of its contested items."""
    study = read(*request.param)
    found = [sheet_of(study, item, kinds.of(study)) for item in study.items]
    return study, [sheet for sheet in found if sheet.places]


def drawn(study, sheet, decisions):
    picture = draw_item(kinds.of(study).needed("pictures"), study, sheet.item.id, sheet.so_far(decisions))
    return picture.clickable([place.key for place in sheet.places])


def by_place(sheet):
    """Return the keys of places by what they are about: a token, a span."""
    found = {}
    for place in sheet.places:
        found.setdefault(place.place, []).append(place.key)
    return found.values()


def test_a_click_chooses_values_that_one_annotator_gives_together(contested):
    study, sheets = contested
    for sheet in sheets:
        given = [sheet.of_coder(coder).items() for coder in sheet.values]
        for wish in choices_in(drawn(study, sheet, {})):
            assert any(set(wish) <= set(values) for values in given), wish


def test_every_value_of_an_annotator_can_be_clicked_with_those_of_the_same_place(contested):
    study, sheets = contested
    for sheet in sheets:
        wishes = choices_in(drawn(study, sheet, {}))
        for coder in sheet.values:
            own = sheet.of_coder(coder)
            for keys in by_place(sheet):
                wanted = [(key, own[key]) for key in keys if key.split()[-1] not in ("upos", "xpos", "feats")]
                assert not wanted or wanted in wishes or wanted[0][1] == NOTHING, wanted


def placed(picture):
    """Return the size of a picture, and where the text of every choice stands."""
    frames = html.fragment_fromstring(picture, create_parent=True).xpath("//svg")
    texts = [
        (each.get("data-wish"), text.text, text.get("x"), text.get("y"))
        for frame in frames
        for each in frame.xpath(".//*[@data-wish]")
        for text in each.xpath(".//text[not(contains(@class, 'name'))]")
    ]
    return [(frame.get("width"), frame.get("height")) for frame in frames], texts


def test_choices_stay_where_they_are_while_values_of_annotators_are_chosen(contested):
    study, sheets = contested
    for sheet in sheets:
        before = placed(drawn(study, sheet, {}))
        decisions = {}
        for number, keys in enumerate(by_place(sheet)):
            own = sheet.of_coder(list(sheet.values)[number % len(sheet.values)])
            decisions |= {key: own[key] for key in keys}
            assert placed(drawn(study, sheet, decisions)) == before, decisions


@pytest.mark.parametrize("backwards", [False, True])
def test_choices_stay_where_they_are_when_places_are_decided_one_by_one(contested, backwards):
    study, sheets = contested
    for sheet in sheets:
        before = placed(drawn(study, sheet, {}))
        own = sheet.of_coder(list(sheet.values)[-1])
        keys = list(own)[::-1] if backwards else list(own)
        for count in range(len(keys)):
            decisions = {key: own[key] for key in keys[: count + 1]}
            assert placed(drawn(study, sheet, decisions)) == before, decisions


def test_decisions_change_nothing_that_is_folded():
    """A phrase that all have directly under one with different labels is part of one decision."""
    rest = "(NP (DT a) (NN b) (NN c)) (VP (V d) (NP (DT e) (NN f) (NN g) (NN h) (NN i) (NN j))) (PP (IN k))"
    texts = {coder: f"(T ({label} (VP (V w) (NP (N x) (N y) (N z)))) {rest})" for coder, label in
             (("ann", "S"), ("bob", "S-ADV"))}  # fmt: skip
    trees = {coder: tree(text) for coder, text in texts.items()}
    sheet = phrase_sheet(Item("s1", "text", "s1"), trees)
    part = [PhrasePictures().part(trees, list(trees), {}, sheet.so_far(decisions))
            for decisions in ({}, sheet.of_coder("ann"))]  # fmt: skip
    before, after = (placed(each.clickable(["1-4 bracket"]).__html__()) for each in part)
    assert before == after


def test_what_is_decided_is_said_to_be_pressed(contested):
    study, sheets = contested
    for sheet in sheets:
        coder = next(iter(sheet.values))
        own = sheet.of_coder(coder)
        frame = html.fragment_fromstring(drawn(study, sheet, own), create_parent=True)
        for each in frame.xpath("//*[@data-wish]"):
            wish = dict(line.split("\t") for line in each.get("data-wish").split("\n"))
            assert each.get("aria-pressed") == ("true" if wish.items() <= own.items() else "false")
            assert each.get("role") == "button"
            assert each[0].text.startswith("choose ")


def test_pictures_elsewhere_have_no_choices(contested):
    study, sheets = contested
    pictures = kinds.of(study).needed("pictures")
    for sheet in sheets:
        picture = draw_item(pictures, study, sheet.item.id)
        assert "data-wish" not in picture.markup + picture.whole
        assert "data-key" not in picture.markup + picture.whole
        assert "data-wish" not in picture.page

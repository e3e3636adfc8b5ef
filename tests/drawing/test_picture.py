"""Pictures of items: what they hold, files and pages of them, and what cannot be drawn."""

import re

import pytest
from lxml import etree, html

import arbitree as at
from arbitree.drawing import svg
from arbitree.drawing.lettering import clusters, columns, drawable, runs_leftwards
from arbitree.errors import StudyError, UnsupportedStudy
from arbitree.kinds.labels.value import Label
from arbitree.reporting.sections.draw import page
from tests.support.build import dep, study_of
from tests.support.phrase_trees import HIGH, LOW, tree
from tests.support.pictures import HOSTILE, PAIR, SVG, parsed

STUDY = study_of(
    {"sea/1": PAIR, "sea/2": {"ann": dep((0,)), "bob": dep((0, 1))}, "sea/3": {}}, ("ann", "bob")
)


def test_items_are_found_by_id_and_by_number():
    assert at.draw(STUDY, "sea/1").item == at.draw(STUDY, 1).item == at.draw(STUDY).item == "sea/1"
    assert at.draw(STUDY, "2").item == "sea/2"


def test_a_tree_and_trees_by_coder_are_drawn_without_a_study():
    assert "saw" in at.draw(PAIR["ann"]).text
    assert at.draw(PAIR).differences == ["Malo: obl of saw (ann); nmod of boats (bob)."]
    assert "contested" in repr(at.draw(PAIR))
    assert str(at.draw(PAIR)) == at.draw(PAIR).text


def test_notebooks_get_a_picture_with_its_own_style_sheet():
    shown = html.fromstring(at.draw(PAIR)._repr_html_())
    assert shown.xpath(".//svg/style")
    assert not shown.xpath("//@style")


def test_a_file_is_well_formed_and_has_all_colours():
    text = at.draw(PAIR).svg
    (sheet,) = parsed(text).iter(f"{SVG}style")
    used = set(re.findall(r"var\((--[a-z-]+)", sheet.text))
    given = set(re.findall(r"(--[a-z-]+):", sheet.text))
    assert used <= given
    assert "prefers-color-scheme: dark" in sheet.text
    assert "@media print" in sheet.text
    assert "http" not in sheet.text


def test_coders_with_other_words_have_a_part_of_their_own():
    picture = at.draw(STUDY, "sea/2")
    assert len(picture.parts) == 2
    root = parsed(picture.svg)
    assert len(list(root.iter(f"{SVG}svg"))) == 3
    assert "different words: bob" in picture.text
    phrases = at.draw({"ann": tree(LOW), "bob": tree(HIGH.replace("Malo", "Sark"))})
    assert len(phrases.parts) == 2
    assert "different words: bob" in phrases.text


def test_coders_who_have_not_done_an_item_are_named():
    study = study_of({"s": {"ann": tree(LOW)}}, ("ann", "bob"))
    assert "not annotated: bob" in at.draw(study).text
    assert "not annotated: bob" in at.draw(study).svg


@pytest.mark.parametrize("item", ["x", "4", 0, "-1", "²"])
def test_an_unknown_item_is_an_error(item):
    with pytest.raises(StudyError, match="number from 1 to 3"):
        at.draw(STUDY, item)


def test_what_cannot_be_drawn_is_an_error():
    with pytest.raises(StudyError, match="has no annotations"):
        at.draw(STUDY, "sea/3")
    with pytest.raises(UnsupportedStudy, match="label"):
        at.draw(study_of({"s": {"ann": Label("yes")}}))
    with pytest.raises(UnsupportedStudy, match="two kinds"):
        at.draw({"ann": tree(LOW), "bob": PAIR["ann"]})
    with pytest.raises(StudyError):
        at.draw({})


def test_page_allows_no_styles_or_scripts_but_its_own():
    text = page([at.draw(STUDY, 1), at.draw({"ann": tree(LOW), "bob": tree(HIGH)})], "sea")
    shown = html.document_fromstring(text)
    (policy,) = shown.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert not shown.xpath("//@style | //@*[starts-with(name(), 'on')] | //svg//style")
    assert len(shown.xpath("//style")) == len(shown.xpath("//script")) == 1
    assert not shown.xpath("//@src | //link | //img")


@pytest.mark.parametrize("word", HOSTILE)
def test_page_escapes_hostile_words_and_names(word):
    found = {
        f"ann{word}": dep((0, 1), (word or "x", "y"), (word, "b")),
        "bob": dep((2, 0), tokens=(word, "b")),
    }
    text = page([at.draw(study_of({f"s{word}": found}))], f"t{word}")
    shown = html.document_fromstring(text.encode())
    assert len(shown.xpath("//script")) == 1
    assert not re.search("[\x00-\x08\u202e]", text)


def test_badge_letters_and_widths():
    assert drawable("x" * 50) == "x" * 39 + "…"
    assert columns(drawable("水" * 50)) <= 40
    assert list(clusters("👩\u200d🚀")) == ["👩\u200d🚀"]
    assert columns("👩\u200d🚀") == 2
    assert not runs_leftwards([])
    framed = etree.fromstring(svg.standalone(svg.frame(1, 1, [], kind="tree", label="a<b")))
    assert framed.get("aria-label") == "a<b"


def test_colours_change_nothing_but_the_colours():
    for what in (PAIR, {"ann": tree(LOW), "bob": tree(HIGH)}, PAIR["ann"]):
        picture = at.draw(what)
        coloured = picture.text_in(100, colour=True)
        plain = re.sub("\x1b\\[[0-9;]*m", "", coloured)
        assert [line.rstrip() for line in plain.splitlines()] == picture.text.splitlines()
        assert ("\x1b[1;34m" in coloured) == (what is not PAIR["ann"])

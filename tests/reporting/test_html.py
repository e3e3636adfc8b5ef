import base64
import hashlib
import re
from dataclasses import replace

import pytest
from lxml import html

from arbitree.drawing.lettering import visible
from arbitree.reporting.html import anchors, bar, environment_of
from arbitree.reporting.phrasing import headline
from arbitree.reporting.sections.agree import table_of
from arbitree.reporting.sections.report import page
from arbitree.study.result import Group, Interval
from tests.support.report_tables import (
    CODERS,
    FORMULA,
    ITEMS,
    QUOTES,
    REVERSED,
    SCRIPT,
    alpha,
    hostile_table,
    small_table,
)


@pytest.fixture(scope="module")
def hostile():
    return hostile_table()


@pytest.fixture(scope="module")
def document(hostile):
    return html.document_fromstring(page(hostile, f"{SCRIPT}{QUOTES}"))


def row_values(row):
    """The numbers in full precision that a row shows."""
    return [float(each.get("value")) for each in row.iter("data")]


def words(element):
    return " ".join(element.text_content().split())


def test_hostile_names_stay_text(document):
    assert len(document.findall(".//script")) == 1
    assert not document.findall(".//img")
    handlers = [name for element in document.iter() for name in element.attrib if name.startswith("on")]
    assert not handlers
    assert document.findtext(".//title").startswith(f"{SCRIPT}{QUOTES}")
    assert document.find(".//h1").text_content() == f"Arbitree report: {SCRIPT}{QUOTES}"


def test_every_hostile_name_is_shown_as_text(document):
    text = document.text_content()
    for name in (*CODERS, *ITEMS[1:], f"{QUOTES} {REVERSED}"):
        assert visible(name) in text
    assert f"{SCRIPT} {QUOTES} {REVERSED} {FORMULA}" in text


def test_hostile_text_is_escaped_in_the_source(hostile):
    source = page(hostile, "title")
    assert SCRIPT not in source
    assert "<img" not in source
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in source


def test_marks_that_turn_text_stay_within_the_words_and_are_spelt_out_in_names(document):
    carriers = [
        each for each in document.iter() if isinstance(each.tag, str) and "\u202e" in (each.text or "")
    ]
    assert carriers
    assert all(each.get("dir") == "auto" and each.getparent().get("class") == "words" for each in carriers)
    names = document.xpath("//section[@id='coder']//tbody//th//bdi")
    assert names[2].text == "+\\u202egnp.\u200fexe"


def test_nothing_is_fetched(document):
    assert not document.xpath("//@src | //link | //iframe | //object | //form | //base | //@style")
    assert all(link.startswith("#") for link in document.xpath("//@href"))
    styles = document.findtext(".//style")
    assert "url(" not in styles
    assert "@import" not in styles


def test_policy_allows_only_the_style_and_script_of_the_page(document):
    (policy,) = document.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == "'none'"
    for kind in ("style", "script"):
        digest = hashlib.sha256(document.findtext(f".//{kind}").encode()).digest()
        assert rules[f"{kind}-src"] == f"'sha256-{base64.b64encode(digest).decode()}'"


def test_ids_are_unique_and_every_link_finds_its_target(document):
    ids = document.xpath("//@id")
    assert len(ids) == len(set(ids))
    assert {link[1:] for link in document.xpath("//@href")} <= set(ids)
    assert not any(re.search(r"[\s<>\"'&]", each) for each in ids)


def test_page_opens_with_the_sentence_and_the_counts(hostile, document):
    assert words(document.find_class("headline")[0]).startswith(
        headline(hostile.kind, hostile.study, hostile.results)
    )
    assert words(document.find_class("facts")[0]) == "3 sentences 3 annotators 9 annotations 12 tokens"


def test_missing_annotations_are_counted_beside_the_others():
    table = hostile_table()
    cells = dict(list(table.study.cells.items())[1:])
    found = html.document_fromstring(page(replace(table, study=replace(table.study, cells=cells)), "gaps"))
    assert "8 annotations (1 missing)" in words(found.find_class("facts")[0])


def test_measures_show_the_numbers_of_the_results(hostile, document):
    rows = document.xpath("//section[@id='measures']//tbody/tr")
    assert [row_values(row) for row in rows] == [[result.value] for result in hostile.results]
    assert [words(row) for row in rows] == [
        "alpha_plain 0.123 -0.100 – 0.750 3 0",
        "las 0.877 0.800 – 0.950 2 1",
    ]


@pytest.mark.parametrize("kind", ["coder", "pair", "document", "length"])
def test_breakdowns_show_the_numbers_of_the_groups(hostile, document, kind):
    rows = document.xpath(f"//section[@id='{kind}']//tbody/tr")
    for row, *groups in zip(rows, *(result.groups[kind] for result in hostile.results), strict=True):
        shown = [number for group in groups for number in (group.value, group.details.get("without"))]
        assert row_values(row) == [number for number in shown if number is not None]
        assert words(row.find("th")) == visible(groups[0].name)


def test_undefined_values_are_words(document):
    undefined = document.xpath("//section[@id='pair']//tbody/tr")[1]
    assert "undefined because all annotations are equal" in words(undefined)
    assert "without undefined" in words(document.xpath("//section[@id='coder']//tbody/tr")[1])


def test_groups_that_rest_on_fewer_items_say_so(document):
    row = document.xpath("//section[@id='pair']//tbody/tr")[0]
    assert words(row).endswith("0.750 n 2")


def test_bars_say_in_words_what_they_show(document):
    (label,) = document.xpath("//tr[@id='measure-las']//*[name()='svg']/@aria-label")
    assert label == "0.877, 95% CI 0.800 to 0.950, on an axis from 0 to 1"


@pytest.mark.parametrize(
    ("value", "ends", "mark", "arrows"),
    [
        (-0.2, (-0.4, 0.1), None, [("interval", "left"), ("mark", "left")]),
        (0.429, (-0.479, 0.99), 42.9, [("interval", "left")]),
        (0.9, (-0.1, 1.2), 90.0, [("interval", "left"), ("interval", "right")]),
        (1.4, (0.8, 2.6), None, [("interval", "right"), ("mark", "right")]),
        (1.0, (0.0, 1.0), 100.0, []),
    ],
)
def test_what_leaves_the_axis_has_an_arrow_at_the_cut_end(value, ends, mark, arrows):
    interval = Interval(*ends, 0.95, "percentile", 100)
    found = bar(value, interval)
    assert (found.mark, list(found.arrows)) == (mark, arrows)
    assert 0 <= found.start <= found.start + found.length <= 100
    drawn = environment_of().get_template("parts.html.j2").module.bar_of(value, interval)
    assert drawn.count("<path") == len(arrows)
    assert drawn.count('<svg x="100%"') == sum(side == "right" for _, side in arrows)


def test_best_and_least_pair_are_named(hostile, document):
    least, _, best = (visible(group.name) for group in hostile.results[0].groups["pair"])
    sentence = f"Agreement is highest for the pair {best} (0.900) and lowest for {least} (-0.250)."
    assert words(document.find_class("headline")[0]).endswith(sentence)


def test_hardest_items_come_worst_first_without_those_agreed_on(document):
    rows = document.xpath("//section[@id='hardest']//tbody/tr")
    assert [words(row.find("th")) for row in rows] == [ITEMS[2], ITEMS[1]]
    assert row_values(rows[0]) == [4 / 3]
    assert ".conllu:7" in words(rows[0])


def test_hardest_items_of_a_similarity_are_the_lowest(hostile):
    turned = table_of("report", hostile.kind, hostile.study, hostile.results[::-1])
    document = html.document_fromstring(page(turned, "turned"))
    assert len(document.xpath("//section[@id='hardest']//tbody/tr")) == 2
    assert "Sorted by las, lowest first" in words(document.get_element_by_id("hardest"))


def test_left_out_items_are_listed_with_reason_and_detail(document):
    section = words(document.get_element_by_id("left-out"))
    assert "1 sentence: the number of tokens differs between annotators excluded by las" in section
    assert f"{ITEMS[2]} tokens: {SCRIPT} 4, {FORMULA} 5" in section


def test_how_it_was_computed_has_signatures_parts_and_papers(hostile, document):
    section = words(document.get_element_by_id("computed"))
    assert all(result.signature in section for result in hostile.results)
    assert "observed 1.5000 expected 12.2500 annotations 9 undefined in 3 resamples" in section
    assert "@inproceedings{skjaerholt2014," in section


def test_an_interval_without_resamples_names_only_its_method():
    table = small_table()
    interval = Interval(0.8, 0.95, 0.95, "jackknife", 0, undefined=2)
    results = [replace(each, interval=interval) for each in table.results]
    found = html.document_fromstring(page(replace(table, results=tuple(results)), "method"))
    section = words(found.get_element_by_id("computed"))
    assert "Confidence intervals: 95%, jackknife method. The signature" in section
    assert "undefined without 2 of the sentences, each left out alone" in section


def test_of_many_groups_those_that_agree_least_are_shown():
    table = small_table()
    groups = tuple(Group(f"d{k}", None if k == 7 else k / 300, "ok", None, 1) for k in range(300, 0, -1))
    results = [replace(each, groups={"document": groups}) for each in table.results]
    found = html.document_fromstring(page(replace(table, results=tuple(results)), "many"))
    rows = found.xpath("//section[@id='document']//tbody/tr/th")
    assert [words(row) for row in rows[:7]] == ["d1", "d2", "d3", "d4", "d5", "d6", "d8"]
    assert len(rows) == 200
    note = words(found.get_element_by_id("document").find_class("note")[0])
    assert note.startswith("The table shows the 200 rows with the lowest alpha_plain of 300.")


def test_warnings_are_listed(hostile, document):
    listed = document.xpath("//section[@id='warnings']//li")
    assert [each.text for each in listed] == [visible(warning) for warning in hostile.warnings]


def test_one_item_without_a_value_makes_a_page():
    table = small_table(None, "no_variation")
    document = html.document_fromstring(page(table, "one"))
    assert "alpha_plain undefined because all annotations are equal" in words(
        document.get_element_by_id("measures")
    )
    assert "agree fully on every sentence" in words(document.get_element_by_id("hardest"))
    assert "None. Every measure includes every sentence." in words(document.get_element_by_id("left-out"))
    assert "% CI" not in words(document.get_element_by_id("measures"))


def test_a_remark_stands_beside_an_odd_value():
    document = html.document_fromstring(page(small_table(1.0, "single_item"), "one"))
    assert "alpha_plain 1.000 computed from a single item, so it is not meaningful 1 0" in words(
        document.get_element_by_id("measures")
    )


def test_a_measure_asked_for_twice_is_told_apart_by_its_options(hostile):
    first = alpha(hostile.study)
    second = replace(first, details={**first.details, "options": {"delta": "plain", "size": "leaves"}})
    document = html.document_fromstring(
        page(table_of("report", hostile.kind, hostile.study, [first, second]), "twice")
    )
    rows = document.xpath("//section[@id='measures']//tbody/tr/th")
    assert [words(row) for row in rows] == ["alpha_plain", "alpha_plain:size=leaves"]


def test_anchors_of_equal_names_differ():
    assert anchors("coder", ["a b", "a-b", "a b-2", "…"]) == [
        "coder-a-b",
        "coder-a-b-2",
        "coder-a-b-2-2",
        "coder-row",
    ]


def test_names_that_are_no_text_do_not_break_the_page():
    """File names may hold bytes that no encoding explains; Python keeps them as lone surrogates."""
    assert "caf\\udce9" in page(small_table(), "caf\udce9").encode().decode()


def test_page_says_its_language_and_encoding(document):
    assert document.get("lang") == "en"
    assert document.xpath("//meta/@charset") == ["utf-8"]

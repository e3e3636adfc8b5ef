"""The HTML report of explain, opened from disk: questions, types, examples, trees, filters and links."""

from dataclasses import replace

import pytest
from playwright.sync_api import expect

import arbitree as at
from arbitree.api.explain import find_inconsistencies
from arbitree.kinds.dependency.kind import KIND as DEPENDENCY
from arbitree.kinds.phrase.kind import KIND as PHRASES
from arbitree.reporting.sections.explain_page import page as report
from tests.support.build import dep, study_of
from tests.support.constructions.build import tree
from tests.support.constructions.made_up import findings, pos, type_of

LONG = "(S (NP (DT the) {} (NN ladder)) (VP (VBD fell) (PP (IN on) (NP (DT the) (NN <b>deck</b>)))))"
PHRASE = LONG.format("(ADJP (JJ long) (JJ green))")
FLAT = LONG.format("(JJ long) (JJ green)")


class Opened:
    """A page in a browser that notes errors and requests."""

    def __init__(self, browser, path, source, **options):
        path.write_text(source, encoding="utf-8")
        self.context = browser.new_context(**options)
        self.page = self.context.new_page()
        self.faults = []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", lambda message: self.faults.append(message.text))
        self.page.on("request", lambda request: self._requested(request.url))
        self.address = path.as_uri()

    def _requested(self, url):
        if not url.startswith("file:"):
            self.faults.append(url)

    def go(self, fragment=""):
        self.page.goto("about:blank")
        self.page.goto(f"{self.address}{fragment}")
        self.page.locator("#list[data-ready]").wait_for()
        return self.page


@pytest.fixture
def opened(browser, tmp_path):
    made = []

    def open_(source, **options):
        made.append(Opened(browser, tmp_path / "explain.html", source, **options))
        return made[-1]

    yield open_
    for each in made:
        each.context.close()
        assert each.faults == []


def many():
    """Two questions, one of them with 25 types, each with one nucleus."""
    nouns = [
        type_of([f"{n}", f"{n}s"], [pos(f"word{n}", "NN", "NNS", item=f"s{n}")], f"noun {n}")
        for n in range(25)
    ]
    slip = type_of(["IN", "NN"], [pos("on", "IN", "NN", bits=60.0)], "slip")
    return findings(*nouns, slip)


def test_questions_open_to_types_a_few_at_a_time(opened):
    page = opened(report(many(), PHRASES)).go()
    assert page.locator("article.type").count() == 0
    question = page.locator(".question").nth(1)
    question.locator("summary").first.click()
    expect(question.locator("article.type")).to_have_count(10)
    question.get_by_role("button", name="Show 10 of 15 more types").click()
    expect(question.locator("article.type")).to_have_count(20)
    question.get_by_role("button", name="Show 5 of 5 more types").click()
    expect(question.locator("article.type")).to_have_count(25)
    expect(question.get_by_role("button", name="more types")).to_have_count(0)


@pytest.mark.parametrize(
    "filters",
    [
        {"class": "structural"},
        {"category": "NP"},
        {"words": "oLD w"},
        {"class": "structural", "category": "NP", "words": "The"},
        {"words": "zebra"},
    ],
    ids=str,
)
def test_filters_of_the_command_line_keep_what_filters_of_the_page_show(opened, filters):
    study = at.read("examples/harbour/ann.mrg", "examples/harbour/bob.mrg")
    page = opened(report(find_inconsistencies(study), PHRASES, study)).go()
    for name, value in filters.items():
        field = page.locator(f"[data-filter={name}]")
        field.fill(value) if name == "words" else field.select_option(value)
    chosen = {"only": filters.get("category", ()), "class_": filters.get("class", ())}
    found = find_inconsistencies(study, **chosen, words=filters.get("words", ""))
    counts, before = found.totals, found.narrowed.before
    shown = [f"{counts[name]} of {before[name]} {name}" for name in ("questions", "types")]
    expect(page.locator(".shown")).to_have_text(", ".join(shown))
    codes = page.locator(".question:visible").evaluate_all("found => found.map((each) => each.id)")
    assert {code.removeprefix("question-") for code in codes} == {each.code for each in found.questions}


def test_the_example_of_the_drawing_comes_first_and_is_marked(opened):
    nuclei = [pos(words, "NN", "VB", item=words) for words in ("harbours", "sea", "lighthouse")]
    page = opened(report(findings(type_of(["NN", "VB"], nuclei)), PHRASES)).go()
    page.locator(".question summary").first.click()
    examples = page.locator("article.type .examples li:not(.next)")
    expect(examples).to_have_count(3)
    expect(examples.first).to_contain_text("sea")
    expect(page.get_by_text("drawn above")).to_have_count(1)
    expect(examples.first).to_contain_text("drawn above")
    expect(page.locator("article.type figure .word").first).to_have_text("sea")


def test_filters_see_types_that_are_not_drawn(opened):
    page = opened(report(many(), PHRASES)).go()
    page.get_by_label("words").fill("WORD24")
    expect(page.locator(".shown")).to_have_text("1 of 2 questions, 1 of 26 types")
    expect(page.locator(".question:visible")).to_have_count(1)
    page.locator(".question:visible > summary").click()
    expect(page.locator("article.type h3")).to_have_text("noun 24")
    page.get_by_label("words").fill("")
    expect(page.locator(".question:visible")).to_have_count(2)
    expect(page.locator("article.type")).to_have_count(10)


def test_a_link_to_a_type_opens_its_question_and_draws_it(opened):
    found = many()
    view = opened(report(found, PHRASES))
    last = found.types[-1]
    page = view.go(f"#type-{last.code}")
    expect(page.locator(f"#type-{last.code}")).to_be_in_viewport()
    question = page.locator(".question").nth(0)
    page = view.go(f"#{question.get_attribute('id')}")
    expect(page.locator(".question").nth(0)).to_have_attribute("open", "")


def test_an_example_opens_to_the_whole_sentence_and_all_trees(opened):
    study = study_of({"s": {"ann": tree(PHRASE), "bob": tree(FLAT)}})
    page = opened(report(find_inconsistencies(study), PHRASES, study)).go()
    page.locator(".question > summary").first.click()
    expect(page.locator("article .sides").first.locator("svg")).to_have_count(2)
    example = page.locator("details.example").first
    expect(example.locator("mark u")).to_have_text(["long", "green"])
    example.locator("summary").click()
    expect(example.locator(".sentence")).to_have_text("the long green ladder fell on the <b>deck</b>")
    expect(example.locator("svg")).to_have_count(2)
    expect(example.locator("figcaption")).to_have_text(["A ann", "B bob"])
    expect(example.locator("svg .frame")).to_have_count(1)
    assert example.locator("svg .label.own").all_text_contents() == ["ADJP"]
    assert example.locator("svg").first.get_attribute("aria-label").startswith("ann: the long green")


def test_dependencies_are_drawn_as_arcs(opened):
    values = {"ann": dep([2, 0, 2]), "bob": dep([3, 0, 2])}
    study = study_of({"s": values})
    page = opened(report(find_inconsistencies(study), DEPENDENCY, study)).go()
    page.locator(".question > summary").first.click()
    page.locator("details.example summary").first.click()
    expect(page.locator("details.example svg.arcs")).to_have_count(2)
    expect(page.locator("details.example svg .arc.own")).to_have_count(2)


def test_long_sentences_are_folded_and_unfold(opened):
    shared = " ".join(f"(NN w{number})" for number in range(20))
    values = {
        "ann": tree(f"(S (NP {shared}) (VP (VBD ran)))"),
        "bob": tree(f"(S (NP {shared}) (VP (VBN ran)))"),
    }
    study = study_of({"s": values})
    page = opened(report(find_inconsistencies(study), PHRASES, study)).go()
    page.locator(".question > summary").first.click()
    example = page.locator("details.example").first
    example.locator("summary").click()
    expect(example.locator(".triangle")).to_have_count(2)
    example.get_by_role("button", name="Show all phrases").first.click()
    expect(example.locator(".triangle")).to_have_count(1)


def test_one_corpus_shows_a_place_of_each_annotation_with_its_own_tree(opened):
    study = study_of({"s1": {"ann": tree(PHRASE)}, "s2": {"ann": tree(FLAT)}})
    page = opened(report(find_inconsistencies(study, mode="corpus"), PHRASES, study)).go()
    expect(page.locator(".question")).to_have_count(0)
    examples = page.locator("article.type").first.locator("details.example")
    expect(examples).to_have_count(2)
    examples.nth(1).locator("summary").click()
    expect(examples.nth(1).locator("svg")).to_have_count(1)
    assert "1 ×" in examples.nth(1).locator("summary").inner_text()


def test_a_document_can_be_chosen_and_counts_are_by_document(opened):
    study = study_of(
        {name: {"ann": tree(PHRASE), "bob": tree(FLAT)} for name in ("news-1", "news-2", "tales-1")}
    )
    named = {item.id: replace(item, document=item.id.split("-")[0]) for item in study.items}
    cells = {key: replace(cell, item=named[cell.item.id]) for key, cell in study.cells.items()}
    study = replace(study, items=tuple(named.values()), cells=cells)
    page = opened(report(find_inconsistencies(study), PHRASES, study)).go()
    page.locator(".question > summary").first.click()
    expect(page.get_by_text("By document: news 2, tales 1")).to_be_visible()
    expect(page.locator("details.example")).to_have_count(3)
    page.locator("[data-filter=document]").select_option("tales")
    expect(page.locator("details.example")).to_have_count(1)
    expect(page.locator("details.example summary small")).to_contain_text("tales-1")


@pytest.mark.parametrize("width", [360, 1280])
def test_the_page_fits_its_width(opened, width):
    study = study_of({"s": {"ann": tree(PHRASE), "bob": tree(FLAT)}})
    view = opened(
        report(find_inconsistencies(study), PHRASES, study), viewport={"width": width, "height": 700}
    )
    page = view.go()
    page.locator(".question > summary").first.click()
    page.locator("details.example summary").first.click()
    page.locator("details.example svg").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_without_scripts_the_questions_are_there_and_a_note_says_what_is_not(opened):
    view = opened(report(many(), PHRASES), java_script_enabled=False)
    view.page.goto(view.address)
    expect(view.page.locator(".question")).to_have_count(2)
    expect(view.page.get_by_text("JSON and TSV contain them as well")).to_be_visible()
    expect(view.page.locator(".filters")).to_be_hidden()


def test_a_link_scrolls_to_its_type_below_types_with_many_examples(opened):
    """Examples are drawn with a delay; those of earlier types must not push the linked type away."""
    tags = [(one, other) for one in ("JJ", "RB", "VBN", "NN") for other in ("JJ", "RB", "VBN")]
    rows = {}
    for number, (one, other) in enumerate(tags):
        for copy in range(4):
            words = f"({one} calm{number}{copy}) ({other} blue)"
            trees = (tree(LONG.format(words)), tree(LONG.format(f"(ADJP {words})")))
            rows[f"s{number}-{copy}"] = dict(zip(("ann", "bob"), trees, strict=True))
    study = study_of(rows)
    found = find_inconsistencies(study)
    ((_, types),) = found.by_question
    assert len(types) == len(tags)
    view = opened(report(found, PHRASES, study), viewport={"width": 500, "height": 500})
    for place in (5, 10):
        page = view.go(f"#type-{types[place].code}")
        page.wait_for_timeout(200)
        box = page.locator(f"#type-{types[place].code}").bounding_box()
        assert 0 <= box["y"] < 150
        assert page.locator("article.type").count() <= len(types)

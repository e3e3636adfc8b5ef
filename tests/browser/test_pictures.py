"""Drawings of the adjudication page: folded, unfolded, scrolled to a disagreement, highlighted."""

import pytest
from playwright.sync_api import expect

from tests.support.browser.long_sentences import long_study
from tests.support.browser.visits import Visits
from tests.support.web.serving import PHRASE, serving

# Whether the word of the current disagreement is visible in the picture.
WORD_IN_VIEW = """() => {
  const words = [...document.querySelectorAll(".picture .token.current > .word")];
  const shown = words.find((each) => each.checkVisibility());
  const box = shown.getBoundingClientRect();
  const room = shown.closest(".pictures").getBoundingClientRect();
  return box.top >= room.top && box.bottom <= room.bottom && box.left >= room.left && box.right <= room.right;
}"""


@pytest.fixture
def server(browser, tmp_path_factory):
    """A study of long sentences with few disagreements, served for one test."""
    inputs = long_study(tmp_path_factory.mktemp("long"), 3, rate=0.012)
    with serving(*inputs, project=tmp_path_factory.mktemp("project")) as started:
        yield started


@pytest.mark.parametrize("width", [1280, 390])
def test_the_drawing_follows_the_current_disagreement(visits, width):
    page = visits.page(viewport={"width": width, "height": 844})
    page.goto("/adjudicate/2")
    for key in page.locator("#desk .row").evaluate_all("rows => rows.map((each) => each.dataset.key)"):
        page.evaluate("key => pictures.scrollTo(key)", key)
        current = page.locator(".folded .token.current")
        expect(current).to_have_count(1)
        assert set(key.split("\n")) <= set(current.get_attribute("data-key").split("\n"))
        assert page.evaluate(WORD_IN_VIEW), key
        expect(current.locator(".choice[tabindex='0']").first).to_be_attached()


def test_agreed_words_unfold_on_a_click_and_stay_unfolded_while_deciding(visits):
    page = visits.page(viewport={"width": 1280, "height": 900})
    page.goto("/adjudicate/2")
    folded, whole = page.locator(".folded > .picture"), page.locator(".unfold > .picture")
    expect(whole).to_be_hidden()
    assert folded.bounding_box()["height"] > 0
    folded.locator(".fold").first.click()
    expect(folded).to_be_hidden()
    expect(whole).to_be_visible()
    page.locator("#desk .row button.option").first.click()
    expect(page.locator("#desk .row.decided").first).to_be_attached()
    expect(whole).to_be_visible()
    page.locator(".unfold > summary").press("Enter")
    expect(whole).to_be_hidden()
    expect(folded).to_be_visible()


def test_pointing_at_a_row_highlights_its_elements(visits):
    page = visits.page(viewport={"width": 1280, "height": 900})
    page.goto("/adjudicate/3")
    page.locator("#desk .row .about").nth(1).hover()
    key = page.locator("#desk .row").nth(1).get_attribute("data-key").split("\n")[0]
    near = page.locator(".folded .token.near, .pictures > .picture .token.near")
    expect(near).to_have_count(1)
    assert key in near.get_attribute("data-key").split("\n")


def test_enter_chooses_the_arc_in_focus(visits):
    page = visits.page(viewport={"width": 1280, "height": 900})
    page.goto("/adjudicate/3")
    choice = page.locator(".token.current .choice[tabindex='0']:visible").first
    wish = choice.get_attribute("data-wish")
    choice.press("Enter")
    pressed = page.locator(".choice[aria-pressed=true]:visible")
    expect(pressed.first).to_be_attached()
    assert {each.get_attribute("data-wish") for each in pressed.all()} == {wish}
    expect(page.locator("#desk .row.decided")).to_have_count(1)


@pytest.fixture(scope="module")
def phrases(browser, tmp_path_factory):
    """A page of a served study of phrase-structure trees."""
    with serving(*PHRASE, project=tmp_path_factory.mktemp("phrases")) as started:
        everybody = Visits(browser, started)
        yield everybody.page(viewport={"width": 1280, "height": 900})
        assert everybody.leave() == []


def test_a_click_on_a_bracket_or_a_tag_chooses_it(phrases):
    phrases.goto("/adjudicate")
    choices = phrases.locator(".picture .choice:visible")
    wish = choices.first.get_attribute("data-wish")
    choices.first.click()
    expect(phrases.locator("#desk")).to_have_attribute("data-seen", "1")
    key, value = wish.split("\t")
    row = phrases.locator(f'#desk .row[data-key="{key}"]')
    expect(row.locator("button.chosen .value")).to_have_text(value)
    expect(phrases.locator(f'.picture .panel.decided [data-key="{key}"]').first).to_be_attached()

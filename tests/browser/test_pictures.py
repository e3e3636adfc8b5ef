"""Drawings of the adjudication page: folded, unfolded, scrolled to a disagreement, highlighted."""

import pytest
from playwright.sync_api import expect

from tests.support.browser.long_sentences import long_study
from tests.support.web.serving import serving

# Whether the word of the current disagreement is visible in the picture.
WORD_IN_VIEW = """() => {
  const words = [...document.querySelectorAll(".picture .token.current > .word")];
  const shown = words.find((each) => each.checkVisibility());
  const box = shown.getBoundingClientRect();
  const room = shown.closest(".pictures").getBoundingClientRect();
  return box.top >= room.top && box.bottom <= room.bottom && box.left >= room.left && box.right <= room.right;
}"""


@pytest.fixture(scope="module")
def server(browser, tmp_path_factory):
    """A study of long sentences with few disagreements, served as long as the tests run."""
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

"""The choices of the adjudication page stay in view, and nothing moves while deciding."""

import pytest
from playwright.sync_api import expect

from tests.support.browser.desks import confirm, first_choice_in_view, press, saved
from tests.support.browser.long_sentences import long_study
from tests.support.web.serving import serving

SENTENCES = 2
PARTS = ".shown, .pictures, .panel, .line, .rows, .row, .row .options, .row button.option"
BOXES = f"""() => [...document.querySelectorAll("{PARTS}")]
  .filter((each) => each.checkVisibility())
  .map((each) => {{
    const box = each.getBoundingClientRect();
    const sizes = [box.x, box.y, box.width, box.height].map(Math.round);
    return [each.value ?? each.className.split(" ")[0], ...sizes];
  }})"""


@pytest.fixture
def server(browser, tmp_path_factory):
    """A study of long sentences with many disagreements, served for one test."""
    inputs = long_study(tmp_path_factory.mktemp("long"), SENTENCES)
    with serving(*inputs, project=tmp_path_factory.mktemp("project")) as started:
        yield started


@pytest.mark.parametrize(("width", "height"), [(1280, 900), (390, 844), (844, 390)])
def test_the_first_choice_is_in_view_below_a_long_sentence(visits, width, height):
    page = visits.page(viewport={"width": width, "height": height})
    for number in range(1, SENTENCES + 1):
        page.goto(f"/adjudicate/{number}")
        assert first_choice_in_view(page), number
        press(page, "k")  # the last disagreement
        expect(page.locator(".row[aria-current] button.option").first).to_be_in_viewport()


def test_nothing_moves_while_deciding(visits):
    page = visits.page(viewport={"width": 1280, "height": 900})
    await_suggestions(page)
    page.goto("/adjudicate/2")
    before = page.evaluate(BOXES)
    page.locator("#desk .row button.option").first.click()
    saved(page, 1)
    expect(page.locator(".row .by")).to_be_visible()
    assert page.evaluate(BOXES) == before
    field = page.get_by_label("other value for the label").first
    field.fill("zzz:own")
    field.press("Enter")
    confirm(page)
    saved(page, 2)
    page.locator("#desk .rows").evaluate("rows => rows.scrollTo(0, 0)")
    assert page.evaluate(BOXES) == before


def test_a_refusal_lies_over_the_picture(visits):
    page = visits.page(viewport={"width": 1280, "height": 900})
    await_suggestions(page)
    page.goto("/adjudicate/1")
    before = page.evaluate(BOXES)
    field = page.get_by_label("other value for the head").first
    field.fill("999")
    field.press("Enter")
    alert = page.locator("#desk .warnings")
    expect(alert).to_contain_text("999")
    expect(alert).to_be_in_viewport()
    page.locator("#desk .rows").evaluate("rows => rows.scrollTo(0, 0)")
    assert page.evaluate(BOXES) == before
    assert alert.evaluate("alert => alert.getBoundingClientRect().bottom") <= before_line(page) + 1


def await_suggestions(page):
    """Wait until the suggestions are computed, which lengthen the choices."""
    for _ in range(600):
        if '"state":"running"' not in page.request.get("/api/study").text():
            return
        page.wait_for_timeout(100)
    raise AssertionError("the suggestions were not computed within a minute")


def before_line(page):
    """Return where the line above the choices begins."""
    return page.locator("#desk .line").evaluate("line => line.getBoundingClientRect().top")

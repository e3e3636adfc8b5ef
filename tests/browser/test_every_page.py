"""What holds on every page: names for all that acts, no scrolling sideways, dark as well as light."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.support.browser.axe import needs_axe, violations
from tests.support.browser.desks import option, press, saved
from tests.support.browser.visits import Visits
from tests.support.web.serving import DEPENDENCY, serving

STUDY = DEPENDENCY

FAULTS = Path(__file__).with_name("faults.js").read_text(encoding="utf-8")
LIGHT = """() => {
  const lightness = (colour) => Math.max(...colour.match(/\\d+/g).slice(0, 3).map(Number)) / 255;
  const style = getComputedStyle(document.body);
  return [lightness(style.backgroundColor), lightness(style.color)];
}"""
PAGES = ["/", "/sentences", "/sentences?text=the", "/sentences/1", "/sentences/3", "/adjudicate/1",
         "/adjudicate/3", "/adjudicate/5", "/bulk?label=nmod&other=obl&choose=obl",
         "/decisions", "/history", "/people", "/progress", "/rounds", "/rounds/1",
         "/judge", "/judge/1", "/judge/1/2", "/nowhere", "/sentences/999"]  # fmt: skip
# axe-core checks these here, and all pages in make check.
MAIN = ["/", "/sentences", "/sentences/3", "/adjudicate/3", "/decisions", "/people", "/progress", "/judge/1"]


@pytest.fixture(scope="module")
def everybody(browser, tmp_path_factory):
    """All who visit the study, which is served once, because the tests only look at it."""
    with serving(*STUDY, project=tmp_path_factory.mktemp("project")) as started:
        yield Visits(browser, started)


@pytest.fixture(scope="module")
def used(everybody):
    """A study in which something was decided, noted, rejected and judged."""
    page = everybody.page()
    page.goto("/adjudicate/3")
    press(page, "1")
    expect(page.locator("#desk")).to_have_attribute("data-number", "4")
    page.goto("/adjudicate/5")
    option(page, "8 head", "9 Creek").click()
    saved(page, 1)
    press(page, "o")
    page.keyboard.type("as on the map")
    page.keyboard.press("Enter")
    saved(page, 2)
    page.goto("/adjudicate/6")
    page.get_by_text("Exclude this sentence").click()
    page.get_by_role("button", name="Exclude", exact=True).click()
    saved(page, 1)
    page.goto("/rounds")
    page.get_by_role("button", name="Create round").click()
    page.wait_for_url("**/rounds/*")
    everybody.page("Jule", "judge").goto("/judge")
    return everybody


@pytest.mark.parametrize("address", PAGES)
def test_a_page_is_in_order(used, visits, address):
    page = visits.page(viewport={"width": 1200, "height": 900})
    page.goto(address)
    in_order(page)


@needs_axe
@pytest.mark.parametrize("address", MAIN)
def test_a_page_is_accessible(used, visits, address):
    page = visits.page(viewport={"width": 1200, "height": 900})
    page.goto(address)
    assert violations(page) == []


def in_order(page):
    """Check one page as it stands: names, widths, colours."""
    assert page.evaluate(FAULTS) == []
    ground, ink = page.evaluate(LIGHT)
    assert ground - ink > 0.5
    page.set_viewport_size({"width": 375, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 375
    page.emulate_media(color_scheme="dark")
    ground, ink = page.evaluate(LIGHT)
    assert ink - ground > 0.5


def test_pages_of_those_who_are_not_in_are_in_order(used, visits):
    page = visits.blank(viewport={"width": 1200, "height": 900})
    for address in ("/", "/join/unknown", visits.invite("Nils", "viewer")):
        page.goto(address)
        page.emulate_media(color_scheme="light")
        page.set_viewport_size({"width": 1200, "height": 900})
        in_order(page)


def test_what_comes_in_place_of_the_desk_is_in_order_too(used, visits):
    page = visits.page(viewport={"width": 1200, "height": 900})
    page.goto("/adjudicate/5")
    option(page, "9 head", "8 Hill").click()
    expect(page.locator("#desk .warnings")).to_be_visible()
    in_order(page)


def test_a_new_link_is_shown_in_order(used, visits):
    page = visits.page(viewport={"width": 1200, "height": 900})
    page.goto("/people")
    page.get_by_label("Name", exact=True).fill("Somebody With Quite A Long Name Who Is A Phone User")
    page.get_by_role("button", name="Create link").click()
    expect(page.get_by_label("Link", exact=True)).to_be_visible()
    in_order(page)


def test_the_focus_is_seen_wherever_the_keyboard_leads(used, visits):
    page = visits.page()
    look = """() => {
      const style = getComputedStyle(document.activeElement);
      const around = parseFloat(style.outlineWidth) > 0 && style.outlineStyle !== "none";
      return [document.activeElement.outerHTML.slice(0, 100), around];
    }"""
    for address in ("/", "/sentences", "/adjudicate/4", "/people", "/rounds"):
        page.goto(address)
        for _ in range(25):
            page.keyboard.press("Tab")
            what, seen = page.evaluate(look)
            assert seen or what.startswith("<body"), f"{address}: {what}"


def test_the_focus_is_seen_after_a_choice(used, visits):
    page = visits.page()
    page.goto("/adjudicate/8")
    press(page, "1")
    saved(page, 2)
    row = page.locator('.row.joined[data-key^="14 "]')
    expect(row).to_be_focused()
    assert row.evaluate("row => getComputedStyle(row).outlineStyle") != "none"


def test_a_page_skips_to_its_content(used, visits):
    page = visits.page()
    page.goto("/sentences")
    page.keyboard.press("Tab")
    expect(page.get_by_text("Skip to content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()


def test_keys_are_told_in_a_dialog_that_escape_closes(used, visits):
    page = visits.page()
    page.goto("/adjudicate/4")
    press(page, "?")
    dialog = page.get_by_role("dialog", name="Keys")
    expect(dialog).to_be_visible()
    assert dialog.evaluate("dialog => dialog.scrollWidth <= dialog.clientWidth")
    press(page, "1")  # not for the desk behind it
    press(page, "Escape")
    expect(dialog).to_be_hidden()
    saved(page, 0)


def test_the_slash_leads_to_the_search(used, visits):
    page = visits.page()
    page.goto("/adjudicate/4")
    press(page, "/")
    page.wait_for_url("**/sentences**")
    expect(page.locator("input[type=search]").first).to_be_focused()

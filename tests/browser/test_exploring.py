"""Somebody looks around in a study: the overview fills itself, filters work as one types, keys lead on."""

from playwright.sync_api import expect

from tests.support.browser.desks import press
from tests.support.web.serving import DEPENDENCY

STUDY = DEPENDENCY


def test_the_overview_fills_itself_and_then_asks_no_more(visits):
    page = visits.page()
    page.goto("/")
    for name in ("agreement", "types", "pairs", "coders"):
        section = page.locator(f"section#{name}")
        expect(section.locator("tbody tr").first).to_be_visible()
        assert section.get_attribute("hx-trigger") is None
    expect(page.locator(".headline")).to_contain_text("Agreement of 3 annotators on 16 sentences")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.wait_for_timeout(2500)
    assert asked == []


def test_a_type_leads_to_its_sentences_and_on_to_a_picture(visits):
    page = visits.page()
    page.goto("/")
    page.locator("section#types tbody a[href*='type=']").first.click()
    page.wait_for_url("**/sentences?type=1")
    page.locator("#list a.open").first.click()
    expect(page.locator("#picture svg")).to_be_visible()
    page.locator("#back").click()
    page.wait_for_url("**/sentences?type=1")


def test_the_list_follows_the_filters_and_the_address_follows_the_list(visits):
    page = visits.page()
    page.goto("/sentences")
    expect(page.locator("#list tbody tr")).to_have_count(16)
    press(page, "/")
    page.keyboard.type("ROADS")
    expect(page.locator("#list tbody tr")).to_have_count(1)
    expect(page.locator("#said")).to_contain_text("1 of 16 sentences")
    assert "text=ROADS" in page.url
    page.reload()
    expect(page.locator("#list tbody tr")).to_have_count(1)
    page.locator("#search").fill("")
    page.get_by_label("state").select_option("agreed")
    expect(page.locator("#list tbody tr")).to_have_count(3)
    page.go_back()
    expect(page.locator("#search")).to_be_visible()
    expect(page.locator("header h1")).to_have_count(1)


def test_keys_go_from_row_to_row_and_from_sentence_to_sentence(visits):
    page = visits.page()
    page.goto("/sentences?sort=order")
    press(page, "j", "j", "j", "k", "Enter")
    page.wait_for_url("**/sentences/2?sort=order")
    press(page, "n")
    page.wait_for_url("**/sentences/3?sort=order")
    press(page, "p")
    page.wait_for_url("**/sentences/2?sort=order")
    press(page, "b")
    page.wait_for_url("**/sentences?sort=order")


def test_trees_by_themselves_come_when_they_are_opened(visits):
    page = visits.page()
    page.goto("/sentences/3")
    figures = page.locator("#alone figure")
    expect(figures).to_have_count(0)
    page.locator("#alone summary").click()
    expect(figures).to_have_count(3)
    expect(figures.first.locator("svg")).to_be_visible()


def test_everything_can_be_looked_at_without_scripts(visits):
    page = visits.page(java_script_enabled=False)
    page.goto("/")
    page.goto("/sentences")
    page.locator("#search").fill("roads")
    page.get_by_role("button", name="Filter").click()
    expect(page.locator("#list tbody tr")).to_have_count(1)
    page.locator("#list a.open").click()
    page.locator("#alone summary").click()
    page.get_by_role("link", name="Open the trees").click()
    expect(page.locator("figure")).to_have_count(3)


def test_a_phone_shows_pages_without_scrolling_sideways(visits):
    page = visits.page(viewport={"width": 360, "height": 640}, color_scheme="dark")
    for address in ("/", "/sentences", "/sentences/3", "/sentences/15"):
        page.goto(address)
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, address

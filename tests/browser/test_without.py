"""What works without a script, and what a page says when its server is gone."""

import pytest
from playwright.sync_api import expect

from tests.support.browser.desks import decisions, history, option, press, saved
from tests.support.browser.visits import Visits
from tests.support.web.serving import DEPENDENCY, Server

STUDY = DEPENDENCY


def test_without_scripts_one_decides_undoes_notes_and_goes_on(visits):
    page = visits.page(java_script_enabled=False)
    page.goto("/adjudicate")
    expect(page).to_have_url(f"{visits.server.address}/adjudicate/2")
    option(page, "8 label", "advmod").click()
    expect(page).to_have_url(f"{visits.server.address}/adjudicate/2")
    saved(page, 1)
    page.get_by_label("other value for the head of ,").fill("5")
    page.get_by_label("other value for the head of ,").press("Enter")
    saved(page, 2)
    assert decisions(page) == {"8 label": "advmod", "9 head": "5 reach"}
    page.get_by_role("button", name="Undo").click()
    saved(page, 3)
    assert decisions(page) == {"8 label": "advmod"}
    page.locator(".row .note summary").first.click()
    page.get_by_label("note on the label of tonight").fill("no script")
    page.get_by_role("button", name="Save note").first.click()
    saved(page, 4)
    assert history(page)[0] == "Olga noted on label of tonight: no script"
    page.get_by_role("link", name="Next undecided").click()
    expect(page).to_have_url(f"{visits.server.address}/adjudicate/3")
    page.locator(".row.joined button.option").first.click()
    expect(page).to_have_url(f"{visits.server.address}/adjudicate/4?before=3")
    page.locator("#back").click()
    expect(page).to_have_url(f"{visits.server.address}/adjudicate/3")
    assert decisions(page) == {}


def test_without_scripts_a_choice_that_breaks_the_tree_is_explained_on_a_whole_page(visits):
    page = visits.page(java_script_enabled=False)
    page.goto("/adjudicate/5")
    option(page, "8 head", "9 Creek").click()
    saved(page, 1)
    option(page, "9 head", "8 Hill").click()
    expect(page.locator("#desk .warnings h2")).to_contain_text("cycle")
    expect(page.get_by_role("navigation")).to_be_visible()
    page.locator("button.offer").first.click()
    saved(page, 2)
    assert decisions(page)["9 head"] == "8 Hill"


def test_without_scripts_two_people_do_not_overwrite_each_other(visits):
    first, second = visits.page(java_script_enabled=False), visits.page("Ines", java_script_enabled=False)
    for page in (first, second):
        page.goto("/adjudicate/6")
    option(first, "5 head", "3 hail").click()
    saved(first, 1)
    option(second, "5 head", "2 expected").click()
    expect(second.locator("#desk .warnings")).to_contain_text("Olga decided head of June: 3 hail")
    saved(second, 1)


@pytest.fixture
def fragile(browser, tmp_path):
    """A server that a test may kill and start again, and who visits it."""
    first = Server(*DEPENDENCY, project=tmp_path / "project")
    visits = Visits(browser, first)
    yield visits
    visits.leave()
    visits.server.stop()


def test_when_the_server_is_gone_the_page_says_so_and_the_same_click_works_when_it_is_back(fragile):
    page = fragile.page()
    page.goto("/adjudicate/2")
    option(page, "8 label", "obl").click()
    saved(page, 1)
    gone = fragile.server
    gone.kill()
    press(page, "2")
    message = page.locator("#message")
    expect(message).to_contain_text("Cannot reach the server. It is not known whether the change was saved")
    assert decisions(page) == {"8 label": "obl"}
    fragile.wrong.clear()  # the console has told of the request that failed

    fragile.server = Server(*DEPENDENCY, project=gone.project, port=gone.port)
    press(page, "2")
    saved(page, 2)
    assert decisions(page) == {"8 label": "obl", "8 upos": "ADV"}
    expect(message).to_be_hidden()
    page.reload()
    assert decisions(page) == {"8 label": "obl", "8 upos": "ADV"}
    assert len(history(page)) == 2
    assert fragile.wrong == []

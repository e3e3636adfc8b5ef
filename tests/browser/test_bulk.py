"""Many disagreements decided at once, suggestions that say why, and hidden names of annotators."""

import re

from playwright.sync_api import expect

from tests.support.web.serving import DEPENDENCY

STUDY = DEPENDENCY
OPTIONS = ("--blind",)
NAMES = re.compile(r"\b(ann|bob|cho)\b")


def test_a_pair_of_labels_is_decided_at_once_and_undone_as_one_step(visits):
    page = visits.page()
    page.goto("/")
    page.get_by_role("link", name="Decide together: nmod and obl").click()
    expect(page.locator("input[name=place]")).to_have_count(0)
    page.get_by_role("link", name="nmod", exact=True).click()
    boxes = page.locator("input[name=place]")
    count = boxes.count()
    assert count > 3
    boxes.first.uncheck()
    expect(page.get_by_role("button", name=f"Apply to {count - 1} disagreements")).to_be_enabled()
    page.get_by_label("all", exact=True).check()
    expect(page.locator("#ticked")).to_have_text(f"{count} disagreements")
    page.get_by_label("all", exact=True).uncheck()
    expect(page.locator("#bulk button")).to_be_disabled()
    page.get_by_label("all", exact=True).check()
    boxes.first.uncheck()
    page.locator("#bulk button").click()
    expect(page.locator(".headline")).to_have_text(f"Saved {count - 1} decisions at once.")
    page.get_by_role("button", name=f"Undo all {count - 1} decisions").click()
    expect(page.locator(".headline")).to_contain_text("Undone: ")
    page.goto("/bulk?label=nmod&other=obl&choose=nmod")
    expect(page.locator("input[name=place]")).to_have_count(count)


def test_a_suggestion_says_why_and_can_be_hidden(visits):
    page = visits.page("Bea")
    page.goto("/adjudicate/3")
    for _ in range(60):  # they are computed in the background
        if page.locator(".suggestion").count():
            break
        page.wait_for_timeout(500)
        page.reload()
    why = re.compile(
        r"suggested, (probability >?0\.\d\d: 2 of 3 annotators|uncertain: part of the most probable)"
    )
    expect(page.locator("#desk .row .suggestion").first).to_have_text(why)
    page.get_by_text("Settings", exact=True).click()
    page.get_by_label("Show suggestions").uncheck()
    page.get_by_role("button", name="Save settings").click()
    expect(page.locator("#settings")).to_be_attached()
    expect(page.locator("#desk .suggestion")).to_have_count(0)


def test_an_adjudicator_sees_letters_and_no_page_with_names(visits):
    page = visits.page("Bea")
    for number in (3, 5, 8):
        page.goto(f"/adjudicate/{number}")
        badges = page.locator("#desk .row .option .badge").all_text_contents()
        assert set(badges) <= {"A", "B", "C"}
        assert len(set(badges)) > 1
        assert not NAMES.search(page.content())
    assert page.locator("nav").first.inner_text().split() == ["Adjudicate"]
    page.goto("/sentences")
    expect(page.locator("main")).to_contain_text("Names of annotators are hidden in this project")
    assert not NAMES.search(page.content())
    owner = visits.page()
    owner.goto("/sentences/3")
    assert NAMES.search(owner.content())

"""Two people on one sentence: the second sees what the first did, and nothing is overwritten."""

from playwright.sync_api import expect

from tests.support.browser.desks import decisions, history, option, saved
from tests.support.web.serving import DEPENDENCY

STUDY = DEPENDENCY


def test_who_comes_second_sees_what_the_first_did_and_overwrites_nothing(visits):
    first, second = visits.page("Ines"), visits.page("Jonas")
    for page in (first, second):
        page.goto("/adjudicate/3")
    option(first, "9 head", "3 watched").click()
    saved(first, 1)
    option(second, "9 head", "5 storm").click()
    alert = second.locator("#desk .warnings")
    expect(alert).to_contain_text("Not saved: Ines changed this sentence after you opened it")
    expect(alert.locator("li")).to_contain_text("Ines decided head of radar: 3 watched")
    assert decisions(second) == {"9 head": "3 watched"}
    option(second, "9 head", "5 storm").click()
    saved(second, 2)
    assert decisions(second) == {"9 head": "5 storm"}
    first.reload()
    assert decisions(first) == {"9 head": "5 storm"}
    told = ["Jonas decided head of radar: 5 storm", "Ines decided head of radar: 3 watched"]
    assert history(first) == history(second) == told


def test_different_places_of_one_sentence_are_both_kept(visits):
    first, second = visits.page("Ines"), visits.page("Jonas")
    for page in (first, second):
        page.goto("/adjudicate/6")
    option(first, "5 head", "3 hail").click()
    saved(first, 1)
    option(second, "5 label", "nmod").click()
    expect(second.locator("#desk .warnings li")).to_contain_text("Ines decided head of June: 3 hail")
    option(second, "5 label", "nmod").click()
    expect(second.locator("#desk")).to_have_attribute("data-number", "7")
    second.goto("/adjudicate/6")
    saved(second, 2)
    assert decisions(second) == {"5 head": "3 hail", "5 label": "nmod"}
    expect(second.locator(".row .row .by")).to_have_text(["decided by Ines", "decided by Jonas"])
    expect(second.locator(".state")).to_have_text("decided")


def test_one_cannot_undo_what_one_has_not_seen(visits):
    first, second = visits.page("Ines"), visits.page("Jonas")
    first.goto("/adjudicate/11")
    option(first, "10 head", "5 bread").click()
    saved(first, 1)
    second.goto("/adjudicate/11")
    option(first, "13 label", "obl").click()
    expect(first.locator("#desk")).to_have_attribute("data-number", "12")
    second.locator("#undo").click()
    expect(second.locator("#desk .warnings li")).to_contain_text("Ines decided label of hotel: obl")
    assert decisions(second) == {"10 head": "5 bread", "13 label": "obl"}
    saved(second, 2)


def test_notes_and_rejections_of_others_are_not_overwritten(visits):
    first, second = visits.page("Ines"), visits.page("Jonas")
    for page in (first, second):
        page.goto("/adjudicate/12")
    first.get_by_text("Exclude this sentence").click()
    first.get_by_role("button", name="Exclude", exact=True).click()
    saved(first, 1)
    note = second.locator(".row.joined > .note")
    note.locator("summary").click()
    note.get_by_label("note on the head and label of square").fill("hm")
    note.get_by_role("button", name="Save note").click()
    expect(second.locator("#desk .warnings li")).to_contain_text("Ines rejected the sentence")
    expect(second.locator(".state")).to_have_text("excluded")
    saved(second, 1)

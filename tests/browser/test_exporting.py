"""From the first key to the gold standard, with the keyboard alone, and back in with the coders' files."""

import re

import pytest
from playwright.sync_api import expect

from arbitree.api.read import read
from tests.support.browser.desks import press, saved
from tests.support.browser.visits import Visits
from tests.support.web.serving import DEPENDENCY, LABELS, PHRASE, serving


@pytest.fixture
def served(browser, tmp_path):
    """Serve files, and return the page of their owner."""
    opened = []

    def serve(*inputs):
        server = serving(*inputs, project=tmp_path / "project")
        visits = Visits(browser, server.__enter__())
        opened.append((server, visits))
        page = visits.page()
        page.goto("/adjudicate")
        return page

    yield serve
    for server, visits in opened:
        wrong = visits.leave()
        server.__exit__(None, None, None)
        assert wrong == []


@pytest.fixture
def weather(tmp_path):
    """A function that writes the first eight sentences of each file, all about the weather."""

    def write(paths):
        for path in paths:
            first = re.split("# newdoc id = market|# sent_id = market", path.read_text(encoding="utf-8"))[0]
            (tmp_path / path.name).write_text(first, encoding="utf-8")
        return [tmp_path / path.name for path in paths]

    return write


def tab_to(page, name):
    """Press the tabulator until the link called *name* has the focus."""
    link = page.get_by_role("link", name=name, exact=True)
    for _ in range(100):
        if link.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"the keyboard does not reach {name}")


def take_away(page, name, folder):
    """Go to the decisions by keyboard, download a file, and return its path."""
    tab_to(page, "Decisions")
    page.keyboard.press("Enter")
    page.wait_for_url("**/decisions")
    tab_to(page, name)
    with page.expect_download() as download:
        page.keyboard.press("Enter")
    path = folder / name
    download.value.save_as(path)
    return path


def number_of(page):
    return int(page.locator("#desk").get_attribute("data-number"))


def comes(page, number):
    """Wait for the sentence that follows by itself."""
    expect(page.locator("#desk")).to_have_attribute("data-number", str(number))


def onward(page, number):
    """Go to the next sentence that is not decided."""
    press(page, "d")
    page.wait_for_url(f"**/adjudicate/{number}" if number else "**/adjudicate")


def test_a_study_of_dependencies_is_adjudicated_by_keyboard_and_read_back(served, weather, tmp_path):
    inputs = weather(DEPENDENCY)
    page = served(*inputs)
    assert number_of(page) == 2
    press(page, "1", "2", "1")  # label, part of speech, head, as they come
    comes(page, 3)
    press(page, "x", "j", "2", "1", "u", "2")  # label and head apart, the label first; back for another head
    comes(page, 4)
    press(page, "a", "2")  # all of bob
    comes(page, 5)
    press(page, "a", "1")
    comes(page, 6)
    press(page, "p")
    page.wait_for_url("**/adjudicate/5")
    press(page, "k", "2")  # the last arc but otherwise, which would close a circle
    expect(page.locator("#desk .warnings h2")).to_contain_text("cycle")
    saved(page, 1)
    onward(page, 6)
    press(page, "x", "1", "3")  # the head, then the field for a label of one's own
    expect(page.get_by_label("other value for the label of June")).to_be_focused()
    page.keyboard.type("obl:tmod")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Save anyway")).to_be_focused()
    page.keyboard.press("Enter")
    for number in (7, 8):
        comes(page, number)
        press(page, "a", "1")
    saved(page, 1)
    onward(page, None)
    expect(page.get_by_role("main")).to_contain_text("Adjudication is complete: 7 decided, 0 excluded")

    study = read(*inputs, take_away(page, "gold.conllu", tmp_path))
    gold = {item.id: study.cells[item.id, "gold"].value for item in study.items}
    coders = {
        (item.id, coder): study.cells[item.id, coder].value
        for item in study.items
        for coder in ("ann", "bob")
    }
    second = gold["weather-2"]
    assert (second.relations[7], second.columns["upos"][7], second.heads[8]) == ("obl", "ADV", 13)
    assert (gold["weather-3"].heads[8], gold["weather-3"].relations[8]) == (5, "nmod")
    assert gold["weather-4"].heads == coders["weather-4", "bob"].heads
    assert gold["weather-4"].relations == coders["weather-4", "bob"].relations
    assert gold["weather-6"].relations[4] == "obl:tmod"
    for name in ("weather-5", "weather-7", "weather-8"):
        assert gold[name].heads == coders[name, "ann"].heads
        assert gold[name].relations == coders[name, "ann"].relations
    assert "# adjudicated_by = Olga" in gold["weather-2"].comments
    assert "# agreed_by = ann, bob, cho" in gold["weather-1"].comments


def test_a_study_of_phrase_structure_is_adjudicated_and_read_back(served, weather, tmp_path):
    inputs = weather(PHRASE)
    page = served(*inputs)
    numbers = []
    while page.locator("#desk").count():
        numbers.append(number_of(page))
        expect(page.locator("#desk .pictures svg:visible").first).to_be_visible()
        press(page, "a", "1" if len(numbers) % 2 else "2")
        expect(page.locator(f"#desk:not([data-number='{numbers[-1]}']), #onward")).to_be_attached()
        if page.locator("#onward").count():  # it was the last one
            onward(page, None)
    path = take_away(page, "gold.mrg", tmp_path)
    study = read(*inputs, path)
    assert len(numbers) > 3
    for turn, number in enumerate(numbers):
        item = study.items[number - 1].id
        whose = "bob" if turn % 2 else "ann"
        gold, own = study.cells[item, "gold"].value, study.cells[item, whose].value
        assert (gold.labels, gold.parents, gold.tokens) == (own.labels, own.parents, own.tokens)
    assert path.read_text(encoding="utf-8").count("adjudicated_by = Olga") == len(numbers)


def test_a_table_of_labels_is_adjudicated_and_read_back(served, tmp_path):
    page = served(*LABELS)
    first = number_of(page)
    wanted = page.locator(".row button.option .value").nth(1).inner_text()
    press(page, "2")
    expect(page.locator(".before")).to_contain_text("Decided")
    path = take_away(page, "gold.tsv", tmp_path)
    study = read(path)
    item = read(*LABELS).items[first - 1].id
    assert study.cells[item, "adjudicated"].value.text == wanted

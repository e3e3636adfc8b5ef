"""A study of AMR graphs: explored, adjudicated with the keyboard, exported, and read back."""

import re

from playwright.sync_api import expect

from arbitree import kinds
from arbitree.api.read import read
from tests.support.browser.desks import decisions, press, saved
from tests.support.web.serving import EXAMPLES

STUDY = sorted((EXAMPLES / "graphs").glob("*.amr"))

# What ann, bob and cho have, in the order of the places: a group is one choice.
CHOICES = {
    "boat-1": ("1", "1"),  # date-entity, with its time
    "boat-2": ("1", "1"),  # the captain sails; no second captain
    "boat-3": ("1", "1"),
    "boat-4": ("2", "2", "2"),  # a person of bob, :age of cho, and the node sail-01
    "boat-6": ("1", "1"),
}


def test_a_study_is_explored(visits):
    page = visits.page(role="viewer")
    page.goto("/sentences/4")
    expect(page.locator(".panels > svg")).to_have_count(3)
    expect(page.locator(".panels > svg").first).to_contain_text("repair-01")
    rows = page.locator("main tbody tr").filter(has=page.get_by_text("sailor → old"))
    expect(rows.first).to_contain_text(":mod")
    page.set_viewport_size(
        {"width": 390, "height": 800}
    )  # a phone: below one another, and nothing is cut off
    tops = page.locator(".panels > svg").evaluate_all(
        "all => all.map((each) => each.getBoundingClientRect().top)"
    )
    assert tops == sorted(set(tops))
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_click_in_a_graph_chooses_and_the_decided_graph_follows(visits):
    page = visits.page()
    page.goto("/adjudicate/8")
    page.locator(".panels > svg").nth(1).locator("[data-wish]", has_text="day").click()
    saved(page, 1)
    assert decisions(page)["t concept"] == "day"
    expect(page.locator(".panels > svg").last).to_have_attribute(
        "aria-label", re.compile(r"\(t / day :quant 3")
    )
    press(page, "u")
    saved(page, 2)
    assert decisions(page) == {}


def test_a_graph_in_pieces_is_explained_and_not_decided(visits):
    page = visits.page()
    page.goto("/adjudicate/6")
    press(page, "x")
    for key in ("s>t role", "s2>t role", "t>p role"):
        row = page.locator(f'#desk .row[data-key="{key}"]')
        row.locator("button.option", has_text="(none)").click()
        expect(row).to_have_class("row decided")
    expect(page.locator(".trouble")).to_contain_text("telescope (t) is not connected to the top")
    expect(page.locator(".state").first).to_contain_text("contested")
    press(page, "u", "u", "u")
    saved(page, 6)


def test_five_sentences_are_adjudicated_by_keyboard_and_gold_is_read_back(visits, tmp_path):
    page = visits.page()
    page.goto("/adjudicate/1")
    for item, keys in CHOICES.items():
        while page.locator("#desk .facts a").text_content() != item:
            press(page, "n")
            page.wait_for_load_state()
        press(page, *keys)
        expect(page.locator("#desk .facts a")).not_to_have_text(item)  # the next one that is undecided
    page.goto("/decisions")
    with page.expect_download() as download:
        page.get_by_role("link", name="gold.amr").click()
    path = tmp_path / "gold.amr"
    download.value.save_as(path)
    text = path.read_text(encoding="utf-8")
    assert "# ::id boat-4" in text
    assert "# adjudicated_by = Olga" in text

    gold = read(*map(str, STUDY), gold=str(path))
    assert gold.kind == "graph"
    content = kinds.of(gold).content
    given = {coder: {key[0]: content(cell.value) for key, cell in gold.cells.items() if key[1] == coder}
             for coder in gold.coders}  # fmt: skip
    assert set(given["gold"]) == {"boat-1", "boat-2", "boat-3", "boat-4", "boat-5", "boat-6"}
    for item in ("boat-1", "boat-2", "boat-3", "boat-5", "boat-6"):
        assert given["gold"][item] == given["ann"][item], item
    mixed = next(cell.value for key, cell in gold.cells.items() if key == ("boat-4", "gold"))
    assert {node.label for node in mixed.nodes} == {"repair-01", "person", "old", "sail-01", "net"}
    assert "age" in {edge.role for edge in mixed.edges}

"""Adjudicating labels: the texts of items, what labels mean, unusual values and the tag set."""

import pytest
from playwright.sync_api import expect

from tests.support.browser.desks import decisions, press, saved
from tests.support.web.serving import serving

LABELS = """\
item\tcoder\tlabel
u1\tann\trank
u1\tbob\task
u2\tann\trank
u2\tbob\task
"""
USES = """\
id\tlemma\tcontext\tindices_target_token
u1\torder\tThe guests order two pots of tea.\t11:16
u2\torder\tThe clerk will order the files by date.\t15:20
"""
TAGS = "rank\tput into a sequence\nask\trequest a thing\ncommand\ttell somebody to act\n"


@pytest.fixture
def server(browser, tmp_path_factory):
    folder = tmp_path_factory.mktemp("labels")
    for name, text in (("labels.tsv", LABELS), ("uses.tsv", USES), ("tags.txt", TAGS)):
        (folder / name).write_text(text, encoding="utf-8")
    options = ("--texts", str(folder / "uses.tsv"), "--tagset", str(folder / "tags.txt"))
    with serving(str(folder / "labels.tsv"), project=folder / "project", options=options) as started:
        yield started


def test_the_text_is_read_large_and_labels_are_explained_beside_the_choices(visits):
    page = visits.page(viewport={"width": 1280, "height": 900})
    page.goto("/adjudicate/1")
    text = page.locator("#desk .sentence")
    expect(text).to_have_text("The guests order two pots of tea.")
    expect(text.locator("mark")).to_have_text("order")
    small = page.locator("#desk dd", has_text="order")
    size = "each => parseFloat(getComputedStyle(each).fontSize)"
    assert text.evaluate(size) > 1.2 * small.evaluate(size)
    expect(page.locator("#desk .facts")).to_have_text("u1")
    options = page.locator("#desk .row button.option")
    expect(options.nth(0)).to_contain_text("put into a sequence")
    expect(options.nth(1)).to_contain_text("request a thing")
    expect(options.nth(1)).to_be_in_viewport()


def test_the_text_and_the_choices_fit_a_phone(visits):
    page = visits.page(viewport={"width": 390, "height": 844})
    page.goto("/adjudicate/1")
    expect(page.locator("#desk .sentence")).to_be_in_viewport()
    expect(page.locator("#desk .row button.option").first).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_value_outside_the_tag_set_is_refused_and_completed_from_it(visits):
    page = visits.page()
    page.goto("/adjudicate/2")
    press(page, "3")
    page.keyboard.type("comand")
    page.keyboard.press("Enter")
    expect(page.locator("#desk .warnings")).to_contain_text(
        "is not in the tag set tags.txt. Did you mean command?"
    )
    field = page.get_by_label("other value for the label")
    expect(field).to_be_focused()
    expect(field).to_have_value("comand")
    assert field.evaluate("each => [...each.list.options].map((option) => option.value)") == [
        "rank",
        "ask",
        "command",
    ]
    field.fill("command")
    field.press("Enter")
    expect(page.locator("#desk")).to_have_attribute("data-number", "1")
    page.goto("/adjudicate/2")
    saved(page, 1)
    assert decisions(page) == {"label": "command"}

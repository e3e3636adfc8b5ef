"""Text that would run, hide or break out, in everything that files and people give: it is shown, no more."""

import pytest
from playwright.sync_api import expect

from tests.support.browser.desks import confirm, decisions, option, saved, undecided
from tests.support.conllu_rows import sentence
from tests.support.web.serving import serving

SCRIPT = "<script>alert(1)</script>"
IMAGE = "\"'><img/src=x/onerror=alert(1)>"
TEMPLATE = "{{1234*5678}}"
TURNED = "\u202egnirts"
CONTROL = "a\x01b"
WORDS = [SCRIPT, IMAGE, TEMPLATE, TURNED, CONTROL, "</svg></textarea>", "${1234*5678}", "javascript:alert(1)"]
LABELS = ["</style><script>alert(2)</script>", "'\"><svg/onload=alert(2)>", TEMPLATE, f"x{TURNED}", "a\u0300"]
IDS = ["<script>alert(3)</script>", "../../etc/passwd", "%2e%2e%2f", f"{TEMPLATE}\"'", TURNED, "?a=b&c#d"]
CODERS = ["<script>alert(4)", "\"'><img src", TEMPLATE]
NAME = '<img src=x onerror=alert(5)> & "Söhne" {{1234*5678}}'
INJECTED = "img, iframe, object, embed, main script, main style, main link, svg script, [onerror], [onload]"


@pytest.fixture
def server(browser, tmp_path_factory):
    folder = tmp_path_factory.mktemp("hostile")
    inputs = []
    for number, coder in enumerate(CODERS):
        text = ""
        for turn, name in enumerate(IDS):
            heads = [0] + [1 + (number + turn) % 3 * (place > 4) for place in range(1, len(WORDS))]
            rows = sentence(" ".join(WORDS), heads, name=name, document=SCRIPT)
            text += rows.replace("\tdep\t", f"\t{LABELS[(number + turn) % len(LABELS)]}\t")
        path = folder / f"{number}.conllu"
        path.write_text(text, encoding="utf-8")
        inputs.append(f"{coder}={path}")
    with serving(*inputs, project=folder / "project", options=["--title", SCRIPT]) as started:
        yield started


@pytest.fixture
def numbers():
    return range(1, len(IDS) + 1)


def unharmed(page):
    """Check that nothing of the data has become a part of the page that acts."""
    assert page.locator(INJECTED).count() == 0
    assert "7006652" not in page.content()


def test_desks_show_what_is_in_the_files_and_run_nothing(visits, numbers):
    page = visits.page()
    for number in numbers:
        page.goto(f"/adjudicate/{number}")
        unharmed(page)
        shown = page.locator("#desk").text_content()
        for text in (SCRIPT, IMAGE, TEMPLATE, "\\u202egnirts", "a\\u0001b", *CODERS):
            assert text in shown
        for turn in range(number - 1, number + 2):
            assert LABELS[turn % len(LABELS)].replace("\u202e", "\\u202e") in shown
        assert IDS[number - 1].replace("\u202e", "\\u202e") in shown


def test_values_are_taken_as_they_are_in_the_files(visits, numbers):
    page = visits.page()
    page.goto("/adjudicate/1")
    wanted = {}
    keys = undecided(page)
    for count, key in enumerate(keys, start=1):
        button = option(page, key).nth(count % 2)
        wanted[key] = button.locator(".value").inner_text()
        button.click()
        if count < len(keys):
            saved(page, count)
    expect(page.locator("#desk")).to_have_attribute("data-number", "2")
    page.goto("/adjudicate/1")
    assert decisions(page) == wanted
    expect(page.locator("#desk .row small", has_text="other value")).to_have_count(0)
    expect(page.locator(".state")).to_have_text("decided")
    unharmed(page)


def test_taking_all_of_a_coder_with_such_a_name_works(visits):
    page = visits.page()
    page.goto("/adjudicate/2")
    page.keyboard.press("a")
    page.locator("#take button.option").nth(1).click()
    expect(page.locator("#desk")).to_have_attribute("data-number", "3")
    page.goto("/adjudicate/2")
    saved(page, 1)
    expect(page.locator(".state")).to_have_text("decided")


def test_notes_reasons_and_names_of_people_are_shown_as_written(visits):
    page = visits.page(NAME)
    page.goto("/adjudicate/3")
    expect(page.locator("header")).to_contain_text(NAME)
    page.locator(".row .note summary").first.click()
    page.locator(".row .note input[name=text]").first.fill(IMAGE + SCRIPT + TURNED + TEMPLATE)
    page.locator(".row .note button").first.click()
    saved(page, 1)
    page.get_by_text("Exclude this sentence").click()
    page.get_by_label("Reason").fill(SCRIPT + IMAGE)
    page.get_by_role("button", name="Exclude", exact=True).click()
    saved(page, 2)
    page.reload()
    expect(page.locator(".row .note input[name=text]").first).to_have_value(
        IMAGE + SCRIPT + TURNED + TEMPLATE
    )
    told = page.locator("#history").text_content()
    assert IMAGE + SCRIPT + "\\u202egnirts" + TEMPLATE in told
    assert NAME in told
    unharmed(page)


@pytest.mark.parametrize(
    "address",
    ["/", "/sentences", "/sentences/1", "/decisions", "/history", "/people", "/rounds", "/progress"],
)
def test_no_page_runs_what_is_in_the_data(visits, address):
    visits.page(NAME)
    page = visits.page()
    assert page.goto(address).status == 200
    unharmed(page)


def test_an_own_value_that_looks_like_code_is_kept_as_text(visits):
    page = visits.page()
    page.goto("/adjudicate/4")
    key = next(each for each in undecided(page) if each.endswith("label"))
    option(page, key)
    field = page.locator(f'#desk .row[data-key="{key}"] input[name=own]')
    field.fill("<script>alert(6)</script>")
    field.press("Enter")
    confirm(page)
    saved(page, 1)
    assert decisions(page)[key] == "<script>alert(6)</script>"
    unharmed(page)


def test_addresses_that_hold_code_are_answered_plainly(visits):
    page = visits.page()
    for address in (
        "/%3Cscript%3Ealert(7)%3C/script%3E",
        "/sentences?q=%3Cscript%3Ealert(7)%3C/script%3E",
        "/join/%3Cimg%20src=x%20onerror=alert(7)%3E",
        "/adjudicate/%7B%7B1234*5678%7D%7D",
    ):
        assert page.goto(address).status < 500
        assert page.locator(INJECTED).count() == 0


def test_the_button_of_a_value_holds_it_exactly(visits):
    page = visits.page()
    page.goto("/adjudicate/5")
    labels = page.locator('#desk .row:not(.joined)[data-key$=" label"]').first
    key = labels.get_attribute("data-key")
    sent = {button.get_attribute("value") for button in labels.locator("button.option").all()}
    assert sent <= {f"{key}\t{label}" for label in LABELS}
    assert option(page, key, "x\\u202egnirts").count() <= 1

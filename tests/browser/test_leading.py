"""What the owner does for others: invites them, gives them sentences, and sees how far they are."""

import pytest
from playwright.sync_api import expect

from tests.support.browser.desks import decisions, press, undecided
from tests.support.web.serving import DEPENDENCY

STUDY = DEPENDENCY

WITHOUT_CLIPBOARD = "Object.defineProperty(navigator, 'clipboard', { value: undefined });"
WITHOUT_COPYING = WITHOUT_CLIPBOARD + "document.execCommand = () => false;"


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("", "Copied."),
        (WITHOUT_CLIPBOARD, "Copied."),
        (WITHOUT_COPYING, "The text is selected. Press Ctrl-C or ⌘C to copy it."),
    ],
)
def test_a_link_is_copied_with_one_click(visits, script, said):
    page = visits.page(permissions=["clipboard-read", "clipboard-write"])
    page.add_init_script(script)
    page.goto("/people")
    expect(page.get_by_text("Other people cannot open links of this server")).to_be_visible()
    page.get_by_label("Name", exact=True).fill(f"Person {len(script)}")
    page.locator("form.stacked select[name=role]").select_option("viewer")
    page.get_by_role("button", name="Create link").click()
    page.get_by_role("button", name="Copy").click()
    expect(page.locator(".copying [role=status]")).to_have_text(said)
    link = page.get_by_label("Link", exact=True)
    selected = link.evaluate("field => field.value.slice(field.selectionStart, field.selectionEnd)")
    assert selected == link.input_value()
    if not script:
        assert page.evaluate("navigator.clipboard.readText()") == link.input_value()


def names(page):
    """Return the people of the table, with what they have decided and what is left."""
    rows = page.locator("section").first.locator("tbody tr").all()
    cells = [row.locator("th, td").all_inner_texts() for row in rows]
    return {row[0]: {"assigned": row[1], "left": row[2], "decided": row[3], "time": row[4]} for row in cells}


def take_all(page, address, number):
    """Choose all values of one annotator, and open the page of the sentence again."""
    page.goto(address)
    with page.expect_response(f"**{address}/take"):
        press(page, "a", number)
    page.goto(address)


def test_two_decide_independently_and_the_owner_sees_how_well_they_agree(visits):
    owner, ines, jonas = visits.page(), visits.page("Ines"), visits.page("Jonas")
    owner.goto("/progress")
    expect(owner.get_by_role("heading", name="Agreement between adjudicators")).to_have_count(0)
    owner.get_by_label("Share that two people decide independently").fill("100")
    owner.get_by_role("button", name="Assign", exact=True).click()
    expect(owner.get_by_role("status").first).to_contain_text(
        "12 sentences assigned, 12 of them to two people"
    )
    ines.goto("/adjudicate/6")
    expect(ines.locator(".assigned")).to_contain_text(
        "You and another person decide this sentence independently"
    )
    take_all(ines, "/adjudicate/6", "1")
    expect(ines.locator(".assigned")).to_contain_text("You have decided it; the other person has not")
    jonas.goto("/adjudicate/6")
    assert decisions(jonas) == {}
    expect(jonas.locator("#desk")).not_to_contain_text("Ines")
    take_all(jonas, "/adjudicate/6", "2")
    assert len(decisions(jonas)) == 2
    expect(jonas.locator(".assigned")).to_contain_text("0 of 2 decisions are the same")
    owner.goto("/progress")
    expect(owner.locator("#between table").first.locator("tbody tr").last).to_contain_text("all")
    owner.locator("#between").get_by_role("link", name="weather-6").first.click()
    expect(owner.locator(".assigned")).to_contain_text("Ines and Jonas decided this sentence independently")
    assert len(undecided(owner)) == 2


def test_active_time_is_kept_and_idle_time_is_not(visits):
    page, owner = visits.page("Kim"), visits.page()
    page.clock.install()
    page.goto("/adjudicate/3")
    page.clock.run_for(20_000)
    press(page, "j")
    page.clock.run_for(45_000)
    press(page, "j")
    page.clock.run_for(3_600_000)  # nothing is done: of this hour, a minute counts
    page.goto("/sentences")
    for _ in range(20):  # the browser sends the rest when it has time
        owner.goto("/progress")
        if names(owner)["Kim"]["time"] == "2 min 5 s":
            break
    assert names(owner)["Kim"]["time"] == "2 min 5 s"

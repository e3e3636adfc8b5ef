"""What people are kept from: pages and changes that are not theirs, links that are no good any more."""

import pytest
from playwright.sync_api import expect

from tests.support.web.serving import DEPENDENCY

STUDY = DEPENDENCY
OWNERS = ["/people", "/progress", "/rounds"]
EXPLORERS = ["/", "/sentences", "/sentences/3", "/decisions", "/history"]


def test_a_viewer_is_told_what_is_not_theirs(visits):
    page = visits.page("Vera", "viewer")
    for address in ("/adjudicate", "/adjudicate/3", *OWNERS):
        assert page.goto(address).status == 403, address
        expect(page.get_by_role("heading", level=1)).to_have_text("Your role (viewer) does not allow this")
        expect(page.get_by_role("main")).to_contain_text("Ask the study owner to change your role")


def test_a_judge_sees_nothing_of_the_coders(visits):
    page = visits.page("Jule", "judge")
    for address in (*EXPLORERS, "/adjudicate/3", *OWNERS, "/api/sentences/3/desk"):
        answer = page.goto(address)
        assert answer.status == 403, address
        assert "ann" not in answer.text().replace("annotat", ""), address


def test_the_menu_has_only_what_one_may_open(visits):
    wanted = {
        ("Vera", "viewer"): ["Overview", "Sentences", "Decisions", "History"],
        ("Jule", "judge"): ["Judge"],
        ("Ada", "adjudicator"): ["Overview", "Sentences", "Adjudicate", "Decisions", "History"],
    }
    for (name, role), entries in wanted.items():
        page = visits.page(name, role)
        page.goto("/judge" if role == "judge" else "/sentences")
        assert page.get_by_role("navigation").get_by_role("link").all_text_contents() == entries


def test_a_viewer_cannot_post_what_is_not_theirs(visits):
    page = visits.page("Vera", "viewer")
    page.goto("/sentences")
    sent = """async (address) => {
      const token = JSON.parse(document.body.getAttribute("hx-headers"))["X-CSRF-Token"];
      const body = new URLSearchParams({
        seen: 0, request: "0123456789abcdef", wish: "9 head\\t5 storm", name: "x", role: "viewer" });
      const headers = { "X-CSRF-Token": token };
      return (await fetch(address, { method: "POST", body, headers })).status;
    }"""
    for address in ("/adjudicate/3/decide", "/adjudicate/3/undo", "/people", "/people/1/remove",
                    "/api/sentences/3/undo"):  # fmt: skip
        assert page.evaluate(sent, address) == 403, address
    owner = visits.page()
    owner.goto("/adjudicate/3")
    expect(owner.locator("#desk")).to_have_attribute("data-seen", "0")


def test_who_is_not_known_is_asked_for_their_link(visits):
    page = visits.blank()
    answer = page.goto("/adjudicate/3")
    assert answer.status == 401
    expect(page.get_by_role("main")).to_contain_text("Open your invitation link")


@pytest.mark.parametrize("case", ["unknown", "used", "revoked"])
def test_a_link_that_is_no_good_says_why(visits, case):
    page = visits.blank()
    link = f"{visits.server.address}/join/no-such-link"
    said = {
        "unknown": "is not valid",
        "used": "has already been used",
        "revoked": "has been replaced or revoked",
    }[case]
    if case == "used":
        link = visits.invite("Uwe", "viewer")
        page.goto(link)
        page.get_by_role("button", name="Join").click()
        page.wait_for_url("**/")
    elif case == "revoked":
        link = visits.invite("Rita", "viewer")
        owner = visits.page()
        owner.goto("/people")
        owner.get_by_role("row", name="Rita").get_by_role("button", name="Create new link").click()
        expect(owner.get_by_label("Link", exact=True)).not_to_have_value(link)
    answer = page.goto(link)
    assert answer.status == (404 if case == "unknown" else 410)
    expect(page.get_by_role("heading", level=1)).to_have_text(f"This link {said}")
    expect(page.get_by_role("main")).to_contain_text("Ask the study owner for a new one")


def test_a_removed_person_is_out_at_once_and_a_new_role_holds_at_once(visits):
    page, owner = visits.page("Petra", "viewer"), visits.page()
    assert page.goto("/adjudicate/3").status == 403
    owner.goto("/people")
    owner.get_by_label("role of Petra").select_option("adjudicator")
    owner.get_by_role("row", name="Petra").get_by_role("button", name="Change role").click()
    expect(owner.get_by_role("row", name="Petra")).to_contain_text("adjudicator")
    assert page.goto("/adjudicate/3").status == 200
    row = owner.get_by_role("row", name="Petra")
    row.locator("summary").click()
    row.get_by_role("button", name="Remove Petra").click()
    expect(owner.get_by_role("row", name="Petra")).to_have_count(0)
    page.locator(".row button.option").first.click()
    expect(page.locator("#message")).to_contain_text("You are not signed in")
    assert page.goto("/adjudicate/3").status == 401

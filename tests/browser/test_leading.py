"""What the owner does for others: invites them, gives them sentences, and sees how far they are."""

import pytest
from playwright.sync_api import expect

from tests.support.web.serving import DEPENDENCY

STUDY = DEPENDENCY

WITHOUT_CLIPBOARD = "Object.defineProperty(navigator, 'clipboard', { value: undefined });"
WITHOUT_COPYING = WITHOUT_CLIPBOARD + "document.execCommand = () => false;"


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("", "Copied."),
        (WITHOUT_CLIPBOARD, "Copied."),
        (WITHOUT_COPYING, "The link is selected. Press Ctrl-C or ⌘C to copy it."),
    ],
)
def test_a_link_is_copied_with_one_click(visits, script, said):
    page = visits.page(permissions=["clipboard-read", "clipboard-write"])
    page.add_init_script(script)
    page.goto("/people")
    expect(page.get_by_text("Other people cannot open links of this server")).to_be_visible()
    page.get_by_label("Name", exact=True).fill(f"Person {len(script)}")
    page.get_by_role("button", name="Create link").click()
    page.get_by_role("button", name="Copy").click()
    expect(page.locator("#copied")).to_have_text(said)
    link = page.get_by_label("Link", exact=True)
    selected = link.evaluate("field => field.value.slice(field.selectionStart, field.selectionEnd)")
    assert selected == link.input_value()
    if not script:
        assert page.evaluate("navigator.clipboard.readText()") == link.input_value()

"""What an adjudicator does at a desk."""

from playwright.sync_api import expect

IN_VIEW = """() => {
  const button = document.querySelector("#desk .row[aria-current] button.option");
  const box = button.getBoundingClientRect();
  const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  return box.top >= 0 && box.bottom <= innerHeight && button.contains(top);
}"""


def press(page, *keys):
    """Press keys one after another, as fast as a browser takes them."""
    for key in keys:
        page.keyboard.press(key)


def saved(page, count):
    """Wait until the desk shows the item after *count* entries."""
    expect(page.locator("#desk")).to_have_attribute("data-seen", str(count))


def confirm(page):
    """Save a value that no annotator uses."""
    page.get_by_role("button", name="Save anyway").click()


_DECIDED = """rows => Object.fromEntries(rows.map((row) => {
  const chosen = row.querySelector(".option.chosen .value");
  const own = row.querySelector(".other.chosen input[name=own]");
  return [row.dataset.key, chosen ? chosen.textContent : own.value];
}))"""


def decisions(page):
    """Return what the desk shows as decided: the value of each place that has one."""
    return page.locator("#desk .row:not(.joined):has(.chosen)").evaluate_all(_DECIDED)


def undecided(page):
    """Return the keys of places that wait for a decision."""
    return [row.get_attribute("data-key") for row in page.locator("#desk .row:not(.joined).contested").all()]


def option(page, key, value=""):
    """Return the button that gives a place a value; places that are decided together are split."""
    row = page.locator(f'#desk .row[data-key="{key}"]')
    together = page.locator("#desk .split:not([open])", has=page.locator(f'.row[data-key="{key}"]'))
    if together.count():
        together.locator(":scope > summary").click()
    return row.locator("button.option").filter(has=page.locator(".value", has_text=value))


def history(page):
    """Return the lines of an item's history, the latest first, without their times."""
    lines = page.locator("#history li").all_text_contents()
    return [" ".join(line.split()[1:]) for line in lines]


def first_choice_in_view(page):
    """Tell whether the first choice of the current disagreement can be seen and clicked without scrolling."""
    return page.evaluate(IN_VIEW)

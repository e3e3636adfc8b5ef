"""The page of a report in a real browser: sorting, filtering, links, nothing loaded, nothing run by data."""

from pathlib import Path

import pytest

from tests.support.browser.pages import act, needs_browser
from tests.support.commands import arbitree
from tests.support.conllu_rows import sentence

EXAMPLES = Path(__file__).parents[2] / "examples"
pytestmark = needs_browser


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    inputs = sorted((EXAMPLES / "dependency").glob("*.conllu"))
    arbitree("report", "-q", *inputs, "-o", folder, "--resamples", "50")
    return folder / "report.html"


@pytest.fixture(scope="module")
def seen(page):
    """What the page does when it is used: one visit for all tests."""
    script = """
    const table = document.querySelector("#measures table");
    const column = (table, place) => [...table.tBodies[0].rows].map((row) => row.cells[place].dataset.key);
    const press = (table, name) => [...table.querySelectorAll("thead button")]
      .find((button) => button.textContent.trim() === name).click();
    press(table, "value");
    found.up = column(table, 1).map(Number);
    press(table, "value");
    found.down = column(table, 1).map(Number);
    found.marked = table.querySelector("th[aria-sort]").getAttribute("aria-sort");

    const hard = document.querySelector("#hardest");
    const field = hard.querySelector(".find input");
    const rows = [...hard.querySelector("table").tBodies[0].rows];
    const visible = () => rows.filter((row) => row.checkVisibility()).length;
    const type = (text) => { field.value = text; field.dispatchEvent(new Event("input")); };
    found.rows = rows.length;
    type(rows[2].id.replace("item-", ""));
    found.filtered = visible();
    found.said = hard.querySelector(".find output").textContent;
    type("no such row");
    found.none = visible();
    location.hash = rows[2].id;
    dispatchEvent(new Event("hashchange"));
    found.revealed = visible();
    found.opened = rows[2].querySelector("details.drawn").open;

    const folded = document.querySelector("#types details.long");
    found.folded = [folded.open];
    const choice = document.querySelector("#types .filters select[data-filter=class]");
    choice.value = choice.options[1].value;
    choice.dispatchEvent(new Event("input"));
    const types = [...document.querySelectorAll("article.type")];
    found.types = types.length;
    found.left = types.filter((each) => !each.hidden).map((each) => each.dataset.class);
    found.wanted = choice.value;
    found.folded.push(folded.open);
    found.copied = document.querySelectorAll("pre.copied").length;
    found.buttons = document.querySelectorAll("pre.copied + button").length;
    """
    return act(page, page.parent, script)


def test_headers_sort_in_both_directions(seen):
    assert seen["up"] == sorted(seen["up"])
    assert seen["down"] == seen["up"][::-1]
    assert seen["marked"] == "descending"


def test_rows_are_filtered_by_their_text(seen):
    assert 0 < seen["filtered"] < seen["rows"]
    assert seen["said"] == f"{seen['filtered']} of {seen['rows']} rows"
    assert seen["none"] == 0


def test_a_link_to_a_row_that_is_filtered_away_shows_it(seen):
    assert seen["revealed"] == seen["rows"]
    assert seen["opened"]


def test_types_are_filtered_by_class(seen):
    assert 0 < len(seen["left"]) < seen["types"]
    assert set(seen["left"]) == {seen["wanted"]}


def test_filters_open_the_types_that_are_folded(seen):
    assert seen["folded"] == [False, True]


def test_texts_to_copy_have_buttons(seen):
    assert seen["buttons"] == seen["copied"] > 5


def test_the_page_has_no_errors_and_loads_nothing(seen):
    assert seen["errors"] == []
    assert seen["loaded"] == []


def test_an_address_with_a_sentence_opens_its_picture(page):
    script = """
    found.target = document.querySelector(":target")?.id;
    found.open = document.querySelector(":target details.drawn")?.open;
    found.drawn = document.querySelector(":target svg.arcs") !== null;
    """
    ids = [part.split('"')[0] for part in page.read_text(encoding="utf-8").split('<tr id="')[1:]]
    last = [each for each in ids if each.startswith("item-")][-1]
    found = act(page, page.parent, script, fragment=last)
    assert (found["target"], found["open"], found["drawn"]) == (last, True, True)
    assert found["errors"] == []


def test_nothing_in_the_data_runs(tmp_path):
    words = (
        "<script>alert(1)</script> \"'><img/src=x/onerror=alert(1)> \u202eabc </svg><script>alert(2)</script>"
    )
    for name, heads in (("ann", [0, 1, 1, 1]), ("bob", [2, 0, 2, 2])):
        text = sentence(words, heads, name="<script>alert(3)</script>") + sentence("a b", name="b")
        hostile = "</style><script>alert(4)</script>"
        text = text.replace("\tdep\t", f"\t{hostile}{name}\t")
        (tmp_path / f"{name}.conllu").write_text(text, encoding="utf-8")
    inputs = [f"<script>alert(5){name}={tmp_path / name}.conllu" for name in ("ann", "bob")]
    done = arbitree("report", "-q", *inputs, "-o", tmp_path / "out", "--title", "<script>alert(6)</script>")
    assert done.returncode == 0
    script = """
    found.injected = document.querySelectorAll("img, iframe, object, form, main script").length;
    found.labels = document.querySelector("#confusions").textContent.includes("</style><script>alert(4)");
    """
    found = act(tmp_path / "out" / "report.html", tmp_path, script)
    assert (found["alerts"], found["injected"], found["errors"], found["loaded"]) == (0, 0, [], [])
    assert found["labels"]

"""Two judges compare parses without knowing whose they are, and what they say goes on to the metrics."""

import json
import random
import re
from itertools import product

from playwright.sync_api import expect

from tests.support.browser.long_sentences import random_tree
from tests.support.browser.visits import Visits
from tests.support.commands import arbitree
from tests.support.perturbed import perturbed, write
from tests.support.web.serving import EXAMPLES, serving

PREFER = EXAMPLES / "prefer"
STUDY = [PREFER / "gold.conllu", PREFER / "birch.conllu", PREFER / "cedar.conllu"]
SECRETS = re.compile(r"birch|cedar|gold|ferry-\d|\.conllu|ann\.|coder", re.IGNORECASE)


def open_round(visits):
    """Let the owner open a round of six sentences, each shown once; the seed shows both orders."""
    page = visits.page()
    page.goto("/rounds")
    page.get_by_label("First system").select_option("birch")
    page.get_by_label("Second system").select_option("cedar")
    page.locator("#sentences").fill("6")
    page.locator("#seed").fill("1")
    page.get_by_label("Repeated sentences (%)").fill("0")
    page.get_by_role("button", name="Create round").click()
    page.wait_for_url("**/rounds/*")
    return page


def watched(visits, name):
    """Return the page of a judge, and all that their browser gets from now on."""
    page = visits.page(name, "judge")
    got = []

    def keep(response):
        if response.request.resource_type in ("document", "xhr", "fetch") and response.status == 200:
            got.append(response.text())
            got.append(json.dumps(response.all_headers()))

    page.on("response", keep)
    return page, got


def pictures(page):
    """Return what the two pictures say to those who cannot see them."""
    return [each.text_content() for each in page.locator("section.parse details").all()]


def total(page):
    return int(page.locator("progress").get_attribute("max"))


def answer(page, key, count):
    page.keyboard.press(key)
    expect(page.locator("progress")).to_have_attribute("value", str(count))


def test_two_judges_judge_blind_stop_go_on_and_their_verdicts_reach_the_metrics(visits, tmp_path):
    owner = open_round(visits)
    (ida, for_ida), (jon, for_jon) = watched(visits, "Ida"), watched(visits, "Jon")
    seen = {}
    for page in (ida, jon):
        page.goto("/judge")
        count = total(page)
        assert count == 6
        for place in range(1, count + 1):
            sentence = page.locator("p.sentence").inner_text()
            seen.setdefault(sentence, {})[page] = pictures(page)
            answer(page, ("ArrowUp", "ArrowDown", "=", "x")[place % 4], place)
            if place == 4:
                page.reload()
                expect(page.locator("progress")).to_have_attribute("value", "4")
                answer(page, "u", 3)
                expect(page.locator("p.sentence")).to_have_text(sentence)
                answer(page, "ArrowUp", 4)
        expect(page.get_by_role("main")).to_contain_text("You have judged all sentences of this round")
        assert not SECRETS.search(page.content())
    for got in (for_ida, for_jon):
        assert len(got) > 10
        for text in got:
            assert not SECRETS.search(text)

    sides = [each[ida] == each[jon] for each in seen.values()]
    assert True in sides
    assert False in sides  # some sentence has its parses the other way round
    assert all(sorted(each[ida]) == sorted(each[jon]) for each in seen.values())

    owner.reload()
    with owner.expect_download() as download:
        owner.get_by_role("link", name=re.compile("Download")).click()
    path = tmp_path / "judgments.jsonl"
    download.value.save_as(path)
    done = arbitree("prefer", *STUDY, "--judgments", path, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["command"] == "prefer"
    assert {"Ida", "Jon"} <= set(re.findall(r'"(Ida|Jon)"', path.read_text(encoding="utf-8")))


def test_two_clicks_and_held_keys_answer_one_sentence(visits):
    open_round(visits)
    page = visits.page("Kim", "judge")
    page.goto("/judge")
    if page.locator("ul.seats").count():
        page.locator("ul.seats a").last.click()
    page.get_by_role("button", name="Equal").dblclick()
    page.wait_for_load_state()
    expect(page.locator("progress")).to_have_attribute("value", "1")


def test_a_judge_finds_the_names_nowhere(visits):
    page = visits.page("Lea", "judge")
    addresses = ["/", "/sentences", "/sentences/1", "/decisions", "/history", "/rounds", "/rounds/1",
                 "/people", "/adjudicate/1", "/api/study", "/api/sentences", "/api/rounds",
                 "/api/rounds/1/judgments", "/rounds/1/judgments.jsonl", "/export/decisions.tsv",
                 "/export/study.zip", "/judge/1/99", "/api/judge/1", "/api/judge/1/trials/1",
                 "/api/openapi.json"]  # fmt: skip
    for address in addresses:
        found = page.request.get(address)
        assert not re.search(r"birch|cedar|ferry-\d|\.conllu\b", found.text()), address


def check_in_view(page):
    """Check that both pictures stand side by side above the buttons, and that nothing has to be scrolled."""
    boxes = [each.bounding_box() for each in page.locator(".parses .picture").all()]
    bar = page.locator(".verdicts").bounding_box()
    assert len(boxes) == 2
    assert all(box["y"] + box["height"] <= bar["y"] for box in boxes)
    assert boxes[0]["x"] + boxes[0]["width"] <= boxes[1]["x"]
    assert bar["y"] + bar["height"] <= 900
    assert page.evaluate("document.documentElement.scrollHeight") <= 900
    return boxes


def test_parses_of_thirty_words_are_in_view_side_by_side(browser, tmp_path):
    chance = random.Random(3)
    trees = [random_tree(chance, 30, number) for number in range(1, 7)]
    study = [write(tmp_path / f"{name}.conllu", [perturbed(tree, chance, 0.1) for tree in trees])
             for name in ("birch", "cedar")]  # fmt: skip
    with serving(*study, project=tmp_path / "project") as server:
        visits = Visits(browser, server)
        owner = open_round(visits)
        owner.set_viewport_size({"width": 1280, "height": 900})
        judge = visits.page("Kim", "judge", viewport={"width": 1280, "height": 900})
        for page, position in product((owner, judge), range(1, 7)):  # the owner's page has a warning more
            page.goto(f"/judge/1/{position}")
            found = check_in_view(page)
            assert min(box["width"] for box in found) >= 300  # letters of 6 pixels at least
        assert visits.leave() == []


def test_both_parses_are_in_view_side_by_side_and_differences_are_marked_on_request(visits):
    open_round(visits)
    page = visits.page("Kim", "judge", viewport={"width": 1280, "height": 900})
    page.goto("/judge")
    page.goto(
        page.locator(".seats a").first.get_attribute("href") if page.locator(".seats").count() else page.url
    )
    check_in_view(page)
    rows = [[each.bounding_box()["y"] for each in page.locator(f".parse:nth-of-type({place}) .word").all()]
            for place in (1, 2)]  # fmt: skip
    assert rows[0] == rows[1]
    expect(page.locator(".differs")).to_have_count(0)
    page.keyboard.press("m")
    expect(page.locator(".differs").first).to_be_visible()
    page.keyboard.press("m")
    expect(page.locator(".differs")).to_have_count(0)
    page.set_viewport_size({"width": 900, "height": 900})
    boxes = [each.bounding_box() for each in page.locator(".parses .picture").all()]
    assert boxes[0]["y"] + boxes[0]["height"] <= boxes[1]["y"]

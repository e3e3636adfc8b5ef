"""The overview and the list of sentences."""

import re
from html import unescape

import pytest

from arbitree.adjudication import events
from arbitree.adjudication.history import ItemTally
from arbitree.kinds.labels.value import Label
from arbitree.web.project.background import RUNNING, Finding
from arbitree.web.project.progress import Statuses
from arbitree.web.sentences.filters import NO_FILTER, Filter, find
from arbitree.web.store import Store
from tests.support.build import study_of
from tests.support.report_tables import SCRIPT
from tests.support.web.looks import LIST, PART, assert_well_made, keep, numbers_of, pages_of, parsed, texts
from tests.support.web.opened import visitor, wish
from tests.support.web.threads import threads_of


def test_every_page_is_well_made(project, client):
    keep(project, "agreement", "types", "pairs", "coders", "suggestions")
    project.write(1, wish(project.store.owner("Ada"), 0, "request-1"), events.Decide({"3 head": "2"}))
    for address in pages_of(project):
        assert_well_made(parsed(client.get(address)))


def test_the_overview_opens_with_words(project, client):
    keep(project, "agreement")
    page = parsed(client.get("/"))
    main = page.xpath("//main")[0]
    headline = main.xpath(".//p[@class='headline']")[0]
    assert headline.text_content().startswith("Agreement of 3 annotators on 3 sentences: ")
    assert main.text_content().index("Agreement of 3 annotators") < main.text_content().index("0.")
    assert "2 of 3 sentences have disagreements" in main.text_content()
    assert texts(page, "//p[contains(@class, 'start')]/span")[:2] == ["3 sentences", "3 annotators"]
    assert "8 annotations (1 missing)" in main.text_content()


def test_pages_for_different_rights_are_kept_side_by_side(project, client, monkeypatch):
    guest, drawn = visitor(project, "viewer", "Bea"), []
    keep_one = project.drawings._keep
    monkeypatch.setattr(
        project.drawings, "_keep", lambda name, *rest: drawn.append(name) or keep_one(name, *rest)
    )
    for page in ("/", "/sentences"):
        for person in (client, guest) * 2:
            assert person.get(page).status_code == 200
    assert len(drawn) == len(set(drawn)) == 4


def test_lists_with_a_filter_are_not_kept(project, client):
    client.get("/sentences")
    before = list(project.drawings._kept)
    for query in ("text=a", "state=contested", "label=obj", "document=text"):
        assert client.get(f"/sentences?{query}").status_code == 200
    assert list(project.drawings._kept) == before


def test_filters_look_at_all_sentences_in_a_thread(project):
    project.statuses.get()
    assert threads_of(lambda: find(project, NO_FILTER)) == (1, True)
    assert threads_of(lambda: find(project, Filter(sort="length"))) == (1, True)
    assert threads_of(lambda: find(project, Filter(text="a"))) == (2, False)


def test_kept_pages_show_decisions_of_others_and_what_each_person_may_do(project, client):
    links = "//main//a[starts-with(@href, '/adjudicate')]"
    guest = visitor(project, "viewer", "Bea")
    for _ in range(2):
        for page in ("/", "/sentences"):
            assert parsed(client.get(page)).xpath(links)
            assert not parsed(guest.get(page)).xpath(links)
    before = {page: client.get(page).text for page in ("/", "/sentences", "/sentences?state=decided")}
    with Store.open(f"sqlite:///{project.store.place}") as other:
        number = next(row.number for row in map(project.index.__getitem__, (1, 2, 3)) if row.contested)
        edition, subject = project.edition.id, project.subject(number)
        tally, body = ItemTally("rejected", 0, 0), {"why": ""}
        other.append(
            edition=edition,
            subject=subject,
            seen=0,
            person=1,
            action="reject",
            body=body,
            request="request-1",
            tally=tally,
        )
    assert before["/"] != client.get("/").text
    assert before["/sentences"] != client.get("/sentences").text
    assert "excluded" in parsed(guest.get("/sentences")).xpath("string(//table)")
    assert before["/sentences?state=decided"] == client.get("/sentences?state=decided").text


def test_the_overview_has_bars_on_one_axis_and_the_denominator(project, client):
    keep(project, "agreement", "pairs", "coders")
    page = parsed(client.get("/"))
    for name in ("agreement", "pairs", "coders"):
        rows = page.xpath("//section[@id=$name]//tbody/tr", name=name)
        assert rows
        assert all("on an axis from 0 to 1" in row.xpath("string(.//svg/@aria-label)") for row in rows)
    assert page.xpath("//section[@id='agreement']//th[text()='excluded']")
    assert "intervals use 200 resamples" in page.xpath("string(//section[@id='coders'])")


def test_what_is_being_computed_is_asked_for_again_until_it_is_there(project, client):
    project.background._found["types"] = Finding(RUNNING)
    waiting = parsed(client.get("/")).xpath("//section[@id='types']")[0]
    assert waiting.get("hx-get") == "/overview/types"
    assert waiting.get("hx-trigger") == "every 2s"
    assert "Computing" in waiting.text_content()
    again = parsed(client.get("/overview/types", headers=PART))
    assert (again.tag, again.get("hx-trigger")) == ("section", "every 2s")
    del project.background._found["types"]
    keep(project, "types")
    ready = parsed(client.get("/overview/types", headers=PART))
    assert ready.get("hx-trigger") is None
    assert ready.xpath(".//a[starts-with(@href, '/sentences?type=1')]")
    assert client.get("/overview/types").headers["location"] == "/#types"
    assert client.get("/overview/suggestions", headers=PART).status_code == 422


def test_what_cannot_be_computed_says_why(project, client):
    page = parsed(client.get("/"))
    assert "Not available" in page.xpath("string(//section[@id='agreement'])")


def test_types_lead_to_their_sentences(project, client):
    keep(project, "types")
    rows = project.background.get("types").document["rows"]
    for number, row in enumerate(rows, start=1):
        page = parsed(client.get(f"/sentences?type={number}&sort=order"))
        assert numbers_of(page) == [project.numbers[item] for item in row["items"]]
    assert client.get(f"/sentences?type={len(rows) + 1}").status_code == 422


def test_labels_that_are_confused_lead_to_their_sentences(project, client):
    page = parsed(client.get("/"))
    (link, *_) = page.xpath("//section[@id='confusions']//td/a/@href")
    assert numbers_of(parsed(client.get(link))) == [1]


def test_what_changed_on_disk_is_told(project, client):
    project.changes.append("bob changed 2 items (s1, s2).")
    assert "bob changed 2 items" in parsed(client.get("/")).xpath(
        "string(//section[contains(@class, 'warnings')])"
    )


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", [1, 3, 2]),
        ("?sort=order", [1, 2, 3]),
        ("?sort=length&text=S", [1, 3, 2]),
        ("?text=RAIN", [3]),
        ("?text=s2", [2]),
        ("?pair=1-3&sort=order", [1]),
        ("?pair=2-3&sort=order", [1, 3]),
        ("?label=obj&other=dep", [1]),
        ("?state=incomplete", [2]),
        ("?state=contested&sort=order", [1, 3]),
        ("?state=decided", []),
        ("?text=&state=&pair=&label=&type=&document=&sort=", [1, 3, 2]),
    ],
)
def test_the_list_shows_what_passes_the_filters(client, query, expected):
    page = parsed(client.get(f"/sentences{query}"))
    assert numbers_of(page) == expected
    assert texts(page, "//h2[@class='count']")[0].startswith(f"{len(expected)} of 3 sentences")


def test_states_follow_decisions(project, client):
    ada = project.store.owner("Ada")
    assert numbers_of(parsed(client.get("/sentences?state=contested&sort=order"))) == [1, 3]
    project.write(1, wish(ada, 0, "request-0"), events.Decide({"3 head": "2"}))  # in part
    assert numbers_of(parsed(client.get("/sentences?state=contested&sort=order"))) == [1, 3]
    project.write(3, wish(ada, 0, "request-1"), events.Decide({"3 head": "2"}))
    project.write(1, wish(ada, 1, "request-2"), events.Reject(f"not {SCRIPT}"))
    assert numbers_of(parsed(client.get("/sentences?state=contested"))) == []
    assert numbers_of(parsed(client.get("/sentences?state=decided"))) == [3]
    assert numbers_of(parsed(client.get("/sentences?state=rejected"))) == [1]
    overview = parsed(client.get("/")).xpath("string(//section[@id='contested'])")
    assert not re.search(r"contested\s+\d", overview)
    assert re.search(r"decided\s+1", overview)
    assert re.search(r"excluded\s+1", overview)
    assert "2 of 2 sentences" in overview
    shown = parsed(client.get("/sentences/1"))
    assert f"not {SCRIPT}" in shown.text_content()
    assert parsed(client.get("/sentences/3")).xpath("//td//span[@class='state decided']/bdi/text()") == [
        "2 falls"
    ]


def test_statuses_are_read_again_only_when_something_was_written(project, monkeypatch):
    statuses = Statuses(project.store, project.edition.id, lambda item: True, lambda item: True)
    store, reads = project.store, []
    for name in ("tallies", "tallies_between"):
        read = getattr(store, name)
        monkeypatch.setattr(
            store, name, lambda *given, name=name, read=read: reads.append(name) or read(*given)
        )
    assert [dict(statuses.get()) for _ in range(3)] == [{}] * 3
    assert reads == ["tallies"]
    ada = store.owner("Ada")
    project.write(3, wish(ada, 0, "request-1"), events.Decide({"3 head": "2"}))
    assert [dict(statuses.get()) for _ in range(3)] == [{"s3": "decided"}] * 3
    assert reads == ["tallies", "tallies_between"]
    assert statuses.counts() == {("decided", True): 1}
    project.write(3, wish(ada, 1, "request-2"), events.Undo())
    assert (statuses.get(), statuses.counts().total()) == ({}, 0)


def test_long_lists_have_pages(served):
    study = study_of({f"d/{k}": {"ann": Label("x"), "bob": Label("xy"[k % 2])} for k in range(120)})
    _, client = served(study)
    first = parsed(client.get("/sentences?sort=order"))
    assert numbers_of(first) == list(range(1, 51))
    assert first.xpath("//nav[@class='paging']/a[@rel='next']/@href") == ["/sentences?sort=order&page=2"]
    last = parsed(client.get("/sentences?sort=order&page=3"))
    assert numbers_of(last) == list(range(101, 121))
    assert not last.xpath("//a[@rel='next']")
    assert client.get("/sentences?page=4").status_code == 404


def test_a_script_gets_the_list_alone_and_a_reload_the_page(client):
    part = client.get("/sentences?text=rain", headers=LIST).text
    assert "<html" not in part
    assert 'id="said"' in part
    assert 'hx-swap-oob="true"' in part
    restored = client.get("/sentences?text=rain", headers={**PART, "HX-History-Restore-Request": "true"})
    assert parsed(restored).xpath("//form//input[@name='text']/@value") == ["rain"]


@pytest.mark.parametrize("wrong", ["state=odd", "type=0", "pair=1", f"text={'x' * 301}", "sort=&question=a"])
def test_pages_and_routes_refuse_the_same_filters(client, wrong):
    asked = client.get(f"/api/sentences?{wrong}")
    assert asked.status_code == 422
    for page in ("/sentences", "/sentences/1", "/adjudicate/1"):
        answer = client.get(f"{page}?{wrong}")
        assert answer.status_code == 422
        assert asked.json()["hint"] in unescape(answer.text)


@pytest.mark.parametrize(
    ("address", "current"),
    [("/", ["/"]), ("/sentences/1", ["/sentences"]), ("/adjudicate/1", ["/adjudicate"])],
)
def test_the_navigation_marks_the_current_page(client, address, current):
    assert parsed(client.get(address)).xpath("//nav//a[@aria-current='page']/@href") == current

"""Pages and JSON for those who look at a study: the overview, the list of sentences, each sentence."""

import re
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import html

import arbitree as at
from arbitree.analyses.itemindex import index_of
from arbitree.data.decisions import REJECTED
from arbitree.data.dependency import DepTree
from arbitree.data.labels import Label, Tags
from arbitree.errors import Source
from arbitree.web import desk, documents
from arbitree.web.findings import RUNNING, Finding
from arbitree.web.project import Project, titled
from arbitree.web.reading import Reading
from arbitree.web.statuses import Statuses
from arbitree.web.store import Store

from ..build import dep, study_of
from ..profiles import decisions
from ..reports.tables import FORMULA, QUOTES, REVERSED, SCRIPT
from ..reports.test_phrases import HIGH, LOW, tree
from .opened import ANN, BOB, opened, sentence, visitor, write_study

CHO = [
    sentence("s1", ("we", "saw", "it", "there"), (2, 0, 4, 2), ("nsubj", "root", "obj", "advmod")),
    sentence("s3", ("rain", "falls", "slowly"), (2, 0, 2), ("nsubj", "root", "advmod")),
]
PART = {"HX-Request": "true"}
LIST = {**PART, "HX-Target": "list"}
HOSTILE = f"{SCRIPT}{QUOTES}"


@pytest.fixture
def project(tmp_path):
    project = opened(write_study(tmp_path, ann=ANN, bob=BOB, cho=CHO), tmp_path)
    with project.store:
        yield project


@pytest.fixture
def client(project):
    return visitor(project)


@pytest.fixture
def served(sqlite):
    """A function that serves a study made by hand."""
    with Store.open(sqlite) as store:

        def serve(study, **more):
            edition = store.add_edition("0a", "{}")
            project = Project(study, Reading(()), store, edition, "study", index_of(study), **more)
            return project, visitor(project)

        yield serve


def keep(project, *parts):
    """Compute parts of the findings and keep them, as the worker does."""
    for part in parts:
        document = documents.made(part, project.study) | {"version": at.__version__}
        project.store.keep_finding(project.edition.id, part, document)


def parsed(answer, status=200):
    assert answer.status_code == status, answer.text
    return html.fromstring(answer.text)


def numbers_of(page):
    return [
        int(row.xpath("string(td[1])")) for row in page.xpath("//table[contains(@class, 'listing')]/tbody/tr")
    ]


def texts(page, path):
    return [" ".join(each.text_content().split()) for each in page.xpath(path)]


def pages_of(project):
    return [
        "/",
        "/sentences",
        "/sentences?text=a&state=contested",
        *(f"/sentences/{number}?sort=order" for number in range(1, len(project.index) + 1)),
        "/sentences/1/coders",
        "/sentences/1/picture",
    ]


def assert_well_made(page):
    """No inline script or style, no id twice, a name for every field, one first heading, no empty links."""
    assert not page.xpath("//@style")
    assert not page.xpath("//*[@*[starts-with(name(), 'on')]]")
    assert not page.xpath("//script[not(@src)] | //style")
    assert all(source.startswith("/static/") for source in page.xpath("//script/@src"))
    assert not page.xpath("//a[starts-with(translate(@href, 'JAVSCRIPT', 'javscript'), 'javascript:')]")
    ids = page.xpath("//@id")
    assert len(ids) == len(set(ids)), sorted(ids)
    assert len(page.xpath("//h1")) == 1
    for field in page.xpath("//main//input[not(@type='hidden')] | //main//select | //main//progress"):
        labelled = field.xpath("ancestor::label | @aria-label") or page.xpath(
            "//label[@for=$id]", id=field.get("id")
        )
        assert labelled
    for link in page.xpath("//main//a"):
        assert (link.get("aria-label") or link.text_content()).strip()
    for target in page.xpath("//@aria-labelledby"):
        assert target in ids


def test_every_page_is_well_made(project, client):
    keep(project, "agreement", "types", "pairs", "coders", "suggestions")
    desk.decide(project, 1, desk.Wish(project.store.owner("Ada"), 0, "request-1"), {"3 head": "2"})
    for address in pages_of(project):
        assert_well_made(parsed(client.get(address)))


def test_the_overview_opens_with_words(project, client):
    keep(project, "agreement")
    page = parsed(client.get("/"))
    main = page.xpath("//main")[0]
    headline = main.xpath(".//p[@class='headline']")[0]
    assert headline.text_content().startswith("Three coders agree on three sentences at")
    assert main.text_content().index("Three coders agree") < main.text_content().index("0.")
    assert "They differ on 2 of 3 sentences" in main.text_content()
    assert texts(page, "//p[contains(@class, 'start')]/span")[:2] == ["3 sentences", "3 coders"]
    assert "8 annotations (1 missing)" in main.text_content()


def test_the_overview_has_bars_on_one_axis_and_the_denominator(project, client):
    keep(project, "agreement", "pairs", "coders")
    page = parsed(client.get("/"))
    for name in ("agreement", "pairs", "coders"):
        rows = page.xpath("//section[@id=$name]//tbody/tr", name=name)
        assert rows
        assert all("on an axis from 0 to 1" in row.xpath("string(.//svg/@aria-label)") for row in rows)
    assert page.xpath("//section[@id='agreement']//th[text()='used']")


def test_what_is_being_computed_is_asked_for_again_until_it_is_there(project, client):
    project.findings._found["types"] = Finding(RUNNING)
    waiting = parsed(client.get("/")).xpath("//section[@id='types']")[0]
    assert waiting.get("hx-get") == "/overview/types"
    assert waiting.get("hx-trigger") == "every 2s"
    assert "being computed" in waiting.text_content()
    again = parsed(client.get("/overview/types", headers=PART))
    assert (again.tag, again.get("hx-trigger")) == ("section", "every 2s")
    del project.findings._found["types"]
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
    rows = project.findings.get("types").document["rows"]
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
    desk.decide(project, 1, desk.Wish(ada, 0, "request-0"), {"3 head": "2"})  # in part
    assert numbers_of(parsed(client.get("/sentences?state=contested&sort=order"))) == [1, 3]
    desk.decide(project, 3, desk.Wish(ada, 0, "request-1"), {"3 head": "2"})
    desk.reject(project, 1, desk.Wish(ada, 1, "request-2"), f"not {SCRIPT}")
    assert numbers_of(parsed(client.get("/sentences?state=contested"))) == []
    assert numbers_of(parsed(client.get("/sentences?state=decided"))) == [3]
    assert numbers_of(parsed(client.get("/sentences?state=rejected"))) == [1]
    overview = parsed(client.get("/")).xpath("string(//section[@id='contested'])")
    assert not re.search(r"contested\s+\d", overview)
    assert re.search(r"decided\s+1", overview)
    assert re.search(r"rejected\s+1", overview)
    assert "2 of 2 sentences" in overview
    shown = parsed(client.get("/sentences/1"))
    assert f"not {SCRIPT}" in shown.text_content()
    assert parsed(client.get("/sentences/3")).xpath("//td//span[@class='state decided']/bdi/text()") == [
        "2 falls"
    ]


def test_statuses_are_read_again_only_when_something_was_written(project, monkeypatch):
    statuses = Statuses(project.store, project.edition.id, lambda item: True)
    reads = []
    tallies = project.store.tallies
    monkeypatch.setattr(project.store, "tallies", lambda edition: reads.append(edition) or tallies(edition))
    assert [dict(statuses.get()) for _ in range(3)] == [{}] * 3
    assert len(reads) == 1
    desk.decide(project, 3, desk.Wish(project.store.owner("Ada"), 0, "request-1"), {"3 head": "2"})
    assert [dict(statuses.get()) for _ in range(3)] == [{"s3": "decided"}] * 3
    assert len(reads) == 2


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


def test_a_sentence_shows_the_picture_and_who_says_what_with_sources(project, client):
    page = parsed(client.get("/sentences/1"))
    assert page.xpath("//*[contains(@class, 'picture') and contains(@class, 'arcs')]")
    rows = texts(page, "//section[@id='differences']//tbody/tr")
    assert any(row.startswith("it 3 head 2 saw a ann 4 there b bob c cho") for row in rows)
    assert any(source.endswith("ann.conllu:2") for source in texts(page, "//*[@class='source']"))
    assert "not done" in parsed(client.get("/sentences/2")).xpath("string(//section[@id='who'])")
    assert page.xpath("//a[@id='adjudicate']/@href") == ["/adjudicate/1"]


def test_previous_and_next_stay_within_the_filter(client):
    page = parsed(client.get("/sentences/1?state=contested&sort=order"))
    assert page.xpath("//a[@id='next']/@href") == ["/sentences/3?state=contested&sort=order"]
    assert not page.xpath("//a[@id='previous']")
    assert page.xpath("//a[@id='back']/@href") == ["/sentences?state=contested&sort=order"]
    outside = parsed(client.get("/sentences/2?state=contested&sort=order"))
    assert "not among the 2" in outside.text_content()
    assert outside.xpath("//a[@id='next']/@href") == ["/sentences/1?state=contested&sort=order"]


def test_trees_by_themselves_are_loaded_when_they_are_asked_for(client):
    page = parsed(client.get("/sentences/1"))
    lazy = page.xpath("//details[@id='alone']/div")[0]
    assert lazy.get("hx-get") == "/sentences/1/coders"
    part = client.get("/sentences/1/coders", headers=PART).text
    assert "<html" not in part
    assert part.count("<figure") == 3
    assert parsed(client.get("/sentences/1/coders")).xpath("//figure")


def test_a_long_sentence_is_drawn_on_request(served):
    size = 700
    heads = (0, *range(1, size))
    study = study_of({"s": {"ann": dep(heads), "bob": dep(heads)}})
    _, client = served(study)
    page = parsed(client.get("/sentences/1"))
    assert not page.xpath("//section[@id='picture']//svg")
    assert page.xpath("//section[@id='picture']//@hx-get") == ["/sentences/1/picture"]
    assert "<svg" in client.get("/sentences/1/picture", headers=PART).text


def test_coders_with_other_tokens_have_a_picture_for_each_tokenisation(served):
    study = study_of({"s": {"ann": dep((0,), tokens=("Ho",)), "bob": dep((0, 1), tokens=("H", "o"))}})
    _, client = served(study)
    page = parsed(client.get("/sentences/1"))
    assert len(page.xpath("//section[@id='picture']//*[contains(@class, 'arcs')]")) == 2
    assert "other tokens" in page.text_content()
    assert "other tokens" in parsed(client.get("/sentences")).text_content()


def test_phrase_trees_are_shown_with_what_is_decided(served):
    study = study_of({"s": {"ann": tree(LOW), "bob": tree(HIGH)}})
    project, client = served(study)
    keys = {place.key: place.values[1] for place in project.sheet(1).places}
    desk.decide(project, 1, desk.Wish(project.store.owner("Ada"), 0, "request-1"), keys)
    page = client.get("/sentences/1").text
    assert 'class="panel decided"' in page
    assert_well_made(parsed(client.get("/sentences/1")))


def test_labels_and_tags_are_told_in_a_table(served):
    study = study_of(
        {
            "1": {"ann": Label("yes"), "bob": Label("no")},
            "2": {"ann": Label("yes"), "bob": Label("yes")},
            "3": {"bob": Label(HOSTILE)},
        }
    )
    _, client = served(study)
    page = parsed(client.get("/sentences/1"))
    assert texts(page, "//section[@id='who']//tbody/tr")[0].startswith("a ann yes")
    assert client.get("/sentences/1/picture").status_code == 404
    assert HOSTILE in parsed(client.get("/sentences/3")).text_content()
    assert_well_made(parsed(client.get("/")))


def test_items_without_words_are_called_items_and_listed_once(served):
    _, client = served(study_of({"1": {"ann": Label("yes"), "bob": Label("no")}}))
    page = parsed(client.get("/sentences"))
    assert "Items" in texts(page, "//nav/a")
    assert texts(page, "//tbody/tr/th") == ["1"]
    desk = parsed(client.get("/adjudicate/1"))
    assert "sentence" not in desk.text_content().lower()


def test_the_overview_leaves_out_what_such_a_study_cannot_have(served):
    _, client = served(study_of({"1": {"ann": Label("yes"), "bob": Label("yes")}}))
    page = parsed(client.get("/"))
    assert not page.xpath("//section[@id='types' or @id='pairs' or @id='confusions']")


def test_crowds_have_no_badges_in_the_list_and_a_short_title(served):
    study = study_of({"1": {f"worker{k}": Label(str(k % 2)) for k in range(20)}})
    _, client = served(study)
    assert "who differs" not in texts(parsed(client.get("/sentences")), "//thead//th")
    assert titled(study.coders) == "worker0, worker1, worker2 and 17 more"


def test_of_a_crowd_the_page_of_decisions_tells_only_who_was_followed(served):
    _, client = served(study_of({"1": {f"worker{k}": Label(str(k % 2)) for k in range(40)}}))
    body = {"changes": {"label": "1"}, "seen": 0, "request": "0123456789"}
    assert client.post("/api/sentences/1/decisions", json=body).json()["saved"]
    heads = texts(parsed(client.get("/decisions")), "//table[1]/thead//th")
    assert "followed" in heads
    assert not any("0 to 1" in head for head in heads)


def test_a_coder_whose_badge_is_the_name_is_named_once(served):
    _, client = served(study_of({"1": {"a": Label("yes"), "b": Label("no")}}))
    for address in ("/sentences/1", "/adjudicate/1"):
        page = parsed(client.get(address))
        assert texts(page, "//main//*[contains(@class, 'badge')]/..")[0].split().count("a") == 1


def test_sets_of_tags_are_shown(served):
    study = study_of({"1": {"ann": Tags.of(["run"]), "bob": Tags.of(["run", "walk"])}})
    _, client = served(study)
    assert "run|walk" in parsed(client.get("/sentences/1")).text_content()


def test_profiles_show_status_parse_and_options_that_differ(served):
    one = decisions((1, "_sing_v_1 ARG1 _bird_n_1"), (2, SCRIPT), chosen=(1,))
    two = decisions((2, "_sing_v_1 ARG1 _bird_n_1"), (2, SCRIPT), chosen=(2,))
    refused = decisions(status=REJECTED, chosen=())
    _, client = served(study_of({"1": {"ann": one, "bob": two}, "2": {"ann": one, "bob": refused}}))
    page = parsed(client.get("/sentences/1"))
    assert "accepted number 1 of 4 parses" in page.text_content()
    assert "_sing_v_1 ARG1 _bird_n_1" in page.text_content()
    assert texts(page, "//section[contains(@aria-labelledby, 'splits')]//tbody/tr/td")[-2:] == ["yes", "no"]
    assert "rejected of 4 parses" in parsed(client.get("/sentences/2")).text_content()
    for address in ("/", "/sentences", "/sentences/1"):
        assert_well_made(parsed(client.get(address)))


def test_one_coder_alone_can_be_looked_at(served):
    _, client = served(study_of({"s": {"ann": dep((0, 1))}}))
    assert "one coder" in parsed(client.get("/")).text_content()
    assert "one coder has done it" in parsed(client.get("/sentences/1")).text_content()
    assert texts(parsed(client.get("/sentences")), "//tbody//span[contains(@class, 'state')]") == [
        "incomplete"
    ]
    assert texts(parsed(client.get("/adjudicate/1")), "//*[contains(@class, 'place')]/span[last()]") == [
        "incomplete"
    ]
    assert not parsed(client.get("/")).xpath("//section[@id='agreement' or @id='types' or @id='coders']")


def test_what_all_agree_on_but_is_no_tree_is_undecided(served):
    _, client = served(study_of({"s": {"ann": dep((2, 1)), "bob": dep((2, 1))}}))
    page = parsed(client.get("/adjudicate/1"))
    assert texts(page, "//*[contains(@class, 'place')]/span[last()]") == ["undecided"]


def test_an_item_that_nobody_did_is_shown_as_such(served):
    _, client = served(study_of({"s": {"ann": dep((0,))}, "t": {}}, ("ann", "bob")))
    page = parsed(client.get("/sentences/2"))
    assert "nobody has done it" in page.text_content()
    assert not page.xpath("//a[@id='adjudicate']")


def hostile_study():
    words = (SCRIPT, QUOTES, REVERSED, FORMULA, "\ud800")
    first = DepTree(words, (0, 1, 1, 1, 1), (HOSTILE,) * 5)
    second = DepTree(words, (0, 1, 2, 1, 1), (HOSTILE, "x", HOSTILE, HOSTILE, "\udfff"))
    names = (SCRIPT, f"@{QUOTES}", REVERSED)
    study = study_of({f"{HOSTILE}/{k}": dict(zip(names, (first, second, first), strict=True)) for k in "12"})
    source = Source(f"{FORMULA}/{HOSTILE}\udce9.conllu", 7)
    cells = {key: replace(cell, source=source) for key, cell in study.cells.items()}
    return replace(study, cells=cells, notes=(HOSTILE,))


def test_hostile_words_names_and_labels_stay_text(served):
    project, client = served(hostile_study())
    project.changes.append(HOSTILE)
    keep(project, "agreement", "types", "pairs", "coders", "suggestions")
    ada = project.store.owner("Ada")
    desk.note(project, 1, desk.Wish(ada, 0, "request-1"), "", HOSTILE)
    for address in pages_of(project):
        answer = client.get(address)
        assert_well_made(parsed(answer))
        assert "<img" not in answer.text
        assert "\u202e" not in answer.text.replace("\\u202e", "")
        for name, value in answer.headers.items():
            assert SCRIPT not in value, name
    for address in ("/api/study", "/api/sentences", "/api/sentences/1"):
        assert client.get(address).status_code == 200
    links = parsed(client.get("/")).xpath("//section[@id='confusions']//td/a/@href")
    assert max(len(numbers_of(parsed(client.get(link)))) for link in links) == 2


def test_pages_ask_only_this_server_for_anything(project, client):
    keep(project, "types", "agreement")
    for address in pages_of(project):
        page = parsed(client.get(address))
        for value in page.xpath("//@href | //@src | //@hx-get | //@action"):
            assert value.startswith(("/", "#")), value
            assert not value.startswith("//")


def test_viewers_look_and_judges_and_strangers_do_not(project):
    viewer = visitor(project, "viewer", "Vi")
    page = parsed(viewer.get("/sentences/1"))
    assert not page.xpath("//a[@id='adjudicate']")
    judge = visitor(project, "judge", "Jo")
    for address in (
        "/",
        "/sentences",
        "/sentences/1",
        "/sentences/1/coders",
        "/overview/types",
        "/api/study",
    ):
        assert judge.get(address).status_code == 403, address
        judge.cookies.clear()
        assert judge.get(address).status_code == 401, address
        judge = visitor(project, "judge", f"Jo {address}")


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/sentences/0", 404),
        ("/sentences/4", 404),
        ("/sentences/-1", 404),
        ("/sentences/99999999999999999999", 404),
        ("/sentences/one", 422),
        ("/sentences/9/coders", 404),
        ("/sentences?page=2", 404),
        ("/sentences?page=0", 422),
        ("/sentences?pair=1", 422),
        ("/sentences?pair=1-1", 422),
        ("/sentences?pair=1-9", 422),
        ("/sentences?state=lost", 422),
        ("/sentences?sort=beauty", 422),
        ("/sentences?document=nowhere", 422),
        ("/sentences?type=1", 422),
        ("/sentences?type=x", 422),
        ("/sentences?text=" + "x" * 400, 422),
        ("/api/sentences/0", 422),
        ("/api/sentences/4", 404),
        ("/api/sentences?page=9", 404),
        ("/api/sentences?state=lost", 422),
        ("/overview/nothing", 422),
    ],
)
def test_what_is_not_there_is_refused_in_words(client, address, status):
    answer = client.get(address)
    assert answer.status_code == status
    if address.startswith("/api"):
        assert answer.json()["detail"]
    else:
        assert parsed(answer, status).xpath("//main//text()[normalize-space()]")


values = st.one_of(
    st.text(max_size=12),
    st.sampled_from(
        ["", "1", "1-2", "0", "-1", "obj", "contested", "order", "%", "\x00", "9" * 30, "s1", HOSTILE]
    ),
)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(["text", "state", "pair", "label", "other", "type", "document", "sort", "page"]),
        values,
    )
)
def test_no_query_breaks_a_page(client, query):
    for address in ("/sentences", "/sentences/1", "/api/sentences"):
        answer = client.get(address, params=query)
        assert answer.status_code in (200, 404, 422)


def test_json_tells_what_the_study_is(project, client):
    keep(project, "agreement")
    found = client.get("/api/study").json()
    assert (found["kind"], found["items"], found["annotations"]) == ("dependency", 3, 8)
    assert found["coders"][2] == {"name": "cho", "done": 2}
    assert found["states"] == {"agreed": 0, "contested": 2, "incomplete": 1, "decided": 0, "rejected": 0}
    assert found["findings"]["agreement"]["state"] == "ready"
    assert found["findings"]["agreement"]["document"]["rows"]
    assert found["findings"]["types"]["state"] == "absent"


def test_json_lists_and_shows_sentences(client):
    found = client.get("/api/sentences?state=contested&sort=order").json()
    assert (found["count"], found["total"], found["pages"]) == (2, 3, 1)
    assert [each["number"] for each in found["sentences"]] == [1, 3]
    one = client.get("/api/sentences/1").json()
    assert one["id"] == "s1"
    assert one["status"] == "contested"
    assert "it head: 2 saw (ann); 4 there (bob, cho)." in one["differences"]
    assert one["annotations"][0]["value"]["heads"] == [2, 0, 2, 2]
    assert one["annotations"][0]["source"].endswith("ann.conllu:2")


def test_the_schema_knows_the_answers(client):
    schema = client.get("/api/openapi.json").json()
    for path in ("/api/study", "/api/sentences", "/api/sentences/{number}"):
        content = schema["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
        assert content["$ref"].startswith("#/components/schemas/")
    assert "/sentences" not in schema["paths"]

"""Hostile words, people without the right, odd addresses, and JSON."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arbitree.adjudication import events
from arbitree.errors import Source
from arbitree.kinds.dependency.value import DepTree
from tests.support.build import study_of
from tests.support.report_tables import FORMULA, QUOTES, REVERSED, SCRIPT
from tests.support.web.looks import HOSTILE, assert_well_made, keep, numbers_of, pages_of, parsed
from tests.support.web.opened import visitor, wish


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
    project.write(1, wish(ada, 0, "request-1"), events.Note("", HOSTILE))
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


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
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

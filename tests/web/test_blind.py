"""Blind adjudication: nothing that an adjudicator receives contains the name of an annotator."""

import re
from importlib import import_module
from itertools import product

import pytest

from arbitree.adjudication import events
from arbitree.web.pages import FEATURES
from arbitree.web.project.background import READY, Finding
from arbitree.web.project.blind import letters_of
from arbitree.web.project.project import open_project
from tests.support.web.opened import opened, sentence, visitor, wish, write_study

NAMES = ("zoraida", "quentin", "xaver")
WORDS = ("we", "saw", "it", "there")
LABELS = ("nsubj", "root", "obj", "advmod")
TREES = {
    "zoraida": [(2, 0, 2, 2), LABELS],
    "quentin": [(2, 0, 4, 2), (*LABELS[:3], "obl")],
    "xaver": [(2, 0, 2, 3), (*LABELS[:3], "obl")],
}


def study(folder):
    """Ten sentences, and one in which xaver has one more word, so that a whole tree is chosen."""
    odd = sentence("odd", (*WORDS, "!"), (2, 0, 2, 2, 2), (*LABELS, "punct"))
    written = {
        name: [sentence(f"s{n}", WORDS, *tree) for n in range(1, 11)]
        + [odd if name == "xaver" else sentence("odd", WORDS, *tree)]
        for name, tree in TREES.items()
    }
    return write_study(folder, **written)


@pytest.fixture
def project(tmp_path):
    project = opened(study(tmp_path), tmp_path, blind=True)
    reason = {"probability": 0.834, "coder": "xaver", "share": 0.9, "given": 1, "done": 3}
    found = {"items": {"s1": {"3 head": "2 saw"}}, "reasons": {"s1": {"3 head": reason}}}
    project.background._found["suggestions"] = Finding(READY, found)
    with project.store:
        yield project


@pytest.fixture
def bea(project):
    project.store.owner("Ada")
    return visitor_of(project, "adjudicator", "Bea")


def visitor_of(project, role, name):
    """Return somebody who is signed in: blind adjudicators have no page of decisions."""
    project.blind = False
    try:
        return visitor(project, role, name)
    finally:
        project.blind = True


def names_in(answer):
    text = answer.text + str(answer.headers)
    return [name for name in NAMES if name in text]


def letters(project, number):
    return letters_of(project.store.secret(), project.item(number).id, project.study.coders)


def test_letters_are_stable_but_not_the_same_for_all_items(project):
    found = {tuple(letters(project, number).items()) for number in range(1, 12)}
    assert len(found) > 2
    assert {tuple(sorted(each)) for each in map(dict, found)} == {tuple(sorted(NAMES))}
    assert all(list(dict(each).values()) == ["A", "B", "C"] for each in found)


def test_no_address_tells_an_adjudicator_a_name(project, bea):
    features = [import_module(f"arbitree.web.{folder.name}.page").router.routes for folder in FEATURES]
    paths = [route.path for routes in features for route in routes if "GET" in route.methods]
    reached = set()
    for path, number in product(paths, ("1", "11")):
        for query in ("", "?label=obl&other=advmod&choose=obl", "?pair=1-2", "?state=uneven"):
            answer = bea.get(re.sub(r"\{\w+\}", number, path) + query)
            assert names_in(answer) == [], (path, query)
            reached |= {path} if answer.status_code == 200 else set()
    assert reached >= {"/adjudicate/{number}", "/bulk", "/api/bulk", "/api/progress"}
    assert reached >= {"/api/sentences/{number}/desk", "/api/sentences/{number}/history"}
    for path in (
        "/",
        "/sentences",
        "/sentences/1",
        "/decisions",
        "/history",
        "/export/study.zip",
        "/api/study",
    ):
        answer = bea.get(path)
        assert answer.status_code == 403
    assert "Names of annotators are hidden in this project" in answer.json()["detail"]


def test_pages_kept_for_a_viewer_do_not_reach_an_adjudicator(project, bea):
    viewer = visitor_of(project, "viewer", "Vic")
    for path in ("/", "/sentences", "/sentences/1"):
        assert names_in(viewer.get(path)) == list(NAMES)  # and it is in memory now
        answer = bea.get(path)
        assert answer.status_code == 403
        assert names_in(answer) == []
    desk = bea.get("/adjudicate/1")
    assert desk.status_code == 200
    assert names_in(desk) == []
    assert names_in(bea.get("/adjudicate/1", headers={"HX-Request": "true"})) == []


def test_the_page_shows_letters(project, bea):
    page = bea.get("/adjudicate/1").text
    assert set(re.findall(r'<span class="badge [^"]*" title="(\w+)"', page)) == {"A", "B", "C"}
    by = letters(project, 1)
    assert f"0.83: {by['xaver']} is usually right on heads" in page


def test_what_is_chosen_by_letter_is_that_annotator_s(project, bea):
    by = letters(project, 1)
    sent = {"seen": "0", "request": "request-1", "coder": by["quentin"]}
    assert bea.post("/adjudicate/1/take", data=sent).status_code == 303
    assert project.state(1).values == project.sheet(1).of_coder("quentin")
    sent = {"seen": "0", "request": "request-2", "coder": "quentin"}
    refused = bea.post("/adjudicate/2/take", data=sent)
    assert refused.status_code == 422
    assert names_in(refused) == ["quentin"]  # as it was typed
    assert not {"zoraida", "xaver"} & set(names_in(refused))


def test_offers_and_problems_name_nobody(project, bea):
    project.write(1, wish(project.store.owner("Ada"), 0, "request-1"), events.Decide({"3 head": "4 there"}))
    sent = {"seen": "1", "request": "request-2", "wish": "4 head\t3 it"}
    answers = [
        bea.post("/adjudicate/1/decide", data=sent),
        bea.post("/adjudicate/1/decide", data=sent, headers={"HX-Request": "true"}),
        bea.post(
            "/api/sentences/1/decisions",
            json={"seen": 1, "request": "request-3", "changes": {"4 head": "3 it"}},
        ),
    ]
    assert [answer.status_code for answer in answers] == [422, 422, 200]
    for answer in answers:
        assert "cycle" in answer.text
        assert "offer" in answer.text
        assert names_in(answer) == []


def test_whole_annotations_are_chosen_by_letter(project, bea):
    by = letters(project, 11)
    desk = bea.get("/api/sentences/11/desk").json()
    (place,) = desk["places"]
    assert {choice["value"] for choice in place["choices"]} <= {"A", "B", "C"}
    changes = {"whole": by["xaver"]}
    answer = bea.post(
        "/api/sentences/11/decisions", json={"seen": 0, "request": "request-1", "changes": changes}
    )
    assert answer.json()["decisions"]["whole"]["value"] == by["xaver"]
    assert project.state(11).values == {"whole": "xaver"}
    for path in ("/adjudicate/11", "/api/sentences/11/desk", "/api/sentences/11/history"):
        assert names_in(bea.get(path)) == []
    assert 'aria-pressed="true"' in bea.get("/adjudicate/11").text
    sent = {"seen": "0", "request": "request-4", "wish": f"whole\t{by['zoraida']}"}
    conflict = bea.post("/adjudicate/11/decide", data=sent)
    assert conflict.status_code == 409
    assert names_in(conflict) == []
    for bad in ("Z", "nobody"):
        wrong = bea.post(
            "/adjudicate/11/decide", data={"seen": "1", "request": "request-5", "wish": f"whole\t{bad}"}
        )
        assert wrong.status_code == 422
        assert names_in(wrong) == []
        bulk = {"request": "request-6", "place": f"11\t1\nwhole\t{bad}"}
        assert names_in(bea.post("/bulk?label=obl", data=bulk)) == []


def test_owner_and_viewers_see_names_except_on_the_adjudication_page(project):
    owner, vic = visitor(project), visitor(project, "viewer", "Vic")
    assert set(names_in(owner.get("/sentences/1"))) == set(NAMES)
    assert set(names_in(vic.get("/api/sentences/1/desk"))) == set(NAMES)
    desk = owner.get("/adjudicate/1").text
    assert set(re.findall(r'<span class="badge [^"]*" title="(\w+)"', desk)) == {"A", "B", "C"}


def test_the_setting_is_remembered(project, tmp_path):
    project.close()
    again = open_project(None, tmp_path / "project")
    with again.store:
        assert again.blind


def test_an_invited_adjudicator_starts_on_the_adjudication_page(project):
    client = visitor_of(project, "adjudicator", "Cy")
    cy = next(person for person in project.store.people() if person.name == "Cy")
    answer = client.post(f"/join/{project.store.invite(cy.id)}")
    assert answer.headers["location"] == "/adjudicate"


def test_each_person_can_hide_names_on_their_own_page(tmp_path):
    project = opened(study(tmp_path), tmp_path)
    with project.store:
        bea, ada = visitor(project, "adjudicator", "Bea"), visitor(project)
        bea.post("/adjudicate/1/settings", data={"suggestions": "yes"})
        page = bea.get("/adjudicate/1").text
        assert set(re.findall(r'<span class="badge [^"]*" title="(\w+)"', page)) == {"A", "B", "C"}
        main = page.partition("<main")[2]
        assert not [name for name in NAMES if name in main]
        assert "quentin" in ada.get("/adjudicate/1").text.partition("<main")[2]
        assert bea.get("/sentences/1").status_code == 200

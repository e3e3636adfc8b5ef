"""The owner's page on progress, pace and assignments."""

import csv
import io

import pytest

from arbitree.adjudication.events import Decide
from tests.support.web.opened import ANN, BOB, opened, sentence, visitor, wish, write_study

S1 = {"3 head": "2", "3 label": "obj", "4 label": "obl"}
S1_OTHERWISE = S1 | {"3 head": "4", "4 label": "advmod"}


def decide(project, person, changes, number=1):
    seen = project.state(number, person.id).seen
    assert project.write(number, wish(person, seen, f"{person.id} {number} {seen}"), Decide(changes)).saved


def people_of(project):
    return {person.name: person for person in project.store.people()}


@pytest.fixture
def ada(project):
    return visitor(project)


@pytest.fixture
def team(project, ada):
    """Two adjudicators, and the owner."""
    project.store.add_person("Bea", "adjudicator")
    project.store.add_person("Cem", "adjudicator")
    return people_of(project)


def table(client, name):
    answer = client.get(f"/export/{name}.csv")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    return list(csv.DictReader(io.StringIO(answer.text)))


def shares(team, **given):
    return {f"share-{team[name].id}": share for name, share in given.items()}


def test_only_the_owner_sees_and_assigns(project, ada, team):
    reading = ["/progress", "/export/progress.csv", "/export/times.csv", "/export/independent.csv",
               "/api/progress/people", "/api/assignments", "/api/assignments/agreement"]  # fmt: skip
    writing = ["/progress/assign", "/progress/withdraw", "/api/assignments"]
    for role in ("adjudicator", "judge", "viewer"):
        client = visitor(project, role, f"Eve the {role}")
        assert [client.get(address).status_code for address in reading] == [403] * len(reading)
        assert [client.post(address).status_code for address in writing] == [403] * len(writing)
    assert [ada.get(address).status_code for address in reading] == [200] * len(reading)


@pytest.mark.parametrize(("role", "status"), [("adjudicator", 204), ("viewer", 403), ("judge", 403)])
def test_only_adjudicators_report_time(project, ada, role, status):
    client = visitor(project, role, "Eve")
    assert client.post("/pace/1", data={"milliseconds": "1500"}).status_code == status
    assert len(project.store.visits(project.edition.id)) == (status == 204)


@pytest.mark.parametrize(
    ("number", "sent"),
    [("1", "-1"), ("1", "x"), ("1", "1e3"), ("0", "5"), ("4", "5"), ("9" * 30, "5"), ("1", ""), ("x", "5")],
)
def test_odd_times_are_refused(project, ada, number, sent):
    assert ada.post(f"/pace/{number}", data={"milliseconds": sent}).status_code in (404, 422)
    assert project.store.visits(project.edition.id) == []


def test_a_time_is_bounded_and_needs_the_token(project, ada):
    assert ada.post("/pace/1", data={"milliseconds": "9" * 40}).status_code == 204
    del ada.headers["X-CSRF-Token"]
    assert ada.post("/pace/1", data={"milliseconds": "5"}).status_code == 403
    assert [each.milliseconds for each in project.store.visits(project.edition.id)] == [600_000]


def test_pace_counts_what_was_decided_and_timed(project, ada, team):
    bea = team["Bea"]
    decide(project, bea, S1)
    for item, milliseconds in (("s1", 20_000), ("s1", 10_000), ("s3", 6_000)):
        project.store.add_visit(project.edition.id, item, bea.id, milliseconds)
    project.store.assign(project.edition.id, {"s3": [bea.id]})
    (row,) = [row for row in table(ada, "progress") if row["person"] == "Bea"]
    del row["last_active"]
    assert row == {
        "person": "Bea", "role": "adjudicator", "assigned": "1", "left": "1", "decided": "1",
        "active_seconds": "36.0", "items_per_hour": "100.0", "median_seconds": "30.0",
        "estimated_seconds_left": "36.0",
    }  # fmt: skip
    document = ada.get("/api/progress/people").json()
    assert (document["per_hour"], document["rest"], document["open"]) == (100, 36, 0)
    page = " ".join(ada.get("/progress").text.split())
    assert "1 of 2 sentences with disagreements are decided (50%); 1 is left." in page
    assert "At 100 sentences per hour, the estimated active time left is 36 s." in page
    assert [(row["item"], row["person"], row["active_seconds"]) for row in table(ada, "times")] == [
        ("s1", "Bea", "30.0"),
        ("s3", "Bea", "6.0"),
    ]


def test_without_times_there_is_no_estimate(project, ada, team):
    decide(project, team["Bea"], S1)
    page = ada.get("/progress").text
    assert "An estimate of the time needs the active time" in page
    assert ada.get("/api/progress/people").json()["rest"] is None


def test_sentences_are_assigned_with_a_form(project, ada, team):
    sent = shares(team, Ada="0", Bea="50", Cem=" 50 % ") | {"double": "50", "seed": "7"}
    answer = ada.post("/progress/assign", data=sent)
    assert answer.status_code == 200
    assert "2 sentences assigned, 1 of them to two people; 0 open to all." in answer.text
    found = project.store.assignments()
    assert sorted(map(len, found.values())) == [1, 2]
    assert set(found) == {"s1", "s3"}  # in s2, all agree
    assert ada.get("/api/assignments").json() == {item: list(people) for item, people in found.items()}
    ada.post("/progress/assign", data=sent)
    assert project.store.assignments() == found
    assert ada.post("/progress/withdraw").status_code == 303
    assert project.store.assignments() == {}


def test_what_is_begun_is_not_dealt_again(project, ada, team):
    ada.post("/progress/assign", data=shares(team, Bea="100"))
    decide(project, team["Bea"], {"3 head": "2"})
    answer = ada.post("/progress/assign", data=shares(team, Cem="100"))
    assert (
        "1 sentence assigned; 0 open to all. 1 sentence that somebody has begun stays as before."
        in answer.text
    )
    assert project.store.assignments() == {"s1": (team["Bea"].id,), "s3": (team["Cem"].id,)}


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        ({"share-2": "60", "share-3": "60"}, "the shares add up to 120%"),
        ({"share-2": "many"}, "&#39;many&#39; is not a percentage"),
        ({"share-2": "-5"}, "is not a percentage"),
        ({"share-2": "nan"}, "is not a percentage"),
        ({"share-2": "٣"}, "is not a percentage"),
        ({}, "no person has a share"),
        ({"share-x": "5", "share-": "5", "share-99999999999": "5"}, "no person has a share"),
        ({"share-2": "100", "double": "10"}, "two people are needed"),
        ({"share-2": "50", "seed": "x"}, "is not a seed"),
        ({"share-77": "50"}, "person 77 does not exist"),
    ],
)
def test_a_deal_that_makes_no_sense_is_refused_and_stays_typed(project, ada, team, sent, told):
    answer = ada.post("/progress/assign", data=sent)
    assert answer.status_code == 422
    assert told in answer.text
    assert project.store.assignments() == {}
    for name, value in sent.items():
        if name == "share-2":
            assert (
                f'name="{name}" inputmode="decimal" maxlength="10" autocomplete="off" value="{value}"'
                in answer.text
            )


def test_an_assignment_to_somebody_who_left_is_refused(project, ada, team):
    cem = team["Cem"]
    ada.post(f"/people/{cem.id}/remove")
    answer = ada.post("/progress/assign", data=shares(team, Bea="50", Cem="50"))
    assert answer.status_code == 422
    assert "Cem has left the project" in answer.text
    assert "Nothing was assigned" in answer.text
    body = {"shares": {str(cem.id): 100}}
    answer = ada.post("/api/assignments", json=body)
    assert (answer.status_code, answer.json()["detail"]) == (422, "Cem has left the project")
    assert project.store.assignments() == {}


@pytest.mark.parametrize(("change", "sent"), [("remove", {}), ("role", {"role": "viewer"})])
def test_sentences_of_somebody_who_leaves_are_open_again_and_the_page_says_so(
    project, ada, team, change, sent
):
    cem = team["Cem"]
    ada.post("/progress/assign", data=shares(team, Cem="100"))
    answer = ada.post(f"/people/{cem.id}/{change}", data=sent)
    assert answer.headers["location"] == "/people?returned=2"
    assert "2 undecided sentences are withdrawn" in ada.get(answer.headers["location"]).text
    assert project.store.assignments() == {}
    assert ada.post(f"/people/{team['Bea'].id}/remove").headers["location"] == "/people"


def test_programs_deal_too(project, ada, team):
    body = {"shares": {str(team["Bea"].id): 50, str(team["Cem"].id): 50}, "double": 100}
    answer = ada.post("/api/assignments", json=body)
    assert answer.json() == {"assigned": 2, "double": 2, "open": 0, "begun": 0}
    body["shares"] = {"2": 70, "3": 70}
    assert ada.post("/api/assignments", json=body).status_code == 422


def test_the_owner_sees_where_two_people_differ_and_decides(project, ada, team):
    bea, cem = team["Bea"], team["Cem"]
    project.store.assign(project.edition.id, {"s1": [bea.id, cem.id], "s3": [bea.id, cem.id]})
    decide(project, bea, S1)
    assert "0 sentences were decided by two people independently; 2 are not yet" in ada.get("/progress").text
    decide(project, cem, S1_OTHERWISE)
    found = ada.get("/api/assignments/agreement").json()
    assert (found["items"], found["waiting"]) == (1, 1)
    rows = {row["what"]: (row["places"], row["same"], row["alpha"]) for row in found["agreement"]}
    assert rows["head"] == (1, 0, None)
    assert rows["label"][:2] == (2, 1)
    assert rows["label"][2] == pytest.approx(1 - 0.5 / (5 / 6))  # obj obj, obl advmod
    assert rows["all"] == (3, 1, None)
    assert len(found["differences"]) == 2
    assert found["differences"][0] == {
        "number": 1, "item": "s1", "what": "head", "words": "it", "decided": "",
        "decisions": {"Bea": "2 saw", "Cem": "4 there"},
    }  # fmt: skip
    page = ada.get("/progress").text
    assert 'href="/adjudicate/1"' in page
    assert ada.get("/adjudicate").headers["location"] == "/adjudicate/1"
    desk = ada.get("/adjudicate/1").text
    assert "1 of 3 decisions are the same" in desk
    decide(project, team["Ada"], {"3 head": "2", "4 label": "obl"})
    assert [each["decided"] for each in ada.get("/api/assignments/agreement").json()["differences"]] == [
        "2 saw",
        "obl",
    ]
    assert ada.get("/adjudicate").headers.get("location") is None
    rows = table(ada, "independent")
    assert [(row["what"], row["first"], row["second"], row["same"], row["decided"]) for row in rows] == [
        ("head", "2 saw", "4 there", "no", "2 saw"),
        ("label", "obj", "obj", "yes", "obj"),
        ("label", "obl", "advmod", "no", "obl"),
    ]


def test_a_sentence_of_others_is_marked(project, ada, team):
    bea = team["Bea"]
    project.store.assign(project.edition.id, {"s1": [bea.id]})
    assert "This sentence is assigned to <bdi>Bea</bdi>" in ada.get("/adjudicate/1").text
    assert "assigned to" not in ada.get("/adjudicate/3").text
    project.store.assign(project.edition.id, {"s1": [bea.id, team["Cem"].id]})
    assert (
        "<bdi>Bea</bdi> and <bdi>Cem</bdi> decide this sentence independently"
        in ada.get("/adjudicate/1").text
    )


def test_one_of_two_is_told_so_but_not_who_the_other_is(project, ada, team):
    client = visitor(project, "adjudicator", "Dov")
    dov = people_of(project)["Dov"]
    project.store.assign(project.edition.id, {"s1": [team["Bea"].id, dov.id], "s3": [team["Bea"].id]})
    decide(project, team["Bea"], S1)
    page = client.get("/adjudicate/1").text
    assert "You and another person decide this sentence independently" in page
    assert "Bea" not in page
    assert "0% of yours decided" in page
    sent = {"seen": "0", "request": "0123456789abcdef", "wish": "".join(f"{k}\t{v}\n" for k, v in S1.items())}
    assert client.post("/adjudicate/1/decide", data=sent).status_code == 303
    assert "3 of 3 decisions are the same" in client.get("/adjudicate/1").text
    finished = client.get("/adjudicate")
    assert "You have decided all 1 sentences that are assigned to you" in " ".join(finished.text.split())


def test_every_kind_of_disagreement_can_be_decided_twice(tmp_path):
    """Tokens that differ: whole annotations are chosen."""
    ann = [*ANN, sentence("s4", ("a", "b"), (2, 0), ("x", "root"))]
    bob = [*BOB, sentence("s4", ("ab",), (0,), ("root",))]
    project = opened(write_study(tmp_path, ann=ann, bob=bob), tmp_path)
    with project.store:
        ada = visitor(project)
        bea, cem = (project.store.add_person(name, "adjudicator") for name in ("Bea", "Cem"))
        project.store.assign(project.edition.id, {"s4": [bea.id, cem.id]})
        (place,) = project.sheet(4).places
        for person, value in zip((bea, cem), place.values, strict=True):
            decide(project, person, {place.key: value}, 4)
        found = ada.get("/api/assignments/agreement").json()
        assert [(row["places"], row["same"]) for row in found["agreement"]] == [(1, 0)]
        assert ada.get("/progress").status_code == 200

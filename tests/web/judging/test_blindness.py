"""What never reaches a judge, and what others may not do."""

import json
import re

import pytest

from tests.support.web.visitors import (
    ITEM,
    SYSTEMS,
    Visitor,
    assert_blind,
    entries,
    make,
    once,
)

ADDRESSES = (
    "/", "/judge", "/judge/1", "/judge/1/1", "/judge/1/2", "/judge/1/99", "/judge/1/x", "/judge/x",
    "/judge/9", "/api/judge", "/api/judge/1", "/api/judge/1/trials/1", "/api/judge/1/trials/99",
    "/api/judge/x",
    "/sentences", "/sentences/1", "/adjudicate", "/adjudicate/1", "/history", "/decisions", "/people",
    "/progress", "/export/progress.csv", "/export/times.csv", "/export/independent.csv", "/api/assignments",
    "/api/assignments/agreement", "/api/progress/people",
    "/rounds", "/rounds/1", "/rounds/1/judgments.jsonl", "/export/conllu", "/nowhere", "/static/nothing.css",
    "/api/rounds", "/api/rounds/1", "/api/rounds/1/judgments", "/api/items", "/api/study", "/api/nowhere",
    "/api/openapi.json", f"/sentences/{'9' * 40}", f"/judge/{'9' * 40}",
)  # fmt: skip


def everything(judge):
    """All answers that a judge can get: pages, parts of pages, refusals, conflicts, files."""
    yield from (judge.get(address) for address in ADDRESSES)
    yield from (judge.get(address, **{"HX-Request": "true"}) for address in ADDRESSES)
    yield from (
        judge.get(file) for file in re.findall('(?:href|src)="(/static/[^"]+)"', judge.get("/judge/1").text)
    )
    verdict = {"position": 1, "choice": "upper", "seen": 0}
    for sent in (
        verdict,
        verdict,
        verdict | {"choice": "quite"},
        verdict | {"position": 99},
        {"seen": "many"},
    ):
        yield judge.post("/judge/1", request=once(), **sent)
        yield judge.send("/api/judge/1/verdicts", request=once(), **sent)
    for position in range(1, 20):
        yield judge.post("/judge/1", request=once(), **verdict | {"position": position, "seen": position})
        yield judge.get(f"/judge/1/{position}")
        yield judge.get(f"/api/judge/1/trials/{position}")
    yield judge.post("/judge/1/undo", seen=0, request=once())
    yield judge.post("/rounds", first="a", second="b")
    yield judge.client.post("/judge/1", data=verdict)
    yield judge.client.delete("/judge/1")
    yield judge.get("/judge/1")


@pytest.mark.parametrize("reference", ["", "okapi"])
def test_nothing_that_a_judge_can_get_tells_whose_parse_it_is(owner, judge, reference):
    make(owner, repeats=0.5, reference=reference)
    statuses = set()
    for answer in everything(judge):
        assert_blind(answer)
        statuses.add(answer.status_code)
    assert statuses >= {200, 303, 403, 404, 405, 409, 422}
    owner.post("/rounds/1/close")
    for answer in everything_closed(judge):
        assert_blind(answer)


def everything_closed(judge):
    yield from (judge.get(address) for address in ADDRESSES)
    yield judge.send("/api/judge/1/verdicts", position=1, choice="upper", seen=0, request=once())


def test_the_secrets_do_reach_the_owner(owner):
    """Else the test above would look for what is nowhere."""
    make(owner)
    page = owner.get("/rounds/1").text
    assert all(name in page for name in SYSTEMS)
    assert ITEM in json.dumps(owner.project.store.round(1).settings)


@pytest.mark.parametrize("role", ["viewer", "adjudicator"])
def test_others_may_not_judge(project, owner, role):
    make(owner)
    other = Visitor(project, project.store.add_person("Otto", role))
    assert other.get("/judge/1").status_code == 403
    assert other.get("/api/judge/1").status_code == 403


@pytest.mark.parametrize("address", ["/judge", "/judge/1", "/api/judge/1", "/rounds", "/api/rounds/1"])
def test_nobody_comes_in_without_a_link(project, owner, address):
    make(owner)
    assert Visitor(project, None).get(address).status_code == 401


def test_a_verdict_without_the_token_of_the_session_is_refused(project, owner, judge):
    make(owner)
    sent = {"position": 1, "choice": "upper", "seen": 0, "request": once()}
    assert judge.client.post("/judge/1", data=sent).status_code == 403
    assert judge.client.post("/api/judge/1/verdicts", json=sent).status_code == 403
    assert not entries(project, judge)


def test_judges_see_no_rounds_and_change_none(owner, judge):
    make(owner)
    for address in (
        "/rounds",
        "/rounds/1",
        "/rounds/1/judgments.jsonl",
        "/api/rounds",
        "/api/rounds/1/judgments",
    ):
        assert judge.get(address).status_code == 403
    assert judge.post("/rounds/1/close").status_code == 403
    assert judge.send("/api/rounds", systems=SYSTEMS).status_code == 403
    assert judge.get("/judge/1").status_code == 200


def test_the_owner_may_judge_but_is_warned(owner, judge):
    make(owner)
    assert "not blind" in owner.get("/judge/1").text
    assert "not blind" not in judge.get("/judge/1").text


def test_pages_hold_no_script_and_no_style_of_their_own(owner, judge):
    make(owner)
    judge.answer("upper")
    for page in (
        judge.get("/judge/1"),
        judge.get("/judge/1/1"),
        owner.get("/rounds"),
        owner.get("/rounds/1"),
    ):
        assert page.status_code == 200
        assert not re.search(r"<style|<script(?![^>]* src=)|\sstyle=|\son\w+=", page.text)

"""Sessions, rights and forged requests, through a real app."""

from types import SimpleNamespace
from typing import Annotated

import pytest
from fastapi import Form
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.testclient import TestClient

from arbitree.web.refusals import Refusal, plain_answer
from arbitree.web.security import GuardedApp
from arbitree.web.sessions import (
    COOKIE,
    LIFETIME,
    allowed,
    csrf_token,
    find_session,
    session,
    sign_in,
    sign_out,
)
from arbitree.web.store import HOUR, Person, Store
from tests.support.web.opened import ADDRESS, ANN, BOB, app_of, opened, visitor, write_study


@pytest.fixture
def store(sqlite):
    with Store.open(sqlite) as opened:
        opened.owner("Ada")
        opened.add_person("Bea", "adjudicator")
        yield opened


@pytest.fixture
def app(store):
    app = GuardedApp()
    app.state.project = SimpleNamespace(store=store, blind=False)

    @app.exception_handler(Refusal)
    def refuse(request, refusal):
        kind, body = plain_answer(refusal, request.url.path)
        return Response(body, refusal.status, media_type=kind, headers=refusal.headers)

    @app.get("/in/{number}")
    def enter(request: Request, number: int) -> JSONResponse:
        response = JSONResponse("welcome")
        sign_in(request, response, store.person(number))
        return response

    @app.get("/out")
    def leave(request: Request) -> JSONResponse:
        response = JSONResponse("goodbye")
        sign_out(request, response)
        return response

    @app.get("/see")
    def see(request: Request, person: Annotated[Person, allowed("explore")]) -> JSONResponse:
        return JSONResponse([person.name, csrf_token(request)])

    @app.get("/owned")
    def owned(person: Annotated[Person, allowed("own")]) -> str:
        return person.name

    @app.post("/form")
    def form(person: Annotated[Person, allowed("adjudicate")], value: Annotated[str, Form()]) -> str:
        return value

    @app.post("/raw")
    async def raw(request: Request, person: Annotated[Person, allowed("adjudicate")]) -> str:
        return str((await request.form()).get("value"))

    @app.post("/api/decisions")
    def decide(person: Annotated[Person, allowed("adjudicate")], body: dict[str, str]) -> dict[str, str]:
        return body

    return app


@pytest.fixture
def client(app):
    with TestClient(app, base_url="http://localhost") as opened:
        yield opened


@pytest.fixture
def bea(client):
    """The client when Bea is in, with the token of her session."""
    client.get("/in/2")
    client.token = client.get("/see").json()[1]
    return client


def test_nobody_is_asked_to_open_their_link(client):
    answer = client.get("/see")
    assert answer.status_code == 401
    assert "Open your invitation link" in answer.text


def test_the_cookie_of_a_session_is_for_browsers_alone(client):
    header = client.get("/in/2").headers["set-cookie"]
    assert header.startswith("arbitree=2.1.")
    assert {"HttpOnly", "Path=/", "SameSite=lax", f"Max-Age={LIFETIME}"} <= set(header.split("; "))
    assert "Secure" not in header


def test_the_cookie_is_secure_when_the_page_is(app):
    with TestClient(app, base_url="https://localhost") as client:
        assert "Secure" in client.get("/in/2").headers["set-cookie"].split("; ")
        assert client.get("/see").status_code == 200


def test_who_signed_out_is_nobody(bea):
    bea.get("/out")
    assert bea.get("/see").status_code == 401


def test_a_role_without_the_right_is_refused(bea):
    answer = bea.get("/owned")
    assert answer.status_code == 403
    assert "Your role (adjudicator) does not allow this" in answer.text


def test_a_change_of_role_acts_at_once(bea, store):
    assert bea.get("/see").status_code == 200
    store.set_role(2, "judge")
    assert bea.get("/see").status_code == 403
    store.set_role(2, "viewer")
    assert bea.get("/see").status_code == 200


def test_removal_ends_sessions_at_once_and_for_good(bea, store):
    store.remove_person(2)
    assert bea.get("/see").status_code == 401
    store.add_person("Bea", "adjudicator")
    assert bea.get("/see").status_code == 401


def test_ended_sessions_are_over(bea, store):
    store.end_sessions(2)
    assert bea.get("/see").status_code == 401
    bea.get("/in/2")
    assert bea.get("/see").status_code == 200


def test_sessions_last_thirty_days(store):
    bea = store.person(2)
    cookie = session(store.secret(), bea, 1000.0)
    month = 30 * 24 * 3600
    assert find_session(store, cookie, 1000.0 + month - 1) == bea
    assert find_session(store, cookie, 1000.0 + month) is None


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_altered_cookies_are_of_nobody(store, data):
    cookie = session(store.secret(), store.person(2), 1000.0)
    place = data.draw(st.integers(0, len(cookie) - 1))
    put = data.draw(st.text(st.characters(codec=None), max_size=2))
    altered = cookie[:place] + put + cookie[place + 1 :]
    assert (find_session(store, altered, 1000.0) is None) == (altered != cookie)


@pytest.mark.parametrize(
    "cookie", ["", ".", "1", "1.1.99999999999.", "1.1.99999999999.AAAA", "é", "1.1.9.x.y" * 99]
)
def test_forged_cookies_are_of_nobody(client, store, cookie):
    assert find_session(store, cookie, 0.0) is None
    answer = client.get("/see", headers={"Cookie": f"{COOKIE}={cookie}".encode()})
    assert answer.status_code == 401


def test_cookies_with_half_a_surrogate_pair_are_of_nobody(store):
    assert find_session(store, "1.1.99999999999.\ud800", 0.0) is None
    assert find_session(store, "\ud800.1.99999999999.AAAA", 0.0) is None


def test_cookies_of_another_project_are_of_nobody(store, tmp_path):
    with Store.open(f"sqlite:///{tmp_path}/other.sqlite") as other:
        cookie = session(other.secret(), store.person(1), 0.0)
    assert find_session(store, cookie, 0.0) is None


def test_forms_bring_their_token(bea):
    for address in ("/form", "/raw"):
        assert bea.post(address, data={"value": "x", "csrf": bea.token}).json() == "x"
        assert bea.post(address, data={"value": "x"}, headers={"X-CSRF-Token": bea.token}).json() == "x"


def test_forms_with_files_bring_their_token(bea):
    parts = {"value": (None, "x"), "csrf": (None, bea.token)}
    assert bea.post("/form", files=parts).json() == "x"


@pytest.mark.parametrize("token", [None, "", "wrong", "é"])
def test_forms_without_the_right_token_are_refused(bea, token):
    answer = bea.post("/form", data={"value": "x"} | ({"csrf": token} if token is not None else {}))
    assert answer.status_code == 403
    assert "out of date" in answer.text


def test_a_token_of_another_session_is_refused(bea, app):
    with TestClient(app, base_url="http://localhost") as other:
        other.get("/in/1")
        token = other.get("/see").json()[1]
    assert token != bea.token
    assert bea.post("/form", data={"value": "x", "csrf": token}).status_code == 403


def test_the_cookie_itself_is_no_token(bea):
    assert bea.post("/form", data={"value": "x", "csrf": bea.cookies[COOKIE]}).status_code == 403
    signature = bea.cookies[COOKIE].rpartition(".")[2]
    assert bea.post("/form", data={"value": "x", "csrf": signature}).status_code == 403


def test_programs_send_the_token_as_a_header(bea):
    assert bea.post("/api/decisions", json={"a": "b"}, headers={"X-CSRF-Token": bea.token}).json() == {
        "a": "b"
    }
    refused = bea.post("/api/decisions", json={"a": "b", "csrf": bea.token})
    assert refused.status_code == 403
    assert refused.json() == {"detail": "The page is out of date. Reload the page and try again."}
    assert bea.post("/api/decisions", data={"csrf": bea.token}).status_code == 403


def test_pages_of_other_sites_are_refused_even_with_the_token(bea):
    form = {"value": "x", "csrf": bea.token}
    for origin in (
        "http://evil.example",
        "null",
        "http://localhost:8001",
        "http://localhost.evil.example",
        "http://[",
        "",
    ):
        assert bea.post("/form", data=form, headers={"Origin": origin}).status_code == 403
    for origin in ("http://localhost", "https://LOCALHOST"):
        assert bea.post("/form", data=form, headers={"Origin": origin}).status_code == 200


def test_reading_needs_no_token(bea):
    assert bea.get("/see", headers={"Origin": "http://evil.example"}).status_code == 200


def test_without_a_session_there_is_no_token(client, store):
    assert client.post("/form", data={"value": "x", "csrf": ""}).status_code == 401


def test_an_unknown_right_is_a_mistake_of_ours():
    with pytest.raises(KeyError):
        allowed("fly")


def test_projects_of_one_machine_do_not_sign_each_other_out(tmp_path):
    """Browsers keep cookies by host: two servers on two ports share them."""
    paths = write_study(tmp_path, ann=ANN, bob=BOB)
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    projects = [opened(paths, tmp_path / name) for name in ("one", "two")]
    browser = None
    for project in projects:
        with TestClient(app_of(project), base_url=ADDRESS, cookies=browser) as client:
            client.post(f"/join/{project.store.invite(project.store.owner('Ada').id, HOUR)}")
            browser = client.cookies.jar
    for project in projects:
        with (
            project.store,
            TestClient(app_of(project), base_url=ADDRESS, cookies=browser) as client,
        ):
            assert client.get("/people").status_code == 200
            client.post("/leave")
            assert client.get("/people").status_code == 401


def test_links_have_the_address_under_which_others_come(project):
    hosts = ["127.0.0.1", "study.example.org"]
    app = app_of(project, hosts=hosts, public="https://study.example.org")
    client = TestClient(app, base_url="http://study.example.org", follow_redirects=False)
    client.post(f"/join/{project.store.invite(project.store.owner('Ada').id, HOUR)}")
    token = client.get("/people").text.partition('name="csrf" value="')[2].partition('"')[0]
    form = {"name": "Bea", "role": "viewer", "csrf": token}
    assert 'value="https://study.example.org/join/' in client.post("/people", data=form).text


def test_the_owner_signs_in_and_others_join(project):
    bea = project.store.add_person("Bea", "viewer")
    client = TestClient(app_of(project), base_url="http://127.0.0.1")
    own = client.get(f"/enter/{project.store.invite(project.store.owner('Ada').id, HOUR)}").text
    assert "Sign in as <bdi>Ada</bdi>, the owner of this study." in own
    assert "<button autofocus>Sign in</button>" in own
    assert "<title>Sign in" in own
    others = client.get(f"/join/{project.store.invite(bea.id, HOUR)}").text
    assert "You have been invited to this study as <bdi>Bea</bdi> (viewer)." in others
    assert "<button autofocus>Join</button>" in others


def test_whoever_lost_a_device_is_signed_out_everywhere(project):
    owner, bea = visitor(project), visitor(project, "viewer", "Bea")
    assert bea.get("/decisions").status_code == 200
    number = next(each.id for each in project.store.people() if each.name == "Bea")
    assert owner.post(f"/people/{number}/sessions").status_code == 303
    assert bea.get("/decisions").status_code == 401
    assert owner.post("/people/1/sessions").status_code == 404

"""Those who want what is not theirs: odd paths, forged cookies, other sites, floods."""

import os
import re
import sys
import zipfile
from datetime import timedelta
from io import BytesIO
from urllib.parse import unquote_to_bytes

import anyio
import pytest
from starlette.testclient import TestClient

from arbitree.web.security import HEADERS, LOOPBACK
from arbitree.web.sessions import COOKIE, session
from arbitree.web.store import HOUR
from tests.support.web.opened import ADDRESS, ANN, BOB, app_of, opened, visitor, write_study

TRAVERSALS = [
    "..%2f..%2f..%2fetc%2fpasswd",
    "%2e%2e/%2e%2e/%2e%2e/etc/passwd",
    "..%252f..%252fetc%252fpasswd",
    "..\\..\\..\\etc\\passwd",
    "..%5c..%5cproject.json",
    "....//....//project.json",
    "%00",
    "app.css%00.png",
    "%c0%ae%c0%ae%c0%afproject.json",
    "/etc/passwd",
    "../project.py",
    "arbitree.sqlite",
    "con",
    "a" * 5000,
]
PAGES = ["/", "/sentences", "/sentences/1", "/adjudicate", "/adjudicate/1", "/decisions", "/history",
         "/people", "/progress", "/rounds", "/judge", "/export/progress.csv", "/export/times.csv",
         "/export/independent.csv", "/export/decisions.tsv", "/export/log.tsv", "/export/gold.conllu",
         "/export/study.zip"]  # fmt: skip


@pytest.fixture
def app(project):
    return app_of(project, hosts=LOOPBACK)


@pytest.fixture
def ada(project):
    return visitor(project)


@pytest.fixture
def nobody(app):
    return TestClient(app, base_url=ADDRESS, follow_redirects=False, raise_server_exceptions=False)


def raw(app, path, method="GET", headers=(), body=()):
    """Send a request exactly as it is written, in pieces, and return status, headers and body."""
    sent = []
    pieces = iter(body)

    async def receive():
        piece = next(pieces, None)
        return {"type": "http.request", "body": piece or b"", "more_body": piece is not None}

    async def send(message):
        sent.append(message)

    address, _, query = path.partition("?")
    given = [(key.lower().encode(), value.encode("utf-8", "surrogateescape")) for key, value in headers]
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "scheme": "http",
        "path": unquote_to_bytes(address).decode("utf-8", "replace"), "raw_path": address.encode(),
        "query_string": query.encode(), "root_path": "", "client": ("127.0.0.1", 50000),
        "server": ("127.0.0.1", 8765),
        "headers": [(b"host", b"127.0.0.1:8765"), *given],
    }  # fmt: skip
    anyio.run(app, scope, receive, send)
    start = sent[0]
    found = {key.decode().lower(): value.decode("latin-1") for key, value in start["headers"]}
    return start["status"], found, b"".join(message.get("body", b"") for message in sent[1:])


@pytest.mark.parametrize(
    "base", ["/static/", "/export/", "/export/gold.", "/join/", "/enter/", "/sentences/"]
)
def test_paths_lead_nowhere_else(app, ada, base):
    cookie = ("cookie", f"{COOKIE}={ada.cookies[COOKIE]}")
    for path in TRAVERSALS:
        status, headers, body = raw(app, base + path, headers=[cookie])
        assert 400 <= status < 500, path
        assert not re.search(b"root:|inputs|SQLite", body), path
        assert headers["content-security-policy"] == HEADERS["Content-Security-Policy"]


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE"])
def test_every_answer_is_guarded_whatever_is_asked(app, method):
    others = [
        "/nowhere",
        "/static/app.css",
        "/static/none",
        "/api/openapi.json",
        "/api/progress",
        "/join/wrong",
    ]
    for path in [*PAGES, *others]:
        status, headers, body = raw(app, path, method)
        assert status < 500, path
        assert {name: headers.get(name.lower()) for name in HEADERS} == HEADERS, path
        assert b"Traceback" not in body
        assert "access-control-allow-origin" not in headers
        assert path.startswith("/static/") or headers["cache-control"] == "no-store"


def test_nobody_gets_in_without_a_link(nobody):
    for path in [*PAGES, "/api/progress", "/api/sentences/1/desk", "/api/sentences/1/history",
                 "/api/assignments", "/api/progress/people", "/api/assignments/agreement"]:  # fmt: skip
        answer = nobody.get(path)
        assert answer.status_code == 401, path
        assert not re.search(r"\b(ann|bob|saw)\b", answer.text), path


def test_the_description_of_the_interface_tells_nothing_of_the_study(nobody):
    answer = nobody.get("/api/openapi.json")
    assert not re.search(r"\b(ann|bob|Ada|s1)\b", answer.text)


@pytest.mark.parametrize("change", ["person", "generation", "expires", "signature", "swapped", "garbage"])
def test_a_cookie_that_was_changed_is_nobodys(project, nobody, change):
    viewer = project.store.add_person("Vic", "viewer")
    good = session(project.store.secret(), viewer, 4_000_000_000)
    number, generation, expires, signature = good.split(".")
    other = session(b"another secret", viewer, 4_000_000_000).split(".")[-1]
    forged = {
        "person": f"1.{generation}.{expires}.{signature}",
        "generation": f"{number}.{int(generation) + 1}.{expires}.{signature}",
        "expires": f"{number}.{generation}.{int(expires) + 1}.{signature}",
        "signature": f"{number}.{generation}.{expires}.{signature[:-2]}AA",
        "swapped": f"{number}.{generation}.{expires}.{other}",
        "garbage": "owner",
    }[change]
    nobody.headers["Cookie"] = f"{COOKIE}={forged}"
    assert nobody.get("/decisions").status_code == 401
    nobody.headers["Cookie"] = f"{COOKIE}={good}"
    assert nobody.get("/decisions").status_code == 200


@pytest.mark.parametrize(
    "odd", ["\x00", "é", "\udcff", "a" * 7000, ";;;", '"', "1.1.1.1", "....", "-1.0.9e9.x"]
)
def test_odd_cookies_are_nobodys(app, odd):
    status, _, _ = raw(app, "/decisions", headers=[("cookie", f"{COOKIE}={odd}")])
    assert status == 401


FORM = {"seen": "0", "request": "0123456789abcdef", "wish": "3 head\t2 saw"}


def test_a_change_without_the_token_is_refused(project, ada):
    del ada.headers["X-CSRF-Token"]
    assert ada.post("/adjudicate/1/decide", data=FORM).status_code == 403
    assert ada.post("/people", data={"name": "Eve", "role": "adjudicator"}).status_code == 403
    body = {"changes": {"3 head": "2"}, "seen": 0, "request": "0123456789abcdef"}
    assert ada.post("/api/sentences/1/decisions", json=body).status_code == 403
    assert project.store.entries_under(project.edition.id, "") == []
    assert [person.name for person in project.store.people()] == ["Ada"]


def test_a_token_of_somebody_else_is_refused(project, ada):
    eve = visitor(project, "adjudicator", "Eve")
    eve.headers["X-CSRF-Token"] = ada.headers["X-CSRF-Token"]
    assert eve.post("/adjudicate/1/decide", data=FORM).status_code == 403
    assert eve.post("/adjudicate/1/decide", data=FORM | {"csrf": "x"}).status_code == 403


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:9999", "http://127.0.0.1",
                                    "http://127.0.0.1:8765.evil.example", "file://", ""])  # fmt: skip
def test_a_page_of_another_site_cannot_change_anything(project, ada, origin):
    sent = {"Origin": origin}
    assert ada.post("/adjudicate/1/decide", data=FORM, headers=sent).status_code == 403
    assert ada.post("/join/whatever", headers=sent).status_code == 403
    assert project.store.entries_under(project.edition.id, "") == []


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:8765", "",
                                  "127.0.0.1@evil.example", "[::2]"])  # fmt: skip
def test_another_name_of_this_machine_is_refused(app, ada, host):
    cookie = f"{COOKIE}={ada.cookies[COOKIE]}"
    client = TestClient(app, base_url=ADDRESS)
    answer = client.get("/decisions", headers={"Host": host, "Cookie": cookie})
    assert answer.status_code == 400
    assert client.get("/decisions", headers={"Host": "localhost:8765", "Cookie": cookie}).status_code == 200


def test_a_link_is_good_once_even_for_the_same_browser(project, nobody):
    token = project.store.invite(project.store.add_person("Una", "viewer").id, HOUR)
    assert nobody.get(f"/join/{token}").status_code == 200
    assert nobody.get(f"/join/{token}").status_code == 200  # looking at it does not use it up
    assert nobody.post(f"/join/{token}").status_code == 303
    for answer in (
        nobody.post(f"/join/{token}"),
        nobody.get(f"/join/{token}"),
        nobody.post(f"/enter/{token}"),
    ):
        assert answer.status_code == 410
        assert "has already been used" in answer.text
        assert "set-cookie" not in answer.headers


def test_a_link_that_has_expired_says_so(project, nobody):
    token = project.store.invite(project.store.add_person("Una", "viewer").id, timedelta(seconds=-1))
    for answer in (nobody.get(f"/join/{token}"), nobody.post(f"/join/{token}")):
        assert answer.status_code == 410
        assert "This link has expired" in answer.text
        assert "Ask the study owner for a new one" in answer.text
        assert "set-cookie" not in answer.headers


def test_who_guesses_links_has_to_wait(nobody):
    statuses = [nobody.get(f"/join/guess{number}").status_code for number in range(40)]
    assert statuses[0] == 404
    assert statuses[-1] == 429
    answer = nobody.get("/enter/guess")
    assert answer.status_code == 429
    assert int(answer.headers["Retry-After"]) > 0


def test_who_makes_links_without_end_has_to_wait(ada):
    answers = [ada.post("/people", data={"name": f"P{n}", "role": "viewer"}) for n in range(40)]
    assert answers[0].status_code == 200
    assert answers[-1].status_code == 429
    assert "too many invitations" in answers[-1].text


@pytest.mark.parametrize("length", ["300000", "9" * 30, "9" * 6000, "-1", "1e3", "0x10", "²"])
def test_bodies_that_say_they_are_too_long_are_refused_unread(app, length):
    headers = [("content-length", length), ("content-type", "application/json")]
    status, found, _ = raw(app, "/api/sentences/1/undo", "POST", headers)
    assert status == 413
    assert found["content-security-policy"]


@pytest.mark.parametrize("kind", ["application/json", "application/x-www-form-urlencoded",
                                  "multipart/form-data; boundary=x", "text/plain"])  # fmt: skip
@pytest.mark.parametrize("path", ["/api/sentences/1/decisions", "/adjudicate/1/decide", "/people", "/join/x"])
def test_bodies_that_never_end_are_cut_off(app, ada, path, kind):
    headers = [("content-type", kind), ("cookie", f"{COOKIE}={ada.cookies[COOKIE]}"),
               ("x-csrf-token", ada.headers["X-CSRF-Token"])]  # fmt: skip
    pieces = iter([b'--x\r\nContent-Disposition: form-data; name="wish"\r\n\r\n'] + [b"x" * 65536] * 40)
    status, _, body = raw(app, path, "POST", headers, pieces)
    assert status in (404, 413, 422)
    assert len(list(pieces)) > 34
    assert b"Traceback" not in body


@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])
def test_forms_of_unsaid_length_that_are_too_long_are_refused(app, ada, kind):
    headers = [("content-type", kind), ("cookie", f"{COOKIE}={ada.cookies[COOKIE]}")]
    beginning = b'--x\r\nContent-Disposition: form-data; name="wish"\r\n\r\n'
    assert raw(app, "/adjudicate/1/decide", "POST", headers, [beginning, *[b"x" * 65536] * 8])[0] == 413


def test_who_is_removed_is_out_at_once_and_a_role_holds_at_once(project, ada):
    vic = visitor(project, "viewer", "Vic")
    number = next(person.id for person in project.store.people() if person.name == "Vic")
    assert vic.get("/adjudicate/1").status_code == 403
    ada.post(f"/people/{number}/role", data={"role": "adjudicator"})
    assert vic.get("/adjudicate/1").status_code == 200
    assert vic.post("/adjudicate/1/decide", data=FORM).status_code == 303
    ada.post(f"/people/{number}/role", data={"role": "judge"})
    assert vic.get("/decisions").status_code == 403
    assert vic.get("/api/sentences/1/desk").status_code == 403
    ada.post(f"/people/{number}/remove")
    assert vic.get("/judge").status_code == 401
    assert vic.post("/adjudicate/1/undo", data=FORM | {"seen": "1"}).status_code == 401


@pytest.mark.parametrize("role", ["owner", "root", "", "OWNER", "adjudicator,owner"])
def test_nobody_is_made_an_owner(project, ada, role):
    eve = project.store.add_person("Eve", "viewer")
    assert ada.post(f"/people/{eve.id}/role", data={"role": role}).status_code == 422
    assert ada.post("/people", data={"name": "Mal", "role": role}).status_code == 422
    assert {person.role for person in project.store.people()} == {"owner", "viewer"}


def test_the_owner_and_nobody_cannot_be_changed(project, ada):
    for number in ("1", "0", "-1", "99", str(2**63), str(2**200), "1e3", "x"):
        for what in ("link", "role", "remove"):
            answer = ada.post(f"/people/{number}/{what}", data={"role": "viewer"})
            assert answer.status_code in (404, 422), (number, what)
    assert [person.role for person in project.store.people()] == ["owner"]


@pytest.mark.parametrize("role", ["adjudicator", "judge", "viewer"])
def test_only_the_owner_makes_people_and_takes_over_decisions(project, role):
    client = visitor(project, role, "Eve")
    assert client.post("/people", data={"name": "Mal", "role": "adjudicator"}).status_code == 403
    assert client.post("/people/2/role", data={"role": "adjudicator"}).status_code == 403
    assert client.post("/editions/carry").status_code == 403
    assert client.post("/rounds", data={"first": "ann", "second": "bob"}).status_code == 403
    assert client.get("/people").status_code == 403


def test_leaving_takes_the_cookie_and_only_our_own_pages_can_make_one_leave(nobody, ada):
    assert ada.post("/leave", headers={"Origin": "http://evil.example"}).status_code == 403
    assert ada.get("/decisions").status_code == 200
    ada.post("/leave")
    assert ada.get("/decisions").status_code == 401


def test_names_of_coders_cannot_lead_out_of_the_archive(tmp_path):
    paths = write_study(tmp_path, ann=ANN, bob=BOB)
    names = ["..", "adjudicated", "a.b", "a_b", "C:\\x", "a" * 200, "x\u202ey", "con"]
    inputs = [f"{name}={paths[place % 2]}" for place, name in enumerate(names)]
    project = opened(inputs, tmp_path)
    with project.store:
        ada = visitor(project)
        answer = ada.get("/export/study.zip")
        assert answer.headers["content-disposition"] == 'attachment; filename="study.zip"'
        taken = zipfile.ZipFile(BytesIO(answer.content)).namelist()
        assert len({name.casefold() for name in taken}) == len(names) + 1
        assert all(re.fullmatch(r"[\w+-]{1,100}\.conllu", name) for name in taken)
        assert ada.get("/decisions").status_code == 200


@pytest.mark.skipif(sys.getfilesystemencoding() != "utf-8", reason="the name is text in other encodings")
def test_a_file_whose_name_is_no_text_can_be_served(tmp_path):
    paths = write_study(tmp_path, ann=ANN, bob=BOB)
    odd = os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.conllu")
    os.rename(paths[0], odd)  # noqa: PTH104
    project = opened([odd, paths[1]], tmp_path)
    with project.store:
        ada = visitor(project)
        for path in [*PAGES, "/api/sentences/1/desk", "/api/study", "/api/sentences/1"]:
            assert ada.get(path, follow_redirects=True).status_code == 200, path
        sent = {"seen": "0", "request": "0123456789abcdef", "coder": "caf\\udce9"}
        circle = {"changes": {"3 head": "4", "4 head": "3"}, "seen": 0, "request": "0123456789"}
        offers = ada.post("/api/sentences/1/decisions", json=circle).json()["offers"]
        assert any("caf\\udce9" in offer["words"] for offer in offers)
        assert ada.post("/adjudicate/1/take", data=sent).status_code == 303


def test_a_crash_shows_no_reason(project, monkeypatch):
    client = TestClient(app_of(project), base_url=ADDRESS, raise_server_exceptions=False)
    owner = project.store.owner("Ada")
    client.post(f"/join/{project.store.invite(owner.id, HOUR)}")
    monkeypatch.setattr(type(project.store), "entries", lambda *_: 1 / 0)
    answer = client.get("/adjudicate/1")
    assert answer.status_code == 500
    assert "Zero" not in answer.text
    assert "Traceback" not in answer.text
    assert answer.headers["Content-Security-Policy"] == HEADERS["Content-Security-Policy"]

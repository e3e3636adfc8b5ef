"""Headers, sizes, hosts and haste."""

from types import SimpleNamespace

import anyio
import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient

from arbitree.web.limits import Window
from arbitree.web.refusals import Refusal
from arbitree.web.security import LARGEST_BODY, LOOPBACK, BodyLimit, GuardedApp, count_invitation


@pytest.fixture
def clock():
    return SimpleNamespace(now=1000.0)


@pytest.fixture
def app(clock):
    app = GuardedApp(hosts=LOOPBACK, clock=lambda: clock.now)

    @app.get("/")
    def first() -> str:
        return "first"

    @app.get("/crash")
    def crash() -> str:
        raise RuntimeError("a mistake of ours")

    @app.get("/static/style.css")
    def style() -> PlainTextResponse:
        return PlainTextResponse("", headers={"Cache-Control": "max-age=60"})

    @app.post("/api/json")
    def take(body: dict[str, str]) -> int:
        return len(body)

    @app.post("/size")
    async def size(request: Request) -> int:
        return len(await request.body())

    @app.api_route("/join/{token}", methods=["GET", "POST"])
    def join(token: str) -> PlainTextResponse:
        return PlainTextResponse("", 200 if token == "right" else 404)

    return app


@pytest.fixture
def client(app):
    with TestClient(app, base_url="http://localhost", raise_server_exceptions=False) as opened:
        yield opened


@pytest.mark.parametrize(
    ("address", "status"), [("/", 200), ("/nowhere", 404), ("/crash", 500), ("/join/wrong", 404)]
)
def test_every_answer_is_guarded(client, address, status):
    answer = client.get(address)
    assert answer.status_code == status
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;")
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "same-origin"
    assert answer.headers["cache-control"] == "no-store"


def test_refusals_are_guarded_too(client):
    for answer in (
        client.get("/", headers={"Host": "evil.example"}),
        client.post("/size", content=b"x" * (LARGEST_BODY + 1)),
    ):
        assert answer.status_code in (400, 413)
        assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_files_that_stay_the_same_may_be_kept(client):
    assert client.get("/static/style.css").headers["cache-control"] == "max-age=60"


def test_a_crash_does_not_show_its_reason(client):
    assert "mistake" not in client.get("/crash").text


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:8000", "127.0.0.1:80", "[::1]:8000", "[::1]"])
def test_our_own_names_are_answered(client, host):
    assert client.get("/", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "", "[::2]:1"]
)
def test_other_names_are_refused(client, host):
    answer = client.get("/", headers={"Host": host})
    assert answer.status_code == 400
    assert "does not accept the host name" in answer.text


def test_any_name_is_answered_where_none_are_given():
    with TestClient(GuardedApp(), base_url="http://anything.example") as client:
        assert client.get("/").status_code == 404


def test_a_body_at_the_limit_is_read(client):
    assert client.post("/size", content=b"x" * LARGEST_BODY).json() == LARGEST_BODY


def test_a_body_over_the_limit_is_refused(client):
    answer = client.post("/size", content=b"x" * (LARGEST_BODY + 1))
    assert answer.status_code == 413
    assert "larger than 256 kB" in answer.text


@pytest.mark.parametrize("address", ["/size", "/api/json"])
def test_a_body_of_unsaid_length_is_refused_when_it_grows_too_long(client, address):
    answer = client.post(address, content=(b"x" * 1000 for _ in range(LARGEST_BODY // 1000 + 2)))
    assert answer.status_code == 413
    assert "larger than 256 kB" in answer.text


def test_programs_get_refusals_as_json(client):
    answer = client.post("/api/json", content=b"x" * (LARGEST_BODY + 1))
    assert answer.json() == {"detail": "The request is larger than 256 kB. Send a smaller request."}


@pytest.mark.parametrize("length", ["-1", "many", "9" * 5000, "²"])
def test_a_length_that_is_no_length_is_refused(app, length):
    assert call(app, [(b"host", b"localhost"), (b"content-length", length.encode())]) == 413


def test_a_request_that_is_not_complete_does_not_reach_the_app():
    called, sent = [], []
    messages = iter(
        [{"type": "http.request", "body": b"half", "more_body": True}, {"type": "http.disconnect"}]
    )

    async def app(scope, receive, send):
        called.append(scope)

    async def receive():
        return next(messages)

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": "/", "headers": []}
    anyio.run(BodyLimit(app), scope, receive, send)
    assert (called, sent) == ([], [])


def test_two_hosts_are_refused(app):
    assert call(app, [(b"host", b"localhost"), (b"host", b"localhost")]) == 400


def call(app, headers):
    """Return the status of an answer to a request that no client would send."""
    sent = []

    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": "/size", "headers": headers, "query_string": b""}
    anyio.run(app, scope | {"client": None, "root_path": "", "scheme": "http"}, receive, send)
    return sent[0]["status"]


def test_who_tries_many_wrong_links_has_to_wait(client, clock):
    answers = [client.request(method, f"/join/{n}") for n in range(20) for method in ("GET", "POST")]
    assert [answer.status_code for answer in answers] == [404] * 30 + [429] * 10
    assert answers[-1].headers["retry-after"] == "60"
    assert "Try again in 60 seconds" in answers[-1].text
    assert client.get("/join/right").status_code == 429
    assert client.get("/").status_code == 200
    clock.now += 60
    assert client.get("/join/right").status_code == 200


def test_right_links_are_not_counted(client):
    assert {client.get("/join/right").status_code for _ in range(100)} == {200}


def test_a_person_makes_a_bounded_number_of_invitations(app, clock):
    request = SimpleNamespace(app=app)
    ada, bea = SimpleNamespace(id=1), SimpleNamespace(id=2)
    for _ in range(30):
        count_invitation(request, ada)
        clock.now += 10
    with pytest.raises(Refusal, match="too many invitations") as refusal:
        count_invitation(request, ada)
    assert refusal.value.status == 429
    assert refusal.value.headers == {"Retry-After": "3300"}
    count_invitation(request, bea)
    clock.now += 3300
    count_invitation(request, ada)


def test_a_window_forgets_names_when_there_are_too_many():
    window = Window(1, 60, clock=lambda: 0.0)
    for number in range(10_001):
        assert window.take(str(number)) == 0
    assert window.take("10000") == 60
    assert window.take("0") == 0

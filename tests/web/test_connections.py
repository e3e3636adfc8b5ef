"""Slow clients and too many of them: whoever sends or reads nothing is let go, and others are served."""

import http.client
import logging
import re
import socket
import subprocess
import sys
import threading
import time
from contextlib import ExitStack, closing, suppress

import anyio
import pytest
from fastapi import FastAPI, Request
from fastapi.responses import PlainTextResponse

from arbitree.web.connections import MOST, Limits, Refusals
from arbitree.web.server import server_of
from tests.support.web.slow_clients import resist

GET = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
POST = b"POST /form HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n"
SHORT = Limits(headers=0.2, body=0.6, piece=0.2, response=0.4)
LONG = Limits(headers=60, body=60, piece=60, response=60)


def made_app(asked, done):
    """Return an app with a page, a form, a large file, and a page that waits until *done* is set."""
    app = FastAPI()

    @app.get("/")
    def first() -> str:
        return "first"

    @app.post("/form")
    async def form(request: Request) -> int:
        return len(await request.body())

    @app.get("/file")
    def file() -> PlainTextResponse:
        return PlainTextResponse("x" * 5_000_000)

    @app.get("/busy")
    async def busy() -> str:
        asked.release()
        while not done.is_set():
            await anyio.sleep(0.01)
        return "done"

    return app


class Running:
    """A server in a thread."""

    def __init__(self, limits):
        self.asked, self.done = threading.Semaphore(0), threading.Event()
        self.server = server_of(made_app(self.asked, self.done), proxy=False, limits=limits)
        self.connections = self.server.connections
        listening = socket.create_server(("127.0.0.1", 0))
        self.port = listening.getsockname()[1]
        self._thread = threading.Thread(target=self.server.run, args=([listening],))
        self._thread.start()

    def connect(self, data=b""):
        """Return a connection on which *data* was sent."""
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=30)
        connection.sendall(data)
        return connection

    def status(self, path="/", method="GET", body=None):
        """Return the status of a request like those of a browser."""
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)) as connection:
            connection.request(method, path, body)
            return connection.getresponse().status

    def wait_for(self, number):
        """Wait until so many connections are open."""
        deadline = time.monotonic() + 30
        while len(self.connections) != number and time.monotonic() < deadline:
            time.sleep(0.01)
        assert len(self.connections) == number

    def stop(self):
        """End the server."""
        self.done.set()
        self.server.should_exit = True
        self._thread.join(30)
        assert not self._thread.is_alive()


@pytest.fixture
def run(caplog):
    """A function that starts a server; what it logs is in caplog."""
    log = logging.getLogger("uvicorn")
    with ExitStack() as stack:

        def start(limits):
            running = Running(limits)
            stack.callback(running.stop)
            stack.callback(logging.getLogger("uvicorn.error").removeFilter, running.connections.refusals)
            log.addHandler(caplog.handler)
            stack.callback(log.removeHandler, caplog.handler)
            return running

        yield start


def rest(connection):
    """Return all that the server sends until it closes the connection."""
    with closing(connection), suppress(ConnectionResetError):
        return b"".join(iter(lambda: connection.recv(65536), b""))
    return b""


SLOW = {
    "nothing": (b"", b""),
    "half a line": (b"GET / HT", b"HTTP/1.1 408 "),
    "half of the headers": (GET + b"Accept: text", b"HTTP/1.1 408 "),
    "no body": (POST + b"\r\n", b"HTTP/1.1 408 "),
    "half of a body": (POST + b"\r\nhalf", b"HTTP/1.1 408 "),
    "a body of pieces": (POST.replace(b"Content-Length: 10", b"Transfer-Encoding: chunked") + b"\r\n3\r\nabc",
                         b"HTTP/1.1 408 "),
    "a second request": (GET + b"\r\n" + GET, b"HTTP/1.1 200 "),
}  # fmt: skip


@pytest.mark.parametrize("name", SLOW)
def test_a_request_that_does_not_come_to_its_end_is_given_up(run, name):
    data, answer = SLOW[name]
    running = run(SHORT)
    given = rest(running.connect(data))
    assert given.startswith(answer)
    assert (b" 408 " in given) == (name != "nothing")
    running.wait_for(0)


def test_connections_that_browsers_open_in_advance_are_not_in_the_log(run, caplog):
    running = run(SHORT)
    assert rest(running.connect()) == b""
    running.stop()
    assert not caplog.messages


@pytest.mark.parametrize("beginning", [GET + b"X-Long: ", POST.replace(b"10", b"99999") + b"\r\n"])
def test_a_byte_now_and_then_does_not_help(run, beginning):
    connection = run(SHORT).connect(beginning)
    connection.settimeout(0.02)
    answer = b""
    with closing(connection):
        while not answer:
            with suppress(TimeoutError):
                answer = connection.recv(1000)
            with suppress(ConnectionError):
                connection.sendall(b"x")
    assert answer.startswith(b"HTTP/1.1 408 ")


def test_who_does_not_read_is_let_go(run):
    running = run(SHORT)
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    with closing(connection):
        connection.connect(("127.0.0.1", running.port))
        connection.sendall(GET.replace(b" / ", b" /file ") + b"\r\n")
        running.wait_for(1)
        running.wait_for(0)
    assert running.status() == 200


def test_who_reads_slowly_gets_everything(run):
    """The time for reading begins again with every piece that is read."""
    running = run(Limits(response=2))
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
    connection.connect(("127.0.0.1", running.port))
    connection.sendall(GET.replace(b" / ", b" /file ") + b"Connection: close\r\n\r\n")
    received = 0
    with closing(connection):
        while data := connection.recv(200_000):
            received += len(data)
            time.sleep(2.5 * len(data) / 5_000_000)
    assert received > 5_000_000


def test_the_time_of_the_app_is_not_limited(run):
    running = run(SHORT)
    connection = running.connect(GET.replace(b" / ", b" /busy ") + b"Connection: close\r\n\r\n")
    others = [rest(running.connect(GET)) for _ in range(4)]  # each takes longer than any limit
    assert all(other.startswith(b"HTTP/1.1 408 ") for other in others)
    running.done.set()
    assert rest(connection).startswith(b"HTTP/1.1 200 ")


def test_complete_requests_are_served_as_ever(run):
    running = run(LONG)
    assert running.status() == 200
    assert running.status("/form", "POST", b"x" * 200_000) == 200
    assert running.status("/nowhere") == 404
    with closing(http.client.HTTPConnection("127.0.0.1", running.port, timeout=30)) as connection:
        for _ in range(3):
            connection.request("GET", "/")
            assert connection.getresponse().read() == b'"first"'


@pytest.mark.parametrize("limits", [{"connections": 5, "per_address": None}, {"per_address": 5}])
def test_the_connection_that_has_waited_longest_makes_room(run, limits):
    running = run(Limits(headers=60, body=60, piece=60, response=60, **limits))
    first = [running.connect(GET) for _ in range(5)]
    running.wait_for(5)
    assert running.status() == 200
    assert rest(first[0]).startswith(b"HTTP/1.1 503 ")
    second = running.connect(GET + b"Connection: close\r\n")
    assert running.status() == 200
    second.sendall(b"\r\n")
    assert rest(second).startswith(b"HTTP/1.1 200 ")
    for connection in first[1:]:
        connection.close()


def test_a_connection_whose_answer_is_being_made_does_not_make_room(run):
    running = run(Limits(headers=60, body=60, piece=60, response=60, connections=2, per_address=None))
    busy = running.connect(GET.replace(b" / ", b" /busy ") + b"Connection: close\r\n\r\n")
    assert running.asked.acquire(timeout=30)
    assert [running.status() for _ in range(5)] == [200] * 5
    running.done.set()
    assert rest(busy).startswith(b"HTTP/1.1 200 ")


def test_where_all_are_busy_the_new_one_has_to_go(run):
    running = run(Limits(headers=60, body=60, piece=60, response=60, connections=2, per_address=None))
    request = GET.replace(b" / ", b" /busy ") + b"Connection: close\r\n\r\n"
    busy = [running.connect(request) for _ in range(2)]
    for _ in busy:
        assert running.asked.acquire(timeout=30)
    assert rest(running.connect(b"")).startswith(b"HTTP/1.1 503 ")
    running.done.set()
    assert all(rest(connection).startswith(b"HTTP/1.1 200 ") for connection in busy)


def test_refusals_are_lines_with_their_number(run, caplog):
    running = run(Limits(headers=60, body=60, piece=60, response=60, per_address=3))
    connections = [running.connect(GET) for _ in range(20)]
    deadline = time.monotonic() + 30
    while (
        sum(map(int, re.findall(r"address \((\d+) times\)", caplog.text))) < 17
        and time.monotonic() < deadline
    ):
        time.sleep(0.05)
    for connection in connections:
        connection.close()
    assert "Connection closed: more than 3 connections from one address" in caplog.text
    assert "Addresses: 127.0.0.1" in caplog.text
    assert len(caplog.messages) < 17


def test_requests_that_are_no_http_are_counted_like_refusals(run, caplog):
    running = run(LONG)
    for _ in range(20):
        assert rest(running.connect(b"\x00\r\n\r\n")).startswith(b"HTTP/1.1 400 ")
    deadline = time.monotonic() + 30
    while "Invalid HTTP request received (" not in caplog.text and time.monotonic() < deadline:
        time.sleep(0.05)
    assert 0 < len(caplog.messages) < 20


def test_a_line_names_a_few_addresses():
    refusals = Refusals()
    for number in range(10):
        refusals.add("Connection closed: too slow", f"10.0.0.{number}")
        refusals.add("Connection closed: too slow", "10.0.0.1")
    line = "Connection closed: too slow (20 times). Addresses: 10.0.0.1, 10.0.0.0, 10.0.0.2, 7 more"
    assert refusals.line() == line


def test_a_server_that_stops_does_not_wait_for_half_a_request(run):
    running = run(LONG)
    connections = [running.connect(data) for data in (b"", GET, POST + b"\r\nhalf")]
    running.wait_for(3)
    running.stop()
    for connection in connections:
        rest(connection)


def test_pages_are_served_beside_more_slow_clients_than_descriptors(tmp_path):
    outcome = resist(tmp_path, connections=260, descriptors=256, seconds=2)
    assert outcome.tally[0] >= 260
    assert outcome.descriptors < 256
    # On a busy machine, somebody may be too slow too.
    assert len(outcome.during.failures) <= len(outcome.during.seconds) / 10
    assert "Connection closed: " in outcome.log
    assert "Traceback" not in outcome.log
    assert len(outcome.log.splitlines()) < 60


def test_systems_without_limits_of_descriptors_have_all_connections():
    code = "import sys; sys.modules['resource'] = None\n"  # as on Windows
    code += "from arbitree.web.connections import Limits; print(Limits.of_process(proxied=True).connections)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == (f"{MOST}\n", "")


def test_a_proxy_may_open_all_connections():
    assert Limits.of_process(proxied=True).per_address is None
    direct = Limits.of_process(proxied=False)
    assert 0 < direct.per_address < direct.connections

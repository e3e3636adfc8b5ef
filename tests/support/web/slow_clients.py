"""Open connections that never become complete requests, and see how long other people wait for their pages.

    python -m tests.support.web.slow_clients --connections 2000
    python -m tests.support.web.slow_clients --connections 2000 --descriptors 256

A process of its own opens the connections: some send nothing, some half of their headers, some half of a
body, some ask for files and do not read them. They go on a little from time to time, and come back when the
server has closed them. Meanwhile, people who are signed in ask for pages, on old and on new connections.
"""

import argparse
import asyncio
import http.client
import random
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import cycle, islice
from multiprocessing import get_context
from pathlib import Path
from urllib.parse import urlsplit

from arbitree.web.project.project import DATABASE
from arbitree.web.store import Store
from tests.support.web.serving import DEPENDENCY

PAGES = ["/", "/sentences", "/sentences/1", "/adjudicate/2", "/decisions", "/static/app.css"]
PEOPLE = 6
PAUSE = 0.2  # seconds between two pages of a person
AGAIN = 1.0  # seconds until a client whose connection was closed comes back
DRIP = 2.0  # seconds between two pieces
PATIENCE = 60  # seconds for an answer
ALLOWED = 0.3  # seconds, at the median
KINDS = {  # what a client sends at once, and what from time to time
    "silent": (b"", b""),
    "headers": (b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n", b"X-More: yes\r\n"),
    "body": (
        b"POST /people HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        b"Content-Length: 100000\r\n\r\nname=",
        b"x",
    ),
    "reader": (b"GET /static/htmx.min.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 8, b"G"),
}


async def slow_client(port, kind, tally):
    """Begin a request and never end it; again and again."""
    loop = asyncio.get_running_loop()
    first, more = KINDS[kind]
    while True:
        connection = socket.socket()
        connection.setblocking(False)
        if kind == "reader":
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        try:
            await loop.sock_connect(connection, ("127.0.0.1", port))
            await loop.sock_sendall(connection, first)
            tally[0] += 1
            while kind == "reader" or is_open(connection):
                await asyncio.sleep(DRIP)
                with suppress(BlockingIOError):
                    connection.send(more)
        except OSError:
            pass
        finally:
            connection.close()
        tally[1] += 1
        await asyncio.sleep(AGAIN)


def is_open(connection):
    """Return whether the server has sent nothing, not even the end."""
    try:
        connection.recv(1)
    except BlockingIOError:
        return True
    return False


def be_crowd(port, number, kinds, tally):
    """Be *number* slow clients; count connections that were opened and closed."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))

    async def run():
        clients = [slow_client(port, kind, tally) for kind in islice(cycle(kinds), number)]
        await asyncio.gather(*clients)

    asyncio.run(run())


@contextmanager
def crowd(port, number, kinds=tuple(KINDS)):
    """Run *number* slow clients in a process; yield the numbers of connections opened and closed so far."""
    context = get_context("spawn")
    tally = context.Array("l", 2, lock=False)
    process = context.Process(target=be_crowd, args=(port, number, kinds, tally), daemon=True)
    process.start()
    try:
        yield tally
    finally:
        process.kill()
        process.join()


class Person(threading.Thread):
    """Somebody who opens one page after the other, on one connection or on a new one each time."""

    def __init__(self, port, cookie, number, end):
        super().__init__(daemon=True)
        self.waits = []
        self.failures = []
        self._headers = {"Cookie": cookie}
        self._keeps = number % 2 == 0
        self._chance = random.Random(number)
        self._end = end
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)

    def run(self):
        """Open pages until the end."""
        while time.monotonic() < self._end:
            page = self._chance.choice(PAGES)
            begin = time.perf_counter()
            try:
                status = self._status(page)
            except (OSError, http.client.HTTPException) as error:
                self._connection.close()
                # A browser repeats a request once if an old connection was closed.
                status = self._status_or_reason(page) if self._keeps else f"{type(error).__name__}: {error}"
            self.waits.append(time.perf_counter() - begin)
            if status != 200:
                self.failures.append(f"{page}: {status}")
            if not self._keeps:
                self._connection.close()
            time.sleep(PAUSE)
        self._connection.close()

    def _status(self, page):
        self._connection.request("GET", page, headers=self._headers)
        answer = self._connection.getresponse()
        answer.read()
        return answer.status

    def _status_or_reason(self, page):
        try:
            return self._status(page)
        except (OSError, http.client.HTTPException) as error:
            self._connection.close()
            return f"{type(error).__name__}: {error}"


@dataclass
class Waits:
    """How long people waited for their pages."""

    seconds: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    @property
    def median(self) -> float:
        """Return the median in seconds."""
        return statistics.median(self.seconds)

    def __str__(self) -> str:
        late = statistics.quantiles(self.seconds, n=20)[-1]
        return (
            f"{len(self.seconds)} pages, median {self.median * 1000:.0f} ms, "
            f"95% within {late * 1000:.0f} ms, longest {max(self.seconds) * 1000:.0f} ms, "
            f"{len(self.failures)} failed"
        )


def wait_for_pages(port, cookie, seconds, people=PEOPLE):
    """Let people open pages for some time, and return how long they waited."""
    end = time.monotonic() + seconds
    persons = [Person(port, cookie, number, end) for number in range(people)]
    for person in persons:
        person.start()
    for person in persons:
        person.join()
    return Waits(
        [wait for person in persons for wait in person.waits],
        [failure for person in persons for failure in person.failures],
    )


class LimitedServer:
    """``arbitree serve`` with so many file descriptors, and its log in a file."""

    def __init__(self, folder, descriptors):
        self.log = Path(folder) / "log"
        # The hard limit too: the server would raise the soft one.
        limited = ["sh", "-c", 'ulimit -n "$0" && exec "$@"', str(descriptors)] if descriptors else []
        command = [sys.executable, "-m", "arbitree", "serve", *map(str, DEPENDENCY), "--no-browser"]
        command += ["--port", "0", "--project", str(Path(folder) / "project"), "--quiet"]
        with self.log.open("w") as log:
            self._process = subprocess.Popen(
                [*limited, *command], stdout=subprocess.PIPE, stderr=log, text=True
            )
        self._link = urlsplit(self._process.stdout.readline().strip())
        self.port = self._link.port

        self._let_compute()

    def _let_compute(self):
        """Wait until what takes long is stored, so that nobody waits for it."""
        with Store.open(f"sqlite:///{self.log.parent / 'project' / DATABASE}") as store:
            while store.finding(1, "pairs") is None:
                time.sleep(0.1)

    def sign_in(self):
        """Return the cookie of the owner."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request("POST", self._link.path, headers={"Content-Length": "0"})
        answer = connection.getresponse()
        answer.read()
        connection.close()
        return answer.headers["Set-Cookie"].partition(";")[0]

    def memory(self):
        """Return the resident memory in MB."""
        status = Path(f"/proc/{self._process.pid}/status").read_text(encoding="utf-8")
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024

    def descriptors(self):
        """Return the number of open file descriptors."""
        return len(list(Path(f"/proc/{self._process.pid}/fd").iterdir()))

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self._process.terminate()
        self._process.communicate(timeout=PATIENCE)


@dataclass
class Outcome:
    """What came of slow clients."""

    before: Waits
    during: Waits
    tally: tuple[int, int]
    descriptors: int
    memory: tuple[float, float]
    log: str

    def faults(self) -> list[str]:
        """Return what should not be."""
        faults = [f"failed: {failure}" for failure in [*self.before.failures, *self.during.failures]]
        if self.during.median > ALLOWED:
            faults.append(f"the median is {self.during.median * 1000:.0f} ms")
        if "Traceback" in self.log:
            faults.append("the log has a traceback")
        return faults

    def __str__(self) -> str:
        opened, closed = self.tally
        return "\n".join(
            [
                f"before:  {self.before}",
                f"during:  {self.during}",
                f"slow clients: {opened} connections opened, {closed} closed by the server",
                f"server: at most {self.descriptors} file descriptors, "
                f"{self.memory[0]:.0f} MB before, at most {self.memory[1]:.0f} MB",
                f"log: {len(self.log.splitlines())} lines, {len(self.log)} bytes",
            ]
        )


def resist(folder, *, connections, kinds=tuple(KINDS), descriptors=None, seconds=20):
    """Return how long people wait before and during an attack of slow clients."""
    with ExitStack() as stack:
        server = stack.enter_context(LimitedServer(folder, descriptors))
        cookie = server.sign_in()
        before = wait_for_pages(server.port, cookie, seconds / 4)
        first, most, opened = server.memory(), 0.0, 0
        ended = threading.Event()

        def watch():
            nonlocal most, opened
            while not ended.wait(0.2):
                most, opened = max(most, server.memory()), max(opened, server.descriptors())

        watcher = threading.Thread(target=watch, daemon=True)
        watcher.start()
        tally = stack.enter_context(crowd(server.port, connections, kinds))
        deadline = time.monotonic() + PATIENCE
        while tally[0] < connections and time.monotonic() < deadline:
            time.sleep(0.1)
        during = wait_for_pages(server.port, cookie, seconds)
        ended.set()
        watcher.join()
        tally = tuple(tally)
    return Outcome(before, during, tally, opened, (first, most), server.log.read_text(encoding="utf-8"))


def main():
    """Attack and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--connections", type=int, default=2000)
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=tuple(KINDS))
    parser.add_argument("--descriptors", type=int, help="limit of file descriptors of the server")
    parser.add_argument("--seconds", type=float, default=30)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        outcome = resist(folder, **vars(options))
    print(f"{options.connections} slow clients, {options.descriptors or 'the usual'} file descriptors")
    print(outcome)
    print(*sorted(set(outcome.log.splitlines()[:3])), sep="\n")
    faults = outcome.faults()
    print(*faults[:10], sep="\n")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()

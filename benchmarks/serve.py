"""Pages of the web app, compared with bare pages of the same size, and the analyses that run at its start.

The CPU time of a page is that of the server process. The bare page is a string that an application without a
database returns, from the same server and to the same client. Twenty clients send fifty requests per second
in total, each at its time, whether or not the last response has arrived. A wait is the time until the
response is complete, on a machine that also runs the clients.
"""

import http.client
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

from benchmarks.corpora import made_corpus
from benchmarks.costs import ROOT, Cost, arbitree
from benchmarks.rows import Row

CLIENTS, RATE = 20, 50  # requests per second in total
BARE = """
import sys
import uvicorn
from fastapi import FastAPI
from fastapi.responses import HTMLResponse
app = FastAPI()
pages = {}

@app.get("/page/{size}")
async def page(size: int):
    return HTMLResponse(pages.setdefault(size, "x" * size))

server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="critical"))
startup = server.startup
async def announce(sockets=None):
    await startup(sockets)
    print(server.servers[0].sockets[0].getsockname()[1], flush=True)
server.startup = announce
server.run()
"""


def measure(quick):
    """Yield the rows."""
    items, coders = (200, 3) if quick else (10_000, 3)
    name = f"{items:,} sentences x {coders}"
    with tempfile.TemporaryDirectory() as folder:
        paths = made_corpus(folder, items, coders)
        with bare() as (other, address), serving(paths, folder) as (server, client):
            before = Client(address)
            yield Row(
                f"agreement, types and suggestions ready, {name}", ready(server, client), agree(paths), 1
            )
            pages = [f"/sentences/{number}" for number in Random(0).sample(range(1, items + 1), 100)]
            for what, own in (
                ("page of a sentence", pages),
                ("adjudication page", [f"/adjudicate{path[10:]}" for path in pages]),
                ("list of sentences", ["/sentences"] * 30),
                ("overview", ["/"] * 30),
            ):
                client.connection.close()  # the server closes it if it is idle, and the client opens it again
                sizes = [len(client.ask(path)[2]) for path in own]
                bare_pages = [f"/page/{size}" for size in sizes]
                job = visits(server, client, own)
                peers = {"bare page": visits(other, before, bare_pages)}
                yield Row(f"{what}, {name}", job, peers)
                if not quick and what in ("page of a sentence", "adjudication page"):
                    jobs = (waits(each, pages) for each, pages in ((client, own), (before, bare_pages)))
                    yield Row(
                        f"{what}, {name}, median wait, {CLIENTS} clients",
                        next(jobs),
                        {"bare page": next(jobs)},
                        1,
                        "wall",
                    )
            now, most = memory(server.pid)
            yield f"Memory of the server: {now:.0f} MB, {most:.0f} MB at most."


class Client:
    """A browser that keeps its connection and its cookie."""

    def __init__(self, address, cookie=""):
        self.address, self.cookie = address, cookie
        self.connection = http.client.HTTPConnection(address, timeout=60)

    def ask(self, path, method="GET"):
        """Return the seconds until the response was complete, its status and its bytes."""
        begin = time.perf_counter()
        self.connection.request(method, path, headers={"Cookie": self.cookie, "Content-Length": "0"})
        answer = self.connection.getresponse()
        body = answer.read()
        for cookie in answer.headers.get_all("Set-Cookie", []):
            self.cookie = cookie.partition(";")[0]
        return time.perf_counter() - begin, answer.status, body


@contextmanager
def started(command):
    """Start a server, and stop it in the end."""
    server = subprocess.Popen([sys.executable, *command], stdout=subprocess.PIPE, text=True, cwd=ROOT)
    try:
        yield server
    finally:
        server.terminate()
        server.wait(30)


@contextmanager
def serving(paths, folder):
    """Yield the server of a project, and a client that has entered."""
    options = ["--no-browser", "--port", "0", "-q", "--project", f"{folder}/project"]
    with started(["-m", "arbitree", "serve", *paths, *options]) as server:
        link = urlsplit(server.stdout.readline().strip())
        client = Client(link.netloc)
        client.ask(link.path, "POST")
        yield server, client


@contextmanager
def bare():
    """Yield a server of bare pages, and its address."""
    with started(["-c", BARE]) as server:
        yield server, f"127.0.0.1:{server.stdout.readline().strip()}"


def cpu(number):
    """Return the CPU seconds of a process, from the clock that Linux has for each."""
    return time.clock_gettime((~number << 3) | 2)


def cpu_of_ended(number):
    """Return the CPU seconds of the processes that a process has waited for."""
    fields = Path(f"/proc/{number}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return sum(map(int, fields[13:15])) / os.sysconf("SC_CLK_TCK")


def memory(number):
    """Return the memory of a process in MB: now, and at most so far."""
    text = Path(f"/proc/{number}/status").read_text(encoding="utf-8")
    return [int(re.search(rf"{name}:\s+(\d+) kB", text)[1]) / 1024 for name in ("VmRSS", "VmHWM")]


def visits(server, client, pages):
    """Return the job of one page: the CPU time of the server, and the wall time of the client."""

    def job():
        client.connection.close()
        begin, waited = cpu(server.pid), 0.0
        for page in pages:
            wait, status, _ = client.ask(page)
            assert status == 200, page
            waited += wait
        return Cost(cpu(server.pid) - begin, waited).times(1 / len(pages))

    return job


def ready(server, client):
    """Return the job of the process that computes agreement, types and suggestions when the server starts."""

    def job():
        begin, most = time.perf_counter(), 0.0
        while others := Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split():
            with suppress(OSError, TypeError):  # it ends in the meantime
                most = max(most, *(memory(each)[1] for each in others))
            time.sleep(0.1)
        wall = time.perf_counter() - begin
        return Cost(cpu_of_ended(server.pid), wall, most)

    return job


def agree(paths):
    """Return our own command on the same files as a peer."""
    return {"`agree`": arbitree("agree", *paths)}


def waits(client, pages, seconds=20):
    """Return the job of one page among many: the median wait of clients that ask at fixed times."""

    def job():
        taken, begin = [], time.perf_counter() + 0.1

        def work(number):
            own, rng = Client(client.address, client.cookie), Random(number)
            for turn in range(round(seconds * RATE / CLIENTS)):
                due = begin + (turn + number / CLIENTS) * CLIENTS / RATE
                time.sleep(max(0.0, due - time.perf_counter()))
                wait, status, _ = own.ask(rng.choice(pages))
                assert status == 200
                taken.append(max(wait, time.perf_counter() - due))

        threads = [threading.Thread(target=work, args=(number,)) for number in range(CLIENTS)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        assert len(taken) == CLIENTS * round(seconds * RATE / CLIENTS)
        return Cost(0.0, statistics.median(taken))

    return job

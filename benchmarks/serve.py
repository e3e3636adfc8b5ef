"""Pages of the web app, compared with bare pages of the same size, and the analyses that run at its start.

The CPU time of a page is that of the server process. The bare page is a string that an application without a
database and without people returns, through the same server and the same middleware, to the same client. A
second bare page is the same string from an application with the default settings of FastAPI and Uvicorn,
without access log. On a first visit, the trees of a sentence are drawn. Twenty clients send fifty requests
per second in total, each at its time, whether or not the last response has arrived. A wait is the time until
the response is complete, on a machine that also runs the clients.
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
from contextlib import ExitStack, contextmanager, suppress
from itertools import islice
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

from benchmarks.corpora import made_corpus
from benchmarks.costs import ROOT, Cost, Process, arbitree
from benchmarks.rows import EARLIER, Row

CLIENTS, RATE = 20, 50  # requests per second in total
VISITS = 50  # pages that a job asks for
FIRST = 30  # the same for first visits, of which there is one per sentence
OURS = """
from arbitree.web.security import GuardedApp
from arbitree.web.server import server_of
app = GuardedApp(hosts=["127.0.0.1"])
server = server_of(app, proxy=False)
"""
DEFAULT = """
import uvicorn
from fastapi import FastAPI
app = FastAPI()
server = uvicorn.Server(uvicorn.Config(app, access_log=False, log_level="warning"))
"""
BARE = """
import socket
from fastapi.responses import HTMLResponse
pages = {}

@app.get("/page/{size}")
def page(size: int):
    return HTMLResponse(pages.setdefault(size, "x" * size))

listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # as arbitree serve does
listening.bind(("127.0.0.1", 0))
listening.listen()
print(listening.getsockname()[1], flush=True)
server.run(sockets=[listening])
"""


def measure(quick):
    """Yield the rows."""
    for items in (1_000,) if quick else (1_000, 10_000):
        with tempfile.TemporaryDirectory() as folder, ExitStack() as running:
            yield from rows(f"{items:,} sentences x 3", items, folder, running, quick)


def rows(name, items, folder, running, quick):
    """Yield the rows of one study."""
    paths = made_corpus(folder, items, 3)
    bare_servers = {
        "bare page": running.enter_context(bare(OURS)),
        "bare page, default server": running.enter_context(bare(DEFAULT)),
    }
    served = {}  # server and client, by the interpreter of a version

    def start(python):
        served[python] = running.enter_context(serving(python, paths, folder))
        return served[python][0]

    def row(what, pages, size, count=VISITS):
        bare_pages = [f"/page/{size}"] * VISITS
        peers = {name: visits(*server, bare_pages) for name, server in bare_servers.items()}
        job = Process(lambda python: visits(*served[python], pages[python], count)())
        return Row(f"{what}, {name}", job, peers)

    what = f"agreement, types and suggestions ready, {name}"
    yield Row(what, Process(lambda python: ready(start, python)), {"`agree`": arbitree("agree", *paths)}, 1)
    numbers = Random(0).sample(range(1, items + 1), items)
    client = served[sys.executable][1]
    for what, base in (("page of a sentence", "/sentences/"), ("adjudication page", "/adjudicate/")):
        pages = [f"{base}{number}" for number in numbers]
        again, new = pages[:VISITS], pages[VISITS:]
        size = mean_size(client, again)
        yield row(f"{what}, first visit", {python: iter(new) for python in served}, size, FIRST)
        yield row(what, dict.fromkeys(served, again), size)
        if not quick:
            wanted = f"{what}, {name}, median wait, {CLIENTS} clients"
            peers = {peer: waits(server[1], [f"/page/{size}"]) for peer, server in bare_servers.items()}
            yield Row(wanted, waits(client, again), peers, 1, "wall")
    for what, page in (("list of sentences", "/sentences"), ("overview", "/")):
        yield row(what, dict.fromkeys(served, [page] * 30), mean_size(client, [page]))
    for python, (server, _) in served.items():
        now, most = memory(server.pid)
        of = "" if python == sys.executable else f" of the {EARLIER}"
        yield f"Memory of the server{of}, {name}: {now:.0f} MB, {most:.0f} MB at most."


def mean_size(client, pages):
    """Return the mean number of bytes of *pages*."""
    client.connection.close()  # the server closes it if it is idle, and the client opens it again
    return round(statistics.mean(len(client.ask(page)[2]) for page in pages))


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
def started(python, *command):
    """Start a server, and stop it in the end."""
    server = subprocess.Popen([python, *command], stdout=subprocess.PIPE, text=True, cwd=ROOT)
    try:
        yield server
    finally:
        server.terminate()
        server.wait(30)


@contextmanager
def serving(python, paths, folder):
    """Yield the server of a new project, and a client that has entered."""
    project = tempfile.mkdtemp(dir=folder)
    options = ["--no-browser", "--port", "0", "-q", "--project", project]
    with started(python, "-P", "-m", "arbitree", "serve", *paths, *options) as server:
        link = urlsplit(server.stdout.readline().strip())
        client = Client(link.netloc)
        client.ask(link.path, "POST")
        yield server, client


@contextmanager
def bare(application):
    """Yield a server of bare pages, and a client."""
    with started(sys.executable, "-c", application + BARE) as server:
        yield server, Client(f"127.0.0.1:{server.stdout.readline().strip()}")


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


def visits(server, client, pages, most=VISITS):
    """Return the job of one page: the CPU time of the server, and the wall time of the client.

    A list of pages is asked for in each round, of an iterator the next ones, *most* at a time.
    """

    def job():
        client.connection.close()  # it may be closed, as above
        begin, waited, count = cpu(server.pid), 0.0, 0
        for page in islice(pages, most):
            wait, status, _ = client.ask(page)
            assert status == 200, page
            waited, count = waited + wait, count + 1
        return Cost(cpu(server.pid) - begin, waited).times(1 / count)

    return job


def ready(start, python):
    """Return the cost of the process that computes agreement, types and suggestions when a server starts.

    Its wall time begins with the command.
    """
    begin, most = time.perf_counter(), 0.0
    number = start(python).pid
    while others := Path(f"/proc/{number}/task/{number}/children").read_text().split():
        with suppress(OSError, TypeError):  # it ends in the meantime
            most = max(most, *(memory(each)[1] for each in others))
        time.sleep(0.1)
    return Cost(cpu_of_ended(number), time.perf_counter() - begin, most)


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

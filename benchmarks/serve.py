"""How long the web app takes to answer, and how much memory it needs.

    python benchmarks/serve.py                              # 10,000 sentences by 3 coders
    python benchmarks/serve.py --items 1000 --seconds 5

Twenty clients ask for pages of random sentences, fifty a second together, each at its time whether or not
the answer before has come. What they wait is the server's time and the way there and back on one machine
that makes the requests too. The corpus is made; see benchmarks/agree.py for its shape.
"""

import argparse
import http.client
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

from agree import made_corpus

CLIENTS, RATE = 20, 50  # a second, together


class Client:
    """A browser that keeps its connection and its cookie."""

    def __init__(self, address, cookie=""):
        self.address, self.cookie = address, cookie
        self.connection = http.client.HTTPConnection(address, timeout=60)

    def ask(self, path, method="GET"):
        """Return the seconds until the whole answer was there, its status and its bytes."""
        begin = time.perf_counter()
        self.connection.request(method, path, headers={"Cookie": self.cookie, "Content-Length": "0"})
        answer = self.connection.getresponse()
        body = answer.read()
        for cookie in answer.headers.get_all("Set-Cookie", []):
            self.cookie = cookie.partition(";")[0]
        return time.perf_counter() - begin, answer.status, body


def started(paths, folder):
    """Start the server; return it, the address, and the path that lets the owner in."""
    command = [sys.executable, "-m", "arbitree", "serve", *paths, "--no-browser", "--port", "0", "-q"]
    server = subprocess.Popen([*command, "--project", f"{folder}/project"], stdout=subprocess.PIPE, text=True)
    link = urlsplit(server.stdout.readline().strip())
    return server, link.netloc, link.path


def load(address, cookie, pages, seconds, seed):
    """Let all clients ask for *pages*, a function of a random generator; return what each answer took."""
    taken, failed = [], []
    begin = time.perf_counter() + 0.1

    def work(number):
        client, rng = Client(address, cookie), Random(seed * 1000 + number)
        for turn in range(round(seconds * RATE / CLIENTS)):
            due = begin + (turn + number / CLIENTS) * CLIENTS / RATE
            time.sleep(max(0.0, due - time.perf_counter()))
            wait, status, _ = client.ask(pages(rng))
            late = time.perf_counter() - due  # what somebody who came at that time has waited
            (taken if status == 200 else failed).append(max(wait, late))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(CLIENTS)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    if failed:
        raise SystemExit(f"{len(failed)} answers were not pages")
    return taken


def memory(number):
    """Return the memory of a process in MB: now, and at most so far."""
    text = Path(f"/proc/{number}/status").read_text(encoding="utf-8")
    return [int(re.search(rf"{name}:\s+(\d+) kB", text)[1]) // 1024 for name in ("VmRSS", "VmHWM")]


def row(what, seconds):
    """Print the distribution of *seconds* in milliseconds."""
    cuts = sorted(1000 * each for each in seconds)
    middle, high = statistics.median(cuts), cuts[min(len(cuts) - 1, round(0.95 * len(cuts)))]
    print(f"{what:34}{len(cuts):8,}{middle:10.1f}{high:10.1f}{cuts[-1]:10.1f}", flush=True)


def children(number):
    """Return the numbers of the processes that a process has started."""
    return [int(each) for each in Path(f"/proc/{number}/task/{number}/children").read_text().split()]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--items", type=int, default=10_000)
    parser.add_argument("--coders", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--busy", action="store_true", help="begin at once, while agreement is computed")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        paths = made_corpus(folder, options.items, coders=options.coders, mean=17.5)
        begin = time.perf_counter()
        server, address, enter = started(paths, folder)
        try:
            measure(server, address, enter, begin, options)
        finally:
            server.terminate()
            server.wait(30)


def measure(server, address, enter, begin, options):
    """Print what the pages take."""
    client = Client(address)
    client.ask(enter, "POST")
    wait, status, _ = client.ask("/")
    print(f"{options.items:,} sentences by {options.coders} coders")
    print(f"from the start of the command to its first page: {time.perf_counter() - begin:.1f} s")
    print(f"first page, the first time: {1000 * wait:.0f} ms (status {status})")
    if not options.busy:
        most = 0
        while others := children(server.pid):
            with suppress(OSError, TypeError):  # it ends while we look
                most = max(most, *(memory(each)[1] for each in others))
            time.sleep(0.2)
        ready = time.perf_counter() - begin
        print(f"agreement, types and suggestions ready: {ready:.0f} s, by a process of {most} MB")
        client = Client(address, client.cookie)  # the server has closed the connection meanwhile
    print(f"{'':34}{'answers':>8}{'median':>10}{'95%':>10}{'longest':>10}   ms")
    row("overview, one client", [client.ask("/")[0] for _ in range(30)])
    row("list of sentences, one client", [client.ask("/sentences")[0] for _ in range(30)])
    some = [f"/sentences/{number}" for number in Random(0).sample(range(1, options.items + 1), 60)]
    row("sentence, one client", [client.ask(path)[0] for path in some])
    row("desk, one client", [client.ask(f"/adjudicate{path[10:]}")[0] for path in some])
    print(f"{CLIENTS} clients, {RATE} requests a second together:")
    for what, base in (("sentence", "/sentences/"), ("desk", "/adjudicate/")):
        taken = load(
            address,
            client.cookie,
            lambda rng, base=base: f"{base}{rng.randint(1, options.items)}",
            options.seconds,
            seed=1,
        )
        row(what, taken)
    now, most = memory(server.pid)
    print(f"memory of the server: {now} MB, at most {most} MB")


if __name__ == "__main__":
    main()

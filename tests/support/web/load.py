"""Let people explore, decide, judge and export for minutes, and measure whether the server's memory grows.

    python -m tests.support.web.load --minutes 20 --output curve
    python -m tests.support.web.load --deciding 5 --warm-up 6    # without decisions after the warm-up
    python -m tests.support.web.load --minutes 3 --trace    # which lines allocate more and more
    python -m tests.support.web.load --team 50 --sentences 10000 --postgresql --workers 2 --minutes 5

With --team, all people adjudicate, with a pause of --pause seconds on average after each decision. Every
decision that the server acknowledged must be in the history in the end. Before they begin, the page of every
sentence is opened once on each server, because a server keeps pictures up to a limit: its memory grows until
that is reached. Afterwards it may grow with the history, by 1 kB per entry. --write PAGE puts the waits into
the page, between the marks of this number of servers.

The memory (resident set size) is sampled every second. The slope after the warm-up is that of the means of
blocks of time, because samples that follow each other are alike; its interval is Student's.
"""

import argparse
import math
import random
import re
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from scipy import stats

from arbitree.reproduction.cells import rows as table
from arbitree.reproduction.pages import filled
from arbitree.web.project.project import DATABASE
from arbitree.web.store import Store
from benchmarks.__main__ import circumstances
from tests.support.build import random_dep
from tests.support.long_runs import rows
from tests.support.perturbed import perturbed
from tests.support.web.browsers import Browser, signed_in
from tests.support.web.postgres import private_server
from tests.support.web.serving import Server

CODERS = ("ann", "bob", "cho")
SENTENCES = 150  # few, so that all are decided by the end of the warm-up: decisions take memory
TOKENS = (8, 40)
PEOPLE = {"explorer": 4, "adjudicator": 3, "judge": 2, "exporter": 1}
ROLES = {"explorer": "viewer", "adjudicator": "adjudicator", "judge": "judge", "exporter": "owner"}
PAUSE = {"explorer": 0.1, "adjudicator": 0.15, "judge": 0.2, "exporter": 2.0}  # seconds between requests
LOST = "acknowledged and lost:"
BLOCKS = 20  # of time, whose means are fitted
TRIALS = 40  # of a judging round
PER_ENTRY = 1 / 1024  # MB of memory that an entry of the history may take


@dataclass(frozen=True)
class Scene:
    """Who works on what, and with which servers."""

    people: dict = field(default_factory=lambda: PEOPLE)  # by what they do
    pauses: dict = field(default_factory=lambda: PAUSE)
    sentences: int = SENTENCES
    workers: int = 1  # servers on one database, each with its share of the people
    database: str | None = None  # URL; None for a file in the project
    filled: bool = False  # open every sentence once before people begin


@dataclass
class Tally:
    """What the server answered, and its memory."""

    statuses: Counter = field(default_factory=Counter)
    unwanted: list = field(default_factory=list)
    samples: list = field(default_factory=list)  # seconds, answers, entries of the history, MB
    waits: dict = field(default_factory=lambda: defaultdict(list))  # time and seconds of answers, by route
    saved: list = field(default_factory=list)  # requests whose decisions were acknowledged
    begin: float = 0.0  # time of the clock
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def count(self, address, answer, wanted, begin):
        """Count an answer to a request of time *begin*, and keep one of a status that is not *wanted*."""
        now = time.monotonic()
        route = re.sub(r"[0-9]+", "N", address.partition("?")[0])
        with self._lock:
            self.statuses[answer.status] += 1
            self.waits[route].append((now, now - begin))
            if answer.status not in wanted:
                self.unwanted.append(f"{address}: {answer.status} {answer.text[:200]}")

    @property
    def answers(self):
        """How many answers there were."""
        return sum(self.statuses.values())


@dataclass(frozen=True)
class Fit:
    """A line through memory over time."""

    slope: float  # MB per hour
    low: float
    high: float
    share: float  # MB per 1,000 answers
    entries: int  # of the history, written meanwhile
    allowed: float = 0.0  # MB per hour that these entries may take

    @property
    def flat(self):
        """Whether no growth is shown, beyond what entries may take: the interval of the slope reaches it."""
        return self.low <= self.allowed

    def __str__(self):
        shown = "does not grow" if self.flat else "GROWS"
        if self.allowed:
            shown += " more than with the history" if self.flat else " by more than the history allows"
        limit = f", for which {self.allowed:.1f} MB per hour are allowed" if self.allowed else ""
        return (
            f"after the warm-up memory {shown}: {self.slope:+.1f} MB per hour (95% interval {self.low:+.1f} "
            f"to {self.high:+.1f}), {self.share:+.2f} MB per 1,000 answers; the history grew by "
            f"{self.entries:,} entries{limit}"
        )


def fitted(samples, warm_up, per_entry=0.0):
    """Return the line through the *samples* after *warm_up* seconds.

    Args:
        samples: Seconds, answers, entries of the history, and MB.
        warm_up: Seconds.
        per_entry: MB that memory may grow by with each entry.

    Example:
        >>> flat = fitted([(second, 10 * second, second, 200 + second % 2) for second in range(400)], 100)
        >>> flat.flat, abs(flat.slope) < 1, flat.entries
        (True, True, 299)
        >>> fitted([(second, 10 * second, 0, 200 + second / 360) for second in range(400)], 100).flat
        False
        >>> growing = [(second, 10 * second, 10 * second, 200 + second / 360) for second in range(400)]
        >>> fitted(growing, 100, per_entry=0.001).flat, fitted(growing, 100, per_entry=0.0001).flat
        (True, False)
    """
    late = np.array([each for each in samples if each[0] >= warm_up], dtype=float)
    blocks = np.array([block.mean(axis=0) for block in np.array_split(late, BLOCKS)])
    line = stats.linregress(blocks[:, 0] / 3600, blocks[:, 3])
    margin = line.stderr * stats.t.ppf(0.975, BLOCKS - 2)
    share = 1000 * line.slope / 3600 * np.ptp(blocks[:, 0]) / max(1, np.ptp(blocks[:, 1]))
    slope = float(line.slope)
    written, hours = int(np.ptp(late[:, 2])), np.ptp(late[:, 0]) / 3600
    allowed = float(per_entry * written / hours)
    return Fit(slope, float(slope - margin), float(slope + margin), float(share), written, allowed)


class Person(threading.Thread):
    """Somebody who works with the app, with a pause after every request."""

    def __init__(self, part, scene, browser, owner, tally, end, deciding, seed):
        super().__init__(daemon=True)
        self._part, self._scene = part, scene
        self._browser, self._owner = browser, owner
        self._tally, self._end, self._deciding = tally, end, deciding
        self._chance = random.Random(seed)
        self._count, self._seed = 0, seed

    def run(self):
        """Work until the end."""
        work = getattr(self, f"_{self._part}")
        pause = self._scene.pauses[self._part]
        time.sleep(pause * self._chance.random())
        while time.monotonic() < self._end:
            work()
            time.sleep(max(0.0, min(pause * self._chance.uniform(0.5, 1.5), self._end - time.monotonic())))
        self._browser.close()

    def _get(self, address, wanted=(200, 303)):
        begin = time.monotonic()
        return self._counted(address, self._browser.get(address), wanted, begin)

    def _send(self, address, body, wanted=(200, 409), browser=None):
        begin = time.monotonic()
        return self._counted(address, (browser or self._browser).send(address, body), wanted, begin)

    def _counted(self, address, answer, wanted, begin):
        self._tally.count(address, answer, wanted, begin)
        return answer

    def _once(self):
        self._count += 1
        return f"load-{self._seed}-{self._count}"

    def _explorer(self):
        number = self._chance.randint(1, self._scene.sentences)
        label, other = self._chance.sample(["nsubj", "obj", "obl", "nmod", "det"], 2)
        pages = [
            "/", "/sentences", f"/sentences?text=w{number}", f"/sentences?label={label}&other={other}",
            "/sentences?sort=length", f"/sentences?page={number % 3 + 1}", "/decisions", "/history",
            f"/sentences/{number}/coders", f"/sentences/{number}/picture", "/api/study", "/api/progress",
            f"/api/sentences/{number}", f"/api/sentences/{number}/history",
        ]  # fmt: skip
        self._get(self._chance.choice([*pages, *[f"/sentences/{number}"] * len(pages)]))

    def _adjudicator(self):
        number = self._chance.randint(1, self._scene.sentences)
        self._get(f"/adjudicate/{number}")
        desk = self._get(f"/api/sentences/{number}/desk").document
        asked = {"seen": desk["seen"], "request": self._once()}
        done = self._chance.random()
        if not desk["places"] or time.monotonic() > self._deciding:
            return
        place = self._chance.choice(desk["places"])
        if done < 0.7:
            value = self._chance.choice(place["choices"])["value"]
            sent = asked | {"changes": {place["key"]: value}}
            answer = self._send(f"/api/sentences/{number}/decisions", sent)
            if answer.status == 200 and answer.document["saved"]:
                self._tally.saved.append(asked["request"])
        elif done < 0.85:
            self._send(f"/api/sentences/{number}/notes", asked | {"key": place["key"], "text": "unsure " * 5})
        else:
            self._send(f"/api/sentences/{number}/undo", asked, (200, 409, 422))

    def _judge(self):
        seats = [seat for seat in self._get("/api/judge").document if seat["next"] is not None]
        if time.monotonic() > self._deciding:
            return
        if not seats:
            self._new_round()
            return
        seat = seats[0]
        self._get(f"/judge/{seat['round']}", (200, 410))  # another judge may have let it be closed
        choice = self._chance.choice(seat["choices"])
        verdict = {"seen": seat["seen"], "request": self._once(), "position": seat["next"], "choice": choice}
        self._send(f"/api/judge/{seat['round']}/verdicts", verdict, (200, 409, 410))

    def _new_round(self):
        """Close the rounds that this judge has finished, as their owner, and open another."""
        for seat in self._get("/api/judge").document:
            self._send(f"/api/rounds/{seat['round']}/close", {}, browser=self._owner)
        wanted = {"systems": CODERS[:2], "sentences": TRIALS}
        self._send("/api/rounds", wanted, (201,), browser=self._owner)

    def _exporter(self):
        files = ["decisions.tsv", "log.tsv", "gold.conllu", "study.zip"]
        self._get(f"/export/{self._chance.choice(files)}", (200, 404))


def memory(process):
    """Return the memory of a process in MB."""
    status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
    return next(int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmRSS"))


def entries(store):
    """Return the number of entries of the history, of which none is ever removed."""
    stamp = store.stamp(store.latest().id)
    return stamp.last if stamp.entries is None else stamp.entries


def write_study(folder, sentences=SENTENCES, seed=1):
    """Write the files of annotators who differ on a few tokens of each sentence; return their paths."""
    rng = random.Random(seed)
    trees = [random_dep(rng, rng.randint(*TOKENS)) for _ in range(sentences)]
    paths = []
    for coder in CODERS:
        paths.append(folder / f"{coder}.conllu")
        texts = (
            f"# sent_id = s{number}\n{rows(perturbed(tree, rng, 0.05))}" for number, tree in enumerate(trees)
        )
        paths[-1].write_text("".join(texts), encoding="utf-8")
    return paths


def load(folder, *, seconds, scene=None, deciding=math.inf, trace=False, every=1.0, say=lambda line: None):
    """Return the tally of people who work for that many *seconds* with servers of their own.

    After *deciding* seconds they only read, so that the history no longer grows.
    """
    scene, tally, servers, said = scene or Scene(), Tally(), [], ""
    paths = write_study(folder, scene.sentences)
    url = scene.database or f"sqlite:///{folder / 'project' / DATABASE}"
    options = ["--database", scene.database] if scene.database else []
    try:
        for number in range(scene.workers):
            project = folder / f"project{number or ''}"
            servers.append(Server(*paths, project=project, options=options, traced=trace))
            if scene.sentences > SENTENCES:
                wait_for_analyses(servers[-1])
        with Store.open(url) as store:
            owner = Browser(servers[0].port, *signed_in(store, store.owner("Olga")))
            parts = [part for part, count in scene.people.items() for _ in range(count)]
            ports = [servers[number % len(servers)].port for number in range(len(parts))]
            browsers = [_browser(store, ports[number], part, number) for number, part in enumerate(parts)]
            if scene.filled:
                fill(store, servers, scene.sentences)
            begin = tally.begin = time.monotonic()
            people = [
                Person(part, scene, browser, owner, tally, begin + seconds, begin + deciding, number)
                for number, (part, browser) in enumerate(zip(parts, browsers, strict=True))
            ]
            for person in people:
                person.start()
            sample(servers, store, tally, begin, seconds, every, say)
            for person in people:
                person.join()
            found = {entry.request for entry in store.requested(tally.saved)}
        lost = [request for request in tally.saved if request not in found]
        tally.unwanted += [f"{LOST} {request}" for request in lost]
        owner.close()
        if trace:
            say(servers[0].growth())
    finally:
        said = "".join(server.stop() for server in servers)
    if "Traceback" in said:
        tally.unwanted.append(f"the server said: {said[-2000:]}")
    return tally


def fill(store, servers, sentences):
    """Open the adjudication page of every sentence once on each server, which keeps as many as it may."""

    def visit(port):
        browser = Browser(port, *signed_in(store, store.owner("Olga")))
        for number in range(1, sentences + 1):
            assert browser.get(f"/adjudicate/{number}").status == 200
        browser.close()

    with ThreadPoolExecutor(len(servers)) as pool:
        list(pool.map(visit, [server.port for server in servers]))


def wait_for_analyses(server):
    """Wait until the process that computes agreement, types and suggestions has ended."""
    time.sleep(1)
    while Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text(encoding="utf-8").strip():
        time.sleep(0.5)


def sample(servers, store, tally, begin, seconds, every, say):
    """Sample the memory of the servers until the end, and say it every minute."""
    said = 0
    while (now := time.monotonic() - begin) < seconds:
        used = sum(memory(server.pid) for server in servers)
        tally.samples.append((now, tally.answers, entries(store), used))
        if now >= 60 * said:
            _, answers, written, used = tally.samples[-1]
            say(f"{now / 60:6.1f} min {answers:8,} answers {written:8,} entries {used:8.1f} MB")
            if said == 1:
                servers[0].mark()
            said += 1
        time.sleep(every)


def _browser(store, port, part, number):
    role = ROLES[part]
    person = store.owner("Olga") if role == "owner" else store.add_person(f"{part} {number}", role)
    return Browser(port, *signed_in(store, person))


def wait_table(tally, after):
    """Yield the rows of a table with the quantiles of the waits for each route after a time of the clock."""
    yield ["milliseconds", "answers", "p50", "p95", "p99", "most"]
    for route, waits in sorted(tally.waits.items()):
        late = [1000 * wait for now, wait in waits if now >= after]
        if late:
            cuts = [f"{cut:,.0f}" for cut in np.quantile(late, [0.5, 0.95, 0.99, 1])]
            yield [f"`{route}`", f"{len(late):,}", *cuts]


def write(path, scene, tally, fit, after):
    """Write the waits, what became of the decisions, and the memory between the marks of a page."""
    lost = sum(line.startswith(LOST) for line in tally.unwanted)
    late = [used for second, _, _, used in tally.samples if second >= after]
    head, *body = wait_table(tally, tally.begin + after)
    text = "\n\n".join(
        [
            f"{circumstances()}.",
            table(head, body),
            f"{lost} of {len(tally.saved):,} acknowledged decisions were lost. Other unexpected answers: "
            f"{len(tally.unwanted) - lost}. Memory of all servers after the warm-up: {late[0]:.0f} MB, at "
            f"the end {late[-1]:.0f} MB, at most {max(late):.0f} MB; {fit}.",
        ]
    )
    page = Path(path)
    page.write_text(
        filled(page.read_text(encoding="utf-8"), f"people_{scene.workers}", text, page), encoding="utf-8"
    )


def draw(samples, warm_up, path):
    """Write the curve as a picture."""
    from matplotlib.figure import Figure

    seconds, answers, written, used = np.array(samples).T
    figure = Figure(figsize=(8, 4))
    axes = figure.add_subplot(
        xlabel="minutes", ylabel="memory of the server (MB)", ylim=(0, used.max() * 1.1)
    )
    axes.plot(seconds / 60, used)
    axes.axvline(warm_up / 60, linestyle=":")
    axes.set_title(f"{int(answers[-1]):,} answers, {int(written[-1]):,} entries")
    figure.savefig(path)


def main():
    """Load the server as asked on the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--warm-up", type=float, metavar="MINUTES", help="default: a quarter of the time")
    parser.add_argument(
        "--deciding", type=float, metavar="MINUTES", default=math.inf, help="afterwards people only read"
    )
    parser.add_argument("--output", metavar="NAME", help="write the curve to NAME.csv and NAME.svg")
    parser.add_argument("--trace", action="store_true", help="print the lines whose allocations grow")
    parser.add_argument("--team", type=int, metavar="N", help="let N people adjudicate, and nobody else")
    parser.add_argument("--pause", type=float, default=3.0, help="of a team, in seconds")
    parser.add_argument("--sentences", type=int, default=SENTENCES)
    parser.add_argument("--postgresql", action="store_true", help="use a private PostgreSQL server")
    parser.add_argument("--workers", type=int, default=1, help="servers on one database")
    parser.add_argument("--write", metavar="PAGE", help="of a team: put the table into this page")
    given = parser.parse_args()
    warm_up = 60 * (given.minutes / 4 if given.warm_up is None else given.warm_up)
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="arbitree-load-"))
        database = stack.enter_context(private_server() if given.postgresql else nullcontext())
        people = {"adjudicator": given.team} if given.team else PEOPLE
        pauses = PAUSE | ({"adjudicator": given.pause} if given.team else {})
        scene = Scene(people, pauses, given.sentences, given.workers, database, filled=bool(given.team))
        seconds, deciding = 60 * given.minutes, 60 * given.deciding
        tally = load(
            Path(folder), seconds=seconds, scene=scene, deciding=deciding, trace=given.trace, say=tell
        )
    if given.output:
        lines = [
            f"{second:.1f},{count},{written},{used:.1f}" for second, count, written, used in tally.samples
        ]
        Path(f"{given.output}.csv").write_text(
            "\n".join(["seconds,answers,entries,megabytes", *lines, ""]), encoding="utf-8"
        )
        draw(tally.samples, warm_up, f"{given.output}.svg")
    fit = fitted(tally.samples, warm_up, PER_ENTRY if given.team else 0.0)
    tell(f"{tally.answers:,} answers: {dict(sorted(tally.statuses.items()))}")
    tell(f"{len(tally.saved):,} decisions acknowledged")
    tell(fit)
    if given.team:
        for route, *numbers in wait_table(tally, tally.begin + warm_up):
            tell(f"{route:44}" + "".join(f"{each:>9}" for each in numbers))
        if given.write:
            write(given.write, scene, tally, fit, warm_up)
    for line in tally.unwanted[:10]:
        tell(line)
    sys.exit(bool(tally.unwanted) or not fit.flat)


def tell(line):
    """Print *line* at once."""
    print(line, flush=True)


if __name__ == "__main__":
    main()

"""Kill the server again and again while people decide, and look for what was lost or written twice.

    python -m tests.support.web.torture --rounds 200
    python -m tests.support.web.torture --rounds 200 --database postgresql://user:password@host/name
    python -m tests.support.web.torture --rounds 50 --harm killed

Every round starts ``arbitree serve`` on the same project, lets clients decide through its JSON routes, and
kills it (SIGKILL) at a random moment. Clients that got no answer send the same request to the next server.
With ``--harm`` the server goes on, and its database is harmed: killed and started again, its connections are
ended, cut (at both ends, or at ours only) or stalled, its disk is full. People must be told, and be able to
decide again when it is over.
With ``--harm backup``, backups are written meanwhile; all are restored in the end and compared by entry.
"""

import argparse
import random
import sys
import tempfile
import time
from collections import Counter, defaultdict
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psycopg

from arbitree.adjudication import events
from arbitree.reading.inputs import Reading
from arbitree.web.project.project import DATABASE, open_project
from arbitree.web.store import Store
from tests.support.web.browsers import signed_in
from tests.support.web.clients import Board, Client, Looker, Stuck
from tests.support.web.disks import NoDisk
from tests.support.web.forked import Forked
from tests.support.web.harms import HARMS, harm
from tests.support.web.postgres import NoPostgres, private_server
from tests.support.web.serving import DEPENDENCY

CLIENTS = 4
LONGEST = 0.5  # seconds that a server lives at most, once clients decide
SHORTEST = 0.01  # seconds that a request takes, about


@dataclass
class Toll:
    """What came of a torture."""

    kills: int = 0
    harms: int = 0
    acknowledged: int = 0
    refused: int = 0  # because another client was first, or the tree would have broken
    lost: int = 0  # answers: the server was killed after the request was sent
    written: int = 0  # decisions whose answer was lost, but which the next server found in the log
    away: int = 0  # answers that the database cannot be used
    unnoticed: int = 0  # harms that nobody was told of
    given_up: int = 0  # decisions that were not sent again after the app said that nothing was saved
    compared: int = 0  # entries of backups, with those of the log
    recovery: float = 0.0  # the longest time in seconds from the end of a harm to the next decisions
    longest: float = 0.0  # seconds that a page took at most
    faults: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        lines = [
            f"{self.kills} kills, {self.acknowledged} decisions acknowledged, {self.refused} refused, "
            f"{self.lost} answers lost (of {self.written} the decision was written), "
            f"{len(self.faults)} faults"
        ]
        if self.harms:
            lines.append(
                f"{self.harms} harms to the database ({self.unnoticed} of them unnoticed), "
                f"{self.away} answers that it cannot be used, {self.given_up} decisions given up, "
                f"next decisions within {self.recovery:.1f} s after a harm, pages within {self.longest:.1f} s"
            )
        if self.compared:
            lines.append(f"{self.compared} entries of restored backups compared with the log")
        return "\n".join(lines)


def torture(folder, *, rounds, database=None, seed=0, say=lambda line: None):
    """Return the toll of killing the server *rounds* times."""
    chance = random.Random(seed)
    with tortured(folder, database, database, seed) as (forked, board, toll, url):
        forked.kill()
        for number in range(rounds):
            let_decide(forked, board, toll, url)
            wait_for_a_moment(chance, board, number)
            forked.kill()
            board.close()
            toll.kills += 1
            if number % 20 == 19:
                say(f"{number + 1} rounds: {len(board.acknowledged)} decisions acknowledged")
        let_decide(forked, board, toll, url)
    return toll


def torture_database(harm, *, rounds, seed=0, say=lambda line: None):
    """Return the toll of harming the database of a server *rounds* times."""
    chance = random.Random(seed)
    with tortured(harm.folder, harm.database, harm.url, seed) as (forked, board, toll, url):
        board.open(forked.port)
        for number in range(rounds):
            board.expect()
            board.wait_for(2)
            wait_for_a_moment(chance, board, number)
            board.expect()
            harm.begin(set(board.acknowledged))
            toll.unnoticed += not (harm.noticed and board.wait_for_excuse(harm.noticed))
            time.sleep(chance.uniform(0, harm.longest))
            harm.end()
            over = time.monotonic()
            board.expect()
            board.wait_for(2)
            toll.recovery = max(toll.recovery, time.monotonic() - over)
            toll.harms += 1
            if number % 10 == 9:
                say(f"{number + 1} rounds: {len(board.acknowledged)} decisions acknowledged")
    with Store.open(url) as store:
        toll.compared, faults = harm.check(store.entries_under(1, ""))
    toll.faults += faults
    return toll


def wait_for_a_moment(chance, board, number):
    """Wait for a random time; every other time surely until the midst of a request."""
    time.sleep(chance.uniform(0, LONGEST))
    if number % 2:
        board.wait_for_request()
        time.sleep(chance.uniform(0, SHORTEST))


@contextmanager
def tortured(folder, database, checked, seed):
    """Yield a server, the board of its clients, their toll, and the address of the database; then check."""
    url = checked or f"sqlite:///{folder / DATABASE}"
    words = [*map(str, DEPENDENCY), "--project", str(folder), *(["--database", database] if database else [])]
    toll, board = Toll(), Board()
    with tempfile.NamedTemporaryFile("r") as errors, Forked(words, errors.name) as forked:
        forked.start()
        let_compute(url)
        with Store.open(url) as store:
            people = [
                signed_in(store, store.add_person(f"Client {n}", "adjudicator")) for n in range(CLIENTS)
            ]
            looker = Looker(board, *signed_in(store, store.owner("Olga")), seed)
        clients = [Client(board, *session, seed + number) for number, session in enumerate(people)]
        with running([*clients, looker], board):
            try:
                yield forked, board, toll, url
                board.drain(clients)
            except Stuck as reason:  # and check the log all the same
                toll.faults += [str(reason), *map(str, clients), forked.stacks(), *sessions(url)]
        forked.kill()
        let_end(url)
        toll.longest = looker.longest
        toll.faults += [f"the server said: {line}" for line in errors.read().splitlines() if "Error" in line]
        check(toll, board, url, folder, checked)


def let_decide(forked, board, toll, url):
    """Start a server, look at what is left of the time before, and let clients decide."""
    port = forked.start()
    with Store.open(url) as store:
        kept = {entry.request for entry in store.entries_under(1, "item/")}
    toll.faults += [f"{request} was acknowledged but is gone" for request in board.acknowledged.keys() - kept]
    unanswered = board.lost - board.acknowledged.keys() - board.refused
    toll.written += len(unanswered & kept)
    board.open(port)
    board.wait_for(2)


@contextmanager
def running(clients, board):
    for client in clients:
        client.start()
    try:
        yield
    finally:
        board.end()
        for client in clients:
            client.join()


def sessions(url):
    """Return what the sessions of a PostgreSQL server do."""
    if not url.startswith("postgresql"):
        return []
    asked = (
        "SELECT pid, state, wait_event_type, wait_event, now() - xact_start, pg_blocking_pids(pid), query"
        " FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    with psycopg.connect(url, connect_timeout=5) as connection:
        return [f"session {' '.join(map(str, row))[:300]}" for row in connection.execute(asked)]


def let_end(url):
    """Wait until PostgreSQL has ended the sessions of a killed server, which may hold locks for seconds."""
    deadline = time.monotonic() + 60
    while sessions(url) and time.monotonic() < deadline:
        time.sleep(0.1)


def let_compute(url):
    """Wait until what takes long is kept, so that later servers do not compute it beside our requests."""
    deadline = time.monotonic() + 60
    with Store.open(url) as store:
        while store.finding(1, "pairs") is None and time.monotonic() < deadline:
            time.sleep(0.05)


def check(toll, board, url, folder, database):
    """Compare what clients were told with what is in the log, and the tallies with the log."""
    with Store.open(url) as store:
        entries = store.entries_under(1, "item/")
    times = Counter(entry.request for entry in entries)
    said = {entry.request: (entry.subject, entry.body.get("changes")) for entry in entries}
    toll.acknowledged, toll.refused, toll.lost = map(len, (board.acknowledged, board.refused, board.lost))
    for request, told in board.acknowledged.items():
        if times[request] != 1:
            toll.faults.append(f"{request} was acknowledged and is in the log {times[request]} times")
        elif said[request] != told:
            toll.faults.append(f"{request} is in the log with other words: {said[request]}, not {told}")
    toll.faults += [f"{request} is in the log {n} times" for request, n in times.items() if n > 1]
    toll.faults += [f"{request} was refused but is in the log" for request in board.refused & times.keys()]
    toll.faults += [
        f"{request} was said not to be saved but is in the log" for request in board.given_up & times.keys()
    ]
    toll.away, toll.given_up = board.away, len(board.given_up)
    toll.faults += [f"{request} was never sent" for request in times.keys() - board.sent]
    toll.faults += board.faults
    check_items(toll, entries, folder, database)


def check_items(toll, entries, folder, database):
    """Look for gaps in the numbers of entries, and for tallies that are not those of the entries."""
    numbers = defaultdict(list)
    for entry in entries:
        numbers[entry.subject].append(entry.sequence)
    project = open_project(Reading(tuple(map(str, DEPENDENCY))), folder, database=database)
    with project.store as store:
        tallies = store.tallies(project.edition.id)
        for number in range(1, len(project.study.items) + 1):
            subject = project.subject(number)
            found = numbers[subject]
            if found != list(range(1, len(found) + 1)):
                toll.faults.append(f"{subject} has gaps: {found}")
            right = events.tally_of(project.sheet(number), project.state(number))
            if tallies.get(subject) != (right if found else None):
                toll.faults.append(f"{subject} has the tally {tallies.get(subject)}, not {right}")


def main():
    """Torture the server as asked on the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=200, help="how often the server is killed")
    parser.add_argument("--database", metavar="URL", help="an empty PostgreSQL database (default: SQLite)")
    parser.add_argument("--postgres", action="store_true", help="on a PostgreSQL server of our own")
    parser.add_argument("--harm", choices=HARMS, help="what happens to the database instead")
    parser.add_argument("--seed", type=int, default=0, help="of the random moments")
    given = parser.parse_args()
    settings = {"rounds": given.rounds, "seed": given.seed, "say": tell}
    with tempfile.TemporaryDirectory(prefix="arbitree-torture-") as folder, ExitStack() as stack:
        try:
            if given.harm:
                toll = torture_database(stack.enter_context(harm(given.harm, Path(folder))), **settings)
            else:
                database = stack.enter_context(private_server()) if given.postgres else given.database
                toll = torture(Path(folder), database=database, **settings)
        except (NoDisk, NoPostgres) as reason:
            tell(f"skipped: {reason}")
            return
    for fault in toll.faults[:20]:
        tell(fault)
    tell(toll)
    sys.exit(bool(toll.faults or not toll.acknowledged))


def tell(line):
    """Print *line* at once: whoever waits for two hundred rounds wants to see them pass."""
    print(line, flush=True)


if __name__ == "__main__":
    main()

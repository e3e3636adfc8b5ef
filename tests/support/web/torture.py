"""Kill the server again and again while people decide, and look for what was lost or written twice.

    python -m tests.support.web.torture --rounds 200
    python -m tests.support.web.torture --rounds 200 --database postgresql://user:password@host/name

Every round starts ``arbitree serve`` on the same project, lets clients decide through its JSON routes, and
kills it (SIGKILL) at a random moment. Clients that got no answer send the same request to the next server.
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

from arbitree.adjudication import events
from arbitree.reading.inputs import Reading
from arbitree.web.project.project import DATABASE, open_project
from arbitree.web.sessions import csrf_of, session
from arbitree.web.store import Store
from tests.support.web.clients import Board, Client
from tests.support.web.forked import Forked
from tests.support.web.postgres import private_server
from tests.support.web.serving import DEPENDENCY

CLIENTS = 4
LONGEST = 0.5  # seconds that a server lives at most, once clients decide
SHORTEST = 0.01  # seconds that a request takes, about


@dataclass
class Toll:
    """What came of a torture."""

    kills: int = 0
    acknowledged: int = 0
    refused: int = 0  # because another client was first, or the tree would have broken
    lost: int = 0  # answers: the server was killed after the request was sent
    written: int = 0  # decisions whose answer was lost, but which the next server found in the log
    faults: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"{self.kills} kills, {self.acknowledged} decisions acknowledged, {self.refused} refused, "
            f"{self.lost} answers lost (of {self.written} the decision was written), "
            f"{len(self.faults)} faults"
        )


def torture(folder, *, rounds, database=None, seed=0, say=lambda line: None):
    """Return the toll of killing the server *rounds* times."""
    chance = random.Random(seed)
    url = database or f"sqlite:///{folder / DATABASE}"
    words = [*map(str, DEPENDENCY), "--project", str(folder), *(["--database", database] if database else [])]
    toll, board = Toll(), Board()
    with Forked(words) as forked:
        forked.start()
        let_compute(url)
        clients = [Client(board, *signed_in(url, number), seed + number) for number in range(CLIENTS)]
        forked.kill()
        with running(clients, board):
            for number in range(rounds):
                let_decide(forked, board, toll, url)
                time.sleep(chance.uniform(0, LONGEST))
                if number % 2:  # every other time surely in the midst of a request
                    board.wait_for_request()
                    time.sleep(chance.uniform(0, SHORTEST))
                forked.kill()
                board.close()
                toll.kills += 1
                if number % 20 == 19:
                    say(f"{number + 1} rounds: {len(board.acknowledged)} decisions acknowledged")
            let_decide(forked, board, toll, url)
            board.drain(clients)
        forked.kill()
        check(toll, board, url, folder, database)
    return toll


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


def let_compute(url):
    """Wait until what takes long is kept, so that later servers do not compute it beside our requests."""
    deadline = time.monotonic() + 60
    with Store.open(url) as store:
        while store.finding(1, "pairs") is None and time.monotonic() < deadline:
            time.sleep(0.05)


def signed_in(url, number):
    """Return the headers of an adjudicator's session."""
    with Store.open(url) as store:
        person = store.add_person(f"Client {number}", "adjudicator")
        cookie = session(store.secret(), person, time.time())
        return f"arbitree={cookie}", csrf_of(store.secret(), cookie)


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
    parser.add_argument("--seed", type=int, default=0, help="of the random moments")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="arbitree-torture-") as folder, ExitStack() as stack:
        database = stack.enter_context(private_server()) if given.postgres else given.database
        toll = torture(Path(folder), rounds=given.rounds, database=database, seed=given.seed, say=tell)
    for fault in toll.faults[:20]:
        tell(fault)
    tell(toll)
    sys.exit(bool(toll.faults or not toll.acknowledged))


def tell(line):
    """Print *line* at once: whoever waits for two hundred rounds wants to see them pass."""
    print(line, flush=True)


if __name__ == "__main__":
    main()

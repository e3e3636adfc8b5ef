"""What can happen to a database under a web app that goes on running."""

import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import psycopg

from arbitree.web.project.backup import back_up, restore
from arbitree.web.project.project import DATABASE
from arbitree.web.store import Store
from tests.support.web.disks import small_disk
from tests.support.web.postgres import Postgres
from tests.support.web.proxy import Proxy

SPARE = ("-c", "min_wal_size=2MB", "-c", "max_wal_size=4MB")  # so that a small disk holds it


class Harm:
    """Something that begins and ends while people decide.

    Args:
        folder: Where the project belongs.
        database: The address under which the app finds its database; None for SQLite in the folder.
        url: The address of the same database for those who check; None for SQLite in the folder.
    """

    longest = 0.5  # seconds that it lasts at most
    noticed = 30.0  # seconds within which people must be told; 0 if they need not be
    after = 30.0  # seconds within which people must be able to decide again

    def __init__(self, folder, database=None, url=None):
        self.folder, self.database, self.url = folder, database, url

    def begin(self, acknowledged):
        """Let it happen; the decisions that were *acknowledged* before must not be lost."""

    def end(self):
        """Let it be over."""

    def check(self, log):
        """Return how many entries were compared with the *log*, and what is wrong with them."""
        return 0, []


class BackedUp(Harm):
    """Not a harm: a backup is written while people decide. All are restored and compared in the end."""

    longest = 0
    noticed = 0

    def __init__(self, folder, place, url=None, empty=None):
        super().__init__(folder, url, url)
        self._place = place
        self._empty = empty  # the address of a PostgreSQL database for the last one
        self._backups = []

    def begin(self, acknowledged):
        path = self._place / f"{len(self._backups)}.zip"
        seal = back_up(self.folder, path, database=self.url)
        self._backups.append((path, seal, acknowledged))

    def check(self, log):
        compared, faults = 0, []
        known = {entry.id: entry for entry in log}
        for number, (path, seal, acknowledged) in enumerate(self._backups):
            database = self._empty if number == len(self._backups) - 1 else None
            folder = path.with_suffix("")
            restore(path, folder, database=database)
            with Store.open(database or f"sqlite:///{folder / DATABASE}") as store:
                entries = store.entries_under(1, "")
            compared += len(entries)
            faults += [f"{path.name} has {entry}" for entry in entries if known.get(entry.id) != entry]
            lost = acknowledged - {entry.request for entry in entries}
            faults += [f"{request} was acknowledged before {path.name} but is not in it" for request in lost]
            if len(entries) != seal.entries:
                faults.append(f"{path.name} has {len(entries)} entries, not {seal.entries}")
        return compared, faults


class Killed(Harm):
    """All processes of PostgreSQL are killed, and it is started again."""

    def __init__(self, folder, server):
        super().__init__(folder, server.url, server.url)
        self._server = server

    def begin(self, acknowledged):
        self._server.kill()

    def end(self):
        self._server.start()


class Ended(Harm):
    """Someone ends all sessions of PostgreSQL."""

    noticed = 0

    def __init__(self, folder, server):
        super().__init__(folder, server.url, server.url)

    def begin(self, acknowledged):
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )


class Cut(Harm):
    """The network to PostgreSQL resets all connections, and refuses new ones for a moment."""

    def __init__(self, folder, server, proxy):
        super().__init__(folder, server.url_at(proxy.port), server.url)
        self._proxy = proxy

    def begin(self, acknowledged):
        self._proxy.cut()

    def end(self):
        self._proxy.restore()


class Abandoned(Cut):
    """As before, but the server hears nothing: its sessions stay, in the midst of a transaction."""

    def begin(self, acknowledged):
        self._proxy.abandon()


class Stalled(Cut):
    """The network to PostgreSQL keeps all connections, but nothing arrives."""

    longest = 2.0

    def begin(self, acknowledged):
        self._proxy.stall()


class Full(Harm):
    """The disk of an SQLite database is full."""

    def __init__(self, disk):
        super().__init__(disk.folder / "project")
        self._disk = disk

    def begin(self, acknowledged):
        self._disk.fill()

    def end(self):
        self._disk.free()


class PostgresFull(Full):
    """The disk of PostgreSQL is full; a server that gave up is started again when it is not."""

    def __init__(self, folder, server, disk):
        Harm.__init__(self, folder, server.url, server.url)
        self._server, self._disk = server, disk

    def end(self):
        self._disk.free()
        deadline = time.monotonic() + self.after
        while not self._answers():
            if time.monotonic() > deadline:
                raise AssertionError("PostgreSQL does not come back")
            if not self._server.running:
                self._server.start()
            time.sleep(0.02)

    def _answers(self):
        try:
            psycopg.connect(self.url, connect_timeout=5).close()
        except psycopg.OperationalError:
            return False
        return True


@contextmanager
def harm(name, folder):
    """Yield the harm of that *name*, with the database and the disk that it needs."""
    with tempfile.TemporaryDirectory(prefix="arbitree-harm-") as made:
        place = Path(made)
        place.chmod(0o711)  # PostgreSQL runs as another user
        if name == "backup":
            yield BackedUp(folder, place)
        elif name == "postgres-backup":
            with Postgres(place) as server:
                empty = server.url.replace("/postgres", "/empty")
                with psycopg.connect(server.url, autocommit=True) as connection:
                    connection.execute("CREATE DATABASE empty")
                (place / "backups").mkdir()
                yield BackedUp(folder, place / "backups", server.url, empty)
        elif name == "disk":
            # SQLite still accepts decisions in its write-ahead log, so the database grows at every harm.
            with small_disk(place / "disk", 32) as disk:
                yield Full(disk)
        elif name == "postgres-disk":
            with small_disk(place / "disk", 90) as disk, Postgres(disk.folder, *SPARE) as server:
                yield PostgresFull(folder, server, disk)
        else:
            with Postgres(place) as server, Proxy(server.port) as proxy:
                kinds = {"killed": Killed, "ended": Ended, "cut": Cut}
                kinds |= {"abandoned": Abandoned, "stalled": Stalled}
                yield kinds[name](folder, server, *([proxy] if issubclass(kinds[name], Cut) else []))


HARMS = (
    "backup",
    "postgres-backup",
    "killed",
    "ended",
    "cut",
    "abandoned",
    "stalled",
    "disk",
    "postgres-disk",
)

"""What can happen to a database under a web app that goes on running."""

import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import psycopg

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

    def begin(self):
        """Let it happen."""

    def end(self):
        """Let it be over."""


class Killed(Harm):
    """All processes of PostgreSQL are killed, and it is started again."""

    def __init__(self, folder, server):
        super().__init__(folder, server.url, server.url)
        self._server = server

    def begin(self):
        self._server.kill()

    def end(self):
        self._server.start()


class Ended(Harm):
    """Someone ends all sessions of PostgreSQL."""

    noticed = 0

    def __init__(self, folder, server):
        super().__init__(folder, server.url, server.url)

    def begin(self):
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

    def begin(self):
        self._proxy.cut()

    def end(self):
        self._proxy.mend()


class Stalled(Cut):
    """The network to PostgreSQL keeps all connections, but nothing arrives."""

    longest = 2.0

    def begin(self):
        self._proxy.stall()


class Full(Harm):
    """The disk of an SQLite database is full."""

    def __init__(self, disk):
        super().__init__(disk.folder / "project")
        self._disk = disk

    def begin(self):
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
        if name == "disk":
            with small_disk(place / "disk", 6) as disk:
                yield Full(disk)
        elif name == "postgres-disk":
            with small_disk(place / "disk", 90) as disk, Postgres(disk.folder, *SPARE) as server:
                yield PostgresFull(folder, server, disk)
        else:
            with Postgres(place) as server, Proxy(server.port) as proxy:
                kinds = {"killed": Killed, "ended": Ended, "cut": Cut, "stalled": Stalled}
                yield kinds[name](folder, server, *([proxy] if issubclass(kinds[name], Cut) else []))


HARMS = ("killed", "ended", "cut", "stalled", "disk", "postgres-disk")

"""A private PostgreSQL server for tests, from the binaries of this machine."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg

from tests.support.system import missing

PASSWORD = "not so secret"


class NoPostgres(Exception):
    """This machine has no PostgreSQL, or nobody to run it as."""


@contextmanager
def private_server(*options: str) -> Iterator[str]:
    """Start a server in a folder of its own and give the address of its database; it ends with the block.

    *options* are words for the server. It does not flush to disk: nobody cuts the power here.
    """
    with (
        tempfile.TemporaryDirectory(prefix="arbitree-postgres-") as name,
        Postgres(Path(name), *options) as server,
    ):
        yield server.url


class Postgres:
    """A server whose files are in *folder*; it can be killed and started again."""

    def __init__(self, folder: Path, *options: str) -> None:
        binaries = _binaries()
        user = _own_user(folder)
        (folder / "password").write_text(PASSWORD, encoding="utf-8")
        (folder / "password").chmod(0o644)
        made = [binaries / "initdb", "-D", folder / "data", "-U", "arbitree", "-E", "UTF8", "--locale=C"]
        made += ["--wal-segsize=1"]  # MB: small disks
        _run([*user, *made, "-A", "scram-sha-256", f"--pwfile={folder / 'password'}", "--no-sync"])
        self.port = _free_port()
        words = [
            *user,
            binaries / "postgres",
            "-D",
            folder / "data",
            "-F",
            "-p",
            self.port,
            "-h",
            "127.0.0.1",
        ]
        self._words = [str(word) for word in [*words, "-k", folder, *options]]
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 (elsewhere: the folder's disk may be full)
        self._server: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The address of its database."""
        return self.url_at(self.port)

    def url_at(self, port: int) -> str:
        """Return the address of its database by way of another port."""
        return f"postgresql://arbitree:{PASSWORD.replace(' ', '%20')}@127.0.0.1:{port}/postgres"

    @property
    def running(self) -> bool:
        """Whether it has not ended, by itself or otherwise."""
        return self._server is not None and self._server.poll() is None

    def start(self) -> None:
        """Start it and wait until it answers."""
        self._server = subprocess.Popen(
            self._words, stdin=subprocess.DEVNULL, stdout=self._log, stderr=self._log, cwd="/"
        )
        self._wait()

    def kill(self) -> None:
        """Kill all its processes at once, as a power cut would, and wait until they are gone."""
        if self._server is None:
            return
        self._server.send_signal(signal.SIGSTOP)  # lest it starts others meanwhile
        children = _children(self._server.pid)
        for number in (self._server.pid, *children):
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)
        self._server.wait(30)
        while any(_lives(number) for number in children):
            time.sleep(0.005)

    def __enter__(self) -> "Postgres":
        self.start()
        return self

    def __exit__(self, *exception: object) -> None:
        if self._server is not None and self.running:
            self._server.send_signal(signal.SIGQUIT)  # at once: nobody will ask for what is in it
            self._server.wait(30)
        self._log.close()

    def _wait(self) -> None:
        assert self._server is not None
        deadline = time.monotonic() + 30
        while self.running and time.monotonic() < deadline:
            try:
                psycopg.connect(self.url, connect_timeout=5).close()
            except psycopg.OperationalError:
                time.sleep(0.02)
            else:
                return
        self._log.seek(0)
        said = self._log.read()[-500:].decode()
        raise RuntimeError(f"PostgreSQL is installed but does not start: {said}")


def _children(number: int) -> list[int]:
    return [
        int(each)
        for each in Path(f"/proc/{number}/task/{number}/children").read_text(encoding="utf-8").split()
    ]


def _lives(number: int) -> bool:
    try:
        state = Path(f"/proc/{number}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def _binaries() -> Path:
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: float(path.parent.name))
    on_path = shutil.which("postgres")
    for folder in [*reversed(installed), *([Path(on_path).parent] if on_path else [])]:
        if (folder / "initdb").exists() and (folder / "postgres").exists():
            return folder
    raise NoPostgres(missing("postgresql"))


def _own_user(folder: Path) -> list[str]:
    """Give *folder* to a user as whom PostgreSQL agrees to run, and return the words to run as that user."""
    if os.geteuid() != 0:
        return []
    import pwd

    known = {entry.pw_name for entry in pwd.getpwall()}
    name = next((each for each in ("postgres", "nobody") if each in known), None)
    if name is None or shutil.which("setpriv") is None:
        raise NoPostgres("PostgreSQL does not run as root, and there is no other user")
    entry = pwd.getpwnam(name)
    os.chown(folder, entry.pw_uid, entry.pw_gid)
    return ["setpriv", f"--reuid={entry.pw_uid}", f"--regid={entry.pw_gid}", "--clear-groups"]


def _run(command: list[object]) -> None:
    done = subprocess.run(
        [str(word) for word in command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        cwd="/",
        check=False,
        timeout=60,
    )
    if done.returncode:
        raise RuntimeError(f"PostgreSQL is installed but does not work: {done.stderr.strip()}")


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])

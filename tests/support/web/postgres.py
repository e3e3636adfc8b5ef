"""A private PostgreSQL server for tests, from the binaries of this machine."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
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
    binaries = _binaries()
    with tempfile.TemporaryDirectory(prefix="arbitree-postgres-") as name:
        folder = Path(name)
        user = _own_user(folder)
        (folder / "password").write_text(PASSWORD)
        (folder / "password").chmod(0o644)
        made = [binaries / "initdb", "-D", folder / "data", "-U", "arbitree", "-E", "UTF8", "--locale=C"]
        _run([*user, *made, "-A", "scram-sha-256", f"--pwfile={folder / 'password'}", "--no-sync"])
        port = _free_port()
        words = [*user, binaries / "postgres", "-D", folder / "data", "-F", "-p", port, "-h", "127.0.0.1"]
        url = f"postgresql://arbitree:{PASSWORD.replace(' ', '%20')}@127.0.0.1:{port}/postgres"
        with (folder / "log").open("w") as log:
            server = subprocess.Popen(
                [str(word) for word in [*words, "-k", folder, *options]],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/",
            )  # fmt: skip
        try:
            _wait_for(url, server, folder / "log")
            yield url
        finally:
            server.send_signal(signal.SIGQUIT)  # at once: nobody will ask for what is in it
            server.wait(30)


def _wait_for(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + 30
    while server.poll() is None and time.monotonic() < deadline:
        try:
            psycopg.connect(url, connect_timeout=5).close()
        except psycopg.OperationalError:
            time.sleep(0.02)
        else:
            return
    raise RuntimeError(f"PostgreSQL is installed but does not start: {log.read_text()[-500:]}")


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

"""A private PostgreSQL server for tests, from the binaries of this machine."""

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PASSWORD = "not so secret"


class NoPostgres(Exception):
    """This machine has no binaries of PostgreSQL, or they do not run here."""


@contextmanager
def private_server(*options: str) -> Iterator[str]:
    """Start a server in a folder of its own and give the address of its database; it ends with the block.

    Flushing to disk is left out unless *options* (words for the server) ask for it: nobody cuts the power.
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
        words = ["-F", "-p", str(port), "-h", "127.0.0.1", "-k", str(folder), *options]
        control = [*user, binaries / "pg_ctl", "-D", folder / "data", "-w"]
        _run([*control, "-o", " ".join(words), "-l", folder / "log", "start"])
        try:
            yield f"postgresql://arbitree:{PASSWORD.replace(' ', '%20')}@127.0.0.1:{port}/postgres"
        finally:
            _run([*control, "-m", "immediate", "stop"])


def _binaries() -> Path:
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: float(path.parent.name))
    on_path = shutil.which("pg_ctl")
    for folder in [*reversed(installed), *([Path(on_path).parent] if on_path else [])]:
        if (folder / "initdb").exists() and (folder / "pg_ctl").exists():
            return folder
    raise NoPostgres("PostgreSQL is not installed")


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
        raise NoPostgres(f"{Path(str(command[-1])).name}: {done.stderr.strip()}")


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])

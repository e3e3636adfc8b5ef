"""The web app: settings of a project, forms, JSON and addresses."""

import asyncio
import re
import shutil
import tempfile
import time
from contextlib import chdir
from functools import cache, partial
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes

from arbitree.reading.inputs import Reading
from arbitree.web.app import create_app
from arbitree.web.project.backup import back_up, restore
from arbitree.web.project.project import open_project
from arbitree.web.project.settings import SETTINGS
from arbitree.web.sessions import COOKIE, session
from tests.fuzz import mutators
from tests.fuzz.target import SEEDS, Run, Target, seeds_of
from tests.support.web.opened import ANN, BOB, write_study


def _settings(folder: Path) -> Run:
    (folder / "ann.tsv").write_bytes(b"item\tann\tbob\n1\tx\ty\n2\ty\ty\n")
    place = folder / "project"
    place.mkdir()

    def run(data: bytes) -> None:
        (place / "project.json").write_bytes(data)
        for name in ("arbitree.sqlite", "arbitree.sqlite-wal", "arbitree.sqlite-shm"):
            (place / name).unlink(missing_ok=True)
        if b"/" in data or b".." in data or b"sqlite:" in data:
            return  # neither another machine nor all files of this one
        with chdir(folder):
            project = open_project(None, place)
        project.store.close()

    return run


@cache
def _loop() -> asyncio.AbstractEventLoop:
    """Return the event loop of all browsers, which stays open."""
    return asyncio.new_event_loop()


class Browser:
    """The owner of a small project, signed in, without a network."""

    def __init__(self, folder: Path):
        files = folder / "files"
        files.mkdir()
        reading = Reading(tuple(write_study(files, ann=ANN, bob=BOB)))
        self.project = open_project(reading, folder / "project")
        self.app = create_app(self.project, compute=False)
        store = self.project.store
        key = session(store.secret(), store.owner("Ada"), time.time())
        self.headers = {b"host": b"127.0.0.1:8765", b"cookie": f"{COOKIE}={key}".encode()}
        _, page = self.send("GET", b"/people", {}, b"")
        self.headers[b"x-csrf-token"] = re.search(rb'X-CSRF-Token": "([^"]+)"', page)[1]

    def send(self, method: str, target: bytes, headers: dict[bytes, bytes], body: bytes) -> tuple[int, bytes]:
        """Send a request and return the status and the body of the answer."""
        path, _, query = target.partition(b"?")
        length = {b"content-length": str(len(body)).encode()} if body else {}
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": unquote_to_bytes(path).decode("utf-8", "replace"),
            "raw_path": path,
            "query_string": query,
            "root_path": "",
            "headers": list((self.headers | length | headers).items()),
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 8765),
        }
        asked = iter([{"type": "http.request", "body": body, "more_body": False}])
        sent: list[dict[str, Any]] = []

        async def receive() -> dict[str, Any]:
            found = next(asked, None)
            if found is None:
                await asyncio.sleep(3600)
            return found or {"type": "http.disconnect"}

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        _loop().run_until_complete(self.app(scope, receive, send))
        status = next((each["status"] for each in sent if each["type"] == "http.response.start"), 500)
        return status, b"".join(
            each.get("body", b"") for each in sent if each["type"] == "http.response.body"
        )


def _requests(folder: Path) -> Run:
    browser = Browser(folder)
    _send(browser, (SEEDS / "forms" / "rounds").read_bytes())  # so that there is something to judge
    return partial(_send, browser)


def _send(browser: Browser, data: bytes) -> None:
    """Send a request: a line with method and address, header lines, an empty line and the body."""
    head, _, body = data.partition(b"\n\n")
    first, *lines = head.split(b"\n")
    method, _, target = first.partition(b" ")
    headers = {}
    for line in lines:
        name, colon, value = line.partition(b":")
        if colon and name.strip().lower() not in (b"content-length", b"host"):
            headers[name.strip().lower()] = value.strip()
    project = browser.project
    seen = len(project.store.entries(project.edition.id, "item/s1"))
    body = body.replace(b"SEEN", str(seen).encode())
    status, answer = browser.send(method.decode("latin-1") or "GET", target or b"/", headers, body)
    assert status < 500, f"status {status}: {answer[:300]!r}"


def _database(folder: Path) -> Run:
    """Open a project whose database is damaged, and read everything in it."""
    browser = Browser(folder)
    browser.project.close()
    place = folder / "project"
    settings = (place / SETTINGS).read_bytes()

    def run(data: bytes) -> None:
        for path in place.iterdir():
            path.unlink()
        (place / SETTINGS).write_bytes(settings)
        (place / "arbitree.sqlite").write_bytes(data)
        with open_project(None, place).store as store:
            for edition in store.editions():
                store.entries_under(edition.id, "")
                store.tallies(edition.id)
                store.rounds(edition.id)
                store.finding(edition.id, "agreement")
                store.visits(edition.id)
            store.people()
            store.assignments()
            store.secret()

    return run


def _databases() -> list[bytes]:
    """A database with a few decisions, a round and a person."""
    with tempfile.TemporaryDirectory() as folder:
        browser = Browser(Path(folder))
        for name in (
            "adjudicate-take",
            "adjudicate-note",
            "adjudicate-reject",
            "people",
            "rounds",
            "progress-assign",
            "pace",
        ):
            _send(browser, (SEEDS / "forms" / name).read_bytes())
        browser.project.store.keep_finding(1, "agreement", {"headline": "Agreement", "version": "0"})
        browser.project.close()
        return [Path(folder, "project", "arbitree.sqlite").read_bytes()]


def _backup(folder: Path) -> Run:
    """Restore a damaged backup into a new directory."""
    source, place = folder / "backup", folder / "restored"

    def run(data: bytes) -> None:
        source.write_bytes(data)
        shutil.rmtree(place, ignore_errors=True)
        restore(source, place)

    return run


def _backups() -> list[bytes]:
    with tempfile.TemporaryDirectory() as folder:
        browser = Browser(Path(folder))
        _send(browser, (SEEDS / "forms" / "adjudicate-take").read_bytes())
        target = Path(folder, "backup")
        back_up(Path(folder, "project"), target)
        browser.project.close()
        return [target.read_bytes()]


TARGETS = (
    Target("settings", _settings, seeds_of("settings"), share=2),
    Target("databases", _database, _databases, mutators.binary, share=2, guided=False),
    Target("backups", _backup, _backups, mutators.archive, share=2, guided=False),
    *(Target(name, _requests, seeds_of(name), share=4) for name in ("forms", "documents", "pages")),
)

"""Run the steps of docs/hosting.md without containers: the app behind a proxy with HTTPS, with PostgreSQL.

    make check    # or: .venv/bin/python -m checks.hosting

Start PostgreSQL, ``container/start`` and Caddy with ``container/Caddyfile`` and a certificate of its own.
Sign in with a browser through the proxy, decide a disagreement, make a backup, restore it into an empty
database, and check that the app finds the decision there. Needs caddy, PostgreSQL and Chromium; without them,
print what is missing and exit with code 2.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from playwright.sync_api import Error, Page, sync_playwright
from tests.support.browser.pages import CHROMIUM, QUIET
from tests.support.web.postgres import NoPostgres, private_server
from tests.support.web.serving import DEPENDENCY

CONTAINER = Path(__file__).resolve().parents[1] / "container"
PATIENCE = 60  # seconds


def main() -> int:
    """Run all steps, and return the exit code."""
    missing = [name for name in ("caddy",) if shutil.which(name) is None] + ([] if CHROMIUM else ["chromium"])
    if missing:
        print(f"checks/hosting.py needs {' and '.join(missing)}", file=sys.stderr)
        return 2
    try:
        with private_server() as database, tempfile.TemporaryDirectory() as folder:
            check(Path(folder), database)
    except NoPostgres as error:
        print(f"checks/hosting.py needs PostgreSQL: {error}", file=sys.stderr)
        return 2
    print("Signed in through the proxy, decided, backed up, restored and found the decision.")
    return 0


def check(folder: Path, database: str) -> None:
    """Serve a study, decide, back up, restore into another database, and serve that."""
    study = folder / "study"
    study.mkdir()
    for path in DEPENDENCY:
        shutil.copy(path, study)
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("CREATE DATABASE restored")
    restored = database.rpartition("/")[0] + "/restored"
    with proxy(folder) as address:
        with app(folder / "project", study, database, address) as link:
            decided = decide(link)
            run("arbitree", "backup", folder / "project", folder / "backup.zip", "--database", database)
        run("arbitree", "restore", folder / "backup.zip", folder / "again", "--database", restored)
        with app(folder / "again", study, restored, address) as link:
            found = history(link)
    if found != decided:
        raise SystemExit(f"the history was {decided!r}, and after the restore {found!r}")


@contextmanager
def proxy(folder: Path) -> Iterator[str]:
    """Start Caddy at a free port, and give the address that people use."""
    port = free_port()
    settings = {**os.environ, "ARBITREE_HOST": f"localhost:{port}", "HOME": str(folder / "caddy")}
    line = ["caddy", "run", "--config", str(CONTAINER / "Caddyfile"), "--adapter", "caddyfile"]
    with subprocess.Popen(line, env=settings, stderr=subprocess.DEVNULL) as process:
        try:
            yield f"https://localhost:{port}"
        finally:
            process.send_signal(signal.SIGTERM)


@contextmanager
def app(project: Path, study: Path, database: str, address: str) -> Iterator[str]:
    """Start the app as the container does, and give the link that signs the owner in."""
    settings = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "ARBITREE_PROJECT": str(project),
        "ARBITREE_STUDY": str(study),
        "ARBITREE_DATABASE": database,
        "ARBITREE_PUBLIC": address,
    }
    line = [str(CONTAINER / "start"), "--owner", "Olga"]
    with subprocess.Popen(line, env=settings, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            link = process.stdout.readline().strip()
            if not link.startswith(address):
                raise SystemExit(f"the app printed {link!r}, not a link at {address}")
            run(sys.executable, CONTAINER / "healthy")
            yield link
        finally:
            process.send_signal(signal.SIGTERM)
    if process.returncode:
        raise SystemExit(f"the app ended with code {process.returncode}")
    if (
        subprocess.run([sys.executable, CONTAINER / "healthy"], capture_output=True, check=False).returncode
        == 0
    ):
        raise SystemExit("container/healthy succeeds although the app has ended")


def decide(link: str) -> str:
    """Sign in, decide the first disagreement, and return the last change of the history."""
    return visited(link, "/adjudicate", "1")


def history(link: str) -> str:
    """Sign in, and return the last change of the history."""
    return visited(link, "/history")


def visited(link: str, page_name: str, key: str = "") -> str:
    """Open a page through the proxy, press a key, and return the last change of the history."""
    base = "/".join(link.split("/")[:3])
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, headless=True, args=list(QUIET))
        page = browser.new_context(ignore_https_errors=True).new_page()
        arrive(page, link)
        page.get_by_role("button", name="Sign in").click()
        page.wait_for_url(lambda url: "/enter/" not in url)
        page.goto(base + page_name)
        if key:
            with page.expect_response(lambda answer: answer.request.method == "POST"):
                page.keyboard.press(key)
        page.goto(f"{base}/history")
        change = page.locator("tbody tr").first.locator("td").last.inner_text()
        browser.close()
    return str(change)


def arrive(page: Page, link: str) -> None:
    """Open the link, as soon as the proxy answers."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            page.goto(link)
            return
        except Error:
            if time.monotonic() > end:
                raise
            time.sleep(0.5)


def free_port() -> int:
    """Return the number of a port that nobody uses."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])


def run(*line: object) -> None:
    """Run a command of this environment; end with its output if it fails."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        list(map(str, line)), env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, line))} failed:\n{done.stderr}")


if __name__ == "__main__":
    sys.exit(main())

"""A real browser for tests of pages: what a page looks like once its scripts have run."""

import shutil
import subprocess

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="needs a browser")

OPTIONS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-quic",
    "--disable-sync",
    "--disable-component-update",
    "--disable-background-networking",
    "--virtual-time-budget=5000",  # timers of the page run out before it is looked at
)


def document_of(page, folder):
    """Return the document of the file *page* as the browser has it; its profile is made in *folder*."""
    command = [CHROMIUM, *OPTIONS, f"--user-data-dir={folder / 'profile'}", "--dump-dom", page.as_uri()]
    return subprocess.run(command, capture_output=True, check=True, timeout=120).stdout.decode()

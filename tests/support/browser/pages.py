"""A real browser for tests of pages: what a page looks like once its scripts have run."""

import json
import re
import shutil
import subprocess

import pytest
from lxml import html

from tests.support.system import missing

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
needs_browser = pytest.mark.skipif(CHROMIUM is None, reason=missing("chromium"))

QUIET = (  # options of a browser that looks for nothing on the network
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-quic",
    "--disable-sync",
    "--disable-component-update",
    "--disable-background-networking",
)
OPTIONS = (
    "--headless",
    *QUIET,
    "--virtual-time-budget=5000",  # timers of the page run out before it is looked at
)


def document_of(page, folder, fragment=""):
    """Return the document of the file *page* as the browser has it; its profile is made in *folder*."""
    address = page.as_uri() + (f"#{fragment}" if fragment else "")
    command = [CHROMIUM, *OPTIONS, f"--user-data-dir={folder / 'profile'}", "--dump-dom", address]
    return subprocess.run(command, capture_output=True, check=True, timeout=120).stdout.decode()


RECORDER = """<script>
const found = { errors: [], alerts: 0 };
addEventListener("error", (event) => found.errors.push(event.message));
addEventListener("securitypolicyviolation", (event) => found.errors.push(event.violatedDirective));
console.error = (...parts) => found.errors.push(parts.join(" "));
window.alert = () => { found.alerts += 1; };
</script>"""


def act(page, folder, script="", fragment=""):
    """Open a copy of *page*, run *script* in it, and return what it put into ``found``.

    The copy's policy allows these two scripts beside its own, and nothing else that the page's does not.
    The result has the errors of the page and what it loaded.
    """
    text = page.read_text(encoding="utf-8")
    text = re.sub(r"script-src '[^']*'", "script-src 'unsafe-inline'", text, count=1)
    end = f"""<script>addEventListener("load", () => setTimeout(() => {{ {script}
found.loaded = performance.getEntriesByType("resource").map((each) => each.name);
document.body.dataset.found = JSON.stringify(found); }}, 100));</script></body>"""
    text = text.replace("<body>", f"<body>{RECORDER}", 1).replace("</body>", end, 1)
    copy = folder / "acted.html"
    copy.write_text(text, encoding="utf-8")
    document = html.document_fromstring(document_of(copy, folder, fragment))
    return json.loads(document.body.get("data-found"))

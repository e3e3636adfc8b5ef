"""Take the pictures of the pages of the web app and of the reports that the documentation shows.

    .venv/bin/python -m docs.pictures.pages    # needs Chromium and the extra test

The pages are those of the example studies. The names of people and the decisions are always the same.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright
from tests.support.browser.pages import CHROMIUM, QUIET
from tests.support.browser.visits import Visits
from tests.support.commands import arbitree
from tests.support.web.serving import DEPENDENCY, EXAMPLES, LABELS, PHRASE, serving

HERE = Path(__file__).parent
SIZE = {"width": 1100, "height": 760}
HARBOUR = sorted((EXAMPLES / "harbour").glob("*.mrg"))


def main() -> None:
    """Take all pictures."""
    if CHROMIUM is None:
        sys.exit("Install Chromium first")
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, headless=True, args=list(QUIET))
        _app(browser, Path(folder))
        _reports(browser, Path(folder))
        browser.close()


def _app(browser: Browser, folder: Path) -> None:
    with serving(
        *DEPENDENCY, project=folder / "dependency", options=["--title", "Weather and tides"]
    ) as server:
        visits = Visits(browser, server)
        page = visits.page(viewport=SIZE)
        page.goto("/adjudicate/3")
        _take(page, "adjudicate")
        page.emulate_media(color_scheme="dark")
        _take(page, "adjudicate-dark")
        page.emulate_media(color_scheme="light")
        page.goto("/rounds")
        page.get_by_role("button", name="Create round").click()
        page.wait_for_url("**/rounds/*")
        for name, address in (
            ("overview", "/"),
            ("sentences", "/sentences"),
            ("sentence", "/sentences/3"),
            ("decisions", "/decisions"),
            ("people", "/people"),
            ("progress", "/progress"),
            ("round", "/rounds/1"),
        ):
            page.goto(address)
            _settle(page)
            _take(page, name)
        judge = visits.page("Jule", "judge", viewport=SIZE)
        judge.goto("/judge/1/2")
        _take(judge, "judge")
        visits.leave()
    for name, inputs in (("adjudicate-phrase", PHRASE), ("adjudicate-labels", LABELS)):
        with serving(*inputs, project=folder / name) as server:
            visits = Visits(browser, server)
            page = visits.page(viewport=SIZE)
            page.goto("/adjudicate")
            _take(page, name)
            visits.leave()


def _reports(browser: Browser, folder: Path) -> None:
    page = browser.new_page(viewport=SIZE)
    arbitree("report", *DEPENDENCY, "-o", folder / "report", "--quiet")
    page.goto((folder / "report" / "report.html").as_uri())
    _take(page, "report")
    arbitree("explain", *HARBOUR, "-o", folder / "explain", "--quiet")
    page.goto((folder / "explain" / "explain.html").as_uri())
    _take(page, "explain")


def _settle(page: Page) -> None:
    """Wait until the parts that are computed in the background are shown."""
    for _ in range(60):
        if not page.locator("[hx-trigger*='every'], .running").count():
            return
        page.wait_for_timeout(500)
        page.reload()


def _take(page: Page, name: str) -> None:
    page.screenshot(path=HERE / f"{name}.png")


if __name__ == "__main__":
    main()

"""Take the pictures of the pages of the web app and of the reports that the documentation shows.

    .venv/bin/python -m docs.pictures.pages    # needs Chromium and the extra test

The pages are those of the example studies. The names of people and the decisions are always the same.
"""

from __future__ import annotations

import shutil
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
    shutil.copytree(EXAMPLES, folder / "examples")
    study = sorted((folder / "examples" / "dependency").glob("*.conllu"))
    options = ["--title", "Weather and market"]
    with serving(*study, project=folder / "project", options=options) as server:
        visits = Visits(browser, server)
        page = visits.page(viewport=SIZE)
        page.goto("/")
        _settle(page)
        _take(page, "overview")
        page.goto("/adjudicate/3")
        _take(page, "adjudicate")
        page.emulate_media(color_scheme="dark")
        _take(page, "adjudicate-dark")
        page.emulate_media(color_scheme="light")
        _prepare(page, visits)
        for name, address in (
            ("sentences", "/sentences"),
            ("sentence", "/sentences/3"),
            ("decisions", "/decisions"),
            ("progress", "/progress"),
            ("round", "/rounds/1"),
        ):
            _open(page, address)
            _take(page, name)
        _open(page, "/people")
        page.get_by_label("Name", exact=True).fill("Cem")
        page.get_by_role("button", name="Create link").click()
        page.get_by_label("Link", exact=True).evaluate("link => link.value = link.value.slice(0, 40) + '…'")
        _take(page, "people")
        judge = visits.page("Jule", "judge", viewport=SIZE)
        _open(judge, "/judge/1")
        _take(judge, "judge")
        visits.leave()
    for name, inputs in (("adjudicate-phrase", PHRASE), ("adjudicate-labels", LABELS)):
        with serving(*inputs, project=folder / name) as server:
            visits = Visits(browser, server)
            page = visits.page(viewport=SIZE)
            _open(page, "/adjudicate")
            _take(page, name)
            visits.leave()


def _prepare(page: Page, visits: Visits) -> None:
    """Let the owner decide a few sentences, and let a judge answer in a round."""
    for number in (3, 4, 5):
        _open(page, f"/adjudicate/{number}")
        page.keyboard.press("1")
        page.wait_for_timeout(500)
    _open(page, "/rounds")
    page.get_by_role("button", name="Create round").click()
    page.wait_for_url("**/rounds/*")
    judge = visits.page("Ida", "judge", viewport=SIZE)
    _open(judge, "/judge/1")
    for key in ("1", "2", "="):
        judge.keyboard.press(key)
        judge.wait_for_timeout(500)


def _open(page: Page, address: str) -> None:
    """Go to a page of the app, which must exist."""
    answer = page.goto(address)
    if answer is None or not answer.ok:
        raise SystemExit(f"{address} cannot be opened")


def _reports(browser: Browser, folder: Path) -> None:
    page = browser.new_page(viewport=SIZE)
    arbitree("report", *DEPENDENCY, "-o", folder / "report", "--quiet")
    page.goto((folder / "report" / "report.html").as_uri())
    _take(page, "report")
    arbitree("explain", *HARBOUR, "-o", folder / "explain", "--quiet")
    page.goto((folder / "explain" / "explain.html").as_uri())
    page.locator("details.question > summary").first.click()
    page.locator("details.question svg").first.evaluate(
        "drawing => drawing.scrollIntoView({ block: 'center' })"
    )
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

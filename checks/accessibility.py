"""Check every page of the app and of the reports with axe-core, in light and in dark colours.

    make check    # or: .venv/bin/python -m checks.accessibility [--pictures DIRECTORY]

Serve a study of each kind with a decision and a judging round, visit all pages, then write every kind of HTML
page that the commands write. Print what axe-core finds; exit with code 1 if it finds anything. With
``--pictures``, also write a picture of each page in light and in dark colours and as wide as a phone.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright
from tests.support.browser.axe import AXE, violations
from tests.support.browser.pages import CHROMIUM, QUIET
from tests.support.browser.visits import Visits
from tests.support.commands import arbitree
from tests.support.web.serving import DEPENDENCY, EXAMPLES, LABELS, PHRASE, serving

PROFILES = [EXAMPLES / "profiles" / name for name in ("ann", "bob")]
GRAPHS = sorted((EXAMPLES / "graphs").glob("*.amr"))
STUDIES = {
    "dependency": DEPENDENCY,
    "phrase": PHRASE,
    "labels": LABELS,
    "profiles": PROFILES,
    "graphs": GRAPHS,
}
APP = [
    *("/", "/sentences", "/sentences?text=the", "/decisions", "/history", "/people", "/rounds", "/rounds/1"),
    *("/judge", "/judge/1", "/judge/1/2?marked=true", "/progress", "/nowhere", "/sentences/999"),
    *(f"/{page}/{number}" for page in ("sentences", "adjudicate") for number in range(1, 9)),
]
PREFER = [EXAMPLES / "prefer" / f"{name}.conllu" for name in ("gold", "birch", "cedar")]
REPORTS: list[tuple[str, ...]] = [
    *(("report", *map(str, inputs)) for inputs in STUDIES.values()),
    *(("explain", *map(str, inputs)) for inputs in (DEPENDENCY, PHRASE)),
    ("explain", *map(str, sorted((EXAMPLES / "harbour").glob("*.mrg")))),
]
PAGES: list[tuple[str, ...]] = [
    *(("agree", *map(str, inputs), "--by", "pair") for inputs in (DEPENDENCY, PHRASE, LABELS)),
    ("agree", "--studies", str(EXAMPLES / "dependency"), str(EXAMPLES / "score")),
    ("tsdb", *map(str, PROFILES)),
    ("coders", str(EXAMPLES / "coders" / "reviews.csv")),
    ("score", *map(str, PREFER)),
    ("prefer", *map(str, PREFER), "--judgments", str(EXAMPLES / "prefer" / "judgments.csv")),
]


def main() -> int:
    """Check all pages, and return the exit code."""
    parser = argparse.ArgumentParser(prog="checks.accessibility")
    parser.add_argument("--pictures", type=Path, metavar="DIRECTORY", help="write pictures of all pages")
    pictures: Path | None = parser.parse_args().pictures
    if CHROMIUM is None or not AXE.exists():
        print("checks/accessibility.py needs Chromium and axe-core: run make test first", file=sys.stderr)
        return 2
    wrong = count = 0
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, headless=True, args=list(QUIET))
        for name, page in chain(served(browser, Path(folder)), written(browser, Path(folder))):
            count += 1
            for line in violations(page):
                wrong += 1
                print(f"{name}: {line}")
            if pictures is not None:
                photograph(page, pictures / re.sub(r"\W+", "-", name))
        browser.close()
    print(f"{count} pages in light and dark colours: {wrong} violations")
    return 1 if wrong else 0


def photograph(page: Page, start: Path) -> None:
    """Write pictures of a page, whose names begin with *start*, and leave the page as it was."""
    size = page.viewport_size
    for look, scheme, width in (("light", "light", 1200), ("dark", "dark", 1200), ("phone", "light", 390)):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_timeout(150)  # for drawings that follow the width
        page.screenshot(path=f"{start}-{look}.png", full_page=True)
    if size is not None:
        page.set_viewport_size(size)


def served(browser: Browser, folder: Path) -> Iterator[tuple[str, Page]]:
    """Yield every page of the app, for a study of each kind."""
    for kind, inputs in STUDIES.items():
        with serving(*inputs, project=folder / kind) as server:
            visits = Visits(browser, server)
            page = visits.page(viewport={"width": 1200, "height": 900})
            page.goto("/rounds")
            create = page.get_by_role("button", name="Create round")
            if create.count():
                create.click()
            page.goto("/adjudicate")
            page.keyboard.press("1")
            for address in APP:
                page.goto(address)
                yield f"{kind} {address}", page
            for name in bulk(page):
                yield f"{kind} {name}", page
            visits.leave()


def bulk(page: Page) -> Iterator[str]:
    """Go through the pages of bulk decisions: choices, places, result and undo; yield the name of each."""
    page.goto("/")
    page.locator("[aria-busy]").first.wait_for(state="detached", timeout=120_000)
    links = page.locator("a[href^='/bulk']").evaluate_all(
        "all => all.map((each) => each.getAttribute('href'))"
    )
    kinds = {href.split("=")[0]: href for href in reversed(links)}  # the first of a question, a type, a pair
    for href in kinds.values():
        page.goto(href)
        yield href
        page.locator(".sides a").first.click()
        yield page.url.split("/", 3)[3]
    if page.locator("#bulk .apply button").count():
        page.locator("#bulk .apply button").click()
        yield "bulk, saved"
        page.locator("#undo-all").click()
        yield "bulk, undone"


def written(browser: Browser, folder: Path) -> Iterator[tuple[str, Page]]:
    """Yield every page that a command writes."""
    page = browser.new_page(viewport={"width": 1200, "height": 900})
    for number, command in enumerate((*REPORTS, *PAGES)):
        target = folder / (f"{number}" if command in REPORTS else f"{number}.html")
        done = arbitree(*command, "-o", target, "--quiet")
        if done.returncode:
            raise SystemExit(done.stderr.decode())
        for path in sorted(target.glob("*.html")) if target.is_dir() else [target]:
            page.goto(path.as_uri())
            yield f"{command[0]} {path.name} ({Path(command[1]).parent.name})", page


if __name__ == "__main__":
    sys.exit(main())

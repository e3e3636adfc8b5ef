"""Check that the first choice of the adjudication page is in view, on a desktop screen and on a phone.

    make check    # or: .venv/bin/python -m checks.first_choice

Visit every contested sentence of a generated dependency study with sentences of 40 to 80 tokens and, if
ARBITREE_DATA contains them, 30 contested sentences of gum-two-versions. Print a line per study and screen.
Exit with code 1 if a choice is out of view.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright
from tests.support.browser.desks import first_choice_in_view
from tests.support.browser.long_sentences import long_study
from tests.support.browser.pages import CHROMIUM, QUIET
from tests.support.browser.visits import Visits
from tests.support.web.serving import serving

SCREENS = ((1280, 900), (390, 844))
MOST = 30  # sentences of a study


def main() -> int:
    """Check all studies, and return the exit code."""
    if CHROMIUM is None:
        print("checks/first_choice.py needs Chromium: run make test first", file=sys.stderr)
        return 2
    wrong = 0
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, headless=True, args=list(QUIET))
        for name, inputs, options in studies(Path(folder)):
            for screen, unseen, count in visited(browser, inputs, options, Path(folder) / f"{name}-project"):
                wrong += len(unseen)
                print(
                    f"{name}, {screen[0]}x{screen[1]}: in view on {count - len(unseen)} of {count} sentences"
                )
                if unseen:
                    print(f"out of view: {', '.join(map(str, unseen))}")
        browser.close()
    return 1 if wrong else 0


def studies(folder: Path) -> Iterator[tuple[str, Sequence[str | Path], Sequence[str]]]:
    """Yield the name of each study, its inputs, and options of ``serve``."""
    (folder / "long").mkdir()
    yield "long-sentences", long_study(folder / "long"), ()
    versions = Path(os.environ.get("ARBITREE_DATA", "")) / "gum-two-versions"
    if "ARBITREE_DATA" in os.environ and versions.is_dir():
        yield "gum-two-versions", [versions / side for side in ("early", "late")], ("--dirs",)
    else:
        print("gum-two-versions is left out: it is not in ARBITREE_DATA")


def visited(
    browser: Browser, inputs: Sequence[str | Path], options: Sequence[str], project: Path
) -> Iterator[tuple[tuple[int, int], list[int], int]]:
    """Yield for each screen the sentences whose first choice is out of view, and the number of all."""
    with serving(*inputs, project=project, options=options) as server:
        visits = Visits(browser, server)
        for width, height in SCREENS:
            page = visits.page(viewport={"width": width, "height": height})
            listed = page.request.get("/api/sentences?state=contested&sort=order").json()
            numbers = [each["number"] for each in listed["sentences"]][:MOST]
            unseen = []
            for number in numbers:
                page.goto(f"/adjudicate/{number}")
                if not first_choice_in_view(page):
                    unseen.append(number)
            yield (width, height), unseen, len(numbers)
        visits.leave()


if __name__ == "__main__":
    sys.exit(main())

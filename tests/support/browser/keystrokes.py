"""Adjudicate a whole study with the keyboard, and count keystrokes and seconds per sentence.

Run it with the Python of the version to measure: ``python -m tests.support.browser.keystrokes INPUT...``.
Options of ``serve`` follow ``--``. The adjudicator takes the value that most annotators give, the first one
of several, and the first offer where that value is refused.
"""

import sys
import time
from collections import Counter
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

from tests.support.browser.pages import CHROMIUM, QUIET
from tests.support.browser.visits import Visits
from tests.support.web.serving import serving

PATIENCE = 30_000  # milliseconds for an answer
STATE = """() => {
  const desk = document.getElementById("desk");
  const alert = document.querySelector("#desk .warnings[role=alert]");
  return desk && `${desk.dataset.number} ${desk.dataset.seen} ${alert?.textContent ?? ""}`;
}"""
# The current disagreement, and its options from the one that most annotators give.
OPTIONS = """() => {
  const row = document.querySelector("#desk .row[aria-current]");
  const given = [...row?.querySelectorAll(":scope > .options button.option") ?? []];
  const count = (place) => given[place].querySelectorAll(".badge").length;
  const best = given.map((_, place) => place).sort((a, b) => count(b) - count(a) || a - b);
  return {
    key: row?.dataset.key,
    numbers: best.map((place) => place + 1),
    offered: document.querySelector("#desk .warnings[role=alert] button.offer") !== null,
  };
}"""


class Adjudicator:
    """Somebody who decides one sentence after the other."""

    def __init__(self, page):
        self._page = page
        self._refused = Counter()  # options of a place that were refused, by sentence and key
        self.keys = Counter()  # by sentence
        self.seconds = Counter()

    def work(self):
        """Decide all sentences."""
        self._page.goto("/adjudicate")
        while (state := self._page.evaluate(STATE)) is not None:
            self._step(state)

    def _step(self, state):
        number = state.split()[0]
        begin = time.perf_counter()
        found = self._page.evaluate(OPTIONS)
        turn = self._refused[number, found["key"]]
        if found["offered"] and not turn:
            key = "Enter"
        elif turn < len(found["numbers"]):
            key = str(found["numbers"][turn])
        else:
            key = "d"
        self._page.keyboard.press(key)
        self.keys[number] += 1
        changed = f"(before) => ({STATE})() !== before"
        self._page.wait_for_function(changed, arg=state, timeout=PATIENCE, polling=5)
        self.seconds[number] += time.perf_counter() - begin
        after = self._page.evaluate(STATE)
        if after and after.split()[:2] == state.split()[:2] and not self._page.evaluate(OPTIONS)["offered"]:
            self._refused[number, found["key"]] += 1


def main(inputs, options):
    """Serve a study, adjudicate it, and print what it took."""
    with (
        TemporaryDirectory() as folder,
        serving(*inputs, project=Path(folder) / "project", options=options) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, headless=True, args=list(QUIET))
        page = Visits(browser, server).page(viewport={"width": 1280, "height": 900})
        adjudicator = Adjudicator(page)
        adjudicator.work()
        browser.close()
    keys, seconds = adjudicator.keys, adjudicator.seconds
    count, total = len(keys), keys.total()
    print(f"sentences\t{count}")
    print(f"keystrokes\t{total}\t{total / count:.2f} per sentence\tmedian {median(keys.values()):g}")
    print(f"seconds\t{seconds.total():.1f}\t{seconds.total() / count:.2f} per sentence")


if __name__ == "__main__":
    given = sys.argv[1:]
    end = given.index("--") if "--" in given else len(given)
    main(given[:end], given[end + 1 :])

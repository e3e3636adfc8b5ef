"""Adjudicate a whole study with the keyboard, and count keystrokes and seconds per sentence.

Run it with the Python of the version to measure: ``python -m tests.support.browser.keystrokes INPUT...``.
Options of ``serve`` follow ``--``. The adjudicator takes the value that most annotators give, the first one
of several, and the first offer where that value is refused. With ``--suggestions`` as the first word, they
accept all suggestions of a sentence with one key where these are the values that they would take.
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
  const votes = (option) => option.querySelectorAll(".badge").length;
  const left = [...document.querySelectorAll("#desk .rows > .row.contested")];
  const same = () => left.length > 0 && left.every((each) => {
    const options = [...each.querySelectorAll(":scope > .options button.option")];
    const most = options.find((one) => options.every((other) => votes(other) <= votes(one)));
    return most?.classList.contains("suggested");
  });
  const best = given.map((_, place) => place).sort((a, b) => count(b) - count(a) || a - b);
  return {
    key: row?.dataset.key,
    same: same(),
    numbers: best.map((place) => place + 1),
    offered: document.querySelector("#desk .warnings[role=alert] button.offer") !== null,
  };
}"""


class Adjudicator:
    """Somebody who decides one sentence after the other."""

    def __init__(self, page, *, follows):
        self._page = page
        self._follows = follows  # accepts suggestions with one key
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
        elif self._follows and found["same"] and not turn:
            key = "S"
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


def wait_for_suggestions(page):
    """Wait until the annotator model has suggested something for the first sentence that has any."""
    while not page.goto("/adjudicate") or not page.locator("#suggestions").count():
        page.wait_for_timeout(1000)


def main(inputs, options, *, follows=False):
    """Serve a study, adjudicate it, and print what it took."""
    with (
        TemporaryDirectory() as folder,
        serving(*inputs, project=Path(folder) / "project", options=options) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, headless=True, args=list(QUIET))
        page = Visits(browser, server).page(viewport={"width": 1280, "height": 900})
        if follows:
            wait_for_suggestions(page)
        adjudicator = Adjudicator(page, follows=follows)
        adjudicator.work()
        browser.close()
    keys, seconds = adjudicator.keys, adjudicator.seconds
    count, total = len(keys), keys.total()
    print(f"sentences\t{count}")
    print(f"keystrokes\t{total}\t{total / count:.2f} per sentence\tmedian {median(keys.values()):g}")
    print(f"seconds\t{seconds.total():.1f}\t{seconds.total() / count:.2f} per sentence")


if __name__ == "__main__":
    follows = sys.argv[1:2] == ["--suggestions"]
    given = sys.argv[1 + follows :]
    end = given.index("--") if "--" in given else len(given)
    main(given[:end], given[end + 1 :], follows=follows)

"""Reports about long work: a bar on a terminal, otherwise a line every ten seconds."""

import io
import re
import threading
from contextlib import contextmanager, redirect_stderr
from pathlib import Path

import pytest

from arbitree.cli import progress
from arbitree.cli.console import Talk
from tests.support.commands import arbitree

EXAMPLES = Path(__file__).parents[2] / "examples"
TREES = sorted((EXAMPLES / "dependency").glob("*.conllu"))
LABELS = EXAMPLES / "labels" / "stance.tsv"
PROFILES = [EXAMPLES / "profiles" / name for name in ("ann", "bob")]


class Written(io.StringIO):
    """Standard error that is not a terminal; ``more`` is set with each line."""

    def __init__(self):
        super().__init__()
        self.more = threading.Event()

    def write(self, text):
        count = super().write(text)
        self.more.set()
        return count


@pytest.fixture
def often(monkeypatch):
    monkeypatch.setattr(progress, "EVERY", 0.01)


@contextmanager
def following(what, **talk):
    """Give standard error during work, and the function that reports its progress."""
    with redirect_stderr(Written()) as stderr, Talk(**talk).progress(what) as show:
        yield stderr, show


def awaited(stderr):
    """Return the last whole line, after one that is written from now on."""
    for _ in range(2):  # a line that was being written may be of before
        stderr.more.clear()
        assert stderr.more.wait(10)
    return stderr.getvalue().rpartition("\n")[0].rpartition("\n")[2]


def test_lines_give_the_time_and_the_share_that_is_done(often):
    with following("comparing trees") as (stderr, show):
        assert re.fullmatch(r"Comparing trees: \d+ s", awaited(stderr))
        show(34, 100)
        assert re.fullmatch(r"Comparing trees: 34% \(\d+ s\)", awaited(stderr))
        show(100, 100)  # but the work goes on
        assert re.fullmatch(r"Comparing trees: \d+ s", awaited(stderr))


def fail(stderr):
    awaited(stderr)
    raise ValueError("stop")


def test_lines_end_with_the_work(often):
    before = threading.active_count()
    with pytest.raises(ValueError, match="stop"), following("comparing trees") as (stderr, _):
        fail(stderr)
    assert threading.active_count() == before


def test_quiet_work_writes_nothing(often):
    with following("comparing trees", quiet=True) as (stderr, show):
        show(1, 2)
        assert not stderr.more.wait(0.1)


def test_short_work_writes_nothing():
    with following("comparing trees") as (stderr, show):
        show(1, 2)
    assert stderr.getvalue() == ""


@pytest.mark.parametrize(
    ("command", "phases"),
    [
        (["agree", LABELS], ["reading the inputs", "comparing annotations"]),
        (["score", *TREES[:2]], ["reading the inputs", "scoring"]),
        (["explain", *TREES[:2]], ["reading the inputs", "comparing sentences"]),
        (["coders", LABELS], ["reading the inputs", "estimating competence"]),
        (["tsdb", *PROFILES], ["comparing profiles"]),
        (["draw", *TREES[:2], "--item", "weather-3"], ["reading the inputs"]),
        (["convert", TREES[0], "trees.conllu"], ["converting"]),
        (
            ["report", LABELS, "-o", "out"],
            ["reading the inputs", "comparing annotations", "finding disagreements", "writing the report"],
        ),
    ],
    ids=lambda value: str(value[0]),
)
def test_every_phase_of_a_command_is_reported(command, phases, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    opened = []

    @contextmanager
    def recorded(what):
        opened.append(what)
        yield lambda done, total: None

    monkeypatch.setattr(progress, "report_lines", recorded)
    assert arbitree(*command).returncode == 0
    assert opened == phases

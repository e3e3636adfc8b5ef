"""Inputs that once failed, a few changed inputs for every target, and the program that finds them."""

import random
import sys
import time
from argparse import Namespace
from contextlib import suppress

import pytest

from arbitree.errors import ArbitreeError, FormatError
from tests.fuzz import __main__ as driver
from tests.fuzz import judge as judging
from tests.fuzz import mutators
from tests.fuzz.catalogue import TARGETS
from tests.fuzz.judge import FAILED, Judge, Tally
from tests.fuzz.parts import joined, split
from tests.fuzz.target import words_in

INPUTS = 25  # of every target
KEPT = sorted({path.parent.name for path in FAILED.glob("*/*")})


@pytest.mark.filterwarnings("ignore")  # notes about the files
@pytest.mark.parametrize("name", KEPT)
def test_inputs_that_once_failed_are_read_or_refused(name, tmp_path):
    run = TARGETS[name].prepare(tmp_path)
    for path in sorted((FAILED / name).iterdir()):
        if path.suffix == ".txt":
            continue
        with suppress(ArbitreeError):
            run(path.read_bytes())


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", TARGETS)
def test_changed_inputs_are_read_or_refused(name, tmp_path):
    target = TARGETS[name]
    seeds = target.seeds()
    run = target.prepare(tmp_path)
    words = words_in(seeds)
    rng = random.Random(name)
    for data in [*seeds, *(target.mutate(rng.choice(seeds), rng, words) for _ in range(INPUTS))]:
        with suppress(ArbitreeError):
            run(data)


def test_the_same_dice_give_the_same_input():
    data = b"one\ttwo\t3\n(four)\n"
    for mutate in (mutators.text, mutators.archive):
        first, second = (mutate(data, random.Random(7), [b"five"]) for _ in range(2))
        assert first == second
    assert len(mutators.blown_up(data, random.Random(1))) > 1000


def test_parts_are_split_as_they_were_joined():
    parts = {"relations": b"item:\n", "item": b"1@a\n2@b\n"}
    assert split(joined(parts)) == (b"", parts)
    assert split(b"--strict\n" + joined(parts)) == (b"--strict\n", parts)


@pytest.fixture
def judge(tmp_path, monkeypatch):
    """Return a judge of a reader that fails in several ways."""
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.setenv("TMPDIR", str(tmp_path))

    def read(data):
        if b"odd" in data:
            raise KeyError("odd")
        if b"bad" in data:
            raise FormatError("bad")
        if b"left" in data:
            (tmp_path / "tmp" / "left").write_text("", encoding="utf-8")
        if b"slow" in data:
            until = time.process_time() + 5
            while time.process_time() < until:
                pass

    return Judge(read, tmp_path, kept=tmp_path / "kept")


def test_an_error_of_arbitree_is_a_refusal(judge):
    judge.judge(b"good")
    judge.judge(b"bad")
    judge.judge(b"bad")
    assert (judge.tally.inputs, judge.tally.distinct, judge.tally.refused, judge.tally.failed) == (3, 2, 2, 0)
    assert not judge.kept.exists()


def test_another_error_is_a_failure_whose_input_is_made_smaller_and_kept_once(judge):
    for number in range(3):
        judge.judge(b"first line\nan odd line\nlast line %d\n" % number)
    assert judge.tally.failures == {"KeyError": 3}
    kept = sorted(judge.kept.iterdir())
    assert [path.suffix for path in kept] == ["", ".txt"]
    assert kept[0].read_bytes() == b"odd"
    assert kept[1].read_text(encoding="utf-8").startswith("KeyError\n")


def test_a_temporary_file_that_remains_is_a_failure(judge):
    judge.judge(b"left")
    judge.judge(b"good")
    assert judge.tally.failures == {"Leftover": 1}


@pytest.mark.skipif(sys.platform != "linux", reason="the timer of processor time is that of Linux")
def test_an_input_that_takes_too_long_is_a_failure(judge, monkeypatch):
    import signal

    monkeypatch.setattr(judging, "SECONDS", 0.05)
    monkeypatch.setattr(judging, "MINIMISING", 0)
    before = signal.signal(signal.SIGPROF, judging._late)
    try:
        judge.judge(b"slow")
    finally:
        signal.signal(signal.SIGPROF, before)
    assert judge.tally.failures == {"TooSlow": 1}


def test_tallies_are_summed_and_shown():
    found = Tally(inputs=2, failed=1, slowest=0.5, failures={"KeyError": 1})
    found.add(Tally(inputs=3, failed=1, slowest=0.25, failures={"KeyError": 1}))
    assert (found.inputs, found.slowest, found.failures) == (5, 0.5, {"KeyError": 2})
    assert driver.table({"costs": found}).splitlines()[1].split()[:2] == ["costs", "5"]


def test_a_target_runs_in_a_process_of_its_own(tmp_path):
    given = Namespace(corpus=tmp_path / "corpus", failed=tmp_path / "failed", seed=1)
    tally = driver.slice_of(TARGETS["costs"], given, 0.5, False, 0)
    assert tally.inputs > 0
    assert tally.failures == {}

"""The process that computes what takes long, and the findings that it leaves in the store."""

import json
import os
import subprocess
import sys
import time
from contextlib import contextmanager
from itertools import groupby
from types import SimpleNamespace

import pytest

import arbitree as at
from arbitree import kinds
from arbitree.adjudication.differences import disagreements
from arbitree.annotator_models.findings import Difficulty
from arbitree.errors import UnsupportedStudy
from arbitree.kinds.labels.value import Label
from arbitree.reading.assembly import read_study
from arbitree.web.project import background, background_parts
from arbitree.web.project.background import ABSENT, COMMAND, PARTS, READY, RUNNING, Background
from arbitree.web.project.background_parts import Analysis
from arbitree.web.project.editions import contents_of
from arbitree.web.store import Store, StoreError
from tests.support.build import labelled, study_of

INPUTS = [f"examples/dependency/{coder}.conllu" for coder in ("ann", "bob", "cho")]
TREES = at.read(*INPUTS)
HOSTILE = "</script><script>alert(1)</script>"


@pytest.fixture
def store(sqlite):
    with Store.open(sqlite) as opened:
        opened.add_edition("0a", "{}")
        yield opened


def wait(findings, seconds=60):
    """Wait until nothing is under way any more."""
    end = time.monotonic() + seconds
    while any(findings.get(part).state == RUNNING for part in PARTS):
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.02)


def stand_in(text):
    """A command that behaves like the worker, but does what *text* says."""
    return [sys.executable, "-c", text]


def run_worker(text, **more):
    pipes = {"capture_output": True, "encoding": "utf-8", "timeout": 60}
    return subprocess.run(COMMAND, input=text, check=False, **pipes, **more)


@contextmanager
def running_worker(job):
    """The worker with its job, its input still open; it ends with the test in any case."""
    with subprocess.Popen(
        COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
    ) as process:
        try:
            process.stdin.write(json.dumps(job) + "\n")
            process.stdin.flush()
            yield process
        finally:
            process.kill()


def test_a_job_gives_one_line_for_each_part_and_ends():
    job = {"inputs": INPUTS, "parts": ["agreement", "pairs"], "dirs": False, "column": None}
    with running_worker(job) as process:
        lines = [json.loads(line) for line in process.stdout]
        assert process.wait(30) == 0
    assert [line["part"] for line in lines] == ["agreement", "pairs"]
    assert all(line["document"]["version"] == at.__version__ for line in lines)


def test_all_parts_are_found_and_kept(store):
    findings = Background(store, 1, {"inputs": INPUTS})
    assert findings.get("agreement").state == ABSENT
    findings.start()
    findings.start()
    assert findings.get("types").state == RUNNING
    wait(findings)
    assert [findings.get(part).state for part in PARTS] == [READY] * len(PARTS)
    findings.stop()
    again = Background(store, 1, {"inputs": INPUTS}, stand_in("raise SystemExit('not to be started')"))
    again.start()
    for part in PARTS:
        assert again.get(part) == findings.get(part)
    again.stop()


def test_what_another_version_computed_is_computed_again(store):
    store.keep_finding(1, "agreement", {"headline": "old", "version": "0.0.1"})
    findings = Background(store, 1, {"inputs": INPUTS})
    assert findings.get("agreement").state == ABSENT
    findings.start()
    assert findings.get("agreement").state == RUNNING
    findings.stop()


def test_a_column_of_the_trees_is_computed_as_labels(store):
    found = {
        line["part"]: line for line in background.done({"inputs": INPUTS, "column": "upos", "parts": PARTS})
    }
    assert "alpha_nominal" in found["agreement"]["document"]["headline"]
    assert "explain needs trees" in found["types"]["absent"]


def test_a_part_that_does_not_fit_says_why_and_is_not_computed_again(store):
    findings = Background(store, 1, {"inputs": INPUTS[:2]})
    findings.start()
    wait(findings)
    findings.stop()
    assert findings.get("suggestions").state == ABSENT
    assert "two annotators" in findings.get("suggestions").why
    assert findings.suggestions("any") == {}
    again = Background(store, 1, {"inputs": INPUTS[:2]}, stand_in("raise SystemExit(3)"))
    again.start()
    assert "two annotators" in again.get("suggestions").why
    assert "pairs are compared" in again.get("pairs").why
    again.stop()


def test_files_that_are_gone_make_parts_absent_for_this_time_only(store):
    findings = Background(store, 1, {"inputs": ["gone.conllu", "lost.conllu"]})
    findings.start()
    wait(findings)
    findings.stop()
    assert "gone.conllu" in findings.get("agreement").why
    assert all(store.finding(1, part) is None for part in PARTS)


def test_a_bug_in_one_part_leaves_the_others(monkeypatch, capsys):
    monkeypatch.setitem(background_parts.MAKERS, "types", lambda analysis: 1 / 0)
    lines = list(background.done({"inputs": INPUTS, "parts": ["agreement", "types"]}))
    assert "document" in lines[0]
    assert lines[1]["absent"] == "the computation failed (ZeroDivisionError)"
    assert lines[1]["passing"]
    assert "Traceback" in capsys.readouterr().err


DYING = [
    "import sys; sys.stdin.readline(); sys.exit(7)",
    "import os; os._exit(7)",
    """import os; os.write(1, b'{"part": "agree'); os._exit(7)""",
]


@pytest.mark.parametrize("text", DYING)
def test_a_process_that_dies_is_told(store, text):
    findings = Background(store, 1, {"inputs": INPUTS}, stand_in(text))
    findings.start()
    wait(findings)
    findings.stop()
    assert "code 7" in findings.get("agreement").why
    assert store.finding(1, "agreement") is None


def test_stopping_ends_the_process_even_if_it_does_not_listen(store, monkeypatch):
    monkeypatch.setattr("arbitree.web.project.background.PATIENCE", 0.5)
    deaf = (
        "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
        """print('{"part": "pairs", "absent": "x"}', flush=True); time.sleep(60)"""
    )
    findings = Background(store, 1, {"inputs": INPUTS}, stand_in(deaf))
    findings.start()
    process = findings._process
    while findings.get("pairs").state == RUNNING:  # from then on it is deaf
        time.sleep(0.02)
    findings.stop()
    assert process.poll() is not None
    assert findings.get("agreement").state == ABSENT
    findings.start()
    assert findings._process is process


def test_stopping_what_never_started_does_nothing(store):
    Background(store, 1, {"inputs": INPUTS}).stop()


def test_the_worker_ends_when_whoever_started_it_is_gone(tmp_path):
    endless = tmp_path / "ann.conllu"
    os.mkfifo(endless)  # nobody writes to it: who reads it waits
    with running_worker({"inputs": [str(endless)], "parts": ["agreement"]}) as process:
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(1)
        process.stdin.close()
        assert process.wait(30) == 0
        assert process.stdout.read() == ""


def test_the_worker_without_a_job_ends():
    ended = run_worker("")
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")


def test_files_beside_the_data_are_not_taken_for_modules(tmp_path):
    (tmp_path / "json.py").write_text("raise SystemExit(9)", encoding="utf-8")
    assert run_worker("", cwd=tmp_path).returncode == 0


def test_a_store_that_cannot_write_does_not_hide_findings(store, monkeypatch):
    def refuse(*given):
        raise StoreError("the disk is full")

    monkeypatch.setattr(store, "keep_finding", refuse)
    findings = Background(store, 1, {"inputs": INPUTS})
    findings.start()
    wait(findings)
    findings.stop()
    assert findings.get("agreement").state == READY


def test_suggestions_name_every_contested_place_with_a_value_that_a_coder_may_give():
    found = background_parts.compute("suggestions", Analysis(TREES))["items"]
    places = disagreements(TREES, kinds.of(TREES)).places
    by_item = {}
    for place in places:
        by_item.setdefault(place.item, {})[f"{place.place} {place.what}"] = place.choices
    assert found.keys() <= by_item.keys()
    for item, values in found.items():
        assert values.keys() <= by_item[item].keys()
        for key, value in values.items():
            assert value in by_item[item][key]
    assert sum(map(len, found.values())) > 0.5 * len(places)


def test_suggestions_for_phrase_trees_and_labels_use_the_same_names_as_places():
    phrases = at.read(*(f"examples/phrase/{coder}.mrg" for coder in ("ann", "bob", "cho")))
    keys = {
        key
        for values in background_parts.compute("suggestions", Analysis(phrases))["items"].values()
        for key in values
    }
    assert {key.rpartition(" ")[2] for key in keys} <= {"bracket", "tag"}
    study = labelled([["x", "x", "y"], ["y", "y", "y"], ["x", "x", "x"], ["y", "y", "x"]] * 4)
    found = background_parts.compute("suggestions", Analysis(study))["items"]
    assert found["0"] == {"label": "x"}
    assert "1" not in found


def test_what_is_as_probable_as_something_else_is_not_suggested(monkeypatch):
    study = labelled([["x", "y", "z"], ["x", "x", "y"]])
    items = (
        Difficulty("0", Label("x"), 0.7, (Label("x"), Label("y"))),
        Difficulty("1", Label("x"), 0.1),
    )
    monkeypatch.setattr(
        background_parts, "find_coders", lambda study, computing: SimpleNamespace(model="", items=items)
    )
    assert background_parts.compute("suggestions", Analysis(study))["items"] == {"1": {"label": "x"}}


def test_an_item_of_two_annotators_has_no_suggestion():
    """Cho is often wrong, so the model would follow ann on the last item."""
    rows = [["x", "x", "y"], ["y", "y", "y"], ["x", "x", "x"], ["y", "y", "x"]] * 4
    study = labelled([*rows, ["x", None, "y"]])
    found = background_parts.compute("suggestions", Analysis(study))["items"]
    assert "0" in found
    assert str(len(rows)) not in found


def test_documents_hold_what_pages_show():
    found = background_parts.compute("agreement", Analysis(TREES))
    assert found["headline"].startswith("Agreement of 3 annotators on")
    first = found["rows"][0]
    assert first["interval"]["low"] <= first["value"] <= first["interval"]["high"]
    assert first["signature"].startswith(first["measure"])
    pairs = background_parts.compute("pairs", Analysis(TREES))["rows"]
    assert [row["coders"] for row in pairs] == [["ann", "bob"], ["ann", "cho"], ["bob", "cho"]]
    types = background_parts.compute("types", Analysis(TREES))
    ids = {item.id for item in TREES.items}
    assert types["rows"]
    assert all(row["title"] and row["count"] and set(row["items"]) <= ids for row in types["rows"])
    asked = [row["question"] for row in types["rows"]]
    groups = [question for question, _ in groupby(asked)]
    assert all(asked)
    assert len(groups) == len(set(groups)) > 1  # the types of a question are together
    people = background_parts.compute("coders", Analysis(TREES))["rows"]
    assert [row["coder"] for row in people] == ["ann", "bob", "cho"]


@pytest.mark.parametrize("part", PARTS)
def test_documents_are_json_without_nan_whatever_the_names(part):
    names = ("a", HOSTILE, "c")
    rows = {f"{HOSTILE}{k}": {c: Label(HOSTILE if k % 2 else "\ud800") for c in names} for k in range(6)}
    same = {"1": {c: Label("x") for c in names}}
    for study in (TREES, study_of(rows), study_of(same)):
        try:
            found = background_parts.compute(part, Analysis(study))
        except UnsupportedStudy:
            continue
        assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_many_pairs_of_trees_are_sampled(monkeypatch):
    monkeypatch.setattr(background_parts, "MANY_PAIRS", 100)
    monkeypatch.setattr(background_parts, "SAMPLED", 50)
    found = background_parts.compute("agreement", Analysis(TREES))
    assert "estimated" in found["headline"]
    assert found["rows"][0]["estimated"]
    assert any("estimate from" in note for note in found["notes"])


def test_the_order_of_the_work_knows_all_parts():
    assert set(PARTS) == set(background_parts.MAKERS)


def test_files_that_changed_since_the_server_read_them_are_not_computed(store):
    findings = Background(store, 1, {"inputs": INPUTS, "fingerprint": "of other files"})
    findings.start()
    wait(findings)
    assert "changed since the server started" in findings.get("agreement").why
    findings.stop()
    assert store.finding(1, "agreement") is None


def test_the_files_as_the_server_read_them_are_computed(store):
    fingerprint = contents_of(read_study(INPUTS)).fingerprint
    findings = Background(store, 1, {"inputs": INPUTS, "fingerprint": fingerprint})
    findings.start()
    wait(findings)
    assert findings.get("agreement").state == READY
    findings.stop()

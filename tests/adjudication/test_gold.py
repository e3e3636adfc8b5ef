"""A log is replayed and a gold standard built without the web app."""

import subprocess
import sys

import pytest

import arbitree as at
from arbitree.adjudication.events import ACTIONS, Decide, Note, Reject, Undo, fold, step_of
from arbitree.adjudication.export import exported
from arbitree.adjudication.gold import Adjudication
from arbitree.adjudication.history import Conflict, LogEntry, Wish, by_item
from arbitree.kinds.dependency.kind import KIND

PATHS = ["examples/dependency/ann.conllu", "examples/dependency/bob.conllu"]


@pytest.fixture(scope="module")
def study():
    return at.read(*PATHS)


@pytest.fixture
def adjudication(study):
    return Adjudication(study, KIND)


def do(log, sheet, action, *, seen=None, request=None):
    """Append what *action* writes to a log in memory, and return the step."""
    request = request or f"request-{len(log)}"
    wish = Wish(1, "Ada", len(log) if seen is None else seen, request)
    step = step_of(log, wish, action, sheet)
    for new in step.new:
        key = (len(log), 1, new.subject, new.seen + 1, 1, "Ada", "2026-01-01T00:00:00Z")
        log.append(LogEntry(*key, new.action, new.body, new.request))
    return step


def contested(adjudication):
    return [
        number for number in range(1, len(adjudication.study.items) + 1) if adjudication.sheet(number).places
    ]


def test_a_log_in_memory_comes_to_a_gold_standard(adjudication):
    first, second, *rest = contested(adjudication)
    logs = {}
    for number, action in ((first, None), (second, Reject("no sentence"))):
        sheet = adjudication.sheet(number)
        log = logs.setdefault(sheet.item.id, [])
        assert do(log, sheet, action or Decide(sheet.of_coder("bob"))).saved
    settled = adjudication.settle(logs)
    items = adjudication.study.items
    assert settled.gold.rejected == [items[second - 1].id]
    assert settled.gold.undecided == [items[number - 1].id for number in rest]
    gold = settled.gold.golds[items[first - 1].id]
    assert gold.people == ("Ada",)
    assert gold.value.heads == adjudication.study.cells[items[first - 1].id, "bob"].value.heads
    ann, bob = settled.coders
    assert (ann.share, bob.share) == (0, 1)
    assert [result.measure for result in bob.results] == ["las", "uas", "la"]
    assert settled.study.reference == "adjudicated"
    assert "# adjudicated_by = Ada" in exported(adjudication.study, KIND, settled.gold.golds, "conllu")


def test_a_request_counts_once_and_a_late_one_is_a_conflict(adjudication):
    sheet = adjudication.sheet(contested(adjudication)[0])
    log = []
    do(log, sheet, Note("", "first"), request="one")
    assert do(log, sheet, Note("", "first"), seen=0, request="one").new == ()
    assert len(log) == 1
    with pytest.raises(Conflict):
        do(log, sheet, Note("", "second"), seen=0, request="one")
    with pytest.raises(Conflict) as caught:
        do(log, sheet, Note("", "second"), seen=0, request="two")
    assert caught.value.entries == log


def test_undoing_brings_the_state_before_back(adjudication):
    sheet = adjudication.sheet(contested(adjudication)[0])
    log = []
    do(log, sheet, Decide(sheet.of_coder("ann")))
    before = fold(log)
    do(log, sheet, Reject(""))
    after = do(log, sheet, Undo())
    assert after.saved
    assert (fold(log).decisions, fold(log).rejected) == (before.decisions, None)
    assert by_item(log) == {sheet.item.id: log}


def test_an_arc_is_one_step_with_an_entry_for_each_place(adjudication):
    sheet = next(sheet for sheet in map(adjudication.sheet, contested(adjudication)) if sheet.groups)
    keys = sheet.groups[0]
    values, _ = next(iter(sheet.given_together(keys).items()))
    log = []
    do(log, sheet, Note("", "before"))
    step = do(log, sheet, Decide(dict(zip(keys, values, strict=True)), apart=True), request="arc-12345")
    assert [entry.body["changes"] for entry in log[1:]] == [
        {key: value} for key, value in zip(keys, values, strict=True)
    ]
    assert [entry.body.get("joined", False) for entry in log[1:]] == [False, True]
    assert [entry.request for entry in log[1:]] == ["arc-12345", "arc-12345.2"]
    assert [new.tally is None for new in step.new] == [True, False]
    assert (
        do(
            log, sheet, Decide(dict(zip(keys, values, strict=True)), apart=True), seen=1, request="arc-12345"
        ).new
        == ()
    )

    do(log, sheet, Undo())
    assert [entry.body for entry in log[3:]] == [{"of": 3}, {"of": 2, "joined": True}]
    assert fold(log).values == {}
    assert fold(log).notes == {"": "before"}
    do(log, sheet, Undo())
    assert len(log) == 6
    assert fold(log).notes == {}


def test_a_step_of_one_entry_is_undone_alone(adjudication):
    sheet = next(sheet for sheet in map(adjudication.sheet, contested(adjudication)) if sheet.groups)
    head, label = sheet.groups[0]
    log = []
    for key in (head, label):
        do(log, sheet, Decide({key: sheet.place(key).values[0]}))
    do(log, sheet, Undo())
    assert set(fold(log).values) == {head}


def test_every_action_has_the_name_that_databases_hold():
    assert list(ACTIONS) == ["decide", "clear", "note", "reject", "reopen", "undo", "carry"]


def test_nothing_of_the_web_app_is_loaded():
    check = (
        "import sys, arbitree.adjudication.gold, arbitree.adjudication.differences;"
        "sys.exit(any(name.startswith(('arbitree.web', 'fastapi', 'sqlalchemy')) for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0

"""Pages that need no waiting are answered in the event loop, others in a thread."""

import pytest

from arbitree.adjudication import events
from arbitree.web.project.latest import Latest
from arbitree.web.sentences import filters
from arbitree.web.sentences.filters import tally
from arbitree.web.store import Store
from arbitree.web.waiting import may_wait
from tests.support.web.opened import wish
from tests.support.web.threads import threads_of


def test_what_is_in_memory_is_answered_in_the_event_loop():
    assert threads_of(lambda: 1) == (1, True)


def test_what_must_wait_runs_again_in_a_thread():
    assert threads_of(may_wait) == (2, False)


def test_a_known_person_needs_no_thread_until_somebody_writes(sqlite):
    with Store.open(sqlite) as store:
        olga = store.owner("Olga")
        store.person(olga.id)
        assert threads_of(lambda: store.person(olga.id)) == (1, True)
        store.add_person("Bea", "viewer")
        assert threads_of(lambda: store.person(olga.id)) == (2, False)


def test_decisions_on_many_items_are_counted_in_a_thread(project, monkeypatch):
    project.write(1, wish(project.store.owner("Olga"), 0, "r"), events.Reject("not a sentence"))
    tally(project)
    assert threads_of(lambda: tally(project)) == (1, True)
    monkeypatch.setattr(filters, "MANY", 0)
    assert threads_of(lambda: tally(project)) == (2, False)


def test_errors_of_the_event_loop_do_not_reach_waiting_threads():
    stamp = [1]
    latest = Latest(lambda: stamp[0], lambda stamp, kept: stamp * 10)
    assert threads_of(latest.get) == (2, False)
    assert threads_of(latest.get) == (1, True)
    stamp[0] = 2
    assert threads_of(latest.get) == (2, False)
    assert latest.get() == 20


def test_other_errors_are_raised_at_once():
    def refuse():
        raise LookupError("no such page")

    with pytest.raises(LookupError):
        threads_of(refuse)
    may_wait()  # outside the event loop everything may wait

"""The log: numbered without gaps, written once, never altered."""

import signal
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from arbitree.adjudication.history import Conflict, ItemTally, NewEntry
from arbitree.web.store import Store, StoreError
from tests.support.web.killed import SUBJECTS, write_and_die


@pytest.fixture
def write(store):
    """Append with little to say: the edition and the person are there."""
    edition = store.add_edition("first", "{}").id
    ada = store.owner("Ada").id

    def append(subject="item/1", seen=0, request="r", **others):
        given = {"edition": edition, "person": ada, "action": "choose", "body": {}} | others
        return store.append(subject=subject, seen=seen, request=request, **given)

    return append


def test_entries_come_back_as_they_were_written(store, write):
    body = {"3 head": "2 saw", "note": "né\u0000\ud800 𒀀 \\ ' \" %"}
    written = write(body=body, request="r1", action="choose")
    assert store.entries(1, "item/1") == [written]
    assert (written.sequence, written.name, written.action, written.body) == (1, "Ada", "choose", body)
    assert written.at.endswith("Z")
    assert len(written.at) == 20


def test_entries_are_numbered_in_order_by_subject(store, write):
    write(request="a")
    write(request="b", seen=1)
    write(request="c", subject="item/2")
    assert [entry.sequence for entry in store.entries(1, "item/1")] == [1, 2]
    assert [entry.sequence for entry in store.entries(1, "item/2")] == [1]


def test_editions_have_logs_of_their_own(store, write):
    write(request="a")
    second = store.add_edition("second", "{}").id
    assert write(request="b", edition=second).sequence == 1
    assert store.entries(second, "item/1") != store.entries(1, "item/1")


def test_logs_are_read_by_subject_and_counted(store, write):
    first, other = write(request="a"), write(request="b", subject="item/2\0")
    second = write(request="c", seen=1)
    write(request="d", subject="judge/1")
    write(request="e", edition=store.add_edition("second", "{}").id)
    assert store.lengths(1, "item/") == {"item/1": 2, "item/2\0": 1}
    logs = list(store.logs(1, ["item/2\0", "item/1", "item/none"]))
    assert sorted(logs) == sorted([[first, second], [other]])
    assert list(store.logs(1, [])) == []


def test_logs_of_many_subjects_are_read_in_pieces(store, write, monkeypatch):
    monkeypatch.setattr("arbitree.web.store.log.PIECE", 2)
    subjects = [f"item/{number}" for number in range(5)]
    for subject in subjects:
        write(request=subject, subject=subject)
        write(request=f"{subject} again", subject=subject, seen=1)
    assert [(log[0].subject, len(log)) for log in store.logs(1, subjects)] == [(each, 2) for each in subjects]


def test_writing_over_an_unseen_entry_is_a_conflict_that_shows_it(store, write):
    first, second = write(request="a"), write(request="b", seen=1)
    with pytest.raises(Conflict) as conflict:
        write(request="c", seen=0)
    assert conflict.value.entries == [first, second]
    with pytest.raises(Conflict) as conflict:
        write(request="c", seen=1)
    assert conflict.value.entries == [second]
    assert store.entries(1, "item/1") == [first, second]


def test_the_latest_entries_come_first_and_by_the_page(store, write):
    for turn in range(5):
        write(request=str(turn), seen=turn)
    write(request="x", subject="judge/1/1")
    found, total = store.latest_entries(1, "item/", 1, 2)
    assert ([entry.request for entry in found], total) == (["3", "2"], 5)
    assert store.latest_entries(1, "item/", 0, 9)[0] == store.entries_under(1, "item/")[::-1]
    assert store.latest_entries(1, "item/", 10**40, 9) == ([], 5)


@pytest.mark.parametrize("seen", [1, 7, 2**31 - 2, 2**31 - 1, 2**31, 10**40])
def test_having_seen_what_is_not_there_is_a_conflict(store, write, seen):
    with pytest.raises(Conflict) as conflict:
        write(seen=seen)
    assert conflict.value.entries == []
    assert store.entries(1, "item/1") == []


@pytest.mark.parametrize("seen", [-1, -(10**40)])
def test_having_seen_less_than_nothing_is_a_conflict(write, seen):
    first = write(request="a")
    with pytest.raises(Conflict) as conflict:
        write(seen=seen, request="b")
    assert conflict.value.entries == [first]


def test_a_repeated_request_gives_the_entry_of_the_first_time(store, write):
    first = write(request="a", body={"x": 1})
    write(request="b", seen=1)
    assert write(request="a", seen=0, body={"x": 1}) == first
    assert len(store.entries(1, "item/1")) == 2


def test_a_request_is_not_for_another_subject_or_person(store, write):
    write(request="a")
    bea = store.add_person("Bea", "adjudicator").id
    with pytest.raises(Conflict):
        write(request="a", subject="item/2")
    with pytest.raises(Conflict):
        write(request="a", person=bea)
    assert store.entries(1, "item/2") == []


def test_a_repeated_request_leaves_the_tally_of_later_ones(store, write):
    write(request="a", tally=ItemTally("contested", 1, 2))
    write(request="b", seen=1, tally=ItemTally("decided", 2, 2))
    write(request="a", seen=0, tally=ItemTally("contested", 1, 2))
    assert store.tallies(1) == {"item/1": ItemTally("decided", 2, 2)}


def test_tallies_are_read_between_two_states_of_the_history(store, write):
    tallies = {f"item/{number}": ItemTally("contested", 0, number) for number in (1, 2, 3)}
    stamps = [store.stamp(1)]
    for subject, tally in tallies.items():
        write(request=subject, subject=subject, tally=tally)
        stamps.append(store.stamp(1))
    assert len(set(stamps)) == 4
    assert store.tallies_between(1, stamps[1], stamps[3]) == {
        name: tallies[name] for name in ("item/2", "item/3")
    }
    assert store.tallies_between(1, stamps[3], stamps[3]) == {}
    if stamps[1].entries is not None:  # as if an entry with a lower number had become visible
        assert store.tallies_between(1, stamps[1]._replace(entries=0), stamps[3]) is None


def test_a_conflict_leaves_the_tally(store, write):
    write(request="a", tally=ItemTally("decided", 2, 2))
    with pytest.raises(Conflict):
        write(request="b", tally=ItemTally("contested", 0, 2))
    assert store.tallies(1) == {"item/1": ItemTally("decided", 2, 2)}


def test_an_unknown_edition_or_person_is_refused_in_words(write):
    with pytest.raises(StoreError, match="edition 9 or person 1 does not exist"):
        write(edition=9)
    with pytest.raises(StoreError, match="edition 1 or person 77 does not exist"):
        write(person=77)


def test_prefixes_find_their_subjects_alone(store, write):
    subjects = ["judge/1/2", "judge/1/22", "JUDGE/1/2", "judge/1_2", "judge%", "item/1"]
    for subject in subjects:
        write(subject=subject, request=subject)
    assert [entry.subject for entry in store.entries_under(1, "judge/1/")] == ["judge/1/2", "judge/1/22"]
    assert [entry.subject for entry in store.entries_under(1, "judge%")] == ["judge%"]
    assert [entry.subject for entry in store.entries_under(1, "")] == subjects


@pytest.mark.parametrize("change", ["UPDATE log SET action = 'x'", "DELETE FROM log"])
def test_the_database_itself_refuses_to_alter_the_log(store, write, change):
    entry = write()
    with pytest.raises(StoreError), store._writing() as connection:
        connection.execute(text(change))
    assert store.entries(1, "item/1") == [entry]


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(subject=st.text(st.characters(codec=None), max_size=30))
def test_subjects_may_hold_anything(store, write, subject):
    entries = store.entries(1, subject)
    entry = write(subject=subject, seen=len(entries), request=f"{subject}|{len(entries)}")
    assert entry.subject == subject
    assert store.entries(1, subject) == [*entries, entry]
    assert entry in store.entries_under(1, subject[:3])


@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(threads=st.integers(2, 6), each=st.integers(1, 6), subjects=st.integers(1, 2), data=st.data())
def test_many_who_write_at_once_lose_nothing_and_write_nothing_twice(
    store, write, threads, each, subjects, data
):
    """Every request is sent twice or more, by writers who on a conflict look again."""
    fresh = store.add_edition(str(data.draw(st.uuids())), "{}").id
    start = threading.Barrier(threads)

    def client(number):
        start.wait()
        return [insist(f"{fresh}/{number}/{turn}", f"item/{turn % subjects}") for turn in range(each)]

    def insist(request, subject):
        while True:
            try:
                seen = len(store.entries(fresh, subject))
                entry = write(edition=fresh, subject=subject, seen=seen, request=request)
                assert write(edition=fresh, subject=subject, seen=seen, request=request) == entry
            except Conflict:
                continue
            return entry

    with ThreadPoolExecutor(threads) as pool:
        acknowledged = [entry for entries in pool.map(client, range(threads)) for entry in entries]
    kept = store.entries_under(fresh, "")
    assert sorted(kept) == sorted(acknowledged)
    for subject in {entry.subject for entry in kept}:
        numbers = [entry.sequence for entry in store.entries(fresh, subject)]
        assert numbers == list(range(1, len(numbers) + 1))


def test_one_request_sent_by_many_at_once_is_written_once(store, write):
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: write(request="same"), range(8)))
    assert len(set(map(str, made))) == 1
    assert store.entries(1, "item/1") == made[:1]


@pytest.fixture
def write_all(store, write):
    """Append entries about several subjects, given as pairs of a subject and the last entry seen."""

    def append_all(*places, request="all", body=None, tally=None):
        rows = [
            NewEntry(subject, seen, "choose", body or {}, f"{request}.{number}", tally)
            for number, (subject, seen) in enumerate(places)
        ]
        return store.append_all(rows, edition=1, person=1)

    return append_all


def test_entries_about_many_subjects_are_written_together(store, write, write_all):
    write()
    made = write_all(("item/2", 0), ("item/1", 1), ("item/2", 1), tally=ItemTally("decided", 1, 1))
    assert [(entry.subject, entry.sequence) for entry in made] == [
        ("item/2", 1),
        ("item/1", 2),
        ("item/2", 2),
    ]
    assert store.entries_under(1, "")[1:] == made
    assert store.tallies(1) == dict.fromkeys(["item/1", "item/2"], ItemTally("decided", 1, 1))
    assert store.append_all([], edition=1, person=1) == []


@pytest.mark.parametrize("seen", [0, 2])
def test_one_subject_that_moved_on_keeps_all_from_being_written(store, write, write_all, seen):
    first = write()
    with pytest.raises(Conflict) as conflict:
        write_all(("item/2", 0), ("item/1", seen), ("item/3", 0), tally=ItemTally("decided", 1, 1))
    assert conflict.value.entries == ([] if seen else [first])
    assert store.entries_under(1, "") == [first]
    assert store.tallies(1) == {}


def test_a_repeated_request_for_many_gives_the_entries_of_the_first_time(store, write, write_all):
    places = [(f"item/{number}", 0) for number in range(1200)]
    made = write_all(*places)
    write(request="later", seen=1)
    assert write_all(*places) == made
    assert len(store.entries_under(1, "")) == 1201


def test_a_repeated_request_for_many_with_other_content_is_a_conflict(store, write_all):
    made = write_all(("item/1", 0), ("item/2", 0))
    for other in [
        lambda: write_all(("item/1", 0), ("item/2", 0), body={"x": 1}),
        lambda: write_all(("item/1", 0), ("item/2", 0), ("item/3", 0)),
        lambda: write_all(("item/3", 0), ("item/2", 1)),
    ]:
        with pytest.raises(Conflict):
            other()
    assert store.entries_under(1, "") == made


def test_a_request_that_only_a_later_row_repeats_is_a_conflict(store, write, write_all):
    first = write(request="all.1")
    with pytest.raises(Conflict):
        write_all(("item/2", 0), ("item/1", 0))
    assert store.entries_under(1, "") == [first]


def test_rows_of_one_subject_must_follow_each_other(write_all):
    with pytest.raises(ValueError, match="entry 3 does not follow entry 1"):
        write_all(("item/1", 0), ("item/1", 2))


@pytest.mark.parametrize("rows", [1, 3, 5])
def test_a_process_that_is_killed_between_rows_leaves_none_of_them(store, write, url, rows):
    before = [write()]
    assert write_and_die(url, rows=rows) == -signal.SIGKILL
    assert (store.entries_under(1, ""), store.tallies(1)) == (before, {})


def test_a_process_that_is_killed_after_the_last_row_leaves_all_of_them(store, write, url):
    write()
    assert write_and_die(url) == -signal.SIGKILL
    assert [entry.subject for entry in store.entries_under(1, "")[1:]] == SUBJECTS
    assert list(store.tallies(1)) == SUBJECTS


def test_two_stores_on_one_database_see_each_other(store, write, url):
    with Store.open(url) as other:
        mine = write(request="a")
        assert other.entries(1, "item/1") == [mine]
        with pytest.raises(Conflict):
            other.append(edition=1, subject="item/1", seen=0, person=1, action="x", body={}, request="b")

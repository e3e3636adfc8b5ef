"""Two people decide a sentence independently; what they agree on becomes the gold standard."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from arbitree.adjudication.bulk import BulkWish
from arbitree.adjudication.events import Clear, Decide, Note, Reject
from arbitree.adjudication.history import Wish
from arbitree.errors import UnknownName
from arbitree.web.project.bulk import CLOSED, decide_all, undo_all
from arbitree.web.project.progress import next_undecided, progress_for
from arbitree.web.store.assignments import double_subject
from tests.support.web.opened import ANN, BOB, opened, visitor, write_study

HEAD, OTHER_HEAD = {"3 head": "2"}, {"3 head": "4"}
REST = {"3 label": "obj", "4 label": "obl"}


@pytest.fixture
def people(project):
    """The owner and two adjudicators."""
    store = project.store
    return store.owner("Ada"), store.add_person("Bea", "adjudicator"), store.add_person("Cem", "adjudicator")


@pytest.fixture
def pair(project, people):
    """Two who decide the first sentence independently."""
    _, bea, cem = people
    project.store.assign(project.edition.id, {"s1": [bea.id, cem.id]})
    return bea, cem


def decide(project, person, changes, number=1):
    act(project, person, Decide(changes), number)


def act(project, person, action, number=1):
    seen = project.state(number, person.id).seen
    project.write(number, Wish(person.id, person.name, seen, f"{person.name} {number} {seen}"), action)


def values(project, number=1):
    return project.state(number).values


def test_neither_sees_what_the_other_decided(project, people, pair):
    bea, cem = pair
    decide(project, bea, HEAD | REST)
    assert project.state(1, bea.id).values == {"3 head": "2 saw", "3 label": "obj", "4 label": "obl"}
    assert project.state(1, cem.id).values == {}
    assert values(project) == project.state(1, people[0].id).values == {}
    assert project.settled().rulings == []
    assert "s1" in project.settled().gold.undecided


def test_what_both_decided_alike_is_gold_and_the_rest_is_open(project, pair):
    bea, cem = pair
    decide(project, bea, HEAD | REST)
    decide(project, cem, OTHER_HEAD | {"3 label": "obj"})
    assert values(project) == {}
    decide(project, cem, {"4 label": "obl"})
    assert values(project) == {"3 label": "obj", "4 label": "obl"}
    assert project.state(1).decisions["3 label"].people == ("Bea", "Cem")
    assert project.state(1, bea.id).values["3 head"] == "2 saw"
    assert project.state(1, cem.id).values["3 head"] == "4 there"
    assert "s1" in project.settled().gold.undecided


def test_what_both_decided_alike_everywhere_is_decided(project, pair):
    for person in pair:
        decide(project, person, HEAD | REST)
    assert project.statuses.get() == {"s1": "decided"}
    assert project.settled().gold.golds["s1"].people == ("Bea", "Cem")
    told = visitor(project).get("/history").text
    assert "took over 3 decisions of Bea, Cem, made independently" in told


def test_both_may_change_their_minds_until_the_other_is_done(project, pair):
    bea, cem = pair
    decide(project, bea, HEAD | REST)
    act(project, bea, Clear(["3 head"]))
    decide(project, cem, HEAD | REST)
    assert values(project) == {}
    decide(project, bea, OTHER_HEAD)
    assert values(project) == {"3 label": "obj", "4 label": "obl"}


def test_a_sentence_that_both_exclude_is_excluded(project, pair):
    for person, why in zip(pair, ["no sentence", "a title"], strict=True):
        act(project, person, Reject(why))
    assert project.state(1).rejected == "no sentence / a title"
    assert project.settled().gold.rejected == ["s1"]


def test_a_sentence_that_one_excludes_is_left_to_the_owner(project, pair):
    bea, cem = pair
    decide(project, bea, HEAD | REST)
    act(project, bea, Note("3 head", "sure"))
    act(project, cem, Reject("a title"))
    assert values(project) == {}
    assert project.state(1).notes == {"3 head": "sure"}
    assert project.state(1).rejected is None


def test_decisions_of_others_are_not_overwritten(project, people, pair):
    decide(project, people[0], OTHER_HEAD)
    for person in pair:
        decide(project, person, HEAD | REST)
    assert values(project) == {"3 head": "4 there", "3 label": "obj", "4 label": "obl"}
    assert project.state(1).decisions["3 head"].people == ("Ada",)


def test_the_last_request_can_be_sent_again(project, pair):
    bea, cem = pair
    decide(project, bea, HEAD | REST)
    wish = Wish(cem.id, "Cem", 0, "once and again")
    assert project.write(1, wish, Decide(HEAD | REST)).saved
    count = len(project.store.entries_under(project.edition.id, ""))
    assert project.write(1, wish, Decide(HEAD | REST)).saved
    assert len(project.store.entries_under(project.edition.id, "")) == count == 3


def test_when_both_are_done_only_the_owner_decides_where_they_differ(project, people, pair):
    decide(project, pair[0], HEAD | REST)
    decide(project, pair[1], OTHER_HEAD | REST)
    for person in pair:
        with pytest.raises(UnknownName, match="both of you have decided this sentence") as error:
            decide(project, person, HEAD)
        assert "The owner of the study decides" in error.value.hint
    assert "3 head" not in values(project)
    decide(project, people[0], HEAD)
    assert project.statuses.get() == {"s1": "decided"}


def test_the_owner_as_one_of_two_decides_where_they_differ(project, people):
    ada, bea, _ = people
    project.store.assign(project.edition.id, {"s1": [ada.id, bea.id]})
    decide(project, bea, HEAD | REST)
    assert project.state(1, ada.id).values == {}
    wish = Wish(ada.id, "Ada", 0, "once and again")
    for _ in range(2):
        assert project.write(1, wish, Decide(OTHER_HEAD | REST)).saved
    assert project.state(1, ada.id).values == {"3 label": "obj", "4 label": "obl"}
    decide(project, ada, HEAD)
    assert values(project)["3 head"] == "2 saw"


@pytest.mark.parametrize("number", [1, 3])
def test_two_who_finish_at_once_are_compared_once(project, people, number):
    _, *pair = people
    project.store.assign(project.edition.id, {project.item(number).id: [each.id for each in pair]})
    wanted = HEAD | REST if number == 1 else {"3 head": "2"}
    ready = threading.Barrier(2)

    def finish(person):
        ready.wait()
        decide(project, person, wanted, number)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(finish, pair))
    assert [entry.action for entry in project.entries(number)] == ["carry"]
    assert project.statuses.get() == {project.item(number).id: "decided"}


def test_a_comparison_that_was_interrupted_is_made_at_the_next_start(project, pair, tmp_path, monkeypatch):
    monkeypatch.setattr(type(project.assignment), "accept", lambda *_: None)
    for person in pair:
        decide(project, person, HEAD | REST)
    assert values(project) == {}
    monkeypatch.undo()
    project.store.close()
    again = opened(write_study(tmp_path, ann=ANN, bob=BOB), tmp_path)
    with again.store:
        assert len(values(again)) == 3


def test_what_comes_next_is_ones_own_then_what_is_open_to_all(project, people, pair):
    _, bea, cem = people
    project.store.assign(project.edition.id, {"s3": [cem.id]})
    assert [next_undecided(project, 0, person=each) for each in people] == [None, 1, 1]
    decide(project, cem, HEAD | REST)
    assert [next_undecided(project, 0, person=each) for each in people] == [None, 1, 3]
    decide(project, bea, OTHER_HEAD | REST)
    assert [next_undecided(project, 0, person=each) for each in people] == [1, None, 3]
    project.store.assign(project.edition.id, {"s3": []})
    assert [next_undecided(project, 0, person=each) for each in people] == [1, 3, 3]


def test_progress_is_that_of_ones_own(project, people, pair):
    decide(project, pair[1], HEAD | REST)
    found = [progress_for(project, each) for each in people]
    assert [(each.to_decide, each.percent, each.own) for each in found] == [
        (2, 0, False),
        (1, 0, True),
        (1, 100, True),
    ]


@pytest.mark.parametrize("leave", ["remove", "viewer"])
def test_what_somebody_has_not_decided_returns_when_they_leave(project, people, leave):
    _, bea, cem = people
    project.store.assign(project.edition.id, {"s1": [cem.id], "s3": [cem.id]})
    decide(project, cem, HEAD | REST)
    if leave == "remove":
        project.store.remove_person(cem.id)
    else:
        project.store.set_role(cem.id, leave)
    assert project.assignment.release() == 1
    assert project.store.assignments() == {"s1": (cem.id,)}
    assert next_undecided(project, 0, person=bea) == 3
    assert project.assignment.release() == 0


def test_of_two_the_other_goes_on_alone_with_what_they_decided(project, people, pair):
    bea, cem = pair
    decide(project, bea, HEAD)
    decide(project, cem, REST)
    project.store.remove_person(cem.id)
    assert project.assignment.release() == 1
    assert project.store.assignments() == {"s1": (bea.id,)}
    assert values(project) == project.state(1, bea.id).values == {"3 head": "2 saw"}
    decide(project, bea, REST)
    assert project.statuses.get() == {"s1": "decided"}


def test_who_was_done_before_they_left_counts(project, people, pair):
    bea, cem = pair
    decide(project, cem, HEAD | REST)
    project.store.remove_person(cem.id)
    assert project.assignment.release() == 0
    decide(project, bea, HEAD | REST)
    assert project.state(1).people == ("Bea", "Cem")


def test_a_log_of_one_of_two_is_in_no_list_of_items(project, pair):
    decide(project, pair[0], HEAD | REST)
    assert [entry.subject for entry in project.store.entries_under(project.edition.id, "")] == [
        double_subject("s1", pair[0].id)
    ]
    assert project.store.tallies(project.edition.id) == {}
    client = visitor(project)
    for address in ("/history", "/decisions", "/export/decisions.tsv", "/export/log.tsv", "/sentences/1",
                    "/api/sentences/1/desk", "/api/sentences/1/history", "/"):  # fmt: skip
        assert "Bea" not in client.get(address).text, address
    assert 'aria-pressed="true"' not in client.get("/adjudicate/1").text


def test_what_is_closed_is_skipped_by_decisions_on_many(project, people, pair):
    bea, cem = pair
    wishes = [BulkWish(1, 0, {key: value}) for key, value in (HEAD | REST).items()]
    saved = decide_all(project, bea, wishes, "many at once")
    assert len(saved.entries) == 3
    assert values(project) == {}
    decide(project, cem, OTHER_HEAD | REST)
    undone = undo_all(project, bea, saved.entries, "never mind")
    assert (undone.entries, [skip.why for skip in undone.skipped]) == ([], [CLOSED])
    assert project.state(1, bea.id).values["3 head"] == "2 saw"

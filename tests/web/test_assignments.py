"""Who is to decide which items, in both databases."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from arbitree.web.store import PersonError, Store
from arbitree.web.store.assignments import double_subject


@pytest.fixture
def edition(store):
    return store.add_edition("a", "{}").id


@pytest.fixture
def people(store):
    """The owner and two adjudicators."""
    return [
        store.owner("Ada"),
        store.add_person("Bea", "adjudicator"),
        store.add_person("Cem", "adjudicator"),
    ]


def write(store, edition, subject, person):
    store.append(edition=edition, subject=subject, seen=0, person=person.id, action="decide",
                 body={"changes": {}}, request=f"request {subject}")  # fmt: skip


def test_items_are_assigned_to_one_person_or_two(store, edition, people):
    ada, bea, cem = (person.id for person in people)
    odd = "s\0\ud800/2"
    assert store.assign(edition, {"s1": [bea], odd: [cem, ada]}) == frozenset()
    assert store.assignments() == {"s1": (bea,), odd: (ada, cem)}
    assert (store.assigned("s1"), store.assigned(odd), store.assigned("s9")) == ((bea,), (ada, cem), ())


def test_what_is_assigned_again_replaces_what_was(store, edition, people):
    _, bea, cem = (person.id for person in people)
    store.assign(edition, {"s1": [bea], "s2": [bea, cem], "s3": [bea]})
    store.assign(edition, {"s1": [cem], "s2": []})
    assert store.assignments() == {"s1": (cem,), "s3": (bea,)}


def test_what_is_begun_stays_with_those_who_began_it(store, edition, people):
    _, bea, cem = people
    store.assign(edition, {"s1": [bea.id], "s2": [bea.id, cem.id], "s3": [bea.id]})
    write(store, edition, "item/s1", bea)
    write(store, edition, double_subject("s2", cem.id), cem)
    begun = store.assign(edition, {"s1": [cem.id], "s2": [], "s3": [cem.id]})
    assert begun == {"s1", "s2"}
    assert store.assignments() == {"s1": (bea.id,), "s2": (bea.id, cem.id), "s3": (cem.id,)}


def test_an_entry_on_another_version_of_the_files_begins_nothing(store, edition, people):
    _, bea, cem = people
    write(store, edition, "item/s1", bea)
    assert store.assign(store.add_edition("b", "{}").id, {"s1": [cem.id]}) == frozenset()
    assert store.assignments() == {"s1": (cem.id,)}


@pytest.mark.parametrize("leave", ["remove", "role", "unknown"])
def test_nothing_is_assigned_to_somebody_who_left(store, edition, people, leave):
    _, bea, cem = people
    store.assign(edition, {"s1": [bea.id]})
    number = 99 if leave == "unknown" else cem.id
    if leave == "remove":
        store.remove_person(cem.id)
    elif leave == "role":
        store.set_role(cem.id, "viewer")
    told = {"remove": "Cem has left the project", "role": r"Cem \(viewer\) may not adjudicate",
            "unknown": "person 99 does not exist"}[leave]  # fmt: skip
    with pytest.raises(PersonError, match=told) as error:
        store.assign(edition, {"s1": [number], "s2": [bea.id]})
    assert "Nothing was assigned" in error.value.hint
    assert store.assignments() == {"s1": (bea.id,)}


def test_items_are_withdrawn_from_one_person(store, edition, people):
    _, bea, cem = (person.id for person in people)
    store.assign(edition, {"s1": [bea, cem], "s2": [bea], "s3": [bea]})
    store.release(bea, ["s1", "s2"])
    assert store.assignments() == {"s1": (cem,), "s3": (bea,)}


def test_of_two_who_deal_at_once_one_wins_whole(store, edition, people):
    items = [f"s{number}" for number in range(600)]
    deals = [{item: [person.id] for item in items} for person in people]
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda dealt: store.assign(edition, dealt), deals))
    found = store.assignments()
    assert len(found) == 600
    assert len(set(found.values())) == 1


def test_time_is_added_up_and_bounded(store, edition, people):
    _, bea, cem = (person.id for person in people)
    for item, person, spent in [("s1", bea, 20), ("s1", bea, 15), ("s1", cem, 10**12), ("s\0", bea, -5)]:
        store.add_visit(edition, item, person, spent)
    found = [(each.item, each.person, each.milliseconds) for each in store.visits(edition)]
    assert sorted(found) == [("s\0", bea, 0), ("s1", bea, 35), ("s1", cem, 600_000)]
    assert store.visits(store.add_edition("b", "{}").id) == []


def test_the_last_entry_of_each_log_is_found(store, edition, people):
    _, bea, cem = people
    write(store, edition, "item/s1", bea)
    write(store, edition, "item/s2", bea)
    write(store, edition, double_subject("s1", cem.id), cem)
    store.append(edition=edition, subject="item/s1", seen=1, person=cem.id, action="undo", body={"of": 1},
                 request="request")  # fmt: skip
    found = [(each.subject, each.sequence, each.person) for each in store.last_entries(edition, "item/")]
    assert found == [("item/s2", 1, bea.id), ("item/s1", 2, cem.id)]


def test_assignments_and_times_are_part_of_a_copy(store, edition, people, tmp_path):
    store.assign(edition, {"s1": [people[1].id]})
    store.add_visit(edition, "s1", people[1].id, 7)
    store.copy_to(tmp_path / "copy.sqlite")
    with Store.open(f"sqlite:///{tmp_path}/copy.sqlite") as copy:
        assert copy.assignments() == store.assignments()
        assert copy.visits(edition) == store.visits(edition)

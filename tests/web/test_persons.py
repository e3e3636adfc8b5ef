"""People: names, roles, removal."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import event

from arbitree.web.roles import RIGHTS, ROLES, may
from arbitree.web.store import PersonError, Store, StoreError
from arbitree.web.store.persons import checked_name, folded


def test_the_owner_is_number_one_whoever_comes_first(store):
    bea = store.add_person("Bea", "judge")
    ada = store.owner("Ada")
    assert (ada.id, ada.role) == (1, "owner")
    assert bea.id > 1
    assert store.owner("Somebody else") == ada
    assert store.people() == [ada, bea]


def test_there_is_one_owner(store):
    store.owner("Ada")
    with pytest.raises(PersonError):
        store.add_person("Bea", "owner")
    bea = store.add_person("Bea", "viewer")
    with pytest.raises(PersonError, match="role 'owner'"):
        store.set_role(bea.id, "owner")


def test_the_owner_cannot_be_removed_or_demoted(store):
    ada = store.owner("Ada")
    with pytest.raises(PersonError, match="role cannot change"):
        store.remove_person(ada.id)
    with pytest.raises(PersonError, match="role cannot change"):
        store.set_role(ada.id, "viewer")
    assert store.person(1) == ada


def test_roles_can_be_changed_to_known_ones(store):
    bea = store.add_person("Bea", "viewer")
    assert store.set_role(bea.id, "adjudicator").role == "adjudicator"
    assert store.person(bea.id).role == "adjudicator"
    with pytest.raises(PersonError, match="Choose one of adjudicator, judge, viewer"):
        store.set_role(bea.id, "queen")
    with pytest.raises(PersonError, match="unknown role 'queen'"):
        store.add_person("Cleo", "queen")


def test_changing_somebody_who_is_not_there_is_refused(store):
    for change in (
        store.remove_person,
        store.end_sessions,
        store.invite,
        lambda n: store.set_role(n, "judge"),
    ):
        for number in (77, 0, 10**30):
            with pytest.raises(PersonError, match="does not exist"):
                change(number)
    assert store.person(10**30) is None


@pytest.mark.parametrize("other", ["bea", "BEA", " Bea ", "Ｂｅａ"])
def test_names_are_unique_whatever_their_case(store, other):
    store.add_person("Bea", "viewer")
    with pytest.raises(PersonError, match="already in use"):
        store.add_person(other, "viewer")


def test_the_owners_name_is_taken_too(store):
    store.add_person("Ada", "judge")
    with pytest.raises(PersonError, match="already in use"):
        store.owner("ada")


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("", "empty"),
        (" \t ", "empty"),
        ("\u200d", "empty"),
        ("a" * 81, "81 characters"),
        ("a\x00b", "invisible"),
        ("a\nb", "invisible"),
        ("a\x1bb", "invisible"),
        ("a\u202eb", "invisible"),
        ("a\u2028b", "invisible"),
        ("a\ud800", "invisible"),
    ],
)
def test_bad_names_are_refused(store, name, wrong):
    with pytest.raises(PersonError, match=wrong):
        store.add_person(name, "viewer")
    assert store.people() == []


def test_long_names_of_all_scripts_are_kept(store):
    for name in ["a" * 80, "Zoë O'Hara-Ñandú", "کیان\u200cدخت", "山田 花子", "<b>Bea</b>"]:
        assert store.add_person(f"  {name} ", "viewer").name == name


@given(st.text(st.characters(codec=None), max_size=90))
def test_a_checked_name_passes_again_unchanged(name):
    try:
        checked = checked_name(name)
    except PersonError:
        return
    assert checked_name(checked) == checked
    assert 1 <= len(checked) <= 80
    assert folded(checked.upper()) == folded(folded(checked.upper()))


def test_who_was_removed_is_gone_but_for_the_log(store):
    edition = store.add_edition("first", "{}").id
    bea = store.add_person("Bea", "adjudicator")
    store.append(edition=edition, subject="item/1", seen=0, person=bea.id, action="x", body={}, request="r")
    store.remove_person(bea.id)
    assert store.person(bea.id) is None
    assert store.people() == []
    assert [entry.name for entry in store.entries(edition, "item/1")] == ["Bea"]
    with pytest.raises(PersonError, match="does not exist"):
        store.remove_person(bea.id)


def test_a_removed_name_comes_back_as_the_same_person_without_old_sessions(store):
    bea = store.add_person("Bea", "adjudicator")
    store.remove_person(bea.id)
    again = store.add_person("bea", "judge")
    assert (again.id, again.name, again.role) == (bea.id, "bea", "judge")
    assert again.generation > bea.generation


def test_ending_sessions_begins_a_generation(store):
    ada = store.owner("Ada")
    assert store.end_sessions(1).generation == ada.generation + 1
    assert store.person(1).generation == ada.generation + 1


@pytest.mark.parametrize("role", ROLES)
def test_the_owner_has_every_right_and_the_others_some(role):
    rights = {right for right in RIGHTS if may(role, right)}
    assert rights == set(RIGHTS) if role == "owner" else rights < set(RIGHTS)
    assert rights


def test_judges_are_blind():
    assert not may("judge", "explore")
    assert not may("viewer", "adjudicate")
    with pytest.raises(KeyError):
        may("owner", "fly")


def test_changes_by_others_are_seen_at_once(store, url):
    bea = store.add_person("Bea", "viewer")
    with Store.open(url) as other:
        for role in ("judge", "viewer", "adjudicator"):
            assert store.person(bea.id) == other.person(bea.id)
            changed = other.set_role(bea.id, role)
            assert store.person(bea.id) == changed
        other.remove_person(bea.id)
        assert store.person(bea.id) is None


def test_own_changes_are_seen_at_once(store):
    bea = store.add_person("Bea", "viewer")
    assert store.person(bea.id) == bea
    assert store.set_role(bea.id, "judge") == store.person(bea.id)
    ended = store.end_sessions(bea.id)
    assert ended == store.person(bea.id) != bea


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_a_person_is_read_once_as_long_as_nobody_writes(store):
    bea = store.add_person("Bea", "viewer")
    assert store.person(bea.id) == bea
    begun = []
    event.listen(store._engine, "begin", begun.append)
    assert store.person(bea.id) == bea
    assert not begun
    store.add_person("Cem", "viewer")
    begun.clear()
    assert store.person(bea.id) == bea
    assert begun


def test_a_closed_database_answers_nothing_from_memory(store):
    bea = store.add_person("Bea", "viewer")
    assert store.person(bea.id) == bea
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.person(bea.id)

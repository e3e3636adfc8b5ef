"""Editions, rounds, findings and the key of sessions."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from arbitree.web.store import Store, StoreError


def test_an_edition_is_made_once(store):
    assert store.latest() is None
    assert store.edition("a") is None
    first = store.add_edition("a", '{"files": ["x"]}')
    second = store.add_edition("b", "{}")
    assert store.add_edition("a", "other") == first
    assert store.edition("a") == first
    assert store.editions() == [first, second]
    assert store.latest() == second


def test_servers_that_start_at_once_make_one_edition(store):
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: store.add_edition("same", "{}"), range(8)))
    assert set(made) == set(store.editions())
    assert len(set(made)) == 1


def test_rounds_are_opened_and_closed(store):
    edition = store.add_edition("a", "{}").id
    first = store.add_round(edition, {"pairs": [["x", "y"]], "seed": 0})
    second = store.add_round(edition, {})
    assert store.rounds(edition) == [first, second]
    assert store.round(first.id) == first
    assert not first.closed
    store.close_round(first.id)
    closed = store.round(first.id)
    assert closed.closed
    store.close_round(first.id)
    assert store.round(first.id) == closed
    assert store.round(second.id) == second


@pytest.mark.parametrize("number", [0, -1, 99, 2**31, 10**40])
def test_a_round_that_is_not_there_is_none(store, number):
    assert store.round(number) is None
    store.close_round(number)


def test_a_round_needs_an_edition(store):
    with pytest.raises(StoreError):
        store.add_round(5, {})


def test_findings_are_kept_by_edition_and_part(store):
    one, two = store.add_edition("a", "{}").id, store.add_edition("b", "{}").id
    store.keep_finding(one, "types", {"n": 1})
    store.keep_finding(one, "types", {"n": 2, "word": "né\x00"})
    store.keep_finding(two, "types", {"n": 3})
    assert store.finding(one, "types") == {"n": 2, "word": "né\x00"}
    assert store.finding(two, "types") == {"n": 3}
    assert store.finding(one, "Types") is None


def test_the_secret_is_long_and_the_same_for_all_who_serve(store, url):
    with Store.open(url) as other:
        assert other.secret() == store.secret()
        assert len(store.secret()) == 32


def test_two_projects_have_two_secrets(tmp_path):
    stores = [Store.open(f"sqlite:///{tmp_path}/{name}.sqlite") for name in "ab"]
    assert stores[0].secret() != stores[1].secret()
    for each in stores:
        each.close()

"""Links that let people in: secret, single, and for a time."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from types import SimpleNamespace

import pytest
from sqlalchemy import text

from arbitree.web.store import HOUR, Store


@pytest.fixture
def clock():
    return SimpleNamespace(now=1_800_000_000.0)


@pytest.fixture
def store(url, clock):
    with Store.open(url, clock=lambda: clock.now) as opened:
        yield opened


@pytest.fixture
def bea(store):
    return store.add_person("Bea", "judge")


def test_a_link_lets_its_person_in_once(store, bea):
    token = store.invite(bea.id)
    assert store.invitation(token)[1:3] == (bea, "open")
    assert store.use(token) == bea
    assert store.use(token) is None
    assert store.invitation(token).state == "used"


def test_looking_at_a_link_does_not_use_it(store, bea):
    token = store.invite(bea.id)
    assert {store.invitation(token).state for _ in range(3)} == {"open"}
    assert store.use(token) == bea


@pytest.mark.parametrize("token", ["", "x", "x" * 10_000, "é\ud800\x00"])
def test_an_unknown_link_lets_nobody_in(store, bea, token):
    store.invite(bea.id)
    assert store.use(token) is None
    assert store.invitation(token)[1:3] == (None, "unknown")


def test_a_link_lasts_a_week_or_as_long_as_was_said(store, bea, clock):
    week, hour = store.invite(bea.id), store.invite(bea.id, HOUR)
    clock.now += 3600
    assert (store.invitation(week).state, store.invitation(hour).state) == ("open", "expired")
    assert store.use(hour) is None
    clock.now += timedelta(days=7).total_seconds()
    assert store.invitation(week).state == "expired"
    assert store.use(week) is None


def test_revoking_ends_the_open_links_of_one_person(store, bea):
    cleo = store.add_person("Cleo", "viewer")
    used, opened, other = store.invite(bea.id), store.invite(bea.id), store.invite(cleo.id)
    store.use(used)
    store.revoke(bea.id)
    assert [store.invitation(token).state for token in (used, opened, other)] == ["used", "revoked", "open"]
    assert store.use(opened) is None
    assert store.use(other) == cleo


def test_the_links_of_a_removed_person_are_revoked_for_good(store, bea):
    token = store.invite(bea.id)
    store.remove_person(bea.id)
    assert store.invitation(token).state == "revoked"
    store.add_person("Bea", "judge")
    assert store.use(token) is None


def test_tokens_are_long_random_and_not_in_the_database(store, bea):
    tokens = {store.invite(bea.id) for _ in range(20)}
    assert len(tokens) == 20
    assert all(len(token) == 43 for token in tokens)
    with store._reading() as connection:
        rows = [str(row) for row in connection.execute(text("SELECT * FROM invitations"))]
    assert not any(token in row for token in tokens for row in rows)


def test_of_many_who_use_a_link_at_once_one_gets_in(store, bea):
    for _ in range(5):
        token = store.invite(bea.id)
        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(store.use, [token] * 8))
        assert sorted(found, key=str).count(bea) == 1
        assert found.count(None) == 7

"""Several servers on one database."""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from arbitree.adjudication.history import Conflict
from arbitree.web.store import Store

SERVERS = 3
EACH = 15


def serve(url, number):
    """Open the store as a server does, add decisions to one subject, and return what was acknowledged."""
    with Store.open(url, patience=30) as store:
        edition = store.add_edition("same", "{}").id
        owner = store.owner("Ada").id
        return store.secret(), [decide(store, edition, owner, f"{number}/{turn}") for turn in range(EACH)]


def decide(store, edition, person, request):
    while True:
        seen = len(store.entries(edition, "item/1"))
        wish = {"subject": "item/1", "seen": seen, "action": "x", "body": {"request": request}}
        try:
            return store.append(edition=edition, person=person, request=request, **wish)
        except Conflict:
            continue


def test_servers_that_start_at_once_make_one_project_and_lose_nothing(url):
    with ProcessPoolExecutor(SERVERS, mp_context=get_context("spawn")) as pool:
        done = list(pool.map(serve, [url] * SERVERS, range(SERVERS)))
    acknowledged = [entry for _, entries in done for entry in entries]
    with Store.open(url) as store:
        kept = store.entries(1, "item/1")
        assert (len(store.editions()), len(store.people())) == (1, 1)
        assert {secret for secret, _ in done} == {store.secret()}
    assert [entry.sequence for entry in kept] == list(range(1, SERVERS * EACH + 1))
    assert sorted(kept) == sorted(acknowledged)
    assert all(entry.body == {"request": entry.request} for entry in kept)

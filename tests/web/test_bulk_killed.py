"""A server that is killed during a bulk decision has saved all of it or nothing."""

import http.client
import os
import signal
from functools import partial

import pytest

from arbitree.web.store import Store
from arbitree.web.store.log import Log
from tests.support.web.browsers import Browser, signed_in
from tests.support.web.forked import Forked
from tests.support.web.killed import kill_at
from tests.support.web.opened import sentence, write_study

WORDS = ("we", "saw", "it", "there")
HEADS = (2, 0, 2, 2)
ITEMS = 5
WHOLE = {
    "request": "request-1",
    "places": [{"number": n, "seen": 0, "changes": {"4 label": "obl"}} for n in range(1, ITEMS + 1)],
}


def kill_when_saved():
    """Kill this process when the decisions are saved, before it can answer."""
    append_all = Log.append_all

    def killed(*given, **named):
        append_all(*given, **named)
        os.kill(os.getpid(), signal.SIGKILL)

    Log.append_all = killed


@pytest.fixture
def url(request, kind):
    return request.getfixturevalue(kind)


@pytest.fixture
def words(tmp_path, url):
    """The words after ``arbitree serve`` for a study with the same disagreement in every sentence."""
    names = [f"s{n}" for n in range(1, ITEMS + 1)]
    ann = [sentence(name, WORDS, HEADS, ("nsubj", "root", "obj", "advmod")) for name in names]
    bob = [sentence(name, WORDS, HEADS, ("nsubj", "root", "obj", "obl")) for name in names]
    paths = write_study(tmp_path, ann=ann, bob=bob)
    return [*paths, "--project", str(tmp_path / "project"), "--database", url]


@pytest.mark.parametrize(
    ("kind", "moment", "saved"),
    [
        pytest.param("sqlite", partial(kill_at, 3), 0, id="between rows"),
        pytest.param("sqlite", kill_when_saved, ITEMS, id="after the last row"),
        pytest.param("postgres", partial(kill_at, 3), 0, id="between statements of PostgreSQL"),
    ],
)
def test_a_killed_server_leaves_all_or_nothing_and_the_request_can_be_sent_again(
    words, url, tmp_path, moment, saved
):
    with Forked(words, tmp_path / "errors", first=moment) as server:
        port = server.start()
        with Store.open(url) as store:
            session = signed_in(store, store.owner("Ada"))
        with pytest.raises((http.client.HTTPException, OSError)):
            Browser(port, *session).send("/api/bulk", WHOLE)
    with Store.open(url) as store:
        entries = store.entries_under(1, "item/")
        assert (len(entries), len(store.tallies(1))) == (saved, saved)
    with Forked(words, tmp_path / "errors") as server:
        again = Browser(server.start(), *session)
        assert again.send("/api/bulk", WHOLE).document == {"saved": ITEMS, "skipped": []}
        assert again.get("/api/progress").document["decided"] == ITEMS
        again.close()
    with Store.open(url) as store:
        assert [entry.subject for entry in store.entries_under(1, "item/")] == [
            f"item/s{n}" for n in range(1, ITEMS + 1)
        ]

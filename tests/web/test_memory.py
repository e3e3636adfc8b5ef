"""The memory of the server: pages leave nothing behind, and the program that measures it works."""

import asyncio
import gc

import pytest

from arbitree.adjudication.events import LogEntry
from tests.support.web.load import fitted, load
from tests.support.web.opened import app_of, visitor

PAGES = ["/", "/sentences", "/sentences/1", "/adjudicate/1", "/decisions", "/history", "/people", "/rounds"]


@pytest.mark.parametrize("address", PAGES)
def test_a_page_leaves_no_garbage_that_keeps_what_it_showed(project, address):
    app, cookie = app_of(project), visitor(project).cookies["arbitree"]
    assert asyncio.run(asked(app, address, cookie)) == 200  # what is made once stays
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        asyncio.run(asked(app, address, cookie))
        gc.collect()
        kept = {type(each).__name__ for each in gc.garbage}
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()
    assert not kept & {"Context", "Macro", "Request", "Person"}


def test_settled_decisions_do_not_keep_the_log(project):
    ada = visitor(project)
    body = {"changes": {"3 head": "2"}, "seen": 0, "request": "0123456789"}
    assert ada.post("/api/sentences/1/decisions", json=body).status_code == 200
    settled = project.settled()
    assert len(settled.rulings) == 1
    gc.collect()
    assert not [each for each in gc.get_objects() if isinstance(each, LogEntry)]


async def asked(app, address, cookie):
    """Return the status of a page, asked for without a thread or a client of its own."""
    statuses = []

    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message):
        statuses.append(message.get("status"))

    headers = [(b"host", b"127.0.0.1:8765"), (b"cookie", f"arbitree={cookie}".encode())]
    scope = {"type": "http", "http_version": "1.1", "method": "GET", "path": address, "query_string": b""}
    scope |= {"raw_path": address.encode(), "headers": headers, "client": ("127.0.0.1", 1), "scheme": "http"}
    await app(scope | {"server": ("127.0.0.1", 8765), "root_path": "", "state": {}}, receive, send)
    return statuses[0]


@pytest.mark.slow
def test_people_who_explore_decide_judge_and_export_get_what_they_ask_for(tmp_path):
    tally = load(tmp_path, seconds=5, every=0.2)
    assert tally.unwanted == []
    assert tally.answers
    assert min(used for _, _, used in tally.samples) > 10


def test_growth_is_told_from_noise():
    flat = [(second, 10 * second, 200 + second % 7) for second in range(1200)]
    grown = [(second, answers, used + second / 60) for second, answers, used in flat]
    assert fitted(flat, 300).flat
    assert not fitted(grown, 300).flat
    assert fitted(grown, 300).slope == pytest.approx(60, abs=2)
    assert fitted(grown, 300).share == pytest.approx(1.67, abs=0.1)

"""The memory of the server: pages leave nothing behind, and the program that measures it works."""

import asyncio
import ctypes
import gc
import os
import platform
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from arbitree.adjudication.history import LogEntry
from arbitree.drawing import svg
from arbitree.web import server
from arbitree.web.memory import return_free_pages
from arbitree.web.project.drawings import ENTRY, Drawings
from arbitree.web.project.latest import Latest
from arbitree.web.store import log
from arbitree.web.store.log import Stamp
from tests.support.web.load import fitted, load, memory
from tests.support.web.opened import app_of, visitor

PAGES = [
    "/",
    "/sentences",
    "/sentences/1",
    "/adjudicate/1",
    "/decisions",
    "/history",
    "/people",
    "/rounds",
    "/progress",
]


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


def test_a_new_entry_lets_only_the_log_of_its_item_be_read(project, monkeypatch):
    ada, read = visitor(project), []
    decide(ada, 1, 0, "2")
    decide(ada, 1, 1, "4")
    project.settled()
    original = log._entry
    monkeypatch.setattr(log, "_entry", lambda row: read.append(row.subject) or original(row))
    decide(ada, 3, 0, "2")
    read.clear()
    settled = project.settled()
    assert read == [project.subject(3)]
    assert [(each.number, each.decision.value) for each in settled.rulings] == [
        (1, "4 there"),
        (3, "2 falls"),
    ]
    assert project.settled() is settled


def decide(client, number, seen, value):
    body = {"changes": {"3 head": value}, "seen": seen, "request": f"request {number} {seen}"}
    assert client.post(f"/api/sentences/{number}/decisions", json=body).json()["saved"]


def test_of_each_item_one_picture_is_kept_for_each_page(project, monkeypatch):
    drawings, sheet, one = project.drawings, project.sheet(1), project.item(1)
    drawn = []
    draw = drawings.draw
    monkeypatch.setattr(drawings, "draw", lambda *given: drawn.append(given) or draw(*given))
    first = drawings.get(one, None)
    assert drawings.get(one, None) == first
    assert len(drawn) == 1
    decided = [sheet.so_far({"3 head": value}) for value in ("2 saw", "4 there")]
    for each in decided:
        assert drawings.get(one, each) == drawings.get(one, each) != first
        assert drawings.clickable(one, each, ("3 head",)) == drawings.clickable(one, each, ("3 head",))
    assert len(drawn) == 5
    assert drawings.get(one, decided[0]) != drawings.get(one, decided[1])
    drawings.get(project.item(2), None)
    assert len(drawings._kept) == 3


def test_pictures_take_no_more_room_than_they_may(project):
    drawings = Drawings(project.study, project.kind.pictures, room=2500)
    for number in (1, 2, 3, 2):
        drawings.get(project.item(number), None)
        assert drawings._size == sum(ENTRY + len(packed) for _, packed in drawings._kept.values()) <= 2500
    assert 0 < len(drawings._kept) < 3
    assert ("s2", "picture") in drawings._kept


def test_descriptions_of_pictures_are_not_kept():
    before = svg._word.cache_info().currsize
    assert svg.quoted("a < b " * 20) == "a &lt; b " * 20
    assert svg._word.cache_info().currsize == before


def test_threads_that_ask_at_once_share_one_computation_and_its_failure():
    """Else each of them would wait in turn for a database that does not respond."""
    begun, free, computed = threading.Event(), threading.Event(), []

    def compute(*_):
        computed.append(1)
        begun.set()
        assert free.wait(10)
        if len(computed) == 1:
            raise OSError("no answer")
        return "value"

    latest = Latest(lambda: Stamp(1), compute)
    with ThreadPoolExecutor(4) as pool:
        first = pool.submit(latest.get)
        assert begun.wait(10)
        others = [pool.submit(latest.get) for _ in range(3)]
        deadline = time.monotonic() + 10
        while len(latest._running._condition._waiters) < 3 and time.monotonic() < deadline:
            time.sleep(0.01)
        free.set()
        assert all(each.exception(10) for each in (first, *others))
    assert len(computed) == 1
    assert latest.get() == latest.get() == "value"
    assert len(computed) == 2


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="needs the C library of GNU")
def test_pages_between_blocks_in_use_are_returned():
    library = ctypes.CDLL(None)
    library.malloc.restype, library.free.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
    blocks = [library.malloc(32_000) for _ in range(2000)]
    for block in blocks:
        ctypes.memset(block, 1, 32_000)
    for number, block in enumerate(blocks):
        if number % 100:
            library.free(block)
    before = memory(os.getpid())
    return_free_pages()
    returned = before - memory(os.getpid())
    for block in blocks[::100]:
        library.free(block)
    assert returned > 30


def test_the_server_returns_free_pages_after_requests(project, monkeypatch):
    returned = []
    monkeypatch.setattr(server, "return_free_pages", lambda: returned.append(1))
    serving = server.server_of(app_of(project), proxy=False)
    serving.config.load()

    async def pass_time():
        for tick in range(2 * server.TRIMMED):
            await serving.on_tick(tick)

    asyncio.run(pass_time())
    assert not returned
    serving.server_state.total_requests += 1
    asyncio.run(pass_time())
    assert len(returned) == 1


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
    assert min(used for *_, used in tally.samples) > 10


def test_growth_is_told_from_noise():
    flat = [(second, 10 * second, second, 200 + second % 7) for second in range(1200)]
    grown = [(second, *counts, used + second / 60) for second, *counts, used in flat]
    assert fitted(flat, 300).flat
    assert fitted(flat, 300).entries == 899
    assert not fitted(grown, 300).flat
    assert fitted(grown, 300).slope == pytest.approx(60, abs=2)
    assert fitted(grown, 300).share == pytest.approx(1.67, abs=0.1)

"""However the server is stopped, the file of the database alone contains every decision."""

import shutil
import signal
import time
from signal import SIGHUP, SIGINT, SIGTERM

import httpx
import pytest

from arbitree.cli.serve import _on_stop
from arbitree.web.project.project import open_project
from arbitree.web.sessions import csrf_of, session
from arbitree.web.store import Store, StoreError
from tests.support.web.clients import Board, Client
from tests.support.web.serving import DEPENDENCY, Server

DATABASE = "arbitree.sqlite"


def decided(server, prefix, wanted=3):
    """Decide as an adjudicator, in so many requests."""
    url = f"sqlite:///{server.project / DATABASE}"
    with Store.open(url) as store, httpx.Client(base_url=server.address) as client:
        cookie = session(store.secret(), store.owner("Olga"), time.time())
        client.headers = {"Cookie": f"arbitree={cookie}", "X-CSRF-Token": csrf_of(store.secret(), cookie)}
        made = 0
        for number in range(1, 17):
            desk = client.get(f"/api/sentences/{number}/desk").json()
            if desk["places"] and made < wanted:
                place = desk["places"][0]
                changes = {place["key"]: place["choices"][0]["value"]}
                sent = {"seen": desk["seen"], "request": f"request-{prefix}-{made}", "changes": changes}
                made += client.post(f"/api/sentences/{number}/decisions", json=sent).json()["saved"]
    assert made == wanted


def requests_in_copy(project, folder):
    """Copy the two files that contain a project, open the copy, and return the requests in its history."""
    folder.mkdir()
    for name in ("project.json", DATABASE):
        shutil.copy(project / name, folder)
    opened = open_project(None, folder)
    with opened.store as store:
        return {entry.request for entry in store.entries_under(1, "item/")}


@pytest.mark.parametrize(
    "signals", [[SIGINT], [SIGTERM], [SIGHUP], [SIGINT, SIGINT], [SIGTERM, SIGTERM, SIGINT]]
)
def test_a_copy_of_the_two_files_has_all_decisions(tmp_path, signals):
    server = Server(*DEPENDENCY, project=tmp_path / "project")
    decided(server, "r")
    code, said = server.end(*signals)
    assert code == 0
    assert said.splitlines()[-1] == "Server stopped. All decisions are saved."
    assert "Traceback" not in said
    assert sorted(path.name for path in (tmp_path / "project").iterdir()) == [DATABASE, "project.json"]
    assert requests_in_copy(tmp_path / "project", tmp_path / "copy") == {
        f"request-r-{number}" for number in range(3)
    }


def test_a_server_that_is_stopped_while_people_work_has_saved_what_it_acknowledged(tmp_path):
    server = Server(*DEPENDENCY, project=tmp_path / "project")
    board = Board()
    with Store.open(f"sqlite:///{tmp_path}/project/{DATABASE}") as store:
        signed_in = []
        for number in range(3):
            cookie = session(store.secret(), store.add_person(f"Client {number}", "adjudicator"), time.time())
            signed_in.append((f"arbitree={cookie}", csrf_of(store.secret(), cookie)))
    clients = [Client(board, *each, number) for number, each in enumerate(signed_in)]
    for client in clients:
        client.start()
    board.open(server.port)
    board.wait_for(5)
    code, said = server.end(SIGTERM)
    board.close()
    board.end()
    assert code == 0, said
    assert "Traceback" not in said
    assert board.acknowledged.keys() <= requests_in_copy(tmp_path / "project", tmp_path / "copy")


def test_the_last_of_two_servers_leaves_all_decisions_in_the_file(tmp_path):
    first = Server(*DEPENDENCY, project=tmp_path / "project")
    second = Server(*DEPENDENCY, project=tmp_path / "project")
    decided(first, "first")
    decided(second, "second", wanted=2)
    assert first.end(SIGTERM)[0] == 0
    decided(second, "later", wanted=1)
    assert second.end(SIGTERM)[0] == 0
    found = requests_in_copy(tmp_path / "project", tmp_path / "copy")
    made = ("first-0", "first-1", "first-2", "second-0", "second-1", "later-0")
    assert found == {f"request-{each}" for each in made}


def test_signals_that_are_ignored_stay_ignored():
    """Nohup ignores the signal of a closed terminal before it starts the program."""
    before = signal.signal(SIGHUP, signal.SIG_IGN)
    try:
        with _on_stop(lambda number, frame: None):
            assert signal.getsignal(SIGHUP) is signal.SIG_IGN
            assert signal.getsignal(SIGTERM) is not signal.SIG_DFL
    finally:
        signal.signal(SIGHUP, before)


def test_a_store_that_is_closed_refuses_transactions_in_words(sqlite):
    with Store.open(sqlite) as store:
        store.owner("Ada")
    with pytest.raises(StoreError, match="is closed because the server stops"):
        store.people()
    store.close()

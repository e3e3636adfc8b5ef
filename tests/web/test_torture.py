"""No acknowledged decision is lost when the server is killed, and none is written twice."""

import socket
from itertools import count

import pytest

from arbitree.adjudication import history
from arbitree.adjudication.history import ItemTally
from arbitree.reading.inputs import Reading
from arbitree.web.project.project import DATABASE, open_project
from tests.support.web.clients import Board, Stuck
from tests.support.web.disks import NoDisk
from tests.support.web.harms import HARMS, harm
from tests.support.web.postgres import NoPostgres
from tests.support.web.proxy import Proxy
from tests.support.web.serving import DEPENDENCY
from tests.support.web.torture import Toll, check, torture, torture_database

ROUNDS = 4  # make torture has 200


@pytest.mark.slow
def test_a_server_killed_in_the_midst_of_work_loses_nothing(request, kind, tmp_path):
    database = request.getfixturevalue("postgres") if kind == "postgres" else None
    toll = torture(tmp_path, rounds=ROUNDS, database=database)
    assert toll.faults == []
    assert toll.kills == ROUNDS
    assert toll.acknowledged >= 2 * ROUNDS
    assert toll.lost >= 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "rounds"), [*[(name, 2) for name in HARMS if name != "stalled"], ("stalled", 1)]
)
def test_a_harmed_database_loses_nothing_and_the_server_goes_on_by_itself(name, rounds, tmp_path):
    try:
        with harm(name, tmp_path) as made:
            toll = torture_database(made, rounds=rounds)
    except (NoPostgres, NoDisk) as reason:
        pytest.skip(str(reason))
    assert toll.faults == []
    assert toll.harms == rounds
    assert toll.acknowledged >= 2 * rounds
    assert toll.unnoticed == (rounds if made.noticed == 0 else 0)


@pytest.fixture(params=["sqlite", "postgres"])
def kind(request):
    return request.param


def faults(folder, written, *, changes, tally, sent=("a",), acknowledged=(), refused=(), given_up=()):
    """Return what the check finds if these requests are in the log, and clients were told what is given."""
    project = open_project(Reading(tuple(map(str, DEPENDENCY))), folder)
    with project.store as store:
        number = next(each for each in range(1, 1000) if len(project.sheet(each).places) > 1)
        places = project.sheet(number).places
        made = {places[0].key: places[0].choices[0].value}
        kept = ItemTally("contested", 1, len(places)) if tally else None
        about = {
            "edition": 1,
            "subject": f"{history.ITEM}{project.study.items[number - 1].id}",
            "person": store.owner("Ada").id,
        }
        for seen, request in enumerate(written):
            store.append(
                **about, seen=seen, action="decide", body={"changes": made}, request=request, tally=kept
            )
    board, toll = Board(), Toll()
    board.sent, board.refused, board.given_up = set(sent), set(refused), set(given_up)
    for request in acknowledged:
        board.acknowledged[request] = (about["subject"], made if changes else {})
    check(toll, board, f"sqlite:///{folder}/{DATABASE}", folder, None)
    return toll.faults


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ({"written": [], "acknowledged": ["a"]}, "a was acknowledged and is in the log 0 times"),
        ({"written": ["a"], "acknowledged": ["a"], "changes": False}, "a is in the log with other words"),
        ({"written": ["a"], "refused": ["a"]}, "a was refused but is in the log"),
        ({"written": ["a"], "given_up": ["a"]}, "a was said not to be saved but is in the log"),
        ({"written": ["a", "b"], "acknowledged": ["a"]}, "b was never sent"),
        ({"written": ["a"], "acknowledged": ["a"], "tally": False}, "has the tally None"),
    ],
)
def test_the_check_would_find_what_must_not_be(tmp_path, given, fault):
    right = {"changes": True, "tally": True}
    (found,) = faults(tmp_path, **right | given)
    assert fault in found


def test_the_check_finds_nothing_where_nothing_is_wrong(tmp_path):
    assert faults(tmp_path, ["a"], changes=True, tally=True, acknowledged=["a"]) == []


class Somebody:
    """A client that always waits for an answer: to the same request, or to one after the other."""

    def __init__(self, requests):
        self._requests = requests

    @property
    def owed(self):
        return next(self._requests)


def test_clients_that_go_on_need_not_pause_together_to_be_done():
    Board().drain([Somebody(count(1)) for _ in range(4)], patience=0.1)


def test_a_client_that_gets_no_answer_is_not_waited_for_without_end():
    with pytest.raises(Stuck):
        Board().drain([Somebody(count(1)), Somebody(iter(lambda: "the same", None))], patience=0.1)


@pytest.mark.slow
def test_clients_that_wait_in_vain_are_shown_and_the_log_is_checked_all_the_same(tmp_path, monkeypatch):
    def drain(board, clients):
        raise Stuck("lost answers are not made up for")

    monkeypatch.setattr(Board, "drain", drain)
    toll = torture(tmp_path, rounds=1)
    reason, *clients, stacks = toll.faults
    assert "not made up for" in reason
    assert [each.split(" ")[:2] for each in clients] == [["client", str(number)] for number in range(4)]
    assert "cli/serve.py" in stacks
    assert toll.acknowledged >= 2


@pytest.mark.parametrize("way", ["cut", "abandon"])
def test_connections_are_reset_at_once_and_new_ones_too(way):
    with socket.create_server(("127.0.0.1", 0)) as server, Proxy(server.getsockname()[1]) as proxy:
        near = socket.create_connection(("127.0.0.1", proxy.port), timeout=5)
        far = server.accept()[0]
        far.sendall(b"answer")
        assert near.recv(10) == b"answer"
        getattr(proxy, way)()
        with pytest.raises(ConnectionResetError):
            near.recv(1)
        far.settimeout(5 if way == "cut" else 0.1)
        with pytest.raises(ConnectionResetError if way == "cut" else TimeoutError):
            far.recv(1)
        near.close()
        proxy.restore()
        with socket.create_connection(("127.0.0.1", proxy.port), timeout=5) as again:
            again.sendall(b"question")
            with server.accept()[0] as other:
                assert other.recv(10) == b"question"
        far.close()

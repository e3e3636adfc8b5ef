"""No acknowledged decision is lost when the server is killed, and none is written twice."""

import pytest

from arbitree.adjudication import events
from arbitree.adjudication.events import ItemTally
from arbitree.reading.inputs import Reading
from arbitree.web.project.project import DATABASE, open_project
from tests.support.web.clients import Board
from tests.support.web.disks import NoDisk
from tests.support.web.harms import HARMS, harm
from tests.support.web.postgres import NoPostgres
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
            "subject": f"{events.ITEM}{project.study.items[number - 1].id}",
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

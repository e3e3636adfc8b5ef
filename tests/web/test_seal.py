"""The seal of a history: entries that are lost or changed are noticed at the next start."""

import hashlib
import json
import re
import shutil
import sqlite3
import threading
from contextlib import closing

import psycopg
import pytest
from sqlalchemy import select, text

from arbitree.errors import FormatError
from arbitree.reading.inputs import Reading
from arbitree.web.project.project import open_project
from arbitree.web.store import LossError, Seal, Store, StoreError
from arbitree.web.store.tables import log
from tests.support.commands import arbitree
from tests.support.web.opened import ANN, BOB, opened, visitor, write_study
from tests.support.web.serving import Server


def filled(store, entries=5):
    """Write so many entries into an empty store."""
    store.add_edition("a", "{}")
    owner = store.owner("Ada").id
    grown(store, owner, 0, entries)


def grown(store, owner, first, entries):
    for number in range(first, first + entries):
        about = {"edition": 1, "person": owner, "action": "x", "body": {"said": f"ärger {number}"}}
        store.append(subject="item/1", seen=number, request=f"r{number}", **about)


def test_the_hash_is_that_of_the_columns_as_lines_of_json(store):
    filled(store)
    with store._reading() as connection:
        rows = [list(row) for row in connection.execute(select(log).order_by(log.c.id))]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    sealed = store.seal()
    assert (sealed.entries, sealed.hash) == (5, hashlib.sha256(lines.encode()).hexdigest())


def test_a_history_that_grew_fits_its_seal(store):
    filled(store)
    earlier = store.seal()
    grown(store, 1, 5, 2)
    later = store.seal(earlier)
    assert later.entries == 7
    assert store.seal(later).hash == later.hash


def test_missing_entries_are_counted(store):
    filled(store)
    earlier = store.seal()
    longer = Seal(7, earlier.hash, "2026-11-16T14:05:33Z")
    said = r"the history has 5 of the 7 entries that were stored on 2026-11-16 14:05 UTC\. Restore a backup"
    with pytest.raises(LossError, match=said):
        store.seal(longer)


@pytest.mark.parametrize("change", ["UPDATE log SET body = '{}'", "DELETE FROM log"])
def test_changed_entries_are_noticed(store, change):
    filled(store)
    earlier = store.seal()
    with store._writing() as connection:
        sqlite = connection.dialect.name == "sqlite"
        for name in ["log_no_update", "log_no_delete"] if sqlite else ["log_no_change ON log"]:
            connection.execute(text(f"DROP TRIGGER {name}"))
        connection.execute(text(f"{change} WHERE id = 3"))
    grown(store, 1, 5, 1)
    with pytest.raises(LossError, match="the history is not the same as the 5 entries"):
        store.seal(earlier)


def test_an_entry_that_is_being_written_is_waited_for(postgres):
    """An entry with a lower number that appears after the seal would look like a change."""
    with Store.open(postgres) as store, psycopg.connect(postgres) as other:
        filled(store, 2)
        row = "1, 'item/2', 1, 1, '2026-11-16T14:05:33Z', 'x', '{}', 'other'"
        columns = "edition, subject, sequence, person, at, action, body, request"
        other.execute(f"INSERT INTO log ({columns}) VALUES ({row})")
        found = []
        waiting = threading.Thread(target=lambda: found.append(store.seal()))
        waiting.start()
        waiting.join(0.3)
        assert found == []
        other.commit()
        waiting.join(10)
        assert [each.entries for each in found] == [3]


@pytest.fixture
def paths(tmp_path):
    return write_study(tmp_path, ann=ANN, bob=BOB)


@pytest.fixture
def folder(tmp_path, paths):
    """A project with one decision that was stopped."""
    project = opened(paths, tmp_path)
    client = visitor(project)
    place = client.get("/api/sentences/1/desk").json()["places"][0]
    sent = {"seen": 0, "request": "request-1", "changes": {place["key"]: place["choices"][0]["value"]}}
    assert client.post("/api/sentences/1/decisions", json=sent).json()["saved"]
    project.close()
    return tmp_path / "project"


def seal_in(folder):
    return json.loads((folder / "project.json").read_text(encoding="utf-8"))["seal"]


def lose_all(folder):
    for path in folder.glob("arbitree.sqlite*"):
        path.unlink()


def test_a_stop_stores_the_seal_and_a_start_leaves_it(folder):
    assert seal_in(folder)["entries"] == 1
    project = open_project(None, folder)
    project.close()
    assert seal_in(folder)["entries"] == 1


def test_a_directory_that_was_removed_is_mentioned_at_the_stop(folder):
    project = open_project(None, folder)
    shutil.rmtree(folder)
    with pytest.raises(FormatError, match=r"project\.json: the file no longer exists, so 1 entry"):
        project.close()


@pytest.mark.parametrize("again", [False, True])
def test_a_start_without_the_entries_is_refused_before_any_link(folder, paths, again):
    lose_all(folder)
    inputs = [*paths, "--project", folder] if again else [folder]
    done = arbitree("serve", *inputs, "--no-browser", "--port", "0")
    assert done.returncode == 2
    assert done.stdout == b""
    last = done.stderr.decode().splitlines()[-1]
    when = r"1 entry that was stored on 20\d\d-\d\d-\d\d \d\d:\d\d UTC"
    assert re.search(rf"the history has 0 of the {when}\. Restore a backup.*--accept-loss", last)
    assert seal_in(folder)["entries"] == 1


def test_a_loss_can_be_accepted_once_and_for_all(folder):
    lose_all(folder)
    server = Server(folder, project="ignored", options=["--accept-loss"])
    assert "warning: " in server.stop()
    assert seal_in(folder)["entries"] == 0
    open_project(None, folder).close()


def test_another_database_is_not_taken_for_the_one_with_the_decisions(folder, postgres):
    with pytest.raises(LossError, match="has 0 of the"):
        open_project(None, folder, database=postgres)


def test_a_project_without_a_seal_opens(folder):
    settings = json.loads((folder / "project.json").read_text(encoding="utf-8"))
    del settings["seal"]
    (folder / "project.json").write_text(json.dumps(settings), encoding="utf-8")
    open_project(None, folder).close()
    assert seal_in(folder)["entries"] == 1


@pytest.mark.parametrize("seal", [3, "x", [], {}, {"entries": "1", "hash": "", "at": ""}])
def test_a_seal_that_is_none_is_refused_in_words(folder, seal):
    settings = json.loads((folder / "project.json").read_text(encoding="utf-8")) | {"seal": seal}
    (folder / "project.json").write_text(json.dumps(settings), encoding="utf-8")
    with pytest.raises(FormatError, match="cannot read the project settings"):
        open_project(None, folder)


def test_settings_that_cannot_be_read_are_mentioned_where_the_files_are_named_again(folder, paths):
    (folder / "project.json").write_text("{", encoding="utf-8")
    said = []
    open_project(Reading(tuple(paths)), folder, say=said.append).close()
    assert any("cannot check that the history is complete" in line for line in said)


def test_an_index_that_hides_an_entry_is_noticed(folder):
    """The table has the entry, so the hash is right; but pages look for it in the index."""
    path = folder / "arbitree.sqlite"
    indexes = "SELECT rootpage FROM sqlite_master WHERE type = 'index' AND tbl_name = 'log'"
    with closing(sqlite3.connect(path)) as connection:
        pages = [slice((root - 1) * 4096, root * 4096) for (root,) in connection.execute(indexes)]
    raw = bytearray(path.read_bytes())
    (page,) = [each for each in pages if b"item/s1" in raw[each]]
    raw[page] = raw[page].replace(b"item/s1", b"item/x1")
    path.write_bytes(raw)
    with pytest.raises(StoreError, match="is damaged"):
        open_project(None, folder)

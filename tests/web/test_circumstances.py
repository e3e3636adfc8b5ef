"""Bad circumstances: files that change, databases that are held, full or read-only, ports in use."""

import os
import socket
import sqlite3
from contextlib import closing

import pytest
from sqlalchemy import event
from sqlalchemy.exc import OperationalError
from starlette.testclient import TestClient

from arbitree.web.store import Store, StoreError
from tests.support.commands import arbitree
from tests.support.web.opened import ADDRESS, ANN, BOB, app_of, opened, sentence, visitor, write_study
from tests.support.web.serving import Server

WISH = {"seen": "0", "request": "0123456789abcdef", "wish": "3 head\t2 saw"}


@pytest.fixture
def paths(tmp_path):
    return write_study(tmp_path, ann=ANN, bob=BOB)


@pytest.fixture
def project(paths, tmp_path, monkeypatch):
    monkeypatch.setitem(Store.open.__func__.__kwdefaults__, "patience", 0.2)
    project = opened(paths, tmp_path)
    with project.store:
        yield project


@pytest.fixture
def database(tmp_path):
    return tmp_path / "project" / "arbitree.sqlite"


def serve(*arguments, folder):
    """Run the command until it ends by itself."""
    return arbitree("serve", *arguments, "--no-browser", "--port", "0", "--project", folder / "project")


def lines(done):
    return done.stderr.decode().splitlines()


def test_a_port_in_use_is_one_line_and_code_2(paths, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = arbitree("serve", *paths, "--no-browser", "--port", port, "--project", tmp_path / "project")
    assert done.returncode == 2
    assert done.stdout == b""
    assert len(lines(done)) == 1
    assert f"cannot listen on 127.0.0.1, port {port}" in lines(done)[0]
    assert "--port 0" in lines(done)[0]
    assert not (tmp_path / "project").exists()


BROKEN = [
    b"", b"{", b"[]", b"null", b'{"inputs": 3}', b'{"inputs": ["nowhere.conllu"]}',
    b"\xff\xfe", b'{"inputs": []}',
    b'{"inputs": ["ann.conllu", "bob.conllu"], "unknown": 1}',
    b'{"inputs": ["ann.conllu", "bob.conllu"], "format": 3}',
    b'{"inputs": ["ann.conllu", "bob.conllu"], "encoding": "klingon"}',
    b'{"inputs": ["ann.conllu", "bob.conllu"], "match": []}',
]  # fmt: skip


@pytest.mark.parametrize("text", BROKEN)
def test_a_broken_project_is_said_in_words_with_code_2(paths, tmp_path, monkeypatch, text):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "project.json").write_bytes(text)
    done = arbitree("serve", "project", "--no-browser", "--port", "0")
    assert done.returncode == 2, done.stderr
    assert b"Traceback" not in done.stderr


def test_naming_the_files_again_mends_a_broken_project(paths, tmp_path):
    with opened(paths, tmp_path).store:
        (tmp_path / "project" / "project.json").write_text("{")
    with opened(paths, tmp_path).store:
        assert '"inputs"' in (tmp_path / "project" / "project.json").read_text()


def test_files_without_a_common_item_are_refused_in_words(tmp_path):
    paths = write_study(tmp_path, ann=ANN, bob=[sentence("other", ("no", "way"), (2, 0), ("det", "root"))])
    done = serve(*paths, folder=tmp_path)
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr
    assert done.stderr.strip()


def test_a_missing_file_and_an_empty_study_are_refused_in_words(tmp_path):
    (tmp_path / "empty.conllu").write_text("")
    for inputs in ([tmp_path / "nowhere.conllu", tmp_path / "empty.conllu"], [tmp_path / "empty.conllu"]):
        done = serve(*inputs, folder=tmp_path)
        assert done.returncode == 2
        assert b"Traceback" not in done.stderr


def test_a_database_that_is_none_is_refused_and_kept(paths, tmp_path, database):
    database.parent.mkdir()
    database.write_bytes(b"these are my notes" * 100)
    done = serve(*paths, folder=tmp_path)
    assert done.returncode == 2
    assert "is not a database" in done.stderr.decode()
    assert database.read_bytes() == b"these are my notes" * 100


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is read-only for the superuser")
def test_a_folder_that_cannot_be_written_is_refused_in_words(paths, tmp_path):
    (tmp_path / "project").mkdir(mode=0o500)
    done = serve(*paths, folder=tmp_path)
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr


def test_a_file_in_place_of_the_folder_is_refused_in_words(paths, tmp_path):
    (tmp_path / "project").write_text("x")
    done = serve(*paths, folder=tmp_path)
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr


def test_a_database_that_somebody_holds_says_that_nothing_was_saved_and_takes_the_same_click_later(
    project, database
):
    ada = visitor(project)
    with closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        answer = ada.post("/adjudicate/1/decide", data=WISH, headers={"HX-Request": "true"})
        assert answer.status_code == 503
        assert "Nothing was saved" in answer.text
        assert "the database is locked" in answer.text
        assert (
            str(database.parent) not in answer.text
        )  # folders may be called after what judges must not know
        assert answer.headers["HX-Retarget"] == "#message"
        assert int(answer.headers["Retry-After"]) > 0
        body = {"changes": {"3 head": "2"}, "seen": 0, "request": "0123456789"}
        program = ada.post("/api/sentences/1/decisions", json=body)
        assert program.status_code == 503
        assert "Nothing was saved" in program.json()["detail"]
        other.execute("ROLLBACK")
    assert ada.post("/adjudicate/1/decide", data=WISH).status_code == 303
    assert len(project.store.entries(project.edition.id, "item/s1")) == 1


def test_anybody_can_ask_whether_the_app_can_read_its_database(project, monkeypatch):
    nobody = TestClient(app_of(project), base_url=ADDRESS)
    assert nobody.get("/healthy").status_code == 204

    def fail():
        raise StoreError("the database is locked")

    monkeypatch.setattr(project.store, "people", fail)
    assert nobody.get("/healthy").status_code == 503


def test_a_full_disk_says_that_nothing_was_saved_and_loses_nothing(project, database):
    ada = visitor(project)
    assert ada.post("/adjudicate/1/decide", data=WISH).status_code == 303
    engine = project.store._engine

    def fill(connection, full):
        cursor = connection.connection.cursor()
        pages = cursor.execute("PRAGMA page_count").fetchone()[0] if full else 1 << 30
        cursor.execute(f"PRAGMA max_page_count = {pages}")

    full = [True]
    event.listen(engine, "begin", lambda connection: fill(connection, full[0]))
    statuses = []
    for turn in range(1, 40):
        note = {"seen": str(turn), "request": f"request-{turn}", "key": "3 head", "text": "x" * 2000}
        statuses.append(ada.post("/adjudicate/1/note", data=note))
        if statuses[-1].status_code != 303:
            break
    assert statuses[-1].status_code == 503
    assert "the disk is full" in statuses[-1].text
    assert "Nothing was saved" in statuses[-1].text
    full[0] = False
    entries = project.store.entries(project.edition.id, "item/s1")
    assert len(entries) == len(statuses)  # the decision, and all notes but the last
    note = {"seen": str(len(entries)), "request": f"request-{len(statuses)}", "key": "3 head", "text": "x"}
    assert ada.post("/adjudicate/1/note", data=note).status_code == 303


def test_a_decision_that_the_database_did_not_confirm_is_not_said_to_be_unsaved(project):
    ada = visitor(project)

    def lose(connection):
        if connection.get_execution_options().get("writing"):
            connection.invalidate()
            raise OperationalError("COMMIT", {}, Exception("lost"), connection_invalidated=True)

    event.listen(project.store._engine, "commit", lose)
    answer = ada.post("/adjudicate/1/decide", data=WISH, headers={"HX-Request": "true"})
    assert answer.status_code == 503
    assert "It is not known whether the change was saved" in answer.text
    assert "Nothing was saved" not in answer.text
    event.remove(project.store._engine, "commit", lose)
    assert ada.post("/adjudicate/1/decide", data=WISH).status_code == 303
    assert len(project.store.entries(project.edition.id, "item/s1")) == 1


def test_a_page_that_fails_does_not_ask_the_database_again(project):
    ada = visitor(project)
    assert ada.get("/").status_code == 200  # the session is known from now on
    asked = []

    @event.listens_for(project.store._engine, "begin")
    def fail(connection):
        asked.append(1)
        raise OperationalError("BEGIN", {}, Exception("connection was lost"), connection_invalidated=True)

    answer = ada.get("/history")
    assert answer.status_code == 503
    assert "Ada" in answer.text
    assert len(asked) == 1


def test_a_read_only_database_says_that_nothing_was_saved(project):
    ada = visitor(project)

    @event.listens_for(project.store._engine, "begin")
    def forbid(connection):
        connection.connection.cursor().execute("PRAGMA query_only = 1")

    answer = ada.post("/adjudicate/1/decide", data=WISH)
    assert answer.status_code == 503
    assert "is read-only" in answer.text
    assert ada.get("/decisions").status_code == 200


def test_changed_files_are_told_and_old_decisions_are_carried_over_on_request(paths, tmp_path):
    first = opened(paths, tmp_path)
    with first.store:
        ada = visitor(first)
        ada.post("/adjudicate/1/decide", data=WISH)
        ada.post("/adjudicate/3/decide", data=WISH | {"request": "another-request", "wish": "3 head\t1 rain"})
    changed = sentence("s3", ("rain", "falls", "slowly"), (3, 0, 2), ("nsubj", "root", "advmod"))
    write_study(tmp_path, ann=[*ANN[:2], changed])
    second = opened(paths, tmp_path)
    with second.store:
        ada = visitor(second)
        page = ada.get("/decisions").text
        assert "The files have changed since" in page
        assert "ann: 1 item changed (s3)." in page
        assert "No decisions yet" in page
        old = ada.get(f"/export/log.tsv?edition={second.before.id}").text
        assert old.count("\tdecide\t") == 2
        assert ada.get("/export/decisions.tsv").text.count("\n") == 1
        vic = visitor(second, "viewer", "Vic")
        assert "Copy decisions" not in vic.get("/decisions").text
        assert "Copy decisions" in page
        assert ada.post("/editions/carry").status_code == 303
        rows = ada.get("/export/decisions.tsv").text.splitlines()[1:]
        assert [row.split("\t")[:5] for row in rows] == [["s1", "3", "head", "it", "2 saw"]]
        assert ada.post("/editions/carry").status_code == 303
        assert len(second.store.entries_under(second.edition.id, "item/")) == 1


def test_the_command_line_tells_what_changed(paths, tmp_path):
    first = opened(paths, tmp_path)
    with first.store:
        visitor(first).post("/adjudicate/1/decide", data=WISH)
    write_study(tmp_path, ann=ANN[:2])
    said = Server(*paths, project=tmp_path / "project").stop()
    assert "The files have changed since the last decisions, which are stored separately:" in said
    assert "ann: 1 item changed (s3)." in said
    assert "Traceback" not in said

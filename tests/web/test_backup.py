"""Backups: consistent while people work, restored entry by entry, on both kinds of database."""

import io
import json
import random
import stat
import threading
import time
import zipfile
from contextlib import contextmanager

import pytest
from sqlalchemy import select

from arbitree.adjudication.history import Conflict
from arbitree.errors import ArbitreeError
from arbitree.web.project.backup import back_up, restore
from arbitree.web.project.project import open_project
from arbitree.web.store import Store, StoreError
from arbitree.web.store.tables import metadata
from tests.support.commands import arbitree
from tests.support.web.opened import ANN, BOB, opened, visitor, write_study

WRITERS = 3


@pytest.fixture(params=["sqlite", "postgres"])
def database(request):
    """The URL of a database; None for the file in the project directory."""
    return request.getfixturevalue("postgres") if request.param == "postgres" else None


@pytest.fixture
def other_postgres(postgres_server):
    import psycopg

    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute("DROP SCHEMA IF EXISTS restored CASCADE")
        connection.execute("CREATE SCHEMA restored")
    return f"{postgres_server}?options=-csearch_path%3Drestored"


@pytest.fixture
def made(tmp_path, database):
    """A project with two decisions, people and a round; it is open, as a server has it."""
    project = opened(write_study(tmp_path, ann=ANN, bob=BOB), tmp_path, database=database)
    client = visitor(project)
    for number in (1, 3):
        place = client.get(f"/api/sentences/{number}/desk").json()["places"][0]
        sent = {
            "seen": 0,
            "request": f"request-{number}",
            "changes": {place["key"]: place["choices"][0]["value"]},
        }
        assert client.post(f"/api/sentences/{number}/decisions", json=sent).json()["saved"]
    project.store.add_person("Bea", "judge")
    project.store.set_preference(1, "names", "hidden")
    project.store.add_round(1, {"systems": ["ann", "bob"], "items": ["s1", "s3"]})
    with project.store:
        yield project


def rows_of(store):
    with store._reading() as connection:
        return {
            table.name: sorted(map(str, connection.execute(select(table))))
            for table in metadata.sorted_tables
        }


def test_a_backup_restores_every_row(made, database, tmp_path):
    seal = back_up(tmp_path / "project", tmp_path / "backup.zip", database=database)
    assert seal.entries == 2
    restore(tmp_path / "backup.zip", tmp_path / "again")
    again = open_project(None, tmp_path / "again")
    with again.store:
        assert rows_of(again.store) == rows_of(made.store)
        assert again.edition == made.edition
        assert again.title == made.title


def test_a_backup_moves_a_project_to_postgresql(made, database, tmp_path, other_postgres):
    back_up(tmp_path / "project", tmp_path / "backup.zip", database=database)
    settings, _ = restore(tmp_path / "backup.zip", tmp_path / "again", database=other_postgres)
    assert "PostgreSQL" in settings.database
    assert [path.name for path in (tmp_path / "again").iterdir()] == ["project.json"]
    again = open_project(None, tmp_path / "again", database=other_postgres)
    with again.store as store:
        assert rows_of(store) == rows_of(made.store)
        assert store.add_person("Cleo", "viewer").id == made.store.add_person("Cleo", "viewer").id
        store.append(
            edition=1, subject="item/s1", seen=1, person=1, action="x", body={}, request="request-new"
        )
    with pytest.raises(StoreError, match="contains another project"):
        restore(tmp_path / "backup.zip", tmp_path / "third", database=other_postgres)
    assert not (tmp_path / "third").exists()


@contextmanager
def writers(store):
    """Let threads append entries for as long as the block lasts; yield those that were acknowledged."""
    stopped, acknowledged = threading.Event(), []
    person = store.owner("Ada").id

    def write(number):
        turn = 0
        while not stopped.is_set():
            subject = f"item/{turn % 5}"
            seen = len(store.entries(1, subject))
            about = {"edition": 1, "subject": subject, "person": person, "action": "x", "body": {"n": turn}}
            try:
                acknowledged.append(store.append(seen=seen, request=f"{number}/{turn}", **about))
            except (Conflict, StoreError):
                continue
            turn += 1

    threads = [threading.Thread(target=write, args=(number,)) for number in range(WRITERS)]
    for each in threads:
        each.start()
    try:
        yield acknowledged
    finally:
        stopped.set()
        for each in threads:
            each.join()


def test_backups_under_load_contain_what_was_acknowledged_before(made, database, tmp_path):
    with writers(made.store) as acknowledged:
        taken = []
        for number in range(3):
            time.sleep(0.2)
            before = list(acknowledged)
            taken.append(
                (before, back_up(tmp_path / "project", tmp_path / f"{number}.zip", database=database))
            )
    kept = made.store.entries_under(1, "")
    assert made.store.seal(taken[-1][1] if database is None else None).entries == len(kept)
    for number, (before, seal) in enumerate(taken):
        restore(tmp_path / f"{number}.zip", tmp_path / f"restored{number}")
        with Store.open(f"sqlite:///{tmp_path}/restored{number}/arbitree.sqlite") as store:
            entries = store.entries_under(1, "")
        assert len(entries) == seal.entries
        assert {entry.request for entry in before} <= {entry.request for entry in entries}
        assert set(map(str, entries)) <= set(map(str, kept))
        for subject in {entry.subject for entry in entries}:
            found = [entry.sequence for entry in entries if entry.subject == subject]
            assert found == list(range(1, len(found) + 1))
    # The seal in the directory was taken under load, and the history goes on from there.
    sealed = json.loads((tmp_path / "project" / "project.json").read_text(encoding="utf-8"))["seal"]
    assert sealed["entries"] >= 2
    made.close()
    open_project(None, tmp_path / "project", database=database).close()


def test_the_file_is_private_and_has_no_password(made, database, tmp_path):
    path = tmp_path / "backup.zip"
    path.write_bytes(b"")
    path.chmod(0o644)
    back_up(tmp_path / "project", path, database=database, force=True)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    restore(path, tmp_path / "again")
    assert stat.S_IMODE((tmp_path / "again" / "arbitree.sqlite").stat().st_mode) == 0o600
    with zipfile.ZipFile(path) as archive:
        assert archive.namelist() == ["project.json", "arbitree.sqlite"]
        assert b"secret" not in archive.read("project.json")


@pytest.fixture
def folder(tmp_path):
    project = opened(write_study(tmp_path, ann=ANN, bob=BOB), tmp_path)
    project.store.owner("Ada")
    project.store.append(
        edition=1, subject="item/s1", seen=0, person=1, action="x", body={}, request="request-1"
    )
    project.close()
    return tmp_path / "project"


def test_the_commands_tell_what_they_did(folder, tmp_path):
    done = arbitree("backup", folder, tmp_path / "b.zip")
    assert (done.returncode, done.stdout) == (0, b"")
    assert done.stderr.decode() == f"Stored 1 entry in {tmp_path}/b.zip\n"
    done = arbitree("restore", tmp_path / "b.zip", tmp_path / "new")
    assert (done.returncode, done.stdout) == (0, b"")
    assert done.stderr.decode() == f"Restored 1 entry to {tmp_path}/new\n"
    (tmp_path / "ann.conllu").unlink()
    done = arbitree("restore", tmp_path / "b.zip", tmp_path / "second")
    assert "1 of 2 inputs do not exist here" in done.stderr.decode()
    assert arbitree("restore", tmp_path / "b.zip", tmp_path / "third", "--quiet").stderr == b""


def test_an_existing_backup_is_replaced_only_on_request(folder, tmp_path):
    assert arbitree("backup", folder, tmp_path / "b.zip").returncode == 0
    done = arbitree("backup", folder, tmp_path / "b.zip")
    assert done.returncode == 2
    assert "--force" in done.stderr.decode()
    assert arbitree("backup", folder, tmp_path / "b.zip", "--force").returncode == 0


@pytest.mark.parametrize("name", ["project.json", "arbitree.sqlite"])
def test_a_backup_never_replaces_the_project(folder, name):
    before = (folder / name).read_bytes()
    done = arbitree("backup", folder, folder / name, "--force")
    assert done.returncode == 2
    assert "cannot write to" in done.stderr.decode()
    assert (folder / name).read_bytes() == before


def test_a_backup_never_replaces_an_input(folder, tmp_path):
    done = arbitree("backup", folder, tmp_path / "ann.conllu", "--force")
    assert done.returncode == 2
    assert "cannot write to an input" in done.stderr.decode()


def test_a_project_that_lost_entries_does_not_replace_its_backup(folder, tmp_path):
    back_up(folder, tmp_path / "b.zip")
    before = (tmp_path / "b.zip").read_bytes()
    for path in folder.glob("arbitree.sqlite*"):
        path.unlink()
    with pytest.raises(ArbitreeError, match="does not exist"):
        back_up(folder, tmp_path / "b.zip", force=True)
    with Store.open(f"sqlite:///{folder}/arbitree.sqlite"):
        pass
    with pytest.raises(StoreError, match="has 0 of the 1 entry"):
        back_up(folder, tmp_path / "b.zip", force=True)
    assert (tmp_path / "b.zip").read_bytes() == before


def test_a_directory_with_files_is_not_restored_into(folder, tmp_path):
    back_up(folder, tmp_path / "b.zip")
    for target, words in ((folder, "exists and is not empty"), (tmp_path / "b.zip", "is a file")):
        done = arbitree("restore", tmp_path / "b.zip", target)
        assert done.returncode == 2
        assert words in done.stderr.decode()
    (tmp_path / "empty").mkdir()
    assert arbitree("restore", tmp_path / "b.zip", tmp_path / "empty").returncode == 0


def test_what_is_no_project_is_not_backed_up(tmp_path):
    done = arbitree("backup", tmp_path, tmp_path / "b.zip")
    assert done.returncode == 2
    assert "not a project directory" in done.stderr.decode()
    assert not (tmp_path / "b.zip").exists()


def test_a_project_elsewhere_needs_the_url(tmp_path, postgres):
    opened(write_study(tmp_path, ann=ANN, bob=BOB), tmp_path, database=postgres).close()
    done = arbitree("backup", tmp_path / "project", tmp_path / "b.zip")
    assert done.returncode == 2
    assert "Pass its URL with --database" in done.stderr.decode()


@pytest.mark.parametrize("content", [None, b""], ids=["absent", "empty"])
def test_a_database_without_a_project_is_not_created_by_a_backup(folder, tmp_path, content):
    other = tmp_path / "other.sqlite"
    if content is not None:
        other.write_bytes(content)
    done = arbitree("backup", folder, tmp_path / "b.zip", "--database", f"sqlite:///{other}")
    assert done.returncode == 2
    assert done.stderr.decode().startswith(f"error: {other}: the database ")
    assert "--accept-loss" not in done.stderr.decode()
    assert content == (other.read_bytes() if other.exists() else None)
    assert sorted(path.name for path in tmp_path.glob("*.*")) == ["ann.conllu", "bob.conllu"] + [
        "other.sqlite"
    ] * (content is not None)


def test_a_schema_without_a_project_is_not_filled_by_a_backup(folder, tmp_path, other_postgres):
    import psycopg

    done = arbitree("backup", folder, tmp_path / "b.zip", "--database", other_postgres)
    assert done.returncode == 2
    assert "the database does not contain a project" in done.stderr.decode()
    with psycopg.connect(other_postgres) as connection:
        assert connection.execute(
            "SELECT count(*) FROM pg_tables WHERE schemaname = 'restored'"
        ).fetchone() == (0,)


def test_a_backup_can_be_written_to_standard_output(folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = arbitree("backup", folder, "-")
    assert done.returncode == 0
    assert done.stderr.decode() == "Wrote 1 entry to standard output\n"
    assert not (tmp_path / "-").exists()
    (tmp_path / "b.zip").write_bytes(done.stdout)
    assert restore(tmp_path / "b.zip", tmp_path / "new")[1].entries == 1


def zipped(**members):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in members.items():
            archive.writestr(name.replace("_", "."), data)
    return buffer.getvalue()


BROKEN = {
    "empty": b"",
    "text": b"these are my notes",
    "nothing in it": zipped(),
    "no database": zipped(project_json="{}"),
    "settings that are none": zipped(project_json="[", arbitree_sqlite=""),
    "no seal": zipped(project_json='{"inputs": ["a"]}', arbitree_sqlite=""),
    "another database": zipped(
        project_json='{"inputs": ["a"], "seal": {"entries": 3, "hash": "x", "at": ""}}', arbitree_sqlite=""
    ),
    "text as a database": zipped(project_json='{"inputs": ["a"]}', arbitree_sqlite="my notes, " * 100),
    "half a seal": zipped(project_json='{"inputs": ["a"], "seal": {"entries": 3}}', arbitree_sqlite=""),
    "nested": zipped(project_json="[" * 100_000, arbitree_sqlite=""),
}


@pytest.mark.parametrize("data", BROKEN.values(), ids=BROKEN)
def test_what_is_no_backup_is_refused_in_words(tmp_path, data):
    (tmp_path / "b.zip").write_bytes(data)
    done = arbitree("restore", tmp_path / "b.zip", tmp_path / "new")
    assert done.returncode == 2
    (line,) = done.stderr.decode().splitlines()
    assert line.startswith(str(tmp_path / "b.zip"))  # and not a temporary file
    assert "Pass a complete file that arbitree backup wrote" in line
    assert [path.name for path in tmp_path.iterdir()] == ["b.zip"]


def test_damaged_backups_are_refused_or_restored_whole(folder, tmp_path):
    back_up(folder, tmp_path / "b.zip")
    with Store.open(f"sqlite:///{folder}/arbitree.sqlite") as store:
        entries = store.entries_under(1, "")
    raw = (tmp_path / "b.zip").read_bytes()
    chance = random.Random(0)
    refused = 0
    for number in range(80):
        changed = bytearray(raw)
        if number % 2:
            changed[chance.randrange(len(raw))] ^= 1 << chance.randrange(8)
        else:
            del changed[chance.randrange(len(raw)) :]
        (tmp_path / "damaged.zip").write_bytes(changed)
        target = tmp_path / f"restored{number}"
        try:
            restore(tmp_path / "damaged.zip", target)
        except ArbitreeError:
            refused += 1
            assert not target.exists()
            continue
        with Store.open(f"sqlite:///{target}/arbitree.sqlite") as store:
            assert store.entries_under(1, "") == entries
    assert refused > 60

"""Databases that fail: said in words, with a hint, and nothing half done."""

import importlib.util
import sqlite3
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from sqlalchemy import event, text

from arbitree.errors import MissingExtra
from arbitree.web.store import Store, StoreError, Unconfirmed
from arbitree.web.store.tables import metadata
from tests.support.web.postgres import PASSWORD
from tests.support.web.proxy import Proxy


def path_of(url):
    return Path(url.removeprefix("sqlite:///"))


def append(store, request="r", **others):
    given = {"edition": 1, "subject": "item/1", "seen": 0, "person": 1, "action": "x", "body": {}} | others
    return store.append(request=request, **given)


def test_a_locked_file_is_said_to_be_held_by_somebody(sqlite):
    with Store.open(sqlite, patience=0.05) as store:
        other = sqlite3.connect(path_of(sqlite))
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match=r"locked by another program\. Try again"):
            store.owner("Ada")
        assert store.people() == []
        other.rollback()
        other.close()
        assert store.owner("Ada").id == 1


def test_a_thread_that_holds_the_store_too_long_is_said_to_hold_it(sqlite):
    with Store.open(sqlite, patience=0.05) as store:
        with store._writing(), pytest.raises(StoreError, match="locked"):
            store.owner("Ada")
        assert store.owner("Ada").id == 1


def test_a_locked_table_is_said_to_be_held_by_somebody(postgres):
    with Store.open(postgres, patience=0.05) as store, psycopg.connect(postgres) as other:
        other.execute("LOCK TABLE people")
        with pytest.raises(StoreError, match="locked by another program"):
            store.owner("Ada")
        other.rollback()
        assert store.owner("Ada").id == 1


def test_a_read_only_file_is_said_to_be_one(sqlite):
    with Store.open(sqlite) as store:
        event.listen(
            store._engine, "begin", lambda connection: connection.exec_driver_sql("PRAGMA query_only = 1")
        )
        with pytest.raises(StoreError, match=r"is read-only\. Give this user write permission"):
            store.owner("Ada")


def test_a_read_only_server_is_said_to_be_one(postgres):
    with Store.open(postgres) as store:
        event.listen(
            store._engine, "begin", lambda connection: connection.execute(text("SET TRANSACTION READ ONLY"))
        )
        with pytest.raises(StoreError, match=r"is read-only\. Use the primary server"):
            store.owner("Ada")


def test_a_full_disk_is_said_to_be_full_and_leaves_nothing_half_written(sqlite):
    with Store.open(sqlite) as store:
        store.add_edition("a", "{}")
        store.owner("Ada")
        event.listen(store._engine, "begin", narrow)
        kept = []
        with pytest.raises(StoreError, match=r"the disk is full\. Free disk space"):
            fill(store, kept)
        assert store.entries(1, "item/1") == kept
        event.remove(store._engine, "begin", narrow)
        with store._reading() as connection:
            connection.exec_driver_sql("PRAGMA max_page_count = 1000000")
        append(store, request="after", seen=len(kept))


def fill(store, kept):
    for turn in range(1000):
        kept.append(append(store, request=str(turn), seen=turn, body={"note": "long " * 400}))


def narrow(connection):
    connection.exec_driver_sql("PRAGMA max_page_count = 40")


def test_a_file_that_is_no_database_is_said_to_be_none_and_kept(sqlite):
    path_of(sqlite).write_text("sent_id = 1\n" * 500, encoding="utf-8")
    with pytest.raises(StoreError, match=r"is not a database\. Choose another file"):
        Store.open(sqlite)
    assert path_of(sqlite).read_text(encoding="utf-8").startswith("sent_id")


def test_a_damaged_file_is_said_to_be_damaged(sqlite):
    with Store.open(sqlite) as store:
        store.add_edition("a", "{}" * 50_000)
    raw = bytearray(path_of(sqlite).read_bytes())
    raw[4096:] = b"\xa7" * (len(raw) - 4096)
    path_of(sqlite).write_bytes(raw)
    with pytest.raises(StoreError, match="is damaged"), Store.open(sqlite) as store:
        store.editions()


def test_a_database_of_a_newer_version_is_left_alone(url):
    with Store.open(url) as store, store._writing() as connection:
        connection.execute(text("UPDATE arbitree SET value = '2' WHERE key = 'version'"))
    with pytest.raises(
        StoreError, match=r"newer version of Arbitree.*tables 2, supported 1.*Install the newest version"
    ):
        Store.open(url)


@pytest.mark.parametrize(
    "statement", ["CREATE TABLE people (x text)", "CREATE TABLE arbitree (key text, value text)"]
)
def test_a_database_of_another_program_is_left_alone(url, statement):
    with Store.open(url) as store, store._writing() as connection:
        for table in reversed(metadata.sorted_tables):
            connection.execute(text(f"DROP TABLE {table.name}"))
        connection.execute(text(statement))
    with pytest.raises(StoreError, match=r"that Arbitree did not create\. Use a separate database"):
        Store.open(url)


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(StoreError, match=r"directory .*nowhere"):
        Store.open(f"sqlite:///{tmp_path}/nowhere/arbitree.sqlite")


def test_a_folder_in_place_of_the_file_is_refused(tmp_path):
    with pytest.raises(StoreError, match="cannot be opened"):
        Store.open(f"sqlite:///{tmp_path}")


def test_others_on_the_machine_cannot_read_a_new_file(sqlite):
    with Store.open(sqlite) as store:
        store.secret()
        files = list(path_of(sqlite).parent.glob("arbitree.sqlite*"))
        assert len(files) > 1
        assert {file.stat().st_mode & 0o777 for file in files} == {0o600}


@pytest.mark.parametrize(
    "url", ["mysql://ada:geheim@host/name", "oracle://ada:geheim@host", "http://geheim@x"]
)
def test_an_unknown_kind_of_database_is_refused(url):
    with pytest.raises(StoreError, match="databases are not supported") as error:
        Store.open(url)
    assert "geheim" not in str(error.value)


@pytest.mark.parametrize(
    "url", ["geheim", "", "project/arbitree.sqlite", "postgresql://ada:geheim@host:port/x"]
)
def test_an_address_that_cannot_be_read_is_refused_without_quoting_it(url):
    with pytest.raises(StoreError, match=r"URL is not valid\..*Write sqlite:") as error:
        Store.open(url)
    assert "geheim" not in str(error.value)


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:", "sqlite:///file:x?mode=memory&uri=true"])
def test_sqlite_needs_a_file(url):
    with pytest.raises(StoreError, match="needs a file"):
        Store.open(url)


def test_a_missing_driver_is_named_with_the_command_that_installs_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingExtra, match=r"pip install '.*\[postgres\]'"):
        Store.open("postgresql://ada@host/name")


def test_sqlite_alone_does_not_load_the_driver_of_postgresql():
    check = "import sys, arbitree.web.store; sys.exit('psycopg' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0
    assert importlib.util.find_spec("psycopg")


def test_a_server_that_does_not_answer_is_named_without_the_password():
    with pytest.raises(StoreError, match=r"'name' on 127\.0\.0\.1 does not respond\. Check that") as error:
        Store.open("postgresql://ada:geheim@127.0.0.1:1/name?sslpassword=geheim")
    assert_unsaid("geheim", error.value)


def test_a_wrong_password_is_said_without_showing_it(postgres):
    wrong = postgres.replace(PASSWORD.replace(" ", "%20"), "geheim")
    with pytest.raises(StoreError, match="user name or the password is wrong") as error:
        Store.open(wrong)
    assert_unsaid("geheim", error.value)


def test_a_database_that_is_not_there_is_named(postgres):
    with pytest.raises(StoreError, match=r"'nowhere' on 127\.0\.0\.1 does not exist\. Create it"):
        Store.open(postgres.rpartition("/")[0] + "/nowhere")


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg", "postgresql+psycopg2"])
def test_all_names_of_postgresql_lead_to_it(postgres, scheme):
    with Store.open(postgres.replace("postgresql", scheme, 1)) as store:
        assert store.owner("Ada").id == 1


def test_a_server_that_cannot_write_all_languages_is_refused(postgres):
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0 LOCALE 'C'")
    with pytest.raises(StoreError, match="uses the encoding LATIN1"):
        Store.open(postgres.rpartition("/")[0] + "/latin")


def test_connections_that_the_server_ended_are_made_anew(postgres):
    with Store.open(postgres) as store:
        store.owner("Ada")
        end_connections(postgres)
        assert [person.name for person in store.people()] == ["Ada"]


def test_a_connection_that_ends_in_the_midst_of_writing_is_said_to(postgres):
    with Store.open(postgres) as store:
        event.listen(store._engine, "begin", lambda _: end_connections(postgres))
        with pytest.raises(StoreError, match=r"closed the connection\. Try again"):
            store.owner("Ada")
        with psycopg.connect(postgres) as connection:
            assert connection.execute("SELECT count(*) FROM people").fetchone() == (0,)


def test_a_connection_cut_before_a_commit_is_confirmed_leaves_open_whether_it_was_saved(postgres):
    with Proxy(urlsplit(postgres).port) as proxy, Store.open(through(proxy, postgres)) as store:
        store.add_edition("a", "{}")
        store.owner("Ada")

        def cut(_):
            proxy.cut_at_answer()

        event.listen(store._engine, "commit", cut)
        with pytest.raises(
            Unconfirmed, match=r"before it confirmed the change\. Try again .* not saved twice"
        ):
            append(store)
        event.remove(store._engine, "commit", cut)
        proxy.restore()
        assert [entry.request for entry in store.entries(1, "item/1")] == ["r"]
        assert append(store).sequence == 1


def test_a_network_that_is_silent_is_not_waited_for_without_end(postgres):
    with (
        Proxy(urlsplit(postgres).port) as proxy,
        Store.open(through(proxy, postgres), patience=0.05) as store,
    ):
        store.owner("Ada")
        event.listen(store._engine, "begin", lambda _: proxy.stall())
        with pytest.raises(StoreError, match="does not respond"):
            store.people()
        proxy.restore()


def test_a_transaction_whose_client_is_gone_keeps_nobody_from_writing(postgres):
    with Proxy(urlsplit(postgres).port) as proxy, Store.open(postgres) as other:
        other.add_edition("a", "{}")
        other.owner("Ada")
        with Store.open(through(proxy, postgres)) as store:
            event.listen(store._engine, "commit", lambda _: proxy.abandon())
            with pytest.raises(Unconfirmed):
                append(store)
            proxy.restore()
            assert append(other).sequence == 1


def through(proxy, url):
    return url.replace(f":{urlsplit(url).port}/", f":{proxy.port}/")


def end_connections(url):
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


def test_an_id_too_long_for_postgresql_is_refused_in_words(postgres):
    long = "".join(chr(number * 7919 % 40_000 + 33) for number in range(9000))  # no pattern to pack
    with Store.open(postgres) as store:
        store.add_edition("a", "{}")
        store.owner("Ada")
        with pytest.raises(StoreError, match="cannot store a name of this length"):
            append(store, subject=long)
        assert store.entries_under(1, "") == []


def test_postgresql_is_told_to_flush_where_it_was_told_not_to(postgres):
    with Store.open(f"{postgres}%20-csynchronous_commit%3Doff") as store, store._writing() as connection:
        assert connection.scalar(text("SHOW synchronous_commit")) == "on"


def test_sqlite_flushes_every_decision_and_lets_readers_go_on(sqlite):
    with Store.open(sqlite) as store, store._writing() as connection:
        pragmas = ["journal_mode", "synchronous", "foreign_keys", "busy_timeout"]
        assert [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in pragmas] == [
            "wal",
            2,
            1,
            5000,
        ]
        assert store.people() == []


def test_a_connection_to_sqlite_keeps_few_pages(sqlite):
    """By default 2,000 kB, which five connections fill in the course of about 10,000 decisions."""
    with Store.open(sqlite) as store, store._reading() as connection:
        assert connection.exec_driver_sql("PRAGMA cache_size").scalar() == -512


def assert_unsaid(word, error):
    """No error in the chain says *word*."""
    while error is not None:
        assert word not in str(error)
        error = error.__cause__ or error.__context__

"""One project's database: SQLite in a file, or PostgreSQL; opened, read, written."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, select, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlalchemy.sql.schema import Table

from arbitree.extras import need
from arbitree.web.store.cache import Cache
from arbitree.web.store.faults import StoreError, confirmed, damaged, in_words, locked
from arbitree.web.store.schema import prepare
from arbitree.web.store.tables import metadata
from arbitree.web.waiting import may_wait

PATIENCE = 5.0  # seconds to wait for others who write
SILENCE = 3.0  # seconds to wait, beyond that, for a server that says nothing
CACHE = 512  # kB of pages that a connection to SQLite keeps: with 2,000, memory grows with the history
ABANDONED = 4.0  # seconds after which PostgreSQL ends an idle transaction: others still wait for its locks
PIECE = 1000  # rows that are in memory at a time
_LOCK = 0x41726269  # an arbitrary number, the same for all who make tables at once


class Database:
    """Transactions on one database, for many threads; other processes may use it too."""

    def __init__(self, engine: Engine, place: str, patience: float, clock: Callable[[], float]) -> None:
        self._engine = engine
        self._place = place
        self._patience = patience
        self._clock = clock
        self._gate = _Gate()
        self.cache = Cache(_watching(engine))
        # SQLite lets one write at a time and those who wait ask again and again: threads queue here instead.
        self._turn = threading.Lock() if engine.dialect.name == "sqlite" else None

    @classmethod
    def open(
        cls,
        url: str,
        *,
        new: bool = True,
        patience: float = PATIENCE,
        clock: Callable[[], float] = time.time,
    ) -> Self:
        """Open the database at *url*.

        Args:
            url: ``sqlite:////folder/file`` or ``postgresql://user:password@host/name``.
            new: Create the file and the tables if they do not exist.
            patience: Seconds to wait for other writers.
            clock: Returns the seconds since 1970.
        """
        target = _target(url)
        place = _place(target)
        with in_words(place):
            engine = _engine(target, patience, new=new)
            database = cls(engine, place, patience, clock)
        try:
            with database._writing() as connection:
                if engine.dialect.name == "postgresql":
                    _check_encoding(connection, place)
                    connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
                prepare(connection, new=new)
        except BaseException:
            database.cache.close()
            engine.dispose()
            raise
        return database

    @property
    def place(self) -> str:
        """The name of the database for messages, without a password."""
        return self._place

    def check(self) -> None:
        """Raise StoreError if the file of the database is damaged; a server checks its files itself."""
        if self._engine.dialect.name == "sqlite":
            with self._reading() as connection:
                # Indexes too, which quick_check leaves out: entries are found through them.
                found = connection.exec_driver_sql("PRAGMA integrity_check(1)").scalar()
                if found != "ok":
                    raise damaged(self._place)
                for table in metadata.sorted_tables:
                    for _ in connection.execute(select(table).execution_options(yield_per=PIECE)):
                        pass  # texts that are not texts raise an error

    def close(self) -> None:
        """Wait for running transactions, refuse new ones, and close all connections.

        The file of an SQLite database then contains everything: nothing is left in its journal.
        """
        if not self._gate.close(self._patience):
            return
        self.cache.close()
        if self._engine.dialect.name == "sqlite":
            with suppress(SQLAlchemyError, sqlite3.Error, StoreError):
                # The last one to close does this too; but another program may have the file open.
                connection = self._engine.raw_connection()
                connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")
                connection.close()
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        """Yield a connection that reads."""
        with self._transaction(), self._engine.connect() as connection:
            yield connection  # its first statement begins a transaction, which ends with the block

    @contextmanager
    def _snapshot(self) -> Iterator[Connection]:
        """Yield a connection that sees the database as it is now, in all its statements."""
        with self._transaction(), self._engine.connect() as connection:
            if connection.dialect.name == "postgresql":
                connection.execution_options(isolation_level="REPEATABLE READ")
            with connection.begin():
                yield connection

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        """Yield a connection whose changes are on disk when the block ends, or not made at all.

        Raises:
            Unconfirmed: if the connection was lost during the commit, so that either may be the case.
        """
        with self._transaction(), self._own_turn(), self._engine.connect() as connection:
            connection.execution_options(writing=True)
            with connection.begin() as transaction:
                yield connection
                with confirmed(self._place):
                    transaction.commit()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Open the database for one block.

        Raises:
            MustWait: in the event loop.
            StoreError: if it is closed or does not respond.
        """
        may_wait()
        if not self._gate.enter():
            raise StoreError(
                f"{self._place} is closed because the server stops", hint="Start the server again"
            )
        try:
            with in_words(self._place):
                yield
        finally:
            self._gate.leave()

    @contextmanager
    def _own_turn(self) -> Iterator[None]:
        if self._turn is None:
            yield
            return
        if not self._turn.acquire(timeout=self._patience):
            raise locked(self._place)
        try:
            yield
        finally:
            self._turn.release()

    def _insert(self, table: Table) -> postgresql.Insert | sqlite.Insert:
        """Return an INSERT statement that supports ON CONFLICT."""
        return postgresql.insert(table) if self._engine.dialect.name == "postgresql" else sqlite.insert(table)

    def _now(self) -> str:
        return datetime.fromtimestamp(self._clock(), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class _Gate:
    """Counts the running transactions, and lets no more begin once it is closed."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._inside = 0
        self._closed = False

    def enter(self) -> bool:
        """Return whether a transaction may begin."""
        with self._changed:
            self._inside += not self._closed
            return not self._closed

    def leave(self) -> None:
        """Count the end of a transaction."""
        with self._changed:
            self._inside -= 1
            self._changed.notify_all()

    def close(self, patience: float) -> bool:
        """Wait for the transactions that are running; return False if it was closed before."""
        with self._changed:
            first, self._closed = not self._closed, True
            self._changed.wait_for(lambda: self._inside == 0, patience)
            return first


def _watching(engine: Engine) -> sqlite3.Connection | None:
    """Return a connection that never writes and never waits; None if the database is not in a file."""
    if engine.dialect.name != "sqlite":
        return None
    path = str(engine.url.database)
    return sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)


def is_key(number: int) -> bool:
    """Return whether *number* is a possible row number; larger numbers in URLs do not fit into the column."""
    return 0 < number < 2**31


def _target(url: str) -> URL:
    try:
        target = make_url(url)
    except (ArgumentError, ValueError):  # its message would quote the address, with the password
        raise StoreError("the database URL is not valid", hint=_ADDRESSES) from None
    scheme = target.drivername.split("+")[0]
    if scheme in {"postgresql", "postgres"}:
        need("PostgreSQL", "psycopg")
        return target.set(drivername="postgresql+psycopg")
    if scheme != "sqlite":
        raise StoreError(f"{scheme!r} databases are not supported", hint=_ADDRESSES)
    if not target.database or target.database == ":memory:" or target.database.startswith("file:"):
        raise StoreError("SQLite needs a file to store the decisions", hint=_ADDRESSES)
    return target.set(drivername="sqlite+pysqlite")


_ADDRESSES = "Write sqlite:////directory/file.sqlite or postgresql://user:password@host/name"


def _place(target: URL) -> str:
    """Return the name of a database for messages, without a password."""
    if target.drivername.startswith("sqlite"):
        return str(target.database)
    host = target.host or target.query.get("host") or "this machine"
    return f"PostgreSQL database {target.database or ''!r} on {host}"


def _engine(target: URL, patience: float, *, new: bool) -> Engine:
    if target.drivername.startswith("sqlite"):
        _prepare_file(Path(str(target.database)), new=new)
        engine = create_engine(
            target, hide_parameters=True, connect_args={"timeout": patience, "check_same_thread": False}
        )
        event.listen(engine, "connect", lambda connection, _: _set_up_sqlite(connection, patience))
        event.listen(engine, "begin", _begin)
        return engine
    arguments = {"connect_timeout": max(2, round(patience)), "client_encoding": "utf8"}
    engine = create_engine(
        target, hide_parameters=True, pool_pre_ping=True, pool_timeout=patience, connect_args=arguments
    )
    event.listen(engine, "do_connect", lambda *asked: _connect_postgresql(asked[2], asked[3], patience))
    event.listen(engine, "connect", lambda connection, _: _set_up_postgresql(connection, patience))
    return engine


def _connect_postgresql(given: Sequence[Any], named: Mapping[str, Any], patience: float) -> Any:
    from arbitree.web.store.silence import PatientConnection

    connection = PatientConnection.connect(*given, **named)
    connection.patience = patience + SILENCE
    return connection


def _prepare_file(path: Path, *, new: bool) -> None:
    """Create an empty file that other users cannot read, because it will contain the session key.

    Args:
        path: The file.
        new: Create it if it does not exist; otherwise raise StoreError if it does not exist or is empty.
    """
    if not path.parent.is_dir():
        raise StoreError(
            f"the directory {str(path.parent)!r} for the database does not exist", hint="Create the directory"
        )
    if not new and (not path.exists() or path.stat().st_size == 0):
        lacking = "is empty" if path.exists() else "does not exist"
        raise StoreError(f"{path}: the database {lacking}", hint="Pass the database of the project")
    try:
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as fault:
        raise StoreError(
            f"{path} cannot be opened for writing ({fault.strerror})",
            hint="Give this user write permission for the file and its directory",
        ) from None


def _set_up_sqlite(connection: Any, patience: float) -> None:
    connection.isolation_level = None  # we say BEGIN ourselves: see _begin
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA synchronous = FULL")  # an acknowledged decision outlives a power cut
    _set_journal(connection, time.monotonic() + patience)
    connection.execute(f"PRAGMA cache_size = -{CACHE}")


def _set_journal(connection: Any, deadline: float) -> None:
    """Enable write-ahead logging, so that readers do not block the writer; retry while the file is locked."""
    while True:
        try:
            mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
        except sqlite3.OperationalError as fault:
            if fault.sqlite_errorname != "SQLITE_BUSY" or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
            continue
        if mode != "wal":
            raise StoreError(
                "SQLite cannot create its journal next to the database",
                hint="Move the project to a local disk",
            )
        return


def _begin(connection: Connection) -> None:
    # Who is going to write takes the lock at once: one that reads first and writes later may find
    # that somebody else wrote in between, and would fail without waiting.
    if connection.get_execution_options().get("writing", False):
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    else:
        connection.connection.cursor().execute("BEGIN")  # cannot fail: SQLite opens nothing yet


def _set_up_postgresql(connection: Any, patience: float) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"SET lock_timeout = {round(patience * 1000)}")
        cursor.execute(f"SET idle_in_transaction_session_timeout = {round(ABANDONED * 1000)}")
        if cursor.execute("SHOW synchronous_commit").fetchone()[0] == "off":
            cursor.execute("SET synchronous_commit = on")  # an acknowledged decision outlives a power cut
    connection.commit()


def _check_encoding(connection: Connection, place: str) -> None:
    encoding = connection.scalar(text("SHOW server_encoding"))
    if encoding != "UTF8":
        raise StoreError(
            f"{place} uses the encoding {encoding}, which cannot represent all characters",
            hint="Create it again: createdb --encoding UTF8 --template template0 NAME",
        )

"""A process that writes many entries at once and is killed in the midst of it."""

import os
import signal
import sqlite3
from multiprocessing import get_context

from sqlalchemy import Engine, event

from arbitree.adjudication.history import ItemTally, NewEntry
from arbitree.web.store import Store

SUBJECTS = [f"item/many-{number}" for number in range(5)]


def write_and_die(url, *, rows=None):
    """Write one entry for each of SUBJECTS; be killed after *rows* of the tables, or after the end.

    Returns:
        The number of the signal that ended the process, negative.
    """
    process = get_context("forkserver").Process(target=_write, args=(url, rows))
    process.start()
    process.join(60)
    return process.exitcode


def kill_at(rows, tables=("log", "tallies")):
    """Kill this process, as a power cut would, before it has written that many rows to *tables* and one more.

    SQLite tells of each row, PostgreSQL of each statement: there, the rows of one statement count once.
    """
    left = rows
    inserts = tuple(f"INSERT INTO {table} " for table in tables)

    def count(statement):
        nonlocal left
        if statement.startswith(inserts):
            left -= 1
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)

    @event.listens_for(Engine, "connect")
    def connected(connection, _record):
        if isinstance(connection, sqlite3.Connection):
            connection.set_trace_callback(count)

    @event.listens_for(Engine, "before_cursor_execute")
    def told(connection, _cursor, statement, *_rest):
        if connection.dialect.name != "sqlite":
            count(statement)


def _write(url, rows):
    if rows is not None:
        kill_at(rows)
    store = Store.open(url)
    tally = ItemTally("decided", 1, 1)
    made = [NewEntry(subject, 0, "choose", {}, subject, tally) for subject in SUBJECTS]
    store.append_all(made, edition=1, person=1)
    os.kill(os.getpid(), signal.SIGKILL)

"""A process that writes many entries at once and is killed in the midst of it."""

import os
import signal
from multiprocessing import get_context

from sqlalchemy import event

from arbitree.adjudication.events import ItemTally, NewEntry
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


def _write(url, rows):
    store = Store.open(url)
    left = rows

    def count(statement):
        nonlocal left
        if left is not None and statement.startswith("INSERT"):
            left -= 1
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)

    if url.startswith("sqlite"):  # tells of each row
        with store._engine.connect() as connection:
            connection.connection.driver_connection.set_trace_callback(count)
    else:  # tells of each statement
        event.listen(store._engine, "before_cursor_execute", lambda *told: count(told[2]))
    tally = ItemTally("decided", 1, 1)
    made = [NewEntry(subject, 0, "choose", {}, subject, tally) for subject in SUBJECTS]
    store.append_all(made, edition=1, person=1)
    os.kill(os.getpid(), signal.SIGKILL)

"""Values that were read from the database, until somebody writes to it."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from functools import wraps
from typing import Protocol, TypeVar, TypeVarTuple, cast

LARGEST = 1000  # number of values; most are a person or the log of an item


class Cache:
    """Values that were read from a database, as long as nobody has written to it since.

    SQLite has a number that changes with each commit of any other connection, in this process or another. One
    connection serves to ask for it and never writes. PostgreSQL has no such number, so nothing is stored.

    Args:
        connection: A connection that asks for the number; None to store nothing.
    """

    def __init__(self, connection: sqlite3.Connection | None) -> None:
        self._connection = connection
        self._lock = threading.Lock()  # a thread that finds it locked does not wait: it reads the database
        self._version = -1
        self._values: dict[tuple[object, ...], object] = {}

    def get(self, name: tuple[object, ...], read: Callable[[], object]) -> object:
        """Return the value of that name; call *read* if it is unknown."""
        version, values = self._current()
        if name in values:
            return values[name]
        value = read()
        if version is not None:
            with self._lock:
                if version != self._version or len(self._values) >= LARGEST:
                    self._version, self._values = version, {}
                self._values[name] = value
        return value

    def close(self) -> None:
        """Close the connection; from now on, nothing is stored."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
            self._connection, self._values = None, {}

    def _current(self) -> tuple[int | None, dict[tuple[object, ...], object]]:
        """Return the number of the last commit, None if it is unknown, and the values read since."""
        if not self._lock.acquire(blocking=False):
            return None, {}
        try:
            if self._connection is None:
                return None, {}
            # Fetch all rows: an open statement would keep the transaction, and with it the old number.
            [(version,)] = self._connection.execute("PRAGMA data_version").fetchall()
            return version, self._values if version == self._version else {}
        except sqlite3.Error:  # the next reading of the database reports the error
            return None, {}
        finally:
            self._lock.release()


class HasCache(Protocol):
    """A database with a cache."""

    cache: Cache


T = TypeVar("T")
D = TypeVar("D", bound=HasCache)
Arguments = TypeVarTuple("Arguments")


def cached(read: Callable[[D, *Arguments], T]) -> Callable[[D, *Arguments], T]:
    """Store what a method reads in the cache of its database; callers must not change the value."""

    @wraps(read)
    def get(database: D, *arguments: *Arguments) -> T:
        value = database.cache.get((read.__name__, *arguments), lambda: read(database, *arguments))
        return cast(T, value)

    return get

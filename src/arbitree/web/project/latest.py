"""Values that are computed from the history, once after each new entry."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")
Stamp = tuple[int, int]


class Latest(Generic[T]):
    """A value that is computed again only after a new entry, by one thread at a time.

    Threads that ask meanwhile receive its value, or its error: if the database does not respond, they do not
    wait for it one after the other.

    Args:
        stamp: Returns a value that changes with every entry.
        compute: Returns the value.
    """

    def __init__(self, stamp: Callable[[], Stamp], compute: Callable[[], T]) -> None:
        self._stamp = stamp
        self._compute = compute
        self._lock = Lock()
        self._kept: tuple[Stamp, T] | None = None
        self._running: Future[T] | None = None

    def get(self) -> T:
        """Return the value for the present history."""
        stamp = self._stamp()
        while True:
            with self._lock:
                if self._kept is not None and self._kept[0] == stamp:
                    return self._kept[1]
                others = self._running
                if others is None:
                    own = self._running = Future()
            if others is None:
                return self._computed(stamp, own)
            others.result()  # it may lack the last entry

    def _computed(self, stamp: Stamp, own: Future[T]) -> T:
        try:
            value = self._compute()
        except BaseException as error:
            with self._lock:
                self._running = None
            own.set_exception(error)
            raise
        with self._lock:
            self._kept, self._running = (stamp, value), None
        own.set_result(value)
        return value

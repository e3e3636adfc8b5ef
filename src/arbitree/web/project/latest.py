"""Values that are computed from the history, once after each new entry."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from threading import Lock
from typing import Generic, TypeVar

from arbitree.web.store.log import Stamp
from arbitree.web.waiting import may_wait

T = TypeVar("T")


class Latest(Generic[T]):
    """A value that is computed again only after a new entry, by one thread at a time.

    Threads that ask meanwhile receive its value, or its error: if the database does not respond, they do not
    wait for it one after the other.

    Args:
        stamp: Returns a value that changes with every entry.
        compute: Returns the value for a stamp, given the last value with its stamp.
    """

    def __init__(
        self, stamp: Callable[[], Stamp], compute: Callable[[Stamp, tuple[Stamp, T] | None], T]
    ) -> None:
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
                kept, others = self._kept, self._running
                if kept is not None and kept[0] == stamp:
                    return kept[1]
                may_wait()
                if others is None:
                    own = self._running = Future()
            if others is None:
                return self._computed(stamp, kept, own)
            others.result()  # it may lack the last entry

    def _computed(self, stamp: Stamp, kept: tuple[Stamp, T] | None, own: Future[T]) -> T:
        try:
            value = self._compute(stamp, kept)
        except BaseException as error:
            with self._lock:
                self._running = None
            own.set_exception(error)
            raise
        with self._lock:
            self._kept, self._running = (stamp, value), None
        own.set_result(value)
        return value

"""Tell functions in the event loop that they must run in a thread instead."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_IN_EVENT_LOOP: ContextVar[bool] = ContextVar("in_event_loop", default=False)


class MustWait(Exception):
    """A function in the event loop needs a value that is not in memory."""


def may_wait() -> None:
    """Raise MustWait in the event loop.

    Call this before waiting for a database or a thread, and before work that takes longer for larger studies.
    """
    if _IN_EVENT_LOOP.get():
        raise MustWait


@contextmanager
def event_loop() -> Iterator[None]:
    """Let ``may_wait`` raise MustWait inside the block."""
    before = _IN_EVENT_LOOP.set(True)
    try:
        yield
    finally:
        _IN_EVENT_LOOP.reset(before)

"""Answer from memory in the event loop; what has to wait, or to draw, runs in a thread."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from functools import wraps
from typing import ParamSpec, TypeVar

from starlette.concurrency import run_in_threadpool

P = ParamSpec("P")
T = TypeVar("T")

_AT_ONCE: ContextVar[bool] = ContextVar("at_once", default=False)


class MustWait(Exception):
    """A function in the event loop needs what is not in memory."""


def may_wait() -> None:
    """Raise MustWait in the event loop.

    Call this before waiting for a database or a thread, and before work that takes longer for larger studies.
    """
    if _AT_ONCE.get():
        raise MustWait


def at_once(function: Callable[P, T]) -> Callable[P, Awaitable[T]]:
    """Run a function that only reads in the event loop, and again in a thread if it must wait.

    A change of threads takes 0.1 ms, a third of the time of a page that is in memory.
    """

    @wraps(function)
    async def run(*args: P.args, **kwargs: P.kwargs) -> T:
        before = _AT_ONCE.set(True)
        try:
            return function(*args, **kwargs)
        except MustWait:
            pass
        finally:
            _AT_ONCE.reset(before)
        return await run_in_threadpool(function, *args, **kwargs)

    # FastAPI before 0.123.6 would look for the types of the parameters in this module.
    run.__signature__ = inspect.signature(function, eval_str=True)  # type: ignore[attr-defined]
    return run

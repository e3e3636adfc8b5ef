"""The contract of a backend: results in order, the same digits wherever they were computed."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from inspect import signature
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, runtime_checkable

from arbitree import plugins
from arbitree.errors import ArbitreeError

if TYPE_CHECKING:
    from arbitree.study.flat_tree import Tree

A = TypeVar("A")
R = TypeVar("R")

Progress = Callable[[int, int], None]  # pieces done, pieces in all
Say = Callable[[str], None]  # a line for the user
Bar = Callable[[str], AbstractContextManager[Progress]]  # opens a display of progress under a title


def silent(done: int, total: int) -> None:
    """Show no progress."""


def no_bar(title: str) -> AbstractContextManager[Progress]:
    """Open no display of progress."""
    return nullcontext(silent)


def mute(line: str) -> None:
    """Say nothing."""


class Run(Protocol):
    """Runs a function over many arguments."""

    def __call__(self, function: Callable[[A], R], arguments: Sequence[A]) -> Iterator[R]:
        """Yield ``function(argument)`` for all *arguments*, in their order."""
        ...


@runtime_checkable
class Session(Protocol):
    """A backend that holds something open from one pass to the next, such as a connection."""

    def session(self) -> AbstractContextManager[Run]:
        """Open it; what is given runs the work until the end of the block."""
        ...


class Accelerator(ABC):
    """A backend with a kernel of its own, which wants larger pieces of work than a processor."""

    __slots__ = ()

    @property
    @abstractmethod
    def stripe(self) -> int:
        """How many clusters one piece of work has."""

    @abstractmethod
    def pack(self, trees: Sequence[Tree]) -> Any:
        """Return *trees* as the kernel wants them."""


@contextmanager
def opened(name: str, *, progress: Progress = silent, say: Say = mute, **options: Any) -> Iterator[Run]:
    """Give the backend called *name* with those of the arguments that it takes; close it afterwards.

    Args:
        name: of a plug-in, which takes what it has parameters for.
        progress: is told how far the work is.
        say: is told what the user should know.
        options: of the user; one that is None, 0 or empty was not given.

    Raises:
        UnknownName: if there is no such backend.
        ArbitreeError: for an option that was given and that the backend does not take.

    Example:
        >>> with opened("threads", threads=2, scheduler=None) as run:
        ...     list(run(abs, [-2, 3]))
        [2, 3]
    """
    backend = plugins.get("backends", name)
    taken = signature(backend).parameters
    for option, value in options.items():
        if value and option not in taken:
            known = plugins.plugins("backends").items()
            others = [f"--backend {other}" for other, each in known if option in signature(each).parameters]
            hint = f"Leave it out, or choose {' or '.join(others)}" if others else "Leave it out"
            raise ArbitreeError(f"the backend {name} takes no --{option}", hint=hint)
    given = options | {"progress": progress, "say": say}
    run = backend(**{key: value for key, value in given.items() if key in taken})
    if isinstance(run, Session):
        with run.session() as ready:
            yield ready
    else:
        yield run


def processors() -> int:
    """Return how many processors this process may use, where the system says."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

"""Define the interface of backends: results in order, and identical on every backend."""

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

Progress = Callable[[float, int], None]  # blocks done, with shares of the running ones; blocks in total
Say = Callable[[str], None]  # shows the user one line
Bar = Callable[[str], AbstractContextManager[Progress]]  # opens a progress bar with a title


def silent(done: float, total: int) -> None:
    """Do not show progress."""


def no_bar(title: str) -> AbstractContextManager[Progress]:
    """Return a context manager that does not show progress."""
    return nullcontext(silent)


def mute(line: str) -> None:
    """Do not print *line*."""


class Run(Protocol):
    """Function that applies another function to many arguments."""

    def __call__(self, function: Callable[[A], R], arguments: Sequence[A]) -> Iterator[R]:
        """Yield ``function(argument)`` for all *arguments*, in their order."""
        ...


@runtime_checkable
class Session(Protocol):
    """Backend with a resource that stays open between passes, such as a connection."""

    def session(self) -> AbstractContextManager[Run]:
        """Open the resource; the returned function can be used until the end of the ``with`` block."""
        ...


class InProcess:
    """Base class for backends that run in this process, so that large arguments are not copied."""

    __slots__ = ()


class Accelerator(InProcess, ABC):
    """Base class for backends with their own kernel, which need larger blocks of work than a CPU."""

    __slots__ = ()

    @property
    @abstractmethod
    def stripe(self) -> int:
        """The number of clusters in one block of work."""

    @abstractmethod
    def pack(self, trees: Sequence[Tree]) -> Any:
        """Return *trees* in the form that the kernel needs."""


@contextmanager
def opened(name: str, *, progress: Progress = silent, say: Say = mute, **options: Any) -> Iterator[Run]:
    """Open the backend called *name* with the arguments that it accepts; close it at the end of the block.

    Args:
        name: Name of the backend; it receives the arguments for which it has parameters.
        progress: Function that receives the progress of the work.
        say: Function that receives status lines.
        options: Options set by the user; None, 0 or an empty value means not set.

    Raises:
        UnknownName: if there is no backend of this name.
        ArbitreeError: if an option is set that the backend does not support.

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
            hint = f"Omit it, or choose {' or '.join(others)}" if others else "Omit it"
            raise ArbitreeError(f"the backend {name} does not support --{option}", hint=hint)
    given = options | {"progress": progress, "say": say}
    run = backend(**{key: value for key, value in given.items() if key in taken})
    if isinstance(run, Session):
        with run.session() as ready:
            yield ready
    else:
        yield run


def processors() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

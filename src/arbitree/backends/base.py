"""The contract of a backend: results in order, the same digits wherever they were computed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeVar

A = TypeVar("A")
R = TypeVar("R")

Progress = Callable[[int, int], None]  # pieces done, pieces in all


def silent(done: int, total: int) -> None:
    """Show no progress."""


class Run(Protocol):
    """Runs a function over many arguments."""

    def __call__(self, function: Callable[[A], R], arguments: Sequence[A]) -> Iterator[R]:
        """Yield ``function(argument)`` for all *arguments*, in their order."""
        ...

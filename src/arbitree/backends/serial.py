"""Run blocks of work one after the other, in the calling thread."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from arbitree.backends.base import A, InProcess, Progress, R, silent


@dataclass(frozen=True, slots=True)
class Serial(InProcess):
    """Run blocks of work one after the other, which is easy to debug.

    Example:
        >>> list(Serial()(abs, [-2, 3]))
        [2, 3]
    """

    threads: int = 1  # not used
    progress: Progress = silent

    def __call__(self, function: Callable[[A], R], arguments: Sequence[A]) -> Iterator[R]:
        """Yield the results in order."""
        for done, argument in enumerate(arguments, start=1):
            yield function(argument)
            self.progress(done, len(arguments))


PLUGINS = {"serial": Serial}

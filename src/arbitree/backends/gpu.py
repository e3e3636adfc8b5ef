"""Pieces of work one after the other, each on a GPU."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from arbitree.backends.base import A, Accelerator, Progress, R, silent
from arbitree.backends.serial import Serial
from arbitree.study.flat_tree import Tree


@dataclass(frozen=True, slots=True)
class Gpu(Accelerator):
    """Tree distances on a GPU through CuPy; needs the extra [gpu]."""

    threads: int = 0  # the card decides
    progress: Progress = silent
    stripe: int = 1024  # clusters of one piece: the card wants many pairs at once

    def pack(self, trees: Sequence[Tree]) -> Any:
        """Return *trees* on the card, in the place of the processor's kernel."""
        from arbitree.kernels import gpu

        return gpu.pack(trees)

    def __call__(self, function: Callable[[A], R], arguments: Sequence[A]) -> Iterator[R]:
        """Yield the results in order."""
        return Serial(progress=self.progress)(function, arguments)


PLUGINS = {"gpu": Gpu}

"""Run blocks of work one after the other on a GPU."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from arbitree.backends.base import A, Accelerator, Progress, R, silent
from arbitree.backends.serial import Serial
from arbitree.study.flat_tree import Tree


@dataclass(frozen=True, slots=True)
class Gpu(Accelerator):
    """Compute tree distances on a GPU through CuPy; needs the extra [gpu]."""

    threads: int = 0  # not used
    progress: Progress = silent
    stripe: int = 4096  # clusters per block: a GPU needs many pairs at once

    def pack(self, trees: Sequence[Tree]) -> Any:
        """Return *trees* in the memory of the GPU."""
        from arbitree.kernels import gpu

        return gpu.pack(trees)

    def __call__(self, function: Callable[[A], R], arguments: Sequence[A]) -> Iterator[R]:
        """Yield the results in order."""
        return Serial(progress=self.progress)(function, arguments)


PLUGINS = {"gpu": Gpu}

"""The compiled kernel; ``plain.py`` says what everything means."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

class Interrupted(RuntimeError): ...

def interrupt() -> None: ...
def resume() -> None: ...
def lanes() -> str: ...
def _set_lanes(name: str) -> None: ...

class Corpus:
    def __init__(
        self, offsets: NDArray[np.int64], labels: NDArray[np.int32], leftmost: NDArray[np.int32]
    ) -> None: ...
    @property
    def tree_count(self) -> int: ...
    def distances(self, first: NDArray[np.int32], second: NDArray[np.int32]) -> NDArray[np.int32]: ...
    def weighted_distances(
        self,
        first: NDArray[np.int32],
        second: NDArray[np.int32],
        *costs: NDArray[Any],
    ) -> NDArray[np.float64]: ...
    def cells(self, first: NDArray[np.int32], second: NDArray[np.int32]) -> NDArray[np.float64]: ...
    def sums(
        self,
        groups: NDArray[np.int64],
        counts: NDArray[np.float64],
        sizes: NDArray[np.float64],
        rows: tuple[int, int],
        columns: tuple[int, int],
    ) -> NDArray[np.float64]: ...
    def weighted_sums(
        self,
        groups: NDArray[np.int64],
        counts: NDArray[np.float64],
        sizes: NDArray[np.float64],
        rows: tuple[int, int],
        columns: tuple[int, int],
        *costs: NDArray[Any],
    ) -> NDArray[np.float64]: ...
    def table(self, first: int, second: int) -> NDArray[np.float64]: ...
    def weighted_table(
        self,
        first: int,
        second: int,
        *costs: NDArray[Any],
    ) -> NDArray[np.float64]: ...

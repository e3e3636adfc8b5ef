"""How values are computed: one object that travels whole from a command to the measures."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from arbitree.backends.base import Progress, Run, Say, opened

if TYPE_CHECKING:
    from arbitree.measures.resampling import Resampling
    from arbitree.measures.sampled_sums import Sampling


@dataclass(frozen=True, slots=True)
class Computing:
    """Resamples and intervals, sampled pairs, and the backend."""

    resamples: int = 1000  # 0: no interval
    confidence: float = 0.95
    interval: str = "percentile"
    seed: int = 0  # of resamples and of sampled pairs
    pairs: float | None = None  # of sentences that the alphas compare, instead of all
    tolerance: float | None = None  # instead of pairs: as many as keep the first alpha within this
    backend: str = "threads"
    threads: int = 0  # 0: one for each processor
    scheduler: str | None = None  # of dask

    def named(self, method: str | None) -> Computing:
        """Return the same with the interval called *method*, the older name of that argument."""
        return self if method is None else replace(self, interval=method)

    @property
    def resampling(self) -> Resampling:
        """Which resamples are drawn, and which interval they make."""
        from arbitree.measures.resampling import Resampling

        return Resampling(self.resamples, self.confidence, self.seed, self.interval)

    @property
    def sampling(self) -> Sampling:
        """How many pairs of sentences the alphas compare."""
        from arbitree.measures.sampled_sums import sampling_of

        return sampling_of(self.pairs, self.tolerance)

    def running(self, progress: Progress, say: Say) -> AbstractContextManager[Run]:
        """Open the backend for the length of a block."""
        return opened(
            self.backend, progress=progress, say=say, threads=self.threads, scheduler=self.scheduler
        )


USUAL = Computing()

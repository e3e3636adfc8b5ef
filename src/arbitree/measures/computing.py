"""Settings of the computation, passed as one object from a command to the measures."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from arbitree.backends.base import Progress, Run, Say, opened

if TYPE_CHECKING:
    from arbitree.measures.resampling import Resampling
    from arbitree.measures.sums.sampled import Sampling


@dataclass(frozen=True, slots=True, kw_only=True)
class Computing:
    """Resamples and intervals, sampled pairs, and the backend.

    Each field is an option of ``arbitree agree``: its metadata describe the option in the help.
    """

    pairs: float | None = field(
        default=None,
        metadata={
            "metavar": "N",
            "help": "Estimate the alphas from a sample of N sentence pairs, such as 1e6. "
            "[default: all pairs]",
            "show_default": False,
        },
    )
    tolerance: float | None = field(
        default=None,
        metadata={
            "metavar": "X",
            "help": "Estimate the first alpha from a sample of sentence pairs, to within X at 95% "
            "confidence.",
            "show_default": False,
        },
    )
    resamples: int = field(
        default=1000,
        metadata={
            "metavar": "N",
            "min": 0,
            "help": "Number of resamples, for methods that resample; 0 for no confidence intervals.",
        },
    )
    confidence: float = field(
        default=0.95,
        metadata={"metavar": "X", "min": 0.001, "max": 0.999, "help": "Level of the confidence intervals."},
    )
    interval: str = field(
        default="jackknife",
        metadata={"metavar": "jackknife|percentile", "help": "Method of the confidence intervals."},
    )
    seed: int = field(
        default=0,
        metadata={"metavar": "N", "min": 0, "help": "Random seed of the resamples and of sampled pairs."},
    )
    threads: int = field(
        default=0,
        metadata={
            "metavar": "N",
            "min": 0,
            "help": "Number of threads, or of dask processes; 0 for one per processor.",
        },
    )
    backend: str = field(
        default="threads",
        metadata={"metavar": "threads|serial|dask|gpu", "help": "Backend that runs the computation."},
    )
    scheduler: str | None = field(
        default=None,
        metadata={
            "metavar": "ADDRESS",
            "help": "Cluster for --backend dask, as tcp://HOST:PORT. "
            "[default: a temporary one on this machine]",
            "show_default": False,
        },
    )

    def named(self, method: str | None) -> Computing:
        """Return the same settings with the interval *method*, the older name of that argument."""
        return self if method is None else replace(self, interval=method)

    @property
    def resampling(self) -> Resampling:
        """Settings of the resamples and the confidence intervals."""
        from arbitree.measures.resampling import Resampling

        return Resampling(self.resamples, self.confidence, self.seed, self.interval)

    @property
    def sampling(self) -> Sampling:
        """Settings of the sample of sentence pairs."""
        from arbitree.measures.sums.sampled import sampling_of

        return sampling_of(self.pairs, self.tolerance)

    def running(self, progress: Progress, say: Say) -> AbstractContextManager[Run]:
        """Return a context manager that opens the backend."""
        return opened(
            self.backend, progress=progress, say=say, threads=self.threads, scheduler=self.scheduler
        )


USUAL = Computing()

"""How values are computed: one object that travels whole from a command to the measures."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from arbitree.backends.base import Progress, Run, Say, opened

if TYPE_CHECKING:
    from arbitree.measures.resampling import Resampling
    from arbitree.measures.sampled_sums import Sampling


@dataclass(frozen=True, slots=True, kw_only=True)
class Computing:
    """Resamples and intervals, sampled pairs, and the backend.

    Each field is an option of ``arbitree agree``: its metadata describe the option in the help.
    """

    pairs: float | None = field(
        default=None,
        metadata={
            "metavar": "N",
            "help": "Estimate the alphas from N pairs of sentences, such as 1e6 (default: all pairs).",
            "show_default": False,
        },
    )
    tolerance: float | None = field(
        default=None,
        metadata={
            "metavar": "X",
            "help": "Estimate the first alpha to within X, 19 times in 20, from as many pairs as that needs.",
            "show_default": False,
        },
    )
    resamples: int = field(
        default=1000, metadata={"min": 0, "help": "Resamples for the intervals; 0 for none."}
    )
    confidence: float = field(
        default=0.95, metadata={"min": 0.001, "max": 0.999, "help": "Confidence of the intervals."}
    )
    interval: str = field(
        default="percentile", metadata={"metavar": "percentile", "help": "Kind of interval."}
    )
    seed: int = field(default=0, metadata={"min": 0, "help": "Seed of the resamples and of sampled pairs."})
    threads: int = field(
        default=0,
        metadata={"min": 0, "help": "Threads, or processes of dask; 0 for one for each processor."},
    )
    backend: str = field(
        default="threads", metadata={"metavar": "threads|serial|dask|gpu", "help": "What runs the work."}
    )
    scheduler: str | None = field(
        default=None,
        metadata={
            "metavar": "ADDRESS",
            "help": "Cluster for --backend dask, as tcp://HOST:PORT "
            "(default: one on this machine, for this run).",
            "show_default": False,
        },
    )

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

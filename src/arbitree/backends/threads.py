"""Run blocks of work on several threads; the kernels release the interpreter lock."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from arbitree import kernels
from arbitree.backends.base import A, InProcess, Progress, R, processors, silent

if TYPE_CHECKING:
    from concurrent.futures import Future

EVERY = 0.2  # seconds between two reports of progress inside a block
AHEAD = 2  # blocks per thread that may be computed before the first result is used


@dataclass(frozen=True, slots=True)
class Threads(InProcess):
    """Run blocks of work on threads, by default one per processor.

    Example:
        >>> list(Threads(2)(abs, [-2, 3]))
        [2, 3]
    """

    threads: int = 0  # 0: one per processor
    progress: Progress = silent

    @property
    def count(self) -> int:
        """The number of threads."""
        return self.threads or processors()

    def __call__(self, function: Callable[[A], R], arguments: Sequence[A]) -> Iterator[R]:
        """Yield the results in order; an interrupt stops all threads immediately."""
        from concurrent.futures import ThreadPoolExecutor  # slow to import

        threads = self.count
        with ThreadPoolExecutor(threads) as pool:
            waiting = iter(arguments)
            futures = deque(pool.submit(function, each) for each in islice(waiting, AHEAD * threads))
            try:
                for done in range(1, len(arguments) + 1):
                    self._wait(futures[0], done - 1, len(arguments))
                    result = futures.popleft().result()  # do not keep a reference to the result
                    futures.extend(pool.submit(function, each) for each in islice(waiting, 1))
                    self.progress(done, len(arguments))
                    yield result
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                kernels.interrupt()
                pool.shutdown(wait=True)
                kernels.resume()
                raise

    def _wait(self, future: Future[R], done: int, total: int) -> None:
        """Wait for a result; meanwhile, report the shares of the running blocks that are done."""
        from concurrent.futures import wait

        shown = 0.0
        while not wait([future], timeout=EVERY).done:
            shown = max(shown, min(kernels.share(), total - done))
            self.progress(done + shown, total)


PLUGINS = {"threads": Threads}

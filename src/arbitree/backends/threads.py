"""Run blocks of work on several threads; the kernels release the interpreter lock."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from arbitree import kernels
from arbitree.backends.base import A, InProcess, Progress, R, processors, silent

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

    def __call__(self, function: Callable[[A], R], arguments: Sequence[A]) -> Iterator[R]:
        """Yield the results in order; an interrupt stops all threads immediately."""
        from concurrent.futures import ThreadPoolExecutor  # slow to import

        threads = self.threads or processors()
        with ThreadPoolExecutor(threads) as pool:
            waiting = iter(arguments)
            futures = deque(pool.submit(function, each) for each in islice(waiting, AHEAD * threads))
            try:
                for done in range(1, len(arguments) + 1):
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


PLUGINS = {"threads": Threads}

"""Run blocks of work on the workers of a Dask cluster.

The function and the corpus that it refers to are sent to the workers once; a task contains only its
argument. Tasks have no side effects, so other workers repeat the tasks of a lost worker.
"""

from __future__ import annotations

import logging
import socket
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Generic
from urllib.parse import urlsplit

import arbitree
from arbitree.backends.base import A, Progress, R, Run, Say, mute, processors, silent
from arbitree.errors import ArbitreeError
from arbitree.extras import need

if TYPE_CHECKING:
    from distributed import Client, Future


ANSWER = 5.0  # seconds to wait for a scheduler
WORKERS = 10.0  # seconds to wait for the first worker
END = 10.0  # seconds to wait for a local cluster to close
AHEAD = 8  # submitted blocks per thread of the cluster: enough to keep it busy, and few enough for memory
RETRIES = 2  # of a block that failed on a worker, for example for lack of memory or disk space
LOSSES = 3  # times in one pass that all workers with the function may be lost
PAUSES = (0.5, 2.0, 4.0)  # seconds before sending the function is tried again

_LOGS = "See the logs of the scheduler and the workers; the usual cause is lack of memory"
# Ctrl-C reaches all processes of a terminal; the workers of a local cluster ignore it. They also write no
# traceback when the cluster closes before it has answered their last heartbeat.
_QUIET_WORKER = """import logging, signal
signal.signal(signal.SIGINT, signal.SIG_IGN)
unanswered = "Failed to communicate with scheduler during heartbeat"
worker = logging.getLogger("distributed.worker")
worker.addFilter(lambda record: not record.getMessage().startswith(unanswered))
"""
_SCHEMES = ("tcp", "tls", "ws", "wss")


@dataclass(frozen=True, slots=True)
class Dask:
    """Run blocks of work on a Dask cluster, by default a cluster of processes on this machine.

    A call connects for one pass over the blocks; ``session()`` keeps the connection open.
    """

    threads: int = 0  # processes of a local cluster; 0: one per processor
    scheduler: str | None = None  # address of an existing cluster
    progress: Progress = silent
    say: Say = mute

    def __post_init__(self) -> None:
        if self.threads and self.scheduler is not None:
            what = "cannot set --threads for an existing cluster"
            raise ArbitreeError(what, hint="Omit --threads or --scheduler")

    def __call__(self, function: Callable[[A], R], arguments: Sequence[A]) -> Iterator[R]:
        """Yield the results in order."""
        with self.session() as run:
            yield from run(function, arguments)

    @contextmanager
    def session(self) -> Iterator[Run]:
        """Connect to the cluster, or start one; close it at the end of the block.

        Raises:
            ArbitreeError: if the cluster cannot be reached or used.
        """
        need("the backend dask", "distributed")
        with ExitStack() as stack:
            cluster: Any = self.scheduler
            if cluster is None:
                cluster = stack.enter_context(_local_cluster(self.threads or processors(), self.say))
            else:
                _check_address(cluster)
            client = stack.enter_context(_client(cluster))
            _check_workers(client)
            if self.scheduler is not None:
                threads = client.nthreads().values()
                self.say(f"Cluster at {self.scheduler}: workers {len(threads)}, threads {sum(threads)}")
            yield _Connected(client, self.progress)


@dataclass(frozen=True, slots=True)
class _Connected:
    """Run work through an open client."""

    client: Client
    progress: Progress

    def __call__(self, function: Callable[[A], R], arguments: Sequence[A]) -> Iterator[R]:
        """Yield the results in order; cancel all submitted tasks if it ends early."""
        if not arguments:
            return
        work = _Pass(self.client, function, arguments)
        try:
            for done in range(len(arguments)):
                result = work.result(done)
                self.progress(done + 1, len(arguments))
                yield result
        finally:
            work.cancel()


@dataclass(slots=True)
class _Pass(Generic[A, R]):
    """One function applied to many arguments: tasks to submit, submitted tasks, and early results."""

    client: Client
    function: Callable[[A], R]
    arguments: Sequence[A]
    _ahead: int = field(init=False)
    _unsent: deque[int] = field(init=False)
    _sent: dict[Future, int] = field(default_factory=dict, init=False)
    _back: dict[int, R] = field(default_factory=dict, init=False)
    _function: Future | None = field(default=None, init=False)
    _scatters: int = field(default=0, init=False)
    _arriving: Any = field(init=False)

    def __post_init__(self) -> None:
        from distributed import as_completed

        self._ahead = AHEAD * sum(self.client.nthreads().values())
        self._unsent = deque(range(len(self.arguments)))
        self._arriving = as_completed(loop=self.client.loop, with_results=True)

    def result(self, place: int) -> R:
        """Return the result of one block; blocks must be requested in order."""
        self._send(place + self._ahead)
        while place not in self._back:
            self._receive()
            self._send(place + self._ahead)
        return self._back.pop(place)

    def cancel(self) -> None:
        """Cancel all submitted tasks."""
        with suppress(Exception):  # a lost cluster has no tasks to cancel
            self.client.cancel([*self._sent, *filter(None, [self._function])], force=True)

    def _send(self, stop: int) -> None:
        """Submit the blocks before *stop* that have not been submitted."""
        while self._unsent and self._unsent[0] < stop:
            function = self._scattered()
            place = self._unsent.popleft()
            future = self.client.submit(_apply, function, self.arguments[place], pure=False, retries=RETRIES)
            self._sent[future] = place
            self._arriving.add(future)

    def _receive(self) -> None:
        """Wait for one result."""
        from distributed import KilledWorker

        try:
            future, result = next(self._arriving)
        except KilledWorker:
            what = "the cluster lost several workers while computing one block"
            raise ArbitreeError(what, hint=_LOGS) from None
        place = self._sent.pop(future)
        if isinstance(result, CancelledError):  # the last worker with the function is lost
            self._unsent.appendleft(place)
        else:
            self._back[place] = result

    def _scattered(self) -> Future:
        """Return the function on the workers; send it to all of them if no worker has it."""
        if self._function is not None and self._function.status == "finished":
            return self._function
        if self._scatters > LOSSES:
            raise ArbitreeError("the cluster lost all workers several times", hint=_LOGS)
        self._scatters += 1
        for pause in (*PAUSES, None):
            try:
                self._function = self.client.scatter(
                    self.function, broadcast=True, hash=False, timeout=WORKERS
                )
                break
            except Exception as error:
                closed = self.client.status != "running"
                if not closed and not isinstance(error, (CancelledError, OSError, RuntimeError)):
                    raise
                if closed or pause is None:
                    reason = "the scheduler does not respond" if closed else _reason(error)
                    raise ArbitreeError(
                        f"lost the connection to the cluster ({reason})", hint=_LOGS
                    ) from None
                time.sleep(pause)  # the scheduler may not know yet that a worker is lost
        return self._function


def _apply(function: Callable[[A], R], argument: A) -> R:
    return function(argument)


@contextmanager
def _local_cluster(processes: int, say: Say) -> Iterator[Any]:
    """Start a local cluster that accepts no remote connections; stop it at the end of the block."""
    from distributed import LocalCluster

    say(f"Started a local cluster of {processes} processes (no --scheduler given)")
    cluster = LocalCluster(
        n_workers=processes,
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",  # None would take port 8787, and warn if it is not free
        silence_logs=logging.ERROR,
        preload=[_QUIET_WORKER],
    )
    try:
        yield cluster
    finally:
        # Dask sometimes waits for ever for the successor of a killed worker, which ends with this process.
        with suppress(TimeoutError):
            cluster.close(timeout=END)


def _check_address(address: str) -> None:
    """Raise ArbitreeError unless a scheduler answers at *address*, sooner than Dask would."""
    try:
        parts = urlsplit(address if "://" in address else f"tcp://{address}")
        place = (parts.hostname or "", parts.port or 0)
    except ValueError:
        place = ("", 0)
    if not all(place) or parts.scheme not in _SCHEMES:
        raise ArbitreeError(
            f"--scheduler {address!r} is not a valid address", hint="Write it as tcp://HOST:PORT"
        )
    hint = "Use the address that the scheduler printed when it started"
    try:
        with socket.create_connection(place, timeout=ANSWER) as line:
            # A scheduler sends a greeting that begins with a length of eight bytes; other programs do not.
            if parts.scheme == "tcp" and line.recv(8)[7:] != b"\0":
                raise ConnectionError("another program uses this port")
    except OSError as error:
        raise ArbitreeError(f"no scheduler answers at {address} ({_reason(error)})", hint=hint) from None


def _client(cluster: Any) -> Client:
    from distributed import Client

    try:
        return Client(cluster, timeout=ANSWER, set_as_default=False)
    except (OSError, ValueError, ImportError) as error:
        what = f"cannot use the scheduler at {cluster} ({_reason(error)})"
        raise ArbitreeError(what, hint="Install the same version of Dask on both machines") from None


def _check_workers(client: Client) -> None:
    """Raise ArbitreeError unless there are workers, all with this version of Arbitree."""
    try:
        client.wait_for_workers(1, timeout=WORKERS)
    except TimeoutError:
        what = f"the scheduler has no workers, and none connected within {WORKERS:g} seconds"
        raise ArbitreeError(what, hint="Start workers with: dask worker ADDRESS") from None
    # A function of the standard library, because a worker without Arbitree cannot load ours.
    versions = client.run(resolve_name, "arbitree:__version__", on_error="return")
    for worker, version in versions.items():
        if version != arbitree.__version__:
            has = "cannot import arbitree" if isinstance(version, Exception) else f"has arbitree {version}"
            reason = f" ({_reason(version)})" if isinstance(version, Exception) else ""
            hint = f"Install arbitree {arbitree.__version__} on all workers"
            raise ArbitreeError(f"the worker at {worker} {has}{reason}", hint=hint)


def _reason(error: Exception) -> str:
    said = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return said.partition("\n")[0]


PLUGINS = {"dask": Dask}

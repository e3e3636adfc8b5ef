"""Run one input under the limits of time and memory, and record what failed."""

import gc
import hashlib
import json
import mmap
import os
import resource
import shutil
import signal
import struct
import tempfile
import time
import traceback
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path

from arbitree.errors import ArbitreeError

SECONDS = 5  # of processor time for one input
BYTES = 1 << 30  # of memory for one input
FAILED = Path(__file__).with_name("failed")
MINIMISING = 2  # seconds for making one input smaller
HEADER = struct.Struct("dQ")  # when the input started, and its length
ROOM = 1 << 21  # bytes for the input that is run


class TooSlow(BaseException):
    """An input takes longer than the limit; no reader catches this exception."""


class TooLarge(Exception):
    """An input takes more memory than the limit."""


class Leftover(Exception):
    """A temporary file remains after the input was read."""


@dataclass
class Tally:
    """What happened to the inputs of a target."""

    inputs: int = 0
    distinct: int = 0
    refused: int = 0  # with an ArbitreeError
    failed: int = 0
    seconds: float = 0.0
    slowest: float = 0.0  # processor time of one input
    megabytes: float = 0.0  # by which the peak of memory grew
    failures: dict[str, int] = field(default_factory=dict)  # inputs by where they failed

    def add(self, other: "Tally") -> None:
        """Add the inputs of another run."""
        for name in ("inputs", "distinct", "refused", "failed", "seconds"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.slowest = max(self.slowest, other.slowest)
        self.megabytes = max(self.megabytes, other.megabytes)
        for key, count in other.failures.items():
            self.failures[key] = self.failures.get(key, 0) + count


class Judge:
    """Run inputs of one target one after the other."""

    def __init__(self, run: Callable[[bytes], None], folder: Path, *, kept: Path | None = None):
        self.run = run
        self.tally = Tally()
        self.outcomes: set[str] = set()
        self.kept = kept  # where failing inputs are kept
        self.report = folder / "tally.json"
        self.current = folder / "current"  # the input that is run, for the case that this process dies
        self.temporary = folder / "tmp"
        self.temporary.mkdir(exist_ok=True)
        self.changed = self.temporary.stat().st_mtime_ns
        tempfile.tempdir = str(self.temporary)
        os.environ["TMPDIR"] = str(self.temporary)
        self.current.write_bytes(bytes(HEADER.size + ROOM))
        with self.current.open("r+b") as file:
            self.shared = mmap.mmap(file.fileno(), 0)
        self.begin = self.said = time.monotonic()
        self.peak = _peak()
        self.seen: set[int] = set()

    def limited(self) -> None:
        """Limit the memory of this process, and the time of each input."""
        signal.signal(signal.SIGPROF, _late)
        size = int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (size + BYTES, resource.RLIM_INFINITY))

    def judge(self, data: bytes) -> str:
        """Run one input and return its outcome: the type of error and where it was raised, or ``read``."""
        self.shared[: HEADER.size] = HEADER.pack(time.monotonic(), len(data))
        self.shared[HEADER.size : HEADER.size + min(len(data), ROOM)] = data[:ROOM]
        began = time.process_time()
        error = self._error(data)
        took = time.process_time() - began
        tally = self.tally
        tally.inputs += 1
        mark = hash(data)
        if mark not in self.seen:
            self.seen.add(mark)
            tally.distinct += 1
        tally.slowest = max(tally.slowest, took)
        tally.megabytes = max(tally.megabytes, (_peak() - self.peak) / 2**20)
        outcome = "read" if error is None else place_of(error)
        if isinstance(error, ArbitreeError):
            tally.refused += 1
        elif error is not None:
            self._failed(data, outcome, error)
        del error
        now = time.monotonic()
        if now - self.said > 1:
            self.say(now)
        return outcome

    def say(self, now: float) -> None:
        """Write the tally so far."""
        self.said = now
        self.tally.seconds = now - self.begin
        part = self.report.with_suffix(".part")
        part.write_text(json.dumps(asdict(self.tally)), encoding="utf-8")
        part.replace(self.report)

    def _error(self, data: bytes) -> BaseException | None:
        began = time.process_time()
        peak = _peak()
        try:
            signal.setitimer(signal.ITIMER_PROF, SECONDS)
            try:
                self.run(data)
            finally:
                signal.setitimer(signal.ITIMER_PROF, 0)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            if not isinstance(error, ArbitreeError):
                return error
            refusal = error
        else:
            refusal = None
        if time.process_time() - began > SECONDS:
            return TooSlow(f"{time.process_time() - began:.1f} s")
        if _peak() - peak > BYTES:
            return TooLarge(f"{(_peak() - peak) >> 20} MB")
        if os.stat(self.temporary).st_mtime_ns != self.changed:  # noqa: PTH116  # for every input
            left = sorted(self.temporary.iterdir())
            for path in left:
                shutil.rmtree(path) if path.is_dir() else path.unlink()
            self.changed = os.stat(self.temporary).st_mtime_ns  # noqa: PTH116
            if left:
                return Leftover(left[0].name)
        return refusal

    def _failed(self, data: bytes, outcome: str, error: BaseException) -> None:
        self.tally.failed += 1
        known = outcome in self.tally.failures
        self.tally.failures[outcome] = self.tally.failures.get(outcome, 0) + 1
        if known or self.kept is None or outcome in _kept(self.kept):
            return
        told = "".join(traceback.format_exception(error))[-2000:]
        self.shared[: HEADER.size] = HEADER.pack(0.0, 0)
        small = self._smaller(data, outcome)
        keep(self.kept, small, f"{outcome}\n{told}")
        gc.collect()

    def _smaller(self, data: bytes, outcome: str) -> bytes:
        """Return a part of *data* that fails in the same place."""
        if data.startswith(b"PK"):  # a part of a zip file is not a zip file
            return data
        end = time.process_time() + MINIMISING
        for mark in (b"\n", b""):
            size = len(_pieces(data, mark)) // 2
            while size and time.process_time() < end:
                pieces = _pieces(data, mark)
                for start in range(0, len(pieces), size):
                    shorter = mark.join(pieces[:start] + pieces[start + size :])
                    error = self._error(shorter)
                    if error is not None and place_of(error) == outcome:
                        data = shorter
                        break
                    if time.process_time() > end:
                        break
                else:
                    size //= 2
        return data


def keep(folder: Path, data: bytes, told: str) -> None:
    """Keep a failing input; its name is the hash of its content."""
    folder.mkdir(parents=True, exist_ok=True)
    name = hashlib.sha256(data).hexdigest()[:12]
    (folder / name).write_bytes(data)
    (folder / f"{name}.txt").write_text(told, encoding="utf-8")


def _kept(folder: Path) -> set[str]:
    """Return where the inputs that are kept failed."""
    return {path.read_text(encoding="utf-8").partition("\n")[0] for path in folder.glob("*.txt")}


def place_of(error: BaseException) -> str:
    """Return the type of an error and the last line of Arbitree that was running."""
    where, frames = "", error.__traceback__
    while frames is not None:
        path = frames.tb_frame.f_code.co_filename
        if "/arbitree/" in path:
            where = f" {path.rpartition('/arbitree/')[2]}:{frames.tb_lineno}"
        frames = frames.tb_next
    return type(error).__name__ + where


def _pieces(data: bytes, mark: bytes) -> list[bytes]:
    return data.split(mark) if mark else [data[at : at + 1] for at in range(len(data))]


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _late(*_: object) -> None:
    raise TooSlow(f"more than {SECONDS} s")

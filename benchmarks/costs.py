"""Costs of a job: CPU seconds, wall seconds and peak memory.

A job is a function without arguments that returns its cost. ``call`` makes one of a function in this process,
``alone`` of a function in a new process, ``command`` of a command line, and ``arbitree`` of our own command.
"""

import json
import math
import os
import pickle
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BEFORE = os.environ.get("ARBITREE_BEFORE")  # the directory of an earlier version
# An installed version has its byte code, so a working copy may store it, too.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


@dataclass(frozen=True)
class Cost:
    """CPU seconds, wall seconds, and peak memory in MB if a job has a process of its own."""

    cpu: float
    wall: float
    memory: float | None = None

    def times(self, factor):
        """Return the cost of so many jobs, one after the other.

        Example:
            >>> Cost(2.0, 3.0, 40).times(10)
            Cost(cpu=20.0, wall=30.0, memory=40)
        """
        return Cost(self.cpu * factor, self.wall * factor, self.memory)

    def least(self, other):
        """Return the lesser of each number.

        Example:
            >>> Cost(2.0, 3.0, 41).least(Cost(1.0, 4.0, 40))
            Cost(cpu=1.0, wall=3.0, memory=40)
        """
        memory = None if self.memory is None or other.memory is None else min(self.memory, other.memory)
        return Cost(min(self.cpu, other.cpu), min(self.wall, other.wall), memory)


Job = Callable[[], Cost]


@dataclass(frozen=True)
class Process:
    """A job in a process of its own; ``run`` is given the Python interpreter, which selects the version."""

    run: Callable[[str], Cost]

    def __call__(self):
        """Return the cost in this version."""
        return self.run(sys.executable)

    def before(self):
        """Return the cost of the same job in the earlier version."""
        return self.run(str(Path(BEFORE, ".venv/bin/python")))


def call(work, times=1.0, repeat=1):
    """Return a job that calls *work* in this process, *repeat* times. Its cost is that of *times* calls."""

    def job():
        cpu, wall = time.process_time(), time.perf_counter()
        for _ in range(repeat):
            work()
        return Cost(time.process_time() - cpu, time.perf_counter() - wall).times(times / repeat)

    return job


def alone(prepare, *arguments, times=1.0):
    """Return a job in a new process, which calls ``prepare(*arguments)`` and measures a call of the result.

    *prepare* is a function of a module in benchmarks/. Memory includes what it prepares.
    """

    def run(python):
        given = pickle.dumps((prepare.__module__, prepare.__name__, arguments))
        done = subprocess.run(
            [python, "-W", "ignore", "-m", "benchmarks.costs"],
            input=given,
            stdout=subprocess.PIPE,
            cwd=ROOT,
            env=ENVIRONMENT,
            check=True,
        )
        return Cost(*json.loads(done.stdout.splitlines()[-1])).times(times)

    return Process(run)


def _measure_alone():
    """Run the job that standard input describes, and print its cost."""
    module, name, arguments = pickle.loads(sys.stdin.buffer.read())
    work = getattr(import_module(module), name)(*arguments)
    cost = call(work)()
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    (peak,) = [int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")]
    print(json.dumps([cost.cpu, cost.wall, peak / 1024]))


# A process is charged with the memory of the one that starts it, so a small process starts commands.
START = """
import os, sys, time
begin = time.perf_counter()
null = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
_, status, used = os.wait4(os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ, file_actions=null), 0)
print([used.ru_utime + used.ru_stime, time.perf_counter() - begin, used.ru_maxrss / 1024])
sys.exit(os.waitstatus_to_exitcode(status))
"""


def command(*arguments, folder=None, times=1.0):
    """Return a job that runs a command line in *folder*."""

    def job():
        line = [sys.executable, "-I", "-S", "-c", START, *map(str, arguments)]
        done = subprocess.run(line, capture_output=True, text=True, cwd=folder, env=ENVIRONMENT, check=False)
        if done.returncode:
            raise SystemExit(f"{' '.join(map(str, arguments))} failed:\n{done.stderr[-2000:]}")
        return Cost(*json.loads(done.stdout)).times(times)

    return job


def arbitree(*arguments, folder=None):
    """Return a job that runs our command line."""
    return Process(lambda python: command(python, "-m", "arbitree", *arguments, folder=folder)())


def in_turns(jobs: Mapping[str, Job], rounds):
    """Run the jobs in turns, and return the least cost of each; short jobs have more rounds, if not one."""
    begin, done, found = sum(os.times()[:4]), 1, {name: job() for name, job in jobs.items()}
    while done < rounds or (rounds > 1 and done < 10 and sum(os.times()[:4]) - begin < 0.6):
        found = {name: found[name].least(job()) for name, job in jobs.items()}
        done += 1
    return found


def exponent(sizes, seconds):
    """Return b of seconds = a * size ** b, by least squares on the logarithms.

    Example:
        >>> exponent([10, 20, 40], [3.0, 12.0, 48.0])
        2.0
    """
    xs, ys = ([math.log(each) for each in column] for column in (sizes, seconds))
    middle, height = sum(xs) / len(xs), sum(ys) / len(ys)
    above = sum((x - middle) * (y - height) for x, y in zip(xs, ys, strict=True))
    return round(above / sum((x - middle) ** 2 for x in xs), 9)


def data(name):
    """Return a directory in ARBITREE_DATA, or None if there is none."""
    given = os.environ.get("ARBITREE_DATA")
    path = Path(given, name) if given else None
    return path if path and path.exists() else None


if __name__ == "__main__":
    _measure_alone()

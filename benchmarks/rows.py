"""Rows of the tables in docs/speed.md: Arbitree compared with a peer, and growth with the size of the input.

A program yields rows before they are measured, so that all of them are measured in the same way: the jobs of
a row take turns, and the least cost of each counts.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from benchmarks.costs import BEFORE, Cost, Job, Process, exponent, in_turns

EARLIER = "earlier version"


class Unavailable(Exception):
    """This machine cannot run a program; the message tells what is missing."""


def earlier(job):
    """Return the same job in the earlier version as a peer, if there is one that can run it."""
    return {EARLIER: job.before} if BEFORE and isinstance(job, Process) else {}


@dataclass(frozen=True)
class Row:
    """A job of ours, and the same job by each of the peers that are installed."""

    job: str
    ours: Job
    peers: Mapping[str, Job] = field(default_factory=dict)
    rounds: int = 3
    clock: str = "cpu"  # or "wall", which is not compared with recorded ratios because it depends on the load

    def measure(self):
        """Return a comparison with each peer."""
        peers = {**self.peers, **earlier(self.ours)}
        costs = in_turns({"": self.ours, **peers}, self.rounds)
        return [Comparison(self.job, costs[""], name, costs[name], self.clock) for name in peers] or [
            Comparison(self.job, costs[""], "", None, self.clock)
        ]


@dataclass(frozen=True)
class Comparison:
    """Measured costs of one job."""

    job: str
    ours: Cost
    peer: str
    theirs: Cost | None
    clock: str = "cpu"

    COLUMNS = ("job", "time", "memory", "peer", "its time", "its memory", "ratio")

    @property
    def seconds(self):
        """Return our seconds and those of the peer."""
        return [getattr(each, self.clock) if each else None for each in (self.ours, self.theirs)]

    @property
    def ratio(self):
        """Return the time of the peer divided by ours: above 1, Arbitree is faster."""
        ours, theirs = self.seconds
        return theirs / ours if theirs is not None else None

    def least(self, other):
        """Return the lesser costs of two measurements of the same job."""
        theirs = self.theirs and self.theirs.least(other.theirs)
        return Comparison(self.job, self.ours.least(other.ours), self.peer, theirs, self.clock)

    def cells(self):
        """Return the cells of a row."""
        ours, theirs = map(duration, self.seconds)
        wall = " (wall)" if self.clock == "wall" else ""
        theirs_memory = size(self.theirs.memory) if self.theirs else ""
        return [
            self.job + wall,
            ours,
            size(self.ours.memory),
            self.peer,
            theirs,
            theirs_memory,
            rounded(self.ratio),
        ]


@dataclass(frozen=True)
class Growth:
    """A job by the size of its input."""

    job: str
    over: str  # what grows: "sentences", "annotators", "nodes", "resamples"
    jobs: Mapping[int, Job]
    program: str = "Arbitree"
    rounds: int = 1

    COLUMNS = ("job", "program", "grows with", "sizes", "CPU time", "memory", "exponent")

    def measure(self):
        """Return the costs by size."""
        found = [Grown(self.job, self.over, in_turns(dict(self.jobs), self.rounds), self.program)]
        others = {size: job for size, own in self.jobs.items() for job in earlier(own).values()}
        if others:
            found.append(Grown(self.job, self.over, in_turns(others, self.rounds), EARLIER))
        return found


@dataclass(frozen=True)
class Grown:
    """Measured costs of one job by size, with the exponent of the growth of CPU time."""

    job: str
    over: str
    costs: Mapping[int, Cost]
    program: str

    COLUMNS = Growth.COLUMNS

    def cells(self):
        """Return the cells of a row."""
        power = exponent(list(self.costs), [cost.cpu for cost in self.costs.values()])
        columns = ([f"{each:,}" for each in self.costs],)
        columns += ([duration(cost.cpu) for cost in self.costs.values()],)
        columns += ([size(cost.memory) for cost in self.costs.values() if cost.memory],)
        return [self.job, self.program, self.over, *(" · ".join(each) for each in columns), f"{power:.2f}"]


def rounded(value):
    """Return a number with three digits or all digits before the point.

    Example:
        >>> rounded(185973.2), rounded(12.64), rounded(0.03456), rounded(1234.5), rounded(None)
        ('186,000', '12.6', '0.0346', '1,230', '')
    """
    if value is None:
        return ""
    value = float(f"{value:.3g}")
    return f"{value:,.0f}" if value >= 100 else f"{value:#.3g}"


def duration(seconds):
    """Return a time with its unit.

    Example:
        >>> duration(335023), duration(4.6449), duration(0.0123), duration(4.02e-8)
        ('335,000 s', '4.64 s', '12.3 ms', '40.2 ns')
    """
    if seconds is None:
        return ""
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("µs", 1e6)):
        if seconds * factor >= 0.9995:
            return f"{rounded(seconds * factor)} {unit}"
    return f"{rounded(seconds * 1e9)} ns"


def size(memory):
    """Return a size of memory in MB.

    Example:
        >>> size(330.4), size(None)
        ('330 MB', '')
    """
    return "" if memory is None else f"{memory:,.0f} MB"


def tables(found):
    """Return Markdown tables of what was measured, one for each type of row.

    Example:
        >>> print(tables([Comparison("read", Cost(2.0, 2.0), "pandas", Cost(1.0, 1.0))]))
        | job | time | memory | peer | its time | its memory | ratio |
        |---|---|---|---|---|---|---|
        | read | 2.00 s |  | pandas | 1.00 s |  | 0.500 |
    """
    parts = []
    for columns in (Comparison.COLUMNS, Growth.COLUMNS):
        body = [each.cells() for each in found if columns == each.COLUMNS]
        if body:
            lines = [f"| {' | '.join(cells)} |" for cells in [columns, *body]]
            parts.append("\n".join([lines[0], "|" + "---|" * len(columns), *lines[1:]]))
    return "\n\n".join(parts)

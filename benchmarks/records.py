"""Recorded ratios: what a comparison found before, in benchmarks/recorded.tsv.

A row is identified by the machine, the type of run (quick or full), the program, the job and the peer. Only
ratios are compared, because both times of a ratio come from one run. They are compared with those of the same
machine, because processors differ in the operations that are fast.
"""

import csv
import os
import platform
from pathlib import Path

from arbitree import kernels

RECORDED = Path(__file__).parent / "recorded.tsv"
COLUMNS = ("run", "program", "job", "peer", "ours", "theirs", "ratio", "machine")
TOLERATED = 1.25  # a ratio that is lower by more than this factor counts as slower


def read(path=RECORDED):
    """Return the rows that this machine recorded, by run, program, job and peer."""
    here = [row for row in every(path) if row["machine"] == machine()]
    return {tuple(row[name] for name in COLUMNS[:4]): row for row in here}


def write(run, program, found, path=RECORDED):
    """Record the comparisons of a program in place of those of its last run of this type on this machine."""
    here = {"run": run, "program": program, "machine": machine()}
    rows = [row for row in every(path) if any(row[name] != value for name, value in here.items())]
    for each in compared(found):
        numbers = [f"{float(f'{value:.3g}'):.10g}" for value in (*each.seconds, each.ratio)]
        rows.append(dict(zip(COLUMNS, [run, program, each.job, each.peer, *numbers, machine()], strict=True)))
    with path.open("w", newline="", encoding="utf-8") as file:
        out = csv.DictWriter(file, COLUMNS, delimiter="\t", lineterminator="\n")
        out.writeheader()
        out.writerows(sorted(rows, key=lambda row: [row["machine"], row["run"], row["program"]]))


def every(path=RECORDED):
    """Return the rows of all machines."""
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def compared(found):
    """Return the comparisons whose ratios can be compared with those of other runs."""
    return [each for each in found if getattr(each, "ratio", None) is not None and each.clock == "cpu"]


def limit(row):
    """Return the ratio below which a row counts as slower than recorded, or 0 if it is not recorded.

    Example:
        >>> limit({"ratio": "10"}), limit(None)
        (8.0, 0.0)
    """
    return float(row["ratio"]) / TOLERATED if row else 0.0


def machine():
    """Return the processor, its cores and the vectors that the kernel uses."""
    cores, name = os.cpu_count(), platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        name = next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    lanes = kernels.lanes() if kernels.COMPILED else "no C++ kernel"
    return f"{name}, {cores} cores, {lanes}"

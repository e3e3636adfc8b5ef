"""Time and memory of ``arbitree tsdb`` on a simulated project of two annotators.

python -m benchmarks.tsdb [SUITES]
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.support.simulated_profiles import Plan, simulate, write


def main() -> None:
    suites = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    project = simulate(Plan(suites=suites))
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "project")
        folders = write(project, root)
        rows = sum((each / "decision").read_bytes().count(b"\n") for each in folders)
        sentences = sum(map(len, project.suites.values()))
        print(
            f"{sentences:,} sentences, {rows:,} decisions, {len(folders)} profiles, truth {project.truth:.4f}"
        )
        for outputs in ([], ["-o", str(Path(folder, "report.xlsx"))]):
            command = [sys.executable, "-m", "arbitree", "tsdb", "--root", str(root), "-q", *outputs]
            begin, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            wall, after = time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
            cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            what = "with workbook" if outputs else "text"
            print(
                f"{what:14} {wall:6.1f} s  {cpu:6.1f} s of processor  {after.ru_maxrss / 1e3:5.0f} MB at most"
            )
        print(done.stdout.splitlines()[0])
        write(project, Path(folder, "thorough"), thorough=True)
        command = [
            sys.executable,
            "-m",
            "arbitree",
            "tsdb",
            "--root",
            str(Path(folder, "thorough")),
            "-q",
            "--json",
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        exact = json.loads(done.stdout)["results"][0]
        error, used = exact["value"] - project.truth, exact["items_used"]
        print(f"all discriminants recorded: {exact['value']:.4f} on {used:,} sentences, off by {error:.1g}")


if __name__ == "__main__":
    main()

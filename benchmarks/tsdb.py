"""Profiles of [incr tsdb()] (`tsdb`), compared with PyDelphin, which only reads them.

The project is simulated: suites of 300 sentences by two annotators, whose true agreement is known.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.support.simulated_profiles import Plan, simulate, write

from benchmarks.costs import alone, arbitree
from benchmarks.rows import Row


def measure(quick):
    """Yield the rows, and the error of the value if all discriminants are recorded."""
    suites, rounds = (2, 2) if quick else (40, 1)
    project = simulate(Plan(suites=suites))
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "project")
        profiles = write(project, root)
        sentences = sum(map(len, project.suites.values()))
        peers = {"PyDelphin, reading": alone(read, profiles)}
        ours = arbitree("tsdb", "--root", root)
        yield Row(f"`tsdb`, {sentences:,} sentences", ours, peers, rounds)
        ours = arbitree("tsdb", "--root", root, "--output", Path(folder, "report.xlsx"))
        yield Row(f"`tsdb`, {sentences:,} sentences, with a workbook", ours, peers, rounds)
        rows = sum((each / "decision").read_bytes().count(b"\n") for each in profiles)
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
        error = abs(json.loads(done.stdout)["results"][0]["value"] - project.truth)
        yield f"{rows:,} decisions. If all discriminants are recorded, the error of the value is {error:.1g}."


def read(profiles):
    """Return work that reads all rows of all files with PyDelphin."""
    from delphin import tsdb

    def work():
        for profile in profiles:
            database = tsdb.Database(profile)
            for name in database.schema:
                list(database[name])

    return work

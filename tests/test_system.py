"""``make test`` names system packages before it installs them, and counts the tests that it skips."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.system import count_missing, missing

SCRIPT = Path(__file__).with_name("system.sh")


@pytest.fixture
def machine(tmp_path):
    """Return a function that runs the script on a machine without programs, and returns what happened."""
    programs = tmp_path / "programs"
    programs.mkdir()
    log = tmp_path / "log"
    made = {"id": "echo 0", "mkdir": "exit 1", "apt-get": f'echo "apt-get $1" >>{log}'}
    for name, body in made.items():
        (programs / name).write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
        (programs / name).chmod(0o755)
    (programs / "ls").symlink_to(shutil.which("ls"))

    def run(**environment):
        with log.open("a", encoding="utf-8") as stream:
            subprocess.run(
                ["/bin/sh", SCRIPT], env={"PATH": str(programs), **environment}, stdout=stream, check=True
            )
        return log.read_text(encoding="utf-8").splitlines()

    return run


def test_packages_are_named_before_they_are_installed(machine):
    first, *rest = machine()
    assert first.startswith("Installing packages of the system with apt-get: chromium subversion")
    assert "SYSTEM=no" in first
    assert rest == ["apt-get update", "apt-get install"]


def test_nothing_is_installed_with_system_no(machine):
    (line,) = machine(SYSTEM="no")
    assert line.startswith("SYSTEM=no: nothing is installed.")
    assert "chromium subversion" in line


def test_skipped_tests_are_counted_by_package():
    assert count_missing([missing("chromium"), "no GPU", missing("chromium"), missing("subversion")]) == {
        "chromium": 2,
        "subversion": 1,
    }


def test_the_end_of_a_run_names_missing_packages(tmp_path):
    path = Path(__file__).parent / "cli" / "test_repositories.py"
    words = ["-q", "-p", "no:cacheprovider", str(path), "-k", "svn"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *words],
        env={**os.environ, "PATH": str(tmp_path), "SYSTEM": "no"},
        cwd=Path(__file__).parents[1],
        capture_output=True,
        check=False,
    )
    assert b"tests skipped because subversion is not installed (SYSTEM=no)" in done.stdout

"""Run the tests with the lowest versions of the dependencies that pyproject.toml allows, and with the newest.

    make versions                                                 # slow
    .venv/bin/python checks/versions.py lowest --tests tests/cli tests/formats
    .venv/bin/python checks/versions.py newest --python python3.13

The lowest version of a package is the one after >= in pyproject.toml; the packages that it needs itself are
the newest that fit. Warnings about deprecated functions are no failures then, because old packages call such
functions of newer ones.

Environments are kept in build/versions, with the list of their packages. Each Python named with --python must
be installed; the default is the one that runs this program.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PLACE = ROOT / "build" / "versions"
RESOLUTIONS = {"lowest": "lowest-direct", "newest": "highest"}
TOLERATED = "-W ignore::DeprecationWarning -W ignore::PendingDeprecationWarning"
STALLED = "faulthandler_timeout=300"  # seconds after which a test that waits shows where
TESTS = ("tests", "docs")  # the examples in docstrings would import the package from src


def main() -> None:
    """Make the environments and run the tests in each; exit with code 1 if a test fails."""
    parser = argparse.ArgumentParser(description="Run the tests with the lowest and newest dependencies.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="lowest, newest (default: both)")
    parser.add_argument("--python", nargs="+", default=[sys.executable], help="interpreters")
    parser.add_argument("--tests", nargs="+", default=TESTS, metavar="PATH", help="tests to run")
    given = parser.parse_args()
    if unknown := set(given.names) - set(RESOLUTIONS):
        parser.error(f"no versions {', '.join(sorted(unknown))}; choose from {', '.join(RESOLUTIONS)}")
    tool = _tool()
    passed, failed = [], []
    for python in given.python:
        for name in given.names or RESOLUTIONS:
            print(f"=== {name}, {python}", flush=True)
            interpreter = install(tool, name, python)
            tolerated = TOLERATED if name == "lowest" else ""  # also where a test runs tests
            variables = {**os.environ, "PYTEST_ADDOPTS": tolerated}
            command = [str(interpreter), "-m", "pytest", "-q", "-p", "no:cacheprovider"]
            command += ["--numprocesses", "auto", "--dist", "loadfile", "-o", STALLED, *given.tests]
            done = subprocess.run(command, cwd=ROOT, env=variables, check=False)
            (failed if done.returncode else passed).append(f"{name}, {python}")
    if failed:
        sys.exit(f"tests failed with these versions: {'; '.join(failed)}")
    print(f"tests passed with these versions: {'; '.join(passed)}")


def install(tool: Path, name: str, python: str) -> Path:
    """Return the interpreter of a new environment with Arbitree and its packages."""
    version = _printed([python, "-c", "import sys; print('{}.{}'.format(*sys.version_info))"])
    folder = PLACE / f"{name}-{version}"
    _done([tool, "venv", "--quiet", "--clear", "--python", python, folder])
    packages = PLACE / f"{name}-{version}.txt"
    packages.unlink(missing_ok=True)  # its versions would be kept
    wanted = ["--extra", "test", "--resolution", RESOLUTIONS[name], "--python-version", version]
    shape = ["--quiet", "--no-header", "--no-annotate", "--output-file", packages]
    _done([tool, "pip", "compile", *wanted, *shape, "pyproject.toml"])
    into = ["--quiet", "--python", folder / "bin" / "python"]
    _done([tool, "pip", "install", *into, "--requirement", packages])
    _done([tool, "pip", "install", *into, "--no-deps", "--reinstall", ROOT])
    return folder / "bin" / "python"


def _tool() -> Path:
    """Return the program uv, which is installed into an environment of its own if need be."""
    folder = PLACE / "uv"
    if not (folder / "bin" / "uv").exists():
        venv.create(folder, with_pip=True)
        _done([folder / "bin" / "pip", "install", "--quiet", "uv"])
    return folder / "bin" / "uv"


def _printed(command: Sequence[str]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def _done(command: Sequence[str | Path]) -> None:
    """Run a program in the root of the repository; exit with its code if it fails."""
    done = subprocess.run([str(each) for each in command], cwd=ROOT, check=False)
    if done.returncode:
        sys.exit(done.returncode)


if __name__ == "__main__":
    main()

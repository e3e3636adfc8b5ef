"""Run the tests in the background, in another order, with other locales, and as another user.

    make check-environment                                        # all of them: slow
    .venv/bin/python checks/environment.py background order       # some of them
    .venv/bin/python checks/environment.py turkish --tests tests/cli tests/reporting
    .venv/bin/python checks/environment.py user --python DIR/bin/python    # an environment with .[test]

Circumstances:

    background  signals are ignored, as in a job that a script starts with &
    order       files, and the tests of each file, in random order (ARBITREE_SEED repeats one)
    turkish     tr_TR.UTF-8, where i and I are different letters, 14 hours ahead of UTC
    german      de_DE.UTF-8, with a decimal comma, behind UTC by half hours
    latin       de_DE.ISO-8859-1: files and terminals that are not UTF-8
    plain       the locale C
    user        an ordinary user, if the program runs as root

Locales are compiled into a temporary directory. The user is nobody, whose home is a temporary directory.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NOBODY = 65534
TESTS = ("tests", "src", "docs")


@dataclass(frozen=True)
class Circumstance:
    """What differs from an ordinary run."""

    variables: dict[str, str] = field(default_factory=dict)
    command: tuple[str, ...] = ()  # that runs the tests
    options: tuple[str, ...] = ()  # of pytest
    tests: tuple[str, ...] = TESTS
    locale: tuple[str, str] | None = None  # source and character set


_OTHER_USER = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")
CIRCUMSTANCES = {
    "background": Circumstance(
        command=("sh", "-c", 'trap "" INT HUP QUIT; exec "$@"', "sh"),
        tests=(
            "tests/backends",
            "tests/cli/test_interrupt.py",
            "tests/cli/test_serve.py",
            "tests/web/test_stops.py",
            "tests/web/test_worker.py",
        ),
    ),
    "order": Circumstance(options=("-p", "tests.support.shuffled")),
    "turkish": Circumstance({"LC_ALL": "tr_TR.UTF-8", "TZ": "Pacific/Kiritimati"}, locale=("tr_TR", "UTF-8")),
    "german": Circumstance({"LC_ALL": "de_DE.UTF-8", "TZ": "America/St_Johns"}, locale=("de_DE", "UTF-8")),
    "latin": Circumstance({"LC_ALL": "de_DE.ISO-8859-1"}, locale=("de_DE", "ISO-8859-1")),
    "plain": Circumstance({"LC_ALL": "C", "TZ": "UTC"}),
    "user": Circumstance(command=_OTHER_USER),
}


def main() -> None:
    """Run the tests in each circumstance; exit with code 1 if one of them fails."""
    parser = argparse.ArgumentParser(description="Run the tests in other circumstances.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(CIRCUMSTANCES)} (default: all)")
    parser.add_argument("--tests", nargs="+", metavar="PATH", help="tests to run")
    parser.add_argument("--python", default=sys.executable, help="interpreter with .[test] installed")
    given = parser.parse_args()
    failed = []
    for name in given.names or CIRCUMSTANCES:
        print(f"=== {name}", flush=True)
        why_not = obstacle(name, given.python)
        if why_not:
            print(f"skipped: {why_not}", flush=True)
        elif run(CIRCUMSTANCES[name], given.python, given.tests):
            failed.append(name)
    if failed:
        sys.exit(f"tests failed in these circumstances: {', '.join(failed)}")


def obstacle(name: str, python: str) -> str:
    """Return why a circumstance cannot be had here, or an empty string."""
    if name != "user":
        return ""
    if os.geteuid() != 0:
        return "this is an ordinary user already"
    started = subprocess.run([*_OTHER_USER, python, "-c", ""], capture_output=True, check=False)
    return (
        f"an ordinary user cannot start {python}; name another one with --python"
        if started.returncode
        else ""
    )


def run(what: Circumstance, python: str, tests: list[str] | None) -> bool:
    """Run the tests; return whether one of them failed."""
    with tempfile.TemporaryDirectory(prefix="at-") as folder:
        place = Path(folder)
        home = place / "home"
        home.mkdir()
        variables = {**os.environ, **what.variables, "HYPOTHESIS_STORAGE_DIRECTORY": str(home / "hypothesis")}
        if what.locale is not None:
            source, characters = what.locale
            made = place / f"{source}.{characters}"
            subprocess.run(["localedef", "-i", source, "-f", characters, made], check=True)
            variables["LOCPATH"] = folder
        if what.command == _OTHER_USER:
            variables.update(HOME=str(home), TMPDIR=folder, PYTHONDONTWRITEBYTECODE="1", USER="nobody")
            os.chown(home, NOBODY, NOBODY)
            os.chown(place, NOBODY, NOBODY)  # a short path: those of sockets and in messages are limited
        command = [*what.command, python, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
        command += [*what.options, "--numprocesses", "auto", "--dist", "loadfile"]
        return (
            subprocess.run(
                [*command, *(tests or what.tests)], cwd=ROOT, env=variables, check=False
            ).returncode
            != 0
        )


if __name__ == "__main__":
    main()

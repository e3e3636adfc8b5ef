"""Run all targets in turn: ``python -m tests.fuzz --minutes 10``; the exit code is 1 if an input failed."""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path

from arbitree.errors import ArbitreeError
from arbitree.reading import guard
from tests.fuzz.catalogue import MODULES, TARGETS
from tests.fuzz.judge import FAILED, HEADER, Tally, keep
from tests.fuzz.target import ROOT, Target

PATIENCE = 180  # seconds without progress, after which a process is ended
CORPUS = ROOT / "build" / "fuzz"
SLICE = 20  # seconds of one run at least


def main() -> int:
    """Run the targets, print the table, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"default: all of {', '.join(TARGETS)}")
    parser.add_argument("--minutes", type=float, default=10, help="in all")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--tally", type=Path, help="file with the sums of all runs, which is updated")
    parser.add_argument("--failed", type=Path, default=FAILED, help="directory for failing inputs")
    parser.add_argument("--corpus", type=Path, default=CORPUS, help="directory for inputs worth changing")
    parser.add_argument("--engine", choices=("both", "guided", "plain"), default="both")
    parser.add_argument(
        "--replay", type=Path, nargs="+", help="run these inputs of one target, and nothing else"
    )
    given = parser.parse_args()
    unknown = [name for name in given.targets if name not in TARGETS]
    if unknown:
        parser.error(f"unknown target {unknown[0]}; expected {', '.join(TARGETS)}")
    if given.replay:
        guard.ON = False
        return replay(TARGETS[given.targets[0]], given.replay)
    if find_spec("atheris") is None and given.engine != "plain":
        print("atheris is not installed: no guidance by coverage", file=sys.stderr)
        given.engine = "plain"
    targets = [TARGETS[name] for name in given.targets or TARGETS]
    found = run(targets, given)
    print(table(found))
    for name, tally in found.items():
        for place, count in tally.failures.items():
            print(f"FAILED {name}: {place} ({count} inputs); see {given.failed / name}")
    return int(any(tally.failed for tally in found.values()))


def replay(target: Target, paths: list[Path]) -> int:
    """Run single inputs; an exception that is not an ArbitreeError shows its traceback."""
    folder = Path(tempfile.mkdtemp(prefix="fuzz-"))
    inputs = [path.read_bytes() for path in paths]
    try:
        run = target.prepare(folder)
        for path, data in zip(paths, inputs, strict=True):
            try:
                run(data)
                print(f"{path}: read")
            except ArbitreeError as error:
                print(f"{path}: {error}")
    finally:
        shutil.rmtree(folder)
    return 0


def run(targets: list[Target], given: argparse.Namespace) -> dict[str, Tally]:
    """Run the targets for their shares of the time, and return their tallies."""
    whole = given.minutes * 60
    shares = sum(target.share for target in targets)
    rounds = max(1, int(whole / shares / SLICE))
    found = {target.name: Tally() for target in targets}
    for number in range(rounds):
        for place, target in enumerate(targets):
            seconds = whole / rounds * target.share / shares
            turn = (given.seed + number + place) % 2 == 0  # the engines take turns
            guided = target.guided and (given.engine == "guided" or (given.engine == "both" and turn))
            part = slice_of(target, given, seconds, guided, number)
            found[target.name].add(part)
            if given.tally:
                _sum(given.tally, target.name, part)
    return found


def slice_of(target: Target, given: argparse.Namespace, seconds: float, guided: bool, number: int) -> Tally:
    """Run one target in a process of its own for some seconds."""
    corpus = given.corpus / target.name
    corpus.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="fuzz-", dir="/dev/shm" if Path("/dev/shm").is_dir() else None))
    options = {"folder": folder, "seconds": seconds, "seed": given.seed + number, "corpus": corpus}
    options |= {"kept": given.failed / target.name}
    command = [sys.executable, "-m", "tests.fuzz.worker", MODULES[target.name], target.name]
    command += ["--guided"] * guided
    command += [word for name, value in options.items() for word in (f"--{name}", str(value))]
    environment = {**os.environ, "MALLOC_ARENA_MAX": "2", "PYTHONHASHSEED": "0"}
    log = folder / "log"
    try:
        with log.open("wb") as output:
            child = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=output, stderr=output)
            code = _watch(child, folder / "current")
        report = folder / "tally.json"
        tally = Tally(**json.loads(report.read_text(encoding="utf-8"))) if report.exists() else Tally()
        if code:
            _died(
                folder / "current", given.failed / target.name, tally, code, log.read_text("utf-8", "replace")
            )
        return tally
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _watch(child: subprocess.Popen[bytes], current: Path) -> int:
    """Wait for a process, and end it if an input takes too long."""
    while True:
        try:
            return child.wait(timeout=2)
        except subprocess.TimeoutExpired:
            started = HEADER.unpack(current.read_bytes()[: HEADER.size])[0] if current.exists() else 0
            if started and time.monotonic() - started > PATIENCE:
                child.kill()
        except KeyboardInterrupt:
            child.kill()
            raise


def _died(current: Path, kept: Path, tally: Tally, code: int, log: str) -> None:
    """Keep the input at which a process died."""
    name = signal.Signals(-code).name if code < 0 else f"exit code {code}"
    place = f"died with {name}"
    tally.failed += 1
    tally.failures[place] = tally.failures.get(place, 0) + 1
    if not current.exists():
        print(log[-3000:], file=sys.stderr)
        return
    raw = current.read_bytes()
    size = HEADER.unpack(raw[: HEADER.size])[1]
    keep(kept, raw[HEADER.size : HEADER.size + size], f"{place}\n{log[-3000:]}")


def _sum(path: Path, name: str, part: Tally) -> None:
    """Add the tally of a run to the sums in a file."""
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.strip()
    sums = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    known = sums.setdefault(commit, {})
    total = Tally(**known[name]) if name in known else Tally()
    total.add(part)
    known[name] = asdict(total)
    path.write_text(json.dumps(sums, indent=1), encoding="utf-8")


def table(found: dict[str, Tally]) -> str:
    """Return the tallies as a table with a last line for all of them."""
    whole = Tally()
    for tally in found.values():
        whole.add(tally)
    head = ("target", "inputs", "distinct", "refused", "failed", "seconds", "slowest (s)", "growth (MB)")
    rows = [
        (name, f"{each.inputs:,}", f"{each.distinct:,}", f"{each.refused:,}", f"{each.failed:,}",
         f"{each.seconds:.0f}", f"{each.slowest:.2f}", f"{each.megabytes:.0f}")
        for name, each in [*found.items(), ("all", whole)]
    ]  # fmt: skip
    widths = [max(len(row[k]) for row in [head, *rows]) for k in range(len(head))]
    return "\n".join(
        "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in [head, *rows]
    )


if __name__ == "__main__":
    sys.exit(main())

"""Install the core and each extra into empty environments, run commands there, and measure the size.

    make check
    .venv/bin/python checks/install.py --write    # also update the table in docs/installation.md

Build the source distribution, a wheel from it, and an environment for the core, for each extra and for
``all``. Run every command with the core and with ``all``, and the commands that need an extra in every
environment. A command must succeed where its extras are installed, and print the same as with ``all``.
Elsewhere it must name a missing extra and exit with code 2. At last, run the demo in an empty directory, and
the whole tutorial on the files that it copies.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
import urllib.request
import venv
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "installation.md"
START, END = "<!-- sizes: made by checks/install.py --write -->", "<!-- end of sizes -->"
CORE = "core"
ENVIRONMENTS = {
    CORE: (),
    "formats": ("formats",),
    "report": ("report",),
    "web": ("web",),
    "all": ("formats", "report", "web"),
}
MOST_PACKAGES = 17  # in the core, with Arbitree; five of them because typer requires pydantic from 0.29 on
NOT_READ = ("README.md", "costs.tsv", "graphs/", "prague/", "profiles/")  # by the core, as annotations


class Command(NamedTuple):
    """A command line on copies of the examples."""

    line: str
    needs: tuple[str, ...] = ()  # extras


COMMANDS = [
    Command("--help"),
    Command("list formats", ("formats",)),  # succeeds elsewhere too, with a remark: see _check_command
    Command("list measures"),
    Command("list presets"),
    *(
        Command(f"{command} {inputs}")
        for inputs in (
            "examples/dependency/ann.conllu examples/dependency/bob.conllu examples/dependency/cho.conllu",
            "examples/phrase/ann.mrg examples/phrase/bob.mrg examples/phrase/cho.mrg",
            "examples/harbour/ann.mrg examples/harbour/bob.mrg",
            "examples/score/gold.conllu examples/score/heron.conllu examples/score/wren.conllu",
            "examples/prefer/gold.conllu examples/prefer/birch.conllu examples/prefer/cedar.conllu",
        )
        for command in ("agree", "score", "explain", "coders")
    ),
    *(
        Command(f"{command} examples/{name}")
        for name in ("labels/stance.tsv", "labels/stars.csv", "labels/topics.tsv", "coders/reviews.csv")
        for command in ("agree", "coders")
    ),
    Command("agree examples/senses/diary.tsv -m hierarchical_kappa:hierarchy=examples/senses/weather.txt"),
    Command("coders examples/senses/diary.tsv"),
    Command("score examples/senses/diary.tsv examples/senses/tagger.tsv --gold ann "
            "-m hierarchical_score:hierarchy=examples/senses/weather.txt"),
    Command("coders examples/coders/reviews.csv --truth examples/coders/reviews.key"),
    Command("coders examples/coders/reviews.csv --feedback new"),
    Command("explain examples/corpus/ferry.conllu"),
    Command("agree --studies examples/dependency examples/score"),
    Command("agree examples/labels/stance.tsv -o new.csv"),
    Command("agree examples/labels/stance.tsv -o new.json"),
    Command("agree examples/labels/stance.tsv -o new.html"),
    Command("explain examples/phrase/ann.mrg examples/phrase/bob.mrg -o new"),
    Command("prefer examples/prefer/gold.conllu examples/prefer/birch.conllu examples/prefer/cedar.conllu "
            "--judgments examples/prefer/judgments.csv"),
    Command("simulate examples/corpus/ferry.conllu --runs 2 --levels 0.5"),
    Command("draw examples/dependency/ann.conllu examples/dependency/bob.conllu --item weather-4"),
    Command("distance examples/dependency/ann.conllu examples/dependency/bob.conllu --item weather-3"),
    Command("convert examples/phrase/ann.mrg new.export"),
    Command("agree examples/arborator"),
    Command("score examples/arborator --gold base_tree"),
    Command("list layers examples/inception"),
    Command("agree examples/inception --layer Dependency"),
    Command("agree examples/graphs/ann.amr examples/graphs/bob.amr examples/graphs/cho.amr", ("formats",)),
    Command("explain examples/graphs/ann.amr examples/graphs/bob.amr", ("formats",)),
    Command("agree examples/prague/pier.treex", ("formats",)),
    Command("convert examples/phrase/ann.mrg new.xml", ("formats",)),
    Command("agree tiger/ann.xml tiger/bob.xml", ("formats",)),
    Command("agree examples/profiles/ann examples/profiles/bob", ("formats",)),
    Command("explain examples/profiles/ann examples/profiles/bob --format derivations", ("formats",)),
    Command("tsdb examples/profiles/ann examples/profiles/bob", ("formats",)),
    Command("tsdb examples/profiles/ann examples/profiles/bob -o new.xlsx", ("formats", "report")),
    Command("agree examples/labels/stance.tsv -o new.xlsx", ("report",)),
    Command("agree examples/dependency/ann.conllu examples/dependency/bob.conllu --figures new", ("report",)),
    Command("agree --studies examples/dependency examples/score --figures new", ("report",)),
    Command("simulate examples/corpus/ferry.conllu --runs 2 --levels 0.5 -o new", ("report",)),
    Command("report examples/dependency/ann.conllu examples/dependency/bob.conllu -o new", ("report",)),
    Command("serve examples/dependency/ann.conllu examples/dependency/bob.conllu --port 0 --no-browser "
            "--project new", ("web",)),
]  # fmt: skip


class Environment(NamedTuple):
    """An installed environment."""

    name: str
    folder: Path

    @property
    def extras(self) -> tuple[str, ...]:
        """The extras that it contains."""
        return ENVIRONMENTS[self.name]

    @property
    def site(self) -> Path:
        """The directory of its packages."""
        return Path(sysconfig.get_path("purelib", "venv", {"base": str(self.folder)}))

    def packages(self) -> list[str]:
        """Return the names of the installed packages, with Arbitree."""
        return sorted(each.name.split("-")[0] for each in self.site.glob("*.dist-info"))

    def megabytes(self) -> float:
        """Return the size of the installed files."""
        return sum(each.stat().st_size for each in self.site.rglob("*") if each.is_file()) / 1e6

    def run(self, line: str, work: Path) -> subprocess.CompletedProcess[str]:
        """Run a command of Arbitree in the directory *work*."""
        if line.startswith("serve"):
            return self._serve(line, work)
        return subprocess.run(
            [self._program, *line.split()],
            cwd=work,
            env=plain_variables(),
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )

    @property
    def _program(self) -> str:
        return str(self.folder / "bin" / "arbitree")

    def _serve(self, line: str, work: Path) -> subprocess.CompletedProcess[str]:
        """Start the web app, open its first page, and stop it."""
        server = subprocess.Popen(
            [self._program, *line.split()],
            cwd=work,
            env=plain_variables(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert server.stdout is not None
        link = server.stdout.readline().strip()  # empty if it ends with an error
        shown = ""
        if link:
            with urllib.request.urlopen(link, timeout=30) as page:
                shown = page.read().decode()
            server.send_signal(signal.SIGINT)
        _, errors = server.communicate(timeout=60)
        code = server.returncode if not link or "</html>" in shown else 1
        return subprocess.CompletedProcess(line.split(), code, "", errors)


def main() -> None:
    """Build, install, check and measure; exit with code 1 if a check fails."""
    parser = argparse.ArgumentParser(description="Check the installation of the core and of each extra.")
    parser.add_argument("--write", action="store_true", help="update the table in docs/installation.md")
    given = parser.parse_args()
    faults = list(_unused_examples())
    with tempfile.TemporaryDirectory(prefix="arbitree-check-") as folder:
        place = Path(folder)
        wheel = build(place)
        environments = {name: install(name, wheel, place) for name in reversed(ENVIRONMENTS)}
        sizes = [(each, each.packages(), each.megabytes()) for each in reversed(environments.values())]
        core = sizes[0][1]
        print(f"packages of the core: {', '.join(core)}")
        if len(core) > MOST_PACKAGES:
            faults.append(f"the core has {len(core)} packages, more than {MOST_PACKAGES}")
        _prepare(place / "work", environments["all"])
        expected: dict[str, str] = {}
        for environment in environments.values():
            alone = environment.name in environment.extras
            asked = [each for each in COMMANDS if each.needs or not alone]
            found = [_check_command(environment, each, place / "work", expected) for each in asked]
            faults += filter(None, found)
            fitting = sum(set(each.needs) <= set(environment.extras) for each in asked)
            wrong = len(list(filter(None, found)))
            others = f"{len(asked) - fitting} that need another extra"
            print(f"{environment.name}: {fitting} of its commands, {others}; {wrong} failed", flush=True)
        faults += filter(None, [_check_tutorial(environments["all"], place / "tutorial")])
    table = _table([(each.name, len(packages), size) for each, packages, size in sizes])
    print(f"\n{table}")
    if given.write:
        _write(table)
    for fault in faults:
        print(f"FAILED: {fault}", file=sys.stderr)
    sys.exit(1 if faults else 0)


def build(place: Path) -> Path:
    """Return a wheel that is built from a source distribution, which contains no ignored files."""
    print("building the source distribution, and the wheel from it", flush=True)
    archive = build_source(place)
    pip("wheel", "--no-deps", "--wheel-dir", str(place), str(archive))
    (wheel,) = place.glob("arbitree-*.whl")
    print(f"{archive.name} {megabytes(archive)}, {wheel.name} {megabytes(wheel)}", flush=True)
    return wheel


def build_source(place: Path) -> Path:
    """Return a source distribution."""
    tools = place / "build"
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    make_environment(tools, *settings["build-system"]["requires"])
    hook = f"from scikit_build_core.build import build_sdist; build_sdist({str(place)!r})"
    must_run([tools / "bin" / "python", "-c", hook])
    (archive,) = place.glob("arbitree-*.tar.gz")
    return archive


def install(name: str, wheel: Path, place: Path) -> Environment:
    """Return a new environment with the wheel and its extras."""
    extras = ENVIRONMENTS[name]
    print(f"installing {name}", flush=True)
    asked = name if extras else ""
    make_environment(place / name, f"{wheel}[{asked}]" if asked else str(wheel))
    return Environment(name, place / name)


def make_environment(folder: Path, *requirements: str) -> None:
    """Make an environment with these packages, without pip."""
    venv.create(folder, with_pip=False)
    if requirements:
        pip("--python", str(folder / "bin" / "python"), "install", *requirements)


def pip(*arguments: str, **variables: str) -> None:
    """Run pip; exit with its messages if it fails."""
    must_run([sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments], **variables)


def must_run(command: Sequence[str | Path], folder: Path = ROOT, **variables: str) -> str:
    """Run a program with these variables too; return its output, or exit with its messages if it fails."""
    line = [str(each) for each in command]
    settings = {**plain_variables(), **variables}
    done = subprocess.run(line, cwd=folder, env=settings, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(line)}\n{done.stdout}{done.stderr}")
    return done.stdout


def plain_variables() -> dict[str, str]:
    """Return the environment variables, without those that make other packages visible."""
    return {
        key: value
        for key, value in os.environ.items()
        if not key.startswith(("PYTHON", "ARBITREE", "VIRTUAL_ENV"))
    }


def _prepare(work: Path, full: Environment) -> None:
    """Copy the examples, and convert two of them to TIGER-XML."""
    shutil.copytree(ROOT / "examples", work / "examples")
    (work / "tiger").mkdir()
    for name in ("ann", "bob"):
        full.run(f"convert examples/phrase/{name}.mrg tiger/{name}.xml", work)


def _check_command(environment: Environment, command: Command, work: Path, expected: dict[str, str]) -> str:
    """Run *command*; return what is wrong, or an empty string."""
    new = [each for each in work.iterdir() if each.name.startswith("new")]
    for each in new:
        shutil.rmtree(each) if each.is_dir() else each.unlink()
    done = environment.run(command.line, work)
    missing = [each for each in command.needs if each not in environment.extras]
    where = f"{environment.name}: arbitree {command.line}"
    if "Traceback" in done.stderr:
        return f"{where}: {done.stderr}"
    if command.line == "list formats":
        remark = "needs the extra 'formats', which is not installed"
        return "" if (remark in done.stdout) == bool(missing) else f"{where}: {done.stdout}"
    if missing:
        named = re.search(r"not installed\. Install .*'[^']+\[(\w+)\]'", done.stderr)
        right = done.returncode == 2 and named is not None and named[1] in missing
        return "" if right else f"{where}: exit code {done.returncode} instead of 2: {done.stderr}"
    if done.returncode:
        return f"{where}: exit code {done.returncode}: {done.stderr}"
    # The environment with all extras comes first.
    same = expected.setdefault(command.line, done.stdout) == done.stdout
    return "" if same else f"{where}: the output differs from that with all extras"


def _check_tutorial(environment: Environment, work: Path) -> str:
    """Run the demo and every command of the tutorial in an empty directory; return what is wrong, or ""."""
    work.mkdir()
    done = environment.run("demo", work)
    if done.returncode:
        return f"arbitree demo: exit code {done.returncode}: {done.stderr}"
    examples = work / "arbitree-demo" / "examples"
    program = [sys.executable, str(ROOT / "docs" / "console.py"), "--bin", str(environment.folder / "bin")]
    command = [*program, "--examples", str(examples), str(ROOT / "docs" / "tutorial.md")]
    done = subprocess.run(
        command, cwd=work, env=plain_variables(), capture_output=True, text=True, check=False
    )
    print(f"tutorial: {'as printed' if not done.returncode else 'differs'}", flush=True)
    return f"the tutorial prints something else:\n{done.stdout}{done.stderr}" if done.returncode else ""


def _unused_examples() -> Iterable[str]:
    """Yield a message for each example that the core can read but no command of the core reads."""
    words = {word for command in COMMANDS if not command.needs for word in re.split("[ =]", command.line)}
    for path in sorted((ROOT / "examples").rglob("*")):
        name = path.relative_to(ROOT / "examples").as_posix()
        places = {each.as_posix() for each in (path.relative_to(ROOT), *path.relative_to(ROOT).parents)}
        if path.is_file() and not name.startswith(NOT_READ) and not words & places:
            yield f"no command reads examples/{name}"


def megabytes(path: Path) -> str:
    """Return the size of a file for messages."""
    return f"({path.stat().st_size / 1e6:.1f} MB)"


def _table(sizes: Sequence[tuple[str, int, float]]) -> str:
    """Return the table of the page."""
    _, few, small = sizes[0]
    rows = ["| installation | packages | MB | more than the core |", "|---|---:|---:|---:|"]
    for name, packages, size in sizes:
        written = "`arbitree`" if name == CORE else f"`arbitree[{name}]`"
        more = "" if name == CORE else f"{packages - few} packages, {size - small:.0f} MB"
        rows.append(f"| {written} | {packages} | {size:.0f} | {more} |")
    return "\n".join(rows)


def _write(table: str) -> None:
    text = PAGE.read_text(encoding="utf-8")
    before, after = text.index(START) + len(START), text.index(END)
    PAGE.write_text(f"{text[:before]}\n\n{table}\n\n{text[after:]}", encoding="utf-8")
    print(f"wrote {PAGE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()

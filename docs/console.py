"""Run the console examples of the documentation and compare what they print with the pages.

    python docs/console.py            print the examples that are out of date, exit code 1 if there are any
    python docs/console.py --write    put what the commands print into the pages
    python docs/console.py docs/explain.md    only this page; also with --write
    python docs/console.py --bin DIR --examples DIR    with the programs and files of another environment

An example is a fenced block marked ``console``. Lines that start with ``$`` are commands, the rest is their
output, standard error included. The commands of a block run in one shell, beside a copy of examples/.
Digits after the 14th decimal place may differ, because sums depend on the version of NumPy.
"""

from __future__ import annotations

import argparse
import difflib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ .*?(?<![\\|])$", re.MULTILINE | re.DOTALL)  # a line that ends in \ or | goes on
LAST_DIGITS = re.compile(r"(?<=\.\d{14})\d+")
MARK = "-----8<-----"
PROGRAMS = Path(sys.executable).parent
EXAMPLES = ROOT / "examples"
SETTINGS = {"COLUMNS": "110", "NO_COLOR": "1", "PYTHONWARNINGS": "ignore", "PYTHONUTF8": "1"}
Runner = Callable[[Sequence[str], Path, Path], list[str]]  # commands, directory, programs; their output


def run_in_shell(commands: Sequence[str], folder: Path, programs: Path) -> list[str]:
    """Return what each command prints, if all run in one shell in *folder*."""
    script = "\n".join(f"{each}\nstatus=$?; echo '{MARK}'; (exit $status)" for each in commands)
    env = {**os.environ, **SETTINGS, "PATH": f"{programs}:{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "-c", f"exec 2>&1\n{script}"],
        cwd=folder, env=env, stdout=subprocess.PIPE, encoding="utf-8", check=False,
    )  # fmt: skip
    return done.stdout.split(f"{MARK}\n")


def ran(block: str, programs: Path, examples: Path, run: Runner) -> str:
    """Return the block with the output of its commands now; the same block if only last digits differ."""
    commands = COMMAND.findall(block)
    with TemporaryDirectory() as folder:
        shutil.copytree(examples, Path(folder) / "examples")
        outputs = run([each[2:] for each in commands], Path(folder), programs)
    gap = "\n" if "\n\n$ " in block else ""  # between a command and the one before
    lines = gap.join(f"{each}\n{output}" for each, output in zip(commands, outputs, strict=False))
    new = "\n".join(line.rstrip() for line in lines.splitlines()) + "\n"
    return block if LAST_DIGITS.sub("", new) == LAST_DIGITS.sub("", block) else new


def fresh(text: str, programs: Path = PROGRAMS, examples: Path = EXAMPLES, run: Runner = run_in_shell) -> str:
    """Return a page with every example run again."""
    return BLOCK.sub(lambda found: ran(found[0], programs, examples, run), text)


def main() -> int:
    """Compare or rewrite the pages."""
    parser = argparse.ArgumentParser(description="Compare the console examples of pages with their output.")
    parser.add_argument("pages", nargs="*", type=Path, help="pages (default: all)")
    parser.add_argument("--write", action="store_true", help="put the output into the pages")
    parser.add_argument("--bin", type=Path, default=PROGRAMS, help="directory of the programs to run")
    parser.add_argument("--examples", type=Path, default=EXAMPLES, help="directory of the example files")
    given = parser.parse_args()
    stale = 0
    for page in [each.resolve() for each in given.pages] or PAGES:
        old = page.read_text(encoding="utf-8")
        new = fresh(old, given.bin, given.examples)
        if new == old:
            continue
        stale += 1
        if given.write:
            page.write_text(new, encoding="utf-8")
            print(f"{page.relative_to(ROOT)}: rewritten")
        else:
            name = str(page.relative_to(ROOT))
            lines = [text.splitlines(keepends=True) for text in (old, new)]
            sys.stdout.writelines(difflib.unified_diff(*lines, name, "now"))
    return int(stale > 0 and not given.write)


if __name__ == "__main__":
    sys.exit(main())

"""``arbitree demo``."""

from __future__ import annotations

import shlex
import sys
from contextlib import chdir
from pathlib import Path
from typing import Annotated

import typer

from arbitree.cli import options as opt
from arbitree.cli.console import Talk
from arbitree.paths import EXAMPLES, examples_folder

FOLDER = "arbitree-demo"
STUDY = [f"{EXAMPLES}/dependency/{name}.conllu" for name in ("ann", "bob", "cho")]
SHOWN = f"{EXAMPLES}/dependency/*.conllu"  # the same, as a person types it

Folder = Annotated[
    str,
    typer.Argument(
        metavar="[DIR]",
        help="Where to store the example files and the report: a directory.",
        show_default=True,
    ),
]
Serve = Annotated[
    bool, typer.Option("--serve", help="Open the adjudication page at the end, without asking.")
]


def demo(folder: Folder = FOLDER, *, serve: Serve = False, quiet: opt.QuietAlone = False) -> None:
    """Copy example studies, measure agreement on one of them, and write its report.

    Example: arbitree demo
    """
    from arbitree.extras import WEB, install_command, installed

    talk = Talk(quiet)
    count = copy_examples(Path(folder) / EXAMPLES)
    talk.say(f"Copied {count} files of example studies to {folder}/{EXAMPLES}")
    talk.say(f"All commands below run in this directory: cd {shlex.quote(folder)}\n")
    with chdir(folder):
        _run(talk, "agree")
        workbook = installed("xlsxwriter")
        page = "report/report.html" if workbook else "report.html"
        _run(talk, "report" if workbook else "agree", "-o", "report" if workbook else page)
        talk.say(f"Open {page} in a browser to see who disagrees on what.")
        talk.say("Decide the disagreements in the browser with:")
        if not installed(*WEB):
            talk.say(f"$ arbitree serve {SHOWN}\nThis needs an extra: {install_command('web')}")
        elif serve or (_asks() and typer.confirm(f"$ arbitree serve {SHOWN}\nStart this now?", err=True)):
            _run(talk, "serve")
        else:
            talk.say(f"$ arbitree serve {SHOWN}")


def copy_examples(target: Path) -> int:
    """Copy the example studies into the directory *target*, and return the number of files.

    Files that exist already are replaced, so that the commands of the documentation print what it shows.
    """
    from arbitree.files import make_directory, write_whole

    source = examples_folder()
    paths = [path for path in sorted(source.rglob("*")) if path.is_file()]
    for path in paths:
        copy = target / path.relative_to(source)
        make_directory(copy.parent, hint="Choose another directory: arbitree demo DIR")
        write_whole(copy, path.read_bytes(), hint="Choose another directory: arbitree demo DIR")
    return len(paths)


def _asks() -> bool:
    """Return whether somebody at a terminal can answer a question."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def _run(talk: Talk, command: str, *options: str) -> None:
    """Print a command and run it on the study; if it fails, end with its exit code."""
    from arbitree.cli import run

    talk.say(" ".join(("$ arbitree", command, SHOWN, *options)))
    if code := run([command, *STUDY, *options, *([] if command == "serve" else ["--quiet"])]):
        raise typer.Exit(code)
    talk.say("")


COMMAND = demo

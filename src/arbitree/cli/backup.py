"""``arbitree backup``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arbitree.cli import options as opt
from arbitree.cli.console import Talk
from arbitree.extras import WEB, need
from arbitree.files import STREAM


def backup(
    project: Annotated[str, typer.Argument(metavar="DIR", help="Project directory of arbitree serve.")],
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="File to write; '-' writes to standard output."),
        opt.WRITTEN_FILE,
    ],
    *,
    database: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="URL of the database of the project. [default: SQLite in the project directory]",
            show_default=False,
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
    quiet: opt.QuietAlone = False,
) -> None:
    """Store a project of serve with its whole history in one file, while people work.

    Example: arbitree backup arbitree-project monday.zip
    """
    need("arbitree backup", *WEB)
    from arbitree.web.project.backup import back_up

    target = None if file == STREAM else Path(file)
    seal = back_up(Path(project), target, database=database, force=force)
    Talk(quiet).say(f"Stored {seal.count} in {file}" if target else f"Wrote {seal.count} to standard output")


COMMAND = backup

"""``arbitree restore``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arbitree.cli import options as opt
from arbitree.cli.console import Talk
from arbitree.extras import WEB, need


def restore(
    file: Annotated[str, typer.Argument(metavar="FILE", help="File that arbitree backup wrote.")],
    project: Annotated[
        str, typer.Argument(metavar="DIR", help="Project directory to create; it must be new or empty.")
    ],
    *,
    database: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="URL of an empty database for the history, such as postgresql://USER@HOST/NAME. "
            "[default: SQLite in the project directory]",
            show_default=False,
        ),
    ] = None,
    quiet: opt.QuietAlone = False,
) -> None:
    """Create the project of a backup in a new directory.

    Example: arbitree restore monday.zip arbitree-project
    """
    need("arbitree restore", *WEB)
    from arbitree.reading.inputs import named_path
    from arbitree.web.project.backup import restore as restored

    talk = Talk(quiet)
    settings, seal = restored(Path(file), Path(project), database=database)
    talk.say(f"Restored {seal.count} to {settings.database or project}")
    paths = [named_path(each)[1] for each in settings.reading.inputs]
    if missing := [path for path in paths if not Path(path).exists()]:
        what = f"{len(missing)} of {len(paths)} inputs do not exist here, such as {missing[0]}"
        talk.warn([f"{what}; pass the files again: arbitree serve INPUT... --project {project}"])


COMMAND = restore

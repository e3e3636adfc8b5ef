"""``arbitree convert``."""

from __future__ import annotations

from typing import Annotated

import typer

from arbitree.cli import options as opt
from arbitree.cli.console import Talk


def convert(
    source: Annotated[str, typer.Argument(metavar="IN", help="File to read; '-' reads standard input.")],
    target: Annotated[
        str,
        typer.Argument(metavar="OUT", help="File to write; '-' writes to standard output."),
        opt.WRITTEN_FILE,
    ],
    *,
    to: Annotated[
        str | None, typer.Option(metavar="NAME", help="Format to write. [default: from the extension of OUT]")
    ] = None,
    reading: opt.ReadingTable,
    force: opt.Force = False,
    quiet: opt.QuietAlone = False,
) -> None:
    """Convert a file to another format of the same kind.

    Example: arbitree convert trees.export trees.xml
    """
    from arbitree.api.convert import convert as converted

    talk = Talk(quiet)
    with talk.progress("converting"):
        converted(source, target, to=to, force=force, say=talk.say, **reading)


COMMAND = convert

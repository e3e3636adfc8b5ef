"""``arbitree distance``."""

from __future__ import annotations

from typing import Annotated

import typer

from arbitree.cli import options as opt
from arbitree.cli.console import Talk, deliver


def distance(
    first: Annotated[
        str,
        typer.Argument(metavar="A", help="First tree: a file, or a bracketed tree such as '(S (NP) (VP))'."),
    ],
    second: Annotated[str, typer.Argument(metavar="B", help="Second tree: a file or a bracketed tree.")],
    *,
    item: Annotated[
        str | None,
        typer.Option(metavar="ID", help="Id or number of the sentence to compare. [default: the first]"),
    ] = None,
    unlabelled: Annotated[
        bool, typer.Option("--unlabelled", help="Ignore labels and compare only the structure.")
    ] = False,
    costs: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="File with label costs, one label<TAB>label<TAB>cost per line."),
    ] = None,
    reading: opt.ReadingOne,
    json: opt.Json = False,
    output: opt.JsonOutput = None,
    quiet: opt.QuietAlone = False,
) -> None:
    """Compare two trees: the edit distance, and the edits that turn one into the other.

    Example: arbitree distance first.conllu second.conllu --item 3
    """
    from arbitree.api.distance import distance as compared

    opt.check_ending(output, (".json", ".txt"), json=json)
    talk = Talk(quiet)
    found = compared(
        first,
        second,
        item=item,
        unlabelled=unlabelled,
        costs=costs,
        format=reading.format,
        encoding=reading.encoding,
        view=reading.view,
        zone=reading.zone,
        max_size=reading.max_size,
        say=talk.say,
    )
    if json or (output or "").lower().endswith(".json"):
        from arbitree.reporting.json import written

        deliver(written(found.to_dict()), output, talk)
    else:
        deliver(str(found), output, talk)


COMMAND = distance

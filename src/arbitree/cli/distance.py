"""``arbitree distance``."""

from __future__ import annotations

from typing import Annotated

import typer

from arbitree.cli import options as opt
from arbitree.cli.console import Talk, deliver


def distance(
    first: Annotated[
        str, typer.Argument(metavar="A", help="A file, or a tree in brackets such as '(S (NP) (VP))'.")
    ],
    second: Annotated[str, typer.Argument(metavar="B", help="Another.")],
    *,
    item: Annotated[
        str | None, typer.Option(metavar="ID", help="Which sentence of the files: its id or its number.")
    ] = None,
    unlabelled: Annotated[bool, typer.Option("--unlabelled", help="Compare structure alone.")] = False,
    costs: Annotated[
        str | None, typer.Option(metavar="FILE", help="Label costs: label<TAB>label<TAB>cost a line.")
    ] = None,
    reading: opt.ReadingOne,
    json: opt.Json = False,
    output: opt.Output = None,
    quiet: opt.Quiet = False,
) -> None:
    """Edit distance of two trees, and the edit script, drawn.

    Example: arbitree distance first.conllu second.conllu --item 3
    """
    from arbitree.api.distance import distance as compared

    found = compared(
        first,
        second,
        item=item,
        unlabelled=unlabelled,
        costs=costs,
        format=reading.format,
        encoding=reading.encoding,
        say=Talk(quiet).say,
    )
    if json:
        from json import dumps

        deliver(dumps(found.to_dict(), indent=2, ensure_ascii=False) + "\n", output)
    else:
        deliver(str(found), output)


COMMAND = distance

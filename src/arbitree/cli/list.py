"""``arbitree list``."""

from __future__ import annotations

from typing import Annotated

import typer

from arbitree.cli import options as opt

KINDS = ("formats", "measures", "distances", "backends", "heads")


def list_plugins(
    kind: Annotated[str, typer.Argument(metavar="|".join(KINDS), help="Kind of plug-in to list.")],
    json: opt.Json = False,
) -> None:
    """List the available formats, measures, distances, backends or head tables."""
    from arbitree import plugins

    if kind == "heads":
        from arbitree.kinds.phrase.constructions.head_tables import shipped

        found = shipped()
    else:
        plugins.check_name(kind, KINDS, "kind of plug-in")
        found = {name: _line(each) for name, each in plugins.plugins(kind).items()}
    if json:
        from json import dumps

        print(dumps({kind: [{"name": name, "what": what} for name, what in found.items()]}, indent=2))
        return
    width = max(map(len, found), default=0)
    for name, what in found.items():
        print(f"{name:{width}}  {what}")


def _line(plugin: object) -> str:
    """Return the description of the plug-in, or the first line of its docstring."""
    about = getattr(plugin, "about", None)
    if isinstance(about, str):
        return about
    owner = plugin if isinstance(plugin, type) else type(plugin)
    return (owner.__doc__ or "").strip().partition("\n")[0]


COMMAND = list_plugins

"""``arbitree papers``."""

from __future__ import annotations

from typing import Annotated

import typer

from arbitree.cli import options as opt
from arbitree.cli.console import Talk, present

_FILES = "Files"
Papers = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[skjaerholt2014|plank2015|kulick2013|castro2011|melamed_resnik2000|defaults|tests]...",
        help="Papers to reproduce; defaults: the page on defaults; tests: only download the corpora of the "
        "tests. [default: the five papers]",
        show_default=False,
    ),
]
Data = Annotated[
    str | None,
    typer.Option(
        metavar="DIR",
        help="Directory of files that are there already. [default: that of the environment variable "
        "ARBITREE_DATA]",
        rich_help_panel=_FILES,
        show_default=False,
    ),
]
Cache = Annotated[
    str | None,
    typer.Option(
        metavar="DIR",
        help="Where downloads are kept: a directory. [default: ~/.cache/arbitree/papers]",
        rich_help_panel=_FILES,
        show_default=False,
    ),
]
Offline = Annotated[
    bool,
    typer.Option(
        "--offline",
        help="Do not download anything; print what to download by hand.",
        rich_help_panel=_FILES,
    ),
]
List = Annotated[
    bool,
    typer.Option(
        "--list",
        help="Print the files with their sizes and licences, and exit.",
        rich_help_panel=_FILES,
    ),
]
Folder = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="DIR",
        help="Write a page in Markdown for each paper, and its figures, to this directory.",
        rich_help_panel="Output",
        show_default=False,
    ),
    opt.WRITTEN,
]


def papers(
    names: Papers = None,
    *,
    data: Data = None,
    cache: Cache = None,
    offline: Offline = False,
    list_files: List = False,
    json: opt.Json = False,
    output: Folder = None,
    cite: opt.Cite = False,
    quiet: opt.QuietAlone = False,
) -> None:
    """Recompute tables and figures of five papers from public files, and compare them with published values.

    Example: arbitree papers plank2015 -o reproduced
    """
    from arbitree.api.papers import paper_files
    from arbitree.api.papers import papers as reproduced
    from arbitree.files import make_writable

    opt.check_folder(output)
    talk = Talk(quiet)
    chosen = names or []
    showing = opt.Showing(json=json, cite=cite)
    if list_files:
        present(paper_files(*chosen, data=data, cache=cache).document, showing)
        return
    if output is not None:
        make_writable(output)  # fail before the downloads
    found = reproduced(
        *chosen, data=data, cache=cache, offline=offline, say=talk.listener, progress=talk.progress
    )
    talk.warn(found.warnings)
    present(found.document, showing)
    if output is not None:
        paths = found.write(output)
        talk.say(f"Wrote {', '.join(path.name for path in paths)} to {output}")
    else:
        talk.say("To write pages and figures, add -o DIR.")


COMMAND = papers

"""``arbitree draw``."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arbitree.cli import options as opt
from arbitree.cli.console import Talk, deliver, read_inputs
from arbitree.files import show_full_paths

if TYPE_CHECKING:
    from arbitree.drawing.picture import Picture

Output = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write to a file instead of standard output, in the format of its extension: .html or "
        ".svg; .txt and unknown extensions as text.",
        rich_help_panel="Output",
    ),
    opt.WRITTEN_FILE,
]


def draw(
    inputs: opt.Inputs,
    *,
    item: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ID",
            help="Id or number of the sentence to draw; repeat for more. [default: the first]",
            show_default=False,
        ),
    ] = None,
    svg: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write the drawing of one sentence to this SVG file."),
        opt.WRITTEN_FILE,
    ] = None,
    html: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write the drawings to this self-contained HTML file."),
        opt.WRITTEN_FILE,
    ] = None,
    reading: opt.ReadingTrees,
    output: Output = None,
    full_paths: opt.FullPaths = False,
    quiet: opt.Quiet = False,
) -> None:
    """Draw a sentence with the trees of all annotators overlaid; disagreements are highlighted.

    Example: arbitree draw first.conllu second.conllu --item 3 --svg picture.svg
    """
    from arbitree.api.draw import draw as picture_of
    from arbitree.errors import UnsupportedStudy

    opt.check_ending(output, (".html", ".svg", ".txt"))
    opt.check_ending(svg, (".svg",))
    opt.check_ending(html, (".html",))
    form = "" if output is None else Path(output).suffix.lower()
    drawings = [path for path in (svg, output if form == ".svg" else None) if path is not None]
    pages = [path for path in (html, output if form == ".html" else None) if path is not None]
    talk = Talk(quiet)
    if full_paths:
        show_full_paths()
    study = read_inputs(reading.of(inputs), talk)
    pictures = [picture_of(study, each) for each in item] if item else [picture_of(study)]
    if not item and len(study.items) > 1:
        talk.say(f"Drawing the first of {len(study.items):,} sentences. Choose another with --item.")
    if drawings and len(pictures) > 1:
        hint = "Pass a single --item, or write an HTML file with --html"
        raise UnsupportedStudy(f"an SVG file contains one sentence, got {len(pictures)}", hint=hint)
    for path in drawings:
        deliver(pictures[0].svg, path, talk)
    for path in pages:
        from arbitree.drawing.badges import listed
        from arbitree.reporting.sections.draw import page

        deliver(page(pictures, listed(study.coders)), path, talk)
    if not (drawings or pages):
        deliver("\n".join(_text(picture, output) for picture in pictures), output, talk)


def _text(picture: Picture, output: str | None) -> str:
    """Return the picture as text that fits the terminal, in colour unless NO_COLOR is set."""
    from arbitree.drawing.canvas import SHORTEST, WIDTH

    if output is not None or not sys.stdout.isatty():
        return picture.text
    width = max(min(shutil.get_terminal_size().columns, WIDTH), SHORTEST)
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return picture.text_in(width, colour=not plain)


COMMAND = draw

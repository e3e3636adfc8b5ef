"""``arbitree draw``."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from arbitree.cli import options as opt
from arbitree.cli.console import Talk, deliver, read_inputs
from arbitree.files import show_full_paths

if TYPE_CHECKING:
    from arbitree.drawing.picture import Picture


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
    output: opt.TextOutput = None,
    full_paths: opt.FullPaths = False,
    quiet: opt.Quiet = False,
) -> None:
    """Draw a sentence with the trees of all annotators overlaid; disagreements are highlighted.

    Example: arbitree draw first.conllu second.conllu --item 3 --svg picture.svg
    """
    from arbitree.api.draw import draw as picture_of
    from arbitree.errors import UnsupportedStudy

    talk = Talk(quiet)
    if full_paths:
        show_full_paths()
    study = read_inputs(reading.of(inputs), talk)
    pictures = [picture_of(study, each) for each in item] if item else [picture_of(study)]
    if not item and len(study.items) > 1:
        talk.say(f"Drawing the first of {len(study.items):,} sentences. Choose another with --item.")
    if svg is not None:
        if len(pictures) > 1:
            hint = "Pass a single --item, or write an HTML file with --html"
            raise UnsupportedStudy(f"--svg draws one sentence, got {len(pictures)}", hint=hint)
        deliver(pictures[0].svg, svg)
        talk.say(f"Wrote {svg}")
    if html is not None:
        from arbitree.drawing.badges import listed
        from arbitree.reporting.sections.draw import page

        deliver(page(pictures, listed(study.coders)), html)
        talk.say(f"Wrote {html}")
    if svg is None and html is None:
        deliver("\n".join(_text(picture, output) for picture in pictures), output)


def _text(picture: Picture, output: str | None) -> str:
    """Return the picture as text that fits the terminal, in colour unless NO_COLOR is set."""
    from arbitree.drawing.canvas import SHORTEST, WIDTH

    if output is not None or not sys.stdout.isatty():
        return picture.text
    width = max(min(shutil.get_terminal_size().columns, WIDTH), SHORTEST)
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return picture.text_in(width, colour=not plain)


COMMAND = draw

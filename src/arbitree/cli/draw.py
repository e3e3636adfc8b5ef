"""``arbitree draw``."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from arbitree.cli import options as opt
from arbitree.cli.console import Talk, deliver, read_inputs

if TYPE_CHECKING:
    from arbitree.drawing.picture import Picture


def draw(
    inputs: opt.Inputs,
    *,
    item: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ID", help="Which sentence: its id or its number; repeat for more.", show_default=False
        ),
    ] = None,
    svg: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write one sentence as an SVG picture.")
    ] = None,
    html: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write a page that opens from disk.")
    ] = None,
    reading: opt.ReadingTrees,
    output: opt.Output = None,
    quiet: opt.Quiet = False,
) -> None:
    """Draw the trees of a sentence: what coders share is quiet, what they contest stands out.

    Example: arbitree draw first.conllu second.conllu --item 3 --svg picture.svg
    """
    from arbitree.api.draw import draw as picture_of
    from arbitree.errors import UnsupportedStudy

    talk = Talk(quiet)
    study = read_inputs(reading.of(inputs), talk)
    pictures = [picture_of(study, each) for each in item] if item else [picture_of(study)]
    if not item and len(study.items) > 1:
        talk.say(
            f"the study has {len(study.items):,} sentences; this is the first. Choose another with --item"
        )
    if svg is not None:
        if len(pictures) > 1:
            hint = "Give one --item, or write a page with --html"
            raise UnsupportedStudy(f"an SVG file holds one sentence, not {len(pictures)}", hint=hint)
        deliver(pictures[0].svg, svg)
        talk.say(f"wrote {svg}")
    if html is not None:
        from arbitree.drawing.badges import listed
        from arbitree.reporting.sections.draw import page

        deliver(page(pictures, listed(study.coders)), html)
        talk.say(f"wrote {html}")
    if svg is None and html is None:
        deliver("\n".join(_text(picture, output) for picture in pictures), output)


def _text(picture: Picture, output: str | None) -> str:
    """Return the picture as text: as wide as a narrow terminal, and in colours unless NO_COLOR is set."""
    from arbitree.drawing.canvas import SHORTEST, WIDTH

    if output is not None or not sys.stdout.isatty():
        return picture.text
    width = max(min(shutil.get_terminal_size().columns, WIDTH), SHORTEST)
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return picture.text_in(width, colour=not plain)


COMMAND = draw

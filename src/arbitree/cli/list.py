"""``arbitree list``."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator
from itertools import groupby
from textwrap import wrap
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arbitree.cli import options as opt
from arbitree.errors import UnknownName

if TYPE_CHECKING:
    from arbitree.api.catalogue import Entry

SHORTEST = 20  # columns for the descriptions, however narrow the terminal is
LONG = re.compile(r"\S{60,}")  # a word that may be broken
JOINT = "\0"  # marks where it may be

What = Annotated[
    str | None,
    typer.Argument(
        metavar="[formats|measures|presets|distances|models|backends|heads|layers]",
        help="What to list. models: annotator models; heads: head tables; layers INPUT: the layers of an "
        "export of INCEpTION. [default: everything except layers]",
        show_default=False,
    ),
]
Name = Annotated[
    str | None,
    typer.Argument(
        metavar="[NAME]",
        help="Show one entry: its options, definition and references. After layers, a file.",
        show_default=False,
    ),
]


def list_names(what: What = None, name: Name = None, json: opt.Json = False) -> None:
    """List formats, measures, presets, distances, annotator models, backends, head tables and layers.

    Example: arbitree list measures las
    """
    from arbitree.api.catalogue import CATEGORIES, LAYERS, category, entry, layers_in, record

    if what is not None and what.casefold() == LAYERS:
        layers = layers_in(_given(name))
        if json:
            _print_json({LAYERS: [record(each) for each in layers]})
        else:
            print("\n".join(_lines(layers, grouped=False)))
        return
    if what is not None and name is not None:
        one = entry(what, name)
        if json:
            _print_json(record(one))
        else:
            print("\n".join(_details(one)))
        return
    chosen = CATEGORIES if what is None else {what: category(what)}
    if json:
        _print_json({key: [record(each) for each in found.entries()] for key, found in chosen.items()})
        return
    for key, found in chosen.items():
        if what is None:
            option = f" ({found.chosen_by})" if found.chosen_by else ""
            print(f"{found.what}{option}: arbitree list {key}\n")
        print("\n".join(_lines(found.entries(), grouped=key == "measures")))
        if what is None and key != list(chosen)[-1]:
            print()


def _given(name: str | None) -> str:
    if name is None:
        hint = "Run 'arbitree list layers PROJECT.zip'"
        raise UnknownName("the input whose layers are listed is missing", hint=hint)
    return name


def _lines(found: list[Entry], *, grouped: bool) -> Iterator[str]:
    """Yield a line for every entry, under a heading for each kind of annotation if *grouped*."""
    width = max((len(each.name) for each in found), default=0)
    if not grouped:
        for each in found:
            yield from _fitted(f"{each.name:{width}}  ", each.what)
        return
    for place, (fits, entries) in enumerate(groupby(found, key=lambda each: each.fits)):
        yield f"{chr(10) if place else ''}For {', '.join(fits) or 'other annotations'}:"
        for each in entries:
            yield from _fitted(f"  {each.name:{width}}  ", each.what)


def _fitted(start: str, what: str) -> Iterator[str]:
    """Yield the line about an entry, wrapped if it is wider than the terminal; elsewhere as it is."""
    if not sys.stdout.isatty():
        yield start + what
        return
    yield from _indented(start, what, shutil.get_terminal_size().columns)


def _indented(start: str, what: str, columns: int) -> list[str]:
    wide = max(columns, len(start) + SHORTEST)
    return wrap(start + what, wide, subsequent_indent=" " * len(start)) or [start]


def _details(each: Entry) -> Iterator[str]:
    """Yield the lines about one entry."""
    from arbitree.reporting.terminal import WIDTH, piped_width

    terminal = sys.stdout.isatty()
    columns = min(shutil.get_terminal_size().columns, WIDTH) if terminal else piped_width()
    yield from wrap(f"{each.name}: {each.what}", columns)
    if each.fits:
        yield f"\nFor: {', '.join(each.fits)}"
    if each.definition:
        yield "\nDefinition:"
        for line in each.definition.splitlines():
            yield from _wrapped(line, columns)
    if each.options:
        yield "\nOptions:"
        width = max(len(f"{one.name}={one.default}") for one in each.options)
        for one in each.options:
            start = f"  {f'{one.name}={one.default}':{width}}  "
            yield from _indented(start, one.what, columns)
    if each.references:
        yield f"\nReference{'s' * (len(each.references) > 1)}:"
        for line in each.references:
            yield from wrap(line, columns, initial_indent="  ", subsequent_indent="    ")
    if each.example:
        yield f"\nExample: {each.example}"


def _wrapped(line: str, columns: int) -> Iterator[str]:
    """Yield the indented lines of a definition; long lists of options break after commas and plus signs."""
    parted = LONG.sub(lambda found: re.sub(r"([,+])(?=.)", rf"\1 {JOINT}", found[0]), line)
    for each in wrap(parted, columns, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False):
        indent = " " * (len(each) - len(each.lstrip(" ")))
        yield indent + each.lstrip(f" {JOINT}").replace(f" {JOINT}", "")


def _print_json(found: dict[str, Any]) -> None:
    from arbitree.files import write_out
    from arbitree.reporting.json import written

    write_out(written(found))


COMMAND = list_names

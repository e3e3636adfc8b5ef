"""``arbitree convert``."""

from __future__ import annotations

from typing import Annotated

import typer

from arbitree.cli import options as opt
from arbitree.cli.console import Talk, deliver


def convert(
    source: Annotated[str, typer.Argument(metavar="IN", help="The file to read ('-': standard input).")],
    target: Annotated[str, typer.Argument(metavar="OUT", help="The file to write ('-': standard output).")],
    to: Annotated[
        str | None, typer.Option(metavar="NAME", help="Format to write (default: by the ending of OUT).")
    ] = None,
    format: opt.FormatName = None,
    encoding: opt.Encoding = "utf-8",
    quiet: opt.Quiet = False,
) -> None:
    """Write a file in another format of the same kind.

    Example: arbitree convert trees.export trees.xml
    """
    from arbitree import plugins
    from arbitree.errors import Source, UnsupportedStudy
    from arbitree.kinds.labels.value import Label, Tags
    from arbitree.reading.assembly import entries_of, formats_of
    from arbitree.reading.content import load, text_of

    content = load(source, encoding=encoding)
    (name,) = formats_of([content], format)
    entries = entries_of(content, name)
    wanted = to or _by_ending(target)
    writer = plugins.get("formats", wanted)
    kind = type(entries[0].value)
    if kind is not writer.kind:
        what = f"{name} holds {kind.kind} annotations, {wanted} {writer.kind.kind} annotations"
        fitting = [known for known, each in plugins.plugins("formats").items() if each.kind is kind]
        hint = f"Convert to one of {', '.join(fitting)}"
        if name == "tsdb":
            hint = "Take the trees of the profile with --format derivations"
        raise UnsupportedStudy(what, Source(source), hint=hint)
    text = text_of(writer, entries, target)
    if target.endswith(".gz"):
        import gzip

        deliver(gzip.compress(text.encode(), mtime=0), target)
    else:
        deliver(text, None if target == "-" else target)
    from arbitree.wording import count_of

    unit = "label" if issubclass(kind, Label | Tags) else "sentence"
    Talk(quiet).say(f"{count_of(len(entries), unit)} from {name} to {wanted}")


def _by_ending(path: str) -> str:
    from arbitree import plugins
    from arbitree.errors import Source, UnknownName

    bare = path.removesuffix(".gz")
    for name, each in plugins.plugins("formats").items():
        if bare.endswith(each.suffixes):
            return name
    raise UnknownName(
        "the ending of this name tells no format", Source(path), hint="Name the format with --to"
    )


COMMAND = convert

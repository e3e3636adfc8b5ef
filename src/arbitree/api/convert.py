"""Conversion between formats of the same kind: ``at.convert`` and ``arbitree convert``."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from arbitree import plugins
from arbitree.backends.base import Say, mute
from arbitree.errors import FormatError, Source, UnknownName, UnsupportedStudy
from arbitree.extras import need
from arbitree.files import STREAM, announce, check_new, inputs_kept, write_out, write_whole
from arbitree.formats.format import Format
from arbitree.reading.assembly import entries_of, formats_of
from arbitree.reading.content import Entry, load
from arbitree.reading.detection import unknown_format
from arbitree.reading.inputs import Reading
from arbitree.study.study import Study
from arbitree.wording import count_of, encoded, listed


@inputs_kept()
def convert(
    source: str | Path,
    target: str | Path,
    *,
    to: str | None = None,
    format: str | None = None,
    encoding: str = "utf-8",
    item_column: str | None = None,
    coder_column: str | None = None,
    label_column: str | None = None,
    gold_column: str | None = None,
    drop_column: str | list[str] | None = None,
    missing: str = "auto",
    numbers: str = "auto",
    max_size: str = "auto",
    force: bool = False,
    say: Say = mute,
) -> Path:
    """Write the annotations of a file in another format of the same kind.

    Args:
        source: File to read; ``-`` reads standard input.
        target: File to write, compressed if it ends in ``.gz``; ``-`` writes to standard output.
        to: Format to write (default: from the extension of *target*).
        format: Format of *source* (default: detected).
        encoding: Text encoding of *source*.
        item_column, coder_column, label_column, gold_column, drop_column, missing, numbers: Options for
            tables of labels, as in ``read``.
        max_size: Largest size of decompressed files and of pipes, as in ``read``.
        force: Replace *target* if it exists.
        say: Function that is called with a message about the file written.
    Returns:
        The path of *target*.
    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     written = convert("examples/phrase/ann.mrg", f"{folder}/ann.export")
        ...     written.name, len(written.read_text()) > 0
        ('ann.export', True)
    """
    reading = Reading(
        item_column=item_column,
        coder_column=coder_column,
        label_column=label_column,
        gold_column=gold_column,
        drop_column=[drop_column] if isinstance(drop_column, str) else drop_column,
        missing=missing,
        numbers=numbers,
        max_size=max_size,
    )
    announce(target, inputs=[str(source)])
    check_new(target, force=force)
    content = load(str(source), encoding=encoding, reading=reading)
    (name,) = formats_of([content], format)
    if name is None:
        raise unknown_format(content)
    entries = entries_of(content, name)
    wanted = to or _by_ending(str(target))
    reader, writer = plugins.get("formats", name), plugins.get("formats", wanted)
    held = type(entries[0].value)
    if not writer.holds(held):
        what = f"cannot convert {held.plural} ({name}) to {writer.value_type.plural} ({wanted})"
        hint = reader.instead or f"Choose {listed(_fitting(held), 'or')} with --to"
        raise UnsupportedStudy(what, Source(str(source)), hint=hint)
    _write(wanted, entries, str(target))
    for note in content.notes:
        say(f"warning: {note}")
    say(f"{count_of(len(entries), reader.unit)} from {name} to {wanted}")
    return Path(target)


def write_study(study: Study[Any], target: str, own: str | None = None) -> tuple[int, str]:
    """Write a study in the format of the extension of *target*, else in *own*, else in the first that fits.

    Returns:
        The number of annotations written, and the format.
    """
    fitting = _fitting(study.value_type)
    named = _endings(target)
    if named and not set(fitting) & set(named):
        what = f"the format {named[0]} cannot store {study.value_type.plural}"
        hint = f"Choose the file extension of {listed(fitting, 'or')}"
        raise UnsupportedStudy(what, Source(target), hint=hint)
    choice = [name for name in (own, *named) if name in named and name in fitting] or [
        name for name in (own, *fitting) if name in fitting
    ]
    name = str(choice[0])
    entries = [
        Entry(cell.value, cell.source or Source(target), item.id, item.document, cell.coder)
        for item, cells in study
        for cell in cells
    ]
    _write(name, entries, target)
    return len(entries), name


def format_of(study: Study[Any], encoding: str = "utf-8") -> str | None:
    """Return the format of the file of the first annotation, or None if it cannot be read a second time."""
    source = next((cell.source for cell in study.cells.values()), None)
    if source is None or not Path(source.path).exists():
        return None
    try:
        return formats_of([load(source.path, encoding=encoding, reading=Reading(max_size="off"))])[0]
    except FormatError:  # it was given, or the other files of the study told it
        return None


def _write(name: str, entries: Sequence[Entry[Any]], target: str) -> None:
    writer: Format[Any] = plugins.get("formats", name)
    need(f"the format {name}", *writer.needs, source=Source(target))
    text = writer.text(entries, target)
    if target == STREAM:
        write_out(text)
    elif target.endswith(".gz"):
        write_whole(target, gzip.compress(encoded(text), mtime=0))
    else:
        write_whole(target, text)


def _fitting(value_type: type) -> list[str]:
    """Return the formats that can store values of this type."""
    return [name for name, each in plugins.plugins("formats").items() if each.holds(value_type)]


def _endings(path: str) -> list[str]:
    """Return the formats with the file extension of *path*."""
    bare = path.removesuffix(".gz")
    return [name for name, each in plugins.plugins("formats").items() if bare.endswith(each.suffixes)]


def _by_ending(path: str) -> str:
    for name in _endings(path):
        return name
    raise UnknownName(
        "cannot infer the format from the file extension", Source(path), hint="Set the format with --to"
    )

"""Conversion between formats of the same kind: ``at.convert`` and ``arbitree convert``."""

from __future__ import annotations

import gzip
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from arbitree import kinds, plugins
from arbitree.api.arguments import warn_caller
from arbitree.api.losses import Losses, entry_losses, study_losses
from arbitree.backends.base import Say, mute
from arbitree.errors import ArbitreeError, FormatError, Source, UnknownName, UnsupportedStudy
from arbitree.extras import need
from arbitree.files import STREAM, announce, check_new, inputs_kept, write_out, write_whole
from arbitree.formats.format import Format, entries_in, extension
from arbitree.paths import exists, sheet_in
from arbitree.reading.assembly import entries_of, formats_of, records_of
from arbitree.reading.content import Content, Entry, load
from arbitree.reading.detection import unknown_format
from arbitree.reading.guard import guarded
from arbitree.reading.inputs import DEFAULT_DOCUMENT, Input, Reading, stem
from arbitree.reading.views import check_views
from arbitree.study.study import Study
from arbitree.wording import count_of, encoded, listed

AUTO = "auto"
STDIN = "<stdin>"  # the name of standard input in messages


@inputs_kept()
def convert(
    source: str | Path,
    target: str | Path,
    *,
    to: str | None = None,
    format: str | None = None,
    encoding: str = "utf-8",
    view: str | None = None,
    zone: str | None = None,
    layer: str | None = None,
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
        view, zone, layer: View, zone and layer of files that contain several, as in ``read``.
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
        ...     written = convert("examples/phrase/ann.mrg", f"{folder}/ann.xml")
        ...     written.name, len(written.read_text()) > 0
        ('ann.xml', True)
    """
    reading = Reading(
        view=view,
        zone=zone,
        layer=layer,
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
    wanted = plugins.spelling("formats", to) if to else _by_ending(str(target))
    reader, writer = plugins.get("formats", name), plugins.get("formats", wanted)
    check_views(reader, view)
    found = _found(content, name)
    if not writer.holds(found.value_type):
        held = found.value_type
        what = f"cannot convert {held.plural} ({name}) to {writer.value_type.plural} ({wanted})"
        hint = reader.instead or f"Choose {listed(_fitting(held), 'or')} with --to"
        raise UnsupportedStudy(what, Source(str(source)), hint=hint)
    notes = [*content.notes, *found.notes, *_write(wanted, found, str(target))]
    for note in notes:
        say(f"warning: {note}")
    if say is mute:
        for note in notes:
            warn_caller(note)
    say(f"{count_of(found.count, reader.unit)} from {name} to {wanted}")
    return Path(target)


class _Found(Protocol):
    """Annotations to write: the sentences of a file, or the study in a table."""

    @property
    def value_type(self) -> type[Any]: ...

    @property
    def count(self) -> int: ...

    @property
    def notes(self) -> Sequence[str]: ...

    @property
    def options(self) -> Mapping[str, str]: ...

    def text(self, writer: Format[Any], suffix: str) -> str: ...

    def losses(self, content: Content, name: str | None) -> Losses: ...


@dataclass(frozen=True, slots=True)
class _Sentences:
    """Trees or other annotations of sentences, at least one."""

    entries: list[Entry[Any]]
    notes: Sequence[str] = ()
    options: Mapping[str, str] = field(default_factory=dict)  # with which a file has to be read

    @property
    def value_type(self) -> type[Any]:
        """The type of all values."""
        return type(self.entries[0].value)

    @property
    def count(self) -> int:
        """The number of annotations."""
        return len(self.entries)

    def text(self, writer: Format[Any], suffix: str) -> str:
        """Return the text of a file with this extension."""
        return "".join(writer.write_as(self.entries, suffix))

    def losses(self, content: Content, name: str | None) -> Losses:
        """Return what the file lacks."""
        held: type = self.value_type
        return entry_losses(self.entries, entries_of(content, name), kinds.of_type(held))


@dataclass(frozen=True, slots=True)
class _Table:
    """The labels of a study."""

    study: Study[Any]

    @property
    def value_type(self) -> type[Any]:
        """The type of all values."""
        return self.study.value_type

    @property
    def count(self) -> int:
        """The number of labels."""
        return len(self.study.cells)

    @property
    def notes(self) -> Sequence[str]:
        """The warnings about the study."""
        return self.study.notes

    @property
    def options(self) -> Mapping[str, str]:
        """The options for labels with which the study was read."""
        pairs = (each.partition(":") for each in self.study.settings)
        return {name: value for name, _, value in pairs if name in ("missing", "numbers")}

    def text(self, writer: Format[Any], suffix: str) -> str:
        """Return the text of a file with this extension."""
        return "".join(writer.write_study(self.study, suffix))

    def losses(self, content: Content, name: str | None) -> Losses:
        """Return what the file lacks."""
        return study_losses(self.study, _gathered(content, name), kinds.of(self.study))


def _found(content: Content, name: str) -> _Found:
    """Return the annotations of a file in the format called *name*."""
    if plugins.get("formats", name).tabular:
        return _Table(_gathered(content, name))
    return _Sentences(entries_of(content, name))


def _gathered(content: Content, name: str | None) -> Study[Any]:
    """Return the study in a table, whose annotator is called like the file if the table does not name one."""
    if name is None or not plugins.get("formats", name).tabular:
        raise unknown_format(content)
    own = "stdin" if content.path == STDIN else stem(content.path)
    records = records_of(content, name)
    with guarded(content.path):
        study: Study[Any] = plugins.get("formats", name).gather(
            [(Input(own, content.path, DEFAULT_DOCUMENT), records)]
        )
    return study


def write_study(study: Study[Any], target: str, own: str | None = None) -> tuple[int, str, list[str]]:
    """Write a study in the format of the extension of *target*, else in *own*, else in the first that fits.

    Returns:
        The number of annotations written, the format, and warnings about what the file does not contain.
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
    annotated = dict.fromkeys(item for item, _ in study.cells)
    study = study.select(items=annotated)
    table = plugins.get("formats", name).tabular
    found = _Table(study) if table else _Sentences(list(entries_in(study)))
    return found.count, name, _write(name, found, target)


def format_of(study: Study[Any], encoding: str = "utf-8") -> str | None:
    """Return the format of the file of the first annotation, or None if it cannot be read a second time."""
    source = next((cell.source for cell in study.cells.values()), None)
    if source is None or not exists(sheet_in(source.path)[0]):
        return None
    try:
        return formats_of([load(source.path, encoding=encoding, reading=Reading(max_size="off"))])[0]
    except FormatError:  # it was given, or the other files of the study told it
        return None


def _write(name: str, found: _Found, target: str) -> list[str]:
    """Write *found* in the format called *name*; return warnings about what the file does not contain."""
    writer: Format[Any] = plugins.get("formats", name)
    need(f"the format {name}", *writer.needs, source=Source(target))
    text = found.text(writer, extension(target))
    notes = _read_again(text, name, found, target)
    if target == STREAM:
        write_out(text)
    elif target.endswith(".gz"):
        write_whole(target, gzip.compress(encoded(text), mtime=0))
    else:
        write_whole(target, text)
    return notes


def _read_again(text: str, name: str, found: _Found, target: str) -> list[str]:
    """Read the text of a file, and return warnings: what it lacks, or options with which it must be read.

    Raises:
        FormatError: If the file cannot be read.
    """
    every = (("format", name), *found.options.items())
    ways = dict.fromkeys(((), every[:1], every[1:], every))
    best: tuple[Losses, tuple[tuple[str, str], ...]] | None = None
    for way in ways:
        chosen = dict(way)
        reading = Reading(missing=chosen.get("missing", AUTO), numbers=chosen.get("numbers", AUTO))
        content = Content(target, text.encode(), reading=reading)
        try:
            lost = found.losses(content, formats_of([content], chosen.get("format"))[0])
        except ArbitreeError as error:
            if best is None and way == every:
                what = f"{name} cannot store these annotations: the file would be invalid ({error.what})"
                hint = "Choose another format with --to; for labels, the extension .jsonl"
                raise FormatError(what, Source(target), hint=hint) from error
            continue
        if best is None or len(lost) < len(best[0]):
            best = lost, way
        if not lost:
            break
    lost, way = best or ({}, ())
    parts = ", ".join(f"{what} ({amount})" for what, amount in lost.items())
    typed = " and ".join(f"--{option} {value}" for option, value in way)
    return [
        *([f"not kept in {name}: {parts}"] if parts else []),
        *([f"to read {target}, set {typed}"] if typed else []),
    ]


def _fitting(value_type: type) -> list[str]:
    """Return the formats that can store values of this type."""
    known = plugins.plugins("formats").items()
    return [name for name, each in known if each.writes and each.holds(value_type)]


def _endings(path: str) -> list[str]:
    """Return the formats with the file extension of *path*."""
    bare = path.removesuffix(".gz")
    known = plugins.plugins("formats").items()
    return [name for name, each in known if each.writes and bare.endswith(each.suffixes)]


def _by_ending(path: str) -> str:
    for name in _endings(path):
        return name
    raise UnknownName(
        "cannot infer the format from the file extension", Source(path), hint="Set the format with --to"
    )

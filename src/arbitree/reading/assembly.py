"""Read the files of all annotators into one study: match items, and collect warnings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from arbitree import plugins
from arbitree.backends.base import Say, mute
from arbitree.errors import FormatError, Source, StudyError
from arbitree.reading.checks import (
    Files,
    check_common,
    defects,
    differing_tokens,
    empty_trees,
    uneven_files,
)
from arbitree.reading.content import Content, Entry, load
from arbitree.reading.detection import detect, unknown_format
from arbitree.reading.inputs import USUAL, Input, Reading, inputs_of
from arbitree.study.study import Annotation, Item, Study

MATCHES = ("auto", "id", "position", "text")


def read_study(arguments: Sequence[str], *, say: Say = mute, **options: Any) -> Study[Any]:
    """Read the files that *arguments* name (``FILE``, ``NAME=FILE``, directories) into one study.

    Args:
        arguments: Inputs as on the command line.
        say: Function that receives status lines.
        options: Options of ``Reading``.
    """
    return read_inputs(Reading(tuple(arguments), **options), say)


def read_inputs(reading: Reading, say: Say = mute) -> Study[Any]:
    """Read the inputs of all annotators into one study; the option ``column`` is not applied."""
    inputs = inputs_of(reading.inputs, dirs=reading.dirs)
    return assemble(inputs, reading, skip_unknown=reading.dirs, say=say)


def assemble(
    inputs: Sequence[Input],
    reading: Reading = USUAL,
    *,
    skip_unknown: bool = False,
    say: Say = mute,
) -> Study[Any]:
    """Read *inputs* into one study.

    Args:
        inputs: The files of all annotators.
        reading: Options for reading them.
        skip_unknown: Whether to skip files whose format is unknown.
        say: Function that receives status lines.
    """
    match, strict = reading.match, reading.strict
    plugins.check_name(match, MATCHES, "match value")
    contents, names = _detected(inputs, reading, skip_unknown=skip_unknown, say=say)
    if all(plugins.get("formats", name).tabular for name in names):
        return _labelled(contents, names, say)
    files = [(each, entries_of(content, name)) for (each, content), name in zip(contents, names, strict=True)]
    odd = [note for _, content in contents for note in content.notes]
    if odd and strict:
        raise FormatError(odd[0], hint="Fix the file, or omit --strict")
    _check_kinds(files)
    by_id = match == "id" or (match == "auto" and all(entry.id for _, entries in files for entry in entries))
    say(f"Sentences matched by {match if match == 'text' else 'id' if by_id else 'position'}")
    placed = _by_text(files, odd) if match == "text" else _by_id(files) if by_id else _by_position(files)
    coders = tuple(dict.fromkeys(each.coder for each, _ in files))
    study = _study(placed, coders)
    notes = odd if by_id or match == "text" else [*odd, *uneven_files(files, strict)]
    notes += empty_trees(study)
    cells = list(study.cells.values())
    broken = plugins.get("formats", names[0]).defects([cell.value for cell in cells])
    notes += defects([(cells[place], defect) for place, defect in broken], strict)
    notes += differing_tokens(study, by_id=by_id, strict=strict)
    check_common(study)
    return replace(study, notes=tuple(notes))


Placed = list[tuple[Item, str, Entry[Any]]]


def _labelled(contents: list[tuple[Input, Content]], names: list[str], say: Say) -> Study[Any]:
    """Return the study of tables that contain the labels of several annotators."""
    say("Items matched by id")
    study: Study[Any] = plugins.get("formats", names[0]).gather(
        [
            (each, plugins.get("formats", name).records(content))
            for (each, content), name in zip(contents, names, strict=True)
        ]
    )
    if len(contents) > 1:  # in one table, annotators may share no item
        check_common(study)
    return study


def _detected(
    inputs: Sequence[Input], reading: Reading, *, skip_unknown: bool, say: Say
) -> tuple[list[tuple[Input, Content]], list[str]]:
    """Return the inputs with their content, and the format of each; report the formats."""
    contents = [load(each.path, encoding=reading.encoding) for each in inputs]
    found: list[tuple[Input, Content]] = []
    names: list[str] = []
    formats = formats_of(contents, reading.format)
    tables = [known is not None and plugins.get("formats", known).tabular for known in formats]
    stray = skip_unknown and 2 * sum(tables) < len(tables)  # tables about the files, in directories of trees
    for each, content, known, table in zip(inputs, contents, formats, tables, strict=True):
        if table and stray:
            say(f"warning: skipped {each.path}: it is a table, but most files contain trees")
        elif known is not None:
            found.append((each, content))
            names.append(known)
        elif skip_unknown:
            say(f"warning: skipped {each.path}: cannot detect the file format")
        else:
            raise unknown_format(content)
    if not found:
        raise unknown_format(contents[0])
    say(_formats_line(names, "given" if reading.format else "detected"))
    return found, names


def formats_of(contents: Sequence[Content], name: str | None = None) -> list[str | None]:
    """Return the format of each content: *name* if it is given, otherwise the detected format."""
    if name is None:
        return detect(contents)
    plugins.get("formats", name)
    return [name] * len(contents)


def entries_of(content: Content, name: str | None) -> list[Entry[Any]]:
    """Return the annotations of *content*, at least one, in the format called *name*."""
    if name is None:
        raise unknown_format(content)
    entries = list(plugins.get("formats", name).read(content))
    if not entries:
        raise FormatError(
            "the file contains no sentences", Source(content.path, 1), hint="Check the --format"
        )
    return entries


def _formats_line(names: list[str], how: str) -> str:
    counted = Counter(names)
    if len(counted) == 1:
        return f"Format {how}: {names[0]}"
    return f"Formats {how}: " + ", ".join(f"{name} ({count})" for name, count in sorted(counted.items()))


def _check_kinds(files: Files) -> None:
    _, first = files[0]
    for _, entries in files:
        if type(entries[0].value) is not type(first[0].value):
            ours, theirs = entries[0].value.plural, first[0].value.plural
            what = f"found {ours}, but {first[0].source.path} contains {theirs}"
            hint = "Pass files of one kind, or set --format"
            raise StudyError(what, entries[0].source, hint=hint)


def _by_id(files: Files) -> Placed:
    seen: dict[tuple[str, str, str], Entry[Any]] = {}
    for each, entries in files:
        for entry in entries:
            if not entry.id:
                hint = "Add a '# sent_id' to every sentence, or set --match position"
                raise StudyError("the sentence has no id", entry.source, hint=hint)
            other = seen.setdefault((each.coder, each.document, entry.id), entry)
            if other is not entry:
                what = f"duplicate id {entry.id!r}; it first appears at {other.source}"
                raise StudyError(what, entry.source, hint="Use a different id for each sentence")
    # Files of one annotator may use the same ids: then the document becomes part of the id.
    clash = len({(coder, name) for coder, _, name in seen}) < len(seen)
    return [
        (_item(f"{each.document}/{entry.id}" if clash else str(entry.id), each, entry), each.coder, entry)
        for each, entries in files
        for entry in entries
    ]


def _by_position(files: Files) -> Placed:
    return [
        (_item(f"{each.document}/{number}", each, entry), each.coder, entry)
        for each, entries in files
        for number, entry in enumerate(entries, start=1)
    ]


def _by_text(files: Files, notes: list[str]) -> Placed:
    """Match sentences with the same words, under the id in the file of the first annotator.

    If one annotator has the same words twice, the last sentence counts.
    """
    names: dict[tuple[str, str], str] = {}
    taken: set[str] = set()
    placed: dict[tuple[str, str], tuple[Item, str, Entry[Any]]] = {}
    again = 0
    for each, entries in files:
        for number, entry in enumerate(entries, start=1):
            words = each.document, " ".join(entry.value.tokens)
            name = names.get(words) or f"{each.document}/{entry.id or number}"
            while words not in names and name in taken:
                name += "+"
            names[words] = name
            taken.add(name)
            again += (name, each.coder) in placed
            placed[name, each.coder] = (_item(name, each, entry), each.coder, entry)
    if again:
        notes.append(f"sentences that repeat the words of another one (only the last is used): {again:,}")
    return list(placed.values())


def _item(name: str, each: Input, entry: Entry[Any]) -> Item:
    return Item(id=name, document=entry.document or each.document, cluster=name)


def _study(placed: Placed, coders: tuple[str, ...]) -> Study[Any]:
    items: dict[str, Item] = {}
    cells = {}
    for item, coder, entry in placed:
        known = items.setdefault(item.id, item)
        cells[known.id, coder] = Annotation(known, coder, entry.value, entry.source)
    # Stable: documents in order of first appearance, items in the order of the first annotator.
    return Study(tuple(items.values()), coders, cells)

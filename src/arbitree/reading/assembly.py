"""Read the files of all annotators into one study: match items, and collect warnings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from arbitree import plugins
from arbitree.backends.base import Say, mute
from arbitree.errors import FormatError, Source, StudyError
from arbitree.extras import need
from arbitree.files import note_input, note_study
from arbitree.reading.annotators import annotator_lines, by_annotator, with_roles, without_earlier
from arbitree.reading.checks import (
    check_common,
    defects,
    differing_tokens,
    empty_trees,
    item_texts,
    uneven_files,
)
from arbitree.reading.consistent_tables import read_alike
from arbitree.reading.content import Content, Entry, Records
from arbitree.reading.detection import detect, unknown_format
from arbitree.reading.exports.tools import loaded
from arbitree.reading.foreign import foreign_format
from arbitree.reading.guard import guarded
from arbitree.reading.inputs import (
    USUAL,
    Input,
    Reading,
    check_standard_input,
    distinct,
    inputs_of,
    is_backup,
    is_special,
    shared_files,
)
from arbitree.reading.layers import Layer, layer_settings, layers_of, with_layer
from arbitree.reading.matching import MATCHES, Files, Placed, match_sentences
from arbitree.reading.texts import join_texts
from arbitree.reading.unicode_forms import in_one_form
from arbitree.reading.views import in_view, view_settings, with_view
from arbitree.study.study import Annotation, Item, Study
from arbitree.study.texts import Texts
from arbitree.wording import count_of


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
    check_standard_input([*(each.path for each in inputs), reading.texts])
    study = _assembled(inputs, reading, skip_unknown=skip_unknown, say=say)
    for line in shared_files(inputs):
        say(f"warning: {line}")
    return study if reading.texts is None else join_texts(study, reading.texts, reading)


def _assembled(inputs: Sequence[Input], reading: Reading, *, skip_unknown: bool, say: Say) -> Study[Any]:
    match, strict = plugins.known_name(reading.match, MATCHES, "match value"), reading.strict
    note_study(each.path for each in inputs)
    contents, names, told = _detected(inputs, reading, skip_unknown=skip_unknown, say=say)
    if all(plugins.get("formats", name).tabular for name in names):
        return _labelled(contents, names, say, strict=strict)
    composed, forms = in_one_form([(each.document, content) for each, content in contents])
    contents = [(each, content) for (each, _), content in zip(contents, composed, strict=True)]
    files = [(each, entries_of(content, name)) for (each, content), name in zip(contents, names, strict=True)]
    odd = _oddities(contents, strict=strict)
    _check_kinds(files)
    files = by_annotator(files, [plugins.get("formats", name).roles for name in names])
    files, replaced = without_earlier(files, strict=strict)
    for line in annotator_lines(files):
        say(line)
    found = match_sentences(files, match, strict=strict)
    say(found.status)
    study = with_roles(_study(found.placed, files), files)
    if texts := item_texts(found.placed):
        study = replace(study, texts=Texts({"text": texts}))
    own = [(each, entries) for each, entries in files if each.coder in study.coders]
    notes = [*odd, *told, *forms, *remarks(content for _, content in contents), *replaced, *found.notes]
    notes += uneven_files(own, strict) if found.method == "position" else ()
    notes += empty_trees(study)
    cells = list(study.cells.values())
    with guarded(contents[0][1].path):
        broken = plugins.get("formats", names[0]).defects([cell.value for cell in cells])
    notes += defects([(cells[place], defect) for place, defect in broken], strict)
    if all(
        plugins.get("formats", name).worded(content)
        for (_, content), name in zip(contents, names, strict=True)
    ):
        notes += differing_tokens(study, method=found.method, strict=strict)
    check_common(study, found.method)
    chosen = [content for _, content in contents]
    views = (*view_settings(chosen, names), *layer_settings(chosen))
    settings = (f"match:{found.method}", _format_setting(names), *views)
    return replace(study, notes=tuple(notes), settings=settings)


def _annotation_files(inputs: Sequence[Input], say: Say) -> list[Input]:
    """Return *inputs* without backup files, pipes, sockets and devices in directories; none is opened."""
    kept = list(inputs)
    for skipped, why in (
        (is_special, "not a file but a pipe, socket or device"),
        (is_backup, "a backup file of an editor"),
    ):
        paths = {each.path: None for each in kept if each.found and skipped(each.path)}
        kept = [each for each in kept if each.path not in paths]
        if paths:
            others = f" and {len(paths) - 1:,} more" if len(paths) > 1 else ""
            say(f"warning: skipped {next(iter(paths))}{others}: {why}")
    if not kept:
        hint = "Pass the directory with the annotator's files"
        raise StudyError("the directory contains no files", Source(inputs[0].path), hint=hint)
    return kept


def _oddities(contents: Sequence[tuple[Input, Content]], *, strict: bool) -> list[str]:
    """Return the warnings about the files; raise FormatError for the first one if *strict*."""
    odd = [note for _, content in contents for note in content.notes]
    if odd and strict:
        raise FormatError(odd[0], hint="Fix the file, or omit --strict")
    return odd


def _labelled(
    contents: list[tuple[Input, Content]], names: list[str], say: Say, *, strict: bool
) -> Study[Any]:
    """Return the study of tables that contain the labels of several annotators."""
    tables = [
        (each, records_of(content, name)) for (each, content), name in zip(contents, names, strict=True)
    ]
    with guarded(contents[0][1].path):
        own = read_alike([records for _, records in tables])
    tables = [(each, records) for (each, _), records in zip(contents, own, strict=True)]
    odd = _oddities(contents, strict=strict)
    with guarded(contents[0][1].path):
        study: Study[Any] = plugins.get("formats", names[0]).gather(tables)
    for line in layouts([records for _, records in tables], study):
        say(line)
    say("Items matched by id")
    if len(contents) > 1:  # in one table, annotators may share no item
        check_common(study)
    settings = ("match:id", _format_setting(names), *study.settings)
    return replace(study, notes=(*odd, *study.notes), settings=settings)


def _format_setting(names: Sequence[str]) -> str:
    """Return the formats for signatures."""
    return f"format:{'+'.join(sorted(set(names)))}"


def layouts(tables: Sequence[Records], study: Study[Any]) -> list[str]:
    """Return a line that describes how tables were read; one line for each layout if there are several."""
    paths: dict[str, list[str]] = {}
    for records in tables:
        paths.setdefault(records.layout, []).append(records.path)
    size = (
        f"{count_of(len(study.items), 'item')}, {count_of(len(study.coders), 'annotator')}, "
        f"{count_of(len(study.cells), 'label')}"
    )
    if len(paths) == 1:
        return [f"Read as {layout}; {size}" for layout in paths if layout]
    return [*(f"{found[0]}: read as {layout}" for layout, found in paths.items()), f"Read {size}"]


def _detected(
    inputs: Sequence[Input], reading: Reading, *, skip_unknown: bool, say: Say
) -> tuple[list[tuple[Input, Content]], list[str], list[str]]:
    """Return the files with their content, the format of each, and warnings; report the formats."""
    opened, notes = loaded(_annotation_files(inputs, say), reading, say)
    inputs, contents = [each for each, _ in opened], [content for _, content in opened]
    found: list[tuple[Input, Content]] = []
    names: list[str] = []
    formats = formats_of(contents, reading.format)
    tables = [known is not None and plugins.get("formats", known).tabular for known in formats]
    stray = skip_unknown and 2 * sum(tables) < len(tables)  # tables about the files, in directories of trees
    for each, content, known, table in zip(inputs, contents, formats, tables, strict=True):
        if table and stray:
            say(f"warning: skipped {each.path}: it is a table, but most files contain trees")
        elif known is not None:
            if not each.export:
                note_input(each.path)
            found.append((each, content))
            names.append(known)
        elif skip_unknown:
            say(f"warning: skipped {each.path}: {unknown_format(content).what}")
        else:
            raise unknown_format(content)
    if not found:
        raise unknown_format(next(filter(foreign_format, contents), contents[0]))
    say(_formats_line(names, "given" if reading.format else "detected"))
    found, names = with_view(found, names, say)
    distinct([each for each, _ in found])  # in directories, skipped files may have the same names
    return with_layer(found, names, say), names, notes


def read_layers(inputs: Sequence[Input], reading: Reading = USUAL) -> list[Layer]:
    """Return the layers of all files, with their counts; empty if the formats have no layers."""
    opened, _ = loaded(inputs, reading, mute)
    contents = [content for _, content in opened]
    names = formats_of(contents, reading.format)
    known = [(content, name) for content, name in zip(contents, names, strict=True) if name is not None]
    return layers_of([content for content, _ in known], [plugins.get("formats", name) for _, name in known])


def formats_of(contents: Sequence[Content], name: str | None = None) -> list[str | None]:
    """Return the format of each content: *name* if it is given, otherwise the detected format."""
    if name is None:
        return detect(contents)
    return [plugins.spelling("formats", name)] * len(contents)


def entries_of(content: Content, name: str | None) -> list[Entry[Any]]:
    """Return the annotations of *content*, at least one, in the format called *name*."""
    if name is None:
        raise unknown_format(content)
    reader = plugins.get("formats", name)
    need(f"the format {name}", *reader.needs, source=Source(content.path))
    with guarded(content.path):
        (content,) = in_view(reader, [content])
        entries = list(reader.read(content))
        _check_end(content, reader.ending(content))
    if not entries and not reader.layered:  # without anything to mark, a layer is empty
        raise FormatError(
            "the file contains no sentences", Source(content.path, 1), hint="Check the --format"
        )
    return entries


def records_of(content: Content, name: str) -> Records:
    """Return the rows of a table in the format called *name*."""
    reader = plugins.get("formats", name)
    with guarded(content.path):
        records: Records = reader.records(content)
        _check_end(content, reader.ending(content))
    return records


def _check_end(content: Content, ending: str) -> None:
    """Add a warning to the notes of *content* unless the file ends with *ending*."""
    if cut := content.cut(ending):
        content.notes.append(cut)


def _formats_line(names: list[str], how: str) -> str:
    counted = Counter(names)
    if len(counted) == 1:
        return f"Format {how}: {names[0]}"
    return f"Formats {how}: " + ", ".join(f"{name} ({count})" for name, count in sorted(counted.items()))


def _check_kinds(files: Files) -> None:
    full = [entries for _, entries in files if entries]
    if not full:
        hint = "Choose another layer with --layer"
        raise StudyError("there are no annotations", Source(files[0][0].path), hint=hint)
    first = full[0]
    for entries in full:
        if type(entries[0].value) is not type(first[0].value):
            ours, theirs = entries[0].value.plural, first[0].value.plural
            what = f"found {ours}, but {first[0].source.path} contains {theirs}"
            hint = "Pass files of one kind, or set --format"
            raise StudyError(what, entries[0].source, hint=hint)


def _study(placed: Placed, files: Files) -> Study[Any]:
    coders = tuple(dict.fromkeys(each.coder for each, _ in files))
    items: dict[str, Item] = {}
    cells = {}
    orders: dict[str, dict[str, list[str]]] = {}  # ids by annotator and document
    for item, coder, entry in placed:
        known = items.setdefault(item.id, item)
        cells[known.id, coder] = Annotation(known, coder, entry.value, entry.source)
        orders.setdefault(coder, {}).setdefault(known.document, []).append(known.id)
    found = [
        items[each]
        for document in _merged([*own] for own in orders.values())
        for each in _merged(own.get(document, []) for own in orders.values())
    ]
    return Study(tuple(found), coders, cells)


def remarks(contents: Iterable[Content]) -> list[str]:
    """Return the remarks on files; equal ones once, with the first file."""
    places: dict[str, list[str]] = {}
    for content in contents:
        for text in content.remarks:
            places.setdefault(text, []).append(content.path)
    others = {text: count_of(len(paths) - 1, "other file") for text, paths in places.items()}
    return [
        f"{paths[0]}{f' and {others[text]}' if len(paths) > 1 else ''}: {text}"
        for text, paths in places.items()
    ]


def _merged(orders: Iterable[Sequence[str]]) -> list[str]:
    """Return all names in the order of the longest sequence; those that it lacks precede their successors.

    Random samples depend on the order of items, which must not depend on the order of annotators.

    Example:
        >>> _merged([["b", "d"], ["a", "b", "c", "d"]]), _merged([["a", "c", "d"], ["a", "b", "d"]])
        (['a', 'b', 'c', 'd'], ['a', 'b', 'c', 'd'])
    """
    preceding: dict[str | None, str | None] = {None: None}  # None: after the last and before the first
    for order in sorted(orders, key=lambda each: (-len(each), each)):
        after = None
        for each in reversed(order):
            if each not in preceding:
                preceding[each], preceding[after] = preceding[after], each
            after = each
    found: list[str] = []
    while (item := preceding[found[-1] if found else None]) is not None:
        found.append(item)
    return found[::-1]

"""From the files of the coders to one study: items matched, oddities found and said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from arbitree import registry
from arbitree.data.study import Annotation, Item, Study
from arbitree.errors import FormatError, Source, StudyError
from arbitree.formats.base import Content, Entry, load
from arbitree.formats.detection import detect, unknown_format
from arbitree.formats.inputs import Input, inputs_of

MATCHES = ("auto", "id", "position")

# Below this overlap of words and of letter pairs, two texts under one id are taken for different sentences.
SAME_SENTENCE = 0.5

Say = Callable[[str], None]


def read_study(
    arguments: Sequence[str],
    *,
    dirs: bool = False,
    format: str | None = None,
    encoding: str = "utf-8",
    match: str = "auto",
    strict: bool = False,
    say: Say = lambda line: None,
) -> Study[Any]:
    """Read the files of all coders into one study.

    Args:
        arguments: ``FILE``, ``NAME=FILE`` or, with *dirs*, directories.
        dirs: one directory per coder; files are matched by name.
        format: the name of the format; by default it is detected.
        encoding: of text files.
        match: items meet by ``id``, by ``position``, or by id where every sentence has one (``auto``).
        strict: refuse cycles, differing tokens and differing numbers of sentences.
        say: gets lines about how things were read.
    """
    registry.check_name(match, MATCHES, "ways to match items")
    files = _read_files(inputs_of(arguments, dirs=dirs), format, encoding, skip_unknown=dirs, say=say)
    _check_kinds(files)
    by_id = match == "id" or (match == "auto" and all(entry.id for _, entries in files for entry in entries))
    say(f"items matched by {'id' if by_id else 'position'}")
    placed = _by_id(files) if by_id else _by_position(files)
    coders = tuple(dict.fromkeys(each.coder for each, _ in files))
    study = _study(placed, coders)
    notes = [] if by_id else _uneven(files, strict)
    notes += _defects(study, strict)
    notes += _differing_tokens(study, by_id, strict)
    _check_common(study)
    return replace(study, notes=tuple(notes))


Files = list[tuple[Input, list[Entry[Any]]]]
Placed = list[tuple[Item, str, Entry[Any]]]


def _read_files(inputs: list[Input], name: str | None, encoding: str, *, skip_unknown: bool, say: Say) -> Files:
    if name is not None:
        registry.get("formats", name)
    contents = [load(each.path, encoding=encoding) for each in inputs]
    names = [name] * len(inputs) if name else detect(contents)
    files: Files = []
    for each, content, found in zip(inputs, contents, names, strict=True):
        if found is None and not skip_unknown:
            raise unknown_format(content)
        if found is None:
            say(f"warning: skipped {each.path}: no format knows it")
            continue
        entries = list(registry.get("formats", found).read(content))
        if not entries:
            raise FormatError("the file has no sentences", Source(content.path, 1), hint="Check its format")
        files.append((each, entries))
    if not files:
        raise unknown_format(contents[0])
    say(_formats_line([found for found in names if found], "given" if name else "detected"))
    return files


def _formats_line(names: list[str], how: str) -> str:
    counted = Counter(names)
    if len(counted) == 1:
        return f"format {how}: {names[0]}"
    return f"formats {how}: " + ", ".join(f"{name} ({count})" for name, count in sorted(counted.items()))


def _check_kinds(files: Files) -> None:
    _, first = files[0]
    for _, entries in files:
        if type(entries[0].value) is not type(first[0].value):
            what = f"a {entries[0].value.kind} tree beside the {first[0].value.kind} trees of {first[0].source.path}"
            raise StudyError(what, entries[0].source, hint="Give files of one kind, or name the format with --format")


def _by_id(files: Files) -> Placed:
    seen: dict[tuple[str, str, str], Entry[Any]] = {}
    for each, entries in files:
        for entry in entries:
            if not entry.id:
                hint = "Give every sentence a '# sent_id', or match by position"
                raise StudyError("this sentence has no id", entry.source, hint=hint)
            other = seen.setdefault((each.coder, each.document, entry.id), entry)
            if other is not entry:
                what = f"id {entry.id!r} stands twice; the first is at {other.source}"
                raise StudyError(what, entry.source, hint="Give every sentence an id of its own")
    # Files of one coder may number their sentences alike: then the document is part of the id.
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


def _item(name: str, each: Input, entry: Entry[Any]) -> Item:
    return Item(id=name, document=entry.document or each.document, cluster=name)


def _study(placed: Placed, coders: tuple[str, ...]) -> Study[Any]:
    items: dict[str, Item] = {}
    cells = {}
    for item, coder, entry in placed:
        known = items.setdefault(item.id, item)
        cells[known.id, coder] = Annotation(known, coder, entry.value, entry.source)
    # Stable: documents in the order of their names' first appearance, items in the first coder's order.
    return Study(tuple(items.values()), coders, cells)


def _uneven(files: Files, strict: bool) -> list[str]:
    notes = []
    longest: dict[str, tuple[Input, int]] = {}
    for each, entries in files:
        if len(entries) > longest.get(each.document, (each, 0))[1]:
            longest[each.document] = (each, len(entries))
    for each, entries in files:
        other, count = longest[each.document]
        if len(entries) == count:
            continue
        what = f"{each.coder} has {len(entries)} sentences where {other.coder} has {count} ({other.path})"
        if strict:
            raise StudyError(what, Source(each.path), hint="Give the sentences ids, or leave out --strict")
        notes.append(f"{each.path}: {what}; matched by position, the last {count - len(entries)} count as missing")
    return notes


def _defects(study: Study[Any], strict: bool) -> list[str]:
    found = [(cell, defect) for cell in study.cells.values() for defect in cell.value.defects()]
    if not found:
        return []
    cell, defect = found[0]
    if strict:
        raise StudyError(f"{defect} (item {cell.item.id!r})", cell.source, hint="Mend the tree, or leave out --strict")
    more = f", the first at {cell.source}: {defect}" if len(found) > 1 else f" ({cell.source}: {defect})"
    count = "1 tree has a cycle" if len(found) == 1 else f"{len(found)} trees have a cycle"
    return [f"{count}{more}; tokens on it or below it are scored but are not in the tree that edit distance sees"]


def _differing_tokens(study: Study[Any], by_id: bool, strict: bool) -> list[str]:
    numbers, forms, strangers = [], [], []
    shared = 0
    for _, cells in study:
        shared += len(cells) > 1
        pair = _first_difference(cells)
        if pair is None:
            continue
        ours, theirs = pair
        if strict or (by_id and _different_sentences(ours.value.tokens, theirs.value.tokens)):
            raise _mismatch(ours, theirs, strict)
        if _different_sentences(ours.value.tokens, theirs.value.tokens):
            strangers.append(pair)
        elif len(ours.value.tokens) != len(theirs.value.tokens):
            numbers.append(pair)
        else:
            forms.append(pair)
    if len(strangers) * 2 > shared:
        raise _mismatch(*strangers[0], strict)
    return [
        *_note(numbers, "tokens that differ in number"),
        *_note(forms, "tokens that differ in form but not in number, and are compared one by one"),
        *_note(strangers, "different sentences in one position: did a coder skip a sentence?"),
    ]


def _first_difference(cells: list[Annotation[Any]]) -> tuple[Annotation[Any], Annotation[Any]] | None:
    for other in cells[1:]:
        if other.value.tokens != cells[0].value.tokens:
            return cells[0], other
    return None


def _mismatch(ours: Annotation[Any], theirs: Annotation[Any], strict: bool) -> StudyError:
    ends = [_quoted(cell.value.tokens) for cell in (theirs, ours)]
    what = (
        f"{theirs.coder} has {ends[0]} for item {ours.item.id!r}, {ours.coder} has {ends[1]} ({ours.source})"
    )
    mild = strict and not _different_sentences(ours.value.tokens, theirs.value.tokens)
    hint = "Align the tokens, or leave out --strict to skip the item" if mild else "Give one sentence one id"
    return StudyError(what, theirs.source, hint=hint)


def _quoted(tokens: tuple[str, ...]) -> str:
    shown = " ".join(tokens[:6]) + (" …" if len(tokens) > 6 else "")
    return f"{len(tokens)} tokens ({shown!r})"


def _note(pairs: list[tuple[Annotation[Any], Annotation[Any]]], what: str) -> list[str]:
    if not pairs:
        return []
    ours, theirs = pairs[0]
    items = "1 item has" if len(pairs) == 1 else f"{len(pairs)} items have"
    first = "" if len(pairs) == 1 else "the first: "
    return [f"{items} {what} ({first}{ours.item.id!r}, {ours.source} and {theirs.source})"]


def _different_sentences(ours: tuple[str, ...], theirs: tuple[str, ...]) -> bool:
    """Tell a different sentence from the same one cut into other tokens.

    Example:
        >>> _different_sentences(("I", "don't"), ("I", "do", "n't"))
        False
        >>> _different_sentences(("Rain", "fell", "."), ("Nobody", "came", "home", "."))
        True
    """
    if not ours or not theirs:
        return False
    return _overlap(Counter(ours), Counter(theirs)) < SAME_SENTENCE and (
        _overlap(_letter_pairs(ours), _letter_pairs(theirs)) < SAME_SENTENCE
    )


def _letter_pairs(tokens: tuple[str, ...]) -> Counter[str]:
    text = "".join(tokens)
    return Counter(text[k : k + 2] for k in range(len(text) - 1)) or Counter([text])


def _overlap(ours: Counter[str], theirs: Counter[str]) -> float:
    return 2 * (ours & theirs).total() / (ours.total() + theirs.total())


def _check_common(study: Study[Any]) -> None:
    if len(study.coders) < 2 or any(len(cells) > 1 for _, cells in study):
        return
    (ours, theirs) = (next(cell for cell in study.cells.values() if cell.coder == c) for c in study.coders[:2])
    what = (
        f"no item is shared by two coders: {ours.coder} has ids such as {ours.item.id!r}, "
        f"{theirs.coder} such as {theirs.item.id!r}"
    )
    raise StudyError(what, theirs.source, hint="Use the same ids in all files, or give --match position")


def read_one(path: str, *, format: str | None = None, encoding: str = "utf-8") -> tuple[str, list[Entry[Any]]]:
    """Return the name of the format of one file and its annotations."""
    content: Content = load(path, encoding=encoding)
    name = format or detect([content])[0]
    if name is None:
        raise unknown_format(content)
    return name, list(registry.get("formats", name).read(content))

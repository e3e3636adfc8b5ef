"""Match the sentences of all annotators: by id, by position or by text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from unicodedata import is_normalized, normalize

from arbitree.errors import Source, StudyError, Urgent
from arbitree.reading.alignment import Sentence, Tokens, align, different_sentences, text_of
from arbitree.reading.content import Entry
from arbitree.reading.inputs import Input
from arbitree.reading.unicode_forms import names_in_one_form
from arbitree.study.study import Item

MATCHES = ("auto", "id", "position", "text")
NAMED = 5  # sentences without a partner that a warning names
SURE = 4  # words of a text that is matched across documents on its own

Files = list[tuple[Input, list[Entry[Any]]]]
Placed = list[tuple[Item, str, Entry[Any]]]


@dataclass(frozen=True, slots=True)
class Matching:
    """The item of every annotation, and how they were matched."""

    placed: Placed
    method: str  # id, position or text
    status: str  # what to print about the method
    notes: tuple[str, ...] = ()  # warnings


def match_sentences(files: Files, match: str, *, strict: bool) -> Matching:
    """Return the items of all annotations.

    Args:
        files: the annotations of every file.
        match: one of MATCHES; ``auto`` matches by id if every sentence has one. Otherwise it matches by
            position, except documents in which more sentences match by text.
        strict: whether ``auto`` matches by position even then; the differences are errors.
    """
    files = _documents_in_one_form([(each, list(map(_composed, entries))) for each, entries in files])
    named = all(entry.id for _, entries in files for entry in entries)
    if match == "id" or (match == "auto" and named):
        unit = next(entry.value.unit for _, entries in files for entry in entries).capitalize()
        return Matching(_by_id(files), "id", f"{unit}s matched by id")
    if match == "text":
        return _by_text(files)
    if match == "auto" and not strict and (shifted := _shifted(files)):
        return _mended(files, shifted)
    return Matching(_by_position(files), "position", "Sentences matched by position")


def _composed(entry: Entry[Any]) -> Entry[Any]:
    """Return *entry* with an id whose letters are composed (NFC), so that both Unicode forms are equal."""
    if entry.id is None or is_normalized("NFC", entry.id):
        return entry
    return replace(entry, id=normalize("NFC", entry.id))


def _documents_in_one_form(files: Files) -> Files:
    """Return *files* with one name for each document, if names differ only in the form of letters."""
    names = {each.document for each, _ in files} | {
        entry.document for _, entries in files for entry in entries if entry.document
    }
    composed = names_in_one_form(names)
    if not composed:
        return files
    return [
        (
            replace(each, document=composed.get(each.document, each.document)),
            [
                replace(entry, document=entry.document and composed.get(entry.document, entry.document))
                for entry in entries
            ],
        )
        for each, entries in files
    ]


def _by_id(files: Files) -> Placed:
    """Return the items named by their ids; if an annotator repeats ids, by file or document and id."""
    lines = [(each, entry) for each, entries in files for entry in entries]
    lacking = next((entry for _, entry in lines if not entry.id), None)
    if lacking is not None:
        hint = "Add a '# sent_id' to every sentence, or set --match text"
        raise StudyError("the sentence has no id", lacking.source, hint=hint)
    ways: tuple[Callable[[Input, Entry[Any]], str], ...] = (
        lambda each, entry: str(entry.id),
        lambda each, entry: f"{each.document}/{entry.id}",
        lambda each, entry: f"{entry.document or each.document}/{entry.id}",
    )
    for way in ways:
        names = [way(each, entry) for each, entry in lines]
        twins = _twins(names, lines)
        if twins is None:
            return [
                (_item(name, each, entry), each.coder, entry)
                for name, (each, entry) in zip(names, lines, strict=True)
            ]
        first, second = twins
    what = f"duplicate id {second.id!r}; it first appears at {first.source}"
    hint = "Use a different id for each sentence, or set --match text"
    raise StudyError(what, second.source, hint=hint)


def _twins(names: list[str], lines: list[tuple[Input, Entry[Any]]]) -> tuple[Entry[Any], Entry[Any]] | None:
    """Return the first two sentences of one annotator with the same name, if any."""
    seen: dict[tuple[str, str], Entry[Any]] = {}
    for name, (each, entry) in zip(names, lines, strict=True):
        first = seen.setdefault((each.coder, name), entry)
        if first is not entry:
            return first, entry
    return None


def _by_position(files: Files) -> Placed:
    return [
        (_item(f"{each.document}/{number}", each, entry), each.coder, entry)
        for each, entries in files
        for number, entry in enumerate(entries, start=1)
    ]


def _item(name: str, each: Input, entry: Entry[Any]) -> Item:
    document = entry.document or each.document
    cluster = name if entry.cluster is None else f"{document}/{entry.cluster}"
    return Item(id=name, document=document, cluster=cluster)


@dataclass(slots=True)
class _Line:
    """One sentence of one annotator, with its number in the file."""

    file: Input
    number: int
    entry: Entry[Any]

    @property
    def sentence(self) -> Sentence:
        return Sentence(self.entry.value.tokens, self.entry.id)


@dataclass(slots=True)
class _Slot:
    """The matched sentences of several annotators; the first decides its name."""

    first: _Line
    lines: dict[str, _Line] = field(default_factory=dict)


def _by_text(files: Files) -> Matching:
    if not any(text_of(entry.value.tokens) for _, entries in files for entry in entries):
        what = f"the {files[0][1][0].value.plural} contain no words to match sentences by"
        raise StudyError(what, Source(files[0][0].path), hint="Set --match position, or add ids")
    found = _aligned(files)
    status = f"Sentences matched by text: {found.ways}"
    notes = (f"sentences without a partner: {found.alone}",) if found.alone else ()
    return Matching(_placed(found.slots, ids=True), "text", status, notes)


def _mended(files: Files, shifted: dict[str, _Aligned]) -> Matching:
    """Match by position, except the documents *shifted*, which are aligned by text."""
    placed: Placed = []
    found = _Aligned()
    documents = _by_document(files)
    for document, own in documents.items():
        if document in shifted:
            placed += _placed(shifted[document].slots, ids=False)
            found.add(shifted[document])
        else:
            placed += _by_position(own)
    whole = len(shifted) == len(documents)
    where = "" if whole else f" in {_listed(list(shifted))}"
    note = (
        f"the files do not contain the same sentences in the same order{where}, so these were matched by "
        f"text: {found.ways}; without a partner: {found.alone or 'none'}. "
        "Set --match position to keep the order"
    )
    status = f"Sentences matched by {'text' if whole else 'position, and by text' + where}: {found.ways}"
    return Matching(placed, "text", status, (Urgent(note),))


@dataclass(slots=True)
class _Aligned:
    """The slots of every document in order, and how often id, text and position matched a sentence."""

    documents: dict[str, list[_Slot]] = field(default_factory=dict)
    counts: Counter[tuple[str, str]] = field(default_factory=Counter)  # of the coder and the way

    def add(self, other: _Aligned) -> None:
        """Add the documents of *other*."""
        self.documents |= other.documents
        self.counts += other.counts

    @property
    def slots(self) -> list[_Slot]:
        """The slots of all documents."""
        return [slot for own in self.documents.values() for slot in own]

    def pairs(self) -> Iterator[tuple[Tokens, Tokens]]:
        """Yield each matched sentence with that of the first annotator who has it."""
        for slot in self.slots:
            ours, *others = (line.entry.value.tokens for line in slot.lines.values())
            yield from ((ours, theirs) for theirs in others)

    @property
    def ways(self) -> str:
        """How many sentences of each annotator were matched in each way with those of annotators before."""
        found = {}
        for coder in dict.fromkeys(coder for coder, _ in self.counts):
            counts = {by: self.counts[coder, by] for by in ("id", "text", "position")}
            found[coder] = ", ".join(f"{count:,} by {by}" for by, count in counts.items() if count)
        if len(found) <= 1:
            return "".join(found.values()) or "none"
        return "; ".join(f"{coder} {ways}" for coder, ways in found.items())

    @property
    def alone(self) -> str:
        """How many sentences of each annotator no other one has, and the first of them."""
        found: dict[str, list[str]] = {coder: [] for slot in self.slots for coder in slot.lines}
        for slot in self.slots:
            if len(slot.lines) == 1:
                found[slot.first.file.coder].append(str(slot.first.entry.source))
        return "; ".join(
            f"{coder} {len(places):,} ({_listed(places)})" for coder, places in found.items() if places
        )


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - NAMED:,} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more


def _placed(slots: Iterable[_Slot], *, ids: bool) -> Placed:
    """Return the annotations in the order of *slots*; an item has the id or number of its first sentence."""
    placed: Placed = []
    taken: set[str] = set()
    for slot in slots:
        line = slot.first
        name = f"{line.file.document}/{(line.entry.id if ids else None) or line.number}"
        while name in taken:
            name += "+"
        taken.add(name)
        item = _item(name, line.file, line.entry)
        placed += [(item, coder, own.entry) for coder, own in slot.lines.items()]
    return placed


def _aligned(files: Files) -> _Aligned:
    """Align the sentences of every annotator with those of the annotators before."""
    found = _Aligned()
    for coder in dict.fromkeys(each.coder for each, _ in files):
        lines = {
            each.document: [_Line(each, number, entry) for number, entry in enumerate(entries, start=1)]
            for each, entries in files
            if each.coder == coder
        }
        for document, own in lines.items():
            ways = _fill(found.documents.get(document, []), own, coder)
            found.counts.update((coder, by) for by in ways)
        if found.documents and set(found.documents) != set(lines):
            found.counts.update((coder, by) for by in _across(found.documents, lines, coder))
        filled = {id(slot.lines[coder]): slot for slot in found.slots if coder in slot.lines}
        for document, own in lines.items():
            found.documents[document] = _merged(found.documents.get(document, []), own, coder, filled)
    return found


def _fill(slots: Sequence[_Slot], lines: Sequence[_Line], coder: str) -> list[str]:
    """Put the lines of one annotator into the slots that they match; return what matched each."""
    found = align([slot.first.sentence for slot in slots], [line.sentence for line in lines])
    for match in found:
        slots[match.ours].lines[coder] = lines[match.theirs]
    return [match.by for match in found]


def _across(documents: dict[str, list[_Slot]], lines: dict[str, list[_Line]], coder: str) -> list[str]:
    """Match what is left if a document is missing on one side: files may be divided differently.

    A short text matches only if the sentence before or after it does.
    """
    filled = {id(slot.lines[coder]) for own in documents.values() for slot in own if coder in slot.lines}
    slots = [slot for own in documents.values() for slot in own if coder not in slot.lines]
    left = [line for own in lines.values() for line in own if id(line) not in filled]
    found = align([slot.first.sentence for slot in slots], [line.sentence for line in left])
    pairs = {(match.ours, match.theirs) for match in found}
    ways = []
    for i, j, by in found:
        elsewhere = slots[i].first.file.document not in lines or left[j].file.document not in documents
        beside = (i - 1, j - 1) in pairs or (i + 1, j + 1) in pairs
        if elsewhere and (beside or len(left[j].entry.value.tokens) >= SURE):
            slots[i].lines[coder] = left[j]
            ways.append(by)
    return ways


def _merged(slots: list[_Slot], lines: Sequence[_Line], coder: str, filled: dict[int, _Slot]) -> list[_Slot]:
    """Return *slots* with new ones for the *lines* without a slot, each before that of the next line."""
    merged: dict[int, list[_Slot]] = {id(slot): [slot] for slot in slots} | {0: []}
    following = 0
    for line in reversed(lines):
        if id(line) not in filled:
            merged[following].insert(0, _Slot(line, {coder: line}))
        elif id(filled[id(line)]) in merged:
            following = id(filled[id(line)])
    return [slot for own in merged.values() for slot in own]


def _by_document(files: Files) -> dict[str, Files]:
    found: dict[str, Files] = {}
    for each, entries in files:
        found.setdefault(each.document, []).append((each, entries))
    return found


def _shifted(files: Files) -> dict[str, _Aligned]:
    """Return the documents in which more sentences match by text than by position.

    Without an equal text, half of the sentences must be similar: files of different texts are an error.
    """
    found: dict[str, _Aligned] = {}
    for document, own in _by_document(files).items():
        texts = [[text_of(entry.value.tokens) for entry in entries] for _, entries in own]
        if all(each == texts[0] for each in texts) or not any(map(any, texts)):
            continue
        aligned = _aligned(own)
        shortest = min(len(entries) for _, entries in own)
        by_position = sum(count for (_, by), count in aligned.counts.items() if by == "position")
        alike = aligned.counts.total() > by_position or 2 * aligned.counts.total() >= shortest
        if alike and _points(aligned.pairs()) > _points(_in_position(own)):
            found[document] = aligned
    return found


def _points(pairs: Iterable[tuple[Tokens, Tokens]]) -> int:
    """Return 2 for each pair of equal texts and 1 for each pair of similar texts, in total."""
    return sum(
        2 if text_of(ours) == text_of(theirs) else not different_sentences(ours, theirs)
        for ours, theirs in pairs
    )


def _in_position(files: Files) -> Iterator[tuple[Tokens, Tokens]]:
    """Yield each sentence with that of the first annotator who has one in its position."""
    first: list[Tokens] = []
    for _, entries in files:
        tokens = [entry.value.tokens for entry in entries]
        yield from zip(first, tokens, strict=False)
        first += tokens[len(first) :]

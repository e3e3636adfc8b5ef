"""Compare annotations with those that are read back from the file they were written to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from arbitree.kinds.kind import Kind
from arbitree.reading.content import Entry
from arbitree.study.study import Study
from arbitree.wording import count_of

Losses = Mapping[str, str]  # what a file does not contain, with how much of it


def entry_losses(before: Sequence[Entry[Any]], after: Sequence[Entry[Any]], kind: Kind[Any]) -> Losses:
    """Return what the sentences of a file, *after*, lack or change of those that were written to it."""
    found: dict[str, str] = {}
    if len(before) != len(after):
        full = [entry for entry in before if kind.done(entry.value)]
        empty = len(before) - len(full)
        found[f"{kind.unit}s without an annotation"] = f"{empty:,}"
        if len(full) != len(after) or not empty:
            return {f"{kind.unit}s": f"{len(after):,} instead of {len(before):,}"}
        before = full
    lost: Counter[str] = Counter()
    several = len({entry.coder for entry in before}) > 1
    for number, (ours, theirs) in enumerate(zip(before, after, strict=True), start=1):
        lost["ids"] += _renamed(ours, theirs, number)
        lost["annotators"] += several and ours.coder != theirs.coder
        lost["documents"] += ours.document is not None and ours.document != theirs.document
        if ours.value != theirs.value:
            parts, again = kind.parts_in_files(ours.value), kind.parts_in_files(theirs.value)
            lost.update(name for name, part in parts.items() if part != again.get(name, ()))
            lost.update(f"other {name}" for name, part in again.items() if part and name not in parts)
    return found | {name: count_of(count, kind.unit) for name, count in lost.items() if count}


def _renamed(ours: Entry[Any], theirs: Entry[Any], number: int) -> bool:
    """Return whether a sentence has another id in its file; a position is the id of those without one."""
    position = theirs.id is None and (ours.id or "").rpartition("/")[2] == str(number)
    return ours.id is not None and ours.id != theirs.id and not position


def study_losses(before: Study[Any], after: Study[Any], kind: Kind[Any]) -> Losses:
    """Return what a table, *after*, lacks or changes of the study that was written to it."""
    return {name: amount for name, amount in _study_losses(before, after, kind) if amount}


def _study_losses(before: Study[Any], after: Study[Any], kind: Kind[Any]) -> Iterator[tuple[str, str]]:
    unit = kind.unit
    ours, theirs = ({item.id: item for item in study.items} for study in (before, after))
    both = ours.keys() & theirs.keys()
    given, again = (
        {(item, coder): value for item, coder, value in study.triples()} for study in (before, after)
    )
    labelled = {item for item, _ in given}
    yield f"{unit}s", _number(labelled - both)
    yield f"{unit}s without labels", _number(ours.keys() - both - labelled)
    yield f"other {unit}s", _number(theirs.keys() - both)
    yield "annotators", _number(set(before.coders) - set(after.coders))
    yield "other annotators", _number(set(after.coders) - set(before.coders))
    changed = [key for key, value in given.items() if key[0] in both and again.get(key) != value]
    yield "labels", _number(changed)
    yield "missing labels", _number([key for key in again if key[0] in both and key not in given])
    yield "documents", _counted((name for name in both if ours[name].document != theirs[name].document), unit)
    yield "clusters", _counted((name for name in both if ours[name].cluster != theirs[name].cluster), unit)
    gold = [item for item, value in before.gold.items() if after.gold.get(item) != value]
    yield "gold standard", _counted(gold, unit)
    yield "texts", _counted(_without_text(before, after, both), unit)
    if both == ours.keys() == theirs.keys() and list(ours) != list(theirs):
        yield "order", _counted(ours, unit)


def _without_text(before: Study[Any], after: Study[Any], items: Collection[str]) -> set[str]:
    """Return the items of which a text is lost."""
    return {
        item
        for name, texts in before.texts.columns.items()
        for item, text in texts.items()
        if item in items and after.texts.columns.get(name, {}).get(item) != text
    }


def _number(things: Any) -> str:
    return f"{len(things):,}" if things else ""


def _counted(things: Any, unit: str) -> str:
    count = sum(1 for _ in things)
    return count_of(count, unit) if count else ""

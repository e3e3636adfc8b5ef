"""Divide files that name their annotators, and set aside what is not the work of one annotator."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from arbitree.errors import StudyError
from arbitree.reading.content import Entry
from arbitree.reading.inputs import Input, distinct, stem
from arbitree.reading.matching import Files
from arbitree.study.study import Study
from arbitree.wording import count_of

# Roles of names in a file that are not annotators among others.
GOLD = "gold"  # the gold standard: used where one is asked for
BY_NAME = "by name"  # used only if its name is given: what annotators started from, copies

LISTED = 5  # replaced annotations that a warning lists


def by_annotator(files: Files, roles: Sequence[Mapping[str, str]]) -> Files:
    """Return the annotations of each annotator that the files name.

    If no file names several annotators, every file belongs to the annotator after whom it is called.

    Args:
        files: The annotations of every file.
        roles: For each file, the roles of names that its format knows.
    """
    if not any(_names_several(each, entries) for each, entries in files):
        return files
    several = len(files) > 1
    found: Files = []
    for (each, entries), known in zip(files, roles, strict=True):
        if each.export:
            found.append((each, entries))
            continue
        document = stem(each.path) if several else each.document
        parts: dict[str, list[Entry[Any]]] = {}
        for entry in entries:
            parts.setdefault(entry.coder or each.coder, []).append(entry)
        for coder, own in parts.items():
            role = known.get(coder, "")
            part = replace(each, coder=coder, document=document, role=role, export=each.path)
            found.append((part, own))
    distinct([each for each, _ in found])
    return found


def _names_several(each: Input, entries: Iterable[Entry[Any]]) -> bool:
    """Return whether the annotations of a file, outside of an export, name more than one annotator."""
    return not each.export and len({entry.coder or each.coder for entry in entries}) > 1


def without_earlier(files: Files, *, strict: bool) -> tuple[Files, list[str]]:
    """Return *files* with one annotation per annotator and item, and a warning about the others.

    Only files that name their annotators can contain several. The one with the latest time counts; without
    times, the last one in the file.

    Raises:
        StudyError: If there are others and *strict* is set.
    """
    kept: Files = []
    replaced: list[tuple[str, Entry[Any], Entry[Any]]] = []
    for each, entries in files:
        latest = _latest(entries) if each.export else {}
        kept.append((each, [entry for entry in entries if latest.get(_key(entry), entry) is entry]))
        replaced += [
            (each.coder, entry, latest[_key(entry)])
            for entry in entries
            if latest.get(_key(entry), entry) is not entry
        ]
    if not replaced:
        return kept, []
    coder, earlier, later = replaced[0]
    if strict:
        what = f"{coder} annotated {earlier.id!r} twice, here and at {later.source}"
        raise StudyError(what, earlier.source, hint="Remove one of the annotations, or omit --strict")
    places = ", ".join(f"{coder} at {entry.source}" for coder, entry, _ in replaced[:LISTED])
    more = f" and {len(replaced) - LISTED:,} more" if len(replaced) > LISTED else ""
    counted = count_of(len(replaced), "annotation")
    timed = any(entry.time is not None for _, entry, _ in replaced)
    how = "a later one" if timed else "one that follows in the file"
    verb = "is" if len(replaced) == 1 else "are"
    return kept, [f"{counted} {verb} replaced by {how} of the same annotator: {places}{more}"]


def _key(entry: Entry[Any]) -> tuple[str | None, str | None]:
    return entry.document, entry.id


def _latest(entries: Iterable[Entry[Any]]) -> dict[tuple[str | None, str | None], Entry[Any]]:
    """Return the latest annotation of each item that has an id."""
    found: dict[tuple[str | None, str | None], Entry[Any]] = {}
    for entry in entries:
        other = found.get(_key(entry))
        if entry.id is not None and (other is None or _time(entry) >= _time(other)):
            found[_key(entry)] = entry
    return found


def _time(entry: Entry[Any]) -> float:
    return float("-inf") if entry.time is None else entry.time


def annotator_lines(files: Files) -> list[str]:
    """Return a line that names the annotators found in files, with their numbers of annotations."""
    counts: dict[tuple[str, str], int] = {}
    for each, entries in files:
        if each.export:
            key = (each.role, each.coder)
            counts[key] = counts.get(key, 0) + len(entries)
    if not counts:
        return []
    return [described(counts)]


def described(counts: Mapping[tuple[str, str], int]) -> str:
    """Return a line about annotators.

    Args:
        counts: The number of annotations by role and name.
    Example:
        >>> described({("", "ann"): 12, ("", "bob"): 7, ("gold", "validated"): 3})
        'Annotators: ann (12), bob (7); gold standard: validated (3)'
    """
    titles = {"": "Annotators", GOLD: "gold standard", BY_NAME: "used only by name"}
    parts = []
    for role, title in titles.items():
        own = [f"{name} ({count:,})" for (known, name), count in counts.items() if known == role]
        parts += [f"{title}: {', '.join(own)}"] if own else []
    return "; ".join(parts)


def with_roles(study: Study[Any], files: Files) -> Study[Any]:
    """Return *study* with the roles of its annotators; one without other annotators is an annotator.

    Args:
        study: All annotations.
        files: The files of each annotator, with roles.
    """
    roles = {each.coder: each.role for each, _ in files}
    inputs = {each.coder: each.export for each, _ in files if each.export}
    study = replace(study, inputs=inputs)
    for dropped in ("", GOLD):  # the gold standard is an annotator if there is no other one
        aside = [coder for coder, role in roles.items() if role not in ("", dropped)]
        if len(aside) < len(roles):
            standard = next((coder for coder in aside if roles[coder] == GOLD), None)
            return study.set_aside(aside, standard)
    return study

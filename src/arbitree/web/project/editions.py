"""Versions of the files: describe the changes since an earlier version, and copy its decisions."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from arbitree.adjudication import events, history
from arbitree.study.grid import Grid
from arbitree.study.study import Study

if TYPE_CHECKING:
    from arbitree.web.project.project import Project
    from arbitree.web.store import Person

NAMED = 3  # items that a sentence on changes names


@dataclass(frozen=True, slots=True)
class Contents:
    """The contents of a study: a digest of each annotation, by item; "" for a missing annotation."""

    coders: tuple[str, ...]
    cells: dict[str, tuple[str, ...]]

    @property
    def fingerprint(self) -> str:
        """The digest that identifies a version of the files."""
        return fingerprint_of(self.text)

    @property
    def text(self) -> str:
        """The contents as they are stored."""
        return json.dumps({"coders": self.coders, "cells": self.cells}, separators=(",", ":"))

    @classmethod
    def of_text(cls, text: str) -> Contents:
        """Return the contents from their stored text."""
        document = json.loads(text)
        return cls(tuple(document["coders"]), {item: tuple(row) for item, row in document["cells"].items()})


def fingerprint_of(text: str) -> str:
    """Return the digest that identifies the version of the files with these contents."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def contents_of(study: Study[Any]) -> Contents:
    """Return the digests of *study*.

    Example:
        >>> from arbitree.api.read import read
        >>> ann = contents_of(read("examples/dependency/ann.conllu", "examples/dependency/bob.conllu"))
        >>> bob = contents_of(read("examples/dependency/bob.conllu", "examples/dependency/ann.conllu"))
        >>> ann.fingerprint == bob.fingerprint
        False
    """
    if isinstance(study.cells, Grid):
        shown = [_digest(value) for value in study.cells.distinct]
        rows = study.cells.codes.tolist()
        cells = {
            item.id: tuple(shown[code] if code >= 0 else "" for code in row)
            for item, row in zip(study.items, rows, strict=True)
        }
        return Contents(study.coders, cells)
    found: dict[str, tuple[str, ...]] = {}
    for item in study.items:
        row = (study.cells.get((item.id, coder)) for coder in study.coders)
        found[item.id] = tuple(_digest(cell.value) if cell else "" for cell in row)
    return Contents(study.coders, found)


def changes_between(old: Contents, new: Contents) -> list[str]:
    """Return the changes between two versions, one sentence per annotator and kind of change.

    Example:
        >>> old = Contents(("ann", "bob"), {"s1": ("x", "y"), "s2": ("x", "y")})
        >>> changes_between(old, Contents(("ann", "bob"), {"s1": ("x", "z"), "s3": ("x", "")}))
        ['bob: 1 item changed (s1).', '1 item is new (s3).', '1 item was removed (s2).']
    """
    lines = [f"Annotator {coder} is new." for coder in new.coders if coder not in old.coders]
    lines += [f"Annotator {coder} was removed." for coder in old.coders if coder not in new.coders]
    both = [item for item in new.cells if item in old.cells]
    for coder in new.coders:
        if coder in old.coders:
            here, there = new.coders.index(coder), old.coders.index(coder)
            changed = [item for item in both if new.cells[item][here] != old.cells[item][there]]
            lines += _line(f"{coder}: ", changed, "changed", "changed")
    lines += _line("", [item for item in new.cells if item not in old.cells], "is new", "are new")
    lines += _line("", [item for item in old.cells if item not in new.cells], "was removed", "were removed")
    return lines or ["The order of the annotators has changed."]


def unchanged(old: Contents, new: Contents) -> list[str]:
    """Return the items whose annotations are unchanged."""
    if set(old.coders) != set(new.coders):
        return []
    order = [old.coders.index(coder) for coder in new.coders]
    return [
        item
        for item, row in new.cells.items()
        if item in old.cells and row == tuple(old.cells[item][place] for place in order)
    ]


def _line(before: str, items: Sequence[str], one: str, many: str) -> Iterable[str]:
    if not items:
        return
    named = ", ".join(items[:NAMED]) + (" ..." if len(items) > NAMED else "")
    count = f"1 item {one}" if len(items) == 1 else f"{len(items):,} items {many}"
    yield f"{before}{count} ({named})."


def _digest(value: Any) -> str:
    return blake2b(repr(value).encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()


def waiting(project: Project) -> dict[str, events.State]:
    """Return the earlier decisions on unchanged items that have no entries now."""
    if project.before is None:
        return {}
    written = project.store.lengths(project.edition.id, history.ITEM)
    subjects = [each for item in project.kept if (each := f"{history.ITEM}{item}") not in written]
    states = {each[0].subject: events.fold(each) for each in project.store.logs(project.before.id, subjects)}
    return {
        subject.removeprefix(history.ITEM): state
        for subject in subjects
        if (state := states.get(subject)) and (state.decisions or state.rejected is not None)
    }


def carry(project: Project, person: Person) -> int:
    """Copy the earlier decisions; return the number of items."""
    return sum(_carry_item(project, person, item, state) for item, state in waiting(project).items())


def _carry_item(project: Project, person: Person, item: str, state: events.State) -> bool:
    assert project.before is not None
    number = project.numbers[item]
    request = f"carry {project.before.id} {project.edition.id} {number}"
    wish = history.Wish(person.id, person.name, 0, request)
    try:
        project.write(number, wish, events.Carry(state, project.before.id))
    except history.Conflict:
        return False
    return True

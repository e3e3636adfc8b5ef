"""Treebanking decisions as labels: accepted or rejected, and the set of discriminants that hold."""

from __future__ import annotations

from typing import Any

from arbitree.data.decisions import ACCEPTED, REJECTED, Decisions
from arbitree.data.labels import Label, Tags
from arbitree.data.study import Annotation, Study


def outcomes(profiles: Study[Decisions]) -> Study[Label]:
    """Return who accepted and who rejected what; a sentence that was not decided has no label."""
    found: dict[tuple[str, str], Any] = {
        key: Annotation(cell.item, cell.coder, Label(cell.value.status), cell.source)
        for key, cell in profiles.cells.items()
        if cell.value.status in (ACCEPTED, REJECTED)
    }
    return _with(profiles, found)


def yes_sets(profiles: Study[Decisions]) -> Study[Tags]:
    """Return the discriminants set to yes, of sentences that all who decided them accepted."""
    rejected = {item for (item, _), cell in profiles.cells.items() if cell.value.status == REJECTED}
    found: dict[tuple[str, str], Any] = {}
    for key, cell in profiles.cells.items():
        if cell.value.status == ACCEPTED and key[0] not in rejected:
            names = [f"{o.type} {o.key} {o.start}-{o.end}" for o in cell.value.decided if o.yes]
            if names:
                found[key] = Annotation(cell.item, cell.coder, Tags.of(names), cell.source)
    return _with(profiles, found)


def _with(profiles: Study[Decisions], cells: dict[tuple[str, str], Any]) -> Study[Any]:
    items = {item for item, _ in cells}
    kept = tuple(item for item in profiles.items if item.id in items)
    return Study(kept, profiles.coders, cells, profiles.reference, profiles.notes)

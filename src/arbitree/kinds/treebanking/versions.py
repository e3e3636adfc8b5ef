"""An older version of a treebank beside the present one: which sentences changed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from arbitree.kinds.treebanking.value import Decisions
from arbitree.study.study import Study

ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class Change:
    """A sentence of one annotator whose status or chosen parse is not what it was."""

    item: str
    suite: str
    coder: str
    before: str
    after: str
    chosen_before: str
    chosen_after: str


@dataclass(frozen=True, slots=True)
class Versions:
    """What became of the sentences of an older version."""

    changes: tuple[Change, ...]
    unchanged: int
    counts: dict[tuple[str, str], int]  # (before, after): how many, those that kept their status included


def changes_of(old: Study[Decisions], new: Study[Decisions]) -> Versions:
    """Compare two versions of the profiles of the same annotators."""
    changes, unchanged = [], 0
    counts: Counter[tuple[str, str]] = Counter()
    items = {item.id: item for item in (*new.items, *old.items)}
    for coder in new.coders:
        for name, item in items.items():
            before, after = (study.cells.get((name, coder)) for study in (old, new))
            if before is None and after is None:
                continue
            was, now = (cell.value.status if cell else ABSENT for cell in (before, after))
            had, has = ("/".join(map(str, cell.value.chosen)) if cell else "" for cell in (before, after))
            counts[was, now] += 1
            if (was, had) == (now, has):
                unchanged += 1
            else:
                changes.append(Change(name, item.document, coder, was, now, had, has))
    return Versions(tuple(changes), unchanged, dict(counts))

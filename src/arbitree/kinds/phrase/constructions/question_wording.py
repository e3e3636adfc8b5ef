"""Questions about phrase structure in words."""

from __future__ import annotations

from arbitree.constructions.findings import Change, Nucleus
from arbitree.constructions.questions import Wording
from arbitree.wording import listed

CHANGES = {
    "extent": "{} longer or shorter",
    "category": "{}",
    "phrase": "with or without {}",
    "tags": "{}",
    "empty": "with or without {}",
    "pos": "{}",
}


def sides(nucleus: Nucleus) -> list[tuple[str, ...]]:
    """Return the labels that each fragment has, without function tags that do not distinguish them.

    Example:
        >>> from arbitree.constructions.findings import Occurrence
        >>> here = tuple(Occurrence("s1", (0, 1), coder, k) for k, coder in enumerate(("ann", "bob")))
        >>> tags, phrase = ("NP-CLR", "NP-CLR-TMP"), ("NP-SBJ", None)
        >>> changes = (Change("tags", (0, 1), tags), Change("phrase", (0,), phrase))
        >>> sides(Nucleus(("a", "day"), here, (1, 1), changes=changes))
        [('NP', 'NP'), ('NP-TMP', 'no NP')]
    """
    extents = {label for kind, labels in nucleus.asked if kind == "extent" for label in labels}
    columns: list[tuple[str, ...]] = []
    moved: dict[str, Change] = {}  # the larger of the places where a phrase can end
    for change in nucleus.changes:
        labels = _own(change)
        names = {label for label in labels if label}
        if change.kind == "phrase" and len(names) == 1 and names <= extents:
            (name,) = names
            moved[name] = max(moved.get(name, change), change, key=lambda one: len(one.positions))
        else:
            missing = f"no {listed(sorted(names), 'or')}"
            columns.append(tuple(label or missing for label in labels))
    for name, change in moved.items():
        columns.append(tuple(f"{'longer' if label else 'shorter'} {name}" for label in change.labels))
    return list(zip(*sorted(columns, key=sorted), strict=True))


def _own(change: Change) -> tuple[str, ...]:
    labels = [label or "" for label in change.labels]
    if change.kind in ("category", "phrase"):
        return tuple(label.split("-")[0] for label in labels)
    if change.kind != "tags":
        return tuple(labels)
    split = [label.split("-") for label in labels]
    shared = set.intersection(*(set(parts[1:]) for parts in split))
    return tuple("-".join([parts[0], *(tag for tag in parts[1:] if tag not in shared)]) for parts in split)


WORDING = Wording(CHANGES, sides)

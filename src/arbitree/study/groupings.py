"""Groupings of items: every item belongs to one class."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # the help of commands lists the names, and has no time to load numpy
    from arbitree.study.study import Study

LENGTHS = (5, 10, 20, 40)  # upper bounds of the length classes, in tokens


def length_classes(study: Study[Any]) -> dict[str, str]:
    """Return the length class of the first annotation of every item, short classes first."""
    lengths = {item.id: len(cells[0].value) for item, cells in study if cells}
    bounds = (0, *LENGTHS)
    names = [f"{low + 1}-{high}" for low, high in zip(bounds, LENGTHS, strict=False)] + [
        f"{LENGTHS[-1] + 1}+"
    ]
    places = {key: bisect_left(LENGTHS, length) for key, length in lengths.items()}
    return {key: names[place] for key, place in sorted(places.items(), key=lambda entry: entry[1])}


# For annotations of every kind; a kind has more of its own (``Kind.breakdowns``).
GROUPINGS: dict[str, Callable[[Study[Any]], Mapping[str, str]]] = {
    "document": lambda study: {item.id: item.document for item in study.items},
}

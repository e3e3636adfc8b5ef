"""Values that an annotator model suggests for contested places."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from arbitree.adjudication.differences import Contested
from arbitree.adjudication.places import Key

V = TypeVar("V")


def suggest(
    consensus: Mapping[str, Sequence[V]],
    places: Iterable[Contested],
    value_at: Callable[[V, Key], str | None],
) -> dict[str, dict[Key, str]]:
    """Return the suggested values by item and by the key of the place.

    Args:
        consensus: for each item the most probable annotations, several where they are equally probable.
        places: on which coders differ.
        value_at: returns the value of an annotation at a place, written as the coders' values are.
    """
    found: dict[str, dict[Key, str]] = {}
    for place in places:
        key = f"{place.place} {place.what}" if place.place else place.what
        said = {value_at(value, key) for value in consensus.get(place.item, ())}
        suggested = said.pop() if len(said) == 1 else None  # as probable as another is not a suggestion
        if suggested is not None:
            found.setdefault(place.item, {})[key] = suggested
    return found

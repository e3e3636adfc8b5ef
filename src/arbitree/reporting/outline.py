"""What page and workbook both tell of results: names, what was left out, the hardest items, their text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from arbitree.kinds.kind import Kind
from arbitree.study.result import Ignored, Result
from arbitree.study.study import Study

HARDEST = 20  # items that a page shows

TITLES = {
    "coder": "By coder",
    "pair": "By pair of coders",
    "document": "By document",
    "length": "By sentence length",
    "label": "By label, each against all others",
}


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Items that the same measures left out for the same reason."""

    reason: str
    measures: tuple[str, ...]
    entries: tuple[Ignored, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """Where an item was read first, and its words."""

    source: str
    text: str


def names_of(results: Sequence[Result]) -> list[str]:
    """Return a name for every result; a measure that was asked for twice is told apart by its options."""
    count = Counter(result.measure for result in results)
    names = [
        result.measure if count[result.measure] == 1 else _with_options(result, results) for result in results
    ]
    numbered = enumerate(names, start=1)
    return [name if names.count(name) == 1 else f"{name} ({number})" for number, name in numbered]


def title_of(kind: str) -> str:
    """Return the heading of a breakdown.

    Example:
        >>> title_of("pair"), title_of("deprel")
        ('By pair of coders', 'By deprel')
    """
    return TITLES.get(kind, f"By {kind}")


def left_out(results: Sequence[Result]) -> list[LeftOut]:
    """Return what was left out, by reason and by the measures that left it out."""
    measures: dict[Ignored, dict[str, None]] = {}
    for name, result in zip(names_of(results), results, strict=True):
        for each in result.ignored:
            measures.setdefault(each, {})[name] = None
    groups: dict[tuple[str, tuple[str, ...]], list[Ignored]] = {}
    for each, names in measures.items():
        groups.setdefault((each.reason, tuple(names)), []).append(each)
    return [LeftOut(reason, names, tuple(entries)) for (reason, names), entries in groups.items()]


def hardest(result: Result, most: int = HARDEST) -> list[tuple[str, float]]:
    """Return the items on which coders differ, those that differ most first, with their values."""
    values = list(values_of(result).items())
    if result.per_item_shows == "disagreement":
        return sorted((each for each in values if each[1] > 0), key=lambda each: -each[1])[:most]
    return sorted((each for each in values if each[1] < 1), key=lambda each: each[1])[:most]


def values_of(result: Result) -> dict[str, float]:
    """Return the values of single items that have one."""
    rows = result.per_item.records() if result.per_item is not None else []
    return {row["item"]: row["value"] for row in rows if row["value"] is not None}


def places(kind: Kind[Any], study: Study[Any]) -> dict[str, Place]:
    """Return for every annotated item the source of its first annotation, and its words or labels."""
    return {item.id: Place(str(cells[0].source or ""), kind.text(cells)) for item, cells in study if cells}


def encodable(text: str) -> str:
    r"""Return *text* with what UTF-8 cannot hold, such as bytes in names of files, as escapes.

    Example:
        >>> encodable("caf\udce9.conllu")
        'caf\\udce9.conllu'
    """
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _with_options(result: Result, results: Sequence[Result]) -> str:
    """Return the name with those options in which *results* of the same measure differ."""
    options = result.details.get("options", {})
    others = [other.details.get("options", {}) for other in results if other.measure == result.measure]
    differing = [key for key in options if any(other.get(key) != options[key] for other in others)]
    shown = ",".join(f"{key}={options[key]}" for key in differing)
    return f"{result.measure}:{shown}" if shown else result.measure

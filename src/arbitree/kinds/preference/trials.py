"""Blind trials: two parses of a sentence, one above the other, without the names of the systems.

All orders and sides follow from hashes of the seed, the round, the judge and the item. A judge who returns
sees the same trials, under any version of Python and of its random number generator.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from arbitree.errors import StudyError, UnsupportedStudy
from arbitree.kinds.kind import Kind
from arbitree.kinds.preference.judgment_words import EQUAL, MISSING_WORDS
from arbitree.study.comparable import annotated
from arbitree.study.study import Study

DISTANCE = 10  # other sentences between an item and its repeat, where there are so many
MOST_REPEATS = 0.5  # of the items: only those of the first half can come again at a distance


@dataclass(frozen=True, slots=True)
class Round:
    """The settings of a judging round, in which judges compare the parses of two systems.

    Args:
        systems: two annotators of the study.
        sentences: the number of sentences to judge; None for all on which the two differ.
        repeats: the share of sentences that are repeated, with sides swapped, to measure consistency.
        equal: whether "as good as each other" is an answer.
        bad: whether "both are bad" is an answer.
        reference: the annotator whose parse is shown for comparison; "" shows none.
        seed: the random seed for the choice of sentences, their order and the sides.

    Example:
        >>> Round(("malt", "mst"), bad=False).choices
        ('upper', 'lower', 'equal')
    """

    systems: tuple[str, str]
    sentences: int | None = None
    repeats: float = 0.1
    equal: bool = True
    bad: bool = True
    reference: str = ""
    seed: int = 0

    def __post_init__(self) -> None:
        _check_names(*self.systems)
        if self.sentences is not None and self.sentences < 1:
            raise StudyError("a judging round needs at least 1 sentence", hint="Use 1 or more sentences")
        if not 0 <= self.repeats <= MOST_REPEATS:
            hint = f"Use a share from 0 to {MOST_REPEATS}"
            raise StudyError(f"the share of repeated sentences cannot be {self.repeats:g}", hint=hint)
        if self.reference in self.systems:
            what = f"{self.reference!r} is one of the two systems, so it cannot be the reference"
            raise StudyError(what, hint="Choose another annotator, or show no reference")

    @property
    def choices(self) -> tuple[str, ...]:
        """The allowed answers."""
        return ("upper", "lower", *(["equal"] if self.equal else []), *(["bad"] if self.bad else []))

    def to_dict(self) -> dict[str, Any]:
        """Return the settings for JSON."""
        return asdict(self) | {"systems": list(self.systems)}

    @classmethod
    def from_dict(cls, found: Mapping[str, Any]) -> Round:
        """Return the settings from the result of ``to_dict``; other keys are ignored."""
        known = {name: found[name] for name in cls.__slots__ if name in found}
        return cls(**known | {"systems": tuple(found["systems"])})


class Trial(NamedTuple):
    """Two parses of an item: the upper and lower system; a repeat refers to the first trial of the item."""

    position: int  # from 1
    item: str
    upper: str
    lower: str
    repeat_of: int | None = None


class Candidates(NamedTuple):
    """The items that can be judged, and the number of excluded items by reason."""

    items: tuple[str, ...]
    left_out: Mapping[str, int]


def candidates(study: Study[Any], kind: Kind[Any], settings: Round) -> Candidates:
    """Return the items for which the two systems have different parses over the same words.

    Parses that differ only in punctuation count as the same, as in the comparison of metrics and judgments.

    Raises:
        UnsupportedStudy: if the annotations cannot be drawn.
        StudyError: if the study has no such coder.
    """
    shown = [*settings.systems, *filter(None, [settings.reference])]
    study.select(items=(), coders=shown)  # raises if one of them is not there
    if kind.pictures is None:
        what = f"{study.kind} annotations cannot be judged"
        raise UnsupportedStudy(what, hint="Use dependency trees or phrase-structure trees")
    items, reasons = [], Counter[str]()
    for item in study.items:
        cells = (study.cells.get((item.id, coder)) for coder in shown)
        trees = [cell.value for cell in annotated(filter(None, cells))]
        if len(trees) < len(shown):
            reasons["not all have it"] += 1
        elif len({tree.tokens for tree in trees}) > 1:
            reasons["other words"] += 1
        elif kind.alike(trees[0], trees[1]):
            reasons["same parse"] += 1
        else:
            items.append(item.id)
    return Candidates(tuple(items), dict(reasons))


def chosen(settings: Round, items: Sequence[str]) -> list[str]:
    """Return the random selection of *items* for the round, in their original order."""
    if settings.sentences is None or settings.sentences >= len(items):
        return list(items)
    drawn = set(sorted(items, key=lambda item: _draw(settings.seed, "sample", item))[: settings.sentences])
    return [item for item in items if item in drawn]


def trials_of(settings: Round, items: Sequence[str], *, number: int, judge: int) -> list[Trial]:
    """Return the trials of one judge, in order; the same arguments always give the same trials.

    Args:
        settings: the settings of the round.
        items: the items of the round, in any order.
        number: the number of the round.
        judge: the unique number of the judge.
    Returns:
        Every item once, with each system above equally often, and the repeats, each with sides swapped and
        at least ``DISTANCE`` other items after the first trial (or half the items, if that is less).
    Example:
        >>> trials_of(Round(("malt", "mst"), repeats=0.5), ["s1", "s2"], number=1, judge=1)[2].repeat_of
        1
    """

    def draw(what: str, item: str = "") -> int:
        return _draw(settings.seed, number, judge, what, item)

    order = sorted(items, key=lambda item: draw("order", item))
    by_side = sorted(items, key=lambda item: draw("side", item))
    extra = draw("extra") % 2 * (len(items) % 2)  # of an odd number one system is above once more
    as_named = set(by_side[: len(items) // 2 + extra])
    distance = min(DISTANCE, len(order) // 2)
    early = {item: place for place, item in enumerate(order[: len(order) - distance])} if distance else {}
    wanted = max(1, round(settings.repeats * len(order))) if settings.repeats else 0
    again = sorted(early, key=lambda item: draw("again", item))[:wanted]
    after: dict[int, list[str]] = {}  # the repeats that follow so many items
    for item in sorted(again, key=lambda item: draw("among", item)):
        earliest = early[item] + 1 + distance
        after.setdefault(earliest + draw("when", item) % (len(order) + 1 - earliest), []).append(item)
    return _numbered(settings.systems, order, as_named, after)


def _numbered(
    systems: tuple[str, str], order: Sequence[str], as_named: set[str], after: Mapping[int, Sequence[str]]
) -> list[Trial]:
    first, second = systems
    trials: list[Trial] = []
    seen: dict[str, Trial] = {}
    for place, item in enumerate(order, start=1):
        upper, lower = (first, second) if item in as_named else (second, first)
        seen[item] = Trial(len(trials) + 1, item, upper, lower)
        trials.append(seen[item])
        for old in (seen[name] for name in after.get(place, ())):
            trials.append(Trial(len(trials) + 1, old.item, old.lower, old.upper, old.position))
    return trials


def _draw(*key: int | str) -> int:
    return int.from_bytes(hashlib.sha256(json.dumps(key).encode()).digest())


def _check_names(first: str, second: str) -> None:
    if first == second:
        raise StudyError(f"{first!r} cannot be compared with itself", hint="Choose two systems")
    names = [name.strip().casefold() for name in (first, second)]
    stray = [name for name in names if name in (*EQUAL, *MISSING_WORDS, "bad")]
    if len(set(names)) < 2 or stray:
        what = (
            f"the names {first!r} and {second!r} cannot be told apart from each other or from other answers"
        )
        raise StudyError(what, hint="Rename one of the two with NAME=FILE")

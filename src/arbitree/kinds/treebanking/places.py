"""A sentence whose parses treebankers chose differently: which reading is right, or none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, ClassVar

from arbitree.adjudication.places import Choice, Decided, Key, Place, Verdict, of_coder, unknown_place
from arbitree.errors import UnknownName, shorten
from arbitree.kinds.treebanking.disputes import KINDS, splits_of
from arbitree.kinds.treebanking.measures.y_counts import same_tree
from arbitree.kinds.treebanking.value import ACCEPTED, AMBIGUOUS, REJECTED, Decisions
from arbitree.study.study import Item

READING = "reading"
OTHER = "other"  # another parse than any coder's; it is also the status of what then is the outcome
MOST_OPTIONS = 3  # options that the context of a place shows
MOST_PARSES = 5  # parses that an ambiguous outcome names


@dataclass(frozen=True, slots=True)
class ProfileSheet:
    """A sheet with one place, ``reading``: what came of a sentence, such as ``accepted 12`` or ``rejected``.

    An adjudicator may also reject what all accepted, or say ``other``: some other parse is the right one.
    Coders who left the sentence without a decision have no value.
    """

    kind: ClassVar[str] = Decisions.kind

    item: Item
    values: Mapping[str, Decisions]  # by coder
    reading: Place

    @property
    def tokens(self) -> tuple[str, ...]:
        """The sentence, cut at blanks."""
        return next(iter(self.values.values())).tokens

    @property
    def places(self) -> tuple[Place, ...]:
        """The one place, unless coders agree or none of them decided anything."""
        said = sum(len(choice.coders) for choice in self.reading.choices)
        agreed = len(self.reading.choices) == 1 and said > 1
        return (self.reading,) if said and not agreed else ()

    @property
    def remarks(self) -> tuple[str, ...]:
        """Who has not decided on the sentence, where others have."""
        said = {coder for choice in self.reading.choices for coder in choice.coders}
        silent = [f"{coder} ({value.status})" for coder, value in self.values.items() if coder not in said]
        return (f"Without a decision: {', '.join(silent)}.",) if silent and said else ()

    def place(self, key: Key) -> Place:
        """Return the one place."""
        if key != READING:
            raise unknown_place(key, f"The one place is {READING!r}")
        return self.reading

    def judge(self, decisions: Decided, wish: Decided) -> Verdict:
        """Return the wish; nothing can be in its way."""
        changes = {}
        for key, value in wish.items():
            text = value.strip()
            if text not in (*self.place(key).values, REJECTED, OTHER):
                hint = f"Choose one of {', '.join(dict.fromkeys((*self.reading.values, REJECTED, OTHER)))}"
                raise UnknownName(f"{shorten(value)} is no outcome here", hint=hint)
            changes[key] = text
        return Verdict(changes)

    def blocked(self, decisions: Decided) -> dict[tuple[Key, str], str]:
        """Return nothing: every outcome is possible."""
        return {}

    def of_coder(self, coder: str) -> dict[Key, str]:
        """Return the outcome that a coder has, if it is contested."""
        return of_coder(self.places, coder, tuple(self.values))

    def gold(self, decisions: Decided) -> Decisions | None:
        """Return the annotation of the first coder who has the outcome.

        If no coder has it, the result has no options and no parse; its status is ``rejected`` or ``other``.
        """
        first = next(iter(self.values.values()))
        value = decisions.get(READING)
        if value is None:
            chosen = self.reading.choices[0].coders[0] if self.reading.choices else ""
            return None if self.places else self.values.get(chosen, first)
        for choice in self.reading.choices:
            if choice.value == value:
                return self.values[choice.coders[0]]
        if value not in (REJECTED, OTHER):
            return None
        return replace(first, status=value, options=(), chosen=(), direct=False, stored=None)

    def so_far(self, decisions: Decided) -> Any:
        """Return None: there is nothing to draw."""
        return None

    def trouble(self, decisions: Decided) -> str:
        """Return "": nothing can be wrong."""
        return ""

    def left_out(self, decisions: Decided) -> int:
        """Return 0: nothing is left out."""
        return 0


def profile_sheet(item: Item, values: Mapping[str, Decisions]) -> ProfileSheet:
    """Return the sheet of a sentence that coders treebanked.

    Example:
        >>> ann = Decisions("birds sing", ACCEPTED, readings=4, chosen=(2,))
        >>> bob = Decisions("birds sing", REJECTED, readings=4)
        >>> profile_sheet(Item("1", "suite", "1"), {"ann": ann, "bob": bob}).places[0].values
        ('accepted 2', 'rejected')
    """
    groups: list[list[str]] = []
    for coder, value in values.items():
        if value.status not in (ACCEPTED, REJECTED, AMBIGUOUS):
            continue
        same = next((group for group in groups if same_outcome(values[group[0]], value)), None)
        if same is None:
            groups.append([coder])
        else:
            same.append(coder)
    outcomes = [outcome_of(values[group[0]]) for group in groups]
    choices = [
        # The parses of packed forests have no numbers, so that coders must tell them apart.
        Choice(f"{text} ({group[0]})" if outcomes.count(text) > 1 else text, tuple(group))
        for text, group in zip(outcomes, groups, strict=True)
    ]
    text = next(iter(values.values())).text
    context = _differences(item, values, [group[0] for group in groups])
    return ProfileSheet(item, values, Place(READING, "", READING, text, context, tuple(choices)))


def outcome_of(value: Decisions) -> str:
    """Return what came of a sentence, in words.

    Example:
        >>> outcome_of(Decisions("birds sing", AMBIGUOUS, readings=4, chosen=(1, 2)))
        'ambiguous 1/2'
    """
    if value.status not in (ACCEPTED, AMBIGUOUS) or value.forest:
        return value.status
    if len(value.chosen) > MOST_PARSES:
        return f"{value.status}, {len(value.chosen)} left"
    return f"{value.status} {'/'.join(map(str, value.chosen)) or '?'}"


def same_outcome(first: Decisions, second: Decisions) -> bool:
    """Return whether two coders came to the same parse; of packed forests, by the options that they took."""
    if first.status != second.status or first.status == REJECTED:
        return first.status == second.status
    return same_tree(first, second) or (first.forest and second.forest and _yes(first) == _yes(second))


def _yes(value: Decisions) -> frozenset[Any]:
    return frozenset(option.identity for option in value.decided if option.yes)


def _differences(item: Item, values: Mapping[str, Decisions], coders: list[str]) -> str:
    """Return a few options that the coders, each with another outcome, give different values.

    Of packed forests, coders decide on few options and not on the same: those that one alone took count too.
    """
    found = []
    for one, two in combinations(coders, 2):
        for split in splits_of([(item, values[one], values[two])]):
            said = f"{one} {split.values[0]}, {two} {split.values[1]}"
            found.append(" ".join(filter(None, (split.kind, split.key, split.span))) + f": {said}")
        for coder, other in ((one, two), (two, one)):
            if values[coder].forest and values[other].forest:
                found.extend(f"{each}: {coder} alone" for each in _alone(values[coder], values[other]))
    more = [f"and {len(found) - MOST_OPTIONS} more"] if len(found) > MOST_OPTIONS else []
    return "; ".join([*found[:MOST_OPTIONS], *more])


def _alone(first: Decisions, second: Decisions) -> list[str]:
    """Return the options that the first took and the second did not decide on."""
    known = {option.identity for option in second.decided}
    taken = (option for option in first.decided if option.yes and option.identity not in known)
    return [f"{KINDS[option.type]} {option.key} {option.start}-{option.end}" for option in taken]

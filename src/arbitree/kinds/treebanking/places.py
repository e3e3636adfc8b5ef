"""Places of [incr tsdb()] profiles: one per sentence, the parse that was chosen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import ClassVar

from arbitree.adjudication.places import (
    Choice,
    Decided,
    Key,
    Place,
    Places,
    Said,
    Sheet,
    Verdict,
    What,
    filled,
    unknown_place,
)
from arbitree.errors import UnknownName, shorten
from arbitree.kinds.treebanking.disputes import KINDS, splits_of
from arbitree.kinds.treebanking.measures.discriminants import same_tree
from arbitree.kinds.treebanking.value import ACCEPTED, AMBIGUOUS, OUTCOMES, REJECTED, UNPARSED, Decisions
from arbitree.study.study import Item

READING = "reading"
OTHER = "other"  # a parse that no annotator chose; also the status of such a decision
MOST_OPTIONS = 3  # options that the context of a place shows
MOST_PARSES = 5  # parses that an ambiguous outcome names


@dataclass(frozen=True, slots=True)
class ProfileSheet(Sheet[Decisions]):
    """A sheet with one place, ``reading``, with values such as ``accepted 12`` or ``rejected``.

    The adjudicator can also choose ``rejected`` if all annotators accepted a parse, or ``other`` if another
    parse is correct. Annotators without a treebanking decision on the sentence have no value.
    """

    reading: Place

    @property
    def kind(self) -> str:
        """Decisions on parses."""
        return Decisions.kind

    @property
    def remarks(self) -> tuple[str, ...]:
        """The annotators without a treebanking decision, if others have one."""
        said = {coder for choice in self.reading.choices for coder in choice.coders}
        silent = [f"{coder} ({value.status})" for coder, value in self.values.items() if coder not in said]
        return (f"No treebanking decision by: {', '.join(silent)}.",) if silent and said else ()

    def place(self, key: Key) -> Place:
        """Return the only place."""
        if key != READING:
            raise unknown_place(key, f"The only place is {READING!r}")
        return self.reading

    def judge(self, decisions: Decided, wish: Decided) -> Verdict:
        """Return the choice; every known value is valid."""
        changes = {}
        for key, value in wish.items():
            text = value.strip()
            if text not in (*self.place(key).values, REJECTED, OTHER):
                hint = f"Choose one of {', '.join(dict.fromkeys((*self.reading.values, REJECTED, OTHER)))}"
                raise UnknownName(f"{shorten(value)} is not a choice for this sentence", hint=hint)
            changes[key] = text
        return Verdict(changes)

    def gold(self, decisions: Decided) -> Decisions | None:
        """Return the annotation of the first annotator with the decided value.

        If there is none, the result has no discriminants or parse; its status is ``rejected`` or ``other``.
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


def profile_sheet(item: Item, values: Mapping[str, Decisions]) -> ProfileSheet:
    """Return the sheet of a sentence of profiles.

    Example:
        >>> ann = Decisions("birds sing", ACCEPTED, readings=4, chosen=(2,))
        >>> bob = Decisions("birds sing", REJECTED, readings=4)
        >>> profile_sheet(Item("1", "suite", "1"), {"ann": ann, "bob": bob}).places[0].values
        ('accepted 2', 'rejected')
    """
    choices = _choices(values)
    first = next(iter(values.values()))
    context = _differences(item, values, [choice.coders[0] for choice in choices])
    place = Place(READING, "", READING, first.text, context, choices)
    agreed = len(choices) == 1 and len(choices[0].coders) > 1
    return ProfileSheet(item, values, (place,) if choices and not agreed else (), first.tokens, place)


def _choices(values: Mapping[str, Decisions]) -> tuple[Choice, ...]:
    """Return the different results for a sentence, each with its annotators."""
    groups: list[list[str]] = []
    for coder, value in values.items():
        if value.status not in OUTCOMES:
            continue
        same = next((group for group in groups if same_outcome(values[group[0]], value)), None)
        if same is None:
            groups.append([coder])
        else:
            same.append(coder)
    outcomes = [outcome_of(values[group[0]]) for group in groups]
    return tuple(
        # The parses of packed forests have no numbers, so that coders must tell them apart.
        Choice(f"{text} ({group[0]})" if outcomes.count(text) > 1 else text, tuple(group))
        for text, group in zip(outcomes, groups, strict=True)
    )


def outcome_of(value: Decisions) -> str:
    """Return the result for a sentence as text.

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
    """Return whether two annotators rejected the sentence or chose the same parse."""
    if first.status != second.status or first.status == REJECTED:
        return first.status == second.status
    return same_tree(first, second)


def _differences(item: Item, values: Mapping[str, Decisions], coders: list[str]) -> str:
    """Return a few options that the coders, each with another outcome, give different values.

    Of packed forests, coders decide on few options and not on the same: those that one alone took count too.
    """
    found = []
    for one, two in combinations(coders, 2):
        found += [split.words((one, two)) for split in splits_of(item, values[one], values[two])]
        for coder, other in ((one, two), (two, one)):
            if values[coder].forest and values[other].forest:
                found.extend(f"{each}: only {coder}" for each in _alone(values[coder], values[other]))
    more = [f"and {len(found) - MOST_OPTIONS} more"] if len(found) > MOST_OPTIONS else []
    return "; ".join([*found[:MOST_OPTIONS], *more])


def _alone(first: Decisions, second: Decisions) -> list[str]:
    """Return the discriminants that the first accepted and the second did not decide on."""
    known = {option.identity for option in second.decided}
    taken = (option for option in first.decided if option.yes and option.identity not in known)
    return [f"{KINDS[option.type]} {option.key} {option.start}-{option.end}" for option in taken]


class ProfilePlaces(Places[Decisions]):
    """One place per sentence: the parse that was chosen."""

    compared: ClassVar[str] = "parses"
    whats: ClassVar[Mapping[str, What]] = {READING: What(READING, explained=True)}

    def compare(self, values: Sequence[Decisions], *, listed: bool = False) -> Iterable[Said]:
        """Return the outcomes, each as the number of the first coder who has the same."""
        alike = [
            next(k for k, other in enumerate(values) if other is each or same_outcome(other, each))
            for each in values
        ]
        return (Said(READING, ("",), [(number,) for number in alike], confused=False),)

    def sheet(
        self, item: Item, values: Mapping[str, Decisions], *, one_root: bool = False
    ) -> ProfileSheet | None:
        """Return the sheet of a sentence that several annotators annotated."""
        given = filled(values)
        return profile_sheet(item, given) if len(given) > 1 else None

    def value_at(self, value: Decisions, key: Key) -> str | None:
        """Return the outcome."""
        return outcome_of(value)

    def vocabulary(self, value: Decisions) -> Iterable[tuple[str, Iterable[str]]]:
        """Yield nothing: outcomes are chosen, not typed."""
        return ()

    def written(self, value: Decisions, values: Mapping[str, Decisions]) -> str:
        """Return the outcome of one of *values*, in the words in which an adjudicator chooses it."""
        choices = _choices(values) if len(values) > 1 else ()
        own = (each.value for each in choices if any(values[coder] is value for coder in each.coders))
        return next(own, outcome_of(value))

    def idle(self, value: Decisions) -> bool:
        """Return whether the grammar had no parse to choose."""
        return value.status == UNPARSED


PLACES = ProfilePlaces()

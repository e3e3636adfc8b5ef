"""Compare the decisions of two people who decide the same items independently."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from arbitree.adjudication.events import Decision, State, tally_of
from arbitree.adjudication.history import DECIDED, REJECTED
from arbitree.adjudication.places import Key, Place, Sheet

BETWEEN = " / "  # the notes or reasons of two people
WHOLE = "sentence"  # what two people decide differently if only one of them excludes an item
EXCLUDED = "excluded"


class Compared(NamedTuple):
    """One place, and the values that two people decided on independently."""

    what: str
    place: Place | None  # None for the whole item
    values: tuple[str, ...]

    @property
    def same(self) -> bool:
        """Whether the decisions are the same."""
        return len(set(self.values)) == 1


def is_done(sheet: Sheet[Any], state: State) -> bool:
    """Return whether a person has decided an item."""
    return tally_of(sheet, state).status in (DECIDED, REJECTED)


def agreed(states: Sequence[State], before: State) -> State:
    """Return the decisions that all *states* share, at places that are undecided *before*.

    Example:
        >>> def state(name, label):
        ...     return State(decisions={key: Decision(value, (name,), "") for key, value in
        ...                             (("3 head", "2"), ("3 label", label))})
        >>> agreed([state("Ann", "obj"), state("Bob", "obl")], State()).decisions
        {'3 head': Decision(value='2', people=('Ann', 'Bob'), at='')}
    """
    first, *others = states
    decisions = {
        key: Decision(each.value, tuple(dict.fromkeys(_people(states, key))), "")
        for key, each in first.decisions.items()
        if key not in before.decisions and all(other.values.get(key) == each.value for other in others)
    }
    keys = dict.fromkeys(key for state in states for key in state.notes if key not in before.notes)
    notes = {key: _together(state.notes.get(key) for state in states) for key in keys}
    rejected = None
    if before.rejected is None and all(state.rejected is not None for state in states):
        rejected = _together(state.rejected for state in states)
    return State(decisions=decisions, notes=notes, rejected=rejected)


def compare(sheet: Sheet[Any], states: Sequence[State]) -> Iterator[Compared]:
    """Yield what two people decided at every place that is contested or that one of them changed."""
    out = [state.rejected is not None for state in states]
    if any(out):
        yield Compared(WHOLE, None, tuple(EXCLUDED if each else DECIDED for each in out))
        return
    known = {place.key for place in sheet.places}
    changed = dict.fromkeys(key for state in states for key in state.decisions if key not in known)
    for place in (*sheet.places, *map(sheet.place, changed)):
        unchanged = place.values[0] if place.values else ""  # what all annotators give
        yield Compared(place.what, place, tuple(state.values.get(place.key, unchanged) for state in states))


def _people(states: Sequence[State], key: Key) -> Iterator[str]:
    return (name for state in states for name in state.decisions[key].people)


def _together(texts: Any) -> str:
    return BETWEEN.join(dict.fromkeys(text for text in texts if text))

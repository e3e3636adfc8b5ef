"""The adjudicator's desk: what was decided on one item, and what may be written next.

Everything is an entry in the log of the item. The state is what the entries say when they are read in order;
undoing appends an entry too, so that nothing is ever lost.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from arbitree.adjudication.export import Gold
from arbitree.adjudication.places import Key, Sheet, Verdict
from arbitree.web.project.project import Project
from arbitree.web.store import Entry, Person, Tally

DECIDE, CLEAR, NOTE, REJECT, REOPEN, UNDO, CARRY = (
    "decide", "clear", "note", "reject", "reopen", "undo", "carry",
)  # fmt: skip
LONGEST_NOTE = 2000
UNDECIDED, DECIDED, CONTESTED, REJECTED, AGREED = "undecided", "decided", "contested", "rejected", "agreed"


class Wish(NamedTuple):
    """Who wants to write, what they had seen, and a name for the request so that it counts once."""

    person: Person
    seen: int
    request: str


class Decision(NamedTuple):
    """What was decided for one place."""

    value: str
    people: tuple[str, ...]  # who decided
    at: str

    @property
    def name(self) -> str:
        """Who decided, in words."""
        return ", ".join(self.people)


@dataclass(frozen=True, slots=True)
class State:
    """What the entries of an item come to."""

    seen: int = 0  # the last entry
    decisions: dict[Key, Decision] = field(default_factory=dict)
    notes: dict[Key, str] = field(default_factory=dict)
    rejected: str | None = None  # why; "" if nothing was said
    standing: tuple[Entry, ...] = ()  # what was not undone

    @property
    def values(self) -> dict[Key, str]:
        """The decided value of every place that has one."""
        return {key: decision.value for key, decision in self.decisions.items()}

    @property
    def people(self) -> tuple[str, ...]:
        """Who decided, in the order of their first decision."""
        return tuple(dict.fromkeys(name for each in self.decisions.values() for name in each.people))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a wish."""

    state: State
    verdict: Verdict | None = None

    @property
    def saved(self) -> bool:
        """Whether it was written down."""
        return self.verdict is None or not self.verdict.problem


def subject_of(project: Project, number: int) -> str:
    """Return the name of an item's log."""
    return f"item/{project.item(number).id}"


def state_of(project: Project, number: int) -> State:
    """Return what was decided on an item so far."""
    return fold(project.store.entries(project.edition.id, subject_of(project, number)))


def fold(entries: Iterable[Entry]) -> State:
    """Return what *entries*, in order, come to."""
    seen, standing = 0, []
    for entry in entries:
        seen = entry.sequence
        if entry.action != UNDO:
            standing.append(entry)
        elif standing:
            standing.pop()
    decisions: dict[Key, Decision] = {}
    notes: dict[Key, str] = {}
    rejected = None
    for entry in standing:
        body = entry.body
        if entry.action in (DECIDE, CARRY):
            by = body.get("people", {})  # who decided before, of what was carried over
            decisions |= {
                key: Decision(value, tuple(by.get(key, (entry.name,))), entry.at)
                for key, value in body["changes"].items()
            }
            if entry.action == CARRY:
                notes |= body["notes"]
                rejected = body["rejected"]
        elif entry.action == CLEAR:
            decisions = {key: each for key, each in decisions.items() if key not in body["keys"]}
        elif entry.action == NOTE:
            notes[body["key"]] = body["text"]
        elif entry.action == REJECT:
            rejected = body["why"]
        elif entry.action == REOPEN:
            rejected = None
    return State(
        seen, decisions, {key: text for key, text in notes.items() if text}, rejected, tuple(standing)
    )


def tally_of(sheet: Sheet, state: State) -> Tally:
    """Return how far an item is decided."""
    contested = len(sheet.places)
    decided = sum(place.key in state.decisions for place in sheet.places)
    if state.rejected is not None:
        return Tally(REJECTED, decided, contested)
    if decided < contested or sheet.trouble(state.values):
        return Tally(CONTESTED, decided, contested)
    return Tally(DECIDED if contested or state.decisions else AGREED, decided, contested)


def gold_of(sheet: Sheet, state: State) -> Gold | None:
    """Return the finished annotation of an item; None if it is undecided or rejected."""
    if state.rejected is not None:
        return None
    value = sheet.gold(state.values)
    return None if value is None else Gold(value, state.people)

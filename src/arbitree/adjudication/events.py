"""Actions of adjudicators, and the state of an item that results from the entries of its log.

A log is append-only: undoing appends an entry too. Each action is one class, which defines the body of its
entry, the change of state, and the text in the history.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

from arbitree.adjudication.export import Gold
from arbitree.adjudication.history import (
    AGREED,
    BULK,
    CONTESTED,
    DECIDED,
    ITEM,
    REJECTED,
    Body,
    ItemTally,
    LogEntry,
    NewEntry,
    Wish,
    to_write,
)
from arbitree.adjudication.places import Key, Sheet, Verdict
from arbitree.errors import UnknownName, shorten

LONGEST_NOTE = 2000


def standing(entries: Iterable[LogEntry]) -> tuple[int, list[LogEntry]]:
    """Return the number of the last entry, and the entries that were not undone."""
    seen, found = 0, []
    for entry in entries:
        seen = entry.sequence
        if entry.action != Undo.name:
            found.append(entry)
        elif found:
            found.pop()
    return seen, found


class Decision(NamedTuple):
    """The decided value of one place."""

    value: str
    people: tuple[str, ...]  # who decided
    at: str

    @property
    def name(self) -> str:
        """The names of the people who decided, as text."""
        return ", ".join(self.people)


@dataclass(frozen=True, slots=True)
class State:
    """The state of an item after all its entries."""

    seen: int = 0  # the last entry
    decisions: dict[Key, Decision] = field(default_factory=dict)
    notes: dict[Key, str] = field(default_factory=dict)
    rejected: str | None = None  # why; "" if no reason was given
    standing: tuple[LogEntry, ...] = ()  # entries that were not undone

    @property
    def values(self) -> dict[Key, str]:
        """The decided value of every place that has one."""
        return {key: decision.value for key, decision in self.decisions.items()}

    @property
    def people(self) -> tuple[str, ...]:
        """The people who decided, in the order of their first decision."""
        return tuple(dict.fromkeys(name for each in self.decisions.values() for name in each.people))


def fold(entries: Iterable[LogEntry]) -> State:
    """Replay *entries* in order and return the resulting state of the item.

    Example:
        >>> log = [
        ...     LogEntry(1, 1, "item/s1", 1, 1, "Ada", "", "decide", {"changes": {"label": "praise"}}, "a"),
        ...     LogEntry(2, 1, "item/s1", 2, 1, "Ada", "", "decide", {"changes": {"label": "question"}}, "b"),
        ...     LogEntry(3, 1, "item/s1", 3, 1, "Ada", "", "undo", {"of": 2}, "c"),
        ... ]
        >>> fold(log).values
        {'label': 'praise'}
    """
    seen, kept = standing(entries)
    folding = Folding()
    for entry in kept:
        ACTIONS[entry.action].apply(folding, entry)
    notes = {key: text for key, text in folding.notes.items() if text}
    return State(seen, folding.decisions, notes, folding.rejected, tuple(kept))


@dataclass(slots=True)
class Folding:
    """The state of an item while its entries are replayed."""

    decisions: dict[Key, Decision] = field(default_factory=dict)
    notes: dict[Key, str] = field(default_factory=dict)
    rejected: str | None = None


JOINED = "joined"  # true in the body of an entry that belongs to the same step as the entry before it


class Proposal(NamedTuple):
    """The bodies that an action would write, and whether it is valid."""

    bodies: tuple[Body, ...]  # one for each entry of the step; empty if there is nothing to write
    verdict: Verdict | None = None


class Action(ABC):
    """An action of an adjudicator on an item."""

    name: ClassVar[str]  # in the log

    @abstractmethod
    def ask(self, sheet: Sheet[Any], state: State) -> Proposal:
        """Return the body to write after *state*; raise UnknownName for unknown places or values."""

    @staticmethod
    @abstractmethod
    def apply(folding: Folding, entry: LogEntry) -> None:
        """Apply the entry to the state."""

    @staticmethod
    @abstractmethod
    def words(body: Body, sheet: Sheet[Any] | None) -> str:
        """Return a description of the action, without the name of the person."""


@dataclass(frozen=True, slots=True)
class Decide(Action):
    """Decide on places, unless the result would not be a valid tree."""

    name: ClassVar[str] = "decide"

    changes: Mapping[Key, str]
    confirmed: bool = False  # save them in spite of doubts
    apart: bool = False  # write one entry per place, which are one step: they are undone together

    def ask(self, sheet: Sheet[Any], state: State) -> Proposal:
        """Return the changes with their full values."""
        verdict = sheet.weigh(state.values, self.changes, confirmed=self.confirmed)
        if verdict.problem:
            return Proposal((), verdict)
        changes = verdict.changes.items()
        parts = [{key: value} for key, value in changes] if self.apart else [verdict.changes]
        return Proposal(_joined({"changes": part} for part in parts), verdict)

    @staticmethod
    def apply(folding: Folding, entry: LogEntry) -> None:
        """Set the decisions; copied decisions keep the names of the people who made them."""
        by = entry.body.get("people", {})
        folding.decisions |= {
            key: Decision(value, tuple(by.get(key, (entry.name,))), entry.at)
            for key, value in entry.body["changes"].items()
        }

    @staticmethod
    def words(body: Body, sheet: Sheet[Any] | None) -> str:
        """Return the places with their values."""
        changes = body["changes"].items()
        return "decided " + "; ".join(f"{name_of(key, sheet)}: {value}" for key, value in changes)


@dataclass(frozen=True, slots=True)
class Clear(Action):
    """Make places undecided again."""

    name: ClassVar[str] = "clear"

    keys: Collection[Key]

    def ask(self, sheet: Sheet[Any], state: State) -> Proposal:
        """Return the places, if all are decided."""
        if undecided := [key for key in self.keys if key not in state.decisions]:
            raise UnknownName(
                f"there is no decision on {shorten(undecided[0])} to clear",
                hint="Reload the page to see the current decisions",
            )
        return Proposal(({"keys": sorted(set(self.keys))},))

    @staticmethod
    def apply(folding: Folding, entry: LogEntry) -> None:
        """Drop the decisions."""
        kept = folding.decisions.items()
        folding.decisions = {key: each for key, each in kept if key not in entry.body["keys"]}

    @staticmethod
    def words(body: Body, sheet: Sheet[Any] | None) -> str:
        """Return the places."""
        return "made undecided again: " + "; ".join(name_of(key, sheet) for key in body["keys"])


@dataclass(frozen=True, slots=True)
class Note(Action):
    """Save a note on a place; the key "" stands for the whole item."""

    name: ClassVar[str] = "note"

    key: Key
    text: str

    def ask(self, sheet: Sheet[Any], state: State) -> Proposal:
        """Return the note, if the place exists."""
        if self.key:
            sheet.place(self.key)
        if len(self.text) > LONGEST_NOTE:
            what = f"the note has {len(self.text)} characters"
            raise UnknownName(what, hint=f"Shorten it to at most {LONGEST_NOTE} characters")
        return Proposal(({"key": self.key, "text": self.text.strip()},))

    @staticmethod
    def apply(folding: Folding, entry: LogEntry) -> None:
        """Set the note."""
        folding.notes[entry.body["key"]] = entry.body["text"]

    @staticmethod
    def words(body: Body, sheet: Sheet[Any] | None) -> str:
        """Return the note."""
        where = name_of(body["key"], sheet)
        return f"noted on {where}: {body['text']}" if body["text"] else f"removed the note on {where}"


@dataclass(frozen=True, slots=True)
class Reject(Action):
    """Exclude an item from the gold standard."""

    name: ClassVar[str] = "reject"

    why: str

    def ask(self, sheet: Sheet[Any], state: State) -> Proposal:
        """Return the reason."""
        return Proposal(({"why": self.why.strip()[:LONGEST_NOTE]},))

    @staticmethod
    def apply(folding: Folding, entry: LogEntry) -> None:
        """Mark the item."""
        folding.rejected = entry.body["why"]

    @staticmethod
    def words(body: Body, sheet: Sheet[Any] | None) -> str:
        """Return the reason."""
        return "rejected the sentence" + (f": {body['why']}" if body["why"] else "")


class Reopen(Action):
    """Include an item again that was excluded."""

    name: ClassVar[str] = "reopen"

    def ask(self, sheet: Sheet[Any], state: State) -> Proposal:
        """Return an empty body, if the item is excluded."""
        if state.rejected is None:
            raise UnknownName("this is not excluded", hint="Reload the page to see the current decisions")
        return Proposal(({},))

    @staticmethod
    def apply(folding: Folding, entry: LogEntry) -> None:
        """Remove the mark."""
        folding.rejected = None

    @staticmethod
    def words(body: Body, sheet: Sheet[Any] | None) -> str:
        """Return the same for every item."""
        return "took the sentence in again"


class Undo(Action):
    """Undo the last step that was not undone."""

    name: ClassVar[str] = "undo"

    def ask(self, sheet: Sheet[Any], state: State) -> Proposal:
        """Return the numbers of the entries to undo: several if they were written as one step."""
        if not state.standing:
            raise UnknownName(
                "there is no change to undo", hint="Reload the page to see the current decisions"
            )
        last = len(state.standing) - 1
        while last and state.standing[last].body.get(JOINED):
            last -= 1
        return Proposal(_joined({"of": entry.sequence} for entry in reversed(state.standing[last:])))

    @staticmethod
    def apply(folding: Folding, entry: LogEntry) -> None:
        """Do nothing: ``standing`` drops this entry and the one that it undoes."""

    @staticmethod
    def words(body: Body, sheet: Sheet[Any] | None) -> str:
        """Return the number of the entry."""
        return f"undid entry {body['of']}"


@dataclass(frozen=True, slots=True)
class Carry(Action):
    """Copy decisions on an earlier version of the files, or those on which two people agree."""

    name: ClassVar[str] = "carry"

    earlier: State
    edition: int  # the earlier one
    double: bool = False  # two people made the same decisions independently

    def ask(self, sheet: Sheet[Any], state: State) -> Proposal:
        """Return the decisions with the names of the people who made them."""
        body = {
            "changes": self.earlier.values,
            "notes": self.earlier.notes,
            "rejected": self.earlier.rejected,
            "people": {key: list(each.people) for key, each in self.earlier.decisions.items()},
            "edition": self.edition,
        }
        return Proposal((body | {"double": True} if self.double else body,))

    @staticmethod
    def apply(folding: Folding, entry: LogEntry) -> None:
        """Set decisions and notes, and mark the item if it was excluded."""
        Decide.apply(folding, entry)
        folding.notes |= entry.body["notes"]
        folding.rejected = entry.body["rejected"]

    @staticmethod
    def words(body: Body, sheet: Sheet[Any] | None) -> str:
        """Return the number of copied decisions and the people who made them."""
        people = dict.fromkeys(name for each in body["people"].values() for name in each)
        if not people:
            return "took over that the sentence is rejected"
        count = "1 decision" if len(body["changes"]) == 1 else f"{len(body['changes'])} decisions"
        alone = ", made independently" if body.get("double") and len(people) > 1 else ""
        return f"took over {count} of {', '.join(people)}{alone}"


ACTIONS: dict[str, type[Action]] = {
    each.name: each for each in (Decide, Clear, Note, Reject, Reopen, Undo, Carry)
}


class WishOutcome(NamedTuple):
    """The result of an action."""

    state: State
    verdict: Verdict | None = None
    new: tuple[NewEntry, ...] = ()  # the entries that are still to be written

    @property
    def saved(self) -> bool:
        """Whether the action is valid."""
        return self.verdict is None or not self.verdict.problem


def step_of(
    entries: list[LogEntry], wish: Wish, action: Action, sheet: Sheet[Any], subject: str = ""
) -> WishOutcome:
    """Return the result of *action* on an item with this log; raise Conflict if others wrote first.

    Args:
        entries: Entries of the log, in order.
        wish: The person who writes, and the request.
        action: The action.
        sheet: The item.
        subject: The name of the log (default: that of the item).
    """
    proposal = Proposal(())

    def make(before: list[LogEntry]) -> Body | None:
        nonlocal proposal
        proposal = action.ask(sheet, fold(before))
        return proposal.bodies[0] if proposal.bodies else None

    state = fold(entries)
    if to_write(entries, wish, action.name, make) is None:
        return WishOutcome(state, proposal.verdict)
    log = subject or f"{ITEM}{sheet.item.id}"
    new = _new_entries(entries, log, wish, action.name, proposal.bodies, sheet)
    return WishOutcome(state, proposal.verdict, tuple(new))


def _new_entries(
    entries: Iterable[LogEntry],
    subject: str,
    wish: Wish,
    action: str,
    bodies: Sequence[Body],
    sheet: Sheet[Any],
) -> Iterator[NewEntry]:
    """Yield the entries of one step; the last one in the log of an item has its tally."""
    after = list(entries)
    for number, body in enumerate(bodies, start=1):
        seen = wish.seen + number - 1
        request = wish.request if number == 1 else f"{wish.request}.{number}"
        key = (0, 0, subject, seen + 1, wish.person, wish.name, "")
        after.append(LogEntry(*key, action, body, request))
        counted = number == len(bodies) and subject.startswith(ITEM)
        yield NewEntry(
            subject, seen, action, body, request, tally_of(sheet, fold(after)) if counted else None
        )


def _joined(bodies: Iterable[Body]) -> tuple[Body, ...]:
    """Return the bodies of the entries of one step; all but the first are marked."""
    return tuple(body | {JOINED: True} if place else body for place, body in enumerate(bodies))


def tally_of(sheet: Sheet[Any], state: State) -> ItemTally:
    """Return the progress of adjudication on an item."""
    contested = len(sheet.places)
    decided = sum(place.key in state.decisions for place in sheet.places)
    if state.rejected is not None:
        return ItemTally(REJECTED, decided, contested)
    if decided < contested or sheet.trouble(state.values):
        return ItemTally(CONTESTED, decided, contested)
    return ItemTally(DECIDED if contested or state.decisions else AGREED, decided, contested)


def gold_of(sheet: Sheet[Any], state: State) -> Gold | None:
    """Return the gold annotation of an item; None if the item is undecided or excluded."""
    if state.rejected is not None:
        return None
    value = sheet.gold(state.values)
    return None if value is None else Gold(value, state.people)


def describe(entry: LogEntry, sheet: Sheet[Any] | None = None) -> str:
    """Return a description of an entry, without the name of the person."""
    words = ACTIONS[entry.action].words(entry.body, sheet)
    size = entry.body.get(BULK, {}).get("size", 1)
    return words if size == 1 else f"{words} (as one of {size} decisions)"


def name_of(key: Key, sheet: Sheet[Any] | None = None) -> str:
    """Return the name of a place in the history: the kind of value and the words.

    Example:
        >>> name_of("3 head"), name_of("whole"), name_of("")
        ('head of 3', 'whole sentence', 'the item')
    """
    if not key:
        return "the item"
    place, _, what = key.rpartition(" ")
    if what == "whole":
        return "whole sentence"
    if not place:
        return what
    try:
        return f"{what} of {sheet.place(key).words if sheet else place}"
    except UnknownName:
        return f"{what} of {place}"

"""What adjudicators do to an item, and the state that their entries in the item's log add up to.

Nothing is ever removed from a log: undoing appends an entry too. Each action is one class, which says what
is written, what that changes, and how the history describes it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

from arbitree.adjudication.export import Gold
from arbitree.adjudication.places import Key, Sheet, Verdict
from arbitree.errors import UnknownName, shorten

Body = dict[str, Any]  # what an entry says, as JSON can hold it

ITEM = "item/"  # what the names of the logs of items begin with
LONGEST_NOTE = 2000
UNDECIDED, DECIDED, CONTESTED, REJECTED, AGREED = "undecided", "decided", "contested", "rejected", "agreed"


class LogEntry(NamedTuple):
    """One entry of a log; never altered."""

    id: int
    edition: int
    subject: str  # the name of the log
    sequence: int  # from 1, without gaps
    person: int
    name: str
    at: str
    action: str
    body: Body
    request: str


class ItemTally(NamedTuple):
    """How far an item is decided."""

    status: str
    decided: int
    contested: int


class Conflict(Exception):
    """Other entries were written first: those that the writer has not seen."""

    def __init__(self, entries: list[LogEntry]) -> None:
        self.entries = entries
        super().__init__(f"{len(entries)} entries were made in the meantime")


class Wish(NamedTuple):
    """Who wants to write, the last entry they have seen, and a name for the request, which counts once."""

    person: int
    name: str
    seen: int
    request: str


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


def to_write(
    entries: list[LogEntry], wish: Wish, action: str, make: Callable[[list[LogEntry]], Body | None]
) -> Body | None:
    """Return what a new entry says; None if there is nothing to write, or if the request is written already.

    Args:
        entries: of the log, in order.
        wish: who wants to write.
        action: name of what they want to do.
        make: returns what the entry says after the entries before it, or None for nothing to write.

    Raises:
        Conflict: if others wrote since the person looked, or the same request said something else before.
    """
    own = next((entry for entry in entries if entry.request == wish.request), None)
    unseen = [entry for entry in entries if entry.sequence > wish.seen]
    if own is None and (unseen or wish.seen > len(entries)):
        raise Conflict(unseen)
    body = make(entries[: own.sequence - 1] if own else entries)
    if own is None:
        return body
    if (own.action, own.body, own.person) != (action, body, wish.person):
        raise Conflict(unseen)
    return None


def by_item(entries: Iterable[LogEntry]) -> dict[str, list[LogEntry]]:
    """Return the logs of the items that have entries, by the ids of the items."""
    found: dict[str, list[LogEntry]] = defaultdict(list)
    for entry in entries:
        if entry.subject.startswith(ITEM):
            found[entry.subject.removeprefix(ITEM)].append(entry)
    return found


class Decision(NamedTuple):
    """The value that was decided for one place."""

    value: str
    people: tuple[str, ...]  # who decided
    at: str

    @property
    def name(self) -> str:
        """Who decided, in words."""
        return ", ".join(self.people)


@dataclass(frozen=True, slots=True)
class State:
    """What the entries of an item add up to."""

    seen: int = 0  # the last entry
    decisions: dict[Key, Decision] = field(default_factory=dict)
    notes: dict[Key, str] = field(default_factory=dict)
    rejected: str | None = None  # why; "" if no reason was given
    standing: tuple[LogEntry, ...] = ()  # what was not undone

    @property
    def values(self) -> dict[Key, str]:
        """The decided value of every place that has one."""
        return {key: decision.value for key, decision in self.decisions.items()}

    @property
    def people(self) -> tuple[str, ...]:
        """Who decided, in the order of their first decision."""
        return tuple(dict.fromkeys(name for each in self.decisions.values() for name in each.people))


def fold(entries: Iterable[LogEntry]) -> State:
    """Return what *entries*, in order, add up to.

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
    """The state of an item while its entries are read."""

    decisions: dict[Key, Decision] = field(default_factory=dict)
    notes: dict[Key, str] = field(default_factory=dict)
    rejected: str | None = None


class Proposal(NamedTuple):
    """What an action would write, and whether that is possible."""

    body: Body | None  # None if there is nothing to write
    verdict: Verdict | None = None


class Action(ABC):
    """Something that an adjudicator does to an item."""

    name: ClassVar[str]  # in the log

    @abstractmethod
    def ask(self, sheet: Sheet[Any], state: State) -> Proposal:
        """Return what is written after *state*; raise UnknownName for what is not there."""

    @staticmethod
    @abstractmethod
    def apply(folding: Folding, entry: LogEntry) -> None:
        """Change the state as the entry says."""

    @staticmethod
    @abstractmethod
    def words(body: Body, sheet: Sheet[Any] | None) -> str:
        """Return what was done, without the name of the person."""


@dataclass(frozen=True, slots=True)
class Decide(Action):
    """Decide on places, unless that would break the tree."""

    name: ClassVar[str] = "decide"

    changes: Mapping[Key, str]

    def ask(self, sheet: Sheet[Any], state: State) -> Proposal:
        """Return the changes, their values written in full."""
        verdict = sheet.judge(state.values, self.changes)
        return Proposal(None if verdict.problem else {"changes": verdict.changes}, verdict)

    @staticmethod
    def apply(folding: Folding, entry: LogEntry) -> None:
        """Set the decisions; those that were carried over name who decided before."""
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
        return Proposal({"keys": sorted(set(self.keys))})

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
    """Keep a note on a place; the key "" is the item as a whole."""

    name: ClassVar[str] = "note"

    key: Key
    text: str

    def ask(self, sheet: Sheet[Any], state: State) -> Proposal:
        """Return the note, if the place is there."""
        if self.key:
            sheet.place(self.key)
        if len(self.text) > LONGEST_NOTE:
            what = f"the note has {len(self.text)} characters"
            raise UnknownName(what, hint=f"Shorten it to at most {LONGEST_NOTE} characters")
        return Proposal({"key": self.key, "text": self.text.strip()})

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
    """Leave an item out of the gold standard."""

    name: ClassVar[str] = "reject"

    why: str

    def ask(self, sheet: Sheet[Any], state: State) -> Proposal:
        """Return the reason."""
        return Proposal({"why": self.why.strip()[:LONGEST_NOTE]})

    @staticmethod
    def apply(folding: Folding, entry: LogEntry) -> None:
        """Mark the item."""
        folding.rejected = entry.body["why"]

    @staticmethod
    def words(body: Body, sheet: Sheet[Any] | None) -> str:
        """Return the reason."""
        return "rejected the sentence" + (f": {body['why']}" if body["why"] else "")


class Reopen(Action):
    """Take an item in again that was left out."""

    name: ClassVar[str] = "reopen"

    def ask(self, sheet: Sheet[Any], state: State) -> Proposal:
        """Return an empty body, if the item is rejected."""
        if state.rejected is None:
            raise UnknownName("this is not excluded", hint="Reload the page to see the current decisions")
        return Proposal({})

    @staticmethod
    def apply(folding: Folding, entry: LogEntry) -> None:
        """Remove the mark."""
        folding.rejected = None

    @staticmethod
    def words(body: Body, sheet: Sheet[Any] | None) -> str:
        """Return the same for every item."""
        return "took the sentence in again"


class Undo(Action):
    """Take back the last entry that stands."""

    name: ClassVar[str] = "undo"

    def ask(self, sheet: Sheet[Any], state: State) -> Proposal:
        """Return the number of the entry that is taken back."""
        if not state.standing:
            raise UnknownName(
                "there is no change to undo", hint="Reload the page to see the current decisions"
            )
        return Proposal({"of": state.standing[-1].sequence})

    @staticmethod
    def apply(folding: Folding, entry: LogEntry) -> None:
        """Do nothing: ``standing`` leaves out this entry and the one that it takes back."""

    @staticmethod
    def words(body: Body, sheet: Sheet[Any] | None) -> str:
        """Return the number of the entry."""
        return f"undid entry {body['of']}"


@dataclass(frozen=True, slots=True)
class Carry(Action):
    """Take over what was decided on an earlier version of the files."""

    name: ClassVar[str] = "carry"

    earlier: State
    edition: int  # the earlier one

    def ask(self, sheet: Sheet[Any], state: State) -> Proposal:
        """Return the decisions with the names of those who made them."""
        body = {
            "changes": self.earlier.values,
            "notes": self.earlier.notes,
            "rejected": self.earlier.rejected,
            "people": {key: list(each.people) for key, each in self.earlier.decisions.items()},
            "edition": self.edition,
        }
        return Proposal(body)

    @staticmethod
    def apply(folding: Folding, entry: LogEntry) -> None:
        """Set decisions and notes, and mark the item if it was rejected."""
        Decide.apply(folding, entry)
        folding.notes |= entry.body["notes"]
        folding.rejected = entry.body["rejected"]

    @staticmethod
    def words(body: Body, sheet: Sheet[Any] | None) -> str:
        """Return how many decisions were taken over, and whose."""
        people = dict.fromkeys(name for each in body["people"].values() for name in each)
        if not people:
            return "took over that the sentence is rejected"
        count = "1 decision" if len(body["changes"]) == 1 else f"{len(body['changes'])} decisions"
        return f"took over {count} of {', '.join(people)}"


ACTIONS: dict[str, type[Action]] = {
    each.name: each for each in (Decide, Clear, Note, Reject, Reopen, Undo, Carry)
}


class WishOutcome(NamedTuple):
    """What comes of a wish."""

    state: State
    verdict: Verdict | None = None
    body: Body | None = None  # of the entry that is still to be written

    @property
    def saved(self) -> bool:
        """Whether it was possible."""
        return self.verdict is None or not self.verdict.problem


def step_of(entries: list[LogEntry], wish: Wish, action: Action, sheet: Sheet[Any]) -> WishOutcome:
    """Return what comes of doing *action* to an item with this log; raise Conflict if others wrote first."""
    verdict: Verdict | None = None

    def make(before: list[LogEntry]) -> Body | None:
        nonlocal verdict
        body, verdict = action.ask(sheet, fold(before))
        return body

    body = to_write(entries, wish, action.name, make)
    return WishOutcome(fold(entries), verdict, body)


def tally_of(sheet: Sheet[Any], state: State) -> ItemTally:
    """Return how far an item is decided."""
    contested = len(sheet.places)
    decided = sum(place.key in state.decisions for place in sheet.places)
    if state.rejected is not None:
        return ItemTally(REJECTED, decided, contested)
    if decided < contested or sheet.trouble(state.values):
        return ItemTally(CONTESTED, decided, contested)
    return ItemTally(DECIDED if contested or state.decisions else AGREED, decided, contested)


def gold_of(sheet: Sheet[Any], state: State) -> Gold | None:
    """Return the finished annotation of an item; None if it is undecided or rejected."""
    if state.rejected is not None:
        return None
    value = sheet.gold(state.values)
    return None if value is None else Gold(value, state.people)


def describe(entry: LogEntry, sheet: Sheet[Any] | None = None) -> str:
    """Return what was done in words, without the name of the person."""
    return ACTIONS[entry.action].words(entry.body, sheet)


def name_of(key: Key, sheet: Sheet[Any] | None = None) -> str:
    """Return what a place is called: what is decided there, and the words that it is about.

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

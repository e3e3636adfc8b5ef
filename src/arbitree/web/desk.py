"""The adjudicator's desk: what was decided on one item, and what may be written next.

Everything is an entry in the log of the item. The state is what the entries say when they are read in order;
undoing appends an entry too, so that nothing is ever lost.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from arbitree.analyses.adjudication.export import Gold
from arbitree.analyses.adjudication.places import Key, Sheet, Verdict
from arbitree.errors import UnknownName, shorten
from arbitree.web.project import Project
from arbitree.web.store import Conflict, Entry, Person, Tally

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


def decide(project: Project, number: int, wish: Wish, changes: Mapping[Key, str]) -> Outcome:
    """Write decisions down, unless they would break the tree."""
    sheet = project.sheet(number)
    verdict: Verdict | None = None

    def body(state: State) -> dict[str, Any] | None:
        nonlocal verdict
        verdict = sheet.judge(state.values, changes)
        return None if verdict.problem else {"changes": verdict.changes}

    state = _write(project, number, wish, DECIDE, body)
    return Outcome(state, verdict)


def clear(project: Project, number: int, wish: Wish, keys: Collection[Key]) -> Outcome:
    """Make places undecided again."""

    def body(state: State) -> dict[str, Any]:
        if undecided := [key for key in keys if key not in state.decisions]:
            raise UnknownName(f"nothing is decided on {shorten(undecided[0])}", hint="Look at it again")
        return {"keys": sorted(set(keys))}

    return Outcome(_write(project, number, wish, CLEAR, body))


def note(project: Project, number: int, wish: Wish, key: Key, text: str) -> Outcome:
    """Keep a note on a place; the key "" is the item as a whole."""
    if key:
        project.sheet(number).place(key)
    if len(text) > LONGEST_NOTE:
        raise UnknownName(f"the note has {len(text)} characters", hint=f"Write {LONGEST_NOTE} at most")
    return Outcome(_write(project, number, wish, NOTE, lambda state: {"key": key, "text": text.strip()}))


def reject(project: Project, number: int, wish: Wish, why: str) -> Outcome:
    """Leave an item out of the gold standard."""
    return Outcome(_write(project, number, wish, REJECT, lambda state: {"why": why.strip()[:LONGEST_NOTE]}))


def reopen(project: Project, number: int, wish: Wish) -> Outcome:
    """Take an item in again that was left out."""

    def body(state: State) -> dict[str, Any]:
        if state.rejected is None:
            raise UnknownName("this is not rejected", hint="Look at it again")
        return {}

    return Outcome(_write(project, number, wish, REOPEN, body))


def undo(project: Project, number: int, wish: Wish) -> Outcome:
    """Take back the last entry that stands."""

    def body(state: State) -> dict[str, Any]:
        if not state.standing:
            raise UnknownName("there is no step to take back", hint="Look at it again")
        return {"of": state.standing[-1].sequence}

    return Outcome(_write(project, number, wish, UNDO, body))


def _write(
    project: Project,
    number: int,
    wish: Wish,
    action: str,
    make: Callable[[State], dict[str, Any] | None],
) -> State:
    """Append an entry and return the state with it; raise Conflict if others wrote since the person looked.

    Args:
        make: returns what the entry says, or None for nothing to write.
    """
    subject = subject_of(project, number)
    entries = project.store.entries(project.edition.id, subject)
    own = [entry for entry in entries if entry.request == wish.request]
    before = entries[: own[0].sequence - 1] if own else entries
    state = fold(before)
    if state.seen != wish.seen:
        raise Conflict([entry for entry in entries if entry.sequence > wish.seen])
    body = make(state)
    if own:  # sent again because the answer was lost: it counts once, but only if it says the same
        if (own[0].action, own[0].body, own[0].person) != (action, body, wish.person.id):
            raise Conflict([entry for entry in entries if entry.sequence > wish.seen])
        return fold(entries)
    if body is None:
        return state
    after = fold([*before, _entry(project, subject, wish, action, body)])
    entry = project.store.append(
        edition=project.edition.id,
        subject=subject,
        seen=wish.seen,
        person=wish.person.id,
        action=action,
        body=body,
        request=wish.request,
        tally=tally_of(project.sheet(number), after),
    )
    return fold([*before, entry])


def _entry(project: Project, subject: str, wish: Wish, action: str, body: dict[str, Any]) -> Entry:
    return Entry(
        0,
        project.edition.id,
        subject,
        wish.seen + 1,
        wish.person.id,
        wish.person.name,
        "",
        action,
        body,
        wish.request,
    )

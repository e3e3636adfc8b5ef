"""The adjudicator's desk: what was decided on one item, and what may be written next.

Everything is an entry in the log of the item. The state is what the entries say when they are read in order;
undoing appends an entry too, so that nothing is ever lost.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from arbitree.adjudication.events import (
    CLEAR,
    DECIDE,
    LONGEST_NOTE,
    NOTE,
    REJECT,
    REOPEN,
    UNDO,
    Outcome,
    State,
    Wish,
    fold,
    subject_of,
    tally_of,
)
from arbitree.adjudication.places import Key, Verdict
from arbitree.errors import UnknownName, shorten
from arbitree.web.project.project import Project
from arbitree.web.store import Conflict, Entry


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

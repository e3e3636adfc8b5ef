"""One decision for many places: the places to choose from, what can be saved, and undoing it as a whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from arbitree.adjudication.events import Clear, Decide, State, fold, name_of, tally_of
from arbitree.adjudication.history import Body, ItemTally, LogEntry
from arbitree.adjudication.places import Key, Place, Sheet
from arbitree.adjudication.whole import WHOLE
from arbitree.errors import UnknownName

CHANGED = "changed after the list was shown"
EXCLUDED = "excluded from the gold standard"
DECIDED = "decided already"
KEPT = "changed afterwards"


class BulkWish(NamedTuple):
    """The decision on places of one item that are decided together with those of others."""

    number: int  # of the item
    seen: int  # the last entry of the item that was shown
    changes: dict[Key, str]


class BulkSkip(NamedTuple):
    """Places that were left as they are, and why."""

    number: int
    places: str  # in words
    why: str


class BulkStep(NamedTuple):
    """An entry that is to be written for one item, as one of many."""

    number: int
    seen: int  # the last entry before it
    action: str
    body: Body
    tally: ItemTally


def by_value(sheet: Sheet[Any], state: State, value: str, other: str = "") -> Iterator[dict[Key, str]]:
    """Yield the decision for *value* at each undecided place with this value, and with *other* if given."""
    for place in _undecided(sheet, state):
        if value in place.values and (not other or other in place.values):
            yield _together(sheet, state, place.key, value)


def by_coder(
    sheet: Sheet[Any], state: State, positions: Sequence[int], coders: Sequence[str], against: Sequence[str]
) -> dict[Key, str]:
    """Return the decisions for what *coders* give and *against* do not, at undecided places of some words.

    Args:
        sheet: The item.
        state: Its decisions.
        positions: Numbers of the words, from 0.
        coders: Annotators who annotate these words alike.
        against: Annotators who annotate them otherwise.
    """
    found = {}
    for place in _undecided(sheet, state):
        given = {coder: choice.value for choice in place.choices for coder in choice.coders}
        own = next((given[coder] for coder in coders if coder in given), None)
        differ = any(given.get(coder, own) != own for coder in against)
        if own is not None and differ and sheet.covers(place, positions):
            found[place.key] = own
    return found


def steps_of(
    sheet: Sheet[Any], entries: list[LogEntry], wishes: Sequence[BulkWish]
) -> tuple[list[BulkStep], list[BulkSkip]]:
    """Return the entries to write for the wishes about one item, and the wishes that are skipped.

    A wish is skipped if the item has changed since it was shown, if it is excluded, if a place is decided, or
    if the choice would not be valid, such as a head that would create a cycle.
    """
    state = fold(entries)
    steps: list[BulkStep] = []
    skipped: list[BulkSkip] = []
    for wish in wishes:
        why = _obstacle(state, wish, seen=state.seen - len(steps))
        if not why:
            try:
                bodies, verdict = Decide(wish.changes).ask(sheet, state)
                why = verdict.problem if verdict else ""
            except UnknownName as error:
                why = f"{error.what}. {error.hint}"
        if why:
            skipped.append(BulkSkip(wish.number, _named(wish.changes, sheet), why))
            continue
        (body,) = bodies
        seen, state = state.seen, _after(state, Decide.name, body)
        steps.append(BulkStep(wish.number, seen, Decide.name, body, tally_of(sheet, state)))
    return steps, skipped


def undoing(
    sheet: Sheet[Any], entries: list[LogEntry], number: int, saved: Sequence[LogEntry]
) -> tuple[list[BulkStep], list[BulkSkip]]:
    """Return the entries that make places undecided again, and the places that were changed afterwards.

    Args:
        sheet: The item.
        entries: All entries of the item.
        number: The number of the item.
        saved: Those of its entries that are undone.
    """
    state = fold(entries)
    keys: list[Key] = []
    skipped: list[BulkSkip] = []
    for entry in saved:
        later = [each for each in state.standing if each.sequence > entry.sequence]
        touched = {
            key for each in later for key in (*each.body.get("changes", ()), *each.body.get("keys", ()))
        }
        undone = entry not in state.standing
        for key in entry.body["changes"]:
            if undone or key in touched:
                skipped.append(BulkSkip(number, name_of(key, sheet), KEPT))
            else:
                keys.append(key)
    if not keys:
        return [], skipped
    (body,), _ = Clear(keys).ask(sheet, state)
    tally = tally_of(sheet, _after(state, Clear.name, body))
    return [BulkStep(number, state.seen, Clear.name, body, tally)], skipped


def _together(sheet: Sheet[Any], state: State, key: Key, value: str) -> dict[Key, str]:
    """Return the choice of a value, and of what its annotators give at places that are decided with this one.

    If they give several values there, as when two annotators of a label have different heads, the other
    places stay undecided.
    """
    group = next((each for each in sheet.groups if key in each), (key,))
    given = [dict(zip(group, values, strict=True)) for values in sheet.given_together(group)]
    found = [each for each in given if each[key] == value]
    if len(found) != 1:
        return {key: value}
    return {each: found[0][each] for each in group if each not in state.decisions}


def _undecided(sheet: Sheet[Any], state: State) -> Iterator[Place]:
    if state.rejected is None:
        yield from (place for place in sheet.places if place.key not in {WHOLE, *state.decisions})


def _obstacle(state: State, wish: BulkWish, *, seen: int) -> str:
    if wish.seen != seen:
        return CHANGED
    if state.rejected is not None:
        return EXCLUDED
    return DECIDED if any(key in state.decisions for key in wish.changes) else ""


def _named(changes: dict[Key, str], sheet: Sheet[Any]) -> str:
    return "; ".join(f"{name_of(key, sheet)}: {value}" for key, value in changes.items())


def _after(state: State, action: str, body: Body) -> State:
    """Return the state after one more entry; who writes it does not matter here."""
    last = LogEntry(0, 0, "", state.seen + 1, 0, "", "", action, body, "")
    return fold([*state.standing, last])

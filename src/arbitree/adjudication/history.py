"""Entries of the history: what a person wrote, to which log, and what others wrote in the meantime.

A log is append-only, and its entries never change. ``events.py`` defines what they mean.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

Body = dict[str, Any]  # content of an entry, as JSON

ITEM = "item/"  # prefix of the names of the logs of items
BULK = "bulk"  # in the body of an entry that was saved with others: their number, and the first request
UNDECIDED, DECIDED, CONTESTED, REJECTED, AGREED = "undecided", "decided", "contested", "rejected", "agreed"


class LogEntry(NamedTuple):
    """One entry of a log; entries never change."""

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
    """The progress of adjudication on one item."""

    status: str
    decided: int
    contested: int


class NewEntry(NamedTuple):
    """An entry that is still to be written."""

    subject: str
    seen: int  # the last entry of the subject before it
    action: str
    body: Body
    request: str  # one for each entry
    tally: ItemTally | None = None  # of the subject after it


class Conflict(Exception):
    """Raised if others wrote first; holds the entries that the writer has not seen."""

    def __init__(self, entries: list[LogEntry]) -> None:
        self.entries = entries
        super().__init__(f"{len(entries)} entries were made in the meantime")


class Wish(NamedTuple):
    """The person who writes, the last entry they have seen, and the identifier of the request."""

    person: int
    name: str
    seen: int
    request: str


def to_write(
    entries: list[LogEntry], wish: Wish, action: str, make: Callable[[list[LogEntry]], Body | None]
) -> Body | None:
    """Return the body of a new entry; None if there is nothing to write, or the request was written before.

    Args:
        entries: Entries of the log, in order.
        wish: The person who writes, and the request.
        action: Name of the action.
        make: Returns the body of the entry for the entries before it, or None if there is nothing to write.

    Raises:
        Conflict: if others wrote after the last entry that the person has seen, or if the same request had
            another content before.
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
    """Return the entries of each item that has any, by item id."""
    found: dict[str, list[LogEntry]] = defaultdict(list)
    for entry in entries:
        if entry.subject.startswith(ITEM):
            found[entry.subject.removeprefix(ITEM)].append(entry)
    return found

"""Entries of the log in words, as the history and the notice of a conflict say them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from arbitree.adjudication import events
from arbitree.adjudication.places import Key, Sheet
from arbitree.errors import UnknownName
from arbitree.web.store import Entry


def name_of(key: Key, sheet: Sheet | None = None) -> str:
    """Return what a place is called: its kind, and the words that it is about.

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


def told(entry: Entry, sheet: Sheet | None = None) -> str:
    """Return what somebody did, without their name."""
    return _TELLERS[entry.action](entry.body, sheet)


def _decided(body: Mapping[str, Any], sheet: Sheet | None) -> str:
    return "decided " + "; ".join(f"{name_of(key, sheet)}: {value}" for key, value in body["changes"].items())


def _noted(body: Mapping[str, Any], sheet: Sheet | None) -> str:
    where = name_of(body["key"], sheet)
    return f"noted on {where}: {body['text']}" if body["text"] else f"removed the note on {where}"


def _cleared(body: Mapping[str, Any], sheet: Sheet | None) -> str:
    return "made undecided again: " + "; ".join(name_of(key, sheet) for key in body["keys"])


def _rejected(body: Mapping[str, Any], sheet: Sheet | None) -> str:
    return "rejected the sentence" + (f": {body['why']}" if body["why"] else "")


def _carried(body: Mapping[str, Any], sheet: Sheet | None) -> str:
    people = dict.fromkeys(name for each in body["people"].values() for name in each)
    if not people:
        return "took over that the sentence is rejected"
    count = "1 decision" if len(body["changes"]) == 1 else f"{len(body['changes'])} decisions"
    return f"took over {count} of {', '.join(people)}"


_TELLERS: dict[str, Callable[[Mapping[str, Any], Sheet | None], str]] = {
    events.DECIDE: _decided,
    events.CARRY: _carried,
    events.CLEAR: _cleared,
    events.NOTE: _noted,
    events.REJECT: _rejected,
    events.REOPEN: lambda body, sheet: "took the sentence in again",
    events.UNDO: lambda body, sheet: f"undid entry {body['of']}",
}

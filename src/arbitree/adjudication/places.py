"""What an adjudicator decides: places, what may be chosen there, and what a choice leads to."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from arbitree.errors import UnknownName, shorten
from arbitree.study.study import Item

Key = str  # "3 head", "1-4 bracket", "label": the place and what is decided there, or that alone

LONGEST = 100  # characters of a value that no coder has


class Choice(NamedTuple):
    """A value, and the coders who gave it."""

    value: str
    coders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """What one decision is about."""

    key: Key
    place: str  # number of a token, or first-last; "" for a whole item
    what: str
    words: str
    context: str
    choices: tuple[Choice, ...]  # in the order of the coders

    @property
    def values(self) -> tuple[str, ...]:
        """What coders say."""
        return tuple(choice.value for choice in self.choices)


class Offer(NamedTuple):
    """A way to have what was refused: other places are changed with it."""

    words: str
    changes: dict[Key, str]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a wish can be fulfilled."""

    changes: dict[Key, str]  # the wish, its values written in full
    problem: str = ""  # why it cannot be
    offers: tuple[Offer, ...] = ()  # what could be changed with it, so that it can
    entails: tuple[str, ...] = ()  # what it rules out or forces elsewhere


Decided = Mapping[Key, str]


class Sheet(Protocol):
    """One item, ready for an adjudicator. It never changes: decisions are handed over each time.

    Decisions on places that the item does not have, and values that mean nothing there, count as not made.
    """

    @property
    def item(self) -> Item:
        """What is adjudicated."""
        ...

    @property
    def kind(self) -> str:
        """The kind of its annotations, or ``whole`` where one coder's is taken as it is."""
        ...

    @property
    def places(self) -> tuple[Place, ...]:
        """The contested places."""
        ...

    @property
    def tokens(self) -> tuple[str, ...]:
        """The words, where there are any."""
        ...

    @property
    def remarks(self) -> tuple[str, ...]:
        """What an adjudicator should know of the item beforehand, in sentences."""
        ...

    def place(self, key: Key) -> Place:
        """Return a place, contested or not; raise UnknownName if there is none."""
        ...

    def judge(self, decisions: Decided, wish: Decided) -> Verdict:
        """Return what comes of deciding *wish* after *decisions*; raise ArbitreeError for bad values."""
        ...

    def blocked(self, decisions: Decided) -> dict[tuple[Key, str], str]:
        """Return the coders' values that undecided places cannot have now, and why."""
        ...

    def of_coder(self, coder: str) -> dict[Key, str]:
        """Return the values of a coder at the contested places."""
        ...

    def gold(self, decisions: Decided) -> Any | None:
        """Return the finished value; None while something is undecided or in trouble."""
        ...

    def so_far(self, decisions: Decided) -> Any:
        """Return what a picture shows of the decisions."""
        ...

    def trouble(self, decisions: Decided) -> str:
        """Return what keeps *decisions* from fitting together, as after one was taken back; "" if nothing."""
        ...

    def left_out(self, decisions: Decided) -> int:
        """Return how many traces the finished value lacks because coders differ on them."""
        ...


def choices_of(said: Iterable[tuple[str, str]]) -> tuple[Choice, ...]:
    """Return the different values among pairs of a coder and a value, in order.

    Example:
        >>> choices_of([("ann", "obj"), ("bob", "obl"), ("cho", "obj")])
        (Choice(value='obj', coders=('ann', 'cho')), Choice(value='obl', coders=('bob',)))
    """
    found: dict[str, list[str]] = {}
    for coder, value in said:
        found.setdefault(value, []).append(coder)
    return tuple(Choice(value, tuple(coders)) for value, coders in found.items())


def of_coder(places: Iterable[Place], coder: str, coders: Sequence[str]) -> dict[Key, str]:
    """Return the values of *coder* at *places*; raise UnknownName if the coder is none of *coders*."""
    if coder not in coders:
        what = f"{shorten(coder)} has not annotated this"
        raise UnknownName(what, hint=f"Take one of {', '.join(coders)}")
    return {place.key: choice.value for place in places for choice in place.choices if coder in choice.coders}


def unknown_place(key: Key, hint: str) -> UnknownName:
    """Return the error for a place that an item does not have."""
    return UnknownName(f"there is no place {shorten(key)} here", hint=hint)


def checked(value: str, what: str, *, blanks: bool = False) -> str:
    """Return a value that no coder has, less the blanks around it; raise UnknownName if it cannot be one.

    Args:
        value: as it was typed.
        what: it is, for the message.
        blanks: whether there may be blanks between words.

    Example:
        >>> checked(" obl:arg ", "label")
        'obl:arg'
    """
    text = value.strip()
    if not text:
        raise UnknownName(f"the {what} is empty", hint=f"Give the {what}, or choose one of the coders'")
    if len(text) > LONGEST:
        what = f"the {what} {shorten(text)} has {len(text)} characters"
        raise UnknownName(what, hint=f"Use at most {LONGEST}")
    if any(unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp") for sign in text):
        raise UnknownName(f"the {what} {shorten(text)} has a control character in it", hint="Take it out")
    if not blanks and any(sign.isspace() for sign in text):
        raise UnknownName(f"the {what} {shorten(text)} has a blank in it", hint="Write it without blanks")
    return " ".join(text.split()) if blanks else text

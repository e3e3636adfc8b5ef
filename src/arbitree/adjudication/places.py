"""What an adjudicator decides: places, what may be chosen there, and what a choice leads to."""

from __future__ import annotations

import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from arbitree.errors import UnknownName, shorten
from arbitree.study.flat_tree import IntArray
from arbitree.study.study import Item, Study, Value

V = TypeVar("V", bound=Value)

Key = str  # "3 head", "1-4 bracket", "label": the place and what is decided there, or that alone

LONGEST = 100  # characters of a value that no coder has
OTHER = "other value"
AROUND = 6  # words on either side of a place that show where it stands


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


@dataclass(frozen=True, slots=True)
class Sheet(ABC, Generic[V]):
    """One item, ready for an adjudicator. It never changes: decisions are handed over each time.

    Decisions on places that the item does not have, and values that mean nothing there, count as not made.
    """

    item: Item
    values: Mapping[str, V]  # by coder
    places: tuple[Place, ...]  # the contested ones
    tokens: tuple[str, ...]  # the words, where there are any

    @property
    @abstractmethod
    def kind(self) -> str:
        """The kind of its annotations, or ``whole`` where one coder's is taken as it is."""

    @property
    def remarks(self) -> tuple[str, ...]:
        """What an adjudicator should know of the item beforehand, in sentences."""
        return ()

    @abstractmethod
    def place(self, key: Key) -> Place:
        """Return a place, contested or not; raise UnknownName if there is none."""

    @abstractmethod
    def judge(self, decisions: Decided, wish: Decided) -> Verdict:
        """Return what comes of deciding *wish* after *decisions*; raise ArbitreeError for bad values."""

    @abstractmethod
    def gold(self, decisions: Decided) -> V | None:
        """Return the finished value; None while something is undecided or in trouble."""

    def blocked(self, decisions: Decided) -> dict[tuple[Key, str], str]:
        """Return the coders' values that undecided places cannot have now, and why."""
        return {}

    def of_coder(self, coder: str) -> dict[Key, str]:
        """Return the values of a coder at the contested places; raise UnknownName for a stranger."""
        if coder not in self.values:
            what = f"{shorten(coder)} has not annotated this"
            raise UnknownName(what, hint=f"Choose one of {', '.join(self.values)}")
        return {
            place.key: choice.value
            for place in self.places
            for choice in place.choices
            if coder in choice.coders
        }

    def so_far(self, decisions: Decided) -> Any:
        """Return what a picture shows of the decisions; None where it shows nothing of them."""
        return None

    def trouble(self, decisions: Decided) -> str:
        """Return what keeps *decisions* from fitting together, as after one was taken back; "" if nothing."""
        return ""

    def left_out(self, decisions: Decided) -> int:
        """Return how many traces the finished value lacks because coders differ on them."""
        return 0


class What(NamedTuple):
    """A thing that is decided at places: a head, a label, a bracket, a tag."""

    title: str  # over a list of such values
    hint: str = OTHER  # how to write a value that no coder gave
    beside: str = ""  # another thing at the same place; who gave that as decided gives the likelier value
    short: bool = False  # the first word of a value is enough to name it
    token: bool = False  # a value names a token of the sentence
    explained: bool = False  # the context of a place says in what the annotations differ
    confusion: str = ""  # what a report calls the matrix of confused values; "" if it has none
    heading: str = ""  # of that matrix on a page
    note: str = ""  # below the heading


def _text(first: Any, said: Any, number: int) -> str:
    return str(said)


class Said(NamedTuple):
    """What coders say of one thing at all places of an item, those on which they agree included.

    Coders agree where their rows are equal. All else is for those who show the values.
    """

    what: str
    names: Sequence[str]  # of the places: the number of a token, first-last, "" for the whole item
    rows: Sequence[Sequence[Hashable]]  # by coder, one value for each place
    who: Sequence[int] | None = None  # which of the coders who were compared; None: all
    # Of the first annotation, what is said, and the number of the place:
    shown: Callable[[Any, Any, int], str] = _text  # what is said, as text
    sort: Callable[[Any, Any, int], str] = _text  # what it is called among those that are confused
    under: Sequence[Sequence[str]] | None = None  # by coder, labels that stand for a difference if they agree
    confused: bool = True  # whether values mean the same in other items, so that confusions can be counted

    @property
    def agreed(self) -> bool:
        """Whether all coders say the same at all places; fast, as most do."""
        return self.rows.count(self.rows[0]) == len(self.rows)

    def differing(self) -> Iterator[tuple[int, tuple[Hashable, ...]]]:
        """Yield the numbers of the places where coders differ, with what they say."""
        for number, said in enumerate(zip(*self.rows, strict=True)):
            if said.count(said[0]) < len(said):
                yield number, said


class Coded(NamedTuple):
    """The values of a study in which every item is one place, as one table of numbers."""

    what: str  # that is decided
    codes: IntArray  # (items, coders), -1 where nothing is said
    names: tuple[str, ...]  # the values


class Places(ABC, Generic[V]):
    """How a kind of annotation is decided place by place."""

    whats: ClassVar[Mapping[str, What]]  # what can be decided, in the order in which reports show confusions
    compared: ClassVar[str] = "annotations"  # what the places hold, in the plural
    listed: ClassVar[tuple[str, ...]] = ()  # those that reports and their workbooks compare
    by_token: ClassVar[bool] = False  # whether all that is said of a token is listed together
    examples: ClassVar[str] = ""  # keys to type for correcting what all agree on; "" where that cannot be

    @abstractmethod
    def compare(self, values: Sequence[V], *, listed: bool = False) -> Iterable[Said] | None:
        """Return what is said at every place of *values*, those on which all agree included.

        Args:
            values: of one item, each with something to compare.
            listed: compare only what reports list, where that is possible at all. They compare trees with the
                same number of tokens, where an adjudicator compares those with the same words.
        Returns:
            None if the values cannot be compared place by place.
        """

    @abstractmethod
    def sheet(self, item: Item, values: Mapping[str, V], *, one_root: bool = False) -> Sheet[V] | None:
        """Return *item* ready for an adjudicator; None if one coder's annotation is to be taken as it is.

        Args:
            item: what is adjudicated.
            values: by coder, at least one.
            one_root: whether a dependency tree must have exactly one token under the root.
        """

    @abstractmethod
    def value_at(self, value: V, key: Key) -> str | None:
        """Return what an annotation says at a place, as coders' values are written."""

    @abstractmethod
    def vocabulary(self, value: V) -> Iterable[tuple[str, Iterable[str]]]:
        """Yield for each thing that is decided what an annotation says, to be offered where one is typed."""

    def idle(self, value: V) -> bool:
        """Return whether there was nothing to annotate, so that a coder without an annotation is done."""
        return False

    def coded(self, study: Study[V], *, empty: bool = False) -> Coded | None:
        """Return a study of single places as one table; None where items have several places.

        Args:
            study: of this kind.
            empty: count an empty annotation, such as a set without tags, as a value of its own.
        """
        return None

    def fault(self, value: V, *, one_root: bool = False) -> str:
        """Return what keeps *value* from being taken as it is, in words; "" if nothing does."""
        return ""

    def faulty(self, values: Sequence[V], *, one_root: bool = False) -> list[int]:
        """Return which of *values* have a fault."""
        return [number for number, value in enumerate(values) if self.fault(value, one_root=one_root)]


def filled(values: Mapping[str, V]) -> Mapping[str, V]:
    """Return the annotations that are not empty; all of them if none is."""
    return {coder: value for coder, value in values.items() if len(value)} or values


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


def unknown_place(key: Key, hint: str) -> UnknownName:
    """Return the error for a place that an item does not have."""
    return UnknownName(f"{shorten(key)} is not a place in this item", hint=hint)


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
        raise UnknownName(f"the {what} is empty", hint=f"Enter a {what}, or choose an annotator's")
    if len(text) > LONGEST:
        what = f"the {what} {shorten(text)} has {len(text)} characters"
        raise UnknownName(what, hint=f"Shorten it to at most {LONGEST} characters")
    if any(unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp") for sign in text):
        raise UnknownName(
            f"the {what} {shorten(text)} contains a control character", hint="Remove the control character"
        )
    if not blanks and any(sign.isspace() for sign in text):
        raise UnknownName(f"the {what} {shorten(text)} contains a space", hint="Write it without spaces")
    return " ".join(text.split()) if blanks else text


def in_context(tokens: Sequence[str], first: int, last: int) -> tuple[str, str]:
    """Return the words from the first to the last token, from 1, and the same with those around them.

    Example:
        >>> in_context(("the", "dog", "barks"), 2, 2)
        ('dog', 'the [dog] barks')
    """
    words = _short(tokens[first - 1 : last])
    left, right = tokens[max(0, first - 1 - AROUND) : first - 1], tokens[last : last + AROUND]
    return words, " ".join([*left, f"[{words}]", *right])


def _short(words: Sequence[str]) -> str:
    """Return *words*, the middle of many left out."""
    return " ".join(words if len(words) <= 8 else (*words[:4], "…", *words[-3:]))

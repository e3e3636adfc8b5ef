"""Places that an adjudicator decides, the choices at each place, and the consequences of a choice."""

from __future__ import annotations

import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, TypeVar

from arbitree.errors import UnknownName, shorten
from arbitree.reading.texts import read_texts
from arbitree.study.flat_tree import IntArray
from arbitree.study.study import Item, Study, Value
from arbitree.wording import listed

if TYPE_CHECKING:
    from arbitree.adjudication.usage import Usage

V = TypeVar("V", bound=Value)

Key = str  # "3 head", "1-4 bracket", "label": the place and what is decided there, or that alone

LONGEST = 100  # characters of a value that no coder has
OTHER = "other value"
NOTHING = "(none)"  # the value at a place where an annotator has nothing, such as no bracket
AROUND = 6  # words on either side of a place that show where it stands


class Choice(NamedTuple):
    """A value, and the annotators who gave it."""

    value: str
    coders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """A part of an annotation on which one decision is made."""

    key: Key
    place: str  # number of a token, first-last, or the name of a node; "" for a whole item
    what: str
    words: str
    context: str
    choices: tuple[Choice, ...]  # in the order of the coders

    @property
    def values(self) -> tuple[str, ...]:
        """The values of the annotators."""
        return tuple(choice.value for choice in self.choices)


class Offer(NamedTuple):
    """A set of changes that makes a refused choice valid, or the same changes, to be saved all the same."""

    words: str
    changes: dict[Key, str]
    confirm: bool = False  # whether to save them in spite of doubts


class Doubt(NamedTuple):
    """A reason not to save a choice."""

    problem: str
    offers: tuple[Offer, ...] = ()
    certain: bool = False  # whether the choice is refused; otherwise the adjudicator may save it all the same


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a choice is valid, and its consequences."""

    changes: dict[Key, str]  # the choice with its full values
    problem: str = ""  # why the choice is not valid
    offers: tuple[Offer, ...] = ()  # changes that would make it valid
    entails: tuple[str, ...] = ()  # consequences at other places


Decided = Mapping[Key, str]


@dataclass(frozen=True, slots=True)
class Sheet(ABC, Generic[V]):
    """One item, prepared for adjudication. It is immutable: decisions are passed to each method.

    Decisions on unknown places, and decisions with invalid values, are ignored.
    """

    item: Item
    values: Mapping[str, V]  # by coder
    places: tuple[Place, ...]  # the contested ones
    tokens: tuple[str, ...]  # the words, where there are any
    usage: Usage | None = field(default=None, kw_only=True, compare=False)  # in the whole study, if known

    @property
    @abstractmethod
    def kind(self) -> str:
        """The kind of its annotations, or ``whole`` if a whole annotation is chosen."""

    @property
    def remarks(self) -> tuple[str, ...]:
        """Notes on the item for the adjudicator, in sentences."""
        return ()

    @property
    def groups(self) -> tuple[tuple[Key, ...], ...]:
        """The contested places that are decided together, unless the adjudicator splits them."""
        return ()

    def given_together(self, keys: Sequence[Key]) -> dict[tuple[str, ...], tuple[str, ...]]:
        """Return the combinations of values at several places, with the annotators who give them."""
        said = [
            {coder: choice.value for choice in self.place(key).choices for coder in choice.coders}
            for key in keys
        ]
        found: dict[tuple[str, ...], tuple[str, ...]] = {}
        for coder in self.values:
            if all(coder in by_coder for by_coder in said):
                values = tuple(by_coder[coder] for by_coder in said)
                found[values] = (*found.get(values, ()), coder)
        return found

    @abstractmethod
    def place(self, key: Key) -> Place:
        """Return a place, contested or not; raise UnknownName if it does not exist."""

    @abstractmethod
    def judge(self, decisions: Decided, wish: Decided) -> Verdict:
        """Check the choice *wish* after *decisions*; raise ArbitreeError for invalid values."""

    def weigh(self, decisions: Decided, wish: Decided, *, confirmed: bool = False) -> Verdict:
        """Check the choice *wish* like ``judge``, and question what is unusual in the whole study.

        Args:
            decisions: The decisions so far.
            wish: The choice.
            confirmed: Whether the adjudicator wants it in spite of doubts.
        Raises:
            ArbitreeError: For invalid values, and for those that are not in the tag set.
        """
        verdict = self.judge(decisions, wish)
        if self.usage is None or verdict.problem:
            return verdict
        for key, value in verdict.changes.items():
            self.usage.check(self.place(key).what, value)
        for doubt in self.doubts(self.usage, decisions, verdict.changes):
            if doubt.certain or not confirmed:
                again = () if doubt.certain else (Offer("Save anyway", verdict.changes, confirm=True),)
                return Verdict(verdict.changes, doubt.problem, (*doubt.offers, *again))
        return verdict

    def doubts(self, usage: Usage, decisions: Decided, changes: Decided) -> Iterator[Doubt]:
        """Yield what is unusual about valid *changes*: values that no annotator uses."""
        for key, value in changes.items():
            place = self.place(key)
            unused = [] if value in place.values else usage.unused(place.what, value)
            if unused:
                yield Doubt(f"No annotator uses {listed(unused, 'or')} as the {place.what}.")

    @abstractmethod
    def gold(self, decisions: Decided) -> V | None:
        """Return the gold annotation; None while a place is undecided or decisions conflict."""

    def blocked(self, decisions: Decided) -> dict[tuple[Key, str], str]:
        """Return the annotators' values that are not valid at undecided places, with the reasons."""
        return {}

    def of_coder(self, coder: str) -> dict[Key, str]:
        """Return the values of an annotator at the contested places; raise UnknownName if there are none."""
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
        """Return the part of the annotation that is decided, for drawings; None if it cannot be drawn."""
        return None

    def trouble(self, decisions: Decided) -> str:
        """Return the conflict between *decisions*, as after one was cleared; "" if there is none."""
        return ""

    def covers(self, place: Place, positions: Collection[int]) -> bool:
        """Return whether a place is among the tokens of a nucleus.

        Args:
            place: A place of this item.
            positions: The numbers of the tokens, from 0, as the analysis behind ``explain`` gives them.
        """
        if not place.place:
            return False
        first, last = span_of(place.place)
        return first - 1 in positions and last - 1 in positions

    def left_out(self, decisions: Decided) -> int:
        """Return the number of traces missing from the gold annotation because annotators differ on them."""
        return 0


class What(NamedTuple):
    """A kind of value that is decided: a head, a label, a bracket, a tag."""

    title: str  # heading of a list of such values
    hint: str = OTHER  # how to write a value that no annotator gave
    beside: str = ""  # kind of value at the same place whose decision makes some values more likely
    short: bool = False  # the first word of a value identifies it
    token: bool = False  # a value names a token of the sentence
    explained: bool = False  # the context of a place describes the differences
    confusion: str = ""  # name of the confusion matrix in reports; "" if there is none
    heading: str = ""  # heading of that matrix
    note: str = ""  # below the heading


def _text(first: Any, said: Any, number: int) -> str:
    return str(said)


class Said(NamedTuple):
    """The values of one kind that annotators give at all places of an item, agreed places included.

    Annotators agree where their rows are equal. The other fields are for display.
    """

    what: str
    names: Sequence[str]  # of the places: the number of a token, first-last, another name, "" for the item
    rows: Sequence[Sequence[Hashable]]  # by coder, one value for each place
    who: Sequence[int] | None = None  # which of the coders who were compared; None: all
    # Of the first annotation, what is said, and the number of the place:
    shown: Callable[[Any, Any, int], str] = _text  # what is said, as text
    sort: Callable[[Any, Any, int], str] = _text  # what it is called among those that are confused
    under: Sequence[Sequence[str]] | None = None  # by coder, labels that stand for a difference if they agree
    confused: bool = True  # whether values mean the same in other items, so that confusions can be counted
    where: Sequence[tuple[str, str]] | None = None  # words and context of places that are not spans of tokens

    def located(self, tokens: Sequence[str], number: int) -> tuple[str, str]:
        """Return the words at a place, and the same words with their context; empty for a whole item."""
        if self.where is not None:
            return self.where[number]
        name = self.names[number]
        return in_context(tokens, *span_of(name)) if name else ("", "")

    @property
    def agreed(self) -> bool:
        """Whether all annotators give the same values at all places; optimised for this common case."""
        return self.rows.count(self.rows[0]) == len(self.rows)

    def differing(self) -> Iterator[tuple[int, tuple[Hashable, ...]]]:
        """Yield the numbers of the places on which annotators differ, with their values."""
        for number, said in enumerate(zip(*self.rows, strict=True)):
            if said.count(said[0]) < len(said):
                yield number, said


class Coded(NamedTuple):
    """The values of a study with one place per item, as a table of codes."""

    what: str  # that is decided
    codes: IntArray  # (items, coders), -1 where nothing is said
    names: tuple[str, ...]  # the values


class Places(ABC, Generic[V]):
    """The places at which annotations of one kind are decided."""

    whats: ClassVar[Mapping[str, What]]  # what can be decided, in the order in which reports show confusions
    compared: ClassVar[str] = "annotations"  # what the places hold, in the plural
    listed: ClassVar[tuple[str, ...]] = ()  # those that reports and their workbooks compare
    by_token: ClassVar[bool] = False  # whether all that is said of a token is listed together
    tagged: ClassVar[Mapping[str, str]] = {}  # kinds of values by their names in tag sets; the main one first
    free: ClassVar[Collection[str]] = ()  # kinds of values that can be any text, such as lemmas
    examples: ClassVar[str] = ""  # keys to type for correcting what all agree on; "" where that cannot be

    @abstractmethod
    def compare(self, values: Sequence[V], *, listed: bool = False) -> Iterable[Said] | None:
        """Return the values at every place of *values*, agreed places included.

        Args:
            values: Annotations of one item, none of them empty.
            listed: Compare only the kinds of values that reports list. Reports compare trees with the same
                number of tokens; adjudication compares trees with the same words.
        Returns:
            None if the values cannot be compared place by place.
        """

    @abstractmethod
    def sheet(self, item: Item, values: Mapping[str, V], *, one_root: bool = False) -> Sheet[V] | None:
        """Return *item* prepared for adjudication; None if a whole annotation has to be chosen.

        Args:
            item: The item to adjudicate.
            values: Annotations by annotator, at least one.
            one_root: Whether a dependency tree must have exactly one root.
        """

    @abstractmethod
    def value_at(self, value: V, key: Key) -> str | None:
        """Return the value of an annotation at a place, written like the annotators' values."""

    @abstractmethod
    def vocabulary(self, value: V) -> Iterable[tuple[str, Iterable[str]]]:
        """Yield the values of an annotation by kind, to be offered in input fields."""

    def atoms(self, what: str, value: str) -> Iterable[str]:
        """Return the tags that a value consists of; most values are one tag."""
        return (value,)

    def glosses(self, path: str, tags: Sequence[str]) -> Mapping[str, str]:
        """Return what *tags* mean, read from the table at *path*.

        The column with most tags tells to which tag a row belongs; the longest other column is the gloss.
        """
        texts = read_texts(path, tags, "tag").texts
        return {tag: text for tag in tags if (text := texts.main(tag))}

    def idle(self, value: V) -> bool:
        """Return whether there was nothing to annotate, so that a missing annotation is complete."""
        return False

    def coded(self, study: Study[V], *, empty: bool = False) -> Coded | None:
        """Return a study with one place per item as a table; None if items have several places.

        Args:
            study: of this kind.
            empty: count an empty annotation, such as a set without tags, as a value of its own.
        """
        return None

    def fault(self, value: V, *, one_root: bool = False) -> str:
        """Return why *value* cannot be chosen as a whole; "" if it can."""
        return ""

    def faulty(self, values: Sequence[V], *, one_root: bool = False) -> list[int]:
        """Return which of *values* have a fault."""
        return [number for number, value in enumerate(values) if self.fault(value, one_root=one_root)]


def filled(values: Mapping[str, V]) -> Mapping[str, V]:
    """Return the annotations that are not empty; all annotations if every one is empty."""
    return {coder: value for coder, value in values.items() if len(value)} or values


def choices_of(said: Iterable[tuple[str, str]]) -> tuple[Choice, ...]:
    """Return the different values in pairs of an annotator and a value, in order.

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
    """Return a typed value without surrounding spaces; raise UnknownName if it is not valid.

    Args:
        value: The text as it was typed.
        what: The kind of value, for the error message.
        blanks: Whether the value may contain spaces.

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


def span_of(name: str) -> tuple[int, int]:
    """Return the first and the last token of a place.

    Example:
        >>> span_of("3"), span_of("1-2,4-5")
        ((3, 3), (1, 5))
    """
    numbers = name.replace(",", "-").split("-")
    return int(numbers[0]), int(numbers[-1])


def in_context(tokens: Sequence[str], first: int, last: int) -> tuple[str, str]:
    """Return the words from the first to the last token (from 1), and the same words with their context.

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

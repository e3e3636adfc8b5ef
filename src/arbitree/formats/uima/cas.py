"""A document with its tokens, sentences and layers of annotation (a UIMA CAS), in offsets of code points."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

SPAN, RELATION, CHAIN = "span", "relation", "chain"
Place = tuple[int, int]  # begin and end


@dataclass(frozen=True, slots=True)
class Mark:
    """One annotation of a layer; for a relation, the place is that of the dependent."""

    begin: int
    end: int
    values: Mapping[str, str]  # of the features that have one
    line: int
    governor: Place | None = None

    @property
    def place(self) -> Place:
        """Where it begins and ends."""
        return self.begin, self.end


@dataclass(slots=True)
class MarkLayer:
    """The annotations of one layer."""

    name: str
    shape: str  # SPAN, RELATION or CHAIN
    marks: list[Mark] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, with its id if the file contains one."""

    begin: int
    end: int
    line: int
    id: str | None = None


@dataclass(slots=True)
class Cas:
    """One document of one annotator."""

    text: str
    sentences: list[Sentence] = field(default_factory=list)
    tokens: list[Place] = field(default_factory=list)
    layers: dict[str, MarkLayer] = field(default_factory=dict)

    def layer(self, name: str, shape: str) -> MarkLayer:
        """Return the layer called *name*, which is created if there is none."""
        return self.layers.setdefault(name, MarkLayer(name, shape))

    def in_one_token(self, place: Place) -> bool:
        """Return whether a place is a token or a part of one."""
        before = bisect_right(self.tokens, (place[0], len(self.text) + 1)) - 1
        spots = self.tokens[max(before - 1, 0) : before + 1]
        return any(begin <= place[0] and place[1] <= end for begin, end in spots)

    def settled(self, place: Place) -> Place:
        """Return a place without white space at its ends; one of no width between tokens is moved to a token.

        INCEpTION does the same when it exports WebAnno TSV.
        """
        begin, end = place
        while begin < end and self.text[begin].isspace():
            begin += 1
        while begin < end and self.text[end - 1].isspace():
            end -= 1
        if begin < end or not self.tokens or self.in_one_token((begin, end)):
            return begin, end
        before = bisect_right(self.tokens, (begin, end)) - 1
        spot = self.tokens[before][1] if before >= 0 else self.tokens[0][0]
        return spot, spot

    def sentence_of(self, place: Place) -> int:
        """Return the number of the sentence, from 1, in which a place begins; 0 if there is none."""
        return bisect_right(self.sentences, place[0], key=lambda each: each.begin)


def code_points(text: str) -> Callable[[int], int]:
    """Return a function from offsets in UTF-16 units, as in Java, to offsets in code points.

    Example:
        >>> offset = code_points("a\\U0001f60ab")
        >>> [offset(unit) for unit in (0, 1, 3, 4)]
        [0, 1, 2, 3]
    """
    if text.isascii() or max(text, default="") <= "\uffff":
        return lambda unit: unit
    return shifted(place for place, sign in enumerate(text) if sign > "\uffff")


def shifted(places: Iterable[int]) -> Callable[[int], int]:
    """Return the function of ``code_points`` for a text with characters of two units at these places."""
    seconds = [place + number + 1 for number, place in enumerate(places)]  # of their second units
    return lambda unit: unit - bisect_left(seconds, unit)

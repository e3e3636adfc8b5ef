"""Decisions of one annotator on the parses of a sentence: the options taken, and the result."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple, Protocol

YES = (1, 3)  # toggled by hand, entailed
NO = (2, 4)
MANUAL = (1, 2)
UNDECIDED = 5

RELATION, TYPE, CONSTITUENT, SELECT, REJECT, DEPENDENCY, TWIG = range(1, 8)  # the column d-type
DISCRIMINANTS = (RELATION, TYPE, CONSTITUENT, DEPENDENCY, TWIG)

ACCEPTED = "accepted"
REJECTED = "rejected"
AMBIGUOUS = "ambiguous"  # several trees are left
UNANNOTATED = "unannotated"  # opened, and left without a decision
LOST = "lost"  # parsed, but no table of the annotation knows it
UNPARSED = "unparsed"  # no reading to choose
OUTCOMES = (ACCEPTED, REJECTED, AMBIGUOUS)  # somebody decided something
STATUSES = (ACCEPTED, REJECTED, AMBIGUOUS, UNANNOTATED, LOST, UNPARSED)

Identity = tuple[int, str, int, int]
Label = str | tuple[int, int]


class Option(NamedTuple):
    """A discriminant with the value that it was given: one row of the table ``decision``.

    Example:
        >>> option = Option(1, DEPENDENCY, "_deep_a_1 ARG1 _sea_n_1", 0, 0)
        >>> option.yes, option.manual, option.label
        (True, True, '_deep_a_1')
    """

    state: int  # 1 to 5
    type: int
    key: str
    start: int
    end: int

    @property
    def identity(self) -> Identity:
        """What makes two rows speak of one discriminant; the words that it spans do not."""
        return self[1:]

    @property
    def yes(self) -> bool:
        """Whether the discriminant holds of the tree that was wanted."""
        return self.state in YES

    @property
    def manual(self) -> bool:
        """Whether a person set it, and not the tool as a consequence."""
        return self.state in MANUAL

    @property
    def label(self) -> Label:
        """What groups options: the first symbol of a dependency, else the span."""
        return self.key.partition(" ")[0] if self.type == DEPENDENCY else (self.start, self.end)


class Reading(NamedTuple):
    """One parse of a sentence as it is stored; a field is "" where the profile has none."""

    id: int
    derivation: str
    mrs: str


class Readings(Protocol):
    """The stored parses of a sentence, read when they are asked for."""

    @property
    def parse(self) -> int:
        """The id of the sentence in the tables of its profile."""
        ...

    def count(self) -> int:
        """Return how many are stored."""
        ...

    def chosen(self) -> list[Reading]:
        """Return those that were preferred."""
        ...

    def every(self) -> list[Reading]:
        """Return all that are stored."""
        ...

    def tokens(self) -> list[tuple[int, int, int, int]]:
        """Return the tokens that the parser had: start and end as in derivations, and in characters."""
        ...

    def notes(self) -> list[str]:
        """Return what was odd about the table when it was read."""
        ...


@dataclass(frozen=True, slots=True)
class Decisions:
    """The annotation of one sentence of a profile.

    Example:
        >>> yes = Option(1, DEPENDENCY, "_deep_a_1 ARG1 _sea_n_1", 0, 0)
        >>> no = Option(4, DEPENDENCY, "_deep_a_1 ARG1 _blue_n_1", 0, 0)
        >>> value = Decisions("the deep blue sea", ACCEPTED, readings=2, options=(yes, no), chosen=(1,))
        >>> value.options == value.decided, len(value)
        (True, 4)
    """

    kind: ClassVar[str] = "decisions"
    plural: ClassVar[str] = "treebanking decisions"
    unit: ClassVar[str] = "sentence"  # what an item is called

    text: str
    status: str
    readings: int = 1  # how many parses there were to choose from
    options: tuple[Option, ...] = ()  # in the order of the file
    chosen: tuple[int, ...] = ()  # ids of the parses that are left
    direct: bool = False  # a tree was picked as a whole
    complete: bool = False  # the profile records undecided discriminants too
    grammar: str = ""  # that made the parses, by its name and version
    length: int = 0  # in words, as the profile counts them; 0: by blanks
    forest: bool = False  # the tool worked on the packed forest: it stores one parse, always with id 0
    stored: Readings | None = field(default=None, compare=False, repr=False)

    def __len__(self) -> int:
        return self.length or len(self.tokens)

    @property
    def tokens(self) -> tuple[str, ...]:
        """The sentence, cut at blanks."""
        return tuple(self.text.split())

    def same_grammar(self, other: Decisions) -> bool:
        """Whether both were made with the same grammar, as far as the profiles tell."""
        return not (self.grammar and other.grammar) or self.grammar == other.grammar

    @property
    def single(self) -> bool:
        """Whether there was one parse only, and nothing to choose."""
        return self.readings == 1 and not (self.forest and self.options)

    @property
    def decided(self) -> tuple[Option, ...]:
        """The options that have a value."""
        if not self.complete:
            return self.options
        return tuple(option for option in self.options if option.state != UNDECIDED)

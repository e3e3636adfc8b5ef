"""Results of an analysis of inconsistencies, used by all reports on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha1
from typing import TYPE_CHECKING, Any, TypeVar

from arbitree.drawing.fragment import Fragment
from arbitree.study.result import Ignored, Result, Table
from arbitree.wording import brief

if TYPE_CHECKING:
    from arbitree.constructions.filters import Narrowed
    from arbitree.constructions.versus import Comparison

CODERS, CORPUS, PARSER = "coders", "corpus", "parser"  # the modes
INTERNAL, EXTERNAL = "internal", "external"  # the kinds: inside the words, or their attachment
GAP = "[...]"
RULES = 2  # raised when the same trees give other nuclei, types or questions; runs are comparable within one


@dataclass(frozen=True, slots=True)
class Occurrence:
    """An occurrence of a nucleus: its position and its fragment."""

    item: str
    positions: tuple[int, ...]  # of the tokens in the sentence, from 0
    coder: str
    fragment: int  # into the fragments of the type
    source: str = ""  # path:line
    left: str = ""  # words before
    right: str = ""  # words after

    @property
    def span(self) -> tuple[int, int]:
        """The first token and the one after the last."""
        return self.positions[0], self.positions[-1] + 1

    @property
    def gaps(self) -> bool:
        """Whether other words occur between the words."""
        return len(self.positions) < self.span[1] - self.span[0]


@dataclass(frozen=True, slots=True)
class Change:
    """A part of the annotation that differs between the fragments of a nucleus."""

    kind: str  # pos, tags, category, phrase, empty; or head, relation
    positions: tuple[int, ...]  # of the tokens in the sentence, from 0
    labels: tuple[str | None, ...]  # one per fragment of the type; None if a fragment has no such node

    def to_dict(self) -> dict[str, Any]:
        """Return the change for JSON."""
        return {"kind": self.kind, "positions": list(self.positions), "labels": list(self.labels)}


# What a change is about, without words and order: ("pos", ("NN", "NNS")) or ("extent", ("NP",)).
Asked = tuple[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Nucleus:
    """The smallest word sequence that is annotated inconsistently, and its occurrences.

    Between annotators, these are the annotations of one sentence. In a corpus, they are the sentences with
    the same words, of which the first few per fragment are stored; ``counts`` counts all of them.

    Example:
        >>> here = [Occurrence("s1", (0, 1, 4), coder, k) for k, coder in enumerate(("ann", "bob"))]
        >>> nucleus = Nucleus(("give", "it", "up"), tuple(here), (1, 1), (0, 2))
        >>> nucleus.words, nucleus.item, nucleus.span
        ('give it [...] up', 's1', (0, 5))
    """

    tokens: tuple[str, ...]
    places: tuple[Occurrence, ...]  # at least two
    counts: tuple[int, ...]  # of the places, by fragment of the type
    differing: tuple[int, ...] = ()  # offsets of the tokens whose annotation differs
    residual: tuple[int, ...] = ()  # those that no smaller nucleus inside explains
    explained_by: tuple[tuple[int, int], ...] = ()  # spans of smaller nuclei that explain all of it
    changes: tuple[Change, ...] = ()  # the differences that this nucleus owns
    asked: tuple[Asked, ...] = ()  # sorted; nuclei with the same ones belong to the same question
    bits: float = 1.0  # surprise: how unusual the rarer annotation of these words is in the study
    evidence: float | None = None  # in a corpus: how likely the first two places show an error
    answers: tuple[str, ...] = ()  # what each fragment has, in words that nuclei of a question share

    __repr__ = brief

    @property
    def words(self) -> str:
        """The words as text; a gap marks other words between them."""
        positions = self.places[0].positions
        parts = [self.tokens[0]] if self.tokens else []
        for token, before, here in zip(self.tokens[1:], positions, positions[1:], strict=False):
            parts += [token] if here == before + 1 else [GAP, token]
        return " ".join(parts)

    @property
    def spread(self) -> bool:
        """Whether the words occur more than once in a corpus."""
        items, coders = ({getattr(place, name) for place in self.places} for name in ("item", "coder"))
        return len(items) > 1 or len(coders) < len(self.places)

    @property
    def item(self) -> str:
        """The item of the first occurrence."""
        return self.places[0].item

    @property
    def span(self) -> tuple[int, int]:
        """The span of the first occurrence."""
        return self.places[0].span

    def outliers(self, share: float = 0.1) -> tuple[int, ...]:
        """Return the fragments of fewer than *share* of the occurrences: in a corpus, likely errors."""
        total = sum(self.counts)
        return tuple(number for number, count in enumerate(self.counts) if 0 < count < share * total)

    def coders_of(self, fragment: int) -> tuple[str, ...]:
        """Return the annotators who gave *fragment* here."""
        return tuple(dict.fromkeys(place.coder for place in self.places if place.fragment == fragment))

    def to_dict(self) -> dict[str, Any]:
        """Return the nucleus for JSON."""
        return {
            "words": self.words,
            "tokens": list(self.tokens),
            "item": self.item,
            "span": list(self.span),
            "counts": list(self.counts),
            "differing": list(self.differing),
            "residual": list(self.residual),
            **({"explained_by": [list(span) for span in self.explained_by]} if self.explained_by else {}),
            **(
                {"changes": [change.to_dict() for change in self.changes]}
                if self.evidence is None
                else {"evidence": self.evidence}
            ),
            "places": [
                {
                    "item": place.item,
                    "span": list(place.span),
                    **({"positions": list(place.positions)} if place.gaps else {}),
                    "coder": place.coder,
                    "fragment": place.fragment,
                    "source": place.source,
                    "left": place.left,
                    "right": place.right,
                }
                for place in self.places
            ],
        }


@dataclass(frozen=True, slots=True)
class Rate:
    """How often a parser misses a construction of the gold standard.

    If only the parser has the construction, the rate is reversed: the share of the parser's occurrences for
    which gold has something else.
    """

    gold: int  # places where gold has the fragment; if side is parser, where the parser has its own
    missed: int  # of these, where the other has anything else
    this: int  # of these, where the other has the fragment of the type
    side: str = "gold"  # or parser: whose places are counted

    @property
    def value(self) -> float | None:
        """The number of missed constructions divided by the number in gold."""
        return self.missed / self.gold if self.gold else None


@dataclass(frozen=True, slots=True)
class Type:
    """Nuclei that are inconsistent in the same way: they have the same set of fragments."""

    code: str  # the same for the same fragments, in every study
    class_: str  # function, pos, function+pos, structural; or label, subtype, attachment, direction ...
    label: str  # in words
    fragments: tuple[Fragment, ...]  # in parser mode gold first
    nuclei: tuple[Nucleus, ...]
    kind: str = INTERNAL
    facets: tuple[str, ...] = ()  # what changes: head change, attachment change, extra or missing node ...
    categories: tuple[str, ...] = ()  # labels in what differs: NP, PP, SBJ, nsubj ...
    sides: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # coder -> nuclei by fragment
    rate: Rate | None = None  # in parser mode
    via_head: bool = False  # only a tag differs, and it moved the head
    question: str | None = None  # code of its question

    __repr__ = brief

    @property
    def size(self) -> int:
        """The number of distinct word sequences."""
        return len({nucleus.tokens for nucleus in self.nuclei})

    @property
    def occurrences(self) -> int:
        """The number of occurrences: sentences and spans between annotators, repetitions in a corpus."""
        return sum(sum(nucleus.counts) if nucleus.spread else 1 for nucleus in self.nuclei)

    @property
    def bits(self) -> float:
        """The surprise of all nuclei together."""
        return sum(nucleus.bits for nucleus in self.nuclei)

    @property
    def evidence(self) -> float | None:
        """In a corpus, the strongest evidence of its nuclei that the difference is an error."""
        return max((each.evidence for each in self.nuclei if each.evidence is not None), default=None)

    def to_dict(self) -> dict[str, Any]:
        """Return the type for JSON."""
        found: dict[str, Any] = {
            "code": self.code,
            "class": self.class_,
            "kind": self.kind,
            "label": self.label,
            "facets": list(self.facets),
            "categories": list(self.categories),
            "size": self.size,
            "occurrences": self.occurrences,
            **({"bits": self.bits, "question": self.question} if self.question else {}),
            "fragments": [fragment.to_dict() for fragment in self.fragments],
            "sides": {coder: list(counts) for coder, counts in self.sides.items()},
        }
        if self.rate:
            rate = self.rate
            found["rate"] = {
                "gold": rate.gold,
                "missed": rate.missed,
                "this": rate.this,
                "value": rate.value,
                "side": rate.side,
            }
        if self.via_head:
            found["via_head"] = True
        if self.evidence is not None:
            found["evidence"] = self.evidence
        return found | {"nuclei": [nucleus.to_dict() for nucleus in self.nuclei]}


@dataclass(frozen=True, slots=True)
class Question:
    """Types that differ in the same labels: NN or NNS, with or without NP."""

    code: str  # the same for the same changes, in every study
    kind: str  # pos, tags, category, phrase, extent, empty, head, direction, relation; several joined by +
    label: str  # the changes in words, and the most frequent nucleus
    changes: tuple[Asked, ...]
    types: tuple[str, ...]  # codes
    size: int  # distinct word sequences
    occurrences: int
    bits: float  # the surprise of all occurrences together
    sides: Mapping[str, str] = field(default_factory=dict)  # what each annotator always has, if one-sided
    directions: tuple[int, ...] = ()  # how often each way to differ occurs, the most frequent first
    words: tuple[str, ...] = ()  # the most frequent nuclei

    __repr__ = brief

    @property
    def one_sided(self) -> bool:
        """Whether each annotator has the same annotation in all of at least six occurrences: a habit."""
        return bool(self.sides)

    def to_dict(self) -> dict[str, Any]:
        """Return the question for JSON."""
        return {
            "code": self.code,
            "kind": self.kind,
            "label": self.label,
            "changes": [{"kind": kind, "labels": list(labels)} for kind, labels in self.changes],
            "types": list(self.types),
            "nuclei": self.size,
            "occurrences": self.occurrences,
            "bits": self.bits,
            "one_sided": self.one_sided,
            "sides": dict(self.sides),
            "directions": list(self.directions),
            "words": list(self.words),
        }


@dataclass(frozen=True, slots=True, repr=False)
class Findings:
    """All types of a study and the questions they belong to, those with most bits first, and counts."""

    mode: str  # coders, corpus or parser
    study_kind: str  # phrase or dependency
    coders: tuple[str, ...]
    items: int  # compared
    tokens: int  # of these items
    types: tuple[Type, ...]
    counts: Mapping[str, int] = field(default_factory=dict)  # compared, consistent, exempt ... nuclei
    tables: Mapping[str, Table] = field(default_factory=dict)  # summary, coders, pairs ... by title
    ignored: tuple[Ignored, ...] = ()
    notes: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    signature: str = ""
    references: tuple[str, ...] = ()  # keys of papers, as in Result
    agreement: tuple[Result, ...] = ()  # values to print with the findings, such as alpha
    gold: str | None = None  # the coder that others are measured against
    questions: tuple[Question, ...] = ()  # empty for methods that ask none
    narrowed: Narrowed | None = None  # the filter, if there is one
    versus: Comparison | None = None  # with an earlier run
    legend: str = ""  # the notation of fragments

    def __repr__(self) -> str:
        found = f"{len(self.types)} types, {self.nuclei} nuclei"
        return f"<Findings: {found} in {self.items} sentences, mode {self.mode}>"

    @property
    def summary(self) -> Table:
        """Types and nuclei of each class, and nuclei per 1,000 tokens."""
        return self.tables["summary"]

    @property
    def nuclei(self) -> int:
        """The number of reported nuclei."""
        return sum(len(each.nuclei) for each in self.types)

    @property
    def items_differing(self) -> int:
        """The number of compared items in which something is inconsistent."""
        return len({place.item for each in self.types for nucleus in each.nuclei for place in nucleus.places})

    @property
    def totals(self) -> dict[str, int]:
        """The number of nuclei, types and questions."""
        return {"nuclei": self.nuclei, "types": len(self.types), "questions": len(self.questions)}

    @property
    def per_thousand(self) -> float | None:
        """Reported nuclei per 1,000 tokens."""
        return 1000 * self.nuclei / self.tokens if self.tokens else None

    @property
    def by_question(self) -> tuple[tuple[Question, tuple[Type, ...]], ...]:
        """The questions, each with its types."""
        types = {each.code: each for each in self.types}
        return tuple((each, tuple(types[code] for code in each.types)) for each in self.questions)

    def of_class(self, class_: str) -> list[Type]:
        """Return the types of one class."""
        return [each for each in self.types if each.class_ == class_]

    def to_dict(self) -> dict[str, Any]:
        """Return the findings as ``--json`` prints them."""
        return {
            "rules": RULES,
            "mode": self.mode,
            "kind": self.study_kind,
            "coders": list(self.coders),
            "gold": self.gold,
            "items": self.items,
            "items_differing": self.items_differing,
            "tokens": self.tokens,
            "nuclei": self.nuclei,
            "per_thousand_tokens": self.per_thousand,
            "counts": dict(self.counts),
            "summary": self.summary.records(),
            "tables": {name: table.records() for name, table in self.tables.items() if name != "summary"},
            "questions": [each.to_dict() for each in self.questions],
            "types": [each.to_dict() for each in self.types],
            "ignored": [
                {"item": each.item, "reason": each.reason, "detail": each.detail} for each in self.ignored
            ],
            "agreement": [result.to_dict() for result in self.agreement],
            "settings": dict(self.settings),
            "signature": self.signature,
            "notes": list(self.notes),
            **({"filter": self.narrowed.to_dict()} if self.narrowed else {}),
            **({"versus": self.versus.to_dict()} if self.versus else {}),
        }


def code_of(kind: str, fragments: Sequence[str], *, ordered: bool = False) -> str:
    """Return the code of a type from the texts of its fragments: the same in every study.

    Example:
        >>> code_of("internal", ["a", "b"]) == code_of("internal", ["b", "a"])
        True
    """
    parts = [kind, *(fragments if ordered else sorted(fragments))]
    return sha1("\n".join(parts).encode("utf-8", "backslashreplace")).hexdigest()[:12]


Ranked = TypeVar("Ranked", Type, Question)


def by_evidence(types: Sequence[Type]) -> tuple[Type, ...]:
    """Return *types* with the strongest evidence first, then by the sum over nuclei, then by code.

    The nuclei of a type have the strongest evidence first, too.
    """

    def strength(nucleus: Nucleus) -> float:
        return -round(nucleus.evidence or 0.0, 9)

    ordered = [replace(each, nuclei=tuple(sorted(each.nuclei, key=strength))) for each in types]
    return tuple(
        sorted(
            ordered, key=lambda each: (strength(each.nuclei[0]), sum(map(strength, each.nuclei)), each.code)
        )
    )


def by_bits(found: Sequence[Ranked]) -> tuple[Ranked, ...]:
    """Return *found* with most bits of surprise first, then by occurrences, then by label."""
    return tuple(
        sorted(found, key=lambda each: (-round(each.bits, 9), -each.occurrences, each.label, each.code))
    )


def by_size(found: Sequence[Ranked]) -> tuple[Ranked, ...]:
    """Return *found* with most nuclei first, then by occurrences, then by code."""
    return tuple(sorted(found, key=lambda each: (-each.size, -each.occurrences, each.code)))


def summary_of(types: Sequence[Type], tokens: int, classes: Sequence[str] = ()) -> Table:
    """Return the table of classes: types, distinct nuclei, occurrences, occurrences per 1,000 tokens.

    Args:
        types: all types.
        tokens: the number of tokens in the compared items.
        classes: classes that have a row even without types, in this order; other classes follow.
    """
    names = dict.fromkeys((*classes, *sorted({each.class_ for each in types})))
    rows = []
    for name in names:
        own = [each for each in types if each.class_ == name]
        places = sum(each.occurrences for each in own)
        rate = 1000 * places / tokens if tokens else None
        rows.append((name, len(own), sum(each.size for each in own), places, rate))
    return Table(("class", "types", "nuclei", "occurrences", "per_thousand"), tuple(rows))

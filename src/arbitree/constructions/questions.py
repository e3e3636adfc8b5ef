"""Questions: groups of types that differ in the same labels, whatever the words and the rest of the tree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from arbitree.constructions.findings import (
    Asked,
    Findings,
    Nucleus,
    Question,
    Type,
    by_bits,
    by_size,
    code_of,
)
from arbitree.wording import listed

NO_CHANGE = "none"  # kind of the heading of types that show only what others own
WRITTEN = 3  # changes in a label
WORDS = 5  # most frequent word sequences of a question
LONGEST = 30  # letters of the words in a label
HABIT = 6  # occurrences: the fewest that give p < 0.05 in a two-sided sign test


@dataclass(frozen=True, slots=True)
class Wording:
    """How a kind of annotation puts changes into words.

    Args:
        changes: a phrase for each kind of change, in which {} stands for the labels, in the order of labels.
        sides: returns what each fragment of a nucleus has, in words that are the same for all nuclei of a
            question; several parts are in the same order.
    """

    changes: Mapping[str, str]
    sides: Callable[[Nucleus], Sequence[tuple[str, ...]]]

    def label(self, changes: Sequence[Asked]) -> str:
        """Return changes as a phrase; only the first three are written out.

        Example:
            >>> wording = Wording({"extent": "{} longer or shorter", "pos": "{}"}, lambda nucleus: [])
            >>> wording.label([("extent", ("PP",)), ("pos", ("JJ", "NN", "VBG"))])
            'PP longer or shorter, JJ, NN or VBG'
        """
        parts = [self.changes[kind].format(listed(labels, "or")) for kind, labels in changes]
        hidden = len(parts) - WRITTEN
        return ", ".join(parts[:WRITTEN]) + (f" and {hidden} more" if hidden > 0 else "")

    def sorted(self, changes: Sequence[Asked]) -> tuple[Asked, ...]:
        """Return changes in the order in which a label names them."""
        order = list(self.changes)
        return tuple(sorted(changes, key=lambda each: (order.index(each[0]), each[1])))


def with_questions(
    types: Sequence[Type], coders: Sequence[str], wording: Wording
) -> tuple[tuple[Type, ...], tuple[Question, ...]]:
    """Return *types* with the codes of their questions, and the questions, most bits first.

    A type belongs to the question of most of its nuclei. Types whose nuclei ask nothing come last, under one
    heading; if no nucleus asks anything, there are no questions.

    Args:
        types: the types; their order stays.
        coders: the annotators.
        wording: how changes are put into words.
    """
    groups: dict[tuple[Asked, ...], list[Type]] = {}
    codes: dict[str, str] = {}
    for each in types:
        counts = Counter(nucleus.asked for nucleus in each.nuclei if nucleus.asked)
        asked = min(counts, key=lambda key: (-counts[key], key), default=())
        groups.setdefault(asked, []).append(each)
        codes[each.code] = _code(asked)
    if not any(groups):
        return tuple(types), ()
    questions = [_question(asked, members, coders, wording) for asked, members in groups.items()]
    asking_first = sorted(by_bits(questions), key=_asks_nothing)
    answered = (
        replace(each, question=codes[each.code], nuclei=tuple(_answered(each, wording))) for each in types
    )
    return tuple(answered), tuple(asking_first)


def narrowed_questions(
    questions: Sequence[Question], types: Sequence[Type], coders: Sequence[str], wording: Wording
) -> tuple[Question, ...]:
    """Return the *questions* of these *types*, counted again, most bits first."""
    members: dict[str | None, list[Type]] = {}
    for each in types:
        members.setdefault(each.question, []).append(each)
    found = [
        replace(_question(each.changes, members[each.code], coders, wording), code=each.code)
        for each in questions
        if each.code in members
    ]
    return tuple(sorted(by_bits(found), key=_asks_nothing))


def sorted_by_nuclei(findings: Findings) -> Findings:
    """Return *findings* with most nuclei first, the order of Kulick et al. (2013)."""
    types = by_size(findings.types)
    rank = {each.code: place for place, each in enumerate(types)}
    questions = [
        replace(each, types=tuple(sorted(each.types, key=rank.__getitem__))) for each in findings.questions
    ]
    return replace(findings, types=types, questions=tuple(sorted(by_size(questions), key=_asks_nothing)))


def _asks_nothing(question: Question) -> bool:
    return not question.changes


def _code(asked: tuple[Asked, ...]) -> str:
    return code_of("question", [f"{kind} {' '.join(labels)}" for kind, labels in asked])


def _question(
    asked: tuple[Asked, ...], types: Sequence[Type], coders: Sequence[str], wording: Wording
) -> Question:
    changes = wording.sorted(asked)
    counts = Counter(nucleus.words for each in types for nucleus in each.nuclei)
    words = sorted(counts, key=lambda text: (-counts[text], len(text), text))[:WORDS]
    nuclei = {nucleus.tokens for each in types for nucleus in each.nuclei}
    occurrences = sum(each.occurrences for each in types)
    sides, directions = sides_of(types, wording)
    return Question(
        code=_code(asked),
        kind="+".join(dict.fromkeys(kind for kind, _ in changes)) or NO_CHANGE,
        label=f"{wording.label(changes) or 'no difference of its own'} ({_short(words[0])})",
        changes=changes,
        types=tuple(each.code for each in types),
        size=len(nuclei),
        occurrences=occurrences,
        bits=sum(each.bits for each in types),
        sides={coder: sides[coder] for coder in coders if coder in sides and occurrences >= HABIT},
        directions=directions,
        words=tuple(words),
    )


def _sides(each: Type, nucleus: Nucleus, wording: Wording) -> Sequence[tuple[str, ...]]:
    sides = wording.sides(nucleus)
    if len(set(sides)) < len(each.fragments):  # nothing that all nuclei of the question share
        return [(fragment.brackets,) for fragment in each.fragments]
    return sides


def _answered(each: Type, wording: Wording) -> Iterator[Nucleus]:
    """Yield the nuclei of a type with the answer that each fragment gives to the question."""
    for nucleus in each.nuclei:
        sides = _sides(each, nucleus, wording)
        short = [", ".join(dict.fromkeys(parts)) for parts in sides]
        distinct = len(set(short)) == len(short)
        yield replace(nucleus, answers=tuple(short if distinct else map(", ".join, sides)))


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def sides_of(types: Sequence[Type], wording: Wording) -> tuple[Mapping[str, str], tuple[int, ...]]:
    """Return what each annotator has, if it is the same in all nuclei, and how often each direction occurs.

    A direction is who has what: two annotators can differ in two directions.
    """
    found: dict[str, set[tuple[str, ...]]] = {}
    directions: Counter[tuple[tuple[str, tuple[str, ...]], ...]] = Counter()
    for each in types:
        for nucleus in each.nuclei:
            sides = _sides(each, nucleus, wording)
            given = {place.coder: sides[place.fragment] for place in nucleus.places}
            directions[tuple(sorted(given.items()))] += 1
            for coder, side in given.items():
                found.setdefault(coder, set()).add(side)
    counts = tuple(sorted(directions.values(), reverse=True))
    if any(len(sides) > 1 for sides in found.values()):
        return {}, counts
    return {coder: ", ".join(dict.fromkeys(next(iter(sides)))) for coder, sides in found.items()}, counts

"""Questions: groups of types that differ in the same labels, whatever the words and the rest of the tree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from arbitree.constructions.findings import (
    Asked,
    Change,
    Findings,
    Nucleus,
    Question,
    Type,
    by_bits,
    by_size,
    code_of,
)
from arbitree.wording import listed

# Changes in words; other kinds, such as pos, are written as their labels.
WORDINGS = {
    "extent": "{} longer or shorter",
    "phrase": "with or without {}",
    "empty": "with or without {}",
    "direction": "direction of {}",
    "head": "attachment of {}",
}
ORDER = ("extent", "category", "phrase", "tags", "empty", "direction", "head", "relation", "pos")
WRITTEN = 3  # changes in a label
WORDS = 5  # most frequent word sequences of a question
LONGEST = 30  # letters of the words in a label
HABIT = 6  # occurrences: the fewest that give p < 0.05 in a two-sided sign test


def with_questions(
    types: Sequence[Type], coders: Sequence[str]
) -> tuple[tuple[Type, ...], tuple[Question, ...]]:
    """Return *types* with the codes of their questions, and the questions, most bits first.

    A type belongs to the question of most of its nuclei. Types whose nuclei ask nothing have no question.

    Args:
        types: the types; their order stays.
        coders: the annotators, if types are differences between annotators.
    """
    groups: dict[tuple[Asked, ...], list[Type]] = {}
    codes: dict[str, str] = {}
    for each in types:
        counts = Counter(nucleus.asked for nucleus in each.nuclei if nucleus.asked)
        if counts:
            asked = min(counts, key=lambda key: (-counts[key], key))
            groups.setdefault(asked, []).append(each)
            codes[each.code] = _code(asked)
    questions = [_question(asked, members, coders) for asked, members in groups.items()]
    return tuple(replace(each, question=codes.get(each.code)) for each in types), by_bits(questions)


def sorted_by_nuclei(findings: Findings) -> Findings:
    """Return *findings* with most nuclei first, the order of Kulick et al. (2013)."""
    types = by_size(findings.types)
    rank = {each.code: place for place, each in enumerate(types)}
    questions = [
        replace(each, types=tuple(sorted(each.types, key=rank.__getitem__))) for each in findings.questions
    ]
    return replace(findings, types=types, questions=by_size(questions))


def _code(asked: tuple[Asked, ...]) -> str:
    return code_of("question", [f"{kind} {' '.join(labels)}" for kind, labels in asked])


def _question(asked: tuple[Asked, ...], types: Sequence[Type], coders: Sequence[str]) -> Question:
    changes = tuple(sorted(asked, key=_rank))
    counts = Counter(nucleus.words for each in types for nucleus in each.nuclei)
    words = sorted(counts, key=lambda text: (-counts[text], len(text), text))[:WORDS]
    nuclei = {nucleus.tokens for each in types for nucleus in each.nuclei}
    occurrences = sum(each.occurrences for each in types)
    sides, directions = sides_of(types)
    return Question(
        code=_code(asked),
        kind="+".join(dict.fromkeys(kind for kind, _ in changes)),
        label=f"{in_words(changes)} ({_short(words[0])})",
        changes=changes,
        types=tuple(each.code for each in types),
        size=len(nuclei),
        occurrences=occurrences,
        bits=sum(each.bits for each in types),
        sides={coder: sides[coder] for coder in coders if coder in sides and occurrences >= HABIT},
        directions=directions,
        words=tuple(words),
    )


def in_words(changes: Sequence[Asked]) -> str:
    """Return changes as a phrase; only the first three are written out.

    Example:
        >>> in_words([("extent", ("PP",)), ("phrase", ("NP",))])
        'PP longer or shorter, with or without NP'
        >>> in_words([("pos", ("JJ", "NN", "VBG"))])
        'JJ, NN or VBG'
    """
    parts = [WORDINGS.get(kind, "{}").format(listed(labels, "or")) for kind, labels in changes]
    hidden = len(parts) - WRITTEN
    return ", ".join(parts[:WRITTEN]) + (f" and {hidden} more" if hidden > 0 else "")


def _rank(asked: Asked) -> tuple[int, str, tuple[str, ...]]:
    kind, labels = asked
    return (ORDER.index(kind) if kind in ORDER else len(ORDER), kind, labels)


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def sides_of(types: Sequence[Type]) -> tuple[Mapping[str, str], tuple[int, ...]]:
    """Return what each annotator has, if it is the same in all nuclei, and how often each direction occurs.

    A direction is who has what: two annotators can differ in two directions.
    """
    found: dict[str, set[tuple[str, ...]]] = {}
    directions: Counter[tuple[tuple[str, tuple[str, ...]], ...]] = Counter()
    for each in types:
        for nucleus in each.nuclei:
            sides = _sides(each, nucleus)
            given = {place.coder: sides[place.fragment] for place in nucleus.places}
            directions[tuple(sorted(given.items()))] += 1
            for coder, side in given.items():
                found.setdefault(coder, set()).add(side)
    counts = tuple(sorted(directions.values(), reverse=True))
    if any(len(sides) > 1 for sides in found.values()):
        return {}, counts
    return {coder: ", ".join(dict.fromkeys(next(iter(sides)))) for coder, sides in found.items()}, counts


def _sides(each: Type, nucleus: Nucleus) -> list[tuple[str, ...]]:
    """Return what distinguishes each fragment of a nucleus, in words that are the same for all nuclei."""
    extents = {label for kind, labels in nucleus.asked if kind == "extent" for label in labels}
    columns: list[tuple[str, ...]] = []
    moved: dict[str, Change] = {}  # the larger of the places where a phrase can end
    for change in nucleus.changes:
        labels = _own(change)
        names = {label for label in labels if label}
        if change.kind == "phrase" and len(names) == 1 and names <= extents:
            (name,) = names
            moved[name] = max(moved.get(name, change), change, key=lambda one: len(one.positions))
        elif change.kind == "head":
            columns.append(_nearness(change))
        else:
            missing = f"no {listed(sorted(names), 'or')}"
            columns.append(tuple(label or missing for label in labels))
    for name, change in moved.items():
        columns.append(tuple(f"{'longer' if label else 'shorter'} {name}" for label in change.labels))
    sides = list(zip(*sorted(columns, key=sorted), strict=True))
    if len(set(sides)) == len(each.fragments):
        return sides
    return [(fragment.brackets,) for fragment in each.fragments]


def _nearness(change: Change) -> tuple[str, ...]:
    """Return where the heads are, seen from the token: they are different words in every sentence.

    Example:
        >>> _nearness(Change("head", (5,), ("4", "2", "ROOT")))
        ('nearer head', 'farther head', 'ROOT')
        >>> _nearness(Change("head", (5,), ("4", "6")))
        ('head before', 'head after')
    """
    labels, token = [label or "" for label in change.labels], change.positions[0]
    known = {label: int(label) - token for label in labels if label.isdecimal()}
    distances = sorted({abs(step) for step in known.values()})
    if len(distances) == 1:
        words = {label: "head before" if step < 0 else "head after" for label, step in known.items()}
    else:
        far = {label: abs(step) > distances[0] for label, step in known.items()}
        words = {label: "farther head" if is_far else "nearer head" for label, is_far in far.items()}
    return tuple(words.get(label, label) for label in labels)


def _own(change: Change) -> tuple[str, ...]:
    """Return the labels of a change without the function tags that do not distinguish them.

    Example:
        >>> _own(Change("tags", (0,), ("NP-CLR", "NP-CLR-TMP")))
        ('NP', 'NP-TMP')
        >>> _own(Change("phrase", (0,), ("ADJP-PRD", None)))
        ('ADJP', '')
    """
    labels = [label or "" for label in change.labels]
    if change.kind in ("category", "phrase"):
        return tuple(label.split("-")[0] for label in labels)
    if change.kind != "tags":
        return tuple(labels)
    split = [label.split("-") for label in labels]
    shared = set.intersection(*(set(parts[1:]) for parts in split))
    return tuple("-".join([parts[0], *(tag for tag in parts[1:] if tag not in shared)]) for parts in split)

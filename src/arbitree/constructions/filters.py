"""Filters of findings: by category or relation, by class, and by words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

from arbitree.constructions.findings import CODERS, CORPUS, Findings, Nucleus, Type, by_bits, summary_of
from arbitree.constructions.grouping import coder_counts, coders_table, pairs_table
from arbitree.constructions.questions import Wording, narrowed_questions
from arbitree.errors import UnknownName
from arbitree.measures.signatures import with_parts
from arbitree.plugins import check_name
from arbitree.wording import listed

SUGGESTED = 9  # categories that an error names


@dataclass(frozen=True, slots=True)
class Filter:
    """Conditions on types and on the words of their nuclei, all of which must hold.

    Example:
        >>> Filter(only=("PP", "NP"), words="with").text
        "category or relation PP or NP; words that contain 'with'"
    """

    only: tuple[str, ...] = ()  # categories or relations: one of them is in the difference
    classes: tuple[str, ...] = ()
    words: str = ""  # part of the words of a nucleus; case is ignored

    def __bool__(self) -> bool:
        return self != NO_FILTER

    @property
    def text(self) -> str:
        """The conditions in words."""
        parts = [f"category or relation {listed(self.only, 'or')}"] if self.only else []
        parts += [f"class {listed(self.classes, 'or')}"] if self.classes else []
        return "; ".join([*parts, *([f"words that contain {self.words!r}"] if self.words else [])])

    @property
    def signature(self) -> list[str]:
        """The conditions as parts of a signature."""
        named = {"only": "+".join(self.only), "class": "+".join(self.classes), "words": self.words}
        return [f"{name}:{value}" for name, value in named.items() if value]

    def to_dict(self) -> dict[str, Any]:
        """Return the conditions for JSON."""
        return {"only": list(self.only), "class": list(self.classes), "words": self.words}

    def nuclei_of(self, each: Type) -> tuple[Nucleus, ...]:
        """Return the nuclei of a type that fulfil the conditions."""
        if self.classes and each.class_ not in self.classes:
            return ()
        if self.only and not set(self.only) & set(each.categories):
            return ()
        part = self.words.lower()
        return tuple(one for one in each.nuclei if part in " ".join(one.tokens).lower())


NO_FILTER = Filter()


@dataclass(frozen=True, slots=True)
class Narrowed:
    """The filter of findings, and what was found before it was applied."""

    filter: Filter
    before: Mapping[str, int]  # number of nuclei, types and questions

    def to_dict(self) -> dict[str, Any]:
        """Return the filter and the counts for JSON."""
        return {**self.filter.to_dict(), "of": dict(self.before)}


def narrowed(findings: Findings, chosen: Filter, wording: Wording | None) -> Findings:
    """Return *findings* with the types and nuclei that fulfil the conditions; everything is counted again.

    Args:
        findings: all findings, not sorted by nuclei.
        chosen: the conditions.
        wording: how changes are put into words, if there are questions.
    """
    _check(findings, chosen)
    types = [
        _with(each, nuclei, findings.coders) for each in findings.types if (nuclei := chosen.nuclei_of(each))
    ]
    questions = findings.questions
    if findings.mode != CORPUS and wording:
        types = list(by_bits(types))
        questions = narrowed_questions(questions, types, findings.coders, wording)
    known = findings.summary.column("class")
    tables = {
        **findings.tables,
        "summary": summary_of(types, findings.tokens, chosen.classes or known),
    }
    if findings.mode == CODERS:
        tables["coders"] = coders_table(types, findings.coders, known)
        tables["pairs"] = pairs_table(types, findings.coders)
    return replace(
        findings,
        types=tuple(types),
        questions=questions,
        tables=tables,
        signature=with_parts(findings.signature, *chosen.signature),
        narrowed=Narrowed(chosen, findings.totals),
    )


def _check(findings: Findings, chosen: Filter) -> None:
    """Raise UnknownName for a class that does not exist, or a category that no type has."""
    for name in chosen.classes:
        check_name(name, findings.summary.column("class"), "class")
    counts = Counter(category for each in findings.types for category in each.categories)
    for name in chosen.only:
        if counts and name not in counts:
            close = get_close_matches(name, counts, n=1) or [
                each for each in counts if each.lower() == name.lower()
            ]
            frequent = [each for each, _ in counts.most_common(SUGGESTED)]
            hint = f"Did you mean {close[0]!r}?" if close else f"The most frequent are {', '.join(frequent)}"
            raise UnknownName(f"no inconsistency has the category or relation {name!r}", hint=hint)


def _with(each: Type, nuclei: tuple[Nucleus, ...], coders: Sequence[str]) -> Type:
    """Return a type with some of its nuclei; a rate is about all of them."""
    if len(nuclei) == len(each.nuclei):
        return each
    return replace(each, nuclei=nuclei, sides=coder_counts(nuclei, coders, len(each.fragments)), rate=None)

"""The interface between ``explain`` and kinds of annotation: methods, options and results."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import pairwise
from typing import Any, ClassVar, Generic, TypeVar

from arbitree.backends.base import Progress
from arbitree.constructions.findings import (
    CODERS,
    CORPUS,
    PARSER,
    Findings,
    Question,
    Type,
    by_bits,
    summary_of,
)
from arbitree.constructions.grouping import coders_table, pairs_table
from arbitree.constructions.questions import Wording, with_questions
from arbitree.errors import UnknownName
from arbitree.measures.options import parsed
from arbitree.plugins import check_name
from arbitree.study.result import Ignored, Table
from arbitree.study.study import Item, Study

MODES = (CODERS, CORPUS, PARSER)
SETTINGS = "setting"
REPEATABLE = ("exclude",)  # settings that can be given several times: regular expressions
COUNTED = ("compared", "consistent", "exempt", "inconsistent", "explained")

V = TypeVar("V")


class Constructions(ABC, Generic[V]):
    """Methods of a kind of annotation for finding inconsistencies."""

    modes: ClassVar[tuple[str, ...]] = MODES  # in which it can compare annotations
    baselines: ClassVar[Mapping[str, str]] = {}  # by name, each with the refusal of other annotations
    wording: ClassVar[Wording | None] = None  # of questions

    @abstractmethod
    def options(self, baseline: str | None = None, mode: str = CODERS) -> Mapping[str, Any]:
        """Return the settings of the method or of a baseline, with their defaults in this mode."""

    @abstractmethod
    def explain(
        self, study: Study[V], *, mode: str, baseline: str | None, progress: Progress, **options: Any
    ) -> Findings:
        """Return the inconsistencies of *study*.

        Args:
            study: the study; in parser mode its reference is the gold standard.
            mode: ``coders``, ``corpus`` or ``parser``.
            baseline: one of ``baselines``, used instead of the method of the kind.
            progress: called with the number of finished items and of all items.
            options: settings by name.
        """


@dataclass(frozen=True)
class ExplainOptions:
    """Settings of a method, each a field with a default; the results record all of them."""

    choices: ClassVar[Mapping[str, tuple[str, ...]]] = {}  # the values of settings that have few

    def __post_init__(self) -> None:
        for name, known in self.choices.items():
            check_name(str(getattr(self, name)), known, f"{name} value")

    def recorded(self, **changes: Any) -> dict[str, Any]:
        """Return the settings by name, including those chosen automatically."""
        return {each.name: getattr(self, each.name) for each in fields(self)} | changes


def parsed_options(texts: Sequence[str], known: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings from texts such as ``min_len=2``, each with the type of its default.

    Example:
        >>> parsed_options(["min_len=2", "refine=no"], {"min_len": 1, "refine": True})
        {'min_len': 2, 'refine': False}
    """
    found: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        name = name.strip().replace("-", "_")
        check_name(name, known, SETTINGS)
        default, value = known[name], value.strip()
        if not equals or not value:
            raise UnknownName(f"setting {name} has no value", hint=f"Write {name}=VALUE")
        if name in REPEATABLE and name in found:
            value = f"{found[name]}|{value}"
        found[name] = parsed(value, 0 if default is None else default, f"setting {name}")
        if isinstance(found[name], int) and found[name] < 0:
            raise UnknownName(f"setting {name} is {value!r}, which is not a number", hint="Write a number")
    return found


@dataclass(slots=True)
class Intake:
    """Counts of compared and excluded items."""

    ignored: list[Ignored] = field(default_factory=list)
    lengths: dict[Hashable, int] = field(default_factory=dict)  # tokens compared, by item
    counts: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)

    @property
    def items(self) -> int:
        """The number of items compared."""
        return len(self.lengths)

    @property
    def tokens(self) -> int:
        """The number of their tokens."""
        return sum(self.lengths.values())

    def leave_out(self, item: Item, coder: str, words: Sequence[str], kept: Sequence[int]) -> None:
        """List the stretches of words that an annotator has and others do not."""
        for before, after in pairwise((-1, *kept, len(words))):
            if after > before + 1:
                stretch = " ".join(words[before + 1 : after])
                where = f"tokens {before + 2} to {after}" if after > before + 2 else f"token {after}"
                detail = f"only {coder} has {stretch!r} as {where}"
                self.ignored.append(Ignored(item.id, "words_aligned", detail))

    def nuclei(self) -> dict[str, int]:
        """Return the counts; those that all methods share come first."""
        return {name: self.counts[name] for name in dict.fromkeys((*COUNTED, *sorted(self.counts)))}


def findings_of(
    study: Study[Any],
    intake: Intake,
    types: tuple[Type, ...],
    *,
    mode: str,
    classes: Sequence[str],
    counts: Mapping[str, int],
    settings: Mapping[str, Any],
    signature: str,
    references: tuple[str, ...],
    tables: Mapping[str, Table] | None = None,
    wording: Wording | None = None,
    legend: str = "",
) -> Findings:
    """Return the findings with their summary and, between annotators, tables of annotators and pairs.

    Args:
        study: the study that was analysed.
        intake: the compared and excluded items.
        types: the types; in a corpus, in the order in which they are shown.
        mode: ``coders``, ``corpus`` or ``parser``.
        classes: the classes that the summary always lists.
        counts: counts of nuclei by outcome.
        settings: the settings of the method.
        signature: the settings needed to reproduce the findings.
        references: the papers behind the method.
        tables: further tables by title.
        wording: how changes are put into words; without it, types are not grouped into questions.
        legend: the notation of fragments, in one sentence.
    """
    shown = {"summary": summary_of(types, intake.tokens, classes), **(tables or {})}
    if mode == CODERS:
        shown["coders"] = coders_table(types, study.coders, classes)
        shown["pairs"] = pairs_table(types, study.coders)
    questions: tuple[Question, ...] = ()
    if mode != CORPUS and wording:  # in a corpus, types are ordered by evidence
        types, questions = with_questions(by_bits(types), study.coders, wording)
    return Findings(
        mode=mode,
        study_kind=study.value_type.kind,
        coders=study.coders,
        items=intake.items,
        tokens=intake.tokens,
        types=types,
        counts=counts,
        tables=shown,
        ignored=tuple(intake.ignored),
        notes=tuple(intake.notes),
        settings=settings,
        signature=signature,
        references=references,
        gold=study.reference if mode == PARSER else None,
        questions=questions,
        legend=legend,
    )

"""Items for which the adjudicator chooses the whole annotation of one annotator."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from arbitree.adjudication.places import (
    Choice,
    Decided,
    Key,
    Place,
    Sheet,
    V,
    Verdict,
    filled,
    unknown_place,
)
from arbitree.errors import StudyError, UnknownName, shorten
from arbitree.study.study import Item, Study

if TYPE_CHECKING:
    from arbitree.kinds.kind import Kind

WHOLE = "whole"


@dataclass(frozen=True, slots=True)
class WholeSheet(Sheet[V]):
    """A sheet with one place, ``whole``, whose values are names of annotators.

    It is used if the annotators' tokens differ, if only one annotator has annotated the item, if trees have
    no words, and for kinds of annotation without places. Annotators with equal annotations are one choice,
    named after the first of them.
    """

    whole: Place
    faults: Mapping[str, str]  # why a coder's annotation cannot be taken

    @property
    def kind(self) -> str:
        """The name of this kind of sheet."""
        return WHOLE

    @property
    def remarks(self) -> tuple[str, ...]:
        """The reason why a whole annotation has to be chosen."""
        if not self.places:
            return ()
        if len(self.values) == 1:
            return (f"Only {next(iter(self.values))} has annotated this.",)
        if len({value.tokens for value in self.values.values()}) > 1:
            return ("The annotators' tokens differ, so choose the whole annotation of one annotator.",)
        return ("There are no words to compare, so choose the whole annotation of one annotator.",)

    def place(self, key: Key) -> Place:
        """Return the only place."""
        if key != WHOLE:
            raise unknown_place(key, f"The only place is {WHOLE!r}")
        return self.whole

    def judge(self, decisions: Decided, wish: Decided) -> Verdict:
        """Return the choice, as the name of the first annotator with an equal annotation."""
        changes = {self.place(key).key: self._choice(value) for key, value in wish.items()}
        problem = self.faults.get(changes.get(WHOLE, ""), "")
        return Verdict(changes, problem and f"{problem} Choose another annotator's tree, or fix the file.")

    def blocked(self, decisions: Decided) -> dict[tuple[Key, str], str]:
        """Return the annotators whose trees are not valid."""
        return {} if WHOLE in decisions else {(WHOLE, coder): fault for coder, fault in self.faults.items()}

    def gold(self, decisions: Decided) -> V | None:
        """Return the annotation of the chosen annotator."""
        chosen = decisions.get(WHOLE, "" if self.places else self.whole.values[0])
        return None if chosen in self.faults else self.values.get(chosen)

    def trouble(self, decisions: Decided) -> str:
        """Return the fault of the chosen tree."""
        return self.faults.get(decisions.get(WHOLE, ""), "")

    def _choice(self, coder: str) -> str:
        for choice in self.whole.choices:
            if coder in choice.coders:
                return choice.value
        hint = f"Choose one of {', '.join(self.values)}"
        raise UnknownName(f"{shorten(coder)} has not annotated this", hint=hint)


def whole_sheet(
    kind: Kind[V], item: Item, values: Mapping[str, V], *, one_root: bool = False
) -> WholeSheet[V]:
    """Return the sheet for choosing a whole annotation."""
    groups: dict[Hashable, list[str]] = {}
    for coder, value in values.items():
        groups.setdefault(kind.content(value), []).append(coder)
    choices = tuple(Choice(group[0], tuple(group)) for group in groups.values())
    first = [values[choice.value] for choice in choices]
    texts = [kind.places.fault(value, one_root=one_root) for value in first] if kind.places else []
    faults = {choice.value: fault for choice, fault in zip(choices, texts, strict=False) if fault}
    place = Place(WHOLE, "", WHOLE, "", "", choices)
    agreed = len(choices) == 1 and len(values) > 1 and not faults
    return WholeSheet(item, values, () if agreed else (place,), kind.tokens(first[0]), place, faults)


def sheet_of(study: Study[V], item: Item, kind: Kind[V], *, one_root: bool = False) -> Sheet[V]:
    """Return *item* prepared for adjudication.

    Args:
        study: A study of any kind.
        item: An item that at least one annotator has annotated.
        kind: The kind of its annotations.
        one_root: Whether a dependency tree must have exactly one root.
    Returns:
        A sheet with the contested places of the item. Empty annotations are ignored if there are others.
        The adjudicator chooses a whole annotation if the kind has no places, if the tokens differ, or if only
        one annotator has annotated the item and the tree has no cycle.

    Example:
        >>> from arbitree import kinds, read
        >>> study = read("examples/dependency/ann.conllu", "examples/dependency/bob.conllu")
        >>> sheets = [sheet_of(study, item, kinds.of(study)) for item in study.items]
        >>> sum(bool(sheet.places) for sheet in sheets) <= len(sheets)
        True
    """
    every = {cell.coder: cell.value for cell in study.of(item)}
    if not every:
        hint = "Adjudicate items that at least one annotator has annotated"
        raise StudyError(f"no annotator has annotated {item.id!r}", hint=hint)
    sheet = kind.places.sheet(item, every, one_root=one_root) if kind.places else None
    return sheet or whole_sheet(kind, item, filled(every), one_root=one_root)

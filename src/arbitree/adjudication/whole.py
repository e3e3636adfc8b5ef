"""An item of which one coder's annotation is taken as it is: there is nothing to put together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from arbitree.adjudication.places import Choice, Decided, Key, Place, Sheet, Verdict, of_coder, unknown_place
from arbitree.errors import StudyError, UnknownName, UnsupportedStudy, shorten
from arbitree.kinds.dependency.places import comparable, dependency_sheet
from arbitree.kinds.dependency.value import DepTree
from arbitree.kinds.labels.places import label_sheet
from arbitree.kinds.labels.value import Label, Tags
from arbitree.kinds.phrase.places import has_places, phrase_sheet
from arbitree.kinds.phrase.value import PhraseTree
from arbitree.kinds.treebanking.places import profile_sheet
from arbitree.kinds.treebanking.value import Decisions
from arbitree.study.study import Item, Study

WHOLE = "whole"


@dataclass(frozen=True, slots=True)
class WholeSheet:
    """A sheet with one place, ``whole``, at which a coder is named.

    It serves where coders have other tokens than each other, where one coder alone has the item, and where
    trees have no words. Coders who have the same are one choice, which the first of them names.
    """

    kind: ClassVar[str] = WHOLE

    item: Item
    values: Mapping[str, Any]  # by coder
    whole: Place
    faults: Mapping[str, str]  # why a coder's tree cannot be taken

    @property
    def tokens(self) -> tuple[str, ...]:
        """The words, as the first coder has them; labels have none."""
        first = next(iter(self.values.values()))
        return () if isinstance(first, Label | Tags) else tuple(first.tokens)

    @property
    def places(self) -> tuple[Place, ...]:
        """The one place, unless several coders have the same."""
        agreed = len(self.whole.choices) == 1 and len(self.values) > 1 and not self.faults
        return () if agreed else (self.whole,)

    @property
    def remarks(self) -> tuple[str, ...]:
        """Why the annotation of one coder is taken as it is."""
        if not self.places:
            return ()
        if len(self.values) == 1:
            return (f"Only {next(iter(self.values))} has annotated this.",)
        if len({value.tokens for value in self.values.values()}) > 1:
            return ("The coders have different tokens: take the annotation of one as it is.",)
        return ("There are no words that could be compared: take the annotation of one coder as it is.",)

    def place(self, key: Key) -> Place:
        """Return the one place."""
        if key != WHOLE:
            raise unknown_place(key, f"The one place is {WHOLE!r}")
        return self.whole

    def judge(self, decisions: Decided, wish: Decided) -> Verdict:
        """Return the wish with the name of the first coder who has the same."""
        changes = {self.place(key).key: self._choice(value) for key, value in wish.items()}
        problem = self.faults.get(changes.get(WHOLE, ""), "")
        return Verdict(changes, problem and f"{problem} Take another coder's tree, or mend the file.")

    def blocked(self, decisions: Decided) -> dict[tuple[Key, str], str]:
        """Return the coders whose trees are none."""
        return {} if WHOLE in decisions else {(WHOLE, coder): fault for coder, fault in self.faults.items()}

    def of_coder(self, coder: str) -> dict[Key, str]:
        """Return the choice that stands for a coder."""
        return of_coder(self.places, coder, tuple(self.values))

    def gold(self, decisions: Decided) -> Any | None:
        """Return the annotation of the coder who was chosen."""
        chosen = decisions.get(WHOLE, "" if self.places else self.whole.values[0])
        return None if chosen in self.faults else self.values.get(chosen)

    def so_far(self, decisions: Decided) -> Any:
        """Return None: a coder's own picture shows it."""
        return None

    def trouble(self, decisions: Decided) -> str:
        """Return what is wrong with the tree that was chosen."""
        return self.faults.get(decisions.get(WHOLE, ""), "")

    def left_out(self, decisions: Decided) -> int:
        """Return 0: nothing is left out."""
        return 0

    def _choice(self, coder: str) -> str:
        for choice in self.whole.choices:
            if coder in choice.coders:
                return choice.value
        hint = f"Take one of {', '.join(self.values)}"
        raise UnknownName(f"{shorten(coder)} has not annotated this", hint=hint)


def whole_sheet(item: Item, values: Mapping[str, Any], *, one_root: bool = False) -> WholeSheet:
    """Return the sheet on which one coder's value is chosen.

    Example:
        >>> trees = {"ann": DepTree(("cannot",), (0,), ("root",)), "bob": DepTree((), (), ())}
        >>> whole_sheet(Item("s1", "text", "s1"), trees).places[0].values
        ('ann', 'bob')
    """
    groups: list[list[str]] = []
    for coder, value in values.items():
        same = next((group for group in groups if _content(values[group[0]]) == _content(value)), None)
        if same is None:
            groups.append([coder])
        else:
            same.append(coder)
    choices = tuple(Choice(group[0], tuple(group)) for group in groups)
    faults = {
        choice.value: fault
        for choice in choices
        if (fault := fault_of(values[choice.value], one_root=one_root))
    }
    return WholeSheet(item, values, Place(WHOLE, "", WHOLE, "", "", choices), faults)


def fault_of(value: Any, *, one_root: bool) -> str:
    """Return what keeps a dependency tree from being one, in words."""
    if not isinstance(value, DepTree):
        return ""
    sheet = dependency_sheet(Item("", "", ""), {"": value}, one_root=one_root)
    return sheet.trouble(sheet.of_coder("")) if sheet.places else ""


def _content(value: Any) -> Any:
    """Return what makes two annotations the same: not their comments, nor columns beside the trees."""
    if isinstance(value, DepTree):
        return value.tokens, value.heads, value.relations
    if isinstance(value, PhraseTree):
        return value.words, value.labels, value.parents
    return value


def sheet_of(study: Study[Any], item: Item, *, one_root: bool = False) -> Sheet:
    """Return *item* ready for an adjudicator.

    Args:
        study: of trees, labels, sets of tags or profiles.
        item: one of its items that at least one coder has annotated.
        one_root: whether a dependency tree must have exactly one token under the root.
    Returns:
        A sheet of the item's contested places. Annotations without tokens do not count if there are others.
        A coder's annotation is taken as a whole where coders differ in the tokens, and where one coder alone
        has the item, unless that coder's tree has a circle, which is then the adjudicator's to break.

    Example:
        >>> from arbitree.api.read import read
        >>> study = read("examples/dependency/ann.conllu", "examples/dependency/bob.conllu")
        >>> sheets = [sheet_of(study, item) for item in study.items]
        >>> sum(bool(sheet.places) for sheet in sheets) <= len(sheets)
        True
    """
    every = {cell.coder: cell.value for cell in study.of(item)}
    if not every:
        hint = "Adjudicate items that a coder has annotated"
        raise StudyError(f"no coder has annotated {item.id!r}", hint=hint)
    values = {coder: value for coder, value in every.items() if len(value)} or every
    first = next(iter(values.values()))
    if isinstance(first, Label | Tags) and len(values) > 1:
        return label_sheet(item, values)
    if isinstance(first, DepTree):
        if (len(values) > 1 and comparable(values)) or (
            len(values) == 1 and fault_of(first, one_root=one_root)
        ):
            return dependency_sheet(item, values, one_root=one_root)
        return whole_sheet(item, values, one_root=one_root)
    if isinstance(first, PhraseTree) and len(values) > 1 and has_places(values):
        return phrase_sheet(item, values)
    if isinstance(first, Decisions) and len(values) > 1:
        return profile_sheet(item, values)
    if isinstance(first, Label | Tags | PhraseTree | Decisions):
        return whole_sheet(item, values)
    what = f"{getattr(first, 'kind', type(first).__name__)} annotations have no places to decide"
    raise UnsupportedStudy(what, hint="Give trees, labels or profiles")

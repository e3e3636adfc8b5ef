"""The sheet of an item: what coders say of it, made ready for an adjudicator."""

from __future__ import annotations

from typing import Any

from arbitree.analyses.adjudication.dependency import comparable, dependency_sheet
from arbitree.analyses.adjudication.labels import label_sheet
from arbitree.analyses.adjudication.phrase import has_places, phrase_sheet
from arbitree.analyses.adjudication.places import Sheet
from arbitree.analyses.adjudication.profiles import profile_sheet
from arbitree.analyses.adjudication.wholes import fault_of, whole_sheet
from arbitree.data.decisions import Decisions
from arbitree.data.dependency import DepTree
from arbitree.data.labels import Label, Tags
from arbitree.data.phrase import PhraseTree
from arbitree.data.study import Item, Study
from arbitree.errors import StudyError, UnsupportedStudy


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
        >>> from arbitree.interface import read
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

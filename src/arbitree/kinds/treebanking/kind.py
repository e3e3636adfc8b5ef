"""Treebanking decisions on the parses of a grammar as a kind of annotation."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from arbitree.kinds.kind import Kind, View
from arbitree.kinds.treebanking.value import OUTCOMES, Decisions
from arbitree.study.study import Item

if TYPE_CHECKING:
    from arbitree.kinds.treebanking.disputes import Split
    from arbitree.kinds.treebanking.places import ProfilePlaces


class TreebankingKind(Kind[Decisions]):
    """Treebanking decisions on the parses of a grammar."""

    name: ClassVar[str] = "treebanking"
    noun: ClassVar[str] = "treebanking decisions"
    values: ClassVar[tuple[type, ...]] = (Decisions,)
    writers: ClassVar[tuple[str, ...]] = ("labels",)  # of their outcomes
    leading: ClassVar[tuple[str, ...]] = ("y_option_kappa",)
    order: ClassVar[tuple[str, ...]] = ("y_option_kappa",)

    def describe(self, value: Decisions) -> str:
        """Return the status, and the remaining parses."""
        if value.forest:
            return f"{value.status}, in a packed forest"
        parses = ", ".join(map(str, value.chosen[:5])) + (" ..." if len(value.chosen) > 5 else "")
        chosen = f" number {parses}" if parses else ""
        return f"{value.status}{chosen} of {value.readings:,} {'parse' if value.readings == 1 else 'parses'}"

    def record(self, value: Decisions) -> dict[str, Any]:
        """Return the sentence, the status, and the remaining parses."""
        return {
            "text": value.text,
            "status": value.status,
            "chosen": value.chosen,
            "readings": value.readings,
        }

    def done(self, value: Decisions) -> bool:
        """Return whether the annotator accepted, rejected or narrowed down the parses."""
        return value.status in OUTCOMES

    def written(self, value: Decisions, values: Mapping[str, Decisions]) -> str:
        """Return what came of the sentence, in the words in which an adjudicator chooses it."""
        return self.places.written(value, values)

    def splits(self, item: Item, first: Decisions, second: Decisions) -> tuple[Split, ...]:
        """Return the options that two annotators took differently, if both have decided the sentence."""
        from arbitree.kinds.treebanking.derivation import full_forest_lexicon
        from arbitree.kinds.treebanking.disputes import splits_of

        if not (self.done(first) and self.done(second)):
            return ()
        return tuple(splits_of(item, first, second, full_forest_lexicon((first, second))))

    @property
    def places(self) -> ProfilePlaces:
        """How annotations are compared and decided place by place."""
        from arbitree.kinds.treebanking.places import PLACES

        return PLACES

    @cached_property
    def views(self) -> Mapping[str, View[Decisions]]:
        """The accepted parses as trees and as meaning representations."""
        from arbitree.kinds.graphs.kind import KIND as GRAPHS
        from arbitree.kinds.phrase.kind import KIND as PHRASE
        from arbitree.kinds.treebanking.views import meanings, readings

        return {"readings": View(PHRASE, readings), "meanings": View(GRAPHS, meanings)}


KIND = TreebankingKind()

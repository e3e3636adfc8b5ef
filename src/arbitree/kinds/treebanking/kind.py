"""Treebanking decisions on the parses of a grammar as a kind of annotation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from arbitree.kinds.kind import Kind, View
from arbitree.kinds.treebanking.value import OUTCOMES, REJECTED, Decisions
from arbitree.study.study import Item, Study
from arbitree.wording import count_of

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
    seen: ClassVar[tuple[str, ...]] = ("decisions", "accepted")

    def describe(self, value: Decisions) -> str:
        """Return the status, and the remaining parses."""
        if value.forest:
            return f"{value.status}, in a packed forest"
        parses = ", ".join(map(str, value.chosen[:5])) + (" ..." if len(value.chosen) > 5 else "")
        among = count_of(value.readings, "parse")
        if parses:
            return f"{value.status} number {parses} of {among}"
        return f"{value.status} {among}" if value.status == REJECTED else f"{value.status}, {among}"

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
    def aspects(self) -> Mapping[str, Callable[[Decisions], str]]:
        """The decisions, the accepted parses, and all parses from which discriminants are computed."""
        return {"decisions": _decisions, "accepted": _accepted, "parses": _parses}

    @property
    def places(self) -> ProfilePlaces:
        """How annotations are compared and decided place by place."""
        from arbitree.kinds.treebanking.places import PLACES

        return PLACES

    def column(self, study: Study[Decisions], name: str) -> Study[Any]:
        """Return who accepted what (``outcome``), or the discriminants set to yes (``yes``, ``derived_yes``).

        ``derived_yes`` are the discriminants of any annotator that hold of the accepted derivation.
        """
        from arbitree.kinds.treebanking.views import column

        return column(study, name)

    @cached_property
    def views(self) -> Mapping[str, View[Decisions]]:
        """The accepted parses as trees and as meaning representations."""
        from arbitree.kinds.graphs.kind import KIND as GRAPHS
        from arbitree.kinds.phrase.kind import KIND as PHRASE
        from arbitree.kinds.treebanking.views import meanings, readings

        return {"readings": View(PHRASE, readings), "meanings": View(GRAPHS, meanings)}


def _decisions(value: Decisions) -> str:
    """Return all fields, with options and parses in an order that does not depend on the file."""
    stored = (value.text, value.status, value.readings, value.direct, value.complete, value.grammar)
    return repr((*stored, value.length, value.forest, sorted(value.options), sorted(value.chosen)))


def _accepted(value: Decisions) -> str:
    return "\n".join(reading.derivation for reading in value.stored.chosen()) if value.stored else ""


def _parses(value: Decisions) -> str:
    """Return all stored parses, unless the discriminants themselves are stored."""
    from arbitree.kinds.treebanking.measures.discriminants import has_stored

    if value.stored is None or not value.chosen or has_stored(value):
        return ""
    return "\n".join(f"{reading.id} {reading.derivation}" for reading in sorted(value.stored.every()))


KIND = TreebankingKind()

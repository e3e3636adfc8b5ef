"""Elementary dependency matching (EDM): the triples that two semantic graphs share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from arbitree.kinds.graphs.measures.counts import CountRecipe, Matches, Rows, over
from arbitree.kinds.graphs.value import FAMILIES, Semantics
from arbitree.measures.measure import FloatArray, Tally
from arbitree.measures.ratio import Ratio


@dataclass(frozen=True, slots=True)
class MatchRecipe(CountRecipe):
    """Count the elementary dependencies of a study."""

    families: ClassVar[tuple[str, ...]] = FAMILIES
    empty: ClassVar[Semantics] = Semantics()

    ignore_missing: bool = False

    def counts(self, gold: Semantics, other: Semantics) -> Rows:
        """Return the numbers of triples of both graphs and of shared triples, by family."""
        rows: list[list[int]] = [[], [], []]
        for family in FAMILIES:
            ours, theirs = Counter(gold.triples(family)), Counter(other.triples(family))
            for row, count in zip(rows, (ours.total(), theirs.total(), (ours & theirs).total()), strict=True):
                row.append(count)
        return rows


@dataclass(frozen=True, slots=True)
class ElementaryDependencies(Ratio[Matches]):
    """EDM: F1 of the triples of two meaning representations.

    Triples are names (span and predicate), arguments (span, role, span), properties (span, feature, value),
    constants and the topmost predication.

    Args:
        names, args, props, constants, top: Weights of the families of triples; 0 excludes a family.
        ignore_missing: Exclude sentences without a second annotation, instead of counting all their gold
            triples as missed.
    Reference:
        Dridan & Oepen (2011).
    """

    kinds: ClassVar[tuple[type, ...]] = (Semantics,)
    references: ClassVar[tuple[str, ...]] = ("dridan-oepen2011",)
    ranks_systems: ClassVar[bool] = True
    by_default: ClassVar[bool] = True
    undefined: ClassVar[str] = "no_triples"
    about: ClassVar[str] = "EDM: F1 of the elementary dependencies of meaning representations"

    names: float = 1.0
    args: float = 1.0
    props: float = 1.0
    constants: float = 1.0
    top: float = 1.0
    ignore_missing: bool = False

    @property
    def statistics(self) -> MatchRecipe:
        """The recipe that counts the triples."""
        return MatchRecipe(self.ignore_missing)

    def count(self, stats: Matches) -> Tally:
        """Return the number of shared triples, and the mean number of triples."""
        weights = np.array([getattr(self, family) for family in FAMILIES])
        gold, other, both = (weights @ table for table in (stats.gold, stats.other, stats.both))
        return Tally(both, (gold + other) / 2, {"gold": gold, "system": other})

    def details(self, stats: Matches, weights: FloatArray) -> Mapping[str, Any]:
        """Return precision and recall for all triples and for every family."""
        sums = dict(Ratio.details(self, stats, weights))
        row = weights[0][stats.columns]
        found = {
            "precision": over(sums["numerator"], sums["system"]),
            "recall": over(sums["numerator"], sums["gold"]),
        }
        families = {
            family: {
                "precision": over(float(row @ stats.both[k]), float(row @ stats.other[k])),
                "recall": over(float(row @ stats.both[k]), float(row @ stats.gold[k])),
            }
            for k, family in enumerate(FAMILIES)
        }
        return sums | found | {"families": families}


PLUGINS = {"edm": ElementaryDependencies()}

"""Elementary dependency matching (EDM): the triples that two semantic graphs share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from arbitree.backends.base import Run
from arbitree.kinds.graphs.value import FAMILIES, Semantics
from arbitree.measures.measure import FloatArray, Statistics, Tally
from arbitree.measures.ratio import Compared, Ratio
from arbitree.study.comparable import annotated, cluster_positions
from arbitree.study.result import Ignored
from arbitree.study.study import Annotation, Item, Study


@dataclass(frozen=True, slots=True, kw_only=True)
class Matches(Compared):
    """Numbers of triples of every item by family, averaged over its pairs."""

    gold: FloatArray  # (families, items)
    other: FloatArray
    both: FloatArray


@dataclass(frozen=True, slots=True)
class MatchRecipe(Statistics[Matches]):
    """Count the triples of a study.

    In a study with a reference, all gold triples of a sentence without an annotation count as missed,
    unless such sentences are excluded.
    """

    ignore_missing: bool = False

    def prepare(self, study: Study[Semantics], run: Run) -> Matches:
        """Count the triples of *study*; *run* is not used."""
        used: list[Item] = []
        ignored: list[Ignored] = []
        counts: list[Any] = []
        for item, cells in study:
            pairs = self._pairs(study, item, cells)
            if isinstance(pairs, Ignored):
                ignored.append(pairs)
                continue
            used.append(item)
            counts.append(np.mean([_counts(*pair) for pair in pairs], axis=0))
        places = cluster_positions(study)
        table = np.array(counts, dtype=np.float64).reshape(len(used), 3, len(FAMILIES))
        gold, other, both = (table[:, side].T for side in range(3))
        return Matches(
            gold=gold,
            other=other,
            both=both,
            columns=np.array([places[item.cluster] for item in used], dtype=np.intp),
            used=tuple(used),
            ignored=tuple(ignored),
        )

    def _pairs(
        self, study: Study[Semantics], item: Item, cells: list[Annotation[Semantics]]
    ) -> list[tuple[Semantics, Semantics]] | Ignored:
        full = {cell.coder: cell.value for cell in annotated(cells)}
        reference = study.reference
        if reference is None:
            pairs = list(combinations(full.values(), 2))
            return pairs or Ignored(item.id, "single_annotation", "fewer than 2 annotations")
        if reference not in full:
            return Ignored(item.id, "single_annotation", f"no annotation by {reference}")
        others = [coder for coder in study.coders if coder != reference]
        found = [(full[reference], full.get(coder, Semantics())) for coder in others]
        if self.ignore_missing:
            found = [pair for pair in found if len(pair[1])]
        return found or Ignored(item.id, "single_annotation", f"annotated only by {reference}")


def _counts(gold: Semantics, other: Semantics) -> list[list[int]]:
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
            "precision": _over(sums["numerator"], sums["system"]),
            "recall": _over(sums["numerator"], sums["gold"]),
        }
        families = {
            family: {
                "precision": _over(float(row @ stats.both[k]), float(row @ stats.other[k])),
                "recall": _over(float(row @ stats.both[k]), float(row @ stats.gold[k])),
            }
            for k, family in enumerate(FAMILIES)
        }
        return sums | found | {"families": families}


def _over(above: float, below: float) -> float | None:
    return above / below if below else None


PLUGINS = {"edm": ElementaryDependencies()}

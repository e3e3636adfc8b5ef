"""Counts of equal triples of pairs of annotations, for F-scores over a corpus."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from arbitree.backends.base import Run
from arbitree.kinds.graphs.value import GraphValue
from arbitree.measures.measure import FloatArray, Statistics
from arbitree.measures.ratio import Compared
from arbitree.study.comparable import annotated, cluster_positions
from arbitree.study.result import Ignored
from arbitree.study.study import Annotation, Item, Study

BLOCK = 16  # items in a piece of work
Rows = Sequence[
    Sequence[float]
]  # triples of the gold standard, of the other annotation, and shared; by family
Pairs = list[tuple[GraphValue, GraphValue]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Matches(Compared):
    """Numbers of triples of every item by family, averaged over its pairs."""

    gold: FloatArray  # (families, items)
    other: FloatArray
    both: FloatArray
    referenced: bool = True  # whether the study has a gold standard


class CountRecipe(Statistics[Matches]):
    """Count the triples of a study.

    In a study with a reference, all gold triples of a sentence without an annotation count as missed,
    unless such sentences are excluded. Without one, the annotation of the later annotator is the gold.
    """

    __slots__ = ()

    families: ClassVar[tuple[str, ...]]
    empty: ClassVar[GraphValue]  # stands for a missing annotation

    @property
    @abstractmethod
    def ignore_missing(self) -> bool:
        """Whether sentences without a second annotation are excluded."""

    @abstractmethod
    def counts(self, gold: Any, other: Any) -> Rows:
        """Return the numbers of triples of two annotations and of those that they share, by family."""

    def notes(self, study: Study[Any], both: FloatArray) -> tuple[str, ...]:
        """Return remarks on the annotations or the counts of shared triples (families, items)."""
        return ()

    def prepare(self, study: Study[Any], run: Run) -> Matches:
        """Count the triples of *study* in blocks that *run* distributes."""
        used: list[Item] = []
        ignored: list[Ignored] = []
        pairs: list[Pairs] = []
        for item, cells in study:
            found = self._pairs(study, item, cells)
            if isinstance(found, Ignored):
                ignored.append(found)
            else:
                used.append(item)
                pairs.append(found)
        blocks = [pairs[at : at + BLOCK] for at in range(0, len(pairs), BLOCK)]
        counts = [row for rows in run(self._counted, blocks) for row in rows]
        places = cluster_positions(study)
        table = np.array(counts, dtype=np.float64).reshape(len(used), 3, len(self.families))
        gold, other, both = (table[:, side].T for side in range(3))
        return Matches(
            gold=gold,
            other=other,
            both=both,
            referenced=study.reference is not None,
            columns=np.array([places[item.cluster] for item in used], dtype=np.intp),
            used=tuple(used),
            ignored=tuple(ignored),
            notes=self.notes(study, both),
        )

    def _counted(self, block: Sequence[Pairs]) -> FloatArray:
        means = [np.mean([self.counts(*pair) for pair in pairs], axis=0) for pairs in block]
        return np.array(means, dtype=np.float64)

    def _pairs(self, study: Study[Any], item: Item, cells: list[Annotation[Any]]) -> Pairs | Ignored:
        full = {cell.coder: cell.value for cell in annotated(cells)}
        reference = study.reference
        if reference is None:
            pairs = list(combinations(full.values(), 2))
            return pairs or Ignored(item.id, "single_annotation", "fewer than 2 annotations")
        if reference not in full:
            return Ignored(item.id, "single_annotation", f"no annotation by {reference}")
        found = list(self._against(full, [coder for coder in study.coders if coder != reference], reference))
        return found or Ignored(item.id, "single_annotation", f"annotated only by {reference}")

    def _against(
        self, full: dict[str, Any], coders: Sequence[str], reference: str
    ) -> Iterator[tuple[Any, Any]]:
        for coder in coders:
            if coder in full or not self.ignore_missing:
                yield full[reference], full.get(coder, self.empty)


def over(above: float, below: float) -> float | None:
    """Return above / below; None if below is 0."""
    return above / below if below else None

"""Pairs of phrase-structure trees: the statistics that all constituency metrics share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from arbitree.backends.base import Run
from arbitree.kinds.phrase.value import PhraseTree
from arbitree.measures.measure import FloatArray, Statistics, Tally
from arbitree.measures.ratio import Compared
from arbitree.study.comparable import (
    annotated,
    cluster_positions,
    length_obstacle,
    pairable,
    pairs_of,
    too_few,
)
from arbitree.study.result import Ignored
from arbitree.study.study import Annotation, Item, Study

Pair = tuple[PhraseTree, PhraseTree]
Cells = tuple[Item, list[Annotation[PhraseTree]]]
NOTHING = PhraseTree((), (), ())


@dataclass(frozen=True, slots=True, kw_only=True)
class PhraseStatistics(Compared):
    """The pairs of trees of all items; the first of a pair is the reference, if there is one.

    A tree without words stands for a missing one.
    """

    pairs: tuple[Pair, ...]
    item: NDArray[np.intp]  # (pairs,)
    share: FloatArray  # (items,) one over the number of pairs of an item
    directed: bool
    made: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)

    def each(self, key: Any, make: Callable[[PhraseTree], Any]) -> list[tuple[Any, Any]]:
        """Return the results of *make* for both trees of every pair, computed once per tree and *key*."""
        known: dict[int, Any] = self.made.setdefault(key, {})
        for pair in self.pairs:
            for tree in pair:
                if id(tree) not in known:  # the statistics keep the trees, so that ids stay theirs
                    known[id(tree)] = make(tree)
        return [(known[id(first)], known[id(second)]) for first, second in self.pairs]

    def tally_of(self, rows: list[tuple[float, ...]], names: tuple[str, ...] = ()) -> Tally:
        """Return the means over the pairs of every item of numerators, denominators and further counts."""
        columns = np.array(rows, dtype=np.float64).reshape(len(self.pairs), 2 + len(names)).T
        means = [np.bincount(self.item, column, minlength=len(self.share)) * self.share for column in columns]
        return Tally(means[0], means[1], dict(zip(names, means[2:], strict=True)))


@dataclass(frozen=True, slots=True)
class PhraseRecipe(Statistics[PhraseStatistics]):
    """Recipe for the pairs of trees.

    Args:
        both: use both orders in studies without a reference.
        missing: also pair a tree with that of an annotator who has none; the gold tree must be there.
    """

    serial: ClassVar[bool] = True

    both: bool = False
    missing: bool = False

    def prepare(self, study: Study[PhraseTree], run: Run) -> PhraseStatistics:
        """Pair the trees of *study*; this is fast, so *run* is not used."""
        candidates, ignored = _with_missing(study) if self.missing else pairable(study)
        used: list[Item] = []
        pairs: list[Pair] = []
        counts: list[int] = []
        for item, cells in candidates:
            found = _pairs(item, cells, study.reference)
            if isinstance(found, Ignored):
                ignored.append(found)
                continue
            if self.both and study.reference is None:
                found += [(second, first) for first, second in found]
            used.append(item)
            pairs += found
            counts.append(len(found))
        places = cluster_positions(study)
        return PhraseStatistics(
            pairs=tuple(pairs),
            item=np.repeat(np.arange(len(counts)), counts),
            share=1 / np.array(counts, dtype=np.float64),
            directed=study.reference is not None,
            columns=np.array([places[item.cluster] for item in used], dtype=np.intp),
            used=tuple(used),
            ignored=tuple(ignored),
        )


def _with_missing(study: Study[PhraseTree]) -> tuple[list[Cells], list[Ignored]]:
    """Return the items with at least one tree, with an empty tree for annotators who have none."""
    used: list[Cells] = []
    ignored: list[Ignored] = []
    for item, cells in study:
        full = {cell.coder: cell for cell in annotated(cells)}
        if full and (study.reference is None or study.reference in full):
            used.append((item, [full.get(each, Annotation(item, each, NOTHING)) for each in study.coders]))
        else:
            ignored.append(too_few(item, cells, list(full.values())))
    return used, ignored


def _pairs(item: Item, cells: list[Annotation[PhraseTree]], reference: str | None) -> list[Pair] | Ignored:
    chosen = pairs_of(item, cells, reference)
    if isinstance(chosen, Ignored):
        return chosen
    chosen = [pair for pair in chosen if any(len(cell.value) for cell in pair)]
    for first, second in chosen:
        if not (len(first.value) and len(second.value)):
            continue
        # Delexicalised trees have no words to differ in: their leaves are part of the annotation.
        whole = first.value.delexicalised and second.value.delexicalised
        if not whole and (obstacle := length_obstacle((first, second))):
            return obstacle
    return [(first.value, second.value) for first, second in chosen]

"""Score taggers against gold tags in a hierarchy: the mass on leaves below a correct tag.

Reference:
    Melamed & Resnik (2000), equation 2; with flat tags, Resnik & Yarowsky (1997), equation 1 there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import permutations
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from arbitree.backends.base import Run
from arbitree.kinds.labels.hierarchy.downward import Downward
from arbitree.kinds.labels.measures.ratings import rows_in
from arbitree.kinds.labels.measures.tag_sets import HierarchyOptions, codes_given, tags_given
from arbitree.kinds.labels.value import Label, Tags
from arbitree.measures.measure import FloatArray, ItemCounts, Measure, Prepared, Statistics
from arbitree.plugins import check_name
from arbitree.study.flat_tree import IntArray
from arbitree.study.grid import MISSING
from arbitree.study.result import Ignored
from arbitree.study.study import Study


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class TagScores(Prepared):
    """The sum of scores, the number of scores and the number of answers of every used item."""

    sums: FloatArray  # (used,)
    asked: FloatArray  # (used,) pairs of gold and a tagger
    answered: FloatArray  # (used,) those in which the tagger gave a tag
    cluster_count: int

    def distinct(self, clusters: NDArray[np.intp], counts: FloatArray) -> TagScores:
        """Return the scores of *clusters*, each of which represents *counts* clusters with equal scores."""
        rows, columns = rows_in(clusters, self.columns, self.cluster_count)
        return replace(
            self,
            sums=self.sums[rows],
            asked=self.asked[rows],
            answered=self.answered[rows],
            cluster_count=len(clusters),
            columns=columns,
            used=tuple(self.used[row] for row in rows.tolist()),
        )

    @property
    def used_columns(self) -> NDArray[np.intp]:
        """The column of the cluster of every used item."""
        return self.columns


@dataclass(frozen=True, slots=True)
class TagScoreStatistics(Statistics[TagScores]):
    """Score every answer against the gold tags of its item."""

    tagset: HierarchyOptions
    gold: str

    def prepare(self, study: Study[Any], run: Run) -> TagScores:
        """Score the answers; *run* is not used."""
        study = study.with_gold()
        codes, values = codes_given(study)
        rows, gold, answers = self._pairs(study, codes)
        used = np.unique(rows)
        place = np.searchsorted(used, rows)
        down, notes = self.tagset.over(study, tags_given(codes, values))
        size = len(values) + 1
        pairs, which = np.unique(gold * size + answers - MISSING, return_inverse=True)  # each pair once
        scorer = _Scorer(down, values)
        scores = [scorer.score(pair // size, pair % size + MISSING) for pair in pairs.tolist()]
        return TagScores(
            sums=np.bincount(place, np.array(scores, dtype=np.float64)[which], len(used)).astype(np.float64),
            asked=np.bincount(place, minlength=len(used)).astype(np.float64),
            answered=np.bincount(place, answers != MISSING, len(used)).astype(np.float64),
            cluster_count=study.cluster_count,
            columns=study.columns[used],
            used=tuple(study.items[row] for row in used.tolist()),
            ignored=self._ignored(study, set(used.tolist())),
            notes=notes,
        )

    def _pairs(self, study: Study[Any], codes: IntArray) -> tuple[Any, Any, Any]:
        """Return rows, gold values and answers of all comparisons.

        With a gold standard, items without an answer are included. Without one, each annotator is gold in
        turn.
        """
        gold = self.gold or study.reference
        if gold is not None and gold not in study.coders:
            orders = []
        elif gold is not None:
            own = study.coders.index(gold)
            orders = [(own, other) for other in range(codes.shape[1]) if other != own]
        else:
            orders = list(permutations(range(codes.shape[1]), 2))
        parts = []
        for first, second in orders:
            compared = codes[:, first] != MISSING
            if gold is None:
                compared &= codes[:, second] != MISSING
            rows = np.flatnonzero(compared)
            parts.append(np.stack([rows, codes[rows, first], codes[rows, second]]))
        rows, right, answers = np.concatenate([np.zeros((3, 0), dtype=np.int64), *parts], axis=1)
        return rows, right, answers

    def _ignored(self, study: Study[Any], used: set[int]) -> tuple[Ignored, ...]:
        gold = self.gold or study.reference
        why = f"no annotation by {gold}" if gold else "fewer than 2 annotations"
        return tuple(
            Ignored(item.id, "single_annotation", why)
            for row, item in enumerate(study.items)
            if row not in used
        )


@dataclass(frozen=True, slots=True)
class HierarchicalScore(Measure[TagScores]):
    """Mean score of taggers against gold; an item without an answer scores 0.

    Formula:
        Score = Σ_l p(l) over the leaves l that are below any correct tag,
        with p = Σ_t w_t down(t) over the tags t of the answer; w_t = 1/k for k tags without probabilities.
        Gold tags are a set: their weights do not matter, and a leaf below two of them counts once.
    Args:
        gold: the annotator with the gold tags, if the study has no gold standard.
    """

    kinds: ClassVar[tuple[type, ...]] = (Label, Tags)
    references: ClassVar[tuple[str, ...]] = ("melamed-resnik2000", "resnik-yarowsky1997")
    about: ClassVar[str] = "score of taggers against gold tags in a hierarchy; needs hierarchy=FILE"
    scores_systems: ClassVar[bool] = True

    tagset: HierarchyOptions = field(default_factory=HierarchyOptions)
    gold: str = ""
    by_default: bool = field(default=False, metadata={"fixed": True})

    @property
    def statistics(self) -> TagScoreStatistics:
        """The recipe that scores all answers."""
        return TagScoreStatistics(self.tagset, self.gold)

    def check(self, study: Study[Any]) -> None:
        """Raise an error if there is no hierarchy, or if the gold annotator is not in the study."""
        self.tagset.check("hierarchical_score")
        if self.gold:
            check_name(self.gold, study.with_gold().coders, "annotator")

    def compared(self, study: Study[Any]) -> Study[Any]:
        """Return the study with its gold standard."""
        known = study.with_gold()
        return replace(known, reference=self.gold or known.reference)

    def score(self, stats: TagScores, weights: FloatArray) -> FloatArray:
        """Return the mean score for every row of *weights*; NaN if there are no items."""
        w = weights[:, stats.columns]
        with np.errstate(divide="ignore", invalid="ignore"):
            return w @ stats.sums / (w @ stats.asked)

    def drawn_together(self, stats: TagScores) -> NDArray[np.intp]:
        """Return numbers of clusters: resamples draw those with the same scores together."""
        rows = np.stack(
            [
                np.bincount(stats.columns, amounts, stats.cluster_count)
                for amounts in (stats.sums, stats.asked, stats.answered)
            ]
        )
        return np.unique(rows, axis=1, return_inverse=True)[1].ravel().astype(np.intp)

    def offered(self, study: Study[Any]) -> bool:
        """Return whether there is a hierarchy."""
        return self.tagset.hierarchy is not None

    def details(self, stats: TagScores, weights: FloatArray) -> Mapping[str, Any]:
        """Return the share of items with an answer, and the mean score of the answers."""
        w = weights[:, stats.columns][0]
        asked, answered, total = (float(w @ each) for each in (stats.asked, stats.answered, stats.sums))
        return {
            "coverage": answered / asked if asked else None,
            "attempted": total / answered if answered else None,
            "answers": round(answered),
        }

    def item_counts(self, stats: TagScores) -> ItemCounts:
        """Return the score of every item: its sum over taggers, and the number of taggers."""
        return ItemCounts(stats.sums, stats.asked)


class _Scorer:
    """Score answers against gold tags (equation 2); a leaf below several correct tags counts once."""

    def __init__(self, down: Downward, values: tuple[Any, ...]) -> None:
        self._values = values
        self._masses = cache(down.masses)
        self._leaves = cache(down.leaves)

    def score(self, gold: int, answer: int) -> float:
        """Return the score of the value with index *answer*; 0 if there is no answer."""
        if answer == MISSING:
            return 0.0
        right = self._leaves(tuple(tag for tag, weight in self._values[gold].weights if weight > 0))
        return sum(
            float(weight) * sum(mass for leaf, mass in self._masses(tag).items() if leaf in right)
            for tag, weight in self._values[answer].weights
        )


PLUGINS = {"hierarchical_score": HierarchicalScore()}

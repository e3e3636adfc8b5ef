"""Cohen's κ over the relations of tokens: agreement on labels in dependency trees.

Reference:
    Bhat & Sharma (2012). Dependency treebank of Urdu and its evaluation.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from arbitree.backends.base import Run
from arbitree.kinds.dependency.value import DepTree
from arbitree.kinds.labels.distances import Equality
from arbitree.kinds.labels.measures.chance import item_agreement
from arbitree.kinds.labels.measures.coder_pairs import Kappa
from arbitree.kinds.labels.measures.ratings import LabelCounts, counts_of
from arbitree.kinds.labels.value import Label
from arbitree.measures.measure import Extent, FloatArray, ItemCounts, Measure, Prepared, Statistics
from arbitree.plugins import check_name
from arbitree.study.comparable import length_obstacle, pairable
from arbitree.study.grid import MISSING
from arbitree.study.result import Ignored
from arbitree.study.study import Annotation, Item, Study

TOKENS = ("all", "equal_heads")


@dataclass(frozen=True, slots=True, kw_only=True)
class Relations(Prepared):
    """The labels of tokens, and their sentences."""

    counts: LabelCounts
    sentences: NDArray[np.intp]  # (tokens,) places in used


@dataclass(frozen=True, slots=True)
class TokenRelations(Statistics[Relations]):
    """Recipe for the relations of all tokens, or of tokens with the same head for all annotators."""

    serial: ClassVar[bool] = True

    tokens: str

    def prepare(self, study: Study[Any], run: Run) -> Relations:
        """Collect the relations; this is fast, so *run* is not used."""
        candidates, ignored = pairable(study)
        used: list[Item] = []
        rows, sentences = [], []
        for item, cells in candidates:
            obstacle = length_obstacle(cells)
            if obstacle is not None:
                ignored.append(obstacle)
                continue
            for token in self._chosen(cells):
                row: list[str | None] = [None] * len(study.coders)
                for cell in cells:
                    row[study.coders.index(cell.coder)] = cell.value.relations[token]
                rows.append(row)
                sentences.append(len(used))
            used.append(item)
        return _relations(study, used, ignored, rows, sentences)

    def _chosen(self, cells: list[Annotation[Any]]) -> list[int]:
        every = range(len(cells[0].value))
        if self.tokens == "all":
            return list(every)
        return [token for token in every if len({cell.value.heads[token] for cell in cells}) == 1]


def _relations(
    study: Study[Any],
    used: list[Item],
    ignored: list[Ignored],
    rows: list[list[str | None]],
    sentences: list[int],
) -> Relations:
    names = sorted({name for row in rows for name in row if name is not None})
    numbers: dict[str | None, int] = {name: number for number, name in enumerate(names)} | {None: MISSING}
    codes = np.array([[numbers[name] for name in row] for row in rows], dtype=np.int32)
    places = {item.id: place for place, item in enumerate(study.items)}
    columns = study.columns[[places[item.id] for item in used]] if used else np.zeros(0, dtype=np.intp)
    of_token = np.array(sentences, dtype=np.intp)
    counts = counts_of(
        codes.reshape(len(rows), len(study.coders)),
        tuple(map(Label, names)),
        items=tuple(Item(str(k), "", used[s].cluster) for k, s in enumerate(sentences)),
        coders=study.coders,
        clusters=columns[of_token],  # tokens count with their sentences
        cluster_count=study.cluster_count,
    )
    return Relations(
        counts=counts,
        sentences=of_token,
        columns=columns,
        used=tuple(used),
        ignored=tuple(ignored),
        notes=counts.notes,
    )


@dataclass(frozen=True, slots=True)
class KappaLabels(Measure[Relations]):
    """Cohen's κ over the relations of tokens, averaged over pairs of annotators.

    Args:
        tokens: ``all``, or ``equal_heads`` for tokens with the same head in all annotations.
    """

    kinds: ClassVar[tuple[type, ...]] = (DepTree,)
    references: ClassVar[tuple[str, ...]] = ("bhat-sharma2012", "cohen1960")
    undefined: ClassVar[str] = "no_variation"
    about: ClassVar[str] = "Cohen's κ over dependency relations (tokens=all|equal_heads)"

    tokens: str = "all"
    by_default: bool = field(default=False, metadata={"fixed": True})

    def __post_init__(self) -> None:
        check_name(self.tokens, TOKENS, "tokens value")

    @property
    def statistics(self) -> TokenRelations:
        """The relations of the tokens."""
        return TokenRelations(self.tokens)

    def score(self, stats: Relations, weights: FloatArray) -> FloatArray:
        """Return κ for every row of *weights*."""
        return Kappa().score(stats.counts, weights)

    def extent(self, stats: Relations, weights: FloatArray) -> Extent:
        """Return 1 to -1; sentences that differ are like two random ones."""
        return Extent(worst=-math.inf, farthest=2)

    def details(self, stats: Relations, weights: FloatArray) -> Mapping[str, Any]:
        """Return observed and expected agreement, and the number of tokens."""
        found = Kappa().details(stats.counts, weights)
        return {**found, "tokens": len(stats.counts.used)}

    def item_counts(self, stats: Relations) -> ItemCounts:
        """Return for every sentence the agreement of its tokens."""
        agreement = item_agreement(stats.counts, Equality())
        tokens = np.bincount(stats.sentences, minlength=len(stats.used)).astype(np.float64)
        sums = np.bincount(stats.sentences, agreement, len(stats.used))
        values = np.divide(sums, tokens, out=np.ones_like(sums), where=tokens > 0)
        return ItemCounts(sums, tokens, values)


PLUGINS = {"kappa_labels": KappaLabels()}

"""Any number of treebankers at once: every recorded discriminant that two or more gave a value."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import numpy as np

from arbitree.backends.base import Run
from arbitree.kinds.treebanking.derivation import full_forest_lexicon
from arbitree.kinds.treebanking.measures.discriminants import Sides, sides_of
from arbitree.kinds.treebanking.measures.y_counts import obstacle
from arbitree.kinds.treebanking.value import ACCEPTED, REJECTED, Decisions, Identity
from arbitree.measures.measure import FloatArray, ItemCounts, Prepared, Statistics
from arbitree.study.comparable import cluster_positions
from arbitree.study.result import Ignored
from arbitree.study.study import Study


@dataclass(frozen=True, slots=True, kw_only=True)
class SeveralCounts(Prepared):
    """For each sentence the sums over its discriminants."""

    agreed: FloatArray  # (items,) sum of the shares of agreeing pairs of coders
    discriminants: FloatArray  # (items,)
    yes: FloatArray  # (items,) values yes, of discriminants with two values or more
    no: FloatArray
    differing: FloatArray  # (items,) coincidences of yes with no, each discriminant weighing its values

    def fleiss(self, weights: FloatArray, average: str) -> FloatArray:
        """Return 2 A_o - 1 with A_o the mean share of agreeing pairs of coders."""
        w = weights[:, self.columns]
        with np.errstate(invalid="ignore", divide="ignore"):
            agreed, whole = self.agreed, self.discriminants
            share: FloatArray = (
                w @ agreed / (w @ whole) if average == "micro" else w @ (agreed / whole) / w.sum(axis=1)
            )
        return 2 * share - 1

    def alpha(self, weights: FloatArray) -> FloatArray:
        """Return Krippendorff's alpha over all option values, gaps allowed; NaN if all are alike."""
        w = weights[:, self.columns]
        yes, no = w @ self.yes, w @ self.no
        with np.errstate(invalid="ignore", divide="ignore"):
            found = 1 - (yes + no - 1) * (w @ self.differing) / (yes * no)
        return np.where(yes * no > 0, found, np.nan)

    def item_counts(self) -> ItemCounts:
        """Return agreement on each sentence."""
        return ItemCounts(self.agreed, self.discriminants, 2 * self.agreed / self.discriminants - 1)


@dataclass(frozen=True, slots=True)
class SeveralStatistics(Statistics[SeveralCounts]):
    """Recipe: count the values of every discriminant over all coders."""

    def prepare(self, study: Study[Decisions], run: Run) -> SeveralCounts:
        """Count; *run* is not needed, this is fast."""
        places = cluster_positions(study)
        used, ignored, rows = [], [], []
        lexicon = full_forest_lexicon(cell.value for cell in study.cells.values())
        for item, cells in study:
            decided = [cell.value for cell in cells if cell.value.status in (ACCEPTED, REJECTED)]
            if len(decided) < 2:
                ignored.append(obstacle(item, cells) or Ignored(item.id, "ambiguous"))
                continue
            sides = sides_of(decided, lexicon)
            if sides is None:
                ignored.append(
                    Ignored(item.id, "tokens_not_aligned", "the derivations have different tokens")
                )
                continue
            row = _sums(sides)
            if row is None:
                ignored.append(Ignored(item.id, "no_common_option", "no discriminant has two values"))
                continue
            used.append(item)
            rows.append(row)
        sums = np.array(rows, dtype=np.float64).reshape(len(rows), 5).T
        return SeveralCounts(
            agreed=sums[0],
            discriminants=sums[1],
            yes=sums[2],
            no=sums[3],
            differing=sums[4],
            columns=np.array([places[item.cluster] for item in used], dtype=np.intp),
            used=tuple(used),
            ignored=tuple(ignored),
        )


def _sums(found: Sides) -> tuple[Any, ...] | None:
    counts: dict[Identity, list[int]] = defaultdict(lambda: [0, 0])
    for side in found.all:
        for identity, yes in side.values.items():
            counts[identity][yes] += 1
    shared = [(no, yes) for no, yes in counts.values() if no + yes >= 2]
    if not shared:
        return None
    agreed = sum((y * (y - 1) + n * (n - 1)) / ((n + y) * (n + y - 1)) for n, y in shared)
    differing = sum(n * y / (n + y - 1) for n, y in shared)
    return agreed, len(shared), sum(y for _, y in shared), sum(n for n, _ in shared), differing

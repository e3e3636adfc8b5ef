"""What lies ahead of a study that is too large for its sums to be kept."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from arbitree.backends.base import Run
from arbitree.data.study import Study
from arbitree.measures.base import pairable
from arbitree.measures.options import fitting, measure_named
from arbitree.measures.pairsums import must_stream
from arbitree.measures.sampling import Sampling, Z

PILOT = 500  # pairs of sentences that give the rough error
SUGGESTED = 1_000_000  # pairs of sentences that are offered


def outlook(study: Study[Any], measures: Sequence[str], seed: int, run: Run) -> str | None:
    """Return how much there is to compare and how far a sample would go; None if that is no question."""
    named = [measure_named(each) for each in measures or fitting(study)]
    open_ones = [
        (name, each) for name, each in named if hasattr(each, "sampling") and study.value_type in each.kinds
    ]
    if not open_ones or any(each.sampling.asked for _, each in open_ones):
        return None
    used, _ = pairable(study)
    clusters = len({item.cluster for item, _ in used})
    name, measure = open_ones[0]
    if not must_stream(clusters, measure.statistics.deltas) or clusters * (clusters - 1) // 2 <= SUGGESTED:
        return None
    trees = sum(len(cells) for _, cells in used)
    pairs = trees * (trees - 1) // 2
    line = f"{pairs:,} pairs of trees are to be compared; --pairs 1e6 would estimate {name} from a sample"
    error = _error(study, measure, seed, run)
    return line if error is None else f"{line}, to about ± {error:.1g}"


def _error(study: Study[Any], measure: Any, seed: int, run: Run) -> float | None:
    """Return half the width of the 95% error of *measure* with so many pairs as are offered, by a pilot."""
    pilot = replace(measure, sampling=Sampling(PILOT, seed=seed))
    stats = pilot.statistics.prepare(study, run)
    error = pilot.details(stats, np.ones((1, len(study.clusters)))).get("value_se")
    return None if error is None else Z * float(error) * math.sqrt(PILOT / SUGGESTED)

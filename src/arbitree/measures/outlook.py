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
LONG = 1000  # tokens; two trees of that size take seconds, and ten times as long a sentence hours


def outlook(study: Study[Any], measures: Sequence[str], seed: int, run: Run) -> str | None:
    """Return how much there is to compare and how far a sample would go; None if that is no question."""
    named = [measure_named(each) for each in measures or fitting(study)]
    open_ones = [
        (name, each) for name, each in named if hasattr(each, "sampling") and study.value_type in each.kinds
    ]
    if not open_ones or any(each.sampling.asked for _, each in open_ones):
        return None
    used, _ = pairable(study)
    if any(hasattr(each.distance, "delta") for _, each in open_ones):
        longest = max(((len(cell.value), item.id) for item, cells in used for cell in cells), default=(0, ""))
        if longest[0] > LONG:
            return long_tree(*longest)
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


def long_tree(size: int, item: str) -> str:
    """Return what to expect of the edit distance of trees of this *size*.

    Example:
        >>> long_tree(10_000, "s1")
        "item 's1' has 10,000 tokens: edit distance may take very long; las and uas (-m las) do not"
    """
    return f"item {item!r} has {size:,} tokens: edit distance may take very long; las and uas (-m las) do not"

"""Groups of tokens within sentences: by relation, part of speech, distance to the head, depth."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from arbitree.measures.arcpairs import ArcStatistics
from arbitree.measures.arcs import Arcs, Bools, Ints
from arbitree.measures.base import FloatArray
from arbitree.measures.ratio import GroupTally
from arbitree.measures.shape import depths

DISTANCES = (1, 2, 6)  # upper ends of the classes of distance to the head, in tokens
DEPTHS = (1, 2, 3, 4, 5)  # upper ends of the classes of depth

Classes = tuple[Ints, tuple[str, ...]]  # the class of every gold token, and the names of the classes


def _relations(arcs: Arcs) -> Classes:
    return arcs.gold.labels, arcs.labelled


def _tags(arcs: Arcs) -> Classes:
    return arcs.gold.tags, arcs.tagged


def _distances(arcs: Arcs) -> Classes:
    """Return the class of the distance to the gold head, ``root`` where that is the artificial root."""
    heads = arcs.gold.heads
    gaps = np.abs(arcs.gold.places - arcs.gold.places[heads])
    return np.where(heads >= 0, 1 + np.searchsorted(DISTANCES, gaps), 0), ("root", *_ranges(DISTANCES))


def _depths(arcs: Arcs) -> Classes:
    """Return the class of the gold depth, ``cycle`` where the root does not reach."""
    found = depths(arcs)
    return np.where(found > 0, 1 + np.searchsorted(DEPTHS, found), 0), ("cycle", *_ranges(DEPTHS))


KINDS: dict[str, Callable[[Arcs], Classes]] = {
    "deprel": _relations,
    "upos": _tags,
    "distance": _distances,
    "depth": _depths,
}


def _ranges(bounds: tuple[int, ...]) -> list[str]:
    """Return the names of classes with these upper ends, and of the last, which has none.

    Example:
        >>> _ranges((1, 2, 6))
        ['1', '2', '3-6', '7+']
    """
    lows = [1, *(bound + 1 for bound in bounds)]
    names = [str(low) if low == high else f"{low}-{high}" for low, high in zip(lows, bounds, strict=False)]
    return [*names, f"{lows[-1]}+"]


def group_tally(stats: ArcStatistics, kind: str, right: Bools, weight: FloatArray | Bools) -> GroupTally:
    """Return what is right among the tokens of every group that has any.

    Args:
        stats: of a study with a reference.
        kind: one of the keys of KINDS.
        right: which gold tokens are right.
        weight: how much every gold token counts.
    """
    arcs = stats.forward
    classes, names = KINDS[kind](arcs)
    sizes = np.bincount(classes, arcs.gold.scored, minlength=len(names))
    items = len(arcs.share)
    cell = classes * items + arcs.item[arcs.gold.pair]
    above, below = (
        np.bincount(cell, values, minlength=len(names) * items).reshape(len(names), items) * arcs.share
        for values in (np.where(right, weight, 0), weight)
    )
    there = np.flatnonzero(sizes)
    if kind in ("deprel", "upos"):  # the largest first; the other classes have an order of their own
        there = there[np.argsort(-sizes[there], kind="stable")]
    details: list[dict[str, Any]] = [{"tokens": int(sizes[group])} for group in there]
    if kind == "deprel":
        for group, found in zip(there, details, strict=True):
            claimed = arcs.other.scored & (arcs.other.labels == group)
            hits = right & arcs.gold.scored & (arcs.labels == group)
            found["system_tokens"] = int(claimed.sum())
            found["precision"] = float(hits.sum() / claimed.sum()) if claimed.any() else None
    return GroupTally(
        names=tuple(names[group] for group in there),
        numerators=above[there],
        denominators=below[there],
        sizes=sizes[there].astype(np.float64),
        details=tuple(details),
    )

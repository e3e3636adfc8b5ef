"""Groups of tokens within sentences: by relation, part of speech, distance to the head, depth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from arbitree.kinds.dependency.graph import ROOT
from arbitree.kinds.dependency.measures.arc_pairs import Arcs, ArcStatistics, Bools, Ints
from arbitree.kinds.dependency.measures.tree_shape import depths
from arbitree.measures.measure import FloatArray, GroupTally
from arbitree.study.result import Table

ROOT_NAME = "ROOT"
NO_WORD = "—"  # a word that has no partner on the other side


def mistakes(arcs: Arcs) -> dict[str, Table]:
    """Return two tables of errors of one system against a reference, the most frequent first.

    Returns:
        ``relations``: gold and system relation of tokens where these differ. ``attachments``: relation of a
        token and part of speech of its gold head, and of its system head, for tokens with the wrong head.
    """
    return {
        "relations": _table(_confused_relations(arcs)),
        "attachments": _table(_attachments(arcs)),
    }


def _confused_relations(arcs: Arcs) -> Counter[tuple[str, str]]:
    wrong = arcs.gold.scored & (arcs.gold.labels != arcs.labels)
    names = (*arcs.labelled, NO_WORD)
    pairs = zip(arcs.gold.labels[wrong].tolist(), arcs.labels[wrong].tolist(), strict=True)
    return Counter((names[gold], names[other] if other >= 0 else NO_WORD) for gold, other in pairs)


def _attachments(arcs: Arcs) -> Counter[tuple[str, str]]:
    wrong = arcs.gold.scored & (arcs.gold.heads != arcs.heads)
    labels = arcs.gold.labels[wrong].tolist()
    heads = zip(labels, arcs.gold.heads[wrong].tolist(), arcs.heads[wrong].tolist(), strict=True)
    return Counter(
        (f"{arcs.labelled[label]} under {_head(arcs, gold)}", f"under {_head(arcs, other)}")
        for label, gold, other in heads
    )


def _head(arcs: Arcs, place: int) -> str:
    if place == ROOT:
        return ROOT_NAME
    return arcs.tagged[int(arcs.gold.tags[place])] if place >= 0 else NO_WORD


def _table(counts: Counter[tuple[str, str]]) -> Table:
    rows = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    return Table(("gold", "system", "tokens"), tuple((*names, count) for names, count in rows))


DISTANCES = (1, 2, 6)  # upper ends of the classes of distance to the head, in tokens
DEPTHS = (1, 2, 3, 4, 5)  # upper ends of the classes of depth

Classes = tuple[Ints, tuple[str, ...]]  # the class of every gold token, and the names of the classes


def _relations(arcs: Arcs) -> Classes:
    return arcs.gold.labels, arcs.labelled


def _tags(arcs: Arcs) -> Classes:
    return arcs.gold.tags, arcs.tagged


def _distances(arcs: Arcs) -> Classes:
    """Return the class of the distance to the gold head, ``root`` for the artificial root."""
    heads = arcs.gold.heads
    gaps = np.abs(arcs.gold.places - arcs.gold.places[heads])
    return np.where(heads >= 0, 1 + np.searchsorted(DISTANCES, gaps), 0), ("root", *_ranges(DISTANCES))


def _depths(arcs: Arcs) -> Classes:
    """Return the class of the gold depth, ``cycle`` for tokens that the root does not reach."""
    found = depths(arcs)
    return np.where(found > 0, 1 + np.searchsorted(DEPTHS, found), 0), ("cycle", *_ranges(DEPTHS))


GROUPS: dict[str, Callable[[Arcs], Classes]] = {
    "deprel": _relations,
    "upos": _tags,
    "distance": _distances,
    "depth": _depths,
}


def _ranges(bounds: tuple[int, ...]) -> list[str]:
    """Return the names of the classes with these upper bounds and of the last class, which is open.

    Example:
        >>> _ranges((1, 2, 6))
        ['1', '2', '3-6', '7+']
    """
    lows = [1, *(bound + 1 for bound in bounds)]
    names = [str(low) if low == high else f"{low}-{high}" for low, high in zip(lows, bounds, strict=False)]
    return [*names, f"{lows[-1]}+"]


def group_tally(stats: ArcStatistics, by: str, right: Bools, weight: FloatArray | Bools) -> GroupTally:
    """Return the correct and counted tokens of every group that is not empty.

    Args:
        stats: the statistics of a study with a reference.
        by: one of the keys of GROUPS.
        right: which gold tokens are correct.
        weight: the weight of every gold token.
    """
    arcs = stats.forward
    classes, names = GROUPS[by](arcs)
    sizes = np.bincount(classes, arcs.gold.scored, minlength=len(names))
    items = len(arcs.share)
    cell = classes * items + arcs.item[arcs.gold.pair]
    above, below = (
        np.bincount(cell, values, minlength=len(names) * items).reshape(len(names), items) * arcs.share
        for values in (np.where(right, weight, 0), weight)
    )
    there = np.flatnonzero(sizes)
    if by in ("deprel", "upos"):  # the largest first; the other classes have an order of their own
        there = there[np.argsort(-sizes[there], kind="stable")]
    details: list[dict[str, Any]] = [{"tokens": int(sizes[group])} for group in there]
    if by == "deprel":
        for group, found in zip(there, details, strict=True):
            claimed = arcs.other.scored & (arcs.other.labels == group)
            hits = right & arcs.gold.scored & (arcs.labels == group)
            found["system_tokens"] = int(claimed.sum())
            found["precision"] = float(hits.sum() / claimed.sum()) if claimed.any() else None
    return GroupTally(
        names=tuple(names[group] for group in there),
        numerators=above[there],
        denominators=below[there],
        details=tuple(details),
    )

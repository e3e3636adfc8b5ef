"""The contract of a measure: statistics once, scores for any weights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arbitree.study.result import Ignored
from arbitree.study.study import Annotation, Item, Study


def pairable(study: Study[Any]) -> tuple[list[tuple[Item, list[Annotation[Any]]]], list[Ignored]]:
    """Return the items with two annotations that are not empty, and those without.

    An empty annotation is left out like a missing one; it is never a category.
    """
    used, ignored = [], []
    for item, cells in study:
        full = [cell for cell in cells if len(cell.value)]
        if len(full) >= 2:
            used.append((item, full))
        else:
            ignored.append(too_few(item, cells, full))
    return used, ignored


def too_few(item: Item, cells: Sequence[Annotation[Any]], full: Sequence[Annotation[Any]]) -> Ignored:
    """Return why an item cannot be compared: fewer than two of its *cells* are *full*."""
    if len(cells) >= 2:
        kept = {cell.coder for cell in full}
        empty = ", ".join(cell.coder for cell in cells if cell.coder not in kept)
        return Ignored(item.id, "empty_tree", f"empty for {empty}")
    return Ignored(item.id, "single_annotation", f"only by {cells[0].coder}" if cells else "by nobody")


def cluster_positions(study: Study[Any]) -> dict[str, int]:
    """Return the place of every cluster in the columns of the weights."""
    return {cluster: place for place, cluster in enumerate(study.clusters)}

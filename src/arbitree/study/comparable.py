"""The contract of a measure: statistics once, scores for any weights."""

from __future__ import annotations

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
        elif len(cells) >= 2:
            empty = ", ".join(cell.coder for cell in cells if not len(cell.value))
            ignored.append(Ignored(item.id, "empty_tree", f"empty for {empty}"))
        else:
            who = f"only by {cells[0].coder}" if cells else "by nobody"
            ignored.append(Ignored(item.id, "single_annotation", who))
    return used, ignored


def cluster_positions(study: Study[Any]) -> dict[str, int]:
    """Return the place of every cluster in the columns of the weights."""
    return {cluster: place for place, cluster in enumerate(study.clusters)}

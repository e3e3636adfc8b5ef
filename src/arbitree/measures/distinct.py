"""The trees of every cluster, equal ones once: what sources of tree distances begin with."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arbitree.data.tree import Tree, Vocabulary
from arbitree.measures.base import FloatArray
from arbitree.measures.pairsums import Used


@dataclass(frozen=True, slots=True)
class Distinct:
    """Flat trees over one vocabulary, cluster by cluster."""

    trees: tuple[Tree, ...]
    vocabulary: Vocabulary
    groups: NDArray[np.int64]  # (clusters + 1,) where each cluster's trees begin
    counts: FloatArray  # (trees,) annotations that are this tree
    clusters: tuple[str, ...]  # by the size of their trees, so that like is treated with like
    of_item: tuple[tuple[int, ...], ...]  # for every item, the tree of each annotation


def distinct(used: Used, *, labelled: bool) -> Distinct:
    """Flatten all annotations; within a cluster, equal trees become one tree with a count."""
    vocabulary = Vocabulary()
    flat = [[cell.value.flatten(vocabulary, labelled=labelled) for cell in cells] for _, cells in used]
    members: dict[str, list[int]] = {}
    for place, (item, _) in enumerate(used):
        members.setdefault(item.cluster, []).append(place)
    clusters = sorted(members, key=lambda name: max(len(tree) for k in members[name] for tree in flat[k]))
    trees: list[Tree] = []
    counts: list[int] = []
    of_item: list[tuple[int, ...]] = [()] * len(used)
    groups = [0]
    for cluster in clusters:
        known: dict[tuple[bytes, bytes, int, int], int] = {}
        for place in members[cluster]:
            found = []
            for tree in flat[place]:
                key = (tree.labels.tobytes(), tree.leftmost.tobytes(), tree.size, tree.leaves)
                index = known.setdefault(key, len(trees))
                if index == len(trees):
                    trees.append(tree)
                    counts.append(0)
                counts[index] += 1
                found.append(index)
            of_item[place] = tuple(found)
        groups.append(len(trees))
    return Distinct(
        trees=tuple(trees),
        vocabulary=vocabulary,
        groups=np.array(groups, dtype=np.int64),
        counts=np.array(counts, dtype=np.float64),
        clusters=tuple(clusters),
        of_item=tuple(of_item),
    )

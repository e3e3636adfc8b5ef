"""Compute edit scripts: the nodes of two trees that are matched, relabelled, deleted and inserted."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arbitree.distances.ted import CostRule, deltas, symmetric, tree_distance
from arbitree.kernels.mapping import mapping
from arbitree.study.flat_tree import Tree, Vocabulary
from arbitree.wording import brief

# Up to this number of nodes in both trees, tokens decide between scripts of equal cost.
LARGEST = 2000

OPERATIONS = ("matched", "relabelled", "deleted", "inserted")


@dataclass(frozen=True, slots=True)
class Step:
    """One operation: the numbers of the nodes in postorder, -1 for no node."""

    operation: str
    first: int
    second: int


@dataclass(frozen=True, slots=True)
class EditScript:
    """Two trees, their distance, and the steps from the first to the second."""

    first: Tree
    second: Tree
    plain: float
    diff: float
    norm: float
    steps: tuple[Step, ...]

    __repr__ = brief

    @property
    def counts(self) -> dict[str, int]:
        """The number of steps per operation."""
        found = Counter(step.operation for step in self.steps)
        return {operation: found[operation] for operation in OPERATIONS}


def edit_script(
    first: Any, second: Any, *, labelled: bool = True, costs: CostRule | None = None
) -> EditScript:
    """Return an optimal script from one annotation to another.

    Example:
        >>> from arbitree.kinds.dependency.value import DepTree
        >>> ann = DepTree(("birds", "sing"), (2, 0), ("nsubj", "root"))
        >>> bob = DepTree(("birds", "sing"), (2, 0), ("obj", "root"))
        >>> edit_script(ann, bob).counts
        {'matched': 2, 'relabelled': 1, 'deleted': 0, 'inserted': 0}
    """
    vocabulary = Vocabulary()
    ours = first.flatten(vocabulary, labelled=labelled)
    theirs = second.flatten(vocabulary, labelled=labelled)
    priced = symmetric(costs, vocabulary) if costs else None
    distance = tree_distance(ours, theirs, priced)
    plain, diff, norm = (float(each) for each in deltas(distance, ours.size, theirs.size))
    pairs = mapping(ours, theirs, priced, _same_tokens(first, ours, second, theirs))
    steps = tuple(Step(_operation(ours, theirs, i, j), i, j) for i, j in pairs)
    return EditScript(ours, theirs, plain, diff, norm, steps)


def _same_tokens(first: Any, ours: Tree, second: Any, theirs: Tree) -> NDArray[np.bool_] | None:
    """Return which nodes represent the same token: the same position in a sentence, or else the same word.

    Return None for large trees, for which this would take too long.
    """
    if len(ours) + len(theirs) > LARGEST:
        return None
    if first.tokens == second.tokens:
        return np.equal.outer(ours.origins, theirs.origins)
    here, there = (
        [value.name(int(node)) for node in tree.origins] for value, tree in ((first, ours), (second, theirs))
    )
    return np.array([[word != "" and word == other for other in there] for word in here], dtype=bool)


def _operation(first: Tree, second: Tree, i: int, j: int) -> str:
    if j < 0:
        return "deleted"
    if i < 0:
        return "inserted"
    return "matched" if first.labels[i] == second.labels[j] else "relabelled"

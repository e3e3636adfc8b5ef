"""The edit script of two trees: which nodes are matched, relabelled, deleted and inserted."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from arbitree.data.tree import Tree, Vocabulary
from arbitree.distances.ted import CostRule, deltas, symmetric, tree_distance
from arbitree.kernels.mapping import mapping

OPERATIONS = ("matched", "relabelled", "deleted", "inserted")


@dataclass(frozen=True, slots=True)
class Step:
    """One operation: nodes in postorder, -1 where the other side has none."""

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

    @property
    def counts(self) -> dict[str, int]:
        """How many steps there are of each operation."""
        found = Counter(step.operation for step in self.steps)
        return {operation: found[operation] for operation in OPERATIONS}


def edit_script(
    first: Any, second: Any, *, labelled: bool = True, costs: CostRule | None = None
) -> EditScript:
    """Return an optimal script from one annotation to another.

    Example:
        >>> from arbitree.data.dependency import DepTree
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
    steps = tuple(Step(_operation(ours, theirs, i, j), i, j) for i, j in mapping(ours, theirs, priced))
    return EditScript(ours, theirs, plain, diff, norm, steps)


def _operation(first: Tree, second: Tree, i: int, j: int) -> str:
    if j < 0:
        return "deleted"
    if i < 0:
        return "inserted"
    return "matched" if first.labels[i] == second.labels[j] else "relabelled"

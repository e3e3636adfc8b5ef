"""Tree edit distance: the smallest number of nodes to insert, delete and relabel.

Reference:
    Zhang & Shasha (1989); the three variants: Skjærholt (2014), section 2.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

import numpy as np

from arbitree import kernels
from arbitree.errors import FormatError, Source, UnsupportedStudy, shorten
from arbitree.kernels.costs import Costs
from arbitree.plugins import check_name
from arbitree.reading.content import load
from arbitree.reading.guard import guarded_reader
from arbitree.reading.side_files import signed_name
from arbitree.study.flat_tree import Tree, TreeValue, Vocabulary

CostRows = tuple[tuple[str, str, float], ...]


@guarded_reader
def read_costs(path: str) -> CostRows:
    """Read rows ``label<TAB>label<TAB>cost``; with an empty second label, the cost to insert or delete.

    Lines that begin with # are comments. Pairs without a row cost 1, as in the plain distance.
    """
    rows = []
    for number, line in enumerate(load(path).lines, start=1):
        if not line.strip() or line.startswith("#"):
            continue
        source = Source(path, number)
        columns = line.split("\t")
        if len(columns) != 3:
            hint = "Write label<TAB>label<TAB>cost; leave the second label empty to insert or delete"
            raise FormatError(f"expected 3 tab-separated columns, found {len(columns)}", source, hint=hint)
        rows.append((columns[0], columns[1], _cost(columns[2], source)))
    return tuple(rows)


def _cost(text: str, source: Source) -> float:
    try:
        cost = float(text)
    except ValueError:
        cost = math.nan
    if not 0 <= cost < math.inf:
        raise FormatError(
            f"cost {shorten(text)} is not a number of 0 or more", source, hint="Write a number such as 0.3"
        )
    return cost


DELTAS = ("plain", "diff", "norm")
SIZES = ("nodes", "leaves")


class CostRule(Protocol):
    """Label costs before the labels are known; must be hashable."""

    def over(self, vocabulary: Vocabulary) -> Costs:
        """Return the costs of the labels in *vocabulary*."""
        ...


@dataclass(frozen=True, slots=True)
class CostTable:
    """Costs from a table; labels that it does not contain cost 1."""

    rows: CostRows
    name: str = "table"

    @classmethod
    def read(cls, path: str) -> CostTable:
        """Read the table in the file at *path*."""
        return cls(read_costs(path), path)

    @property
    def labels(self) -> set[str]:
        """The labels in the table, without the empty one."""
        return {label for first, second, _ in self.rows for label in (first, second) if label}

    def over(self, vocabulary: Vocabulary) -> Costs:
        """Return the costs of the labels in *vocabulary*."""
        return Costs.from_rows(vocabulary, self.rows)

    def __str__(self) -> str:
        return signed_name(self.name, sorted(self.rows))


@dataclass(frozen=True, slots=True)
class CostFunctions:
    """Costs from two functions: one for pairs of labels, one for inserted and deleted labels."""

    relabel: Callable[[str, str], float]
    remove: Callable[[str], float] = lambda label: 1.0

    def over(self, vocabulary: Vocabulary) -> Costs:
        """Return the costs of the labels in *vocabulary*."""
        return Costs.from_functions(vocabulary, self.relabel, self.remove)

    def __str__(self) -> str:
        return "functions"


@dataclass(frozen=True, slots=True)
class Ted:
    """Tree edit distance between two annotations.

    Formula:
        plain: TED(x, y)
        diff:  TED(x, y) - ||x| - |y||. Not a metric: distinct trees can be at distance 0 (fig. 2).
        norm:  TED(x, y) / (|x| + |y|)
    Args:
        delta: Name of the variant.
        size: Definition of |x|: all nodes with the artificial root, or leaves (terminals or tokens).
            No effect on alpha_plain.
        labelled: Whether labels count, or only the structure.
        costs: Label costs other than 1.
    Example:
        >>> from arbitree.kinds.phrase.value import PhraseTree
        >>> clause = PhraseTree(("", ""), ("NP", "VP", "S"), (2, 2, -1))
        >>> Ted("norm")(clause, PhraseTree(("",), ("NP", "S"), (1, -1)))
        0.2
    """

    kinds: ClassVar[tuple[type, ...]] = (TreeValue,)
    references: ClassVar[tuple[str, ...]] = ("zhang-shasha1989",)
    slow_from: ClassVar[int] = 1000  # tokens; a sentence ten times as long takes hours

    delta: str = field(default="plain", metadata={"fixed": True})
    size: str = "nodes"
    labelled: bool = True
    costs: CostRule | None = field(default=None, metadata={"parse": CostTable.read})

    def __post_init__(self) -> None:
        check_name(self.delta, DELTAS, "variant of tree edit distance")
        check_name(self.size, SIZES, "size value")

    @property
    def about(self) -> str:
        """One-line description."""
        return {
            "plain": "tree edit distance",
            "diff": "tree edit distance minus the difference in size",
            "norm": "tree edit distance divided by the joint size",
        }[self.delta]

    @property
    def column(self) -> int:
        """The index of the variant among the distances that one pass over the pairs computes."""
        return DELTAS.index(self.delta)

    def __call__(self, first: TreeValue, second: TreeValue) -> float:
        """Return the distance of two annotations."""
        vocabulary = Vocabulary()
        ours = first.flatten(vocabulary, labelled=self.labelled)
        theirs = second.flatten(vocabulary, labelled=self.labelled)
        costs = symmetric(self.costs, vocabulary) if self.costs else None
        sizes = [tree.size if self.size == "nodes" else tree.leaves for tree in (ours, theirs)]
        return float(deltas(tree_distance(ours, theirs, costs), *sizes)[self.column])


def deltas(distance: Any, first: Any, second: Any) -> Any:
    """Return the variants plain, diff and norm of a distance between trees of these sizes, stacked."""
    total = np.maximum(np.asarray(first) + second, 1)  # two empty trees are at distance 0
    return np.stack(
        np.broadcast_arrays(distance, distance - np.abs(np.asarray(first) - second), distance / total)
    )


def tree_distance(first: Tree, second: Tree, costs: Costs | None = None) -> float:
    """Return the edit distance of two trees over one vocabulary."""
    corpus = kernels.pack([first, second])
    pair = (np.array([0], dtype=np.int32), np.array([1], dtype=np.int32))
    found = corpus.distances(*pair) if costs is None else corpus.weighted_distances(*pair, *costs.arrays)
    return float(found[0])


def symmetric(costs: CostRule, vocabulary: Vocabulary) -> Costs:
    """Return *costs* over *vocabulary*; raise UnsupportedStudy unless they are symmetric."""
    found = costs.over(vocabulary)
    if not found.symmetric:
        what = "the costs are not symmetric, so the distance would depend on the order of the trees"
        raise UnsupportedStudy(what, hint="Use the same cost in both directions")
    return found


PLUGINS = {f"ted_{delta}": Ted(delta) for delta in DELTAS}

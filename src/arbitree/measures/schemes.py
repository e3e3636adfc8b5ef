"""Gold trees in several annotation schemes, and what they have in common (TedEval across schemes)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from arbitree.data.dependency import DepTree
from arbitree.errors import Source, StudyError, UnsupportedStudy
from arbitree.formats.assembly import entries_of, formats_of
from arbitree.formats.base import load
from arbitree.measures.arcpairs import ArcStatistics
from arbitree.measures.arcs import Arcs
from arbitree.measures.ratio import Tally

HEAD = "hd"

Nodes = dict[frozenset[int], frozenset[str]]  # yields, each with the labels that are accepted


@dataclass(frozen=True, slots=True)
class Schemes:
    """The same gold sentences in other schemes."""

    paths: tuple[str, ...]
    files: tuple[dict[str | int, DepTree], ...]  # trees by id, or by place where a file has no ids

    @classmethod
    def read(cls, text: str) -> Schemes:
        """Read the files that an option names, joined by ``+``."""
        paths = tuple(filter(None, text.split("+")))
        contents = [load(path) for path in paths]
        files: list[dict[str | int, DepTree]] = []
        for content, name in zip(contents, formats_of(contents), strict=True):
            entries = tuple(entries_of(content, name))
            if not isinstance(entries[0].value, DepTree):
                raise StudyError("not dependency trees", Source(content.path), hint="Give CoNLL files")
            files.append({entry.id or place: entry.value for place, entry in enumerate(entries)})
        return cls(paths, tuple(files))

    def __str__(self) -> str:
        return "+".join(self.paths)

    def __hash__(self) -> int:
        return hash(self.paths)

    def of(self, item: str, place: int) -> list[DepTree]:
        """Return the trees of an item: by its id if the file has ids, else by its place in the study."""
        found = []
        for path, trees in zip(self.paths, self.files, strict=True):
            tree = trees.get(item) or trees.get(place)
            if tree is None:
                raise StudyError(
                    f"no sentence for item {item!r}", Source(path), hint="Give all gold sentences"
                )
            found.append(tree)
        return found


def generalised_counts(stats: ArcStatistics, schemes: Schemes, *, labelled: bool) -> Tally:
    """Return one minus the error against what all schemes share, as a ratio.

    Formula:
        error = max(0, δ(P, gen) - δ(G, gen)); score = 1 - error / (|P| + |gen|), where gen has the yields
        that all gold trees have; where their labels differ, any of them is accepted.
    """
    if not stats.directed:
        raise UnsupportedStudy("ted with schemes needs a gold standard", hint="Use 'arbitree score'")
    arcs = stats.forward
    above = np.zeros(len(stats.used))
    below = np.zeros(len(stats.used))
    for pair, item in enumerate(arcs.item.tolist()):
        trees = [arcs.gold.trees[pair], *schemes.of(stats.used[item].id, int(stats.columns[item]))]
        system = arcs.other.trees[pair]
        if any(tree.unreached() or len(tree) != len(system) for tree in (*trees, system)):
            continue
        skipped = _skipped(arcs, pair)
        golds = [function_tree(tree, skipped, labelled=labelled) for tree in trees]
        parsed = function_tree(system, skipped, labelled=labelled)
        shared = generalisation(golds)
        error = max(0, edits(parsed, shared) - edits(golds[0], shared))
        below[item] += len(parsed) + len(shared)
        above[item] += len(parsed) + len(shared) - error
    return Tally(above * arcs.share, below * arcs.share)


def function_tree(tree: DepTree, skipped: frozenset[int], *, labelled: bool) -> Nodes:
    """Return the nodes of the function tree of *tree*: yields and labels.

    Example:
        >>> tree = DepTree(("birds", "sing"), (2, 0), ("nsubj", "root"))
        >>> [(sorted(y), *label) for y, label in function_tree(tree, frozenset(), labelled=True).items()]
        [([1], 'nsubj'), ([2], 'hd'), ([1, 2], 'root')]
    """
    under: list[set[int]] = [set() for _ in range(len(tree) + 1)]
    for token in range(1, len(tree) + 1):
        if token in skipped:
            continue
        above = token
        while above:
            under[above].add(token)
            above = tree.heads[above - 1]
    nodes: Nodes = {}
    for token, relation in enumerate(tree.relations, start=1):
        if token in skipped:
            continue
        own = frozenset(under[token])
        if len(own) > 1:
            nodes[frozenset([token])] = frozenset([HEAD if labelled else ""])
        nodes[own] = frozenset([relation if labelled else ""])
    return nodes


def generalisation(trees: list[Nodes]) -> Nodes:
    """Return the yields that all *trees* have, each with all labels that they give it."""
    shared = set(trees[0]).intersection(*trees[1:])
    return {found: frozenset[str]().union(*(tree[found] for tree in trees)) for found in shared}


def edits(first: Nodes, second: Nodes) -> int:
    """Return how many nodes are inserted and deleted between two trees."""
    kept = sum(bool(labels & second.get(found, frozenset())) for found, labels in first.items())
    return len(first) + len(second) - 2 * kept


def _skipped(arcs: Arcs, pair: int) -> frozenset[int]:
    """Return the tokens of a pair that are not scored, or were removed, counted from 1."""
    scored = arcs.gold.scored & (arcs.gold.pair == pair)
    there: Any = arcs.gold.places[scored] + 1
    return frozenset(range(1, len(arcs.gold.trees[pair]) + 1)) - frozenset(there.tolist())

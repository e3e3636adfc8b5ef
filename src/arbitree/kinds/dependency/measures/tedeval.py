"""TedEval: the similarity of function trees.

A function tree has a node for every word, labelled with its relation, over all words that it dominates. A
word with dependents also has a node ``hd`` over itself alone. Nodes are inserted and deleted, but not
relabelled, and words do not change. Shared nodes therefore have equal yields, so the edit distance is the
number of nodes minus twice the number of nodes with equal yield and label.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from arbitree.errors import Source, StudyError, UnsupportedStudy
from arbitree.kinds.dependency.measures.arc_pairs import Arcs, ArcStatistics, Bools, Words
from arbitree.kinds.dependency.measures.attachment import ArcMetric
from arbitree.kinds.dependency.measures.tree_shape import Yields, depths, other_depths, yields_of
from arbitree.kinds.dependency.value import DepTree
from arbitree.measures.measure import FloatArray, Tally
from arbitree.measures.ratio import averaged
from arbitree.plugins import check_name
from arbitree.reading.assembly import entries_of, formats_of
from arbitree.reading.content import load
from arbitree.reading.side_files import JOINT, signed_name

HEAD = "hd"

Nodes = dict[frozenset[int], frozenset[str]]  # yields, each with the labels that are accepted


@dataclass(frozen=True, slots=True)
class Schemes:
    """The gold sentences in other annotation schemes."""

    paths: tuple[str, ...]
    files: tuple[dict[str | int, DepTree], ...]  # trees by id, or by place where a file has no ids

    @classmethod
    def read(cls, text: str) -> Schemes:
        """Read the files that an option names, joined by ``+``."""
        paths = tuple(filter(None, text.split(JOINT)))
        contents = [load(path) for path in paths]
        files: list[dict[str | int, DepTree]] = []
        for content, name in zip(contents, formats_of(contents), strict=True):
            entries = tuple(entries_of(content, name))
            if not isinstance(entries[0].value, DepTree):
                raise StudyError(
                    "not a file of dependency trees",
                    Source(content.path),
                    hint="Pass CoNLL-U or CoNLL-X files",
                )
            files.append({entry.id or place: entry.value for place, entry in enumerate(entries)})
        return cls(paths, tuple(files))

    def __str__(self) -> str:
        return JOINT.join(
            signed_name(
                path, ((name, each.tokens, each.heads, each.relations) for name, each in trees.items())
            )
            for path, trees in zip(self.paths, self.files, strict=True)
        )

    def __hash__(self) -> int:
        return hash(self.paths)

    def of(self, item: str, place: int) -> list[DepTree]:
        """Return the trees of an item, by id if the file has ids, otherwise by position in the study."""
        found = []
        for path, trees in zip(self.paths, self.files, strict=True):
            tree = trees.get(item) or trees.get(place)
            if tree is None:
                raise StudyError(
                    f"no sentence for item {item!r}",
                    Source(path),
                    hint="Add the sentence: every gold sentence is needed",
                )
            found.append(tree)
        return found


def generalised_counts(stats: ArcStatistics, schemes: Schemes, *, labelled: bool) -> Tally:
    """Return 1 minus the error against the generalisation of all schemes, as a ratio.

    Formula:
        error = max(0, δ(P, gen) - δ(G, gen)); score = 1 - error / (|P| + |gen|), where gen has the yields
        that all gold trees share; if their labels differ, any of them is accepted.
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
    """Return the yields that all *trees* share, each with all its labels."""
    shared = set(trees[0]).intersection(*trees[1:])
    return {found: frozenset[str]().union(*(tree[found] for tree in trees)) for found in shared}


def edits(first: Nodes, second: Nodes) -> int:
    """Return the number of nodes inserted and deleted between two trees."""
    kept = sum(bool(labels & second.get(found, frozenset())) for found, labels in first.items())
    return len(first) + len(second) - 2 * kept


def _skipped(arcs: Arcs, pair: int) -> frozenset[int]:
    """Return the numbers of the skipped or removed tokens of a pair, starting at 1."""
    scored = arcs.gold.scored & (arcs.gold.pair == pair)
    there: Any = arcs.gold.places[scored] + 1
    return frozenset(range(1, len(arcs.gold.trees[pair]) + 1)) - frozenset(there.tolist())


AVERAGES = ("global", "mean")
SEED = 20110711  # of the numbers that make up fingerprints; any number does


@dataclass(frozen=True, slots=True)
class TedEval(ArcMetric):
    """1 minus the edit distance of function trees over their joint size.

    Formula:
        1 - δ(P, G) / (|P| + |G|), δ(P, G) = |P| + |G| - 2 |nodes with equal yield and label|. Yields are
        sets of tokens, so crossing arcs need no special treatment. Skipped tokens have no nodes and are not
        part of yields. Trees with a cycle and sentences with different words are undefined.
    Args:
        unlabelled: compare only yields.
        average: ``global``: one error over the corpus; ``mean``: of the values of sentences.
        schemes: files with the same gold sentences in other annotation schemes, joined by ``+``. Errors are
            then counted against the structure that all schemes share.
    Reference:
        Tsarfaty et al. (2011, 2012).
    """

    references: ClassVar[tuple[str, ...]] = ("tsarfaty2012",)
    symmetric: ClassVar[bool] = True
    undefined: ClassVar[str] = "no_tree"
    about: ClassVar[str] = "TedEval: similarity of function trees, by their shared nodes"

    unlabelled: bool = False
    average: str = "global"
    schemes: Schemes | None = field(default=None, metadata={"parse": Schemes.read})

    def __post_init__(self) -> None:
        ArcMetric.__post_init__(self)
        check_name(self.average, AVERAGES, "average value")

    def count(self, stats: ArcStatistics) -> Tally:
        """Return shared nodes over the mean number of nodes, or sentence scores over 1."""
        if self.schemes is None:
            found = ArcMetric.count(self, stats)
        else:
            found = generalised_counts(stats, self.schemes, labelled=not self.unlabelled)
        return averaged(found) if self.average == "mean" else found

    def count_in(self, arcs: Arcs) -> Tally:
        """Return shared nodes over the mean number of nodes of both trees."""
        ours, theirs = both_yields(arcs)
        fit = sound(arcs)
        shared = _shared_words(arcs, ours, theirs, labelled=not self.unlabelled)
        shared += _shared_phrases(arcs, ours, theirs, labelled=not self.unlabelled)
        nodes = (_nodes(arcs.gold, ours) + _nodes(arcs.other, theirs)) / 2
        return Tally(arcs.per_item_of_pairs(shared * fit), arcs.per_item_of_pairs(nodes * fit))


def both_yields(arcs: Arcs) -> tuple[Yields, Yields]:
    """Return the yield of every token of both sides, with the same token numbers."""

    def make() -> tuple[Yields, Yields]:
        random = np.random.default_rng(SEED)
        tokens = random.integers(1, 2**63, size=len(arcs.gold), dtype=np.uint64)
        tokens[~arcs.gold.scored] = 0
        theirs = np.zeros(len(arcs.other), dtype=np.uint64)
        met = arcs.other.partner >= 0
        theirs[met] = tokens[arcs.other.partner[met]]
        return (
            yields_of(arcs.gold, tokens, depths(arcs)),
            yields_of(arcs.other, theirs, other_depths(arcs)),
        )

    found: tuple[Yields, Yields] = arcs.once("yields", make)
    return found


def sound(arcs: Arcs) -> Bools:
    """Return which pairs have the same words and no cycle in either tree."""
    pairs = len(arcs.item)
    lost = np.bincount(arcs.gold.pair, depths(arcs) == 0, minlength=pairs)
    lost += np.bincount(arcs.other.pair, other_depths(arcs) == 0, minlength=pairs)
    found: Bools = arcs.whole & (lost == 0)
    return found


def _nodes(words: Words, found: Yields) -> FloatArray:
    """Return the number of nodes of every tree: one per word, and one per word with dependents."""
    each = words.scored * (1.0 + (found.sizes > 1))
    return np.bincount(words.pair, each, minlength=len(words.trees)).astype(np.float64)


def _shared_words(arcs: Arcs, ours: Yields, theirs: Yields, *, labelled: bool) -> FloatArray:
    """Count words with the same own node: ``hd`` in both trees, or the same relation as a leaf in both."""
    met = arcs.gold.scored & (arcs.gold.partner >= 0)
    same = met.copy()
    if labelled:
        leaf = ours.sizes == 1
        their_leaf = np.zeros(len(leaf), dtype=bool)
        their_leaf[met] = theirs.sizes[arcs.gold.partner[met]] == 1
        same &= (leaf == their_leaf) & (~leaf | (arcs.labels == arcs.gold.labels))
    counts: FloatArray = np.bincount(arcs.gold.pair, same, minlength=len(arcs.item)).astype(np.float64)
    return counts


def _shared_phrases(arcs: Arcs, ours: Yields, theirs: Yields, *, labelled: bool) -> FloatArray:
    """Count yields of two or more words that both trees share, with the same relation if labelled."""
    first = np.flatnonzero((ours.sizes > 1) & arcs.gold.scored & (depths(arcs) > 0))
    second = np.flatnonzero((theirs.sizes > 1) & arcs.other.scored & (other_depths(arcs) > 0))
    first = first[np.argsort(ours.prints[first])]
    keys = ours.prints[first]
    found = np.minimum(np.searchsorted(keys, theirs.prints[second]), max(len(keys) - 1, 0))
    met = keys[found] == theirs.prints[second] if len(keys) else np.zeros(len(second), dtype=bool)
    a, b = first[found[met]] if len(keys) else first, second[met]
    if labelled:
        same = arcs.gold.labels[a] == arcs.other.labels[b]
        a = a[same]
    counts: FloatArray = np.bincount(arcs.gold.pair[a], minlength=len(arcs.item)).astype(np.float64)
    return counts


PLUGINS = {"ted": TedEval()}

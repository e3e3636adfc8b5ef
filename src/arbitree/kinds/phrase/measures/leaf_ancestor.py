"""The leaf-ancestor score: the similarity of the paths from every word to the root."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from arbitree.kinds.phrase.measures.parseval import PhraseMetric
from arbitree.kinds.phrase.measures.tree_pairs import PhraseStatistics
from arbitree.kinds.phrase.value import TRACE, PhraseTree
from arbitree.measures.measure import Tally
from arbitree.measures.ratio import averaged
from arbitree.plugins import check_name

OPEN, CLOSE = "[", "]"
SIMILAR = ("none", "first-letter")
AVERAGES = ("terminals", "sentences")

Lineage = tuple[tuple[bool, str], ...]  # whether it is a mark of a boundary, and what it says


@dataclass(frozen=True, slots=True)
class LeafAncestor(PhraseMetric):
    """The mean similarity of lineages, which are the labels from a word up to the root.

    A mark ``[`` precedes the highest node that begins with the word, and ``]`` follows the highest node that
    ends with it.

    Formula:
        1 - d / (length of both lineages), with d the edit distance: insertion and deletion cost 1, a
        substitution costs *substitution*, that of similar labels *similar_cost*.
    Args:
        include_pos: whether a lineage begins with the part of speech. Without it, a word has a mark only if
            a phrase begins or ends with it.
        substitution: cost of replacing a label.
        similar: ``first-letter``: labels with the same first letter are similar; ``none``: no labels are.
        similar_cost: cost of replacing a label by a similar one.
        average: over ``terminals`` or over ``sentences``.
    Reference:
        Sampson & Babarczy (2003).
    """

    references: ClassVar[tuple[str, ...]] = ("sampson-babarczy2003",)
    about: ClassVar[str] = "leaf-ancestor score: mean similarity of the paths from each word to the root"

    include_pos: bool = True
    substitution: float = 2.0
    similar: str = "first-letter"
    similar_cost: float = 0.5
    average: str = "terminals"

    def __post_init__(self) -> None:
        check_name(self.similar, SIMILAR, "similar value")
        check_name(self.average, AVERAGES, "average value")

    def count(self, stats: PhraseStatistics) -> Tally:
        """Return summed similarities over words."""
        rows: list[tuple[float, ...]] = []
        known: dict[tuple[Lineage, Lineage], float] = {}
        for ours, theirs in stats.each(self.include_pos, lambda tree: lineages(tree, pos=self.include_pos)):
            if len(ours) != len(theirs):  # delexicalised trees with other leaves
                rows.append((0.0, 0.0))
                continue
            total = 0.0
            for pair in zip(ours, theirs, strict=True):
                if pair not in known:
                    known[pair] = self.similarity(*pair)
                total += known[pair]
            rows.append((total, len(ours)))
        tally = stats.tally_of(rows)
        return averaged(tally) if self.average == "sentences" else tally

    def similarity(self, first: Lineage, second: Lineage) -> float:
        """Return the similarity of two lineages, from 0 to 1."""
        if first == second:
            return 1.0
        row = [float(place) for place in range(len(second) + 1)]
        for i, ours in enumerate(first, start=1):
            above, row[0] = row[0], float(i)
            for j, theirs in enumerate(second, start=1):
                above, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, above + self._cost(ours, theirs))
        return 1 - row[-1] / (len(first) + len(second))

    def _cost(self, ours: tuple[bool, str], theirs: tuple[bool, str]) -> float:
        if ours == theirs:
            return 0.0
        if ours[0] or theirs[0]:  # a mark is like nothing else
            return self.substitution
        alike = self.similar == "first-letter" and ours[1][:1] == theirs[1][:1]
        return self.similar_cost if alike else self.substitution


def lineages(tree: PhraseTree, *, pos: bool) -> list[Lineage]:
    """Return the lineage of every word of *tree*.

    Example:
        >>> tree = PhraseTree(("birds", "sing"), ("N", "V", "S", "NP"), (3, 2, -1, 2))
        >>> [" ".join(text for _, text in lineage) for lineage in lineages(tree, pos=True)]
        ['N NP ] [ S', '[ V S ]']
        >>> [" ".join(text for _, text in lineage) for lineage in lineages(tree, pos=False)]
        ['NP ] [ S', 'S ]']
    """
    terminals = [node for node in range(len(tree.words)) if tree.labels[node] != TRACE]
    begins: dict[int, int] = {}
    ends: dict[int, int] = {}
    for node, found in enumerate(tree.yields()):
        if found:
            begins[node], ends[node] = found[0][0], found[-1][1] - 1
    every = []
    for place, terminal in enumerate(terminals):
        way = [terminal]
        while tree.parents[way[-1]] >= 0:
            way.append(tree.parents[way[-1]])
        if not pos:
            del way[0]
        first = max((rank for rank, node in enumerate(way) if begins[node] == place), default=None)
        last = max((rank for rank, node in enumerate(way) if ends[node] == place), default=None)
        lineage: list[tuple[bool, str]] = []
        for rank, node in enumerate(way):
            if rank == first:
                lineage.append((True, OPEN))
            lineage.append((False, tree.labels[node]))
            if rank == last:
                lineage.append((True, CLOSE))
        every.append(tuple(lineage))
    return every


PLUGINS = {"leaf_ancestor": LeafAncestor()}

"""Parseval and related metrics: brackets that two phrase-structure trees share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from arbitree.kinds.phrase.measures.evalb_parameters import (
    DEFAULT,
    EvalbParameters,
    bare_label,
    read_parameters,
)
from arbitree.kinds.phrase.measures.tree_pairs import PhraseRecipe, PhraseStatistics
from arbitree.kinds.phrase.value import TRACE, PhraseTree
from arbitree.measures.measure import Better, FloatArray, Shows, Tally
from arbitree.measures.ratio import Ratio
from arbitree.plugins import check_name

PLAIN = EvalbParameters(cut=False, name="plain")
MISSING = ("exclude", "zero")

Brackets = Counter[tuple[str, int]]  # label, and the words under it as bits


@dataclass(frozen=True, slots=True)
class Bracketing:
    """The brackets of a tree for comparison."""

    brackets: Brackets
    words: int  # that count
    length: int  # of the sentence, for the cut-off


def bracketing(
    tree: PhraseTree, parameters: EvalbParameters, *, preterminals: bool, unlabelled: bool
) -> Bracketing:
    """Return the brackets of *tree* after words and labels are deleted and labels made equal.

    Brackets without remaining words are removed.

    Example:
        >>> tree = PhraseTree(("birds", "sing", "."), ("NNS", "VBP", ".", "TOP", "S"), (4, 4, 4, -1, 3))
        >>> found = bracketing(tree, DEFAULT, preterminals=False, unlabelled=False)
        >>> dict(found.brackets), found.words
        ({('S', 3): 1}, 2)
    """
    equal = dict(parameters.equal)
    under = [0] * len(tree.labels)
    bit, length = 1, 0
    brackets: Brackets = Counter()
    for terminal in range(len(tree.words)):
        label = tree.labels[terminal]
        length += label not in parameters.uncounted and label != TRACE
        if label == TRACE or label in parameters.deleted - {""}:  # a word without a tag stays
            continue
        under[terminal] = bit
        if preterminals and label:
            brackets["" if unlabelled else label, bit] += 1
        bit <<= 1
    for terminal in range(len(tree.words)):
        if tree.parents[terminal] >= 0:
            under[tree.parents[terminal]] |= under[terminal]
    for node in range(len(tree.labels) - 1, len(tree.words) - 1, -1):  # children before their parents
        if tree.parents[node] >= 0:
            under[tree.parents[node]] |= under[node]
        label = bare_label(tree.labels[node]) if parameters.cut else tree.labels[node]
        label = equal.get(label, label)
        if not under[node] or label in parameters.deleted:
            continue
        if parameters.discontinuous and _continuous(under[node]):
            continue
        brackets["" if unlabelled or not parameters.labelled else label, under[node]] += 1
    return Bracketing(brackets, bit.bit_length() - 1, length)


def _continuous(words: int) -> bool:
    """Whether the bits of *words* follow one another."""
    run = words // (words & -words)
    return run & (run + 1) == 0


@dataclass(frozen=True, slots=True)
class PhraseMetric(Ratio[PhraseStatistics]):
    """Base class of constituency metrics."""

    kinds: ClassVar[tuple[type, ...]] = (PhraseTree,)
    undefined: ClassVar[str] = "no_brackets"

    @property
    def statistics(self) -> PhraseRecipe:
        """The pairs of trees."""
        return PhraseRecipe()


@dataclass(frozen=True, slots=True)
class Parseval(PhraseMetric):
    """F1 of labelled brackets; those that occur twice count twice.

    Formula:
        2 m / (|T| + |G|), with m the brackets in common, over the corpus. Precision is m / |T|, recall
        m / |G|. A sentence whose trees have different numbers of words after deletion is undefined.
    Args:
        prm: a parameter file of evalb, or ``COLLINS`` for COLLINS.prm. The default adds other names of the
            topmost node to COLLINS.prm: topmost node, traces and punctuation are deleted, labels are cut at
            ``-`` and ``=``, PRT equals ADVP, and the cut-off is 40 words.
        preterminals: whether parts of speech count as brackets.
        unlabelled: compare only spans.
        discontinuous: count only discontinuous brackets.
        missing: ``exclude`` sentences that one annotator did not parse, or count them as ``zero``: as if the
            other tree had as many brackets, none of them in common. A sentence without a gold tree is
            always excluded.
    """

    references: ClassVar[tuple[str, ...]] = ("black1991",)
    ranks_systems: ClassVar[bool] = True
    family: ClassVar[str] = "bracket scores"
    about: ClassVar[str] = "Parseval: F1 of labelled brackets, counted as in evalb"

    prm: EvalbParameters = field(default=DEFAULT, metadata={"parse": read_parameters})
    preterminals: bool = False
    unlabelled: bool = False
    discontinuous: bool = False
    missing: str = MISSING[0]

    def __post_init__(self) -> None:
        check_name(self.missing, MISSING, "missing value")

    @property
    def statistics(self) -> PhraseRecipe:
        """The pairs of trees, and with ``missing=zero`` the trees without a counterpart."""
        return PhraseRecipe(missing=self.missing == "zero")

    def count(self, stats: PhraseStatistics) -> Tally:
        """Return shared brackets over the mean number of brackets."""
        rows: list[tuple[float, ...]] = []
        for trees, (gold, other) in zip(stats.pairs, self.bracketings(stats), strict=True):
            if not all(map(len, trees)):  # one of them is missing
                there = gold if len(trees[0]) else other
                lost = there.brackets.total()
                rows.append((0, lost, lost, lost, 0, 1, 0, lost * (there.length <= self.prm.cutoff)))
                continue
            if gold.words != other.words:
                rows.append((0.0,) * 8)
                continue
            shared = (gold.brackets & other.brackets).total()
            ours, theirs = gold.brackets.total(), other.brackets.total()
            short = gold.length <= self.prm.cutoff
            half = (ours + theirs) / 2
            complete = shared == half
            rows.append((shared, half, ours, theirs, complete, 1, shared * short, half * short))
        names = ("gold", "system", "complete", "sentences", "short_shared", "short_half")
        return stats.tally_of(rows, names)

    def bracketings(self, stats: PhraseStatistics) -> list[tuple[Bracketing, Bracketing]]:
        """Return the brackets of both trees of every pair; metrics with the same options share them."""
        parameters = replace(self.prm, discontinuous=True) if self.discontinuous else self.prm
        key = (parameters, self.preterminals, self.unlabelled)
        return stats.each(
            key,
            lambda tree: bracketing(
                tree, parameters, preterminals=self.preterminals, unlabelled=self.unlabelled
            ),
        )

    def details(self, stats: PhraseStatistics, weights: FloatArray) -> Mapping[str, Any]:
        """Return precision and recall, the share of complete matches, and F1 of short sentences."""
        sums = dict(Ratio.details(self, stats, weights))
        short, half = sums.pop("short_shared"), sums.pop("short_half")
        complete, sentences = sums.pop("complete"), sums.pop("sentences")
        return sums | {
            "precision": _over(sums["numerator"], sums["system"]),
            "recall": _over(sums["numerator"], sums["gold"]),
            "complete": _over(complete, sentences),
            f"up_to_{self.prm.cutoff}": _over(short, half),
        }


def _over(above: float, below: float) -> float | None:
    return above / below if below else None


@dataclass(frozen=True, slots=True)
class Brants(Parseval):
    """F1 between two annotators: nodes match if their labels and words are equal.

    Nothing is deleted and labels are not cut.
    """

    references: ClassVar[tuple[str, ...]] = ("brants2000",)
    about: ClassVar[str] = "F1 of all phrases with the same label and words"

    prm: EvalbParameters = field(default=PLAIN, metadata={"fixed": True})


@dataclass(frozen=True, slots=True)
class Crossing(Parseval):
    """The mean number of the other tree's brackets that cross a bracket of the gold tree."""

    family: ClassVar[str] = "crossing brackets"
    about: ClassVar[str] = "mean number of brackets per sentence that cross a gold bracket; lower is better"
    shows: ClassVar[Shows] = "disagreement"
    better: ClassVar[Better] = "lower"

    missing: str = field(default=MISSING[0], metadata={"fixed": True})  # no brackets cross those of no tree

    @property
    def statistics(self) -> PhraseRecipe:
        """The pairs of trees, in both orders if there is no reference."""
        return PhraseRecipe(both=True)

    def apart(self, stats: PhraseStatistics) -> float:
        """Return the mean number of brackets: all of them cross."""
        return float(np.mean([each.brackets.total() for pair in self.bracketings(stats) for each in pair]))

    def count(self, stats: PhraseStatistics) -> Tally:
        """Return the crossing brackets of every pair over 1."""
        rows: list[tuple[float, ...]] = []
        for gold, other in self.bracketings(stats):
            if gold.words != other.words:
                rows.append((0.0,) * 4)
                continue
            spans = {words for _, words in gold.brackets}
            crossing = sum(
                count for (_, words), count in other.brackets.items() if any(_cross(words, s) for s in spans)
            )
            rows.append((crossing, 1, crossing == 0, crossing <= 2))
        return stats.tally_of(rows, ("without", "two_or_less"))

    def details(self, stats: PhraseStatistics, weights: FloatArray) -> Mapping[str, Any]:
        """Return the shares of sentences without crossing brackets and with at most two."""
        sums = dict(Ratio.details(self, stats, weights))
        return sums | {name: _over(sums[name], sums["denominator"]) for name in ("without", "two_or_less")}


def _cross(first: int, second: int) -> bool:
    shared = first & second
    return bool(shared) and shared not in (first, second)


PLUGINS = {"parseval": Parseval(), "brants": Brants(), "crossing": Crossing()}

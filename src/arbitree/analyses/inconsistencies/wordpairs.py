"""Pairs of words with more than one relation in a corpus.

Reference:
    Boyd, Dickinson & Meurers (2008); with lemmas, de Marneffe, Grioni, Kanerva & Ginter (2017).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from arbitree.analyses.inconsistencies.repeats import IntArray, Text, repeated
from arbitree.data.dependency import DepTree

NIL = 0  # both words, and no edge between them
LEFT_OUT = -1  # an edge of punctuation
RIGHT = 1  # a label with an odd number has its head on the right


@dataclass(frozen=True, slots=True)
class Pairing:
    """Which words are the same, and which pairs of words are compared; see ``explain``."""

    match: str = "form"
    pos: str = "keep"
    case: str = "keep"
    nil_internal: bool = True
    nonfringe: bool = False
    dep_context: bool = False
    punctuation: str = "remove"
    examples: int = 5

    def settings(self) -> dict[str, Any]:
        """Return the options by name."""
        return asdict(self)

    def words(self, tree: DepTree) -> list[str]:
        """Return what stands for the tokens of *tree*: a lemma that is not given is the form."""
        words = list(tree.tokens)
        if self.match == "lemma" and "lemma" in tree.columns:
            words = [
                w if lemma in ("", "_") else lemma
                for w, lemma in zip(words, tree.columns["lemma"], strict=True)
            ]
        return [word.casefold() for word in words] if self.case == "lower" else words


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Places where two words stand, by the position of each, with the number of their label."""

    first: IntArray
    second: IntArray
    labels: IntArray

    def __len__(self) -> int:
        return len(self.first)

    def take(self, kept: Any) -> Pairs:
        """Return some of them, or all in another order."""
        return Pairs(self.first[kept], self.second[kept], self.labels[kept])

    def and_others(self, other: Pairs) -> Pairs:
        """Return these and the others."""
        columns = zip(
            (self.first, self.second, self.labels), (other.first, other.second, other.labels), strict=True
        )
        return Pairs(*(np.concatenate(column) for column in columns))


def variation(text: Text, edges: Pairs, heads: IntArray, pairing: Pairing) -> Pairs:
    """Return all places of the word pairs that have two labels or more, sorted by pair, then by position.

    Args:
        text: the corpus.
        edges: every edge, as a pair of positions in their order in the text; those that are LEFT_OUT are
            never compared, but their words are not without an edge either.
        heads: (n,) number of the relation of each token to its own head.
        pairing: which contexts are asked for.
    """
    labelled = edges.take(edges.labels != LEFT_OUT)
    find = _same_words_between if pairing.nil_internal else _anywhere
    pairs = labelled.and_others(_not_better_off(text, edges, find(text, labelled)))
    keys = text.words[pairs.first] * len(text.vocabulary) + text.words[pairs.second]
    groups = np.unique(keys, return_inverse=True)[1]
    if pairing.nonfringe:
        inside = (pairs.first - 1 >= 0) & (pairs.second + 1 < text.ends[pairs.second])
        inside &= text.sentences[pairs.first - 1] == text.sentences[pairs.first]
        pairs, groups = pairs.take(inside), groups[inside]
        for neighbours in (text.words[pairs.first - 1], text.words[pairs.second + 1]):
            groups = np.unique(groups * len(text.vocabulary) + neighbours, return_inverse=True)[1]
    kept = _in_context(pairs, groups, heads) if pairing.dep_context else _varying(groups, pairs.labels)
    pairs = pairs.take(kept)
    order = np.lexsort((pairs.second, pairs.first, text.words[pairs.second], text.words[pairs.first]))
    return pairs.take(order)


def _varying(groups: IntArray, labels: IntArray) -> Any:
    """Return which places are in a group with two labels or more."""
    if not len(groups):
        return np.zeros(0, dtype=bool)
    different = np.unique(groups * (labels.max() + 1) + labels) // (labels.max() + 1)
    found = np.unique(different, return_counts=True)
    return np.isin(groups, found[0][found[1] > 1])


def _same_words_between(text: Text, labelled: Pairs) -> Pairs:
    """Return pairs between which stand the words that stand between the same words with an edge."""
    distance = labelled.second - labelled.first + 1
    order = np.argsort(distance, kind="stable")
    firsts_by_length = labelled.first[order]
    longest = int(distance.max(initial=0))
    bounds = np.searchsorted(distance[order], np.arange(longest + 2))
    marked = np.zeros(len(text.words), dtype=bool)
    firsts, seconds = [], []
    for length, starts, strings in repeated(text):
        if length > longest:
            break
        own = firsts_by_length[bounds[length] : bounds[length + 1]]
        if not len(own):
            continue
        marked[own] = True
        with_edge = np.zeros(int(strings.max()) + 1, dtype=bool)
        with_edge[strings[marked[starts]]] = True
        found = starts[with_edge[strings]]
        marked[own] = False
        firsts.append(found)
        seconds.append(found + length - 1)
    return _nil(firsts, seconds)


def _anywhere(text: Text, labelled: Pairs) -> Pairs:
    """Return all pairs of words that have an edge somewhere, whatever stands between."""
    size = len(text.vocabulary)
    known = np.unique(text.words[labelled.first] * size + text.words[labelled.second])
    firsts, seconds = [], []
    starts = np.arange(len(text.words))
    length = 1
    while len(starts := starts[starts + length < text.ends[starts]]):
        found = starts[np.isin(text.words[starts] * size + text.words[starts + length], known)]
        firsts.append(found)
        seconds.append(found + length)
        length += 1
    return _nil(firsts, seconds)


def _nil(firsts: list[IntArray], seconds: list[IntArray]) -> Pairs:
    empty = np.zeros(0, dtype=np.int64)
    first, second = np.concatenate([empty, *firsts]), np.concatenate([empty, *seconds])
    return Pairs(first, second, np.full(len(first), NIL, dtype=np.int64))


def _not_better_off(text: Text, edges: Pairs, unlabelled: Pairs) -> Pairs:
    """Leave out pairs that have an edge, or a token of which has one to another with its partner's word."""
    size = len(text.vocabulary)
    taken_first = np.unique(edges.first * size + text.words[edges.second])
    taken_second = np.unique(edges.second * size + text.words[edges.first])
    free = ~np.isin(unlabelled.first * size + text.words[unlabelled.second], taken_first)
    free &= ~np.isin(unlabelled.second * size + text.words[unlabelled.first], taken_second)
    return unlabelled.take(free)


def _in_context(pairs: Pairs, groups: IntArray, heads: IntArray) -> Any:
    """Return which places are in a group with two labels where the head has one relation to its own head.

    Without an edge either word may be the head; such a place counts with those that have either's relation.
    """
    size = int(heads.max(initial=0)) + 1
    on_left, on_right = (groups * size + heads[tokens] for tokens in (pairs.first, pairs.second))
    nil = pairs.labels == NIL
    places = np.concatenate([np.flatnonzero(~nil), np.flatnonzero(nil), np.flatnonzero(nil)])
    own = np.where(pairs.labels % 2 == RIGHT, on_right, on_left)
    contexts = np.concatenate([own[~nil], on_left[nil], on_right[nil]])
    kept = np.zeros(len(pairs), dtype=bool)
    kept[places[_varying(contexts, pairs.labels[places])]] = True
    return kept

"""Nuclei of a corpus with equal fragments, found for many occurrences at once.

The fragment of some words follows from the arc of each word, and from the number of its phrases that are
inside the nucleus. Of an arc that leaves the nucleus, only the kind of attachment counts.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import chain

import numpy as np

from arbitree.constructions.repeats import BoolArray, CorpusWords, IntArray
from arbitree.kinds.phrase.constructions.fragments import Facts, Sliced


class Windows:
    """Arcs and phrases of all words of a corpus as arrays.

    Args:
        text: the words of the corpus.
        sentences: its derivations.
        odd: which sentences have traces or discontinuous phrases; each of their nuclei is a class of its own.
        facts: the numbers of arcs.
    """

    def __init__(
        self, text: CorpusWords, sentences: Sequence[Sliced], odd: Sequence[bool], facts: Facts
    ) -> None:
        self._text = text
        arcs, governors, sizes, bounds, gaps = (array("i") for _ in range(5))
        for sentence in sentences:
            if scattered := sentence.derivation.scattered:
                phrases = chain.from_iterable(sentence.spans)
                gaps.extend(len(bounds) // 2 + n for n, span in enumerate(phrases) if span in scattered)
            arcs.extend(sentence.arcs)
            governors.extend(sentence.governors)
            sizes.extend(map(len, sentence.spans))
            bounds.extend(chain.from_iterable(chain.from_iterable(sentence.spans)))
        starts = text.starts[text.sentences]
        self._odd = np.array(odd, dtype=bool)[text.sentences]
        self._arcs = np.array(arcs, dtype=np.int64)
        self._leaving = len(facts.outer) + np.array(facts.outer, dtype=np.int64)[self._arcs]
        own = np.array(governors, dtype=np.int64)
        self._governors = np.where(own < 0, -1, own + starts)
        self._sizes = np.array(sizes, dtype=np.int64)
        self._offsets = np.cumsum(self._sizes) - self._sizes
        shift = np.repeat(starts, self._sizes)
        self._firsts, self._ends = (np.array(bounds[side::2], dtype=np.int64) + shift for side in (0, 1))
        self._whole = np.ones(len(self._ends), dtype=bool)
        self._whole[np.array(gaps, dtype=np.int64)] = False

    def phrases(self, least: int) -> dict[int, IntArray]:
        """Return the positions of phrases without gaps and of sentences, by length, from *least* words on."""
        text = self._text
        kept = self._whole & (self._ends - self._firsts >= least)
        starts = np.concatenate([self._firsts[kept], text.starts])
        lengths = np.concatenate([self._ends[kept], np.append(text.starts[1:], len(text.words))]) - starts
        order = np.argsort(lengths, kind="stable")
        found, first = np.unique(lengths[order], return_index=True)
        return dict(zip(found.tolist(), np.split(starts[order], first[1:]), strict=True))

    def classes(self, positions: IntArray, length: int) -> IntArray:
        """Return numbers for the nuclei that begin at *positions*; the same ones have equal fragments."""
        words = positions[:, None] + np.arange(length)
        ends = positions + length
        governors = self._governors[words]
        joined = (governors >= positions[:, None]) & (governors < ends[:, None])
        inside = self._inside(words, positions, ends)
        codes = np.where(joined, self._arcs[words], self._leaving[words])
        codes = codes * (int(inside.max(initial=0)) + 1) + inside
        found = _one_governor(governors, joined).astype(np.int64)
        for column in codes.T:
            found = np.unique(found * (int(codes.max(initial=0)) + 1) + column, return_inverse=True)[1]
        odd = np.flatnonzero(self._odd[positions])
        found[odd] = len(positions) + np.arange(len(odd))
        return found

    def _inside(self, words: IntArray, starts: IntArray, ends: IntArray) -> IntArray:
        """Return the number of phrases of each word that are inside the nucleus."""
        sizes = self._sizes[words.ravel()]
        owners = np.repeat(np.arange(len(sizes)), sizes)
        shift = self._offsets[words.ravel()] + sizes - np.cumsum(sizes)
        phrases = np.repeat(shift, sizes) + np.arange(len(owners))
        nuclei = owners // words.shape[1]
        whole = (self._firsts[phrases] >= starts[nuclei]) & (self._ends[phrases] <= ends[nuclei])
        return np.bincount(owners[whole], minlength=words.size).reshape(words.shape)


def _one_governor(governors: IntArray, joined: BoolArray) -> BoolArray:
    """Return whether all words that are not joined inside a nucleus have the same governor."""
    most = int(governors.max(initial=0)) + 1
    first, last = np.where(joined, most, governors).min(axis=1), np.where(joined, -2, governors).max(axis=1)
    same: BoolArray = first == last
    return same

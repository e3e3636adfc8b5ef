"""Word sequences that occur more than once in a corpus, by length.

A sequence of length n can repeat only if its first n - 1 words do. So the occurrences of one length are those
of the previous length, without the ones that turn out to be unique. In running text, few remain soon.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class CorpusWords:
    """The words of a corpus as numbers, one sentence after the other."""

    words: IntArray  # (n,)
    ends: IntArray  # (n,) where the sentence of each word ends
    sentences: IntArray  # (n,) number of the sentence of each word
    starts: IntArray  # (sentences,)
    vocabulary: dict[str, int]

    @classmethod
    def of(cls, sentences: Sequence[Sequence[str]]) -> CorpusWords:
        """Return the text of *sentences*.

        Example:
            >>> CorpusWords.of([["a", "b"], ["b"]]).words.tolist()
            [0, 1, 1]
        """
        vocabulary: dict[str, int] = {}
        number = vocabulary.setdefault
        words = [number(word, len(vocabulary)) for sentence in sentences for word in sentence]
        lengths = np.array([len(sentence) for sentence in sentences], dtype=np.int64)
        ends = np.cumsum(lengths)
        return cls(
            words=np.array(words, dtype=np.int64),
            ends=np.repeat(ends, lengths),
            sentences=np.repeat(np.arange(len(lengths)), lengths),
            starts=ends - lengths,
            vocabulary=vocabulary,
        )

    def place(self, position: int) -> tuple[int, int]:
        """Return the sentence of a position, and the position inside it."""
        sentence = int(self.sentences[position])
        return sentence, position - int(self.starts[sentence])


def repeated(text: CorpusWords) -> Iterator[tuple[int, IntArray, IntArray]]:
    """Yield each length with the start positions of repeated sequences and the numbers of the sequences.

    Example:
        >>> text = CorpusWords.of(["a b c".split(), "a b".split()])
        >>> [(n, starts.tolist(), strings.tolist()) for n, starts, strings in repeated(text)]
        [(1, [0, 1, 3, 4], [0, 1, 0, 1]), (2, [0, 3], [0, 0])]
    """
    starts = np.arange(len(text.words), dtype=np.int64)
    strings = np.zeros(len(starts), dtype=np.int64)
    length = 0
    while len(starts):
        length += 1
        fits = starts + length <= text.ends[starts]
        starts, strings = starts[fits], strings[fits]
        longer = strings * len(text.vocabulary) + text.words[starts + length - 1]
        _, strings, counts = np.unique(longer, return_inverse=True, return_counts=True)
        kept = counts[strings] > 1
        starts = starts[kept]
        strings = np.unique(strings[kept], return_inverse=True)[1]
        if len(starts):
            yield length, starts, strings

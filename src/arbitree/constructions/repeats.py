"""Word sequences that occur more than once in a corpus, by length.

A sequence of length n can repeat only if its first n - 1 words do. So the occurrences of one length are those
of the previous length, without the ones that turn out to be unique. In running text, few remain soon.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arbitree.errors import UnknownName

IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]

MASKED = "_+"  # words that are hidden for reasons of copyright
NOTHING = "none"


@dataclass(frozen=True, slots=True, eq=False)
class CorpusWords:
    """The words of a corpus as numbers, one sentence after the other."""

    words: IntArray  # (n,)
    ends: IntArray  # (n,) where the sentence of each word ends
    sentences: IntArray  # (n,) number of the sentence of each word
    starts: IntArray  # (sentences,)
    vocabulary: dict[str, int]
    excluded: BoolArray  # (n,) words that are in no sequence

    @classmethod
    def of(
        cls, sentences: Sequence[Sequence[str]], excluded: Sequence[bool] | BoolArray | None = None
    ) -> CorpusWords:
        """Return the text of *sentences*, with a mark for every word that is *excluded*.

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
            excluded=np.zeros(len(words), dtype=bool) if excluded is None else np.array(excluded, dtype=bool),
        )

    def place(self, position: int) -> tuple[int, int]:
        """Return the sentence of a position, and the position inside it."""
        sentence = int(self.sentences[position])
        return sentence, position - int(self.starts[sentence])


def repeated(text: CorpusWords) -> Iterator[tuple[int, IntArray, IntArray]]:
    """Yield each length with the start positions of repeated sequences and the numbers of the sequences.

    Sequences with excluded words are left out.

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
        fits = ~text.excluded[starts + length - 1]
        starts, strings = starts[fits], strings[fits]
        longer = strings * len(text.vocabulary) + text.words[starts + length - 1]
        _, strings, counts = np.unique(longer, return_inverse=True, return_counts=True)
        repeats = counts > 1
        kept = repeats[strings]
        starts = starts[kept]
        strings = (np.cumsum(repeats) - 1)[strings[kept]]
        if len(starts):
            yield length, starts, strings


def repeated_phrases(
    text: CorpusWords,
    phrases: Mapping[int, IntArray | Sequence[int]],
    *,
    min_len: int = 1,
    max_len: int | None = None,
) -> Iterator[tuple[int, IntArray]]:
    """Yield the length and the positions of every repeated word sequence that is a phrase somewhere.

    Args:
        text: the corpus.
        phrases: the start positions of the phrases, by length.
        min_len, max_len: the lengths that count.

    Example:
        >>> text = CorpusWords.of(["a b c".split(), "a b".split()])
        >>> [(length, positions.tolist()) for length, positions in repeated_phrases(text, {2: [3]})]
        [(2, [0, 3])]
    """
    phrase = np.zeros(len(text.words), dtype=bool)
    for length, starts, strings in repeated(text):
        if max_len is not None and length > max_len:
            return
        if length < min_len or length not in phrases:
            continue
        here = np.array(phrases[length], dtype=np.int64)
        phrase[here] = True
        is_phrase = np.zeros(int(strings.max()) + 1, dtype=bool)
        is_phrase[strings[phrase[starts]]] = True
        phrase[here] = False
        kept = np.flatnonzero(is_phrase[strings])
        order = kept[np.argsort(strings[kept], kind="stable")]
        cuts = np.flatnonzero(np.diff(strings[order])) + 1
        for part in np.split(starts[order], cuts) if len(order) else ():
            yield length, part


@dataclass(frozen=True, slots=True)
class Exclusion:
    """Words that are in no nucleus.

    Args:
        expression: a regular expression for whole words, or ``none``.

    Example:
        >>> exclusion = Exclusion(MASKED)
        >>> exclusion.of([["a", "__"], ["___", "b_"]])
        [False, True, True, False]
        >>> exclusion.note(2)
        '2 words that match _+ are in no nucleus (to include them, use --set exclude=none)'
    """

    expression: str

    def __post_init__(self) -> None:
        try:
            re.compile(self.expression)
        except re.error as error:
            raise UnknownName(
                f"setting exclude is {self.expression!r}, which is not a regular expression ({error})",
                hint="Write an expression that matches whole words, or none",
            ) from None

    def of(self, sentences: Sequence[Sequence[str]]) -> list[bool]:
        """Return whether each word is excluded."""
        if self.expression == NOTHING:
            return [False] * sum(map(len, sentences))
        matches = re.compile(self.expression).fullmatch
        known: dict[str, bool] = {}
        found = []
        for sentence in sentences:
            for word in sentence:
                if word not in known:
                    known[word] = matches(word) is not None
                found.append(known[word])
        return found

    def note(self, count: int) -> str:
        """Return what to say about the *count* of excluded words."""
        words = "1 word that matches" if count == 1 else f"{count:,} words that match"
        verb = "is" if count == 1 else "are"
        return f"{words} {self.expression} {verb} in no nucleus (to include them, use --set exclude=none)"

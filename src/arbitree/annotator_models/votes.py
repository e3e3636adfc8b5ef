"""Annotations as votes for values, and the posterior of the true value of every item.

All models in which an annotator is either right or wrong share one expectation step. It costs two products
of a sparse matrix for any number of restarts or resamples, which are the columns.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arbitree.measures.signatures import mixed

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]
HashArray = NDArray[np.uint64]
GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # so that 0 is not its own pseudo-random number


@dataclass(frozen=True)
class Votes:
    """The votes of all annotators.

    Items with the same votes are one *pattern*. A *cell* is a value that received a vote in a pattern. A
    *kind* is a set of votes with the same probabilities of being right and wrong: the votes of one annotator
    for one label, or of one annotator on sentences of one length.

    Args:
        patterns: the number of patterns, including the one without votes.
        coders: the number of annotators.
        cell_pattern: the pattern of every cell; in ascending order.
        cell_value: the value of every cell, as a number.
        kind_coder: the annotator of every kind; in ascending order.
        votes: (V, 2), the cell and the kind of every vote.
        candidates: for every pattern, the number of values that could be true; at least its number of cells.
    """

    patterns: int
    coders: int
    cell_pattern: IntArray
    cell_value: IntArray
    kind_coder: IntArray
    votes: IntArray
    candidates: FloatArray

    @cached_property
    def matrix(self) -> Any:
        """The number of votes of each kind for each cell: sparse (cells, kinds)."""
        from scipy.sparse import csr_array

        cells, kinds = self.votes.T
        shape = (len(self.cell_pattern), len(self.kind_coder))
        return csr_array((np.ones(len(cells)), (cells, kinds)), shape=shape)

    @cached_property
    def transposed(self) -> Any:
        """The transposed matrix, with kinds as rows."""
        return self.matrix.T.tocsr()

    @cached_property
    def coders_of_kinds(self) -> Any:
        """The kinds of each annotator: sparse (coders, kinds)."""
        from scipy.sparse import csr_array

        kinds = len(self.kind_coder)
        return csr_array((np.ones(kinds), (self.kind_coder, np.arange(kinds))), shape=(self.coders, kinds))

    @cached_property
    def voted(self) -> IntArray:
        """The patterns with a vote."""
        return np.unique(self.cell_pattern)

    @cached_property
    def starts(self) -> IntArray:
        """The first cell of every pattern with a vote."""
        return np.searchsorted(self.cell_pattern, self.voted)

    @cached_property
    def place(self) -> IntArray:
        """For every cell, the position of its pattern among those with a vote."""
        return np.searchsorted(self.voted, self.cell_pattern)

    @cached_property
    def gather(self) -> Any:
        """The cells of each pattern with a vote: sparse (voted, cells)."""
        from scipy.sparse import csr_array

        cells = len(self.place)
        ends = np.append(self.starts, cells)
        return csr_array((np.ones(cells), np.arange(cells), ends), shape=(len(self.voted), cells))

    @cached_property
    def profile(self) -> Any:
        """The number of votes of each kind in each pattern with a vote: sparse (voted, kinds)."""
        return (self.gather @ self.matrix).tocsr()

    @cached_property
    def single(self) -> IntArray:
        """The patterns with one vote."""
        return np.asarray(self.voted[np.asarray(self.profile.sum(axis=1)) == 1])

    @cached_property
    def unseen(self) -> FloatArray:
        """For every pattern with a vote, the number of candidates without votes."""
        return self.candidates[self.voted] - np.diff(self.starts, append=len(self.cell_pattern))


@dataclass(frozen=True)
class Sample:
    """Votes, and the weight of each pattern in every column: (patterns, columns)."""

    votes: Votes
    weights: FloatArray

    @cached_property
    def counts(self) -> FloatArray:
        """The number of votes of each kind: (kinds, columns)."""
        return np.asarray(self.votes.transposed @ self.weights[self.votes.cell_pattern])

    @cached_property
    def totals(self) -> FloatArray:
        """The number of votes of each annotator: (coders, columns)."""
        return np.asarray(self.votes.coders_of_kinds @ self.counts)

    @cached_property
    def keys(self) -> HashArray:
        """A number for each annotator that depends on the votes alone: (coders,).

        It does not depend on the order of annotators and items. The votes of an item are hashed first, then
        those of an annotator with the items they belong to, and both again with the annotators known.
        """
        cell, kind = self.votes.votes.T
        item, coder = self.votes.cell_pattern[cell], self.votes.kind_coder[kind]
        value = scrambled(self.votes.cell_value[cell].astype(np.uint64))
        times = self.weights[item, 0].astype(np.uint64)
        keys = np.zeros(self.votes.coders, dtype=np.uint64)
        for _ in range(2):
            items = np.zeros(self.votes.patterns, dtype=np.uint64)
            np.add.at(items, item, scrambled(keys[coder] ^ value))
            keys = np.zeros_like(keys)
            np.add.at(keys, coder, times * scrambled(items[item] ^ value))
        return keys

    def weigh(self, posterior: FloatArray) -> FloatArray:
        """Return the expected number of correct votes of each kind: (kinds, columns).

        Args:
            posterior: (cells, columns).
        """
        return np.asarray(self.votes.transposed @ (posterior * self.weights[self.votes.cell_pattern]))


def scrambled(numbers: HashArray) -> HashArray:
    """Return a pseudo-random number for each of *numbers*, always the same for the same number."""
    return mixed(numbers + GOLDEN)


def expect(sample: Sample, miss: FloatArray, hit: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the posterior of every cell and the log-likelihood of every column.

    Formula:
        P(votes of i | T_i = t) = ∏_j (hit_j where j voted for t, else miss_j); T_i uniform over candidates
    Args:
        sample: the votes and their weights.
        miss: (kinds, columns), the probability of a wrong vote.
        hit: (kinds, columns), the probability of a correct vote.
    Returns:
        Posteriors (cells, columns) and log-likelihoods (columns,).
    """
    votes = sample.votes
    low = np.log(miss)
    gain = votes.matrix @ (np.log(hit) - low)
    top = np.maximum(np.maximum.reduceat(gain, votes.starts, axis=0), 0)  # 0: candidates without votes
    share = np.exp(gain - top[votes.place])
    total = votes.gather @ share + votes.unseen[:, None] * np.exp(-top)
    base = votes.profile @ low
    likely = base + top + np.log(total) - np.log(votes.candidates[votes.voted])[:, None]
    share /= total[votes.place]
    return share, np.sum(likely * sample.weights[votes.voted], axis=0)


def informative(sample: Sample, chance: FloatArray | float) -> FloatArray:
    """Return the number of votes of each annotator on items that others voted on, less lucky guesses.

    Args:
        sample: the votes; the weights of the first column count.
        chance: the probability that a guess is right, for all kinds of votes or for each: (kinds,).
    """
    weights = sample.weights[:, :1].copy()
    weights[sample.votes.single] = 0
    counts = Sample(sample.votes, weights).counts[:, 0]
    return np.asarray(sample.votes.coders_of_kinds @ (counts * (1 - chance)))


def label_votes(codes: NDArray[np.integer[Any]], size: int) -> tuple[Votes, IntArray]:
    """Return the votes of a table of labels, and the pattern of every item; a kind is an annotator and label.

    Args:
        codes: (items, coders), numbers from 0 to *size* - 1, negative for missing annotations.
        size: the number of labels.
    Raises:
        ValueError: if a number is not a label.
    Example:
        >>> votes, pattern = label_votes(np.array([[0, 0, 1], [-1, -1, -1], [0, 0, 1]]), 2)
        >>> pattern.tolist(), votes.cell_pattern.tolist(), votes.cell_value.tolist()
        ([0, 1, 0], [0, 0], [0, 1])
    """
    codes = np.maximum(np.asarray(codes), -1)
    if codes.size and codes.max() >= size:
        raise ValueError(f"code {codes.max()} among {size} labels")
    rows, pattern = _unique_rows(codes)
    item, coder = np.nonzero(rows >= 0)
    answer = rows[item, coder].astype(np.intp)
    cells, cell = np.unique(item * size + answer, return_inverse=True)
    votes = Votes(
        patterns=len(rows),
        coders=codes.shape[1],
        cell_pattern=cells // size,
        cell_value=cells % size,
        kind_coder=np.repeat(np.arange(codes.shape[1]), size),
        votes=np.stack([cell, coder * size + answer], axis=1),
        candidates=np.full(len(rows), float(size)),
    )
    return votes, pattern


def _unique_rows(codes: NDArray[np.integer[Any]]) -> tuple[NDArray[np.integer[Any]], IntArray]:
    """Return the distinct rows in order of first occurrence, and the number of each row among them."""
    data = codes.tobytes()
    width = codes.itemsize * codes.shape[1]
    numbers: dict[bytes, int] = {}
    pattern = np.array(
        [
            numbers.setdefault(data[start : start + width], len(numbers))
            for start in range(0, width * len(codes), width or 1)
        ],
        dtype=np.intp,
    )
    rows = np.frombuffer(b"".join(numbers), dtype=codes.dtype).reshape(len(numbers), codes.shape[1])
    return rows, pattern

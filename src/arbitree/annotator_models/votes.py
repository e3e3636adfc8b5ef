"""Annotations as votes for values, and what they tell of the true value of every item.

All models in which a coder either hits the truth or misses it share one expectation step. It costs two
products of a sparse matrix, whatever the number of restarts or resamples: these are the columns.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]


@dataclass(frozen=True)
class Votes:
    """Who voted for what.

    Items with the same votes are one *pattern*. A *cell* is a value that somebody gave to a pattern. A *kind*
    is a set of votes that have the same chance to hit and to miss: those of one coder for one label, or of
    one coder on sentences of one length.

    Args:
        patterns: how many patterns there are, that without a vote included.
        coders: how many coders.
        cell_pattern: the pattern of every cell; in ascending order.
        cell_value: the value of every cell, as a number.
        kind_coder: the coder of every kind; in ascending order.
        votes: (V, 2), the cell and the kind of every vote.
        candidates: of every pattern, how many values could be true; at least as many as it has cells.
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
        """The same with kinds as rows."""
        return self.matrix.T.tocsr()

    @cached_property
    def coders_of_kinds(self) -> Any:
        """Which kinds are whose: sparse (coders, kinds)."""
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
        """Of every cell, the place of its pattern among those with a vote."""
        return np.searchsorted(self.voted, self.cell_pattern)

    @cached_property
    def gather(self) -> Any:
        """Which cells belong to each pattern with a vote: sparse (voted, cells)."""
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
        """Of every pattern with a vote, how many candidates nobody voted for."""
        return self.candidates[self.voted] - np.diff(self.starts, append=len(self.cell_pattern))


@dataclass(frozen=True)
class Sample:
    """Votes, and how often each pattern counts in every column: (patterns, columns)."""

    votes: Votes
    weights: FloatArray

    @cached_property
    def counts(self) -> FloatArray:
        """How many votes there are of each kind: (kinds, columns)."""
        return np.asarray(self.votes.transposed @ self.weights[self.votes.cell_pattern])

    @cached_property
    def totals(self) -> FloatArray:
        """How many votes there are of each coder: (coders, columns)."""
        return np.asarray(self.votes.coders_of_kinds @ self.counts)

    def weigh(self, posterior: FloatArray) -> FloatArray:
        """Return the expected number of votes of each kind that are true: (kinds, columns).

        Args:
            posterior: (cells, columns).
        """
        return np.asarray(self.votes.transposed @ (posterior * self.weights[self.votes.cell_pattern]))


def expect(sample: Sample, miss: FloatArray, hit: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the posterior of every cell and the log-likelihood of every column.

    Formula:
        P(votes of i | T_i = t) = ∏_j (hit_j where j voted for t, else miss_j); T_i uniform over candidates
    Args:
        sample: who voted for what, and how often it counts.
        miss: (kinds, columns), the chance of a vote that is not the truth.
        hit: (kinds, columns), the chance of a vote that is.
    Returns:
        Posteriors (cells, columns) and log-likelihoods (columns,).
    """
    votes = sample.votes
    low = np.log(miss)
    gain = votes.matrix @ (np.log(hit) - low)
    top = np.maximum(np.maximum.reduceat(gain, votes.starts, axis=0), 0)  # 0: candidates that nobody named
    share = np.exp(gain - top[votes.place])
    total = votes.gather @ share + votes.unseen[:, None] * np.exp(-top)
    base = votes.profile @ low
    likely = base + top + np.log(total) - np.log(votes.candidates[votes.voted])[:, None]
    share /= total[votes.place]
    return share, np.sum(likely * sample.weights[votes.voted], axis=0)


def label_votes(codes: NDArray[np.integer[Any]], size: int) -> tuple[Votes, IntArray]:
    """Return the votes of a table of labels, and of every item its pattern; kinds are coders with labels.

    Args:
        codes: (items, coders), numbers from 0 to *size* - 1, negative where there is no annotation.
        size: how many labels there are.
    Raises:
        ValueError: if a number is no label.
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
    """Return the distinct rows as they first come, and which of them each row is."""
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

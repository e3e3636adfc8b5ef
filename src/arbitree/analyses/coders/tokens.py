"""The votes of dependency trees: every token is an item, and heads or edges are what coders vote for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arbitree.analyses.coders.votes import FloatArray, IntArray, Votes
from arbitree.data.dependency import DepTree

Edge = tuple[int, str]  # head and relation; the relation is "" where heads alone are modelled
Sentence = Sequence[tuple[int, DepTree]]  # the coders who annotated it, by number, with their trees


@dataclass(frozen=True, slots=True)
class TokenVotes:
    """Votes, the chance of a guess of each kind, and of every token its sentence, pattern and edges.

    The edges of a token are in the order of the cells of its pattern: that of the first coder first.
    """

    votes: Votes
    guess: FloatArray  # (kinds,)
    sentence: IntArray  # (tokens,)
    pattern: IntArray  # (tokens,)
    edges: tuple[tuple[Edge, ...], ...]


def token_votes(sentences: Sequence[Sentence], coders: int, *, labelled: bool) -> TokenVotes:
    """Return the votes of all tokens; tokens with the same coders and the same agreement share a pattern.

    Args:
        sentences: trees of one sentence have the same number of tokens.
        coders: how many there are.
        labelled: vote for edges with their relations, not for heads alone.
    Example:
        >>> first, second = (DepTree(("a", "b"), heads, ("x", "y")) for heads in ((2, 0), (0, 1)))
        >>> found = token_votes([[(0, first), (1, second)]], 2, labelled=False)
        >>> found.edges
        (((2, ''), (0, '')), ((0, ''), (1, '')))
        >>> found.pattern.tolist()
        [0, 0]
    """
    patterns: dict[tuple[int, ...], int] = {}
    sentence, pattern, edges = [], [], []
    for place, trees in enumerate(sentences):
        who = [coder for coder, _ in trees]
        size = len(trees[0][1])
        columns = [
            list(zip(tree.heads, tree.relations, strict=True)) if labelled else [(h, "") for h in tree.heads]
            for _, tree in trees
        ]
        for votes in zip(*columns, strict=True):
            named = {edge: number for number, edge in enumerate(dict.fromkeys(votes))}
            key = (size, *who, *(named[edge] for edge in votes))
            sentence.append(place)
            pattern.append(patterns.setdefault(key, len(patterns)))
            edges.append(tuple(named))
    relations = len({relation for found in edges for _, relation in found}) if labelled else 1
    votes_found, sizes = _votes(patterns, coders)
    return TokenVotes(
        votes=votes_found,
        guess=1 / (sizes * relations),
        sentence=np.array(sentence, dtype=np.intp),
        pattern=np.array(pattern, dtype=np.intp),
        edges=tuple(edges),
    )


def _votes(
    patterns: Sequence[tuple[int, ...]] | dict[tuple[int, ...], int], coders: int
) -> tuple[Votes, FloatArray]:
    """Return the votes of *patterns*, and of each kind the length of its sentences.

    A token may hang from any other or from the root: as many candidates as the sentence has tokens.
    """
    kinds: dict[tuple[int, int], int] = {}
    cell_pattern: list[int] = []
    cell_value: list[int] = []
    pairs: list[tuple[int, tuple[int, int]]] = []
    for number, (size, *rest) in enumerate(patterns):
        half = len(rest) // 2
        start = len(cell_pattern)
        cells = max(rest[half:]) + 1
        cell_pattern += [number] * cells
        cell_value += range(cells)
        pairs += [
            (start + value, (coder, size)) for coder, value in zip(rest[:half], rest[half:], strict=True)
        ]
    for kind in sorted({kind for _, kind in pairs}):
        kinds[kind] = len(kinds)
    place = np.array(cell_pattern, dtype=np.intp)
    votes = Votes(
        patterns=len(patterns),
        coders=coders,
        cell_pattern=place,
        cell_value=np.array(cell_value, dtype=np.intp),
        kind_coder=np.array([coder for coder, _ in kinds], dtype=np.intp),
        votes=np.array([(cell, kinds[kind]) for cell, kind in pairs], dtype=np.intp).reshape(-1, 2),
        candidates=np.bincount(place, minlength=len(patterns)).astype(float),
    )
    return votes, np.array([size for _, size in kinds], dtype=float)

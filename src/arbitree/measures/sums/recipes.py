"""The recipe of the sums over each distance."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

from arbitree.distances.pqgram import PqGram
from arbitree.distances.ted import Ted
from arbitree.measures.sums.pairs import PairStatistics
from arbitree.measures.sums.sampled import Sampling
from arbitree.measures.sums.trees import PqGramSums, TedSums


@singledispatch
def recipe_of(distance: Any, sampling: Sampling) -> PairStatistics:
    """Return the recipe for the sums over *distance*; distances computed in one pass share it.

    A module that defines another distance registers its recipe.
    """
    raise TypeError(f"no sums are defined for {type(distance).__name__}")


@recipe_of.register
def _(distance: Ted, sampling: Sampling) -> TedSums:
    return TedSums(distance.size, distance.labelled, distance.costs, sampling)


@recipe_of.register
def _(distance: PqGram, sampling: Sampling) -> PqGramSums:
    return PqGramSums(distance.p, distance.q, distance.labelled, sampling)

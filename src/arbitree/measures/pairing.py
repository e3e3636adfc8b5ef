"""The pairs of trees of a study, whichever kind they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from arbitree.backends.base import Run
from arbitree.data.phrase import PhraseTree
from arbitree.data.study import Study
from arbitree.measures.arcpairs import ArcStatistics, prepare_arcs
from arbitree.measures.arcs import Policy
from arbitree.measures.phrases import PhraseRecipe, PhraseStatistics


@dataclass(frozen=True, slots=True)
class TreePairs:
    """Recipe: the arcs of dependency trees, made one way or another; phrase-structure trees as they are."""

    policy: Policy

    def prepare(self, study: Study[Any], run: Run) -> ArcStatistics | PhraseStatistics:
        """Pair the trees of *study*."""
        if study.value_type is PhraseTree:
            return PhraseRecipe().prepare(study, run)
        return prepare_arcs(study, self.policy)

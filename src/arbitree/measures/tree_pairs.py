"""The pairs of trees of a study, whichever kind they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from arbitree.backends.base import Run
from arbitree.kinds.dependency.measures.arc_pairs import ArcStatistics, Policy, prepare_arcs
from arbitree.kinds.phrase.measures.tree_pairs import PhraseRecipe, PhraseStatistics
from arbitree.kinds.phrase.value import PhraseTree
from arbitree.measures.measure import Statistics
from arbitree.study.study import Study


@dataclass(frozen=True, slots=True)
class TreePairs(Statistics[ArcStatistics]):
    """Recipe: the arcs of dependency trees, made one way or another; phrase-structure trees as they are."""

    policy: Policy

    def prepare(  # type: ignore[override]
        self, study: Study[Any], run: Run
    ) -> ArcStatistics | PhraseStatistics:
        """Pair the trees of *study*."""
        if study.value_type is PhraseTree:
            return PhraseRecipe().prepare(study, run)
        return prepare_arcs(study, self.policy)

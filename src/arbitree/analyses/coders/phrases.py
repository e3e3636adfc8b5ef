"""How near coders of phrase trees are to the consensus of all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from arbitree.analyses.coders.brackets import (
    NODE_NUMBERS,
    Bracket,
    Phrases,
    bracket_entropy,
    brackets_of,
    majority_brackets,
    tree_of,
)
from arbitree.analyses.coders.outcome import (
    Outcome,
    clusters_of,
    confusion_rows,
    counted,
    shared_items,
    usable_trees,
)
from arbitree.analyses.coders.votes import FloatArray
from arbitree.data.phrase import TRACE, PhraseTree, Yield
from arbitree.data.study import Study
from arbitree.measures.resampling import Resampling


def model_brackets(study: Study[PhraseTree], resampling: Resampling) -> Outcome:
    """Return the consensus of every item, and each coder's F-score against it.

    Formula:
        competence_j = 2 Σ_i |B_ij ∩ C_i| / Σ_i (|B_ij| + |C_i|), over the items that j annotated and
        not alone
    """
    usable = usable_trees(study)
    coders = len(study.coders)
    consensus: list[PhraseTree | None] = [None] * len(study.items)
    entropy = np.full(len(study.items), np.nan)
    matched, size = (np.zeros((len(usable.places), coders)) for _ in range(2))
    own = np.zeros((len(usable.places), coders))
    counts: dict[tuple[int, Any, Any], float] = {}
    for row, (place, trees) in enumerate(zip(usable.places, usable.annotations, strict=True)):
        nodes = [(coder, brackets_of(tree)) for coder, tree in trees]
        chosen = majority_brackets([found for _, found in nodes])
        consensus[place] = tree_of(chosen, trees, [found for _, found in nodes])
        entropy[place] = bracket_entropy([found for _, found in nodes])
        for coder, found in nodes:
            matched[row, coder] = len(found.keys() & set(chosen))
            own[row, coder] = len(found)
            size[row, coder] = len(found) + len(chosen) if len(nodes) > 1 else 0
            _count_labels(counts, coder, chosen, found)
    cluster = clusters_of(study, usable.places)
    compared = np.where(size > 0, matched, 0)  # a tree without another is its own consensus
    draws = [
        _scores(compared, size, cluster, rows)
        for rows in resampling.rows(np.unique(cluster), len(study.clusters))
    ]
    scores = np.concatenate(draws, axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        agreement = matched.sum(axis=0) / own.sum(axis=0)
    return Outcome(
        competence=scores[:, 0],
        draws=scores[:, 1:],
        agreement=agreement,
        annotations=counted(usable.annotations, coders),
        entropy=entropy,
        consensus=tuple(consensus),
        ties=((),) * len(study.items),
        shared=shared_items(study, usable.annotations),
        members=np.unique(cluster),
        varied=True,
        confusion=confusion_rows(study.coders, counts),
        details={"brackets": int(sum(len(tree.labels) - len(tree.words) for tree in consensus if tree))},
        ignored=usable.ignored,
        notes=_notes(usable.annotations),
    )


def _scores(matched: FloatArray, size: FloatArray, cluster: Any, rows: FloatArray) -> FloatArray:
    """Return the F-scores (coders, rows of weights)."""
    weights = rows[:, cluster]
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(2 * (weights @ matched) / (weights @ size)).T


def _count_labels(
    counts: dict[tuple[int, Any, Any], float],
    coder: int,
    chosen: Sequence[Bracket],
    found: Mapping[Bracket, int],
) -> None:
    """Count what *coder* has where the consensus has a bracket, and where it has none."""
    answers: dict[Yield, list[str]] = {}
    for bracket in found:
        if bracket not in chosen:
            answers.setdefault(bracket.span, []).append(bracket.label)
    for bracket in chosen:
        others = answers.get(bracket.span)
        answer = bracket.label if bracket in found else others.pop(0) if others else None
        counts[coder, bracket.label, answer] = counts.get((coder, bracket.label, answer), 0.0) + 1
    for label in (label for labels in answers.values() for label in labels):
        counts[coder, None, label] = counts.get((coder, None, label), 0.0) + 1


def _notes(annotations: Sequence[Phrases]) -> tuple[str, ...]:
    traces = sum(TRACE in tree.labels for trees in annotations for _, tree in trees)
    pointers = any(NODE_NUMBERS in tree.columns for trees in annotations for _, tree in trees)
    notes = []
    if traces:
        notes.append(
            f"traces ({TRACE}, in {traces} trees) and phrases over them alone are left out of the consensus"
        )
    if pointers:
        notes.append("secondary edges are left out of the consensus")
    return tuple(notes)

"""The functions that people call from Python: the same road as the command line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from arbitree import kinds
from arbitree.api.read import read
from arbitree.backends.base import Run
from arbitree.errors import UnsupportedStudy
from arbitree.reporting.sections.scores import ScoreTable
from arbitree.scoring.systems import score_systems
from arbitree.study.study import Study


def score(
    gold: Study[Any] | str | Path,
    *systems: str | Path,
    measures: Sequence[str | tuple[str, Any]] = (),
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
    method: str = "percentile",
    by: Sequence[str] = (),
    differences: int = 0,
    run: Run | None = None,
    **named: str | Path,
) -> ScoreTable:
    """Score systems against a gold standard, by default with every metric that fits, and test differences.

    Args:
        gold: the file of the gold standard, or a study, whose reference is the gold standard; if it has
            none, its first coder is.
        systems: files of systems, which are named after them.
        measures: names of metrics, with options if any.
        resamples: of the bootstrap, and rounds of randomisation.
        confidence: of the intervals.
        seed: of all random steps.
        method: of the intervals, ``percentile`` or ``bca``.
        by: breakdowns: ``deprel upos distance depth length document``.
        differences: how many sentences to list on which the two best systems differ most.
        run: the backend.
        named: more systems, by name.
    Returns:
        A table: print it, ``.to_dict()``, ``.to_pandas()``; ``table["system"]["las"]`` is a result.
    Example:
        >>> folder = "examples/score"
        >>> table = score(f"{folder}/gold.conllu", f"{folder}/heron.conllu", f"{folder}/wren.conllu")
        >>> table.scores.systems
        ('heron', 'wren')
    """
    if isinstance(gold, Study):
        if systems or named:
            raise UnsupportedStudy("a study has its systems already", hint="Give files, or a study alone")
        study = gold
    else:
        study = read(f"gold={gold}", *systems, *(f"{name}={path}" for name, path in named.items()))
    if study.reference is None:
        study = replace(study, reference=study.coders[0])
    scores = score_systems(
        study,
        measures,
        resamples=resamples,
        confidence=confidence,
        seed=seed,
        method=method,
        by=by,
        run=run,
    )
    return ScoreTable(scores, kinds.of(scores.study), differences)

"""Scores of systems against a gold standard: ``at.score`` and ``arbitree score``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from arbitree import kinds
from arbitree.api.arguments import Measures, Names, inputs_from, listed
from arbitree.api.read import read
from arbitree.backends.base import Run
from arbitree.errors import UnsupportedStudy
from arbitree.measures.computing import Computing
from arbitree.reporting.sections.score import ScoreTable
from arbitree.scoring.systems import score_systems
from arbitree.study.study import Study

OPTIONS = ["measures", "resamples", "confidence", "interval", "method", "seed", "by", "differences", "run"]


def score(
    gold: Study[Any] | str | Path,
    *systems: str | Path,
    measures: Measures = (),
    by: Names = (),
    differences: int = 0,
    resamples: int = 1000,
    confidence: float = 0.95,
    interval: str = "jackknife",
    method: str | None = None,
    seed: int = 0,
    run: Run | None = None,
    **named: str | Path,
) -> ScoreTable:
    """Score systems against a gold standard, rank them, and test the differences for significance.

    Args:
        gold: File of the gold standard, or a study. The gold standard of a study is its reference, or its
            first annotator if it has none.
        systems: Files of systems, which are named after them.
        measures: One or more names of metrics, with options if any (default: every metric that fits).
        by: Breakdowns: ``deprel upos distance depth length document``.
        differences: Number of sentences to list on which the two best systems differ most.
        resamples: Number of bootstrap resamples, and of iterations of the randomisation test.
        confidence: Level of the confidence intervals.
        interval: Method of the confidence intervals: ``jackknife`` or ``percentile``.
        method: Older name of *interval*.
        seed: Random seed.
        run: An open backend.
        named: More systems, by name.
    Returns:
        A table that you can print or convert with ``.to_dict()`` or ``.to_pandas()``;
        ``table["system"]["las"]`` is a result.
    Example:
        >>> folder = "examples/score"
        >>> table = score(f"{folder}/gold.conllu", f"{folder}/heron.conllu", f"{folder}/wren.conllu")
        >>> table.scores.systems
        ('heron', 'wren')
    """
    if isinstance(gold, Study):
        if systems or named:
            raise UnsupportedStudy("a study already contains its systems", hint="Pass files, or only a study")
        study = gold
    else:
        study = read(*inputs_from("score", (f"gold={gold}", *systems), {}, named, OPTIONS))
    study = study.with_gold()
    if study.reference is None:
        study = replace(study, reference=study.coders[0])
    computing = Computing(resamples=resamples, confidence=confidence, interval=interval, seed=seed).named(
        method
    )
    kind = kinds.of(study)
    scores = score_systems(
        study, kind, listed(measures), by=listed(by), resampling=computing.resampling, run=run
    )
    return ScoreTable(scores, kind, differences)

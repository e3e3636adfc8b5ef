"""Systems against a gold standard: ``at.score`` and ``arbitree score``."""

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
    interval: str = "percentile",
    method: str | None = None,
    seed: int = 0,
    run: Run | None = None,
    **named: str | Path,
) -> ScoreTable:
    """Score systems against a gold standard, by default with every metric that fits, and test differences.

    Args:
        gold: the file of the gold standard, or a study, whose reference is the gold standard; if it has
            none, its first coder is.
        systems: files of systems, which are named after them.
        measures: one name of a metric or several, with options if any.
        by: breakdowns: ``deprel upos distance depth length document``.
        differences: how many sentences to list on which the two best systems differ most.
        resamples: of the bootstrap, and rounds of randomisation.
        confidence: of the intervals.
        interval: the kind of interval.
        method: the older name of *interval*.
        seed: of all random steps.
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
        study = read(*inputs_from("score", (f"gold={gold}", *systems), {}, named, OPTIONS))
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

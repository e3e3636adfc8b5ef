"""Values of measures on a study: ``at.evaluate`` and ``at.evaluate_all``."""

from __future__ import annotations

from inspect import signature
from typing import Any

from arbitree import kinds
from arbitree.api.arguments import Measures, Names, breakdowns, check_keywords, chosen_measures
from arbitree.backends.base import Run
from arbitree.measures.computing import Computing
from arbitree.measures.evaluate import check_coders
from arbitree.measures.evaluate import evaluate as evaluate_measures
from arbitree.study.result import Result
from arbitree.study.study import Study


def evaluate(study: Study[Any], measure: str, **options: Any) -> Result:
    """Return the value of one *measure*, given by its name with options if any, on *study*.

    The options are those of ``evaluate_all``.
    """
    check_keywords("evaluate", options, signature(evaluate_all).parameters)
    (result,) = evaluate_all(study, [measure], **options)
    return result


def evaluate_all(
    study: Study[Any],
    measures: Measures = (),
    *,
    resamples: int = 1000,
    confidence: float = 0.95,
    interval: str = "jackknife",
    method: str | None = None,
    seed: int = 0,
    by: Names = (),
    pairs: float | None = None,
    tolerance: float | None = None,
    run: Run | None = None,
) -> list[Result]:
    """Return the values of all *measures* on *study*; shared statistics are computed once.

    Args:
        study: A study with at least two annotators.
        measures: Names, with options if any (``alpha_norm:size=leaves``), or pairs of a name and a measure
            object; by default a selection for the kind of annotation.
        resamples: Number of resamples, for methods that resample; 0 for no confidence intervals.
        confidence: Level of the confidence intervals.
        interval: Method of the confidence intervals: ``jackknife`` or ``percentile``.
        method: Older name of *interval*.
        seed: Random seed of the resamples and of sampled pairs.
        by: Breakdowns: ``document``, ``length``, ``coder`` (or ``annotator``), ``pair``, ``label``.
        pairs: Number of sentence pairs from which the alphas are estimated (default: all).
        tolerance: Instead of *pairs*: estimate the first alpha to within this value at 95% confidence.
        run: An open backend.
    """
    check_coders(study)
    computing = Computing(
        pairs=pairs,
        tolerance=tolerance,
        resamples=resamples,
        confidence=confidence,
        interval=interval,
        seed=seed,
    ).named(method)
    return evaluate_measures(
        study,
        kinds.of(study),
        chosen_measures(measures),
        by=breakdowns(by),
        resampling=computing.resampling,
        sampling=computing.sampling,
        run=run,
    )

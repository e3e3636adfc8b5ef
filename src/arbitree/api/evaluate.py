"""Measures of a study, one by one or all at once: ``at.evaluate`` and ``at.evaluate_all``."""

from __future__ import annotations

from typing import Any

from arbitree import kinds
from arbitree.api.arguments import Measures, Names, listed
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
    (result,) = evaluate_all(study, [measure], **options)
    return result


def evaluate_all(
    study: Study[Any],
    measures: Measures = (),
    *,
    resamples: int = 1000,
    confidence: float = 0.95,
    interval: str = "percentile",
    method: str | None = None,
    seed: int = 0,
    by: Names = (),
    pairs: float | None = None,
    tolerance: float | None = None,
    run: Run | None = None,
) -> list[Result]:
    """Return the values of all *measures* on *study*; statistics that they share are prepared once.

    Args:
        study: at least two coders.
        measures: names, with options if any (``alpha_norm:size=leaves``), or pairs of a name and a measure
            object; by default all that fit and are not computed on request only.
        resamples: how many resamples the intervals rest on; 0 for none.
        confidence: of the intervals.
        interval: the kind of interval: ``percentile``.
        method: the older name of *interval*.
        seed: of the resamples and of sampled pairs.
        by: breakdowns: ``document``, ``length``, ``coder``, ``pair``.
        pairs: how many pairs of sentences the alphas compare, instead of all.
        tolerance: instead of *pairs*: as many as keep the first alpha within this, 19 times in 20.
        run: the backend.
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
        listed(measures),
        by=listed(by),
        resampling=computing.resampling,
        sampling=computing.sampling,
        run=run,
    )

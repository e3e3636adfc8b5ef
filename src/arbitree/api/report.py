"""All that can be told of a study beside its agreement: each part where the study supports it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from arbitree.adjudication.differences import disagreements
from arbitree.adjudication.standings import follow
from arbitree.adjudication.workbook import Decided
from arbitree.annotator_models.findings import CoderFindings
from arbitree.constructions import findings as inconsistencies
from arbitree.errors import StudyError, UnsupportedStudy
from arbitree.reporting.sections.survey import Survey
from arbitree.study.study import Study

RESAMPLES = 200  # of the models, which are fitted anew in each


def survey(
    study: Study[Any],
    *,
    resamples: int = RESAMPLES,
    confidence: float = 0.95,
    seed: int = 0,
    decided: Decided | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Survey:
    """Return what there is to tell of *study*.

    Args:
        study: at least two coders.
        resamples: for intervals of the models, of which no more than 200 are drawn.
        confidence: of these intervals.
        seed: of all random steps.
        decided: the decisions of an adjudicator.
        progress: is told how many parts are done.
    Example:
        >>> from arbitree.api.read import read
        >>> found = survey(read("examples/labels/stance.tsv"), resamples=0)
        >>> found.types is None, found.models is None, len(found.disagreements.places) > 0
        (True, False, True)
    """
    absent: dict[str, str] = {}

    makers: dict[str, Callable[[], Any]] = {
        "contested places": lambda: disagreements(study),
        "inconsistencies": lambda: _types(study),
        "models of coders": lambda: _models(study, min(resamples, RESAMPLES), confidence, seed),
    }
    parts: list[Any] = []
    for name, make in makers.items():
        progress(len(parts), len(makers))
        try:
            parts.append(make())
        except (UnsupportedStudy, StudyError) as error:
            parts.append(None)
            absent[name] = str(error)
    places, types, models = parts
    if decided is None:
        return Survey(places, types, models, absent=absent)
    return Survey(places, types, models, follow(places or disagreements(study), decided), absent)


def _types(study: Study[Any]) -> inconsistencies.Findings:
    from arbitree.api.explain import find_inconsistencies

    return find_inconsistencies(study)


def _models(study: Study[Any], resamples: int, confidence: float, seed: int) -> CoderFindings:
    from arbitree.api.coders import find_coders

    if len(study.coders) < 3:
        raise UnsupportedStudy("of two coders, the data do not tell who is right")
    return find_coders(study, resamples=resamples, confidence=confidence, seed=seed)

"""All that can be told of a study beside its agreement: each part where the study supports it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from arbitree.analyses.coders import findings as coders
from arbitree.analyses.contested import Disagreements, disagreements
from arbitree.analyses.followed import Outcome, follow
from arbitree.analyses.inconsistencies import findings as inconsistencies
from arbitree.data.study import Study
from arbitree.errors import StudyError, UnsupportedStudy
from arbitree.formats.decisions import Decided

RESAMPLES = 200  # of the models, which are fitted anew in each


@dataclass(frozen=True, slots=True)
class Survey:
    """Parts of a report; None where the study does not support one."""

    disagreements: Disagreements | None = None
    types: inconsistencies.Findings | None = None
    models: coders.Findings | None = None
    adjudication: Outcome | None = None
    absent: dict[str, str] = field(default_factory=dict)  # why a part is not there, by its name

    @property
    def notes(self) -> list[str]:
        """What whoever reads the numbers should know."""
        found = [*(self.types.notes if self.types else ())]
        found += [note for each in (self.models.results if self.models else ()) for note in each.notes]
        return list(dict.fromkeys(found))

    @property
    def references(self) -> tuple[str, ...]:
        """Keys of the papers behind the parts."""
        models = [key for each in (self.models.results if self.models else ()) for key in each.references]
        return (*(self.types.references if self.types else ()), *models)


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
        >>> from arbitree.interface import read
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
    from arbitree.analyses.inconsistencies.explaining import explain

    return explain(study)


def _models(study: Study[Any], resamples: int, confidence: float, seed: int) -> coders.Findings:
    from arbitree.analyses.coders.analysis import find_coders

    if len(study.coders) < 3:
        raise UnsupportedStudy("of two coders, the data do not tell who is right")
    return find_coders(study, resamples=resamples, confidence=confidence, seed=seed)

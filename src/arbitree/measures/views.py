"""Measures on a study whose values can also be seen as others: trees of treebankers, for instance."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from arbitree import registry
from arbitree.data.decisions import Decisions
from arbitree.data.result import Result
from arbitree.data.study import Study
from arbitree.errors import UnsupportedStudy

Chosen = Sequence[tuple[str, Any]]
Projection = Callable[[Study[Any]], Study[Any]]


def projections(kind: type) -> dict[type, Projection]:
    """Return the kinds of values that those of *kind* can be seen as, and the functions that do it."""
    if kind is not Decisions:
        return {}
    from arbitree.data.phrase import PhraseTree
    from arbitree.data.readings import readings
    from arbitree.formats.meanings import READER, meanings

    found: dict[type, Projection] = {PhraseTree: readings}
    if READER in registry.plugins("formats"):
        found[registry.get("formats", READER).kind] = meanings
    return found


def seen_as(study: Study[Any], kinds: Iterable[type]) -> Study[Any] | None:
    """Return *study*, or a projection of it, with values of one of *kinds*; None if there is none.

    Example:
        >>> from arbitree.data.dependency import DepTree
        >>> seen_as(Study((), (), {}), (DepTree,)) is None
        True
    """
    if not study.cells:
        return None
    wanted = tuple(kinds)
    if study.value_type in wanted:
        return study
    for kind, project in projections(study.value_type).items():
        if kind in wanted:
            return project(study)
    return None


def views_of(study: Study[Any], chosen: Chosen) -> list[Study[Any]]:
    """Return for every measure the study, or the projection of it that fits; the study if there is none."""
    if not study.cells or not projections(study.value_type):
        return [study] * len(chosen)
    found: dict[tuple[type, ...], Study[Any]] = {}
    for name, measure in chosen:
        if measure.kinds not in found:
            view = seen_as(study, measure.kinds)
            if view is not None and not view.cells:
                hint = "Check that the profiles store parses (the table 'result')"
                raise UnsupportedStudy(f"there is nothing that {name} could compare", hint=hint)
            found[measure.kinds] = study if view is None else view
    return [found[measure.kinds] for _, measure in chosen]


def evaluate_views(
    study: Study[Any],
    views: Sequence[Study[Any]],
    chosen: Chosen,
    evaluate: Callable[[Study[Any], Chosen], list[Result]],
) -> list[Result]:
    """Evaluate each measure on its view, those with one view together; results in the order of *chosen*."""
    results: dict[int, Result] = {}
    for view in {id(each): each for each in views}.values():
        places = [place for place, each in enumerate(views) if each is view]
        notes = tuple(note for note in view.notes if note not in study.notes)
        for place, result in zip(places, evaluate(view, [chosen[k] for k in places]), strict=True):
            results[place] = replace(result, notes=(*notes, *result.notes))
    return [results[place] for place in range(len(chosen))]

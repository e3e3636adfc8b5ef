"""The one way from a study and measures to results: check, prepare once, score, resample, sign."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import arbitree
from arbitree import plugins
from arbitree.backends.base import Run
from arbitree.backends.threads import Threads
from arbitree.errors import Source, StudyError, UnsupportedStudy
from arbitree.kinds.treebanking.value import Decisions
from arbitree.measures.breakdown import breakdown
from arbitree.measures.measure import Measure, Named, Preparation, S
from arbitree.measures.options import fitting, measure_named, options
from arbitree.measures.resampling import Resampling, score_items
from arbitree.study.result import Result
from arbitree.study.study import Study

Chosen = Sequence[Named]
Projection = Callable[[Study[Any]], Study[Any]]


def projections(kind: type) -> dict[type, Projection]:
    """Return the kinds of values that those of *kind* can be seen as, and the functions that do it."""
    if kind is not Decisions:
        return {}
    from arbitree.kinds.phrase.value import PhraseTree
    from arbitree.kinds.treebanking.views import READER, meanings, readings

    found: dict[type, Projection] = {PhraseTree: readings}
    if READER in plugins.plugins("formats"):
        found[plugins.get("formats", READER).value_type] = meanings
    return found


def seen_as(study: Study[Any], kinds: Iterable[type]) -> Study[Any] | None:
    """Return *study*, or a projection of it, with values of one of *kinds*; None if there is none.

    Example:
        >>> from arbitree.kinds.dependency.value import DepTree
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


def evaluate(
    study: Study[Any],
    measure: str,
    *,
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
    method: str = "percentile",
    by: Sequence[str] = (),
    pairs: float | None = None,
    tolerance: float | None = None,
    run: Run | None = None,
) -> Result:
    """Return the value of one *measure*, given by its name with options if any, on *study*."""
    (result,) = evaluate_all(
        study,
        [measure],
        resamples=resamples,
        confidence=confidence,
        seed=seed,
        method=method,
        by=by,
        pairs=pairs,
        tolerance=tolerance,
        run=run,
    )
    return result


def evaluate_all(
    study: Study[Any],
    measures: Sequence[str | Named] = (),
    *,
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
    method: str = "percentile",
    by: Sequence[str] = (),
    pairs: float | None = None,
    tolerance: float | None = None,
    run: Run | None = None,
    resampling: Resampling | None = None,
) -> list[Result]:
    """Return the values of all *measures* on *study*; statistics that they share are prepared once.

    Args:
        study: at least two coders.
        measures: names, with options if any (``alpha_norm:size=leaves``), or pairs of a name and a measure
            object; by default all that fit and are not computed on request only.
        resamples: how many resamples the intervals rest on; 0 for none.
        confidence: of the intervals.
        seed: of the resamples and of sampled pairs.
        method: ``percentile`` or ``bca``.
        by: breakdowns: ``document``, ``length``, ``coder``, ``pair``.
        pairs: how many pairs of sentences the alphas compare, instead of all.
        tolerance: instead of *pairs*: as many as keep the first alpha within this, 19 times in 20.
        run: the backend.
        resampling: instead of the four above that say how to resample: shared by several calls, so that they
            draw the same sentences, and draw them once.
    """
    check_coders(study)
    chosen = [measure_named(each) if isinstance(each, str) else each for each in measures or fitting(study)]
    views = views_of(study, chosen)
    if any(view is not study for view in views):
        return evaluate_views(
            study,
            views,
            chosen,
            lambda view, part: evaluate_all(
                view,
                part,
                resamples=resamples,
                confidence=confidence,
                seed=seed,
                method=method,
                by=by,
                pairs=pairs,
                tolerance=tolerance,
                run=run,
            ),
        )
    for name, measure in chosen:
        _check_fit(study, name, measure)
    resampling = resampling or Resampling(resamples, confidence, seed, method)
    if pairs is not None or tolerance is not None or any(each.over_pairs for _, each in chosen):
        from arbitree.measures.sampled_sums import sampling_of, with_sampling  # with all that alpha needs

        chosen = list(with_sampling(chosen, sampling_of(pairs, tolerance), resampling.seed))
    prepared = Preparation(study, run or Threads())
    for _, measure in chosen:
        measure.tally(prepared.of(measure))
    results = [_result(study, name, measure, prepared.of(measure), resampling) for name, measure in chosen]
    return breakdown(chosen, results, prepared, resampling, by)


def check_coders(study: Study[Any]) -> None:
    """Raise StudyError unless there are two coders to compare."""
    if len(study.coders) >= 2:
        return
    only = study.coders[0] if study.coders else "nobody"
    source = next((cell.source for cell in study.cells.values() if cell.source), None)
    place = Source(source.path) if source else None
    raise StudyError(f"there is one coder only ({only})", place, hint="Give the files of at least two coders")


def _check_fit(study: Study[Any], name: str, measure: Measure[Any]) -> None:
    if measure.fits(study):
        measure.check(study)
        return
    hint = f"These fit: {', '.join(fitting(study, on_request=True)) or 'none'}"
    raise UnsupportedStudy(f"{name} does not fit {study.value_type.kind} annotations", hint=hint)


def _result(study: Study[Any], name: str, measure: Measure[S], stats: S, resampling: Resampling) -> Result:
    scored = score_items(study, measure, stats, resampling)
    details = dict(measure.details(stats, scored.weights)) | {"options": _shown(options(measure))}
    if stats.ignored:
        details["ignored"] = dict(Counter(each.reason for each in stats.ignored))
    if scored.interval:
        details |= {"resamples": scored.interval.resamples, "undefined_resamples": scored.interval.undefined}
    signature = _signature(name, measure, study, len(scored.used), resampling, details.get("sampled_pairs"))
    return Result(
        measure=name,
        value=scored.value,
        status=scored.status,
        interval=scored.interval,
        items_used=len(scored.used),
        ignored=stats.ignored,
        signature=signature,
        details=details,
        per_item=measure.per_item(stats),
        per_item_shows=measure.shows,
        notes=(*stats.notes, *_estimate_note(name, details)),
        references=measure.references,
    )


def _estimate_note(name: str, details: Mapping[str, Any]) -> list[str]:
    if not details.get("estimated"):
        return []
    from arbitree.measures.sampled_sums import Z

    sampled, every = details["sampled_pairs"], details["all_pairs"]
    note = f"{name} is an estimate from {sampled:,} of {every:,} pairs of sentences"
    error = details["value_se"]
    return [note if error is None else f"{note}, ± {Z * error:.2g} (95%)"]


def _shown(found: dict[str, Any]) -> dict[str, Any]:
    return {
        key: value if isinstance(value, bool | int | float) else str(value)
        for key, value in found.items()
        if value is not None
    }


def _signature(
    name: str,
    measure: Measure[Any],
    study: Study[Any],
    used: int,
    resampling: Resampling,
    sampled: int | None,
) -> str:
    """Return what somebody else needs to get the same number."""
    shown = _shown(options(measure)) | ({"pairs": sampled} if sampled else {})
    parts = [name, *(f"{key}:{value}" for key, value in sorted(shown.items()))]
    parts += [f"items:{used}", f"coders:{len(study.coders)}"]
    if resampling.resamples:
        parts += [f"interval:{resampling.method}", f"confidence:{resampling.confidence:g}"]
        parts.append(f"resamples:{resampling.resamples}")
    if resampling.resamples or sampled:
        parts.append(f"seed:{resampling.seed}")
    return "|".join([*parts, f"v:{arbitree.__version__}"])

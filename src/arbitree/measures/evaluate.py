"""Evaluation of measures on a study: check, prepare once, score, resample, and add signatures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from threading import Thread
from typing import Any

from arbitree.backends.base import Run
from arbitree.backends.threads import Threads
from arbitree.errors import Source, StudyError, UnsupportedStudy
from arbitree.kinds.kind import Kind
from arbitree.measures.breakdown import breakdown, divides
from arbitree.measures.coverage import interval_notes
from arbitree.measures.measure import Measure, Named, Preparation, S, share
from arbitree.measures.options import fitting, measure_named, omitted, options
from arbitree.measures.resampling import Resampling
from arbitree.measures.scored import score_items
from arbitree.measures.signatures import AUTO, Fingerprints, signature, typed
from arbitree.measures.sums.pairs import PairStatistics
from arbitree.measures.sums.sampled import Sampling, Z, with_sampling
from arbitree.study.result import Result
from arbitree.study.study import Study


def evaluate(
    study: Study[Any],
    kind: Kind[Any],
    measures: Sequence[str | Named] = (),
    *,
    by: Sequence[str] = (),
    resampling: Resampling | None = None,
    sampling: Sampling | None = None,
    run: Run | None = None,
) -> list[Result]:
    """Return the values of all *measures* on *study*; statistics that they share are prepared once.

    Args:
        study: a study with at least two annotators.
        kind: the kind of its values.
        measures: names, with options if any (``alpha_norm:size=leaves``), or pairs of a name and a measure
            object; by default all that fit, except those computed only on request.
        by: breakdowns.
        resampling: the resamples for intervals; calls that share it use the same resamples, drawn once.
        sampling: the number of sentence pairs to compare, for measures without a setting of their own.
        run: the backend.
    """
    check_coders(study)
    chosen = [
        measure_named(each, kind) if isinstance(each, str) else each
        for each in measures or fitting(study, kind)
    ]
    resampling, sampling, run = resampling or Resampling(), sampling or Sampling(), run or Threads()
    results: dict[int, Result] = {}
    for view, of_view, places in _views(study, kind, chosen):
        part = [chosen[place] for place in places]
        notes = tuple(note for note in view.notes if note not in study.notes) if view is not study else ()
        for place, result in zip(
            places, _evaluate(view, of_view, part, by, resampling, sampling, run), strict=True
        ):
            results[place] = replace(result, notes=(*notes, *result.notes)) if notes else result
    first = results[0] if chosen and not measures else None
    if first is not None:
        results[0] = replace(first, notes=(*first.notes, *omitted(study, kind)))
    return [results[place] for place in range(len(chosen))]


def _views(
    study: Study[Any], kind: Kind[Any], chosen: Sequence[Named]
) -> list[tuple[Study[Any], Kind[Any], list[int]]]:
    """Return the study and its views, each with its kind and the indices of the measures that fit it.

    A measure that fits the study is not assigned to a view; one that fits nothing is assigned to the study.
    """
    found: dict[str, tuple[Study[Any], Kind[Any], list[int]]] = {}
    for place, (name, measure) in enumerate(chosen):
        views = kind.views if kind.views and study.cells and not measure.fits(study) else {}
        key = next((key for key, each in views.items() if measure.fits_any(each.kind.values)), "")
        if not key:
            found.setdefault(key, (study, kind, []))
        elif key not in found:
            view = views[key].of(study)
            if not view.cells:
                hint = "Use profiles that store parses (the table 'result')"
                raise UnsupportedStudy(f"{name} found nothing to compare", hint=hint)
            view = replace(view, settings=(*view.settings, f"view:{key}"))
            found[key] = (view, views[key].kind, [])
        found[key][2].append(place)
    return list(found.values())


def _evaluate(
    study: Study[Any],
    kind: Kind[Any],
    chosen: Sequence[Named],
    by: Sequence[str],
    resampling: Resampling,
    sampling: Sampling,
    run: Run,
) -> list[Result]:
    for name, measure in chosen:
        _check_fit(study, kind, name, measure)
    chosen = list(with_sampling(chosen, sampling, resampling.seed))
    prepared = Preparation(study, run, divided=divides(by, study))
    prints = Fingerprints(study, kind)
    if isinstance(run, Threads) and run.count > 1:
        _prepare_in_two_threads(prepared, [measure for _, measure in chosen])
    for _, measure in chosen:
        measure.tally(prepared.of(measure))
    results = [_result(prints, name, measure, prepared.of(measure), resampling) for name, measure in chosen]
    return breakdown(kind, chosen, results, prepared, resampling, by)


def _prepare_in_two_threads(prepared: Preparation, measures: Sequence[Measure[Any]]) -> None:
    """Prepare measures that do not use the backend while kernels that release the GIL compare trees.

    The main thread waits for the kernels, so that an interrupt stops them. It does not wait for the other
    thread then.
    """
    recipes = [(measure, measure.statistics) for measure in measures]
    compared = [each for each, recipe in recipes if isinstance(recipe, PairStatistics) and recipe.unlocked]
    others = [each for each, recipe in recipes if recipe.serial]
    errors: list[BaseException] = []

    def prepare_others() -> None:
        try:
            for measure in others:
                measure.tally(prepared.of(measure))
        except BaseException as error:
            errors.append(error)

    if not compared or not others:
        return
    beside = Thread(target=prepare_others, daemon=True)
    beside.start()
    for measure in compared:
        prepared.of(measure)
    beside.join()
    if errors:
        raise errors[0]


def unfit(study: Study[Any], kind: Kind[Any], named: Named) -> str:
    """Return why the measure cannot be computed on *study*; an empty string if it can."""
    try:
        for view, of_view, _ in _views(study, kind, [named]):
            _check_fit(view, of_view, *named)
    except UnsupportedStudy as error:
        return error.what
    return ""


def check_coders(study: Study[Any], task: str = "agreement") -> None:
    """Raise StudyError, which names the *task*, unless the study has at least two annotators."""
    if len(study.coders) >= 2:
        return
    only = study.coders[0] if study.coders else "nobody"
    source = next((cell.source for cell in study.cells.values() if cell.source), None)
    path = study.inputs.get(only) or (source.path if source else None)
    hint = "Pass one file per annotator, one directory per annotator with --dirs, or a table with several"
    if only in study.inputs:
        hint = "Export the annotations of all annotators, or pass those of others as well"
    raise StudyError(
        f"{task} needs at least two annotators, but only {only} was found",
        Source(path) if path else None,
        hint=hint,
    )


def _check_fit(study: Study[Any], kind: Kind[Any], name: str, measure: Measure[Any]) -> None:
    if measure.fits(study):
        measure.check(study)
        return
    hint = f"Use one of: {', '.join(fitting(study, kind, on_request=True)) or 'none'}"
    raise UnsupportedStudy(f"{name} cannot measure {kind.noun}", hint=hint)


def _result(prints: Fingerprints, name: str, measure: Measure[S], stats: S, resampling: Resampling) -> Result:
    study = prints.study
    scored = score_items(study, measure, stats, resampling)
    details = dict(measure.details(stats, scored.weights)) | {"options": _shown(options(measure))}
    if scored.highest is not None:
        details["highest"] = share(scored.highest)
    if stats.ignored:
        details["ignored"] = dict(Counter(each.reason for each in stats.ignored))
    if scored.interval:
        details |= {
            "interval_method": scored.interval.method,
            "resamples": scored.interval.resamples,
            "undefined_resamples": scored.interval.undefined,
        }
    notes = (
        interval_notes(name, scored.value, scored.interval, study, simulated=measure.simulated)
        if scored.interval and scored.value is not None
        else []
    )
    return Result(
        measure=name,
        value=scored.value,
        status=scored.status,
        interval=scored.interval,
        items_used=len(scored.used),
        ignored=stats.ignored,
        signature=_signature(prints, name, measure, stats, resampling, details.get("sampled_pairs")),
        details=details,
        per_item=measure.per_item(stats),
        per_item_shows=measure.shows,
        better=measure.better,
        notes=(*stats.notes, *measure.notes(stats), *_estimate_note(name, details), *notes),
        references=measure.references,
    )


def _estimate_note(name: str, details: Mapping[str, Any]) -> list[str]:
    if not details.get("estimated"):
        return []
    sampled, every = details["sampled_pairs"], details["all_pairs"]
    note = f"{name} is an estimate from {sampled:,} of {every:,} pairs of sentences"
    error = details["value_se"]
    return [note if error is None else f"{note}, ± {Z * error:.2g} at 95% confidence"]


def _shown(found: dict[str, Any]) -> dict[str, Any]:
    return {
        key: value if isinstance(value, bool | int | float) else str(value)
        for key, value in found.items()
        if value is not None
    }


def _signature(
    prints: Fingerprints,
    name: str,
    measure: Measure[S],
    stats: S,
    resampling: Resampling,
    sampled: int | None,
) -> str:
    """Return the signature: everything that can change the value."""
    study = prints.study
    given = options(measure)
    applied = measure.resolved(stats)
    single = {key: value for key, value in applied.items() if "+" not in value}
    chosen = [key for key in single if given[key] == AUTO]
    parts = [f"chosen:{'+'.join(chosen)}"] if chosen else []
    parts += [f"{key}s:{value}" for key, value in applied.items() if key not in single]
    compared, seen = measure.compared(study), measure.sees(stats)
    if compared is not study:
        prints = Fingerprints(compared, prints.kind)
    parts += [*study.settings, f"items:{len(stats.used)}", f"coders:{len(study.coders)}"]
    parts += [f"data:{prints.data(seen)}", *([f"pairs:{sampled}"] if sampled else ())]
    parts += resampling.parts
    if resampling.resampled or sampled:
        parts += [f"seed:{resampling.seed}", f"order:{prints.order(seen)}"]
    return signature(typed(name, {**given, **single}), parts)

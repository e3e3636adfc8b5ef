"""Agreement in several studies or columns: ``at.agree_studies``, ``arbitree agree --studies``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from inspect import signature
from pathlib import Path
from typing import Any, NamedTuple

from arbitree import kinds
from arbitree.api.agree import agree
from arbitree.api.arguments import Measures, Names, check_keywords, chosen_measures, listed, study_from
from arbitree.backends.base import Say, mute
from arbitree.errors import StudyError
from arbitree.kinds.kind import Kind
from arbitree.measures.evaluate import unfit
from arbitree.measures.measure import Named
from arbitree.measures.options import measure_named
from arbitree.reading.inputs import Reading
from arbitree.reading.studies import check_several, naming, read_studies, saying
from arbitree.reporting.sections.agree import table_of
from arbitree.reporting.sections.several import Part, ResultTables, Unfit
from arbitree.study.study import Study


def agree_studies(
    studies: Mapping[str, Study[Any] | Any] | Sequence[str | Path] | Study[Any],
    measures: Measures = (),
    *,
    column: Names = (),
    versus: Study[Any] | None = None,
    say: Say = mute,
    **options: Any,
) -> ResultTables:
    """Return the agreement in each of several studies, in each of several columns of trees, or both.

    Args:
        studies: Studies by name; or their directories, one per study, with one file or directory per
            annotator; or a single study, to compare several of its columns.
        measures: One or more names, with options if any. By default, a selection for each kind. A measure
            that fits only some of the studies is left out for the others.
        column: One or more columns of labels to take from the trees: ``deprel``, ``upos`` ...
        versus: A second study to compare the columns of a single study with.
        say: Function that is called with messages about long runs.
        options: Other arguments of ``agree``.
    Returns:
        A table that you can print, show in a notebook, or convert with ``.to_dict()`` or ``.to_pandas()``.
        ``table[NAME]`` is what ``agree`` returns for one study, or for one column of a single study.
    Example:
        >>> table = agree_studies(["examples/dependency", "examples/phrase"], "alpha_plain", resamples=0)
        >>> [(name, len(found.study.coders)) for name, found in table.items()]
        [('dependency', 3), ('phrase', 3)]
    """
    check_keywords("agree_studies", options, signature(agree).parameters)
    columns, chosen = list(dict.fromkeys(listed(column))), chosen_measures(measures)
    several = not isinstance(studies, Study)
    if versus is not None and several:
        raise StudyError("--versus and --studies cannot be combined", hint="Pass both studies with --studies")
    axes = (*(["study"] if several else []), *(["column"] if columns else []))
    views = list(_views(studies, columns))
    lacking = [_lacking(view, chosen) for view in views]
    _check_useful(views, chosen, lacking)
    parts = []
    for view, reasons in zip(views, lacking, strict=True):
        kept = [each for place, each in enumerate(chosen) if place not in reasons]
        if chosen and not kept:
            parts.append(Part(view.labels, table_of("agree", view.kind, view.study, ())))
            continue
        other = None if versus is None else _column(versus, view.labels[-1] if columns else None)
        with naming(view.name):
            told = saying(", ".join(view.labels), say)
            parts.append(Part(view.labels, agree(view.study, kept, versus=other, say=told, **options)))
    return ResultTables(axes, tuple(parts), tuple(_unfit(views, parts, chosen, lacking)))


class _View(NamedTuple):
    """A study, or a column of it, to measure."""

    name: str | None  # of the study
    labels: tuple[str, ...]  # names of the study and the column, as far as there are several
    study: Study[Any]
    kind: Kind[Any]


def _views(
    studies: Mapping[str, Study[Any] | Any] | Sequence[str | Path] | Study[Any], columns: Sequence[str]
) -> Iterator[_View]:
    named: Iterable[tuple[str | None, Any]]
    if isinstance(studies, Study):
        named = [(None, studies)]
    elif isinstance(studies, Mapping):
        named = studies.items()
    else:
        named = read_studies(Reading(tuple(map(str, studies)))).items()
    for name, given in named:
        with naming(name):
            study = study_from(given)
            check_several(name, study)
            for column in columns or (None,):
                view = _column(study, column)
                labels = tuple(each for each in (name, column) if each is not None)
                yield _View(name, labels, view, kinds.of(view))


def _column(study: Study[Any], column: str | None) -> Study[Any]:
    return study if column is None else kinds.of(study).column(study, column)


def _lacking(view: _View, chosen: Sequence[Any]) -> dict[int, str]:
    """Return the places of the measures that do not fit a study, and the reasons."""
    reasons = {
        place: unfit(view.study, view.kind, _named(each, view.kind)) for place, each in enumerate(chosen)
    }
    return {place: reason for place, reason in reasons.items() if reason}


def _named(measure: str | Named, kind: Kind[Any]) -> Named:
    return measure_named(measure, kind) if isinstance(measure, str) else measure


def _check_useful(
    views: Sequence[_View], chosen: Sequence[Any], lacking: Sequence[Mapping[int, str]]
) -> None:
    """Raise the error of the first study for a measure that fits none of them."""
    for place, each in enumerate(chosen):
        if all(place in reasons for reasons in lacking):
            with naming(views[0].name):
                agree(views[0].study, [each], resamples=0)


def _unfit(
    views: Sequence[_View], parts: Sequence[Part], chosen: Sequence[Any], lacking: Sequence[Mapping[int, str]]
) -> Iterator[Unfit]:
    """Yield the measures that were left out for some of the studies."""
    for view, reasons in zip(views, lacking, strict=True):
        for place, reason in reasons.items():
            yield Unfit(view.labels, _named(chosen[place], view.kind)[0], reason)
    if chosen:
        return
    names = dict.fromkeys(result.measure for part in parts for result in part.table.results)
    for view, part in zip(views, parts, strict=True):
        own = {result.measure for result in part.table.results}
        for name in names:
            if name not in own:
                reason = unfit(view.study, view.kind, measure_named(name, view.kind))
                yield Unfit(view.labels, name, reason or f"{name} must be requested with --measure here")

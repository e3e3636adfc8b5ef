"""Constructions that are annotated inconsistently: ``at.explain`` and ``arbitree explain``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arbitree import kinds
from arbitree.api.arguments import Names, listed
from arbitree.backends.base import Bar, Progress, no_bar, silent
from arbitree.constructions.explain import MODES, SETTINGS, Constructions
from arbitree.constructions.filters import Filter, narrowed
from arbitree.constructions.findings import CODERS, CORPUS, PARSER, Findings
from arbitree.constructions.questions import sorted_by_nuclei
from arbitree.constructions.versus import compared, read_earlier
from arbitree.errors import StudyError, UnsupportedStudy
from arbitree.measures.presets import preset_named
from arbitree.plugins import check_name
from arbitree.study.study import Study

if TYPE_CHECKING:
    from arbitree.reporting.sections.explain import FindingsTable


TOLERANCE = 0.002
SORTS = ("bits", "nuclei")


def find_inconsistencies(
    study: Study[Any],
    *,
    mode: str | None = None,
    gold: str | None = None,
    baseline: str | None = None,
    beside: tuple[str, ...] = (),
    sort: str = SORTS[0],
    only: Names = (),
    class_: Names = (),
    words: str = "",
    progress: Progress = silent,
    **options: Any,
) -> Findings:
    """Find constructions that are annotated inconsistently, grouped by type.

    Args:
        study: A study of phrase-structure or dependency trees.
        mode: ``coders`` (default), ``corpus`` (default for one annotator) or ``parser`` (with *gold*).
        gold: Annotator that the others are compared with; by default the reference of the study.
        baseline: ``ngrams`` for variation n-grams (Dickinson and Meurers 2003) instead of fragments.
        beside: Measures of agreement to report as well, such as ``alpha_plain``.
        sort: ``bits`` (most surprising first) or ``nuclei`` (most frequent first).
        only, class_, words: Filters, as for ``explain``.
        progress: Function that is called with the amount of work done.
        options: Settings of the method, as for ``arbitree explain --set``.
    Returns:
        Findings, with their ``questions`` and ``types``.
    Example:
        >>> import arbitree as at
        >>> study = at.read("examples/phrase/ann.mrg", "examples/phrase/bob.mrg")
        >>> found = find_inconsistencies(study)
        >>> found.types[0].nuclei[0].words != ""
        True
    """
    gold = gold or study.reference
    mode = mode or _mode(study, gold)
    check_name(mode, MODES, "mode")
    check_name(sort, SORTS, "sort order")
    if mode == PARSER:
        gold = gold or study.coders[0]
        if gold not in study.names:
            hint = f"Choose one of {', '.join(study.names)}"
            raise StudyError(f"annotator {gold!r} not found in the study", hint=hint)
        study = study.taking(gold)
    if mode != CORPUS and len(study.coders) < 2:
        raise UnsupportedStudy(
            f"mode {mode!r} needs at least two annotators, but the study has one",
            hint="Add a file, or choose mode 'corpus'",
        )
    study = replace(study, reference=gold if mode == PARSER else None)
    constructions = _constructions(study, baseline)
    if mode not in constructions.modes:
        raise _unfit(study, mode, constructions)
    for name in options:
        check_name(name, constructions.options(baseline), SETTINGS)
    found = constructions.explain(study, mode=mode, baseline=baseline, progress=progress, **options)
    if beside and mode != CORPUS:
        from arbitree.api.evaluate import evaluate_all

        # The types matter here: the value of agreement may be an estimate.
        found = replace(found, agreement=tuple(evaluate_all(study, beside, resamples=0, tolerance=TOLERANCE)))
    if chosen := Filter(tuple(listed(only)), tuple(listed(class_)), words):
        found = narrowed(found, chosen, constructions.wording)
    if sort == "nuclei":
        found = sorted_by_nuclei(found)
    return replace(found, notes=tuple(dict.fromkeys((*study.notes, *found.notes))))


def _unfit(study: Study[Any], mode: str, constructions: Constructions[Any]) -> UnsupportedStudy:
    """Return the error about a mode that the constructions do not have."""
    noun = kinds.of(study).noun
    if len(study.coders) < 2:
        what = f"explain compares {noun} between annotators, but the study has only one"
        return UnsupportedStudy(what, hint="Add the file of another annotator, who annotated the same items")
    hint = f"Use mode {' or '.join(constructions.modes)}"
    return UnsupportedStudy(f"mode {mode!r} does not fit {noun}", hint=hint)


def known_options(study: Study[Any], baseline: str | None = None) -> Mapping[str, Any]:
    """Return the settings that apply to the study, with their defaults."""
    return _constructions(study, baseline).options(baseline)


def _constructions(study: Study[Any], baseline: str | None) -> Constructions[Any]:
    """Return the method that explains the annotations of *study*: that of their kind, or *baseline*."""
    kind = kinds.of(study)
    if baseline is not None:
        others = [each.constructions for each in kinds.kinds().values() if each.constructions]
        refusals = {name: text for each in others for name, text in each.baselines.items()}
        check_name(baseline, refusals, "baseline")
        if kind.constructions is None or baseline not in kind.constructions.baselines:
            raise UnsupportedStudy(refusals[baseline].format(kind.noun))
    return kind.needed("constructions")


def _mode(study: Study[Any], gold: str | None) -> str:
    if gold:
        return PARSER
    return CODERS if len(study.coders) > 1 else CORPUS


def explain(
    study: Study[Any],
    *,
    mode: str | None = None,
    gold: str | None = None,
    baseline: str | None = None,
    beside: Names = (),
    sort: str | None = None,
    preset: str | None = None,
    only: Names = (),
    class_: Names = (),
    words: str = "",
    versus: str | Path | Findings | None = None,
    progress: Bar = no_bar,
    **options: Any,
) -> FindingsTable:
    """Find constructions that are annotated inconsistently, grouped by type.

    Args:
        study: A study of phrase-structure or dependency trees.
        mode: ``coders`` (default), ``corpus`` (default for one annotator) or ``parser`` (with *gold*).
        gold: Annotator that the others are compared with; by default the reference of the study.
        baseline: ``ngrams`` for variation n-grams (Dickinson and Meurers 2003) instead of fragments.
        beside: Measures of agreement to report as well, such as ``alpha_plain``.
        sort: ``bits`` (most surprising questions and types first, default) or ``nuclei`` (most nuclei first).
        preset: Name of a preset, such as ``kulick2013``: the settings of a paper. *sort* and *options* take
            precedence.
        only: One or more categories or relations: return the types whose difference contains one of them.
        class_: One or more classes, such as ``structural``: return their types.
        words: Return the nuclei whose words contain this text, and their types; case is ignored.
        versus: An earlier run to compare with: a JSON file written by ``explain``, or findings.
        progress: Function that opens a progress display with a title, as a context manager.
        options: Settings of the method, as for ``arbitree explain --set``.
    Returns:
        Findings, with their ``questions`` and ``types``. You can print them, show them in a notebook, or
        convert them with ``.to_dict()`` or ``.to_pandas()`` (one row per occurrence).
    Example:
        >>> from arbitree.api.read import read
        >>> found = explain(read("examples/harbour/ann.mrg", "examples/harbour/bob.mrg"))
        >>> found.types[0].nuclei[0].words, len(found.to_pandas()) > len(found.types)
        ('long green', True)
    """
    from arbitree.reporting.sections.explain import FindingsTable

    using = None if preset is None else preset_named(preset, "explain")
    stated = using.settings("explain") if using else {}
    if using:
        using.check(kinds.of(study))
        options = {**stated, **({} if sort is None else {"sort": sort}), **options}
        sort = options["sort"]
    unchanged = all(options[name] == value for name, value in stated.items())
    options.pop("sort", None)
    earlier = read_earlier(versus) if isinstance(versus, str | Path) else versus and versus.to_dict()
    with progress("comparing sentences") as ticks:
        found = find_inconsistencies(
            study,
            mode=mode,
            gold=gold,
            baseline=baseline,
            beside=tuple(listed(beside)),
            sort=sort or SORTS[0],
            only=only,
            class_=class_,
            words=words,
            progress=ticks,
            **options,
        )
    if using and unchanged:
        found = replace(found, signature=using.signed(found.signature))
    if earlier:
        name = str(versus) if isinstance(versus, str | Path) else "versus"
        comparison, notes = compared(found, earlier, name)
        found = replace(found, versus=comparison, notes=(*found.notes, *notes))
    return FindingsTable.of(found)

"""Constructions that are annotated inconsistently: ``at.explain`` and ``arbitree explain``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from arbitree import kinds
from arbitree.api.arguments import Names, listed
from arbitree.backends.base import Bar, Progress, no_bar, silent
from arbitree.constructions.explain import MODES, SETTINGS, Constructions
from arbitree.constructions.findings import CODERS, CORPUS, PARSER, Findings
from arbitree.errors import StudyError, UnsupportedStudy
from arbitree.plugins import check_name
from arbitree.study.study import Study

if TYPE_CHECKING:
    from arbitree.reporting.sections.explain import FindingsTable


TOLERANCE = 0.002


def find_inconsistencies(
    study: Study[Any],
    *,
    mode: str | None = None,
    gold: str | None = None,
    baseline: str | None = None,
    beside: tuple[str, ...] = (),
    progress: Progress = silent,
    **options: Any,
) -> Findings:
    """Return which constructions are annotated inconsistently, grouped into types.

    Args:
        study: of phrase-structure or dependency trees.
        mode: ``coders`` (the default for two or more), ``corpus`` (for one) or ``parser`` (with *gold*).
        gold: the coder that the others are measured against; the study's reference by default.
        baseline: ``ngrams`` for variation n-grams (Dickinson and Meurers 2003) in place of fragments.
        beside: measures of agreement to give beside the findings, such as ``alpha_plain``.
        progress: is told how much is done.
        options: settings of the method, as ``arbitree explain --set`` takes them.
    Returns:
        Findings, whose ``types`` are sorted by their number of nuclei.
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
    if mode == PARSER:
        gold = gold or study.coders[0]
        if gold not in study.coders:
            raise StudyError(f"no coder {gold!r} in the study", hint=f"Coders: {', '.join(study.coders)}")
    if mode != CORPUS and len(study.coders) < 2:
        raise UnsupportedStudy(
            f"mode {mode!r} needs two coders, the study has one", hint="Add a file, or choose mode 'corpus'"
        )
    study = replace(study, reference=gold if mode == PARSER else None)
    constructions = _constructions(study, baseline)
    for name in options:
        check_name(name, constructions.options(baseline), SETTINGS)
    found = constructions.explain(study, mode=mode, baseline=baseline, progress=progress, **options)
    if beside and mode != CORPUS:
        from arbitree.api.evaluate import evaluate_all

        # Which types there are is the point here: the figure beside them may be sampled.
        found = replace(found, agreement=tuple(evaluate_all(study, beside, resamples=0, tolerance=TOLERANCE)))
    return replace(found, notes=tuple(dict.fromkeys((*study.notes, *found.notes))))


def known_options(study: Study[Any], baseline: str | None = None) -> Mapping[str, Any]:
    """Return the settings that fit the study, with their defaults."""
    return _constructions(study, baseline).options(baseline)


def _constructions(study: Study[Any], baseline: str | None) -> Constructions[Any]:
    """Return how the annotations of *study* are explained, by the method of their kind or by *baseline*."""
    kind, word = kinds.of(study), study.value_type.kind
    if baseline is not None:
        others = [each.constructions for each in kinds.kinds().values() if each.constructions]
        refusals = {name: text for each in others for name, text in each.baselines.items()}
        check_name(baseline, refusals, "baseline")
        if kind.constructions is None or baseline not in kind.constructions.baselines:
            raise UnsupportedStudy(refusals[baseline].format(word))
    return kind.needed("constructions", word)


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
    progress: Bar = no_bar,
    **options: Any,
) -> FindingsTable:
    """Return which constructions are annotated inconsistently, grouped into types.

    Args:
        study: of phrase-structure or dependency trees.
        mode: ``coders`` (the default for two or more), ``corpus`` (for one) or ``parser`` (with *gold*).
        gold: the coder that the others are measured against; the study's reference by default.
        baseline: ``ngrams`` for variation n-grams (Dickinson and Meurers 2003) in place of fragments.
        beside: measures of agreement to give beside the findings, such as ``alpha_plain``.
        progress: opens a display of progress under a title, for the length of a block.
        options: settings of the method, as ``arbitree explain --set`` takes them.
    Returns:
        Findings, whose ``types`` are sorted by their number of nuclei: print them, show them in a notebook,
        ``.to_dict()``, or ``.to_pandas()`` for a row a place.
    Example:
        >>> from arbitree.api.read import read
        >>> found = explain(read("examples/harbour/ann.mrg", "examples/harbour/bob.mrg"))
        >>> found.types[0].nuclei[0].words, len(found.to_pandas()) > len(found.types)
        ('long green', True)
    """
    from arbitree.reporting.sections.explain import FindingsTable

    with progress("comparing sentences") as ticks:
        found = find_inconsistencies(
            study,
            mode=mode,
            gold=gold,
            baseline=baseline,
            beside=tuple(listed(beside)),
            progress=ticks,
            **options,
        )
    return FindingsTable.of(found)

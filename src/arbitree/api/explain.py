"""Constructions that are annotated inconsistently: ``at.explain`` and ``arbitree explain``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from inspect import signature
from typing import TYPE_CHECKING, Any

from arbitree.api.arguments import Names, listed
from arbitree.backends.base import Bar, no_bar
from arbitree.constructions.findings import CODERS, CORPUS, PARSER, Findings
from arbitree.errors import StudyError, UnknownName, UnsupportedStudy
from arbitree.kinds.dependency.value import DepTree
from arbitree.kinds.phrase.constructions.settings import Settings
from arbitree.kinds.phrase.value import PhraseTree
from arbitree.plugins import check_name
from arbitree.study.study import Study

if TYPE_CHECKING:
    from arbitree.reporting.sections.constructions import FindingsTable


MODES = (CODERS, CORPUS, PARSER)
BASELINES = ("ngrams",)
SETTINGS = "the settings of explain"
TOLERANCE = 0.002
TRUE, FALSE = ("true", "yes", "on", "1"), ("false", "no", "off", "0")


def find_inconsistencies(
    study: Study[Any],
    *,
    mode: str | None = None,
    gold: str | None = None,
    baseline: str | None = None,
    beside: tuple[str, ...] = (),
    progress: Callable[[int, int], None] = lambda done, total: None,
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
        options: settings of the method; for phrase structure the fields of Settings.
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
    check_name(mode, MODES, "modes")
    if mode == PARSER:
        gold = gold or study.coders[0]
        if gold not in study.coders:
            raise StudyError(f"no coder {gold!r} in the study", hint=f"Coders: {', '.join(study.coders)}")
    if mode != CORPUS and len(study.coders) < 2:
        raise UnsupportedStudy(
            f"mode {mode!r} needs two coders, the study has one", hint="Add a file, or choose mode 'corpus'"
        )
    study = replace(study, reference=gold if mode == PARSER else None)
    check_options(options, known_options(study, baseline))
    if study.value_type is PhraseTree and baseline is None:
        from arbitree.kinds.phrase.constructions.explain import explain_phrases

        found = explain_phrases(
            study, Settings(**options), mode=mode, gold=study.reference, progress=progress
        )
    else:
        found = _analysis(study, baseline)(study, mode=mode, **options)
    if beside and mode != CORPUS:
        from arbitree.measures.evaluate import evaluate_all

        # Which types there are is the point here: the figure beside them may be sampled.
        found = replace(found, agreement=tuple(evaluate_all(study, beside, resamples=0, tolerance=TOLERANCE)))
    return replace(found, notes=tuple(dict.fromkeys((*study.notes, *found.notes))))


def known_options(study: Study[Any], baseline: str | None = None) -> dict[str, Any]:
    """Return the settings that fit the study, with their defaults."""
    if study.value_type is PhraseTree and baseline is None:
        return Settings().recorded()
    parameters = signature(_analysis(study, baseline)).parameters.values()
    wanted = (each for each in parameters if each.kind is each.KEYWORD_ONLY and each.name != "mode")
    return {each.name: each.default for each in wanted}


def parsed_options(texts: Sequence[str], known: dict[str, Any]) -> dict[str, Any]:
    """Return settings from texts such as ``min_len=2``, each as the type of its default.

    Example:
        >>> parsed_options(["min_len=2", "refine=no"], {"min_len": 1, "refine": True})
        {'min_len': 2, 'refine': False}
    """
    found: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        name = name.strip().replace("-", "_")
        check_name(name, known, SETTINGS)
        default, value = known[name], value.strip()
        if not equals or not value:
            raise UnknownName(f"the setting {name} has no value", hint=f"Write {name}=VALUE")
        if isinstance(default, bool):
            check_name(value.lower(), TRUE + FALSE, f"values of {name}")
            found[name] = value.lower() in TRUE
        elif isinstance(default, int | None):
            if not value.isascii() or not value.isdigit():
                raise UnknownName(f"the setting {name} is {value!r}", hint="Write a number")
            found[name] = int(value)
        else:
            found[name] = value
    return found


def check_options(options: Mapping[str, Any], known: Mapping[str, Any]) -> None:
    """Raise UnknownName for an option that is no setting."""
    for name in options:
        check_name(name, known, SETTINGS)


def _analysis(study: Study[Any], baseline: str | None) -> Callable[..., Findings]:
    """Return the function for the kind of the study, or for the baseline."""
    if baseline is not None:
        check_name(baseline, BASELINES, "baselines")
    elif study.value_type is not DepTree:
        kind = getattr(study.value_type, "kind", study.value_type.__name__)
        hint = "Give files with trees; of profiles, --format derivations takes the trees"
        raise UnsupportedStudy(f"{kind} annotations have no constructions", hint=hint)
    name = "phrase.constructions.ngrams" if baseline else "dependency.constructions.explain"
    found: Callable[..., Findings] = import_module(f"arbitree.kinds.{name}").explain
    return found


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
    from arbitree.reporting.sections.constructions import FindingsTable

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

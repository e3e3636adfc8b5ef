"""From the options of ``arbitree tsdb`` to a report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arbitree.cli.console import Talk
from arbitree.errors import FormatError, Source, StudyError

if TYPE_CHECKING:
    from arbitree.kinds.treebanking.report import TreebankReport
    from arbitree.kinds.treebanking.rulings import Rulings
    from arbitree.reading.inputs import Input
    from arbitree.study.result import Result
    from arbitree.study.study import Study


ADJUDICATED = "adjudicated"
MOST_SETS = 2000  # sentences for which sets of discriminants are compared unasked: all pairs of them are


@dataclass(frozen=True, slots=True)
class Places:
    """Where the profiles are, and how they are read."""

    profiles: Sequence[str]
    root: str | None
    annotators: Sequence[str]
    pattern: str | None
    exclude: str | None
    old: Sequence[str]
    adjudicated: str | None
    encoding: str
    match: str
    strict: bool

    @property
    def workbook(self) -> str | None:
        """The workbook to read back, if that is what was given."""
        given = self.adjudicated or ""
        return given if given.lower().endswith((".xlsx", ".xlsm")) else None


@dataclass(frozen=True, slots=True)
class Settings:
    """What is computed."""

    mode: str | None
    measures: Sequence[str]
    by: Sequence[str]
    resamples: int
    confidence: float
    interval: str
    seed: int


def ready(places: Places, *, checkout: str | None, commit: bool, outputs: Sequence[str], talk: Talk) -> bool:
    """Check out what is asked for; return whether there are profiles, and not a workbook alone."""
    from arbitree.kinds.treebanking.repositories import check_committable, check_out

    if checkout is not None:
        if places.root is None:
            raise StudyError("--checkout needs a place to go", hint="Name a directory with --root")
        talk.say(check_out(checkout, places.root))
    if commit:
        check_committable(outputs)
    if places.root is not None and places.profiles:
        raise StudyError("profiles were given beside --root", hint="Give one or the other")
    if places.root is None and not places.profiles:
        if places.workbook is None:
            raise StudyError("no profile was given", hint="Name a profile for each annotator, or give --root")
        return False
    return True


def report_of(places: Places, settings: Settings, talk: Talk) -> TreebankReport:
    """Read the profiles, compare the annotators, and put everything into one report."""
    from datetime import datetime

    from arbitree import kinds
    from arbitree.kinds.treebanking.adjudicated import adjudicated
    from arbitree.kinds.treebanking.comparison import suites_by_corpus
    from arbitree.kinds.treebanking.report import TreebankReport
    from arbitree.kinds.treebanking.rulings import read_rulings
    from arbitree.kinds.treebanking.suites import name_of
    from arbitree.kinds.treebanking.versions import changes_of
    from arbitree.reporting.sections.agreement import table_of

    rulings = read_rulings(places.workbook) if places.workbook else []
    inputs, notes = _inputs(places)
    extra = ADJUDICATED if places.adjudicated and not places.workbook else None
    everyone = _read(inputs, places, talk)
    everyone = replace(everyone, notes=(*notes, *everyone.notes))
    strangers = _strangers(rulings, everyone)
    everyone = replace(everyone, notes=(*everyone.notes, *strangers))
    talk.warn(list(everyone.notes))
    study = everyone.select(coders=[name for name in everyone.coders if name != extra]) if extra else everyone
    older = _older(places, study, talk) if places.old else None
    results = _results(study, settings, talk)
    names = {each: name_of(each, places.pattern) for each in study.documents}
    return TreebankReport(
        table=table_of("tsdb", kinds.of(study), study, results),
        comparisons=_comparisons(study, results, settings),
        suites=tuple(suites_by_corpus(study, names.__getitem__)),
        suite_names={
            key: f"{each.corpus} - {each.suite}" if each.suite else key for key, each in names.items()
        },
        date=datetime.now().astimezone().strftime("%Y-%m-%d %H:%M"),
        versions=changes_of(older, study) if older else None,
        adjudicated=_with_profile(everyone, study.coders, settings) if extra else (),
        adjudications=tuple(map(adjudicated, rulings)),
    )


def _strangers(rulings: Sequence[Rulings], study: Study[Any]) -> list[str]:
    """Note sentences of a workbook that the profiles do not have."""
    known = {item.id for item in study.items}
    lost = [row.item for each in rulings for row in each.rows if row.item not in known]
    if not lost:
        return []
    return [f"the workbook has {len(lost):,} sentences that the profiles have not, the first is {lost[0]!r}"]


def _inputs(places: Places) -> tuple[list[Input], list[str]]:
    from arbitree.kinds.treebanking.suites import suites_of
    from arbitree.reading.inputs import Input, inputs_of, is_profile

    more = [] if places.workbook or not places.adjudicated else [_named(places.adjudicated)]
    if places.root is not None:
        annotators = list(places.annotators)
        if more and not annotators:
            raise StudyError(
                "--adjudicated in a root needs names", hint="Name the annotators with --annotator"
            )
        return suites_of(places.root, [*annotators, *more], pattern=places.pattern, exclude=places.exclude)
    paths = [_path(each) for each in places.profiles]
    for path in paths:
        if not Path(path).exists():
            raise FormatError(
                "there is no such directory", Source(path), hint="Check the name of the profile"
            )
    if len(paths) == 1 and not is_profile(Path(paths[0])) and _has_suites(paths[0]):
        return _inputs(replace(places, root=paths[0], profiles=[]))
    if not any(is_profile(Path(path)) for path in paths) and all(_has_suites(path) for path in paths):
        annotators = [f"{Path(path).resolve().name}={path}" for path in paths if "=" not in path]
        named = [each if _path(each) != each else annotators[k] for k, each in enumerate(places.profiles)]
        return suites_of(".", [*named, *more], pattern=places.pattern, exclude=places.exclude)
    for path in [*paths, *map(_path, more)]:
        if not is_profile(Path(path)):
            what = (
                "this is no profile: it has no file 'relations'" if Path(path).is_dir() else "this is a file"
            )
            raise FormatError(what, Source(path), hint="Name the directory of a profile")
    found = inputs_of(places.profiles)
    extra = [Input(ADJUDICATED, _path(each), found[0].document) for each in more]
    return [*found, *extra], []


def _named(adjudicated: str) -> str:
    return f"{ADJUDICATED}={_path(adjudicated)}"


def _path(argument: str) -> str:
    name, equals, path = argument.partition("=")
    return path if equals and name and "/" not in name and not Path(argument).exists() else argument


def _has_suites(path: str) -> bool:
    from arbitree.reading.inputs import SCHEMA

    return Path(path).is_dir() and any(Path(path).rglob(SCHEMA))


def _read(inputs: Sequence[Input], places: Places, talk: Talk) -> Study[Any]:
    from arbitree.reading.assembly import assemble

    return assemble(
        inputs,
        format="tsdb",
        encoding=places.encoding,
        match=places.match,
        strict=places.strict,
        say=talk.say,
    )


def _older(places: Places, study: Study[Any], talk: Talk) -> Study[Any]:
    """Return the older version of the annotators' profiles."""
    from arbitree.kinds.treebanking.suites import suites_of
    from arbitree.reading.inputs import inputs_of

    if places.root is not None:
        if len(places.old) != 1:
            raise StudyError("--old with --root is one directory", hint="Give the root of the older version")
        inputs, _ = suites_of(
            places.old[0], places.annotators, pattern=places.pattern, exclude=places.exclude
        )
    else:
        found = inputs_of(places.old)
        inputs = [replace(each, document=study.items[0].document) for each in found]
        unknown = [each.coder for each in inputs if each.coder not in study.coders]
        if unknown:
            hint = f"Write NAME=PROFILE with a name of {', '.join(study.coders)}"
            raise StudyError(f"the older version is of {unknown[0]!r}, who is not compared", hint=hint)
    return _read(inputs, places, Talk(quiet=True))


def _results(study: Study[Any], settings: Settings, talk: Talk) -> list[Result]:
    """Return Y-option kappa first, then what was asked for or what stands beside it."""
    from arbitree.kinds.treebanking.views import outcomes, yes_sets

    asked = list(settings.measures)
    kappa = [each for each in asked if each.partition(":")[0] == "y_option_kappa"] or ["y_option_kappa"]
    if settings.mode is not None:
        kappa = [_with_mode(each, settings.mode) for each in kappa]
    others = [each for each in asked if each.partition(":")[0] != "y_option_kappa"]
    results = _evaluated(study, [*kappa, *others], settings)
    if asked:
        return results
    decided = outcomes(study)
    if any(len(cells) > 1 for _, cells in decided):
        labels = (
            ["agreement", "pi", "kappa"]
            if len(study.coders) == 2
            else ["agreement", "multi_pi", "multi_kappa"]
        )
        results += [_about(each, "accepted or rejected") for each in _evaluated(decided, labels, settings)]
    sets = yes_sets(study)
    if len(sets.items) > MOST_SETS:
        talk.say(
            f"alpha_masi is left out: {len(sets.items):,} sets of discriminants would be compared in pairs"
        )
    elif any(len(cells) > 1 for _, cells in sets):
        results += [
            _about(each, "discriminants set to yes") for each in _evaluated(sets, ["alpha_masi"], settings)
        ]
    return results


def _about(result: Result, what: str) -> Result:
    return replace(result, details={**result.details, "of": what})


def _with_mode(measure: str, mode: str) -> str:
    return f"{measure},mode={mode}" if ":" in measure else f"{measure}:mode={mode}"


def _evaluated(study: Study[Any], measures: Sequence[str], settings: Settings) -> list[Result]:
    from arbitree.measures.evaluate import evaluate_all

    return evaluate_all(
        study,
        measures,
        resamples=settings.resamples,
        confidence=settings.confidence,
        seed=settings.seed,
        method=settings.interval,
        by=settings.by,
    )


def _comparisons(study: Study[Any], results: Sequence[Result], settings: Settings) -> tuple[Any, ...]:
    """Return every pair of annotators side by side."""
    from itertools import combinations

    from arbitree.kinds.treebanking.comparison import compare
    from arbitree.measures.evaluate import evaluate_all

    if len(study.coders) == 2 and results[0].details["options"]["several"] == "pairwise":
        return (compare(study, results[0]),)
    chosen = next((each for each in settings.measures if each.startswith("y_option_kappa")), "y_option_kappa")
    chosen = _with_mode(chosen, settings.mode) if settings.mode else chosen
    pairwise = f"{chosen}{',' if ':' in chosen else ':'}several=pairwise"
    found = []
    for pair in combinations(study.coders, 2):
        part = study.select(coders=pair)
        (result,) = evaluate_all(part, [pairwise], resamples=settings.resamples)
        found.append(compare(part, result))
    return tuple(found)


def _with_profile(
    study: Study[Any], coders: Sequence[str], settings: Settings
) -> tuple[tuple[str, Result], ...]:
    chosen = next((each for each in settings.measures if each.startswith("y_option_kappa")), "y_option_kappa")
    if settings.mode is not None:
        chosen = _with_mode(chosen, settings.mode)
    bare = replace(settings, by=())
    return tuple(
        (coder, _evaluated(study.select(coders=[coder, ADJUDICATED]), [chosen], bare)[0]) for coder in coders
    )

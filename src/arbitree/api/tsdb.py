"""Agreement on [incr tsdb()] profiles: ``at.tsdb`` and ``arbitree tsdb``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arbitree import kinds
from arbitree.api.arguments import Names, breakdowns, chosen_measures, listed, warn_caller
from arbitree.backends.base import Say, mute
from arbitree.errors import FormatError, Source, StudyError
from arbitree.files import date_of, inputs_kept
from arbitree.measures.computing import Computing
from arbitree.measures.presets import Preset, preset_named, with_option
from arbitree.paths import not_found
from arbitree.reading.inputs import Reading, named_path

if TYPE_CHECKING:
    from arbitree.kinds.kind import Kind
    from arbitree.kinds.treebanking.adjudicated import Rulings
    from arbitree.kinds.treebanking.report import TreebankReport
    from arbitree.reading.inputs import Input
    from arbitree.study.result import Result
    from arbitree.study.study import Study


KAPPA = "y_option_kappa"
ADJUDICATED = "adjudicated"
MOST_SETS = 2000  # sentences for which all pairs of sets of discriminants are compared by default
WORKBOOKS = (".xlsx", ".xlsm")
SHEETS = (".ods", ".xls", ".xlsb", ".csv", ".tsv", ".numbers", ".pdf", ".html")  # what may be taken for one


def is_workbook(path: str | None) -> bool:
    """Return whether *path* is a workbook with decisions, and not an adjudicated profile.

    Raises:
        FormatError: if it is neither: a file of another kind.
    """
    if path is None or path.lower().endswith(WORKBOOKS):
        return path is not None
    place = Path(named_path(path)[1])
    if place.is_file() or place.suffix.lower() in SHEETS:
        hint = "Save the workbook as .xlsx in your spreadsheet program"
        raise FormatError("cannot read decisions from this type of file", Source(str(place)), hint=hint)
    return False


@dataclass(frozen=True, slots=True)
class Profiles:
    """Location of the profiles, and the options for reading them."""

    reading: Reading  # the profiles, one per annotator
    root: str | None = None
    annotators: Sequence[str] = ()
    pattern: str | None = None
    exclude: str | None = None
    old: Sequence[str] = ()
    adjudicated: str | None = None
    export: str | None = None

    @property
    def workbook(self) -> str | None:
        """The workbook to read decisions from, if one was given."""
        return self.adjudicated if is_workbook(self.adjudicated) else None

    @property
    def arguments(self) -> tuple[str, ...]:
        """The arguments of a command that reads the same profiles."""
        named = [("--annotator", each) for each in self.annotators]
        options = [("--root", self.root), *named, ("--pattern", self.pattern), ("--exclude", self.exclude)]
        typed = [part for name, value in options if value is not None for part in (name, value)]
        return (*typed, *self.reading.inputs)

    @property
    def given(self) -> bool:
        """Whether profiles were given, not only a workbook."""
        if self.root is not None and self.reading.inputs:
            raise StudyError("profiles and --root cannot be combined", hint="Pass one or the other")
        if self.root is None and not self.reading.inputs:
            if self.workbook is None:
                hint = "Pass one profile per annotator, or set --root"
                raise StudyError("no profile was given", hint=hint)
            return False
        return True


@dataclass(frozen=True, slots=True)
class Asked:
    """Measures to compute, and their settings."""

    measures: Sequence[str]
    mode: str | None
    by: Sequence[str]
    computing: Computing
    preset: Preset | None = None

    def kappas(self, kind: Kind[Any]) -> list[str]:
        """Return Y-option kappa with the options that were given, once or for each time it was named."""
        named = [each for each in self.measures if each.partition(":")[0] == KAPPA] or [KAPPA]
        found = named if self.mode is None else [with_option(each, f"mode={self.mode}") for each in named]
        return self._applied(found, kind)

    def others(self, kind: Kind[Any]) -> list[str]:
        """Return the other measures that were named."""
        named = [each for each in self.measures if each.partition(":")[0] != KAPPA]
        return self._applied(named, kind) if named else []

    def _applied(self, measures: Sequence[str], kind: Kind[Any]) -> list[str]:
        found = self.preset.applied(measures, kind) if self.preset else measures
        return [each for each in found if isinstance(each, str)]


@inputs_kept()
def tsdb(
    *profiles: str | Path,
    root: str | Path | None = None,
    annotator: Names = (),
    pattern: str | None = None,
    exclude: str | None = None,
    old: str | Path | Sequence[str | Path] = (),
    adjudicated: str | Path | None = None,
    export: str | Path | None = None,
    mode: str | None = None,
    measures: Names = (),
    preset: str | None = None,
    by: Names = (),
    resamples: int = 1000,
    confidence: float = 0.95,
    interval: str = "jackknife",
    seed: int = 0,
    encoding: str = "utf-8",
    match: str = "auto",
    strict: bool = False,
    max_size: str = "auto",
    warn: Say = warn_caller,
    say: Say = mute,
) -> TreebankReport:
    """Measure agreement between annotators of [incr tsdb()] profiles.

    Args:
        profiles: One ``PROFILE`` or ``NAME=PROFILE`` per annotator.
        root: Instead of *profiles*: a directory that contains one directory per annotator, each with one
            profile per suite.
        annotator: Directories of annotators in *root*, as ``NAME=DIR`` (default: all that contain profiles).
        pattern: Regular expression for the names of suites; its groups ``corpus``, ``suite`` and ``version``
            mark their parts.
        exclude: Regular expression for directories to skip.
        old: Older version: its root, or one profile per annotator.
        adjudicated: Workbook with decisions filled in, or an adjudicated profile.
        export: New directory for the gold standard as a profile (one per suite, if there are several): the
            decisions of the workbook, and the annotation of sentences without a disagreement.
        mode: Method that compares discriminants: ``auto``, ``exact``, ``derivation``, ``discriminant``,
            ``neighbourhood``.
        measures: One or more names (default: Y-option kappa and related measures).
        preset: Name of a preset, as for ``agree``; *mode* takes precedence.
        by: Breakdowns, as for ``agree``.
        resamples, confidence, interval, seed: As for ``agree``.
        encoding, match, strict, max_size: As for ``read``.
        warn: Function that is called with problems found in the profiles (default: Python warnings).
        say: Function that is called with messages about reading the profiles.
    Returns:
        A report that you can print, show in a notebook, or convert with ``.to_dict()`` or ``.to_pandas()``;
        ``report.table`` contains the results.
    Example:
        >>> report = tsdb("examples/profiles/ann", "examples/profiles/bob", resamples=0)
        >>> report.table["y_option_kappa"].status
        'ok'
    """
    inputs = tuple(map(str, profiles))
    reading = Reading(inputs, format="tsdb", encoding=encoding, match=match, strict=strict, max_size=max_size)
    older = [old] if isinstance(old, str | Path) else old
    given = Profiles(
        reading,
        None if root is None else str(root),
        listed(annotator),
        pattern,
        exclude,
        list(map(str, older)),
        None if adjudicated is None else str(adjudicated),
        None if export is None else str(export),
    )
    if not given.given:
        raise StudyError("no profile was given", hint="Pass profiles as well as the workbook, or set --root")
    computing = Computing(resamples=resamples, confidence=confidence, interval=interval, seed=seed)
    chosen = None if preset is None else preset_named(preset, "tsdb")
    asked = Asked(chosen_measures(measures), mode, breakdowns(by), computing, chosen)
    return report_of(given, asked, warn=warn, say=say)


def read_profiles(places: Profiles, say: Say = mute) -> Study[Any]:
    """Return the study of the annotators' profiles."""
    from arbitree.reading.assembly import assemble

    if not places.given:
        raise StudyError("no profile was given", hint="Pass one profile per annotator, or set --root")
    return assemble(_inputs(places)[0], places.reading, say=say)


def report_of(places: Profiles, asked: Asked, *, warn: Say = mute, say: Say = mute) -> TreebankReport:
    """Read the profiles, compare the annotators, and return the report."""
    from arbitree import kinds
    from arbitree.formats.profiles.writing import check_empty
    from arbitree.kinds.treebanking.adjudicated import adjudicated, read_rulings
    from arbitree.kinds.treebanking.comparison import changes_of, suites_by_corpus
    from arbitree.kinds.treebanking.gold import check_parses, export_gold, golds_of
    from arbitree.kinds.treebanking.report import TreebankReport
    from arbitree.kinds.treebanking.suites import name_of
    from arbitree.reading.assembly import assemble
    from arbitree.reporting.sections.agree import table_of

    if places.export is not None:
        if places.workbook is None:
            hint = "Pass the workbook with the decisions with --adjudicated"
            raise StudyError("there are no decisions to export", hint=hint)
        check_empty(places.export)
    rulings = read_rulings(places.workbook) if places.workbook else []
    inputs, notes = _inputs(places)
    extra = ADJUDICATED if places.adjudicated and not places.workbook else None
    everyone = assemble(inputs, places.reading, say=say)
    everyone = replace(everyone, notes=(*notes, *everyone.notes))
    strangers = _strangers(rulings, everyone)
    everyone = replace(everyone, notes=(*everyone.notes, *strangers))
    for note in everyone.notes:
        warn(note)
    study = everyone.select(coders=[name for name in everyone.coders if name != extra]) if extra else everyone
    if places.workbook is not None:
        check_parses(study, rulings, places.workbook)
    if places.workbook is not None and places.export is not None:
        golds = golds_of(study, rulings, places.workbook)
        date = date_of([places.workbook])
        counts = export_gold(study, golds, places.export, date, encoding=places.reading.encoding)
        said = ", ".join(f"{count:,} {how}" for how, count in sorted(counts.items()))
        say(f"Wrote the gold standard to {places.export}: {said}")
    older = _older(places, study) if places.old else None
    results = _results(study, asked, say)
    names = {each: name_of(each, places.pattern) for each in study.documents}
    return TreebankReport(
        table=table_of("tsdb", kinds.of(study), study, results),
        comparisons=_comparisons(study, results, asked),
        suites=tuple(suites_by_corpus(study, names.__getitem__)),
        suite_names={
            key: f"{each.corpus} - {each.suite}" if each.suite else key for key, each in names.items()
        },
        date=f"{date_of(_tables(study)):%Y-%m-%d}",
        versions=changes_of(older, study) if older else None,
        adjudicated=_with_profile(everyone, study.coders, asked) if extra else (),
        adjudications=tuple(map(adjudicated, rulings)),
        inputs=places.arguments,
    )


def _tables(study: Study[Any]) -> list[Path]:
    """Return the tables of the profiles that annotators write."""
    from arbitree.kinds.treebanking.gold import ANNOTATED

    folders = {Path(path).parent for path in set(study.paths)}
    return [folder / f"{table}{end}" for folder in folders for table in ANNOTATED for end in ("", ".gz")]


def _strangers(rulings: Sequence[Rulings], study: Study[Any]) -> list[str]:
    """Return a warning about sentences of a workbook that are missing from the profiles."""
    known = {item.id for item in study.items}
    lost = [row.item for each in rulings for row in each.rows if row.item not in known]
    if not lost:
        return []
    return [f"the workbook contains {len(lost):,} sentences that are not in the profiles; first: {lost[0]!r}"]


def _inputs(places: Profiles) -> tuple[list[Input], list[str]]:
    from arbitree.kinds.treebanking.suites import suites_of
    from arbitree.reading.inputs import Input, inputs_of, is_profile

    beside = "" if places.workbook else named_path(places.adjudicated or "")[1]
    more = [f"{ADJUDICATED}={beside}"] if beside else []
    if places.root is not None:
        annotators = list(places.annotators)
        if more and not annotators:
            raise StudyError(
                "--adjudicated with --root needs the names of the annotators",
                hint="Set them with --annotator",
            )
        return suites_of(places.root, [*annotators, *more], pattern=places.pattern, exclude=places.exclude)
    profiles = [named_path(each) for each in places.reading.inputs]
    paths = [path for _, path in profiles]
    for path in paths:
        if not Path(path).exists():
            raise not_found(path, "directory not found", directory=True)
    if len(paths) == 1 and not is_profile(Path(paths[0])) and _has_suites(paths[0]):
        return _inputs(replace(places, root=paths[0], reading=places.reading.of([])))
    if not any(is_profile(Path(path)) for path in paths) and all(_has_suites(path) for path in paths):
        named = [f"{name or Path(path).resolve().name}={path}" for name, path in profiles]
        return suites_of(".", [*named, *more], pattern=places.pattern, exclude=places.exclude)
    for path in [*paths, beside] if beside else paths:
        if not is_profile(Path(path)):
            fault = "a directory without the file 'relations'" if Path(path).is_dir() else "a file"
            what = f"expected an [incr tsdb()] profile, got {fault}"
            raise FormatError(what, Source(path), hint="Pass the directory of a profile")
    found = inputs_of(places.reading.inputs)
    return [*found, Input(ADJUDICATED, beside, found[0].document)] if beside else found, []


def _has_suites(path: str) -> bool:
    from arbitree.reading.inputs import SCHEMA

    return Path(path).is_dir() and any(Path(path).rglob(SCHEMA))


def _older(places: Profiles, study: Study[Any]) -> Study[Any]:
    """Return the older version of the annotators' profiles."""
    from arbitree.kinds.treebanking.suites import suites_of
    from arbitree.reading.assembly import assemble
    from arbitree.reading.inputs import inputs_of

    if places.root is not None:
        if len(places.old) != 1:
            what = f"--old takes one directory with --root, got {len(places.old)}"
            raise StudyError(what, hint="Pass the root of the older version")
        inputs, _ = suites_of(
            places.old[0], places.annotators, pattern=places.pattern, exclude=places.exclude
        )
    else:
        found = inputs_of(places.old)
        inputs = [replace(each, document=study.items[0].document) for each in found]
        unknown = [each.coder for each in inputs if each.coder not in study.coders]
        if unknown:
            hint = f"Write NAME=PROFILE, where NAME is one of {', '.join(study.coders)}"
            raise StudyError(f"--old names the unknown annotator {unknown[0]!r}", hint=hint)
    return assemble(inputs, places.reading)


def _results(study: Study[Any], chosen: Asked, say: Say) -> list[Result]:
    """Return Y-option kappa first, then the requested measures or, by default, the related ones."""
    from arbitree.kinds.treebanking.views import outcomes, yes_sets

    kind = kinds.of(study)
    results = _evaluated(study, [*chosen.kappas(kind), *chosen.others(kind)], chosen)
    if chosen.measures:
        return results
    decided = outcomes(study)
    if any(len(cells) > 1 for _, cells in decided):
        labels = (
            ["agreement", "pi", "kappa"]
            if len(study.coders) == 2
            else ["agreement", "multi_pi", "multi_kappa"]
        )
        results += [_about(each, "accepted or rejected") for each in _evaluated(decided, labels, chosen)]
    sets = yes_sets(study, derived="derivation" in results[0].details.get("mode", ""))
    if len(sets.items) > MOST_SETS:
        many = f"{len(sets.items):,} sentences, more than {MOST_SETS:,}"
        say(f"alpha_masi is not computed for {many}. To compute it, add --measure alpha_masi.")
    elif any(len(cells) > 1 for _, cells in sets):
        results += [
            _about(each, "discriminants set to yes") for each in _evaluated(sets, ["alpha_masi"], chosen)
        ]
    return results


def _about(result: Result, what: str) -> Result:
    return replace(result, details={**result.details, "of": what})


def _evaluated(study: Study[Any], measures: Sequence[str], asked: Asked) -> list[Result]:
    from arbitree.measures.evaluate import evaluate

    resampling = asked.computing.resampling
    kind = kinds.of(study)
    results = evaluate(study, kind, measures, by=asked.by, resampling=resampling)
    return [asked.preset.marked(each, kind) for each in results] if asked.preset else results


def _comparisons(study: Study[Any], results: Sequence[Result], asked: Asked) -> tuple[Any, ...]:
    """Return the comparison of every pair of annotators."""
    from itertools import combinations

    from arbitree.api.evaluate import evaluate_all
    from arbitree.kinds.treebanking.comparison import compare

    if len(study.coders) == 2 and results[0].details["options"]["several"] == "pairwise":
        return (compare(study, results[0]),)
    pairwise = with_option(asked.kappas(kinds.of(study))[0], "several=pairwise")
    found = []
    for pair in combinations(study.coders, 2):
        part = study.select(coders=pair)
        (result,) = evaluate_all(part, [pairwise], resamples=asked.computing.resamples)
        found.append(compare(part, result))
    return tuple(found)


def _with_profile(study: Study[Any], coders: Sequence[str], asked: Asked) -> tuple[tuple[str, Result], ...]:
    bare = replace(asked, by=())
    kappa = asked.kappas(kinds.of(study))[0]
    return tuple(
        (coder, _evaluated(study.select(coders=[coder, ADJUDICATED]), [kappa], bare)[0]) for coder in coders
    )

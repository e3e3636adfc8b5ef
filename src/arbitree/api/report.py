"""HTML report and Excel workbook about a study: ``at.report`` and ``arbitree report``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from arbitree import kinds
from arbitree.adjudication.differences import disagreements
from arbitree.adjudication.standings import follow
from arbitree.adjudication.workbook import Filled
from arbitree.annotator_models.findings import WHO_IS_RIGHT, CoderFindings
from arbitree.api.agree import MOST_CODERS, fitting_breakdowns, measured
from arbitree.api.arguments import Measures, chosen_measures, study_from
from arbitree.backends.base import Bar, Say, mute, no_bar, silent
from arbitree.constructions import findings as inconsistencies
from arbitree.errors import StudyError, UnsupportedStudy
from arbitree.extras import need
from arbitree.files import (
    announce,
    inputs_kept,
    make_writable,
    note_study,
    show_full_paths,
    write_whole,
)
from arbitree.measures.computing import USUAL, Computing
from arbitree.measures.presets import preset_named
from arbitree.reporting.sections.survey import Survey
from arbitree.study.comparable import uneven_items, unmatched_items
from arbitree.study.study import Study

RESAMPLES = 200  # of the annotator models, which are fitted again in each


@inputs_kept()
def report(
    study: Study[Any] | Any,
    output: str | Path,
    *,
    title: str | None = None,
    adjudicated: str | Path | None = None,
    full_paths: bool = False,
    inputs: Sequence[str] = (),
    measures: Measures = (),
    preset: str | None = None,
    resamples: int = 1000,
    confidence: float = 0.95,
    interval: str = "jackknife",
    seed: int = 0,
    pairs: float | None = None,
    tolerance: float | None = None,
    backend: str = "threads",
    threads: int = 0,
    scheduler: str | None = None,
    tell: Say = mute,
    say: Say = mute,
    progress: Bar = no_bar,
) -> tuple[Path, Path]:
    """Write an HTML report and a workbook about *study* into the directory *output*.

    Args:
        study: A study with at least two annotators, or a pandas data frame of labels.
        output: Directory to write to; created if it does not exist.
        title: Title of the report (default: the names of the annotators).
        adjudicated: Workbook of an earlier report with decisions filled in.
        full_paths: Whether report and workbook show the paths of the inputs as given. By default, absolute
            paths are shown relative to the common directory of the inputs.
        inputs: Arguments of the command line that name the inputs, for the commands that the report
            recommends (default: the files of the study).
        measures, preset, resamples, confidence, interval, seed: As for ``agree``. Intervals of the
            competence of annotators use at most 200 resamples.
        pairs, tolerance, backend, threads, scheduler: As for ``agree``.
        tell: Function that is called with the headline and, with *adjudicated*, with a summary of the
            decisions.
        say: Function that is called with messages about long runs.
        progress: Function that opens a progress display with a title, as a context manager.
    Returns:
        The paths of the report and of the workbook. The workbook is called ``report-adjudicated.xlsx`` if
        ``report.xlsx`` is the file with the decisions.
    Example:
        >>> import tempfile
        >>> from arbitree.api.read import read
        >>> study = read("examples/labels/stance.tsv")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     [path.name for path in report(study, folder, resamples=0)]
        ['report.html', 'report.xlsx']
    """
    from io import BytesIO

    from arbitree.adjudication.workbook import read_decisions
    from arbitree.reporting.phrasing import headline
    from arbitree.reporting.sections.next_steps import next_steps
    from arbitree.reporting.sections.report import page, write_workbook
    from arbitree.reporting.sections.survey import outcome_words

    need("arbitree report", "openpyxl", "xlsxwriter")
    computing = Computing(
        pairs=pairs,
        tolerance=tolerance,
        resamples=resamples,
        confidence=confidence,
        interval=interval,
        seed=seed,
        threads=threads,
        backend=backend,
        scheduler=scheduler,
    )
    decided = None if adjudicated is None else read_decisions(str(adjudicated))
    study = study_from(study)
    folder = make_writable(output)
    paths = folder / "report.html", folder / _free_name(folder, adjudicated)
    announce(*paths, inputs=study.paths)
    note_study(study.paths)
    if full_paths:
        show_full_paths()
    by = fitting_breakdowns(study)
    chosen = chosen_measures(measures)
    using = None if preset is None else preset_named(preset, "report")
    if using:
        chosen = using.applied(chosen, kinds.of(study))
    table = measured("report", study, chosen, computing, preset=using, by=by, say=say, progress=progress)
    with progress("finding disagreements") as ticks:
        found = survey(study, computing, decided=decided, progress=ticks)
    if len(study.coders) > MOST_CODERS:
        many = f"{len(study.coders)} annotators are more than {MOST_CODERS}"
        why = f"{many}; run 'arbitree agree --by coder' to see them"
        found.absent["tables by annotator and pair"] = why
        say(f"The report omits the tables by annotator and pair: {why}.")
    workbook = BytesIO()
    with progress("writing the report"):
        steps = next_steps(study, found, list(inputs) or _arguments(study), Path(output))
        write_workbook(table, workbook, found, steps)
        html = page(table, title or ", ".join(study.coders), found, steps)
    write_whole(paths[0], html)
    write_whole(paths[1], workbook.getvalue())
    tell(headline(table.kind, study, table.results))
    if found.adjudication is not None:
        tell(outcome_words(found.adjudication))
    return paths


def _arguments(study: Study[Any]) -> list[str]:
    """Return arguments that name the files of *study*, or none if an annotator has several or none."""
    files: dict[str, set[str]] = {coder: set() for coder in study.coders}
    for cell in study.cells.values():
        if cell.source is not None:
            files[cell.coder].add(cell.source.path)
    if any(len(paths) != 1 for paths in files.values()):
        return []
    named = [(coder, *paths) for coder, paths in files.items()]
    if len({path for _, path in named}) == 1:
        return [named[0][1]]
    return [f"{coder}={path}" for coder, path in named]


def _free_name(folder: Path, decided: str | Path | None) -> str:
    """Return a name for the workbook that differs from that of the workbook with the decisions."""
    own = folder / "report.xlsx"
    same = decided is not None and own.exists() and own.samefile(decided)
    return "report-adjudicated.xlsx" if same else own.name


def survey(
    study: Study[Any],
    computing: Computing = USUAL,
    *,
    decided: Filled | None = None,
    progress: Callable[[int, int], None] = silent,
) -> Survey:
    """Return what there is to tell of *study* beside its agreement: each part where it supports it.

    Args:
        study: A study with at least two annotators.
        computing: Settings of the confidence intervals of annotator models, with at most 200 resamples.
        decided: The decisions of an adjudicator.
        progress: Function that is called with the number of parts done.
    Example:
        >>> from arbitree.api.read import read
        >>> found = survey(read("examples/labels/stance.tsv"), Computing(resamples=0))
        >>> found.types is None, found.models is None, len(found.disagreements.places) > 0
        (True, False, True)
    """
    absent: dict[str, str] = {}
    kind = kinds.of(study)

    makers: dict[str, Callable[[], Any]] = {
        "disagreements": lambda: disagreements(study, kind),
        "inconsistencies": lambda: _types(study),
        "annotator competence": lambda: _models(study, computing),
    }
    parts: list[Any] = []
    for name, make in makers.items():
        progress(len(parts), len(makers))
        try:
            parts.append(make())
        except (UnsupportedStudy, StudyError) as error:
            parts.append(None)
            absent[name] = error.what
    places, types, models = parts
    followed = None if decided is None else follow(places or disagreements(study, kind), decided)
    return Survey(places, types, models, followed, uneven_items(study), unmatched_items(study), absent)


def _types(study: Study[Any]) -> inconsistencies.Findings:
    from arbitree.api.explain import find_inconsistencies

    return find_inconsistencies(study)


def _models(study: Study[Any], computing: Computing) -> CoderFindings:
    from arbitree.api.coders import find_coders

    if len(study.coders) < 3:
        raise UnsupportedStudy(WHO_IS_RIGHT)
    return find_coders(study, computing=replace(computing, resamples=min(computing.resamples, RESAMPLES)))

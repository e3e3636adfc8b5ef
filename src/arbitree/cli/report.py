"""``arbitree report``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arbitree.cli import options as opt
from arbitree.cli.console import MOST_CODERS, Talk, compute, deliver, fitting_breakdowns, read_inputs

if TYPE_CHECKING:
    from arbitree.adjudication.workbook import Decided


Folder = Annotated[
    str,
    typer.Option(
        "--output",
        "-o",
        metavar="DIR",
        help="Directory for report.html and report.xlsx; made if it is not there.",
        show_default=False,
    ),
]
Title = Annotated[
    str | None, typer.Option(metavar="TEXT", help="Title of the report (default: the coders' names).")
]

Adjudicated = Annotated[
    str | None,
    typer.Option(
        metavar="FILE.xlsx",
        help="Read the decisions in a workbook of an earlier report: whom the adjudicator followed.",
        show_default=False,
    ),
]


def report(
    inputs: opt.Inputs,
    output: Folder,
    title: Title = None,
    adjudicated: Adjudicated = None,
    measure: opt.Measures = None,
    pairs: opt.Pairs = None,
    tolerance: opt.Tolerance = None,
    resamples: opt.Resamples = 1000,
    confidence: opt.Confidence = 0.95,
    interval: opt.IntervalMethod = "percentile",
    seed: opt.Seed = 0,
    threads: opt.Threads = 0,
    backend: opt.Backend = "threads",
    scheduler: opt.Scheduler = None,
    dirs: opt.Dirs = False,
    format: opt.FormatName = None,
    encoding: opt.Encoding = "utf-8",
    match: opt.Match = "auto",
    strict: opt.Strict = False,
    column: opt.Column = None,
    quiet: opt.Quiet = False,
) -> None:
    """One HTML page and one workbook about a study: agreement, what differs, who differs, hard sentences.

    Example: arbitree report first.conllu second.conllu -o report
    """
    talk = Talk(quiet)
    decided = _decisions(adjudicated)
    study = read_inputs(
        inputs,
        talk,
        dirs=dirs,
        format=format,
        encoding=encoding,
        match=match,
        strict=strict,
        column=column,
    )
    folder = made_directory(output)
    table = compute(
        "report",
        study,
        talk,
        measures=measure,
        by=fitting_breakdowns(study),
        pairs=pairs,
        tolerance=tolerance,
        resamples=resamples,
        confidence=confidence,
        interval=interval,
        seed=seed,
        backend=backend,
        threads=threads,
        scheduler=scheduler,
    )
    from io import BytesIO

    from arbitree.api.report import survey
    from arbitree.reporting.phrasing import headline
    from arbitree.reporting.sections.report import page
    from arbitree.reporting.workbook import write_workbook

    with talk.progress("looking for what differs") as progress:
        found = survey(
            study,
            resamples=resamples,
            confidence=confidence,
            seed=seed,
            decided=decided,
            progress=progress,
        )
    if len(study.coders) > MOST_CODERS:
        why = f"{len(study.coders)} coders are too many to look through; 'arbitree agree --by coder' has them"
        found.absent["tables by coder and pair"] = why
        talk.say(f"no tables by coder and pair: {why}")
    workbook = BytesIO()
    write_workbook(table, workbook, found)
    name = "report.xlsx" if adjudicated is None else _free_name(folder, adjudicated)
    deliver(page(table, title or ", ".join(study.coders), found), str(folder / "report.html"))
    deliver(workbook.getvalue(), str(folder / name))
    deliver(headline(table.kind, study, table.results) + "\n", None)
    if found.adjudication is not None:
        from arbitree.reporting.sections.disagreements import outcome_words

        deliver(outcome_words(found.adjudication) + "\n", None)
    talk.say(f"wrote {folder / 'report.html'} and {folder / name}")


def _decisions(path: str | None) -> Decided | None:
    """Return what an adjudicator decided, read before any long work is done for nothing."""
    if path is None:
        return None
    from arbitree.adjudication.workbook import read_decisions

    return read_decisions(path)


def _free_name(folder: Path, decided: str) -> str:
    """Return a name for the workbook that is not that of the one with the decisions."""
    own = folder / "report.xlsx"
    same = own.exists() and own.samefile(decided)
    return "report-adjudicated.xlsx" if same else own.name


def made_directory(output: str) -> Path:
    """Return the directory, made if need be, before any long work is done for nothing."""
    from arbitree.errors import FormatError, Source

    folder = Path(output)
    hint = "Choose another directory with --output"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FormatError(_obstacle(error), Source(output), hint=hint) from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise FormatError("cannot write into this directory", Source(output), hint=hint)
    return folder


def _obstacle(error: OSError) -> str:
    if isinstance(error, FileExistsError):
        return "this is a file, not a directory"
    return f"cannot make this directory ({error.strerror})"


COMMAND = report

"""``arbitree report``."""

from __future__ import annotations

from typing import Annotated

import typer

from arbitree.cli import options as opt
from arbitree.cli.console import Talk, deliver, read_inputs

Folder = Annotated[
    str,
    typer.Option(
        "--output",
        "-o",
        metavar="DIR",
        help="Directory for report.html and report.xlsx; created if it does not exist.",
        show_default=False,
    ),
    opt.WRITTEN,
]
Title = Annotated[
    str | None,
    typer.Option(metavar="TEXT", help="Title of the report. [default: the names of the annotators]"),
]

Adjudicated = Annotated[
    str | None,
    typer.Option(
        metavar="FILE.xlsx",
        help="Workbook of an earlier report with decisions filled in; adds how often each annotator was "
        "followed.",
        show_default=False,
    ),
]


def report(
    inputs: opt.Inputs,
    *,
    output: Folder,
    title: Title = None,
    adjudicated: Adjudicated = None,
    full_paths: opt.FullPaths = False,
    measure: opt.Measures = None,
    preset: opt.As = None,
    computing: opt.ComputingReport,
    reading: opt.ReadingOptions,
    quiet: opt.Quiet = False,
) -> None:
    """Write an HTML report and an Excel workbook: agreement, disagreements, annotators, hardest sentences.

    Example: arbitree report first.conllu second.conllu -o report
    """
    from arbitree.api.report import report as reported

    opt.check_folder(output)
    talk = Talk(quiet)
    chosen = reading.of(inputs)
    study = read_inputs(chosen, talk)
    page, workbook = reported(
        study,
        output,
        title=title,
        adjudicated=adjudicated,
        full_paths=full_paths,
        inputs=chosen.arguments,
        measures=measure or (),
        preset=preset,
        tell=lambda line: deliver(line + "\n", None),
        say=talk.listener,
        progress=talk.progress,
        **computing,
    )
    talk.say(f"Wrote {page} and {workbook}")


COMMAND = report

"""``arbitree prefer``."""

from __future__ import annotations

from typing import Annotated

import typer

from arbitree.cli import options as opt
from arbitree.cli.console import Talk, present

_JUDGING = "Judgments"
Trees = Annotated[
    list[str],
    typer.Argument(
        metavar="GOLD A B",
        help="FILE or NAME=FILE of gold and of two systems; with --dirs, one directory for each set.",
        show_default=False,
    ),
]
JudgmentsFile = Annotated[
    str | None,
    typer.Option(
        "--judgments",
        "-j",
        metavar="FILE",
        help="Who prefers what: a matrix, a long table or JSON lines; with --dirs, its name in each of them.",
        rich_help_panel=_JUDGING,
        show_default=False,
    ),
]
Words = Annotated[
    str | None,
    typer.Option(
        "--options",
        metavar="WORD=NAME,...",
        help="What words mean, as blue=A,red=B; on the right a system, A, B, equal or missing.",
        rich_help_panel=_JUDGING,
        show_default=False,
    ),
]
Stray = Annotated[
    str,
    typer.Option(
        metavar="exclude|error|first|second",
        help="What becomes of words that name neither system.",
        rich_help_panel=_JUDGING,
    ),
]
Aggregate = Annotated[
    str,
    typer.Option(
        metavar="mace|mace-em|majority|FILE",
        help="From several judgments to one verdict; or a file of verdicts, one a line.",
        rich_help_panel=_JUDGING,
    ),
]
Sets = Annotated[
    bool,
    typer.Option(
        "--dirs",
        help="Inputs are directories, one for each set: gold, two more files of trees, one of judgments.",
        rich_help_panel="Reading",
    ),
]
Correlate = Annotated[
    str,
    typer.Option(
        metavar="sign|size",
        help="What of the metrics' difference is correlated with people.",
        rich_help_panel="Computing",
    ),
]
Ties = Annotated[
    str,
    typer.Option(
        metavar="half|exclude|wrong",
        help="How a metric that finds no difference agrees with people.",
        rich_help_panel="Computing",
    ),
]
Against = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="The metric that others are tested against (default: las, or the first).",
        rich_help_panel="Computing",
        show_default=False,
    ),
]
Test = Annotated[
    str,
    typer.Option(
        metavar="steiger|bootstrap",
        help="The test that sets the stars.",
        rich_help_panel="Computing",
    ),
]
Fit = Annotated[
    bool,
    typer.Option(
        "--fit",
        help="Fit weights of edges to the verdicts, and show how they do on items they have not seen.",
        rich_help_panel="Computing",
    ),
]
SaveWeights = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="Write the fitted weights for the measure weighted_las:weights=FILE.",
        rich_help_panel="Showing",
        show_default=False,
    ),
]


def prefer(
    inputs: Trees,
    *,
    judgments: JudgmentsFile = None,
    options: Words = None,
    stray: Stray = "exclude",
    aggregate: Aggregate = "mace",
    measure: opt.Measures = None,
    correlate: Correlate = "sign",
    ties: Ties = "half",
    against: Against = None,
    test: Test = "steiger",
    fit: Fit = False,
    computing: opt.Resampled,
    dirs: Sets = False,
    reading: opt.ReadingFiles,
    save_weights: SaveWeights = None,
    figures: opt.Figures = None,
    json: opt.Json = False,
    output: opt.Output = None,
    cite: opt.Cite = False,
    quiet: opt.Quiet = False,
) -> None:
    """Do metrics prefer the parse that people prefer?

    Example: arbitree prefer gold.conllu malt.conllu mst.conllu --judgments judged.csv
    """
    from arbitree.api.prefer import prefer as preferred

    talk = Talk(quiet)
    table = preferred(
        *inputs,
        judgments=judgments,
        measures=measure or (),
        options=options,
        stray=stray,
        aggregate=aggregate,
        correlate=correlate,
        ties=ties,
        against=against,
        test=test,
        fit=fit,
        save_weights=save_weights,
        figures=figures,
        dirs=dirs,
        format=reading.format,
        encoding=reading.encoding,
        match=reading.match,
        strict=reading.strict,
        warn=lambda note: talk.warn([note]),
        say=talk.say,
        progress=talk.progress,
        **computing,
    )
    present(table.document, opt.Showing(json=json, output=output, cite=cite))


COMMAND = prefer

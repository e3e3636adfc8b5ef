"""``arbitree prefer``."""

from __future__ import annotations

from typing import Annotated

import typer

from arbitree.cli import options as opt
from arbitree.cli.console import Talk, deliver, directory_of, present, write_files
from arbitree.files import announce

_JUDGING = "Judgments"
Trees = Annotated[
    list[str],
    typer.Argument(
        metavar="GOLD A B",
        help="FILE or NAME=FILE of the gold standard and of two systems; with --dirs, one directory per "
        "data set.",
        show_default=False,
    ),
]
JudgmentsFile = Annotated[
    str | None,
    typer.Option(
        "--judgments",
        "-j",
        metavar="FILE",
        help="File of judgments: a matrix, a long table or JSON lines; with --dirs, its name in each "
        "directory.",
        rich_help_panel=_JUDGING,
        show_default=False,
    ),
]
Words = Annotated[
    str | None,
    typer.Option(
        "--options",
        metavar="WORD=NAME,...",
        help="Meaning of the words in the judgments, such as blue=A,red=B. NAME is a system, A, B, equal or "
        "missing.",
        rich_help_panel=_JUDGING,
        show_default=False,
    ),
]
Stray = Annotated[
    str | None,
    typer.Option(
        metavar="exclude|error|first|second",
        help="Treatment of words that name neither system: exclude them, fail, or count them as the first "
        "or second system. [default: exclude]",
        rich_help_panel=_JUDGING,
    ),
]
Aggregate = Annotated[
    str | None,
    typer.Option(
        metavar="mace|mace-em|majority|FILE",
        help="Method that aggregates the judgments of an item into one verdict; or a file of verdicts, one "
        "per line. [default: mace]",
        rich_help_panel=_JUDGING,
    ),
]
Sets = Annotated[
    bool,
    typer.Option(
        "--dirs",
        help="Inputs are directories, one per data set, each with gold, two system files and judgments.",
        rich_help_panel="Input",
    ),
]
Correlate = Annotated[
    str | None,
    typer.Option(
        metavar="sign|size",
        help="Correlate the sign or the size of a metric's score difference with the verdicts. "
        "[default: sign]",
        rich_help_panel="Computation",
    ),
]
Ties = Annotated[
    str | None,
    typer.Option(
        metavar="half|exclude|wrong",
        help="Count a tie between the systems' scores as half right, exclude it, or count it as wrong. "
        "[default: half]",
        rich_help_panel="Computation",
    ),
]
Against = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Metric that the others are tested against. [default: las, or the first]",
        rich_help_panel="Computation",
        show_default=False,
    ),
]
Test = Annotated[
    str,
    typer.Option(
        metavar="steiger|bootstrap",
        help="Significance test behind the p-values and stars.",
        rich_help_panel="Computation",
    ),
]
Fit = Annotated[
    bool,
    typer.Option(
        "--fit",
        help="Fit edge weights to the verdicts, and evaluate them on held-out items.",
        rich_help_panel="Computation",
    ),
]
Metrics = Annotated[
    list[str] | None,
    typer.Option(
        "--measure",
        "-m",
        metavar="NAME[:KEY=VALUE,...]",
        help="Metric to compare with the verdicts; repeat for more. [default: the ten metrics of Plank et "
        "al. 2015]",
        rich_help_panel="Computation",
        show_default=False,
    ),
]
SaveWeights = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="Write the fitted weights to this file, for the measure weighted_las:weights=FILE.",
        rich_help_panel="Output",
        show_default=False,
    ),
    opt.WRITTEN_FILE,
]
Output = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="DIR|FILE",
        help="Directory for an HTML report with all tables, and JSON; or one file in the format of its "
        "extension: .csv, .html, .json, .tsv, .txt or .xlsx.",
        rich_help_panel="Output",
        show_default=False,
    ),
    opt.WRITTEN,
]
All = Annotated[
    bool,
    typer.Option(
        "--all",
        help="Print all tables, not only the agreement of the judges and the correlations.",
        rich_help_panel="Output",
    ),
]


def prefer(
    inputs: Trees,
    *,
    judgments: JudgmentsFile = None,
    options: Words = None,
    stray: Stray = None,
    aggregate: Aggregate = None,
    measure: Metrics = None,
    preset: opt.As = None,
    correlate: Correlate = None,
    ties: Ties = None,
    against: Against = None,
    test: Test = "steiger",
    fit: Fit = False,
    computing: opt.Resampled,
    dirs: Sets = False,
    reading: opt.ReadingFiles,
    save_weights: SaveWeights = None,
    figures: opt.Figures = None,
    all: All = False,
    json: opt.Json = False,
    output: Output = None,
    cite: opt.Cite = False,
    quiet: opt.Quiet = False,
    verbose: opt.Verbose = False,
) -> None:
    """Test whether evaluation metrics agree with human preferences between two parses.

    Example: arbitree prefer gold.conllu malt.conllu mst.conllu --judgments judged.csv
    """
    from arbitree.api.prefer import prefer as preferred

    talk = Talk(quiet)
    showing = opt.Showing(json=json, output=output, cite=cite, quiet=quiet, verbose=verbose)
    folder = None if json else directory_of(output)
    pages = [] if folder is None else [f"{folder}/prefer.html", f"{folder}/prefer.json"]
    announce(*pages)
    table = preferred(
        *inputs,
        judgments=judgments,
        measures=measure or (),
        preset=preset,
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
        all=all,
        dirs=dirs,
        format=reading.format,
        encoding=reading.encoding,
        match=reading.match,
        strict=reading.strict,
        max_size=reading.max_size,
        warn=lambda note: talk.warn([note]),
        say=talk.say,
        progress=talk.progress,
        **computing,
    )
    document = table.document
    if folder is not None:
        write_files(document, pages, Talk(quiet=True))
        deliver(document.headline + "\n", None)
        talk.say(f"Wrote prefer.html and prefer.json to {folder}")
        return
    present(document, showing)
    if not (all or json or output):
        talk.say("To print all tables, add --all. To write an HTML report, add -o DIR.")


COMMAND = prefer

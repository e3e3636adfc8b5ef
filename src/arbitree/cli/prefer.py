"""``arbitree prefer``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from arbitree.cli import options as opt
from arbitree.cli.console import Talk, deliver, present

if TYPE_CHECKING:
    from arbitree.kinds.preference.contest import Contest, Reading
    from arbitree.kinds.preference.findings import Findings
    from arbitree.kinds.preference.fitted_weights import Fitted


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
    resamples: opt.Resamples = 1000,
    confidence: opt.Confidence = 0.95,
    seed: opt.Seed = 0,
    dirs: Sets = False,
    format: opt.FormatName = None,
    encoding: opt.Encoding = "utf-8",
    match: opt.Match = "auto",
    strict: opt.Strict = False,
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
    from arbitree.kinds.preference import compare
    from arbitree.kinds.preference.contest import Reading
    from arbitree.kinds.preference.findings import Settings
    from arbitree.kinds.preference.report import preference_table
    from arbitree.kinds.preference.statistics.verdicts import METHODS
    from arbitree.kinds.preference.tables import TESTS
    from arbitree.plugins import check_name

    talk = Talk(quiet)
    check_name(test, TESTS, "tests")
    given = None if aggregate in METHODS else aggregate
    settings = Settings(
        correlate, "given" if given else aggregate, ties, against, resamples, confidence, seed
    )
    how = Reading(options, stray, format, encoding, match, strict, talk.say)
    contests, notes = _contests(inputs, dirs, judgments, given, how)
    talk.warn(notes)
    with talk.progress("comparing metrics with people") as progress:
        findings = compare.prefer(contests, measure or (), settings=settings, progress=progress)
    fitted = _fit(findings, talk, save_weights) if fit or save_weights else None
    if figures is not None:
        _draw(findings, figures, talk)
    table = preference_table(findings, test=test, fitted=fitted, warnings=notes)
    present(table, lambda: str(table), table.print, json=json, cite=cite, output=output)


def _contests(
    inputs: list[str], dirs: bool, judgments: str | None, given: str | None, how: Reading
) -> tuple[list[Contest], list[str]]:
    """Return the sets and what is odd about them."""
    from arbitree.errors import StudyError
    from arbitree.kinds.preference.contest import Files, files_in, read_contest

    if dirs:
        files = [files_in(each, judgments=judgments, verdicts=given) for each in inputs]
    else:
        if len(inputs) != 3:
            hint = "Name three files, or give --dirs with one directory for each set"
            raise StudyError(f"gold and two systems are needed, not {len(inputs)} files", hint=hint)
        if judgments is None:
            raise StudyError("there are no judgments", hint="Name their file with --judgments")
        files = [Files("study", (inputs[0], inputs[1], inputs[2]), judgments, given)]
    contests = [read_contest(each, how) for each in files]
    if len({each.name for each in contests}) < len(contests):
        raise StudyError("two sets have one name", hint="Tell them apart with NAME=DIR")
    notes = []
    for each in contests:
        studies = [each.trees, each.judged, *([each.given] if each.given else [])]
        lead = f"{each.name}: " if dirs else ""
        notes += [f"{lead}{note}" for study in studies for note in study.notes]
    return contests, notes


def _fit(findings: Findings, talk: Talk, save: str | None) -> Fitted:
    from json import dumps

    from arbitree.kinds.preference.fitted_weights import fit_weights

    with talk.progress("fitting weights") as progress:
        fitted = fit_weights(findings, progress=progress)
    if save is not None:
        deliver(dumps(fitted.weights.to_dict(), indent=2, ensure_ascii=False) + "\n", save)
        talk.say(f"wrote {save}; use it as --measure weighted_las:weights={save},punctuation=skip-form")
    return fitted


def _draw(findings: Findings, folder: str, talk: Talk) -> None:
    from arbitree.kinds.preference.figures import draw

    written = draw(findings, folder)
    talk.say(f"wrote {len(written)} files into {folder}: {', '.join(path.name for path in written)}")


COMMAND = prefer

"""``arbitree score``."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

import typer

from arbitree.cli import options as opt
from arbitree.cli.console import Talk, deliver, present, read_inputs

Gold = Annotated[
    str, typer.Argument(metavar="GOLD", help="FILE or NAME=FILE of the gold standard.", show_default=False)
]
Systems = Annotated[
    list[str],
    typer.Argument(metavar="SYSTEM", help="FILE or NAME=FILE for each system.", show_default=False),
]
By = Annotated[
    list[str] | None,
    typer.Option(
        "--by",
        metavar="deprel|upos|distance|depth|length|document",
        help="Break the scores down; repeat for more.",
        rich_help_panel="Computing",
        show_default=False,
    ),
]
PerSentence = Annotated[
    str | None,
    typer.Option(
        metavar="FILE.tsv",
        help="Write every sentence's values to a table with tabs.",
        rich_help_panel="Showing",
        show_default=False,
    ),
]
Differences = Annotated[
    int,
    typer.Option(
        min=0,
        metavar="N",
        help="List the N sentences on which the two best systems differ most.",
        rich_help_panel="Showing",
    ),
]


def score(
    gold: Gold,
    systems: Systems,
    measure: opt.Measures = None,
    by: By = None,
    resamples: opt.Resamples = 1000,
    confidence: opt.Confidence = 0.95,
    interval: opt.IntervalMethod = "percentile",
    seed: opt.Seed = 0,
    dirs: opt.Dirs = False,
    format: opt.FormatName = None,
    encoding: opt.Encoding = "utf-8",
    match: opt.Match = "auto",
    strict: opt.Strict = False,
    per_sentence: PerSentence = None,
    differences: Differences = 0,
    json: opt.Json = False,
    output: opt.Output = None,
    fail_under: opt.FailUnder = None,
    cite: opt.Cite = False,
    quiet: opt.Quiet = False,
    verbose: opt.Verbose = False,
) -> None:
    """Systems against a gold standard: every metric that fits, ranked, differences tested.

    Example: arbitree score gold.conllu first.conllu second.conllu
    """
    talk = Talk(quiet)
    study = read_inputs(
        [gold, *systems], talk, dirs=dirs, format=format, encoding=encoding, match=match, strict=strict
    )
    from arbitree import kinds
    from arbitree.backends.serial import Serial
    from arbitree.reporting.sections.scores import ScoreTable, as_text
    from arbitree.scoring.systems import score_systems

    scores = score_systems(
        replace(study, reference=study.coders[0]),
        measure or (),
        resamples=resamples,
        confidence=confidence,
        seed=seed,
        method=interval,
        by=by or (),
        run=Serial(),
    )
    table = ScoreTable(scores, kinds.of(scores.study), differences)
    if per_sentence:
        deliver("".join(f"{line}\n" for line in table.per_sentence()), per_sentence)
        talk.say(f"wrote {per_sentence}")
    present(table, lambda: as_text(table, verbose=verbose), json=json, cite=cite, output=output)
    _check_least(table, fail_under)


def _check_least(table: Any, least: float | None) -> None:
    """Exit with 1 if the first measure of a system is under *least* or has no value."""
    if least is None:
        return
    for system in table.scores.systems:
        first = table.scores.results[system][0]
        if first.value is None or first.value < least:
            found = "undefined" if first.value is None else f"{first.value:.4f}"
            Talk().say(f"{first.measure} of {system} is {found}, under {least:g}")
            raise typer.Exit(1)


COMMAND = score

"""``arbitree tsdb``."""

from __future__ import annotations

from typing import Annotated

import typer

from arbitree.cli import options as opt
from arbitree.cli.console import Talk, check_least, deliver

_FINDING = "Suites and repositories"
Profiles = Annotated[
    list[str] | None,
    typer.Argument(metavar="PROFILE", help="PROFILE or NAME=PROFILE for each annotator.", show_default=False),
]
Root = Annotated[
    str | None,
    typer.Option(
        metavar="DIR",
        help="A directory with one directory for each annotator, with a profile for each suite.",
        rich_help_panel=_FINDING,
        show_default=False,
    ),
]
Annotators = Annotated[
    list[str] | None,
    typer.Option(
        "--annotator",
        metavar="NAME=DIR",
        help="An annotator's directory in the root; repeat (default: every one that holds profiles).",
        rich_help_panel=_FINDING,
        show_default=False,
    ),
]
Pattern = Annotated[
    str | None,
    typer.Option(
        metavar="REGEX",
        help="What names of suites match; groups (?P<corpus>..), (?P<suite>..), (?P<version>..) name parts.",
        rich_help_panel=_FINDING,
        show_default=False,
    ),
]
Exclude = Annotated[
    str | None,
    typer.Option(
        metavar="REGEX", help="Directories to pass over.", rich_help_panel=_FINDING, show_default=False
    ),
]
Old = Annotated[
    list[str] | None,
    typer.Option(
        metavar="ROOT|NAME=PROFILE",
        help="An older version: its root, or a profile for each annotator; says which sentences changed.",
        rich_help_panel=_FINDING,
        show_default=False,
    ),
]
Checkout = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        help="Check out this Subversion or git repository into the root first, with the client installed.",
        rich_help_panel=_FINDING,
        show_default=False,
    ),
]
Commit = Annotated[
    bool,
    typer.Option(
        "--commit", help="Commit the files written to their working copy.", rich_help_panel=_FINDING
    ),
]
Mode = Annotated[
    str | None,
    typer.Option(
        metavar="auto|exact|discriminant|neighbourhood",
        help="How options are compared (default: auto).",
        show_default=False,
    ),
]
Adjudicated = Annotated[
    str | None,
    typer.Option(
        metavar="FILE.xlsx|[NAME=]DIR",
        help="A workbook with decisions filled in, or an adjudicated profile (in the root, its directory).",
        show_default=False,
    ),
]
Outputs = Annotated[
    list[str] | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write .xlsx, .html, .csv, .json or .txt, by the ending; repeat for more.",
        show_default=False,
    ),
]


def tsdb(
    profiles: Profiles = None,
    root: Root = None,
    annotator: Annotators = None,
    pattern: Pattern = None,
    exclude: Exclude = None,
    old: Old = None,
    checkout: Checkout = None,
    commit: Commit = False,
    mode: Mode = None,
    measure: opt.Measures = None,
    adjudicated: Adjudicated = None,
    by: opt.By = None,
    resamples: opt.Resamples = 1000,
    confidence: opt.Confidence = 0.95,
    interval: opt.IntervalMethod = "percentile",
    seed: opt.Seed = 0,
    encoding: opt.Encoding = "utf-8",
    match: opt.Match = "auto",
    strict: opt.Strict = False,
    json: opt.Json = False,
    output: Outputs = None,
    fail_under: opt.FailUnder = None,
    cite: opt.Cite = False,
    quiet: opt.Quiet = False,
    verbose: opt.Verbose = False,
) -> None:
    """Agreement of treebankers on tsdb profiles, and the adjudicator's workbook.

    Example: arbitree tsdb gold/ann gold/bob -o report.xlsx
    """
    from arbitree.api.tsdb import Places, Settings, ready, report_of
    from arbitree.cli.console import check_endings, check_folders, show_report, show_rulings

    talk = Talk(quiet)
    outputs = output or []
    check_endings(outputs)
    places = Places(
        profiles or [],
        root,
        annotator or [],
        pattern,
        exclude,
        old or [],
        adjudicated,
        encoding,
        match,
        strict,
    )
    settings = Settings(mode, measure or [], by or [], resamples, confidence, interval, seed)
    with_profiles = ready(places, checkout=checkout, commit=commit, outputs=outputs, talk=talk)
    check_folders(outputs)
    if with_profiles:
        report = report_of(places, settings, talk)
        written = show_report(report, json=json, cite=cite, verbose=verbose, outputs=outputs, talk=talk)
        if commit:
            from arbitree.kinds.treebanking.repositories import check_in

            talk.say(check_in(written, f"Report of Arbitree on {', '.join(report.table.study.coders)}"))
        check_least(report.table, fail_under)
    else:
        deliver(show_rulings(str(adjudicated), json=json), outputs[0] if outputs else None)


COMMAND = tsdb

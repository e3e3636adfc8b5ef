"""``arbitree tsdb``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from arbitree.cli import options as opt
from arbitree.cli.console import Talk, check_signature, deliver, present, threshold_of, write_files
from arbitree.errors import Source, StudyError, UnknownName
from arbitree.files import check_directory, show_full_paths

if TYPE_CHECKING:
    pass


_FINDING = "Suites and repositories"
Profiles = Annotated[
    list[str] | None,
    typer.Argument(metavar="PROFILE", help="One PROFILE or NAME=PROFILE per annotator.", show_default=False),
]
Root = Annotated[
    str | None,
    typer.Option(
        metavar="DIR",
        help="Directory that contains one directory per annotator, each with one profile per suite.",
        rich_help_panel=_FINDING,
        show_default=False,
    ),
]
Annotators = Annotated[
    list[str] | None,
    typer.Option(
        "--annotator",
        metavar="NAME=DIR",
        help="Directory of an annotator in the root; repeat for more. [default: all that contain profiles]",
        rich_help_panel=_FINDING,
        show_default=False,
    ),
]
Pattern = Annotated[
    str | None,
    typer.Option(
        metavar="REGEX",
        help="Regular expression for the names of suites; the groups (?P<corpus>..), (?P<suite>..) and "
        "(?P<version>..) mark their parts.",
        rich_help_panel=_FINDING,
        show_default=False,
    ),
]
Exclude = Annotated[
    str | None,
    typer.Option(
        metavar="REGEX",
        help="Regular expression for directories to skip.",
        rich_help_panel=_FINDING,
        show_default=False,
    ),
]
Old = Annotated[
    list[str] | None,
    typer.Option(
        metavar="ROOT|NAME=PROFILE",
        help="Older version: its root, or one profile per annotator; adds a list of the changed sentences.",
        rich_help_panel=_FINDING,
        show_default=False,
    ),
]
Checkout = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        help="Check out this Subversion or git repository to the root first; needs the svn or git client.",
        rich_help_panel=_FINDING,
        show_default=False,
    ),
]
Commit = Annotated[
    bool,
    typer.Option(
        "--commit", help="Commit the written files to their working copy.", rich_help_panel=_FINDING
    ),
]
Mode = Annotated[
    str | None,
    typer.Option(
        metavar="auto|exact|derivation|discriminant|neighbourhood",
        help="Method that compares discriminants. [default: auto]",
        show_default=False,
    ),
]
Adjudicated = Annotated[
    str | None,
    typer.Option(
        metavar="FILE.xlsx|[NAME=]DIR",
        help="Workbook with decisions filled in, or an adjudicated profile; with --root, its directory "
        "there.",
        show_default=False,
    ),
]
Export = Annotated[
    str | None,
    typer.Option(
        metavar="DIR",
        help="New directory for the gold standard as a profile; needs the profiles and a workbook with "
        "decisions (--adjudicated).",
        show_default=False,
    ),
    opt.WRITTEN,
]
Outputs = Annotated[
    list[str] | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="File to write: .xlsx, .html, .csv, .tsv, .json, .tex or .txt; repeat for more.",
        show_default=False,
    ),
    opt.WRITTEN,  # a checkout may create their directories
]


def tsdb(
    profiles: Profiles = None,
    *,
    root: Root = None,
    annotator: Annotators = None,
    pattern: Pattern = None,
    exclude: Exclude = None,
    old: Old = None,
    checkout: Checkout = None,
    commit: Commit = False,
    mode: Mode = None,
    measure: opt.Measures = None,
    preset: opt.As = None,
    adjudicated: Adjudicated = None,
    export: Export = None,
    by: opt.By = None,
    verify: opt.Verify = None,
    computing: opt.Intervals,
    reading: opt.ReadingProfiles,
    json: opt.Json = False,
    output: Outputs = None,
    fail_under: opt.FailUnder = None,
    cite: opt.Cite = False,
    full_paths: opt.FullPaths = False,
    quiet: opt.Quiet = False,
    verbose: opt.Verbose = False,
) -> None:
    """Measure agreement between annotators of [incr tsdb()] profiles, and write a workbook for adjudication.

    Example: arbitree tsdb gold/ann gold/bob -o report.xlsx
    """
    from arbitree.api.tsdb import Profiles as Located
    from arbitree.api.tsdb import is_workbook, read_profiles
    from arbitree.api.tsdb import tsdb as compared
    from arbitree.kinds.treebanking.repositories import check_committable, check_in, check_out

    talk = Talk(quiet)
    if full_paths:
        show_full_paths()
    outputs = output or []
    _check_endings(outputs)
    opt.check_installed(*outputs)
    if checkout is not None:
        if root is None:
            raise StudyError("--checkout needs a target directory", hint="Set it with --root")
        talk.say(check_out(checkout, root))
    if commit:
        check_committable(outputs)
    check_directory(*outputs)
    if not (profiles or root) and is_workbook(adjudicated):
        if export is not None:
            raise StudyError("--export needs the profiles", hint="Pass them as well as the workbook")
        deliver(_rulings(str(adjudicated), json=json), outputs[0] if outputs else None, talk)
        return
    if verify is not None:
        check_signature(
            verify,
            reading.of(profiles or ()),
            talk,
            opt.Showing(json=json, output=outputs[0] if outputs else None),
            read=lambda each, talk: read_profiles(
                Located(replace(each, format="tsdb"), root, annotator or (), pattern, exclude), talk.say
            ),
            measures=measure,
        )
        return
    with talk.progress("comparing profiles"):
        report = compared(
            *(profiles or ()),
            root=root,
            annotator=annotator or (),
            pattern=pattern,
            exclude=exclude,
            old=old or (),
            adjudicated=adjudicated,
            export=export,
            mode=mode,
            measures=measure or (),
            preset=preset,
            by=by or (),
            encoding=reading.encoding,
            match=reading.match,
            strict=reading.strict,
            max_size=reading.max_size,
            warn=lambda note: talk.warn([note]),
            say=talk.say,
            **computing,
        )
    threshold = threshold_of(report.table.results, fail_under)
    document = report.document
    written = write_files(document, outputs, talk)
    present(document, opt.Showing(json=json, cite=cite, verbose=verbose))
    if commit:
        talk.say(check_in(written, f"Report of Arbitree on {', '.join(report.table.study.coders)}"))
    threshold.check()


def _check_endings(outputs: Sequence[str]) -> None:
    """Raise UnknownName for a file with an unknown extension, before any computation."""
    from arbitree.reporting.document import renderers

    for path in outputs:
        if not path.lower().endswith(tuple(renderers())):
            hint = f"Use one of {', '.join(renderers())}"
            raise UnknownName("cannot infer the format from the file extension", Source(path), hint=hint)


def _rulings(workbook: str, *, json: bool) -> str:
    """Return a summary of the decisions in a workbook, without the profiles."""
    from arbitree.kinds.treebanking.adjudicated import adjudicated, read_rulings
    from arbitree.kinds.treebanking.report import adjudication_dict
    from arbitree.kinds.treebanking.report_text import adjudication_lines
    from arbitree.reporting.document import record
    from arbitree.reporting.json import written

    found = [adjudicated(each) for each in read_rulings(workbook)]
    if json:
        said = [adjudication_dict(each) for each in found]
        return written(record("tsdb", {"results": [], "warnings": [], "adjudication": said}))
    return "".join(f"{line}\n" for each in found for line in adjudication_lines(each))


COMMAND = tsdb

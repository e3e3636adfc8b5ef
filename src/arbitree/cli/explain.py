"""``arbitree explain``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arbitree.cli import options as opt
from arbitree.cli.console import Talk, deliver, directory_of, present, read_inputs, write_files
from arbitree.files import announce, check_directory, show_full_paths

if TYPE_CHECKING:
    from arbitree.reporting.document import Document


FORMS = ("html", "json", "tsv", "csv", "xlsx", "txt")
WHOLE = ("html", "json", "tsv")  # in a directory
_LOOKING = "Finding inconsistencies"
_SHOWING = "Output"
Output = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="DIR|FILE",
        help="Directory for an HTML report, JSON and TSV; or one file ending in .html, .json, .tsv, .csv, "
        ".xlsx or .txt.",
        rich_help_panel=_SHOWING,
    ),
    opt.WRITTEN,
]
Gold = Annotated[
    str | None,
    typer.Option(
        metavar="CODER",
        help="Compare all others with this annotator, and report miss rates.",
        rich_help_panel=_LOOKING,
    ),
]
Mode = Annotated[
    str | None,
    typer.Option(
        metavar="coders|corpus|parser",
        help="Compare annotators with each other (coders), a corpus with itself (corpus), or parsers with "
        "gold (parser). [default: coders; corpus for a single input; parser with --gold]",
        rich_help_panel=_LOOKING,
        show_default=False,
    ),
]
Baseline = Annotated[
    str | None,
    typer.Option(
        metavar="ngrams", help="Use variation n-grams instead of fragments.", rich_help_panel=_LOOKING
    ),
]
Heads = Annotated[
    str | None,
    typer.Option(
        metavar="NAME|FILE",
        help="Head table: a file or a name from 'arbitree list heads'.",
        rich_help_panel=_LOOKING,
    ),
]
External = Annotated[
    str | None,
    typer.Option(
        metavar="off|label|full",
        help="Also compare how the words attach to the rest of the tree. [default: label; off in a corpus]",
        rich_help_panel=_LOOKING,
        show_default=False,
    ),
]
Empties = Annotated[
    str | None,
    typer.Option(
        metavar="remove|keep",
        help="Remove or keep traces (empty nodes) before comparing. [default: remove]",
        rich_help_panel=_LOOKING,
    ),
]
FunctionTags = Annotated[
    str | None,
    typer.Option(
        metavar="keep|strip",
        help="Keep or strip the function tags of phrases. [default: keep; strip in a corpus]",
        rich_help_panel=_LOOKING,
    ),
]
Mismatch = Annotated[
    str | None,
    typer.Option(
        metavar="skip|error|align",
        help="Exclude sentences whose tokens differ between annotators (skip), fail (error), or compare the "
        "tokens they share (align). [default: skip]",
        rich_help_panel=_LOOKING,
    ),
]
Set = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="Any other setting of the method; repeat for more. The documentation lists all settings.",
        rich_help_panel=_LOOKING,
        show_default=False,
    ),
]
Tsv = Annotated[
    bool,
    typer.Option(
        "--tsv", help="Print tab-separated values, one line per occurrence.", rich_help_panel=_SHOWING
    ),
]
Most = Annotated[
    int,
    typer.Option(
        min=0,
        metavar="N",
        help="Number of questions to print as text, or of types in a corpus; HTML, JSON and tables contain "
        "all.",
        rich_help_panel=_SHOWING,
    ),
]
Versus = Annotated[
    str | None,
    typer.Option(
        metavar="EARLIER.json",
        help="Compare with an earlier run: questions and types that are gone, new, grown or shrunk.",
        rich_help_panel=_SHOWING,
        show_default=False,
    ),
]
Sort = Annotated[
    str | None,
    typer.Option(
        metavar="bits|nuclei",
        help="Order of questions and types: the most surprising first (bits), or those with most nuclei. "
        "[default: bits]",
        rich_help_panel=_SHOWING,
    ),
]
Only = Annotated[
    list[str] | None,
    typer.Option(
        metavar="LABEL",
        help="Show only types whose difference contains this category, part of speech or relation; repeat "
        "for more.",
        rich_help_panel=_SHOWING,
        show_default=False,
    ),
]
Class = Annotated[
    list[str] | None,
    typer.Option(
        "--class",
        metavar="NAME",
        help="Show only types of this class, such as structural; repeat for more.",
        rich_help_panel=_SHOWING,
        show_default=False,
    ),
]
Words = Annotated[
    str,
    typer.Option(
        metavar="TEXT",
        help="Show only nuclei whose words contain this text; case is ignored.",
        rich_help_panel=_SHOWING,
        show_default=False,
    ),
]
Title = Annotated[
    str | None,
    typer.Option(metavar="TEXT", help="Title of the HTML report. [default: the names of the annotators]"),
]
NoAlpha = Annotated[
    bool, typer.Option("--no-alpha", help="Skip the computation of alpha.", rich_help_panel=_LOOKING)
]


def explain(
    inputs: opt.Inputs,
    *,
    output: Output = None,
    title: Title = None,
    gold: Gold = None,
    mode: Mode = None,
    baseline: Baseline = None,
    heads: Heads = None,
    external: External = None,
    empties: Empties = None,
    function_tags: FunctionTags = None,
    mismatch: Mismatch = None,
    setting: Set = None,
    preset: opt.AsOptions = None,
    no_alpha: NoAlpha = False,
    reading: opt.ReadingTrees,
    json: opt.Json = False,
    tsv: Tsv = False,
    only: Only = None,
    class_: Class = None,
    words: Words = "",
    most: Most = 20,
    sort: Sort = None,
    versus: Versus = None,
    cite: opt.Cite = False,
    full_paths: opt.FullPaths = False,
    quiet: opt.Quiet = False,
    verbose: opt.Verbose = False,
) -> None:
    """Find constructions that are annotated inconsistently, and group them by type.

    Example: arbitree explain first.mrg second.mrg -o explained
    """
    from arbitree import kinds
    from arbitree.api.explain import explain as explained
    from arbitree.api.explain import known_options
    from arbitree.constructions.explain import parsed_options
    from arbitree.measures.options import fitting
    from arbitree.reporting.sections.explain import document_of

    talk = Talk(quiet)
    if full_paths:
        show_full_paths()
    form, target = _destination(output, json=json, tsv=tsv)
    if form == "xlsx":
        opt.check_installed(target)
    announce(*([] if form else (f"{target}/explain.{each}" for each in WHOLE)))
    study = read_inputs(reading.of(inputs), talk)
    given = {
        "heads": heads,
        "external": external,
        "empties": empties,
        "function_tags": function_tags,
        "mismatch": mismatch,
    }
    options = {name: value for name, value in given.items() if value is not None}
    options |= parsed_options(setting or (), known_options(study, baseline))
    findings = explained(
        study,
        mode=mode,
        gold=gold,
        baseline=baseline,
        beside=() if no_alpha else fitting(study, kinds.of(study))[:1],
        sort=sort,
        preset=preset,
        only=only or (),
        class_=class_ or (),
        words=words,
        versus=versus,
        progress=talk.progress,
        **options,
    )
    talk.warn([note for note in findings.notes if note not in study.notes])
    document = document_of(
        findings, kinds.of(study), study, title=title or ", ".join(study.coders), most=most
    )
    if form == "txt":
        present(document, opt.Showing(cite=cite, output=target, quiet=quiet, verbose=verbose))
        if findings.types:
            talk.say("To see all examples drawn, write an HTML report with -o DIR.")
    elif form in ("csv", "xlsx"):
        write_files(document, [str(target)], talk)
    elif form:
        deliver(_form(form, document, cite=cite), target, talk)
    else:
        for each in WHOLE:
            deliver(_form(each, document, cite=cite), f"{target}/explain.{each}")
        deliver(document.headline + "\n", None)
        talk.say(f"Wrote explain.html, explain.json and explain.tsv to {target}")


def _destination(output: str | None, *, json: bool, tsv: bool) -> tuple[str, str | None]:
    """Return the output format and file; "" stands for all formats in a directory."""
    from arbitree.errors import UnknownName

    if json and tsv:
        raise UnknownName(
            "--json and --tsv cannot be combined", hint="Choose one, or set a directory with --output"
        )
    form = "json" if json else "tsv" if tsv else ""
    ending = "" if output is None else Path(output).suffix.lower().lstrip(".")
    if form or output is None or ending in FORMS:
        check_directory(output)
        return form or ending or "txt", output
    folder = directory_of(output)
    if folder is None:
        hint = f"Use {', '.join(f'.{each}' for each in FORMS)}, or end the name of a directory with /"
        raise UnknownName(f"cannot infer the format of {output} from its extension", hint=hint)
    return "", folder


def _form(form: str, document: Document, *, cite: bool) -> str:
    from arbitree.reporting import csv, html, json

    if form == "html":
        return html.render(document)
    if form == "tsv":
        return csv.with_tabs(document.table(document.main, "csv"))
    return json.render(document, cite=cite)


COMMAND = explain

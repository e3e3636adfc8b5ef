"""``arbitree explain``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arbitree.cli import options as opt
from arbitree.cli.console import Talk, deliver, present, read_inputs

if TYPE_CHECKING:
    from arbitree.reporting.document import Document


FORMS = ("html", "json", "tsv", "txt")
_LOOKING = "Looking for inconsistencies"
_SHOWING = "Showing"
Output = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="DIR|FILE",
        help="Directory for a page, JSON and TSV; or one file: .html, .json, .tsv, .txt.",
        rich_help_panel=_SHOWING,
    ),
]
Gold = Annotated[
    str | None,
    typer.Option(
        metavar="CODER",
        help="Measure the others against this coder, with miss rates.",
        rich_help_panel=_LOOKING,
    ),
]
Mode = Annotated[
    str | None,
    typer.Option(
        metavar="coders|corpus|parser",
        help="Default: coders; corpus for one input; parser with --gold (parser alone: the first is gold).",
        rich_help_panel=_LOOKING,
        show_default=False,
    ),
]
Baseline = Annotated[
    str | None,
    typer.Option(metavar="ngrams", help="Variation n-grams in place of fragments.", rich_help_panel=_LOOKING),
]
Heads = Annotated[
    str | None,
    typer.Option(
        metavar="NAME|FILE", help="Head table (see 'arbitree list heads').", rich_help_panel=_LOOKING
    ),
]
External = Annotated[
    str | None,
    typer.Option(
        metavar="off|label|full",
        help="Look at how words stand in the rest of the tree too (default: label; off in a corpus).",
        rich_help_panel=_LOOKING,
        show_default=False,
    ),
]
Empties = Annotated[
    str | None,
    typer.Option(metavar="remove|keep", help="Traces (default: remove).", rich_help_panel=_LOOKING),
]
FunctionTags = Annotated[
    str | None,
    typer.Option(
        metavar="keep|strip", help="Function tags of phrases (default: keep).", rich_help_panel=_LOOKING
    ),
]
Mismatch = Annotated[
    str | None,
    typer.Option(
        metavar="skip|error|align",
        help="Sentences whose words differ between coders (default: skip).",
        rich_help_panel=_LOOKING,
    ),
]
Set = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="Any other setting of the method; repeat for more. See docs/explain.md.",
        rich_help_panel=_LOOKING,
        show_default=False,
    ),
]
Tsv = Annotated[bool, typer.Option("--tsv", help="Print one line a place.", rich_help_panel=_SHOWING)]
Most = Annotated[int, typer.Option(min=0, metavar="N", help="Types to print.", rich_help_panel=_SHOWING)]
Title = Annotated[
    str | None, typer.Option(metavar="TEXT", help="Title of the page (default: the coders' names).")
]
NoAlpha = Annotated[
    bool, typer.Option("--no-alpha", help="Do not compute alpha beside.", rich_help_panel=_LOOKING)
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
    no_alpha: NoAlpha = False,
    reading: opt.ReadingTrees,
    json: opt.Json = False,
    tsv: Tsv = False,
    most: Most = 20,
    cite: opt.Cite = False,
    quiet: opt.Quiet = False,
    verbose: opt.Verbose = False,
) -> None:
    """Which constructions are annotated inconsistently: pinpointed, and grouped by type.

    Example: arbitree explain first.mrg second.mrg -o explained
    """
    from arbitree import kinds
    from arbitree.api.explain import explain as explained
    from arbitree.api.explain import known_options
    from arbitree.constructions.explain import parsed_options
    from arbitree.reporting.sections.explain import document_of

    talk = Talk(quiet)
    form, target = _destination(output, json=json, tsv=tsv)
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
        beside=() if no_alpha else ("alpha_plain",),
        progress=talk.progress,
        **options,
    )
    talk.warn([note for note in findings.notes if note not in study.notes])
    document = document_of(
        findings, kinds.of(study), study, title=title or ", ".join(study.coders), most=most
    )
    if form == "txt":
        present(document, opt.Showing(cite=cite, output=target, verbose=verbose))
        if findings.types:
            talk.say("See them drawn: -o DIR writes a page with all examples")
    elif form:
        deliver(_form(form, document, cite=cite), target)
    else:
        for each in ("html", "json", "tsv"):
            deliver(_form(each, document, cite=cite), f"{target}/explain.{each}")
        deliver(document.headline + "\n", None)
        talk.say(f"wrote explain.html, explain.json and explain.tsv into {target}")


def _destination(output: str | None, *, json: bool, tsv: bool) -> tuple[str, str | None]:
    """Return the form of the findings and their file; "" for all forms in a directory."""
    from arbitree.errors import UnknownName

    if json and tsv:
        raise UnknownName("--json and --tsv at once", hint="Choose one, or give a directory with --output")
    form = "json" if json else "tsv" if tsv else ""
    if form or output is None:
        return form or "txt", output
    ending = Path(output).suffix.lower().lstrip(".")
    if ending in FORMS:
        return ending, output
    if ending and not Path(output).is_dir() and not output.endswith("/"):
        hint = f"Use {', '.join(f'.{each}' for each in FORMS)}, or end the name of a directory with /"
        raise UnknownName(f"no form is known for {output}", hint=hint)
    from arbitree.files import make_writable

    return "", str(make_writable(output))


def _form(form: str, document: Document, *, cite: bool) -> str:
    from arbitree.reporting import csv, html, json

    if form == "html":
        return html.render(document)
    if form == "tsv":
        return csv.with_tabs(document.table(document.main, "csv"))
    return json.render(document, cite=cite)


COMMAND = explain

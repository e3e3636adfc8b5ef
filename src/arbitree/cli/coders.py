"""``arbitree coders``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from arbitree.cli import options as opt
from arbitree.cli.console import Talk, check_least, deliver, present, read_inputs

if TYPE_CHECKING:
    from arbitree.study.study import Study


_MODEL = "Model"
ModelName = Annotated[
    str | None,
    typer.Option(
        "--model",
        metavar="NAME",
        help="mace, dawid_skene, one_coin or majority for labels; edges or heads for dependency trees; "
        "brackets for phrase trees (default: mace, edges or brackets).",
        rich_help_panel=_MODEL,
        show_default=False,
    ),
]
Method = Annotated[
    str, typer.Option(metavar="vb|em", help="Variational Bayes or EM, for mace.", rich_help_panel=_MODEL)
]
Restarts = Annotated[int, typer.Option(min=1, help="Random restarts of mace.", rich_help_panel=_MODEL)]
Consensus = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="Write the consensus, in the format of the inputs or of the ending.",
        rich_help_panel="Showing",
        show_default=False,
    ),
]
Truth = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="True labels, one a line or as a table; reports the accuracy of the consensus.",
        rich_help_panel="Showing",
        show_default=False,
    ),
]


def coders(
    inputs: opt.Inputs,
    model: ModelName = None,
    method: Method = "vb",
    restarts: Restarts = 10,
    consensus: Consensus = None,
    truth: Truth = None,
    resamples: opt.Resamples = 1000,
    confidence: opt.Confidence = 0.95,
    seed: opt.Seed = 0,
    dirs: opt.Dirs = False,
    format: opt.FormatName = None,
    encoding: opt.Encoding = "utf-8",
    match: opt.Match = "auto",
    strict: opt.Strict = False,
    column: opt.Column = None,
    json: opt.Json = False,
    output: opt.Output = None,
    fail_under: opt.FailUnder = None,
    cite: opt.Cite = False,
    quiet: opt.Quiet = False,
    verbose: opt.Verbose = False,
) -> None:
    """Models of the coders: competence with intervals, confusion, hard items and a consensus.

    Example: arbitree coders first.conllu second.conllu third.conllu --consensus gold.conllu
    """
    from arbitree import kinds
    from arbitree.api.coders import find_coders
    from arbitree.reporting.sections.agreement import table_of
    from arbitree.reporting.sections.coders import CoderTable, as_text, print_findings

    talk = Talk(quiet)
    study = read_inputs(
        inputs, talk, dirs=dirs, format=format, encoding=encoding, match=match, strict=strict, column=column
    )
    findings = find_coders(
        study,
        model,
        method=method,
        restarts=restarts,
        resamples=resamples,
        confidence=confidence,
        seed=seed,
    )
    if truth is not None:
        from arbitree.kinds.labels.truth import check_labels, read_truth, with_truth

        check_labels(findings.study)
        known = read_truth(truth, findings.study, encoding=encoding)
        findings = with_truth(findings, known, resamples=resamples, confidence=confidence, seed=seed)
    if consensus is not None:
        _write(findings.consensus, consensus, _own_format(inputs, dirs, format, encoding), talk)
    kind = kinds.of(findings.study)
    present(
        CoderTable(findings, kind),
        lambda: as_text(findings, kind, verbose=verbose),
        lambda: print_findings(findings, kind, verbose=verbose),
        json=json,
        cite=cite,
        output=output,
    )
    check_least(table_of("coders", kinds.of(study), study, findings.results), fail_under)


def _own_format(inputs: list[str], dirs: bool, format: str | None, encoding: str) -> str | None:
    """Return the format of the first input, or None if it cannot be read a second time."""
    from arbitree.reading.assembly import formats_of
    from arbitree.reading.content import load
    from arbitree.reading.inputs import inputs_of

    path = inputs_of(inputs, dirs=dirs)[0].path
    return format or (None if path == "-" else formats_of([load(path, encoding=encoding)])[0])


def _write(consensus: Study[Any], target: str, own: str | None, talk: Talk) -> None:
    """Write the consensus in the format that the ending of *target* tells, or in the inputs' *own*."""
    from arbitree import plugins
    from arbitree.errors import Source, UnsupportedStudy
    from arbitree.reading.content import Entry, text_of
    from arbitree.wording import count_of

    known = plugins.plugins("formats")
    fitting = {name: each for name, each in known.items() if each.kind is consensus.value_type}
    ending = target.removesuffix(".gz")
    named = [name for name, each in known.items() if ending.endswith(each.suffixes)]
    if named and not fitting.keys() & set(named):
        what = f"{named[0]} cannot hold {consensus.value_type.kind} annotations"
        raise UnsupportedStudy(what, Source(target), hint=f"Name a file of one of {', '.join(fitting)}")
    choice = [name for name in (own, *named) if name in named and name in fitting] or [
        name for name in (own, *fitting) if name in fitting
    ]
    entries = [
        Entry(cell.value, cell.source or Source(target), item.id, item.document, cell.coder)
        for item, cells in consensus
        for cell in cells
    ]
    text = text_of(fitting[choice[0]], entries, target)
    if target.endswith(".gz"):
        import gzip

        deliver(gzip.compress(text.encode(), mtime=0), target)
    else:
        deliver(text, None if target == "-" else target)
    talk.say(f"wrote the consensus of {count_of(len(entries), 'item')} as {choice[0]}")


COMMAND = coders

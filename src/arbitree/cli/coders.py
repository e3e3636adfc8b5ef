"""``arbitree coders``."""

from __future__ import annotations

from typing import Annotated

import typer

from arbitree.cli import options as opt
from arbitree.cli.console import Talk, present, read_inputs, threshold_of

_MODEL = "Model"
ModelName = Annotated[
    str | None,
    typer.Option(
        "--model",
        metavar="NAME",
        help="Annotator model: mace, dawid_skene, one_coin or majority for labels; edges or heads for "
        "dependency trees; brackets for phrase-structure trees. [default: mace, edges or brackets]",
        rich_help_panel=_MODEL,
        show_default=False,
    ),
]
Method = Annotated[
    str,
    typer.Option(
        metavar="vb|em", help="Fit mace with variational Bayes (vb) or EM (em).", rich_help_panel=_MODEL
    ),
]
Restarts = Annotated[
    int, typer.Option(metavar="N", min=1, help="Number of random restarts of mace.", rich_help_panel=_MODEL)
]
IntervalMethod = Annotated[
    str,
    typer.Option(
        metavar="korn_graubard|percentile",
        help="Method of the confidence intervals.",
        rich_help_panel="Computation",
    ),
]
Consensus = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="Write the consensus annotation to this file, in the format of its extension or of the inputs.",
        rich_help_panel="Output",
        show_default=False,
    ),
    opt.WRITTEN_FILE,
]
Prefer = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Annotator whose annotations are the consensus where two annotators differ; required by "
        "--consensus if there are only two.",
        rich_help_panel="Output",
        show_default=False,
    ),
]
Gold = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Annotator whose annotations are the gold standard. The model does not use them if there are "
        "two others.",
        rich_help_panel="Output",
        show_default=False,
    ),
]
Feedback = Annotated[
    str | None,
    typer.Option(
        metavar="DIR",
        help="Write a page and a sheet for each annotator to this directory: what they did differently from "
        "the gold standard, if there is one, or from the majority of the others.",
        rich_help_panel="Output",
        show_default=False,
    ),
    opt.WRITTEN,
]
Truth = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="File with known labels, one per line or as a table; also reports the accuracy of the "
        "consensus.",
        rich_help_panel="Output",
        show_default=False,
    ),
]


def coders(
    inputs: opt.Inputs,
    *,
    model: ModelName = None,
    method: Method = "vb",
    restarts: Restarts = 10,
    consensus: Consensus = None,
    prefer: Prefer = None,
    gold: Gold = None,
    feedback: Feedback = None,
    force: opt.Force = False,
    truth: Truth = None,
    interval: IntervalMethod = "korn_graubard",
    computing: opt.Resampled,
    reading: opt.ReadingOptions,
    showing: opt.ShowingCoders,
) -> None:
    """Estimate the competence of each annotator, find hard items, and compute a consensus annotation.

    Example: arbitree coders first.conllu second.conllu third.conllu --consensus consensus.conllu
    """
    from arbitree.api.coders import coders as modelled

    talk = Talk(showing.quiet)
    study = read_inputs(reading.of(inputs), talk)
    with talk.progress("estimating competence"):
        table = modelled(
            study,
            model,
            method=method,
            restarts=restarts,
            truth=truth,
            consensus=consensus,
            prefer=prefer,
            gold=gold,
            feedback=feedback,
            force=force,
            interval=interval,
            format=reading.format,
            encoding=reading.encoding,
            say=talk.listener,
            **computing,
        )
    threshold = threshold_of(table.results, showing.fail_under)
    present(table.document, showing)
    threshold.check()


COMMAND = coders

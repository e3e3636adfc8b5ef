"""``arbitree score``."""

from __future__ import annotations

from typing import Annotated

import typer

from arbitree.cli import options as opt
from arbitree.cli.console import Talk, Threshold, check_signature, present, read_inputs, write_items
from arbitree.study.groupings import GROUPINGS

Standard = Annotated[
    str, typer.Argument(metavar="GOLD", help="FILE or NAME=FILE of the gold standard.", show_default=False)
]
Systems = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="SYSTEM",
        help="One FILE or NAME=FILE per system; not needed if GOLD is a table that contains the systems.",
        show_default=False,
    ),
]
Gold = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Annotator of the gold standard, if the file GOLD contains several. "
        "The others are scored as systems.",
        rich_help_panel="Input",
        show_default=False,
    ),
]
By = Annotated[
    list[str] | None,
    typer.Option(
        "--by",
        metavar="|".join(("deprel", "upos", "distance", "depth", "length", *GROUPINGS)),
        help="Break the scores down; repeat for more.",
        rich_help_panel="Computation",
        show_default=False,
    ),
]
PerItem = Annotated[
    str | None,
    typer.Option(
        "--per-item",
        "--per-sentence",
        metavar="FILE",
        help="Write the scores of every item to a .csv, .json or .xlsx file; .tsv, .txt and unknown "
        "extensions are tab-separated.",
        rich_help_panel="Output",
        show_default=False,
    ),
    opt.WRITTEN_FILE,
]
Differences = Annotated[
    int,
    typer.Option(
        min=0,
        metavar="N",
        help="List the N sentences or items on which the scores of the two best systems differ most.",
        rich_help_panel="Output",
    ),
]


def score(
    standard: Standard,
    systems: Systems = None,
    *,
    measure: opt.Measures = None,
    preset: opt.As = None,
    by: By = None,
    computing: opt.ComputingScores,
    verify: opt.Verify = None,
    gold: Gold = None,
    reading: opt.ReadingScored,
    per_item: PerItem = None,
    differences: Differences = 0,
    showing: opt.ShowingOptions,
) -> None:
    """Score systems against a gold standard, rank them, and test the differences for significance.

    Example: arbitree score gold.conllu first.conllu second.conllu
    """
    from arbitree.api.score import score as scored
    from arbitree.api.score import with_reference

    opt.check_ending(per_item, opt.ITEM_FILES)
    talk = Talk(showing.quiet)
    reading = reading.of([standard, *(systems or ())])
    if verify is not None:
        check_signature(
            verify,
            reading,
            talk,
            showing,
            read=lambda each, talk: with_reference(read_inputs(each, talk), gold),
            measures=measure,
        )
        return
    study = read_inputs(reading, talk)
    table = scored(
        study,
        gold=gold,
        measures=measure or (),
        preset=preset,
        by=by or (),
        differences=differences,
        say=talk.listener,
        progress=talk.progress,
        **computing,
    )
    firsts = {system: table.scores.results[system][0] for system in table.scores.systems}
    first = {f"{result.measure} of {system}": result for system, result in firsts.items()}
    threshold = Threshold(first, showing.fail_under, showing.fail_over)
    if per_item is not None:
        write_items(table.document, table.per_item, per_item, talk)
    present(table.document, showing)
    threshold.check()


COMMAND = score

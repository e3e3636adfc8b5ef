"""``arbitree agree``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from arbitree.cli import options as opt
from arbitree.cli.console import (
    Talk,
    Threshold,
    check_signature,
    present,
    read_inputs,
    read_several,
    threshold_of,
    write_items,
)
from arbitree.errors import UnknownName
from arbitree.wording import listed

if TYPE_CHECKING:
    from arbitree.reading.inputs import Reading


def agree(
    inputs: opt.Inputs,
    *,
    studies: opt.Studies = False,
    column: opt.Columns = None,
    measure: opt.Measures = None,
    preset: opt.As = None,
    by: opt.By = None,
    confusions: opt.Confusions = False,
    difference: opt.Difference = False,
    versus: opt.Versus = None,
    verify: opt.Verify = None,
    computing: opt.ComputingOptions,
    reading: opt.ReadingScored,
    per_item: opt.PerItem = None,
    showing: opt.ShowingFigures,
) -> None:
    """Measure inter-annotator agreement, corrected for chance, with confidence intervals.

    Example: arbitree agree first.conllu second.conllu
    """
    opt.check_ending(per_item, opt.ITEM_FILES)
    talk = Talk(showing.quiet)
    options: dict[str, Any] = {
        "measures": measure or (),
        "preset": preset,
        "by": by or (),
        "confusions": confusions,
        "difference": difference,
        "say": talk.listener,
        "progress": talk.progress,
        **computing,
    }
    columns = list(dict.fromkeys(column or []))
    if studies or len(columns) > 1:
        if verify is not None:
            raise UnknownName("--verify checks one value", hint="Omit --studies, and use one --column")
        _several(inputs, studies, columns, versus, options, reading, per_item, showing)
        return
    from arbitree.api.agree import agree as measured
    from arbitree.api.agree import fitting_breakdowns

    reading = replace(reading, column=columns[0] if columns else None)
    if verify is not None:
        check_signature(verify, reading.of(inputs), talk, showing, read=read_inputs, measures=measure)
        return
    study = read_inputs(reading.of(inputs), talk)
    other = read_inputs(reading.of(versus), talk) if versus else None
    table = measured(study, versus=other, **options)
    threshold = threshold_of(table.results, showing.fail_under, showing.fail_over)
    present(table.document, showing)
    if per_item is not None:
        write_items(table.document, table.per_item, per_item, talk)
    if showing.figures is not None:
        from arbitree.reporting.charts import draw_agreement

        paths = draw_agreement(study, table.results, showing.figures)
        talk.say(f"Wrote {', '.join(path.name for path in paths)} to {showing.figures}")
    if not (by or showing.json) and len(study.items) > 1:
        breakdowns = [f"--by {each}" for each in fitting_breakdowns(study)]
        talk.say(f"To break the results down, add {listed(breakdowns, 'or')}.")
    threshold.check()


def _several(
    inputs: Sequence[str],
    studies: bool,
    columns: Sequence[str],
    versus: Sequence[str] | None,
    options: dict[str, Any],
    reading: Reading,
    per_item: str | None,
    showing: opt.Showing,
) -> None:
    """Measure agreement in several studies, or in several columns of one."""
    from arbitree.api.agree_studies import agree_studies

    talk = Talk(showing.quiet)
    given = read_several(reading.of(inputs), talk) if studies else read_inputs(reading.of(inputs), talk)
    other = read_inputs(reading.of(versus), talk) if versus else None
    table = agree_studies(given, column=columns, versus=other, **options)
    threshold = Threshold(table.firsts, showing.fail_under, showing.fail_over)
    present(table.document, showing)
    if per_item is not None:
        write_items(table.document, table.per_item, per_item, talk)
    if showing.figures is not None:
        from arbitree.reporting.charts import draw_several

        paths = draw_several(table, showing.figures)
        talk.say(f"Wrote {', '.join(path.name for path in paths)} to {showing.figures}")
    threshold.check()


COMMAND = agree

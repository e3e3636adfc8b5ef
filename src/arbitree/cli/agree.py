"""``arbitree agree``."""

from __future__ import annotations

from arbitree.cli import options as opt
from arbitree.cli.console import Talk, present, read_inputs, threshold_of, write_items
from arbitree.wording import listed


def agree(
    inputs: opt.Inputs,
    *,
    measure: opt.Measures = None,
    preset: opt.As = None,
    by: opt.By = None,
    confusions: opt.Confusions = False,
    difference: opt.Difference = False,
    versus: opt.Versus = None,
    computing: opt.ComputingOptions,
    reading: opt.ReadingOptions,
    per_item: opt.PerItem = None,
    showing: opt.ShowingFigures,
) -> None:
    """Measure inter-annotator agreement, corrected for chance, with confidence intervals.

    Example: arbitree agree first.conllu second.conllu
    """
    from arbitree.api.agree import agree as measured
    from arbitree.api.agree import fitting_breakdowns
    from arbitree.reporting.document import item_document

    talk = Talk(showing.quiet)
    study = read_inputs(reading.of(inputs), talk)
    other = read_inputs(reading.of(versus), talk) if versus else None
    table = measured(
        study,
        measure or (),
        preset=preset,
        by=by or (),
        confusions=confusions,
        difference=difference,
        versus=other,
        say=talk.listener,
        progress=talk.progress,
        **computing,
    )
    threshold = threshold_of(table.results, showing.fail_under, showing.fail_over)
    present(table.document, showing)
    if per_item is not None:
        write_items(item_document("agree", table.document.headline, table.per_item), per_item, talk)
    if showing.figures is not None:
        from arbitree.reporting.charts import draw_agreement

        paths = draw_agreement(study, table.results, showing.figures)
        talk.say(f"Wrote {', '.join(path.name for path in paths)} to {showing.figures}")
    if not (by or showing.json) and len(study.items) > 1:
        options = [f"--by {each}" for each in fitting_breakdowns(study)]
        talk.say(f"To break the results down, add {listed(options, 'or')}.")
    threshold.check()


COMMAND = agree

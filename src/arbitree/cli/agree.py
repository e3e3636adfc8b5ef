"""``arbitree agree``."""

from __future__ import annotations

from functools import partial
from typing import Any

from arbitree.cli import options as opt
from arbitree.cli.console import Talk, check_least, compute, fitting_breakdowns, read_inputs, show


def agree(
    inputs: opt.Inputs,
    measure: opt.Measures = None,
    by: opt.By = None,
    confusions: opt.Confusions = False,
    difference: opt.Difference = False,
    versus: opt.Versus = None,
    pairs: opt.Pairs = None,
    tolerance: opt.Tolerance = None,
    resamples: opt.Resamples = 1000,
    confidence: opt.Confidence = 0.95,
    interval: opt.IntervalMethod = "percentile",
    seed: opt.Seed = 0,
    threads: opt.Threads = 0,
    backend: opt.Backend = "threads",
    scheduler: opt.Scheduler = None,
    dirs: opt.Dirs = False,
    format: opt.FormatName = None,
    encoding: opt.Encoding = "utf-8",
    match: opt.Match = "auto",
    strict: opt.Strict = False,
    column: opt.Column = None,
    json: opt.Json = False,
    output: opt.Output = None,
    figures: opt.Figures = None,
    fail_under: opt.FailUnder = None,
    cite: opt.Cite = False,
    quiet: opt.Quiet = False,
    verbose: opt.Verbose = False,
) -> None:
    """Agreement among the coders of a study, corrected for chance, with intervals.

    Example: arbitree agree first.conllu second.conllu
    """
    talk = Talk(quiet)
    reading = partial(
        read_inputs,
        talk=talk,
        dirs=dirs,
        format=format,
        encoding=encoding,
        match=match,
        strict=strict,
        column=column,
    )
    study = reading(inputs)
    other = reading(versus) if versus else None
    table = compute(
        "agree",
        study,
        talk,
        measures=measure,
        by=by,
        pairs=pairs,
        tolerance=tolerance,
        resamples=resamples,
        confidence=confidence,
        interval=interval,
        seed=seed,
        backend=backend,
        threads=threads,
        scheduler=scheduler,
    )
    comparing: dict[str, Any] = {"resamples": resamples, "confidence": confidence, "seed": seed}
    if difference:
        from arbitree.measures.difference import measure_differences

        table = table.beside("differences", measure_differences(study, measure or (), **comparing))
    if other is not None:
        from arbitree.measures.difference import study_differences

        table = table.beside("versus", study_differences(study, other, measure or (), **comparing))
    if confusions:
        from arbitree.kinds.labels.places import confusions as count

        table = table.beside("confusions", count(study))
    show(table, json=json, cite=cite, verbose=verbose, output=output)
    if figures is not None:
        from arbitree.reporting.charts import draw_agreement

        paths = draw_agreement(study, table.results, figures)
        talk.say(f"wrote {', '.join(path.name for path in paths)} into {figures}")
    if not (by or json) and len(study.items) > 1:
        talk.say(f"See where they differ: --by {', --by '.join(fitting_breakdowns(study))}")
    check_least(table, fail_under)


COMMAND = agree

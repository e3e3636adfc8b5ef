"""From a command's options to a study and its results: the road that agree and report share."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from arbitree.cli.talk import Talk

MOST_CODERS = 40  # of a crowd, the pairs are too many to look at, and most share no item

if TYPE_CHECKING:
    from arbitree.data.result import Result
    from arbitree.data.study import Study
    from arbitree.reports.table import ResultTable


def read_inputs(
    inputs: Sequence[str],
    talk: Talk,
    *,
    dirs: bool,
    format: str | None,
    encoding: str,
    match: str,
    strict: bool,
    column: str | None = None,
) -> Study[Any]:
    """Read the study, or the labels in a column of its trees; say how it was read and what is odd."""
    from arbitree import kernels
    from arbitree.data.projections import labels
    from arbitree.formats.assembly import read_study

    study = read_study(
        inputs, dirs=dirs, format=format, encoding=encoding, match=match, strict=strict, say=talk.say
    )
    if column is not None:
        study = labels(study, column)
    gc.freeze()  # the study stays: no need to look through it again for cycles
    talk.warn([*study.notes, *filter(None, [kernels.missing_kernel_note()])])
    return study


def compute(
    command: str,
    study: Study[Any],
    talk: Talk,
    *,
    measures: Sequence[str] | None,
    by: Sequence[str] | None,
    pairs: float | None,
    tolerance: float | None,
    resamples: int,
    confidence: float,
    interval: str,
    seed: int,
    backend: str,
    threads: int,
    scheduler: str | None,
) -> ResultTable:
    """Evaluate the measures and show progress; say how long it may take, or how much was sampled."""
    from arbitree.backends.base import opened
    from arbitree.measures.evaluate import evaluate_all
    from arbitree.measures.outlook import outlook
    from arbitree.reports.table import table_of

    with (
        talk.progress("comparing pairs of trees") as progress,
        opened(backend, progress=progress, say=talk.say, threads=threads, scheduler=scheduler) as run,
    ):
        if pairs is None and tolerance is None and not talk.quiet:
            ahead = outlook(study, measures or (), seed, run)
            if ahead:
                talk.say(ahead)
        results = evaluate_all(
            study,
            measures or (),
            resamples=resamples,
            confidence=confidence,
            seed=seed,
            method=interval,
            by=by or (),
            pairs=pairs,
            tolerance=tolerance,
            run=run,
        )
    _say_sampled(talk, results)
    return table_of(command, study, results)


def _say_sampled(talk: Talk, results: Sequence[Result]) -> None:
    for result in results:
        allowed = result.details["options"].get("tolerance")
        if allowed is not None and result.details.get("estimated"):
            found = result.details
            sample = f"{found['sampled_pairs']:,} of {found['all_pairs']:,} pairs of sentences"
            talk.say(f"a tolerance of {allowed:g} takes {sample} for {result.measure}")
            return


def fitting_breakdowns(study: Study[Any]) -> list[str]:
    """Return the breakdowns that tell more than the whole does, and that people can look through."""
    from arbitree.reports.words import unit_of

    by = ["coder", "pair"] if 2 < len(study.coders) <= MOST_CODERS else []
    if len(study.documents) > 1:
        by.append("document")
    last = "label" if unit_of(study) == "item" else "length"
    return [*by, last] if len(study.items) > 1 else by

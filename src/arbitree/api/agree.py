"""Agreement among the coders of a study: ``at.agree`` and ``arbitree agree``."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from arbitree import kinds
from arbitree.api.arguments import Measures, Names, listed, study_from
from arbitree.backends.base import Bar, Progress, Run, Say, mute, no_bar
from arbitree.measures.computing import Computing
from arbitree.measures.evaluate import check_coders, evaluate
from arbitree.reporting.sections.agree import ResultTable, table_of
from arbitree.study.result import Result
from arbitree.study.study import Study

MOST_CODERS = 40  # of a crowd, the pairs are too many to look at, and most share no item


def agree(
    study: Study[Any] | Any,
    measures: Measures = (),
    *,
    by: Names = (),
    confusions: bool = False,
    difference: bool = False,
    versus: Study[Any] | None = None,
    resamples: int = 1000,
    confidence: float = 0.95,
    interval: str = "percentile",
    method: str | None = None,
    seed: int = 0,
    pairs: float | None = None,
    tolerance: float | None = None,
    backend: str = "threads",
    threads: int = 0,
    scheduler: str | None = None,
    run: Run | None = None,
    say: Say = mute,
    progress: Bar = no_bar,
) -> ResultTable:
    """Return the agreement among the coders of *study*, by default with every measure that fits.

    Args:
        study: at least two coders; or a pandas data frame of labels, as ``from_table`` takes it.
        measures: one name or several, with options if any (``alpha_norm:size=leaves``), or pairs of a name
            and a measure object.
        by: breakdowns: ``document``, ``length``, ``coder``, ``pair``, ``label``.
        confusions: also count which labels are confused with which.
        difference: also compare the first measure with each of the others, on the same resamples.
        versus: a second study to compare the values with.
        resamples: for the intervals; 0 for none.
        confidence: of the intervals.
        interval: the kind of interval.
        method: the older name of *interval*.
        seed: of the resamples and of sampled pairs.
        pairs: estimate the alphas from this many pairs of sentences.
        tolerance: estimate the first alpha to within this, 19 times in 20.
        backend: ``threads``, ``serial``, ``dask`` or ``gpu``.
        threads: 0 for one per processor.
        scheduler: address of a dask cluster.
        run: a backend that is open already, in place of *backend*.
        say: gets lines about long runs.
        progress: opens a display of progress under a title, for the length of a block.
    Returns:
        A table: print it, show it in a notebook, ``.to_dict()``, ``.to_pandas()``, or index it by measure.
    Example:
        >>> from arbitree.api.read import read
        >>> study = read("examples/dependency/ann.conllu", "examples/dependency/bob.conllu")
        >>> 0 < agree(study, "las", resamples=0)["las"].value < 1
        True
    """
    computing = Computing(
        pairs=pairs,
        tolerance=tolerance,
        resamples=resamples,
        confidence=confidence,
        interval=interval,
        seed=seed,
        threads=threads,
        backend=backend,
        scheduler=scheduler,
    ).named(method)
    study, chosen = study_from(study), listed(measures)
    table = measured("agree", study, chosen, computing, by=by, run=run, say=say, progress=progress)
    if difference:
        from arbitree.measures.difference import measure_differences

        table = table.beside(
            "differences",
            measure_differences(study, kinds.of(study), chosen, resampling=computing.resampling),
        )
    if versus is not None:
        from arbitree.measures.difference import study_differences

        check_coders(versus)
        both = (kinds.of(study), kinds.of(versus))
        compared = study_differences(study, versus, both, chosen, resampling=computing.resampling)
        table = table.beside("versus", compared)
    if confusions:
        from arbitree.adjudication.differences import confused_labels

        table = table.beside("confusions", confused_labels(study, kinds.of(study)))
    return table


def measured(
    command: str,
    study: Study[Any],
    measures: Sequence[str | tuple[str, Any]],
    computing: Computing,
    *,
    by: Names = (),
    run: Run | None = None,
    say: Say = mute,
    progress: Bar = no_bar,
) -> ResultTable:
    """Evaluate *measures* for *command*; say how long it may take, or how much was sampled."""
    check_coders(study)
    kind = kinds.of(study)
    with progress("comparing pairs of trees") as ticks, running(run, computing, ticks, say) as opened:
        if computing.pairs is None and computing.tolerance is None and say is not mute:
            from arbitree.measures.sampled_sums import outlook

            named = [each for each in measures if isinstance(each, str)]
            ahead = outlook(study, kind, named, computing.seed, opened) if named or not measures else None
            if ahead:
                say(ahead)
        results = evaluate(
            study,
            kind,
            measures,
            by=listed(by),
            resampling=computing.resampling,
            sampling=computing.sampling,
            run=opened,
        )
    _say_sampled(say, results)
    return table_of(command, kind, study, results)


def running(
    run: Run | None, computing: Computing, progress: Progress, say: Say
) -> AbstractContextManager[Run]:
    """Return the backend that is open already, or the one that is asked for, for the length of a block."""
    return computing.running(progress, say) if run is None else nullcontext(run)


def _say_sampled(say: Say, results: Sequence[Result]) -> None:
    for result in results:
        allowed = result.details["options"].get("tolerance")
        if allowed is not None and result.details.get("estimated"):
            found = result.details
            sample = f"{found['sampled_pairs']:,} of {found['all_pairs']:,} pairs of sentences"
            say(f"a tolerance of {allowed:g} takes {sample} for {result.measure}")
            return


def fitting_breakdowns(study: Study[Any]) -> list[str]:
    """Return the breakdowns that tell more than the whole does, and that people can look through."""
    by = ["coder", "pair"] if 2 < len(study.coders) <= MOST_CODERS else []
    if len(study.documents) > 1:
        by.append("document")
    last = "label" if "label" in kinds.of(study).parts else "length"
    return [*by, last] if len(study.items) > 1 else by

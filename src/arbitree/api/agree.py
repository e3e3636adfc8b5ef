"""Agreement among the annotators of a study: ``at.agree`` and ``arbitree agree``."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import Any

from arbitree import kinds
from arbitree.api.arguments import Measures, Names, breakdowns, chosen_measures, study_from
from arbitree.backends.base import Bar, Progress, Run, Say, mute, no_bar
from arbitree.measures.computing import Computing
from arbitree.measures.evaluate import check_coders, evaluate
from arbitree.measures.presets import Preset, preset_named
from arbitree.reporting.phrasing import OF_MEASURES, OF_STUDIES, differences_note
from arbitree.reporting.sections.agree import ResultTable, table_of
from arbitree.study.result import Result
from arbitree.study.study import Study

MOST_CODERS = 40  # more annotators have too many pairs to look at, most of which share no item


def agree(
    study: Study[Any] | Any,
    measures: Measures = (),
    *,
    preset: str | None = None,
    by: Names = (),
    confusions: bool = False,
    difference: bool = False,
    versus: Study[Any] | None = None,
    resamples: int = 1000,
    confidence: float = 0.95,
    interval: str = "jackknife",
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
    """Return the agreement among the annotators of *study*, by default with a selection of measures.

    Args:
        study: A study with at least two annotators, or a pandas data frame of labels as in ``from_table``.
        measures: One or more names, with options if any (``alpha_norm:size=leaves``), or pairs of a name
            and a measure object (default: a selection for the kind of annotation).
        preset: Name of a preset: the measures and option values of a paper or program, such as
            ``skjaerholt2014``. Options in *measures* take precedence.
        by: Breakdowns: ``document``, ``length``, ``coder`` (or ``annotator``), ``pair``, ``label``.
        confusions: Also count the confusions: pairs of labels given to the same token or item.
        difference: Also compare the first measure with each of the others, on the same items. They must be
            measures of one family, such as the alphas.
        versus: A second study to compare the values with.
        resamples: Number of resamples, for methods that resample; 0 for no confidence intervals.
        confidence: Level of the confidence intervals.
        interval: Method of the confidence intervals: ``jackknife`` or ``percentile``.
        method: Older name of *interval*.
        seed: Random seed of the resamples and of sampled pairs.
        pairs: Number of sentence pairs from which the alphas are estimated.
        tolerance: Estimate the first alpha to within this value at 95% confidence.
        backend: ``threads``, ``serial``, ``dask`` or ``gpu``.
        threads: Number of threads; 0 for one per processor.
        scheduler: Address of a dask cluster.
        run: An open backend, instead of *backend*.
        say: Function that is called with messages about long runs.
        progress: Function that opens a progress display with a title, as a context manager.
    Returns:
        A table that you can print, show in a notebook, convert with ``.to_dict()`` or ``.to_pandas()``, or
        index by measure.
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
    study, chosen = study_from(study), chosen_measures(measures)
    using = None if preset is None else preset_named(preset, "agree")
    if using:
        chosen = using.applied(chosen, kinds.of(study))
    if difference:
        from arbitree.measures.difference import comparable, measure_differences

        comparable(study, kinds.of(study), chosen)  # before any computation
    table = measured(
        "agree", study, chosen, computing, preset=using, by=by, run=run, say=say, progress=progress
    )
    if difference:
        found = measure_differences(study, kinds.of(study), chosen, resampling=computing.resampling)
        note = differences_note(OF_MEASURES, computing.resampling)
        table = table.beside("differences", replace(found, note=note))
    if versus is not None:
        from arbitree.measures.difference import study_differences

        check_coders(versus)
        both = (kinds.of(study), kinds.of(versus))
        compared = study_differences(study, versus, both, chosen, resampling=computing.resampling)
        note = differences_note(OF_STUDIES, computing.resampling)
        table = table.beside("versus", replace(compared, note=note))
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
    preset: Preset | None = None,
    by: Names = (),
    run: Run | None = None,
    say: Say = mute,
    progress: Bar = no_bar,
) -> ResultTable:
    """Evaluate *measures* for *command*; report the expected time, or the size of the sample.

    Signatures contain *preset* where its options hold.
    """
    check_coders(study)
    kind = kinds.of(study)
    with progress("comparing annotations") as ticks, running(run, computing, ticks, say) as opened:
        if computing.pairs is None and computing.tolerance is None and say is not mute:
            from arbitree.measures.sums.sampled import outlook

            named = [each for each in measures if isinstance(each, str)]
            ahead = outlook(study, kind, named, computing.seed, opened) if named or not measures else None
            if ahead:
                say(ahead)
        results = evaluate(
            study,
            kind,
            measures,
            by=breakdowns(by),
            resampling=computing.resampling,
            sampling=computing.sampling,
            run=opened,
        )
    _say_sampled(say, results)
    if preset:
        results = [preset.marked(each, kind) for each in results]
    return table_of(command, kind, study, results)


def running(
    run: Run | None, computing: Computing, progress: Progress, say: Say
) -> AbstractContextManager[Run]:
    """Return a context manager for the open backend *run*, or for the one that *computing* names."""
    return computing.running(progress, say) if run is None else nullcontext(run)


def _say_sampled(say: Say, results: Sequence[Result]) -> None:
    for result in results:
        allowed = result.details["options"].get("tolerance")
        if allowed is not None and result.details.get("estimated"):
            found = result.details
            sample = f"{found['sampled_pairs']:,} of {found['all_pairs']:,} sentence pairs"
            say(f"{result.measure} is estimated from {sample} to reach a tolerance of {allowed:g}")
            return


def fitting_breakdowns(study: Study[Any]) -> list[str]:
    """Return the breakdowns that have more than one group and are small enough to read."""
    by = ["coder", "pair"] if 2 < len(study.coders) <= MOST_CODERS else []
    if len(study.documents) > 1:
        by.append("document")
    last = "label" if "label" in kinds.of(study).parts else "length"
    return [*by, last] if len(study.items) > 1 else by

"""Scores of systems against a gold standard: ``at.score`` and ``arbitree score``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from inspect import signature
from pathlib import Path
from typing import Any

from arbitree import kinds
from arbitree.api.agree import running
from arbitree.api.arguments import Measures, Names, breakdowns, chosen_measures, inputs_from
from arbitree.api.read import OPTIONS as READING
from arbitree.api.read import read
from arbitree.backends.base import Bar, Run, Say, mute, no_bar
from arbitree.errors import Source, StudyError, UnsupportedStudy
from arbitree.measures.computing import Computing
from arbitree.measures.presets import preset_named
from arbitree.plugins import check_name
from arbitree.reading.inputs import named_path
from arbitree.reporting.sections.score import ScoreTable
from arbitree.scoring.systems import score_systems
from arbitree.study.study import Study

NAMED = 5  # annotators that a message names


def score(
    *inputs: Study[Any] | str | Path,
    gold: Study[Any] | str | Path | None = None,
    measures: Measures = (),
    preset: str | None = None,
    by: Names = (),
    differences: int = 0,
    resamples: int = 1000,
    confidence: float = 0.95,
    interval: str = "jackknife",
    method: str | None = None,
    seed: int = 0,
    backend: str = "threads",
    threads: int = 0,
    scheduler: str | None = None,
    run: Run | None = None,
    say: Say = mute,
    progress: Bar = no_bar,
    **named: str | Path,
) -> ScoreTable:
    """Score systems against a gold standard, rank them, and test the differences for significance.

    Args:
        inputs: File of the gold standard, then files of systems, which are named after them; or a study. The
            gold standard of a study is its reference, the gold column of its table, or else its first
            annotator.
        gold: Annotator of the gold standard; required if its file contains several annotators. The others are
            scored as systems. Without *inputs*, the file of the gold standard, or the study.
        measures: One or more names of metrics, with options if any (default: every metric that fits).
        preset: Name of a preset, as for ``agree``.
        by: Breakdowns: ``deprel upos distance depth length document``.
        differences: Number of items to list on which the two best systems differ most.
        resamples: Number of bootstrap resamples, and of iterations of the randomisation test.
        confidence: Level of the confidence intervals.
        interval: Method of the confidence intervals: ``jackknife`` or ``percentile``.
        method: Older name of *interval*.
        seed: Random seed.
        backend: ``threads``, ``serial``, ``dask`` or ``gpu``.
        threads: Number of threads; 0 for one per processor.
        scheduler: Address of a dask cluster.
        run: An open backend, instead of *backend*.
        say: Function that is called with messages about long runs.
        progress: Function that opens a progress display with a title, as a context manager.
        named: More systems, by name.
    Returns:
        A table that you can print or convert with ``.to_dict()`` or ``.to_pandas()``;
        ``table["system"]["las"]`` is a result.
    Raises:
        TypeError: If a keyword argument is an option of ``read``: pass the study that it returns.
    Example:
        >>> folder = "examples/score"
        >>> table = score(f"{folder}/gold.conllu", f"{folder}/heron.conllu", f"{folder}/wren.conllu")
        >>> table.scores.systems
        ('heron', 'wren')
    """
    if not inputs and gold is not None:
        inputs, gold = (gold,), None
    study = with_reference(_study(inputs, named), gold)
    computing = Computing(
        resamples=resamples,
        confidence=confidence,
        interval=interval,
        seed=seed,
        threads=threads,
        backend=backend,
        scheduler=scheduler,
    ).named(method)
    kind = kinds.of(study)
    chosen = chosen_measures(measures)
    using = None if preset is None else preset_named(preset, "score")
    if using:
        chosen = using.applied(chosen, kind, lambda each: each.scores_systems)
    with progress("scoring") as ticks, running(run, computing, ticks, say) as opened:
        scores = score_systems(
            study, kind, chosen, by=breakdowns(by), resampling=computing.resampling, run=opened
        )
    if using:
        marked = {
            system: tuple(using.marked(each, kind) for each in results)
            for system, results in scores.results.items()
        }
        scores = replace(scores, results=marked)
    return ScoreTable(scores, kind, differences)


def _study(inputs: Sequence[Study[Any] | str | Path], named: Mapping[str, str | Path]) -> Study[Any]:
    """Return the study in *inputs*, or read it from the files of the gold standard and of the systems."""
    if stray := next((name for name in named if name in READING), None):
        raise TypeError(
            f"score() got an unexpected keyword argument {stray!r}. It is an argument of read(): "
            f"score(read(GOLD, SYSTEM, {stray}=...))"
        )
    if not inputs:
        raise UnsupportedStudy("scoring needs a gold standard", hint="Pass the gold file first")
    first, *systems = inputs
    if not isinstance(first, Study):
        options = signature(score).parameters
        gold, *others = inputs_from("score", inputs, {}, named, options)
        name, path = named_path(str(gold))
        return read(f"{name or 'gold'}={path}", *others)
    if systems or named:
        raise UnsupportedStudy("a study already contains its systems", hint="Pass files, or only a study")
    return first


def with_reference(study: Study[Any], gold: Any) -> Study[Any]:
    """Return *study* with the annotator *gold*, or else its own gold standard, as the reference."""
    if gold is not None:
        check_name(gold, study.names, "annotator")
        return replace(study.taking(gold), reference=gold)
    study = study.with_gold()
    if study.reference is not None:
        return study
    first = study.coders[0]
    beside = study.sharing_file(first)
    if len(beside) > 1:
        names = ", ".join((*beside[:NAMED], *["…"][: len(beside) - NAMED]))
        source = next(cell.source for cell in study.cells.values() if cell.coder == first)
        path = study.inputs.get(first) or (source.path if source else None)
        raise StudyError(
            f"it is unclear which of {len(beside):,} annotators ({names}) is the gold standard",
            Source(path) if path else None,
            hint="Choose one with --gold NAME",
        )
    return replace(study, reference=first)

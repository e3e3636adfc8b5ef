"""Measures under simulated errors: ``at.simulate`` and ``arbitree simulate``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arbitree import kinds
from arbitree.api.agree import running
from arbitree.api.arguments import Measures, Names, chosen_measures, listed
from arbitree.backends.base import Bar, Run, Say, mute, no_bar
from arbitree.measures.computing import Computing
from arbitree.reporting.sections.simulate import SimulationTable
from arbitree.simulation import curves
from arbitree.simulation.noise import Habit, parse_levels
from arbitree.study.study import Study


def simulate(
    study: Study[Any],
    experiments: Names = (),
    *,
    levels: str | Sequence[float] = curves.LEVELS,
    runs: int = 10,
    measures: Measures = (),
    sentences: int | None = None,
    habits: Sequence[Habit | str] = (),
    heads: str = "any",
    root: bool = False,
    single_root: bool = False,
    seed: int = 0,
    backend: str = "threads",
    threads: int = 0,
    scheduler: str | None = None,
    run: Run | None = None,
    say: Say = mute,
    progress: Bar = no_bar,
) -> SimulationTable:
    """Simulate annotation errors in *study*, which has one annotator, and show how measures respond.

    The arguments are those of ``arbitree.simulation.curves.simulate``; *levels* may also be a string such as
    ``0:1:0.1``. *backend*, *threads*, *scheduler*, *say* and *progress* are those of ``agree``.

    Returns:
        A table that you can print, convert with ``.to_dict()`` or ``.to_pandas()``, or write to a directory
        as CSV and figures with ``.write(folder)``.
    Example:
        >>> from arbitree.api.read import read
        >>> study = read("examples/dependency/ann.conllu")
        >>> table = simulate(study, ["heads"], levels=[0, 1], runs=2, measures=["la", "uas"])
        >>> table["heads", 1.0, "la"].value
        1.0
    """
    computing = Computing(seed=seed, backend=backend, threads=threads, scheduler=scheduler)
    with progress("comparing noisy trees") as ticks, running(run, computing, ticks, say) as opened:
        found = curves.simulate(
            study,
            kinds.of(study),
            listed(experiments),
            others={name for kind in kinds.kinds().values() for name in kind.noises},
            levels=parse_levels(levels) if isinstance(levels, str) else levels,
            runs=runs,
            measures=chosen_measures(measures),
            sentences=sentences,
            habits=habits,
            heads=heads,
            root=root,
            single_root=single_root,
            seed=seed,
            run=opened,
        )
    return SimulationTable(found, kinds.of(found.corpus))

"""The functions that people call from Python: the same road as the command line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arbitree import kinds
from arbitree.backends.base import Run
from arbitree.reporting.sections.simulation import SimulationTable
from arbitree.simulation import curves
from arbitree.simulation.noise import Habit
from arbitree.study.study import Study


def simulate(
    study: Study[Any],
    experiments: Sequence[str] = (),
    *,
    levels: Sequence[float] = curves.LEVELS,
    runs: int = 10,
    measures: Sequence[str | tuple[str, Any]] = (),
    sentences: int | None = None,
    habits: Sequence[Habit | str] = (),
    heads: str = "any",
    root: bool = False,
    single_root: bool = False,
    seed: int = 0,
    run: Run | None = None,
) -> SimulationTable:
    """Return how measures answer to controlled noise in the trees of *study*, which has one coder.

    The arguments are those of ``arbitree.simulation.curves.simulate``.

    Returns:
        A table: print it, ``.to_dict()``, ``.to_pandas()``, or ``.write(folder)`` for CSV and figures.
    Example:
        >>> from arbitree.api.read import read
        >>> study = read("examples/dependency/ann.conllu")
        >>> table = simulate(study, ["heads"], levels=[0, 1], runs=2, measures=["la", "uas"])
        >>> table["heads", 1.0, "la"].value
        1.0
    """
    found = curves.simulate(
        study,
        kinds.of(study),
        experiments,
        others={name for kind in kinds.kinds().values() for name in kind.noises},
        levels=levels,
        runs=runs,
        measures=measures,
        sentences=sentences,
        habits=habits,
        heads=heads,
        root=root,
        single_root=single_root,
        seed=seed,
        run=run,
    )
    return SimulationTable(found, kinds.of(found.corpus))

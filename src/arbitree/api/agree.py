"""The functions that people call from Python: the same road as the command line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arbitree import kinds
from arbitree.backends.base import Run
from arbitree.measures.evaluate import evaluate_all
from arbitree.reporting.sections.agreement import ResultTable, table_of
from arbitree.study.study import Study


def agree(
    study: Study[Any],
    measures: Sequence[str | tuple[str, Any]] = (),
    *,
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
    method: str = "percentile",
    by: Sequence[str] = (),
    pairs: float | None = None,
    tolerance: float | None = None,
    run: Run | None = None,
) -> ResultTable:
    """Return the agreement among the coders of *study*, by default with every measure that fits.

    Returns:
        A table: print it, show it in a notebook, ``.to_dict()``, ``.to_pandas()``, or index it by measure.
    Example:
        >>> from arbitree.api.read import read
        >>> study = read("examples/dependency/ann.conllu", "examples/dependency/bob.conllu")
        >>> 0 < agree(study, ["las"], resamples=0)["las"].value < 1
        True
    """
    results = evaluate_all(
        study,
        measures,
        resamples=resamples,
        confidence=confidence,
        seed=seed,
        method=method,
        by=by,
        pairs=pairs,
        tolerance=tolerance,
        run=run,
    )
    return table_of("agree", kinds.of(study), study, results)

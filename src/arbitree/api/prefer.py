"""The functions that people call from Python: the same road as the command line."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arbitree.errors import StudyError

if TYPE_CHECKING:
    from arbitree.kinds.preference.report import PreferenceTable


def prefer(
    *trees: str | Path,
    judgments: str | Path,
    verdicts: str | Path | None = None,
    measures: Sequence[str] = (),
    options: str | None = None,
    stray: str = "exclude",
    fit: bool = False,
    **settings: Any,
) -> PreferenceTable:
    """Compare metrics with the preferences of people, as ``arbitree prefer`` does.

    Args:
        trees: the files of gold and of two systems.
        judgments: who prefers what.
        verdicts: a file of aggregated verdicts, instead of MACE or majority.
        measures: names of metrics; by default those of the published study.
        options: what words mean, as ``blue=A,red=B``.
        stray: what becomes of words that name neither system.
        fit: also fit weights of arcs.
        settings: of ``Settings``: ``aggregate``, ``correlate``, ``ties``, ``against``, ``resamples`` ...
    Example:
        >>> folder = "examples/prefer/"
        >>> files = [folder + name for name in ("gold.conllu", "birch.conllu", "cedar.conllu")]
        >>> found = prefer(*files, judgments=folder + "judgments.csv", measures=["las", "uas"], resamples=0)
        >>> [row["metric"] for row in found["correlations"]]
        ['las', 'uas', '(ceiling)']
    """
    from arbitree.kinds.preference.compare import prefer as compare
    from arbitree.kinds.preference.contest import Files, Reading, read_contest
    from arbitree.kinds.preference.findings import Settings
    from arbitree.kinds.preference.fitted_weights import fit_weights
    from arbitree.kinds.preference.report import preference_table

    if len(trees) != 3:
        raise StudyError(f"gold and two systems are needed, not {len(trees)} files", hint="Name three files")
    given = None if verdicts is None else str(verdicts)
    if given:
        settings.setdefault("aggregate", "given")
    gold, first, second = map(str, trees)
    files = Files("study", (gold, first, second), str(judgments), given)
    contest = read_contest(files, Reading(options, stray))
    findings = compare([contest], measures, settings=Settings(**settings))
    notes = (*contest.trees.notes, *contest.judged.notes, *(contest.given.notes if contest.given else ()))
    for note in notes:
        warnings.warn(note, stacklevel=2)
    return preference_table(findings, fitted=fit_weights(findings) if fit else None, warnings=notes)

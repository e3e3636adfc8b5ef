"""Metrics against the preferences of people: ``at.prefer`` and ``arbitree prefer``."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from arbitree import kinds
from arbitree.api.arguments import Names, listed
from arbitree.backends.base import Bar, Say, mute, no_bar
from arbitree.errors import StudyError
from arbitree.plugins import check_name
from arbitree.reading.inputs import Reading

if TYPE_CHECKING:
    from arbitree.kinds.preference.contest import Files
    from arbitree.kinds.preference.report import PreferenceTable


def _as_warning(note: str) -> None:
    warnings.warn(note, stacklevel=3)


def prefer(
    *trees: str | Path,
    judgments: str | Path | None = None,
    verdicts: str | Path | None = None,
    measures: Names = (),
    options: str | None = None,
    stray: str = "exclude",
    aggregate: str = "mace",
    correlate: str = "sign",
    ties: str = "half",
    against: str | None = None,
    test: str = "steiger",
    fit: bool = False,
    save_weights: str | Path | None = None,
    figures: str | Path | None = None,
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
    dirs: bool = False,
    format: str | None = None,
    encoding: str = "utf-8",
    match: str = "auto",
    strict: bool = False,
    warn: Say = _as_warning,
    say: Say = mute,
    progress: Bar = no_bar,
) -> PreferenceTable:
    """Compare metrics with the preferences of people.

    Args:
        trees: the files of gold and of two systems; with *dirs*, one directory for each set.
        judgments: who prefers what; with *dirs*, the name of that file in each directory.
        verdicts: a file of aggregated verdicts, instead of MACE or majority.
        measures: one name of a metric or several; by default those of the published study.
        options: what words mean, as ``blue=A,red=B``.
        stray: what becomes of words that name neither system: ``exclude``, ``error``, ``first``, ``second``.
        aggregate: from several judgments to one verdict: ``mace``, ``mace-em``, ``majority``, or a file.
        correlate: the ``sign`` or the ``size`` of the metrics' difference.
        ties: how a metric that finds no difference agrees with people: ``half``, ``exclude``, ``wrong``.
        against: the metric that others are tested against (default: las, or the first).
        test: the test that sets the stars: ``steiger`` or ``bootstrap``.
        fit: also fit weights of arcs.
        save_weights: a file for the fitted weights.
        figures: a directory for figures.
        resamples: for the intervals; 0 for none.
        confidence: of the intervals.
        seed: of all random steps.
        dirs, format, encoding, match, strict: as for ``read``.
        warn: gets what is odd about the files (default: Python warnings).
        say: gets lines about what is read and written.
        progress: opens a display of progress under a title, for the length of a block.
    Example:
        >>> folder = "examples/prefer/"
        >>> files = [folder + name for name in ("gold.conllu", "birch.conllu", "cedar.conllu")]
        >>> found = prefer(*files, judgments=folder + "judgments.csv", measures=["las", "uas"], resamples=0)
        >>> [row["metric"] for row in found["correlations"]]
        ['las', 'uas', '(ceiling)']
    """
    from arbitree.kinds.preference.compare import prefer as compare
    from arbitree.kinds.preference.contest import read_contest
    from arbitree.kinds.preference.findings import PreferOptions
    from arbitree.kinds.preference.report import preference_table
    from arbitree.kinds.preference.statistics.verdicts import METHODS
    from arbitree.kinds.preference.tables import TESTS
    from arbitree.measures.resampling import Resampling

    check_name(test, TESTS, "test")
    given = None if verdicts is None else str(verdicts)
    if given is None and aggregate not in METHODS:
        given = aggregate
    settings = PreferOptions(
        correlate,
        "given" if given else aggregate,
        ties,
        against,
        Resampling(resamples, confidence, seed),
    )
    files = _files(list(map(str, trees)), dirs, None if judgments is None else str(judgments), given)
    reading = Reading((), False, format, encoding, match, strict)
    contests = [read_contest(each, reading, words=options, stray=stray, say=say) for each in files]
    if len({each.name for each in contests}) < len(contests):
        raise StudyError("two sets have one name", hint="Tell them apart with NAME=DIR")
    notes = []
    for each in contests:
        studies = [each.trees, each.judged, *([each.given] if each.given else [])]
        lead = f"{each.name}: " if dirs else ""
        notes += [f"{lead}{note}" for study in studies for note in study.notes]
    for note in notes:
        warn(note)
    with progress("comparing metrics with people") as ticks:
        kind = kinds.of(contests[0].trees)
        findings = compare(contests, listed(measures), kind=kind, settings=settings, progress=ticks)
    fitted = None
    if fit or save_weights is not None:
        from arbitree.kinds.preference.fitted_weights import fit_weights

        with progress("fitting weights") as ticks:
            fitted = fit_weights(findings, progress=ticks)
    if fitted is not None and save_weights is not None:
        from json import dumps

        from arbitree.files import write_whole

        write_whole(save_weights, dumps(fitted.weights.to_dict(), indent=2, ensure_ascii=False) + "\n")
        use = f"--measure weighted_las:weights={save_weights},punctuation=skip-form"
        say(f"wrote {save_weights}; use it as {use}")
    if figures is not None:
        from arbitree.kinds.preference.figures import draw

        written = draw(findings, str(figures))
        say(f"wrote {len(written)} files into {figures}: {', '.join(path.name for path in written)}")
    return preference_table(findings, test=test, fitted=fitted, warnings=notes)


def _files(trees: Sequence[str], dirs: bool, judgments: str | None, given: str | None) -> list[Files]:
    """Return the files of each set."""
    from arbitree.kinds.preference.contest import Files, files_in

    if dirs:
        return [files_in(each, is_tree, judgments=judgments, verdicts=given) for each in trees]
    if len(trees) != 3:
        hint = "Name three files, or give --dirs with one directory for each set"
        raise StudyError(f"gold and two systems are needed, not {len(trees)} files", hint=hint)
    if judgments is None:
        raise StudyError("there are no judgments", hint="Name their file with --judgments")
    return [Files("study", (trees[0], trees[1], trees[2]), judgments, given)]


def is_tree(value_type: type) -> bool:
    """Return whether values of this type can be drawn, as parses can."""
    return kinds.of_type(value_type).pictures is not None

"""Comparison of metrics with human preferences: ``at.prefer`` and ``arbitree prefer``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arbitree import kinds
from arbitree.api.arguments import Names, chosen_measures, warn_caller
from arbitree.backends.base import Bar, Say, mute, no_bar
from arbitree.errors import StudyError
from arbitree.extras import need
from arbitree.files import announce, inputs_kept, write_whole
from arbitree.measures.presets import Preset, preset_named
from arbitree.plugins import check_name
from arbitree.reading.inputs import Reading

if TYPE_CHECKING:
    from arbitree.kinds.kind import Kind
    from arbitree.kinds.preference.contest import Files
    from arbitree.kinds.preference.findings import PreferenceFindings
    from arbitree.kinds.preference.report import PreferenceTable


DEFAULTS = {"stray": "exclude", "aggregate": "mace", "correlate": "sign", "ties": "half"}


@inputs_kept()
def prefer(
    *trees: str | Path,
    judgments: str | Path | None = None,
    verdicts: str | Path | None = None,
    measures: Names = (),
    options: str | None = None,
    preset: str | None = None,
    stray: str | None = None,
    aggregate: str | None = None,
    correlate: str | None = None,
    ties: str | None = None,
    against: str | None = None,
    test: str = "steiger",
    fit: bool = False,
    save_weights: str | Path | None = None,
    figures: str | Path | None = None,
    all: bool = False,
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
    dirs: bool = False,
    format: str | None = None,
    encoding: str = "utf-8",
    match: str = "auto",
    strict: bool = False,
    max_size: str = "auto",
    warn: Say = warn_caller,
    say: Say = mute,
    progress: Bar = no_bar,
) -> PreferenceTable:
    """Test whether evaluation metrics agree with human preferences between two parses.

    Args:
        trees: Files of the gold standard and of two systems; with *dirs*, one directory per data set.
        judgments: File of judgments; with *dirs*, its name in each directory.
        verdicts: File of aggregated verdicts, instead of MACE or majority.
        measures: One or more names of metrics; by default those of Plank et al. (2015).
        options: Meaning of the words in the judgments, such as ``blue=A,red=B``.
        preset: Name of a preset, such as ``plank2015``: the metrics and settings of a paper. The options that
            you set take precedence.
        stray: Treatment of words that name neither system: ``exclude`` (default), ``error``, ``first``,
            ``second``.
        aggregate: Method that aggregates judgments into one verdict per item: ``mace`` (default),
            ``mace-em``, ``majority``, or a file.
        correlate: Correlate the ``sign`` (default) or the ``size`` of a metric's score difference with the
            verdicts.
        ties: Treatment of ties between the systems' scores: ``half`` (default), ``exclude``, ``wrong``.
        against: Metric that the others are tested against (default: las, or the first).
        test: Significance test behind the p-values: ``steiger`` or ``bootstrap``.
        fit: Also fit edge weights.
        save_weights: File for the fitted weights.
        figures: Directory for figures.
        all: Print all tables, not only the agreement of the judges and the correlations.
        resamples: Number of resamples for the confidence intervals; 0 for none.
        confidence: Level of the confidence intervals.
        seed: Random seed.
        dirs, format, encoding, match, strict, max_size: As for ``read``.
        warn: Function that is called with problems found in the files (default: Python warnings).
        say: Function that is called with messages about files read and written.
        progress: Function that opens a progress display with a title, as a context manager.
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
    announce(save_weights)
    chosen = None if preset is None else preset_named(preset, "prefer")
    typed = {"stray": stray, "aggregate": aggregate, "correlate": correlate, "ties": ties}
    using = DEFAULTS | (chosen.settings("prefer") if chosen else {})
    using |= {name: value for name, value in typed.items() if value is not None}
    given = None if verdicts is None else str(verdicts)
    if given is None and using["aggregate"] not in METHODS:
        given = using["aggregate"]
    settings = PreferOptions(
        using["correlate"],
        "given" if given else using["aggregate"],
        using["ties"],
        against,
        Resampling(resamples, confidence, seed),
    )
    if figures is not None:
        need("--figures", "matplotlib")
    files = _files(list(map(str, trees)), dirs, None if judgments is None else str(judgments), given)
    reading = Reading(format=format, encoding=encoding, match=match, strict=strict, max_size=max_size)
    contests = [read_contest(each, reading, words=options, stray=using["stray"], say=say) for each in files]
    if len({each.name for each in contests}) < len(contests):
        raise StudyError("two data sets have the same name", hint="Name them with NAME=DIR")
    notes = []
    for each in contests:
        studies = [each.trees, each.judged, *([each.given] if each.given else [])]
        lead = f"{each.name}: " if dirs else ""
        notes += [type(note)(f"{lead}{note}") for study in studies for note in study.notes]  # urgent or not
    for note in notes:
        warn(note)
    with progress("comparing metrics with verdicts") as ticks:
        kind = kinds.of(contests[0].trees)
        findings = compare(
            contests, chosen_measures(measures), kind=kind, settings=settings, preset=chosen, progress=ticks
        )
    if chosen and given is None and using == using | chosen.settings("prefer"):
        findings = _marked(findings, chosen, kind)
    fitted = None
    if fit or save_weights is not None:
        from arbitree.kinds.preference.fitted_weights import fit_weights

        with progress("fitting weights") as ticks:
            fitted = fit_weights(findings, progress=ticks)
    if fitted is not None and save_weights is not None:
        from json import dumps

        write_whole(save_weights, dumps(fitted.weights.to_dict(), indent=2, ensure_ascii=False) + "\n")
        use = f"--measure weighted_las:weights={save_weights},punctuation=skip-form"
        say(f"Wrote {save_weights}. To use it, add {use}.")
    if figures is not None:
        from arbitree.kinds.preference.figures import draw

        written = draw(findings, str(figures))
        say(f"Wrote {', '.join(path.name for path in written)} to {figures}")
    return preference_table(findings, test=test, fitted=fitted, warnings=notes, all=all)


def _marked(findings: PreferenceFindings, preset: Preset, kind: Kind[Any]) -> PreferenceFindings:
    """Return the findings with *preset* in the signatures of metrics that have all its options."""
    systems = findings.sets[0].measured.results
    results = (
        preset.mark(each) if preset.holds(of_system[0], kind) else each
        for each, of_system in zip(findings.results, systems, strict=True)
    )
    return replace(findings, results=tuple(results))


def _files(trees: Sequence[str], dirs: bool, judgments: str | None, given: str | None) -> list[Files]:
    """Return the files of each data set."""
    from arbitree.kinds.preference.contest import Files, files_in

    if dirs:
        return [files_in(each, is_tree, judgments=judgments, verdicts=given) for each in trees]
    if len(trees) != 3:
        hint = "Pass three files, or use --dirs with one directory per data set"
        raise StudyError(f"expected 3 files (GOLD A B), got {len(trees)}", hint=hint)
    if judgments is None:
        raise StudyError("no file of judgments was given", hint="Set it with --judgments")
    return [Files("study", (trees[0], trees[1], trees[2]), judgments, given)]


def is_tree(value_type: type) -> bool:
    """Return whether values of this type can be drawn, as parses can."""
    return kinds.of_type(value_type).pictures is not None

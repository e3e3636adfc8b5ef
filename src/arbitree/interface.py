"""The functions that people call from Python: the same road as the command line."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arbitree.analyses.coders.analysis import find_coders
from arbitree.analyses.coders.truth import with_truth
from arbitree.analyses.simulation import curves
from arbitree.analyses.simulation.habits import Habit
from arbitree.analyses.systems import score_systems
from arbitree.backends.base import Run
from arbitree.data.labels import matrix_study
from arbitree.data.projections import labels
from arbitree.data.study import Study
from arbitree.errors import StudyError, UnsupportedStudy
from arbitree.formats.assembly import read_study
from arbitree.measures.evaluate import evaluate_all
from arbitree.reports.coders import CoderTable
from arbitree.reports.scores import ScoreTable
from arbitree.reports.simulation import SimulationTable
from arbitree.reports.table import ResultTable, table_of

if TYPE_CHECKING:
    from arbitree.reports.findingstable import FindingsTable
    from arbitree.reports.preferences import PreferenceTable


def read(
    *paths: str | Path,
    dirs: bool = False,
    format: str | None = None,
    encoding: str = "utf-8",
    match: str = "auto",
    strict: bool = False,
    column: str | None = None,
    **coders: str | Path,
) -> Study[Any]:
    """Read a study from the files of its coders.

    Args:
        paths: a file for each coder, who is named after it; with *dirs*, directories.
        dirs: one directory for each coder; files are matched by name.
        format: by default it is detected.
        encoding: of text files.
        match: ``id``, ``position`` or ``auto``.
        strict: refuse cycles, differing tokens and uneven files.
        column: take labels from trees: ``deprel``, ``upos``, a feature, ``enhanced``, ``phrase``, ``pos``.
        coders: more files, by the name of their coder.
    Returns:
        The study. What is odd about it is given as warnings and kept in its ``notes``.
    Example:
        >>> study = read(ann="examples/dependency/ann.conllu", bob="examples/dependency/bob.conllu")
        >>> study.coders
        ('ann', 'bob')
    """
    arguments = [*map(str, paths), *(f"{name}={path}" for name, path in coders.items())]
    study = read_study(arguments, dirs=dirs, format=format, encoding=encoding, match=match, strict=strict)
    if column is not None:
        study = labels(study, column)
    for note in study.notes:
        warnings.warn(note, stacklevel=2)
    return study


def from_table(
    rows: Any, *, coders: Sequence[str] | None = None, items: Sequence[str] | None = None
) -> Study[Any]:
    """Return the study of labels in a table: a row for each item, a column for each coder.

    Args:
        rows: lists, a numpy array or a pandas data frame; None, NaN and "" are missing labels.
        coders: names of the columns (default: those of a data frame, else coder1, coder2 ...).
        items: names of the rows (default: the index of a data frame, else 1, 2 ...).
    Example:
        >>> study = from_table([["NN", "NN"], ["VB", "NN"], ["VB", None]], coders=["ann", "bob"])
        >>> agree(study, ["agreement"], resamples=0)["agreement"].value
        0.5
    """
    return matrix_study(rows, coders=coders, items=items)


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
    return table_of("agree", study, results)


def score(
    gold: Study[Any] | str | Path,
    *systems: str | Path,
    measures: Sequence[str | tuple[str, Any]] = (),
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
    method: str = "percentile",
    by: Sequence[str] = (),
    differences: int = 0,
    run: Run | None = None,
    **named: str | Path,
) -> ScoreTable:
    """Score systems against a gold standard, by default with every metric that fits, and test differences.

    Args:
        gold: the file of the gold standard, or a study, whose reference is the gold standard; if it has
            none, its first coder is.
        systems: files of systems, which are named after them.
        measures: names of metrics, with options if any.
        resamples: of the bootstrap, and rounds of randomisation.
        confidence: of the intervals.
        seed: of all random steps.
        method: of the intervals, ``percentile`` or ``bca``.
        by: breakdowns: ``deprel upos distance depth length document``.
        differences: how many sentences to list on which the two best systems differ most.
        run: the backend.
        named: more systems, by name.
    Returns:
        A table: print it, ``.to_dict()``, ``.to_pandas()``; ``table["system"]["las"]`` is a result.
    Example:
        >>> folder = "examples/score"
        >>> table = score(f"{folder}/gold.conllu", f"{folder}/heron.conllu", f"{folder}/wren.conllu")
        >>> table.scores.systems
        ('heron', 'wren')
    """
    if isinstance(gold, Study):
        if systems or named:
            raise UnsupportedStudy("a study has its systems already", hint="Give files, or a study alone")
        study = gold
    else:
        study = read(f"gold={gold}", *systems, *(f"{name}={path}" for name, path in named.items()))
    if study.reference is None:
        study = replace(study, reference=study.coders[0])
    scores = score_systems(
        study,
        measures,
        resamples=resamples,
        confidence=confidence,
        seed=seed,
        method=method,
        by=by,
        run=run,
    )
    return ScoreTable(scores, differences)


def explain(
    study: Study[Any],
    *,
    mode: str | None = None,
    gold: str | None = None,
    baseline: str | None = None,
    beside: tuple[str, ...] = (),
    **options: Any,
) -> FindingsTable:
    """Return which constructions are annotated inconsistently, grouped into types.

    Args:
        study: of phrase-structure or dependency trees.
        mode: ``coders`` (the default for two or more), ``corpus`` (for one) or ``parser`` (with *gold*).
        gold: the coder that the others are measured against; the study's reference by default.
        baseline: ``ngrams`` for variation n-grams (Dickinson and Meurers 2003) in place of fragments.
        beside: measures of agreement to give beside the findings, such as ``alpha_plain``.
        options: settings of the method, as ``arbitree explain --set`` takes them.
    Returns:
        Findings, whose ``types`` are sorted by their number of nuclei: print them, show them in a notebook,
        ``.to_dict()``, or ``.to_pandas()`` for a row a place.
    Example:
        >>> found = explain(read("examples/harbour/ann.mrg", "examples/harbour/bob.mrg"))
        >>> found.types[0].nuclei[0].words, len(found.to_pandas()) > len(found.types)
        ('long green', True)
    """
    from arbitree.analyses.inconsistencies.explaining import explain as find
    from arbitree.reports.findingstable import FindingsTable

    return FindingsTable.of(find(study, mode=mode, gold=gold, baseline=baseline, beside=beside, **options))


def coders(
    study: Study[Any],
    model: str | None = None,
    *,
    method: str = "vb",
    restarts: int = 10,
    truth: Mapping[str, str] | None = None,
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
) -> CoderTable:
    """Return how far each coder of *study* can be trusted, which items are hard, and a consensus.

    Args:
        study: of labels or trees.
        model: ``mace``, ``dawid_skene``, ``one_coin``, ``majority``, ``edges``, ``heads`` or ``brackets``; by
            default mace for labels, edges for dependency trees, brackets for phrase trees.
        method: of mace, ``vb`` or ``em``.
        restarts: of mace.
        truth: the true label of each item where it is known, for the accuracy of the consensus.
        resamples: for the intervals; 0 for none.
        confidence: of the intervals.
        seed: of restarts and resamples.
    Returns:
        A table: print it, show it in a notebook, ``.to_dict()``, ``.to_pandas()``, ``.consensus`` (a study),
        or index it by coder.
    Example:
        >>> study = read("examples/phrase/ann.mrg", "examples/phrase/bob.mrg", "examples/phrase/cho.mrg")
        >>> coders(study, resamples=0)["ann"].competence > coders(study, resamples=0)["bob"].competence
        True
    """
    findings = find_coders(
        study,
        model,
        method=method,
        restarts=restarts,
        resamples=resamples,
        confidence=confidence,
        seed=seed,
    )
    if truth is not None:
        findings = with_truth(findings, truth, resamples=resamples, confidence=confidence, seed=seed)
    return CoderTable(findings)


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

    The arguments are those of ``arbitree.analyses.simulation.curves.simulate``.

    Returns:
        A table: print it, ``.to_dict()``, ``.to_pandas()``, or ``.write(folder)`` for CSV and figures.
    Example:
        >>> study = read("examples/dependency/ann.conllu")
        >>> table = simulate(study, ["heads"], levels=[0, 1], runs=2, measures=["la", "uas"])
        >>> table["heads", 1.0, "la"].value
        1.0
    """
    found = curves.simulate(
        study,
        experiments,
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
    return SimulationTable(found)


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
    from arbitree.analyses.preferences.comparison import prefer as compare
    from arbitree.analyses.preferences.findings import Settings
    from arbitree.analyses.preferences.fitting import fit_weights
    from arbitree.analyses.preferences.reading import Files, Reading, read_contest
    from arbitree.reports.preferences import preference_table

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

"""Annotator models: ``at.coders`` and ``arbitree coders``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from arbitree import kinds
from arbitree.adjudication.feedback import FEWEST, feedback_of
from arbitree.annotator_models.findings import TWO, WHO_IS_RIGHT, CoderFindings, findings_of
from arbitree.annotator_models.intervals import KORN_GRAUBARD, METHODS
from arbitree.api.arguments import study_from, warn_caller
from arbitree.api.convert import format_of, write_study
from arbitree.backends.base import Say, mute
from arbitree.errors import StudyError, UnknownName, UnsupportedStudy
from arbitree.extras import installed
from arbitree.files import announce, check_new, file_names, inputs_kept, make_directory, write_whole
from arbitree.measures.computing import USUAL, Computing
from arbitree.measures.evaluate import check_coders
from arbitree.plugins import check_name, known_name
from arbitree.reporting.document import renderers
from arbitree.reporting.sections.coders import CoderTable
from arbitree.reporting.sections.feedback import feedback_document
from arbitree.study.study import Study
from arbitree.wording import count_of


def find_coders(
    study: Study[Any],
    model: str | None = None,
    *,
    method: str = "vb",
    restarts: int = 10,
    interval: str = KORN_GRAUBARD,
    prefer: str | None = None,
    computing: Computing = USUAL,
) -> CoderFindings:
    """Return the competences, confusions, difficult items and consensus of *study*.

    Args:
        study: A study with at least two annotators.
        model: ``mace``, ``dawid_skene``, ``one_coin`` or ``majority`` for labels (of trees, their relations
            or phrase labels); ``edges`` or ``heads`` for dependency trees; ``brackets`` for phrase-structure
            trees. By default mace, edges or brackets.
        method: Method that fits mace: ``vb`` or ``em``.
        restarts: Number of random restarts of mace.
        interval: Method of the confidence intervals: ``korn_graubard`` or ``percentile``.
        prefer: Annotator whose annotations are the consensus where two annotators differ.
        computing: Number of resamples for the confidence intervals, and the random seed.
    """
    check_coders(study, "coders")
    interval = known_name(interval, METHODS, "interval method of competences")
    if prefer is not None:
        check_name(prefer, study.coders, "annotator")
    kind = kinds.of(study)
    own = kind.needed("models")
    name = model.lower() if model else next(iter(own))
    if restarts < 1:
        raise UnknownName(f"--restarts {restarts} is not a positive number", hint="Set it to 1 or more")
    if name not in own:
        seen = kind.column(study, kind.label_column) if kind.label_column else None
        others = kinds.of(seen).models if seen is not None else {}
        if not any(name in each.models for each in kinds.kinds().values()):
            check_name(name, [*own, *others], "model")
        if seen is None or name not in others:
            what = f"model {name} does not apply to {study.value_type.plural}"
            raise UnsupportedStudy(what, hint=f"Choose one of {', '.join([*own, *others])}")
        study, own = seen, others
    resampling = computing.resampling
    outcome = own[name](study, resampling, method=method, restarts=restarts)
    return findings_of(
        study,
        name,
        own[name],
        outcome,
        resampling,
        interval,
        kind=kinds.of(study),
        prefer=prefer,
    )


@inputs_kept()
def coders(
    study: Study[Any] | Any,
    model: str | None = None,
    *,
    method: str = "vb",
    restarts: int = 10,
    truth: Mapping[str, str] | str | Path | None = None,
    consensus: str | Path | None = None,
    prefer: str | None = None,
    gold: str | None = None,
    feedback: str | Path | None = None,
    force: bool = False,
    format: str | None = None,
    encoding: str = "utf-8",
    resamples: int = 1000,
    confidence: float = 0.95,
    interval: str = KORN_GRAUBARD,
    seed: int = 0,
    say: Say = mute,
) -> CoderTable:
    """Return the competence of each annotator of *study*, the hard items, and a consensus.

    An annotator is called *coder* in the API, after Artstein and Poesio (2008).

    Args:
        study: A study of labels or trees, or a pandas data frame of labels.
        model: ``mace``, ``dawid_skene``, ``one_coin``, ``majority``, ``edges``, ``heads`` or ``brackets``; by
            default mace for labels, edges for dependency trees, brackets for phrase-structure trees.
        method: Method that fits mace: ``vb`` or ``em``.
        restarts: Number of random restarts of mace.
        truth: Known labels by item, or a file of them; adds the accuracy of the consensus (default: the gold
            column of the table, if it has one).
        consensus: File to write the consensus to, in the format of its extension or of the inputs.
        prefer: Annotator whose annotations are the consensus where two annotators differ; with two
            annotators, *consensus* needs it.
        gold: Annotator whose annotations are the gold standard; the model does not use them if there are two
            others.
        feedback: Directory to write a page and a sheet for each annotator to: what they did differently from
            the gold standard, if there is one, or from the majority of the others.
        force: Replace the file *consensus* if it exists.
        format: Format of the inputs (default: detected).
        encoding: Text encoding of the inputs and of *truth*.
        resamples: Number of resamples for the confidence intervals; 0 for none.
        confidence: Level of the confidence intervals.
        interval: Method of the confidence intervals: ``korn_graubard`` or ``percentile``.
        seed: Random seed of restarts and resamples.
        say: Function that is called with a message about the file written.
    Returns:
        A table: print it, show it in a notebook, ``.to_dict()``, ``.to_pandas()``, ``.consensus`` (a study),
        or index it by coder.
    Example:
        >>> from arbitree.api.read import read
        >>> study = read("examples/phrase/ann.mrg", "examples/phrase/bob.mrg", "examples/phrase/cho.mrg")
        >>> coders(study, resamples=0)["ann"].competence > coders(study, resamples=0)["bob"].competence
        True
    """
    study = study_from(study)
    announce(consensus, inputs=study.paths)
    check_new(consensus, force=force)
    known = study.gold
    gold = gold or study.reference
    if gold is not None:
        study = _against(study, gold)
    folder = None if feedback is None else _checked(study, gold, feedback)
    computing = Computing(resamples=resamples, confidence=confidence, seed=seed)
    findings = find_coders(
        study, model, method=method, restarts=restarts, interval=interval, prefer=prefer, computing=computing
    )
    if prefer is not None and prefer not in (each.coder for each in findings.coders if each.status == TWO):
        what = f"--prefer {prefer} has no effect, because the model decides between three or more annotators"
        raise UnsupportedStudy(what, hint="Omit --prefer")
    if consensus is not None and prefer is None and findings.two:
        hint = "Name the annotator to follow where they differ with --prefer NAME, or add a third annotator"
        raise UnsupportedStudy(WHO_IS_RIGHT, hint=hint)
    if truth is not None or known:
        from arbitree.kinds.labels.truth import check_labels, has_labels, read_truth, with_truth

    if truth is None and known and has_labels(study):
        truth = {item: str(value) for item, value in known.items()}
    if truth is not None:
        if not isinstance(truth, Mapping):
            check_labels(findings.study)
            truth = read_truth(str(truth), findings.study, encoding=encoding)
        findings = with_truth(findings, truth, computing.resampling)
    if consensus is not None:
        own = format or format_of(study, encoding)
        count, name, notes = write_study(findings.consensus, str(consensus), own)
        unit = kinds.of(findings.study).unit
        for note in notes:
            say(f"warning: {note}")
            if say is mute:
                warn_caller(note)
        say(f"Wrote the consensus of {count_of(count, unit)} as {name}{_exceptions(findings, prefer, unit)}")
    if folder is not None:
        _write_feedback(study, gold, folder, say)
    return CoderTable(findings, kinds.of(findings.study))


def _against(study: Study[Any], gold: str) -> Study[Any]:
    """Return the study with the annotations of *gold* as known values, without that annotator if possible."""
    check_name(gold, study.names, "annotator")
    study = study.taking(gold)
    known = {item: cell.value for (item, coder), cell in study.cells.items() if coder == gold}
    others = [coder for coder in study.coders if coder != gold]
    if len(others) < 2:
        return replace(study, gold=known, reference=gold)
    return replace(study.select(coders=others), gold=known)


def _checked(study: Study[Any], gold: str | None, feedback: str | Path) -> Path:
    """Return the directory for feedback; raise StudyError if there is nothing to compare annotators with."""
    if not study.gold and len(study.coders) < FEWEST:
        what = f"the majority of the others needs {FEWEST} annotators, but there are {len(study.coders)}"
        raise StudyError(what, hint="Name the gold standard with --gold NAME, or add annotators")
    folder = make_directory(feedback, hint="Choose another directory with --feedback")
    names = file_names([coder for coder in study.coders if coder != gold])
    announce(*(folder / f"{name}{suffix}" for name in names for suffix in _endings()), inputs=study.paths)
    return folder


def _endings() -> tuple[str, str]:
    """Return the file extensions of a page and a sheet: a workbook or, without the extra, a table as CSV."""
    return ".html", ".xlsx" if installed("xlsxwriter") else ".csv"


def _write_feedback(study: Study[Any], gold: str | None, folder: Path, say: Say) -> None:
    """Write a page and a sheet for each annotator."""
    kind = kinds.of(study)
    found = [each for each in feedback_of(study, kind, study.gold or None) if each.coder != gold]
    for each, name in zip(found, file_names([each.coder for each in found]), strict=True):
        document = feedback_document(each, kind, f"{name}{_endings()[1]}")
        for suffix in _endings():
            for path, data in renderers()[suffix](document, str(folder / f"{name}{suffix}")).items():
                write_whole(path, data)
    say(f"Wrote feedback for {count_of(len(found), 'annotator')} to {folder}")


def _exceptions(findings: CoderFindings, prefer: str | None, unit: str) -> str:
    """Return the end of the message about the consensus: items that the model did not decide."""
    known = {each.item for each in findings.items if each.consensus is not None}
    followed = sum(item in known for item in findings.undecided)
    ties = sum(bool(each.ties) and each.item not in findings.undecided for each in findings.items)
    parts = []
    if followed:
        parts.append(f"{count_of(followed, unit)} on which two annotators differ follow {prefer}")
    if len(findings.undecided) > followed:
        parts.append(f"{count_of(len(findings.undecided) - followed, unit)} without a consensus excluded")
    if ties:
        parts.append(f"{count_of(ties, unit)} with ties")
    return f" ({'; '.join(parts)})" if parts else ""

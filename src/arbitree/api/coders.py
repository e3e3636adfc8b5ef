"""What a model of the coders finds: ``at.coders`` and ``arbitree coders``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from arbitree import kinds
from arbitree.annotator_models.findings import CoderFindings, findings_of
from arbitree.api.arguments import study_from
from arbitree.api.convert import format_of, write_study
from arbitree.backends.base import Say, mute
from arbitree.errors import UnknownName, UnsupportedStudy
from arbitree.measures.computing import USUAL, Computing
from arbitree.measures.evaluate import check_coders
from arbitree.plugins import check_name
from arbitree.reporting.sections.coders import CoderTable
from arbitree.study.study import Study
from arbitree.wording import count_of


def find_coders(
    study: Study[Any],
    model: str | None = None,
    *,
    method: str = "vb",
    restarts: int = 10,
    computing: Computing = USUAL,
) -> CoderFindings:
    """Return competences, confusion, difficulty and consensus of *study*.

    Args:
        study: at least two coders.
        model: ``mace``, ``dawid_skene``, ``one_coin`` or ``majority`` for labels (of trees, their relations
            or phrase labels); ``edges`` or ``heads`` for dependency trees; ``brackets`` for phrase trees. By
            default mace, edges or brackets.
        method: of mace, ``vb`` or ``em``.
        restarts: of mace.
        computing: resamples of clusters, for the intervals, and the seed of restarts and resamples.
    """
    check_coders(study)
    kind = kinds.of(study)
    own = kind.needed("models", study.value_type.kind)
    name = model or next(iter(own))
    check_name(name, [known for each in kinds.kinds().values() for known in each.models], "model")
    if restarts < 1:
        raise UnknownName("there must be at least one restart", hint="Give 1 or more")
    if name not in own:
        seen = kind.column(study, kind.label_column) if kind.label_column else None
        others = kinds.of(seen).models if seen is not None else {}
        if seen is None or name not in others:
            what = f"model {name} does not fit {study.value_type.kind} annotations"
            raise UnsupportedStudy(what, hint=f"These fit: {', '.join([*own, *others])}")
        study, own = seen, others
    resampling = computing.resampling
    outcome = own[name](study, resampling, method=method, restarts=restarts)
    return findings_of(study, name, own[name], outcome, resampling)


def coders(
    study: Study[Any] | Any,
    model: str | None = None,
    *,
    method: str = "vb",
    restarts: int = 10,
    truth: Mapping[str, str] | str | Path | None = None,
    consensus: str | Path | None = None,
    format: str | None = None,
    encoding: str = "utf-8",
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
    say: Say = mute,
) -> CoderTable:
    """Return how far each coder of *study* can be trusted, which items are hard, and a consensus.

    Args:
        study: of labels or trees; or a pandas data frame of labels.
        model: ``mace``, ``dawid_skene``, ``one_coin``, ``majority``, ``edges``, ``heads`` or ``brackets``; by
            default mace for labels, edges for dependency trees, brackets for phrase trees.
        method: of mace, ``vb`` or ``em``.
        restarts: of mace.
        truth: the true label of each item where it is known, or a file of them, for the accuracy of the
            consensus.
        consensus: a file to write the consensus to, in the format of its ending or of the study's files.
        format: of the study's files (default: detected).
        encoding: of the study's files and of *truth*.
        resamples: for the intervals; 0 for none.
        confidence: of the intervals.
        seed: of restarts and resamples.
        say: gets a line about what was written.
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
    computing = Computing(resamples=resamples, confidence=confidence, seed=seed)
    findings = find_coders(study, model, method=method, restarts=restarts, computing=computing)
    if truth is not None:
        from arbitree.kinds.labels.truth import check_labels, read_truth, with_truth

        if not isinstance(truth, Mapping):
            check_labels(findings.study)
            truth = read_truth(str(truth), findings.study, encoding=encoding)
        findings = with_truth(findings, truth, computing.resampling)
    if consensus is not None:
        own = format or format_of(study, encoding)
        count, name = write_study(findings.consensus, str(consensus), own)
        say(f"wrote the consensus of {count_of(count, 'item')} as {name}")
    return CoderTable(findings, kinds.of(findings.study))

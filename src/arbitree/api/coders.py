"""From a study to what a model of its coders finds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arbitree import kinds
from arbitree.annotator_models.findings import CoderFindings, findings_of
from arbitree.errors import UnknownName, UnsupportedStudy
from arbitree.kinds.dependency.views import labels
from arbitree.kinds.labels.truth import with_truth
from arbitree.measures.evaluate import check_coders
from arbitree.measures.resampling import Resampling
from arbitree.plugins import check_name
from arbitree.reporting.sections.coders import CoderTable
from arbitree.study.study import Study


def find_coders(
    study: Study[Any],
    model: str | None = None,
    *,
    method: str = "vb",
    restarts: int = 10,
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
) -> CoderFindings:
    """Return competences, confusion, difficulty and consensus of *study*.

    Args:
        study: at least two coders.
        model: ``mace``, ``dawid_skene``, ``one_coin`` or ``majority`` for labels (of trees, their relations
            or phrase labels); ``edges`` or ``heads`` for dependency trees; ``brackets`` for phrase trees. By
            default mace, edges or brackets.
        method: of mace, ``vb`` or ``em``.
        restarts: of mace.
        resamples: of clusters, for the intervals; 0 for none.
        confidence: of the intervals.
        seed: of restarts and resamples.
    """
    check_coders(study)
    kind = kinds.of(study)
    own = kind.needed("models", study.value_type.kind)
    name = model or next(iter(own))
    check_name(name, [known for each in kinds.kinds().values() for known in each.models], "models")
    if restarts < 1:
        raise UnknownName("there must be at least one restart", hint="Give 1 or more")
    if name not in own:
        seen = labels(study, kind.label_column) if kind.label_column else None
        others = kinds.of(seen).models if seen is not None else {}
        if seen is None or name not in others:
            what = f"model {name} does not fit {study.value_type.kind} annotations"
            raise UnsupportedStudy(what, hint=f"These fit: {', '.join([*own, *others])}")
        study, own = seen, others
    resampling = Resampling(resamples, confidence, seed)
    outcome = own[name](study, resampling, method=method, restarts=restarts)
    return findings_of(study, name, own[name], outcome, resampling)


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
        >>> from arbitree.api.read import read
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
    return CoderTable(findings, kinds.of(findings.study))

"""From a study to what a model of its coders finds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arbitree import kinds
from arbitree.annotator_models.findings import Findings, findings_of
from arbitree.errors import UnknownName, UnsupportedStudy
from arbitree.kinds.dependency.value import DepTree
from arbitree.kinds.dependency.views import labels
from arbitree.kinds.labels.truth import with_truth
from arbitree.kinds.phrase.value import PhraseTree
from arbitree.measures.evaluate import check_coders
from arbitree.measures.resampling import Resampling
from arbitree.plugins import check_name
from arbitree.reporting.sections.coders import CoderTable
from arbitree.study.study import Study

LABEL_MODELS = ("mace", "dawid_skene", "one_coin", "majority")
TREE_MODELS = {"edges": DepTree, "heads": DepTree, "brackets": PhraseTree}
MODELS = (*LABEL_MODELS, *TREE_MODELS)
COLUMNS = {DepTree: "deprel", PhraseTree: "phrase"}  # what models of labels see of trees

REFERENCES = {
    "mace": ("hovy2013",),
    "dawid_skene": ("dawid-skene1979",),
    "one_coin": ("dawid-skene1979", "zhang2016"),
    "majority": (),
    "edges": ("hovy2013", "chu-liu1965", "edmonds1967"),
    "heads": ("hovy2013", "chu-liu1965", "edmonds1967"),
    "brackets": (),
}


def find_coders(
    study: Study[Any],
    model: str | None = None,
    *,
    method: str = "vb",
    restarts: int = 10,
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
) -> Findings:
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
    name = model or default_model(study)
    check_name(name, MODELS, "models")
    if restarts < 1:
        raise UnknownName("there must be at least one restart", hint="Give 1 or more")
    resampling = Resampling(resamples, confidence, seed)
    if name in TREE_MODELS:
        _check_kind(study, name, TREE_MODELS[name])
        if name == "brackets":
            from arbitree.kinds.phrase.votes import model_brackets

            outcome = model_brackets(study, resampling)
        else:
            from arbitree.kinds.dependency.votes import model_dependencies

            outcome = model_dependencies(study, resampling, labelled=name == "edges")
    else:
        from arbitree.kinds.labels.votes import model_labels

        study = _labels(study)
        outcome = model_labels(study, resampling, name, method=method, restarts=restarts)
    return findings_of(study, name, outcome, resampling, REFERENCES[name])


def default_model(study: Study[Any]) -> str:
    """Return the model for the kind of *study*."""
    return {DepTree: "edges", PhraseTree: "brackets"}.get(study.value_type, "mace")


def _check_kind(study: Study[Any], name: str, kind: type) -> None:
    if study.value_type is not kind:
        fitting = [each for each, other in TREE_MODELS.items() if other is study.value_type]
        what = f"model {name} does not fit {study.value_type.kind} annotations"
        raise UnsupportedStudy(what, hint=f"These fit: {', '.join([*fitting, *LABEL_MODELS])}")


def _labels(study: Study[Any]) -> Study[Any]:
    """Return the study if it has labels, else the relations or phrase labels of its trees."""
    column = COLUMNS.get(study.value_type)
    return study if column is None else labels(study, column)


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

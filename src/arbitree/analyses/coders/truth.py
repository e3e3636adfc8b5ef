"""How often the consensus is right, where the truth is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

import arbitree
from arbitree.analyses.coders.findings import Findings
from arbitree.analyses.coders.outcome import clusters_of
from arbitree.analyses.coders.votes import FloatArray
from arbitree.data.labels import Label, Tags
from arbitree.data.result import Result, Table
from arbitree.data.study import Study
from arbitree.errors import UnsupportedStudy
from arbitree.measures.resampling import Resampling

MEASURE = "accuracy"


def with_truth(
    findings: Findings,
    truth: Mapping[str, str],
    *,
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
) -> Findings:
    """Return *findings* with the accuracy of the consensus as one more result.

    Args:
        findings: of a study of labels.
        truth: the label of every item where it is known.
        resamples: of clusters, for the interval; the consensus stays as it is.
        confidence: of the interval.
        seed: of the resamples.
    """
    check_labels(findings.study)
    places = [p for p, item in enumerate(findings.items) if item.item in truth and item.consensus is not None]
    right, split = [], []
    for place in places:
        item = findings.items[place]
        known = truth[item.item]
        right.append(float(str(item.consensus) == known))
        tied = [str(value) for value in item.ties] or [str(item.consensus)]
        split.append((known in tied) / len(tied))
    resampling = Resampling(resamples, confidence, seed)
    result = _result(findings, resampling, places, np.array(right))
    details: dict[str, Any] = {
        "correct": int(sum(right)),
        "total": len(right),
        "ties": sum(bool(findings.items[place].ties) for place in places),
        "ties_split": float(np.mean(split)) if split else None,
        "unknown": len(findings.items) - len(places),
        "options": {},
    }
    return replace(findings, results=(*findings.results, replace(result, details=details)))


def check_labels(study: Study[Any]) -> None:
    """Raise UnsupportedStudy unless the truth can be a list of labels."""
    if study.value_type not in (Label, Tags):
        hint = "Write the consensus with --consensus and compare it with the gold trees"
        raise UnsupportedStudy("the truth of trees is no list of labels", hint=hint)


def _result(findings: Findings, resampling: Resampling, places: list[int], right: FloatArray) -> Result:
    study = findings.study
    cluster = clusters_of(study, places)
    members = np.unique(cluster)

    def score(rows: FloatArray) -> FloatArray:
        weights = rows[:, cluster]
        with np.errstate(invalid="ignore"):
            return np.asarray(weights @ right / weights.sum(axis=1))

    scores = resampling.scores(score, members, len(study.clusters)) if places else np.array([np.nan])
    first = findings.results[0]
    return Result(
        measure=MEASURE,
        value=None if np.isnan(scores[0]) else float(scores[0]),
        status="ok" if places else "no_truth",
        interval=resampling.interval(score, scores, members, len(study.clusters)),
        items_used=len(places),
        ignored=(),
        signature="|".join(
            [
                MEASURE,
                f"model:{findings.model}",
                f"items:{len(places)}",
                f"coders:{len(study.coders)}",
                f"interval:{resampling.method}",
                f"confidence:{resampling.confidence:g}",
                f"resamples:{resampling.resamples}",
                f"seed:{resampling.seed}",
                f"v:{arbitree.__version__}",
            ]
        ),
        per_item=Table(
            ("item", "value"),
            tuple((study.items[place].id, float(value)) for place, value in zip(places, right, strict=True)),
        ),
        references=first.references,
    )

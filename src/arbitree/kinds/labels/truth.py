"""Compute the accuracy of a consensus on items with known labels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

import numpy as np

from arbitree.annotator_models.findings import CoderFindings
from arbitree.annotator_models.model import clusters_of
from arbitree.annotator_models.votes import FloatArray
from arbitree.errors import FormatError, Source, StudyError, UnsupportedStudy, shorten
from arbitree.formats.label_tables.rows import value_of
from arbitree.formats.label_tables.spelling import MARKERS
from arbitree.formats.labels import Labels
from arbitree.kinds.labels.kind import KIND
from arbitree.kinds.labels.value import Label, Tags, ratings, spelled_like
from arbitree.measures.resampling import Resampling, ratio_sample
from arbitree.measures.signatures import signature, study_parts, typed
from arbitree.reading.content import Content, load
from arbitree.reading.guard import guarded_reader
from arbitree.reading.tables import is_json, separator
from arbitree.study.result import Result, Table
from arbitree.study.study import Study

MEASURE = "accuracy"


def with_truth(
    findings: CoderFindings, truth: Mapping[str, str], resampling: Resampling | None = None
) -> CoderFindings:
    """Return *findings* with the accuracy of the consensus as one more result.

    Args:
        findings: Findings on a study of labels.
        truth: Known labels by item.
        resampling: Resampling of clusters for the confidence interval; the consensus does not change.
    """
    check_labels(findings.study)
    truth = _as_labels(truth, findings.study)
    places = [p for p, item in enumerate(findings.items) if item.item in truth and item.consensus is not None]
    right, split = [], []
    for place in places:
        item = findings.items[place]
        known = truth[item.item]
        right.append(float(str(item.consensus) == known))
        tied = [str(value) for value in item.ties] or [str(item.consensus)]
        split.append((known in tied) / len(tied))
    known_labels = {item: Label(label) for item, label in truth.items()}
    result = _result(findings, resampling or Resampling(), places, np.array(right), known_labels)
    details: dict[str, Any] = {
        "correct": int(sum(right)),
        "total": len(right),
        "ties": sum(bool(findings.items[place].ties) for place in places),
        "ties_split": float(np.mean(split)) if split else None,
        "unknown": len(findings.items) - len(places),
        "options": {},
    }
    return replace(findings, results=(*findings.results, replace(result, details=details)))


def _as_labels(truth: Mapping[str, str], study: Study[Any]) -> dict[str, str]:
    """Return *truth* without missing labels, in the spelling of the study."""
    values = ratings(study).values
    labels = {str(value) for value in values}
    known = {item: label for item, label in truth.items() if label in labels or label not in MARKERS}
    return dict(zip(known, spelled_like(known.values(), values), strict=True))


def has_labels(study: Study[Any]) -> bool:
    """Return whether the study contains labels or sets of tags."""
    return study.value_type in (Label, Tags)


def check_labels(study: Study[Any]) -> None:
    """Raise UnsupportedStudy unless the study contains labels."""
    if not has_labels(study):
        hint = "Write the consensus with --consensus, and score it against the gold trees"
        what = f"--truth needs labels, but the study contains {study.value_type.plural}"
        raise UnsupportedStudy(what, hint=hint)


def _result(
    findings: CoderFindings,
    resampling: Resampling,
    places: list[int],
    right: FloatArray,
    known: Mapping[str, Label],
) -> Result:
    study = findings.study
    cluster = clusters_of(study, places)
    above, below = (
        np.bincount(cluster, counts, study.cluster_count).astype(np.float64)
        for counts in (right, np.ones(len(places)))
    )
    sample = ratio_sample(above, below, np.unique(cluster), lambda: study.clusters, grouped=True)
    first = findings.results[0]
    return Result(
        measure=MEASURE,
        value=None if np.isnan(sample.value) else sample.value,
        status="ok" if places else "no_truth",
        interval=resampling.interval(sample),
        items_used=len(places),
        ignored=(),
        signature=signature(
            typed(MEASURE, {"model": findings.model}),
            [
                f"items:{len(places)}",
                *study_parts(replace(study, gold=known).with_gold(), KIND),
                *resampling.parts,
                f"seed:{resampling.seed}",
            ],
        ),
        per_item=Table(
            ("item", "value"),
            tuple((study.items[place].id, float(value)) for place, value in zip(places, right, strict=True)),
        ),
        references=first.references,
    )


@guarded_reader
def read_truth(path: str, study: Study[Any], *, encoding: str = "utf-8") -> dict[str, str]:
    """Return the known labels in the file at *path* as text, by item.

    Args:
        path: A file with one label per line (empty: not known), or a table with columns item and label, or
            item and gold.
        study: The study that contains the items.
        encoding: Text encoding of the file.
    Raises:
        StudyError: if lines and items differ in number, or an item is not in the study.
    """
    content = load(path, encoding=encoding)
    if separator(content.head) is None and not is_json(content.head):
        return _lines(content, study)
    return _table(content, study)


def _lines(content: Content, study: Study[Any]) -> dict[str, str]:
    lines = [line.strip() for line in content.lines]
    if not lines[-1]:
        lines.pop()  # the empty text after the last line feed
    while len(lines) > len(study.items) and not lines[-1]:
        lines.pop()
    if len(lines) != len(study.items):
        what = f"found {len(lines)} lines for {len(study.items)} items"
        hint = (
            "Write one label per line in the order of the items, or a table with the columns item and label"
        )
        raise StudyError(what, Source(content.path), hint=hint)
    return {
        item.id: str(value_of(line, Source(content.path, number)))
        for number, (item, line) in enumerate(zip(study.items, lines, strict=True), start=1)
        if line
    }


def _table(content: Content, study: Study[Any]) -> dict[str, str]:
    records = Labels().records(content)
    if content.notes:
        raise FormatError(content.notes[0], hint="Fill in the missing cells")
    known = {item.id for item in study.items}
    truth: dict[str, str] = {}
    rows = zip(records.items, records.labels, records.lines, strict=True)
    golden = ((item, label, line) for item, known in records.gold.items() for label, line in known)
    for item, label, line in golden if records.gold else rows:
        source = Source(content.path, line)
        if item not in known:
            close = get_close_matches(item, known, n=1)
            hint = f"Did you mean {close[0]!r}?" if close else "Use the item ids of the study"
            raise StudyError(f"item {shorten(item)} is not in the study", source, hint=hint)
        value = str(value_of(label, source))
        if truth.setdefault(item, value) != value:
            what = f"item {shorten(item)} has 2 true labels, {shorten(truth[item])} and {shorten(value)}"
            raise FormatError(what, source, hint="Remove one of them")
    return truth

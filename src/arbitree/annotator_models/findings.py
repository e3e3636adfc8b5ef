"""Results of an annotator model on a study."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from arbitree.annotator_models.intervals import KORN_GRAUBARD, REFERENCES, competence_interval
from arbitree.annotator_models.model import AnnotatorModel, CoderConfusion, ModelOutcome, group_sizes
from arbitree.kinds.kind import Kind
from arbitree.measures.coverage import interval_notes
from arbitree.measures.resampling import Resampling
from arbitree.measures.signatures import signature, study_parts, typed
from arbitree.study.comparable import annotated
from arbitree.study.result import Group, Interval, Result, Table
from arbitree.study.study import Annotation, Study
from arbitree.wording import brief

CONSENSUS = "consensus"  # the coder of the consensus
MEASURE = "competence"
TWO = "two_annotators"  # the status of annotators who share items with one other annotator only
GROUPED = ("ok", "no_variation", TWO)  # the statuses of annotators who share items
WHO_IS_RIGHT = "two annotators are not enough to estimate who is right"
ONE_AND_GOLD = "the model needs two annotators besides the gold standard"


@dataclass(frozen=True, slots=True)
class CoderEstimate:
    """Estimates for one annotator."""

    coder: str
    competence: float | None
    interval: Interval | None
    status: str  # ok, or why there is no competence
    annotations: int
    agreement: float | None  # with the consensus


@dataclass(frozen=True, slots=True)
class Difficulty:
    """Consensus of one item and its entropy in nats; None without annotations.

    Where two annotators differ and the data do not tell who is right, the consensus is None, or the
    annotation of the preferred annotator.
    """

    item: str
    consensus: Any
    entropy: float | None
    ties: tuple[Any, ...] = ()  # all values that are as probable as the consensus, where there are several

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class CoderFindings:
    """Competence, confusion, difficulty and consensus under one model."""

    model: str
    about: str  # the meaning of competence under the model
    study: Study[Any]  # what was modelled
    results: tuple[Result, ...]  # the mean competence, then the accuracy if the truth was given
    coders: tuple[CoderEstimate, ...]
    confusion: tuple[CoderConfusion, ...]
    items: tuple[Difficulty, ...]
    consensus: Study[Any]  # with one coder
    undecided: tuple[str, ...] = ()  # items on which two annotators differ, so that there is no consensus

    __repr__ = brief

    @property
    def two(self) -> bool:
        """Whether no annotator has a competence, because the data do not tell who is right."""
        statuses = {each.status for each in self.coders}
        return TWO in statuses and "ok" not in statuses

    def hardest(self) -> list[Difficulty]:
        """Return the items by uncertainty, the most uncertain first; certain items are excluded."""
        open_ = [
            (item.entropy, item) for item in self.items if item.entropy is not None and item.entropy > 1e-6
        ]
        return [item for _, item in sorted(open_, key=lambda pair: -round(pair[0], 9))]


def findings_of(
    study: Study[Any],
    name: str,
    model: AnnotatorModel[Any],
    outcome: ModelOutcome,
    resampling: Resampling,
    interval: str = KORN_GRAUBARD,
    *,
    kind: Kind[Any],
    prefer: str | None = None,
) -> CoderFindings:
    """Return the results of the *model* called *name*, with intervals, statuses and notes.

    Args:
        study: what was modelled.
        name: the name of the model.
        model: the model.
        outcome: its result.
        resampling: the resamples.
        interval: the method of the intervals.
        kind: the kind of the annotations.
        prefer: the annotator whose annotations are used where two annotators differ.
    """
    statuses = statuses_of(outcome)
    _, sizes = group_sizes(outcome.shared)
    few = {coder for coder, size in zip(study.coders, sizes.tolist(), strict=True) if size <= 2}
    estimates = tuple(
        _estimate(study, outcome, resampling, interval, number, status)
        for number, status in enumerate(statuses)
    )
    entropies = [None if math.isnan(entropy) else entropy for entropy in outcome.entropy.tolist()]
    rows = zip(study.items, outcome.consensus, entropies, outcome.ties, strict=True)
    items = tuple(Difficulty(item.id, value, entropy, ties) for item, value, entropy, ties in rows)
    undecided = _undecided(study, items, few, kind)
    items = tuple(
        _followed(each, [cell for cell in undecided[each.item] if cell.coder == prefer], undecided[each.item])
        if each.item in undecided
        else each
        for each in items
    )
    result = _mean(study, name, outcome, resampling, interval, estimates, model.references)
    signed = _signature(study, kind, result, resampling)
    return CoderFindings(
        model=name,
        about=model.about,
        study=study,
        results=(replace(result, signature=signed),),
        coders=estimates,
        confusion=tuple(row for row in outcome.confusion if row.coder not in few),
        items=items,
        consensus=_consensus(study, items),
        undecided=tuple(undecided),
    )


def _undecided(
    study: Study[Any],
    items: Sequence[Difficulty],
    few: Collection[str],
    kind: Kind[Any],
) -> dict[str, list[Annotation[Any]]]:
    """Return the items on which two annotators differ whom no third one connects, with their annotations."""
    found = {}
    for item, each in zip(study.items, items, strict=True):
        if few and each.consensus is not None:
            cells = [cell for cell in annotated(study.of(item)) if cell.coder in few]
            if len({kind.content(cell.value) for cell in cells}) > 1:
                found[item.id] = cells
    return found


def _followed(
    each: Difficulty, preferred: Sequence[Annotation[Any]], cells: Sequence[Annotation[Any]]
) -> Difficulty:
    """Return *each* with the *preferred* annotation, if any, as its consensus."""
    values = tuple(sorted((cell.value for cell in cells), key=str))
    return replace(each, consensus=preferred[0].value if preferred else None, ties=values)


def statuses_of(outcome: ModelOutcome) -> list[str]:
    """Return ``ok`` or a reason code for each annotator."""
    statuses = []
    _, sizes = group_sizes(outcome.shared)
    for number, count in enumerate(outcome.annotations):
        others = np.delete(outcome.shared[number], number)
        if not count:
            statuses.append("no_annotations")
        elif not others.any():
            statuses.append("no_overlap")
        elif not outcome.varied or np.isnan(outcome.competence[number]):
            statuses.append("no_variation")
        elif sizes[number] == 2:
            statuses.append(TWO)
        else:
            statuses.append("ok")
    return statuses


def notes_of(study: Study[Any], outcome: ModelOutcome, statuses: Sequence[str]) -> list[str]:
    """Return notes about the limits of the data."""
    notes = list(outcome.notes)
    groups, _ = group_sizes(outcome.shared)
    sharing = [
        [c for c, group in enumerate(groups) if group == each] for each in dict.fromkeys(groups.tolist())
    ]
    sharing = [members for members in sharing if any(statuses[c] in GROUPED for c in members)]
    if len(sharing) > 1:
        named = "; ".join(", ".join(study.coders[c] for c in members[:5]) for members in sharing[:3])
        notes.append(
            f"the annotators form {len(sharing)} groups that have no items in common ({named}), so the "
            "competence of annotators in different groups cannot be compared"
        )
    pairs = [" and ".join(study.coders[c] for c in members) for members in sharing if len(members) == 2]
    if pairs:
        known = len(study.coders) == 2 and study.reference is not None
        who = "" if len(study.coders) == 2 else f" ({'; '.join(pairs[:3])}{'; ...' * (len(pairs) > 3)})"
        notes.append(
            f"{ONE_AND_GOLD if known else WHO_IS_RIGHT}{who}, so there is no competence, no confusion and no "
            "consensus where they differ. Add a third annotator to estimate competence."
        )
    return notes


def _estimate(
    study: Study[Any], outcome: ModelOutcome, resampling: Resampling, interval: str, number: int, status: str
) -> CoderEstimate:
    value = outcome.competence[number] if status == "ok" else np.nan
    agreement = np.nan if status in (TWO, "no_overlap") else outcome.agreement[number]
    return CoderEstimate(
        coder=study.coders[number],
        competence=None if np.isnan(value) else float(value),
        interval=competence_interval(
            value,
            outcome.draws[number],
            outcome.answers[number],
            int(outcome.clusters[number]),
            interval,
            resampling,
        ),
        status=status,
        annotations=int(outcome.annotations[number]),
        agreement=None if np.isnan(agreement) else float(agreement),
    )


def _mean(
    study: Study[Any],
    model: str,
    outcome: ModelOutcome,
    resampling: Resampling,
    method: str,
    estimates: Sequence[CoderEstimate],
    references: Sequence[str],
) -> Result:
    """Return the mean competence, with a group for each annotator."""
    ok = np.array([each.status == "ok" for each in estimates])
    status = "ok" if ok.any() else next((each.status for each in estimates), "no_annotations")
    value = float(outcome.competence[ok].mean()) if ok.any() else np.nan
    counts = ok[:, None] & ~np.isnan(outcome.draws)
    total = np.where(counts, outcome.draws, 0).sum(axis=0)
    draws = np.divide(total, counts.sum(axis=0), out=np.full(total.shape, np.nan), where=counts.any(axis=0))
    answers = float(outcome.answers[ok].sum())
    interval = competence_interval(value, draws, answers, len(outcome.members), method, resampling)
    used = int(np.sum(~np.isnan(outcome.entropy)))
    details = {"model": model, **outcome.details, "options": {}}
    if outcome.ignored:
        reasons = [each.reason for each in outcome.ignored]
        details["ignored"] = {reason: reasons.count(reason) for reason in dict.fromkeys(reasons)}
    if interval:
        details |= {
            "interval_method": method,
            "resamples": interval.resamples,
            "undefined_resamples": interval.undefined,
        }
    return Result(
        measure=MEASURE,
        value=None if np.isnan(value) else value,
        status=status,
        interval=interval,
        items_used=used,
        ignored=outcome.ignored,
        signature="",  # added with the kind
        details=details,
        per_item=Table(
            ("item", "value"),
            tuple(
                (item.id, entropy)
                for item, entropy in zip(study.items, outcome.entropy.tolist(), strict=True)
                if not math.isnan(entropy)
            ),
        ),
        per_item_shows="disagreement",
        groups={"coder": tuple(map(_group, estimates))},
        notes=(
            *notes_of(study, outcome, [each.status for each in estimates]),
            *(interval_notes(MEASURE, value, interval, study, model=model) if interval else ()),
        ),
        references=(*references, *(REFERENCES[method] if interval else ())),
    )


def _group(each: CoderEstimate) -> Group:
    details = {"agreement": each.agreement}
    return Group(each.coder, each.competence, each.status, each.interval, each.annotations, details)


def _signature(study: Study[Any], kind: Kind[Any], result: Result, resampling: Resampling) -> str:
    """Return the signature: everything that can change the values."""
    details = result.details
    shown = {key: details[key] for key in ("model", "method", "iterations", "restarts") if key in details}
    parts = [f"items:{result.items_used}", *study_parts(study, kind)]
    if resampling.resamples:
        method = details.get("interval_method", "")
        parts += [f"interval:{method}"] if method else []
        parts += [f"confidence:{resampling.confidence:g}", f"resamples:{resampling.resamples}"]
    return signature(typed(MEASURE, shown), [*parts, f"seed:{resampling.seed}"])


def _consensus(study: Study[Any], found: Sequence[Difficulty]) -> Study[Any]:
    """Return the consensus as a study with one annotator; items without consensus are excluded."""
    pairs = [
        (item, each.consensus)
        for item, each in zip(study.items, found, strict=True)
        if each.consensus is not None
    ]
    cells = {(item.id, CONSENSUS): Annotation(item, CONSENSUS, value) for item, value in pairs}
    items = tuple(item for item, _ in pairs)
    return replace(study, items=items, coders=(CONSENSUS,), cells=cells, reference=None, notes=())

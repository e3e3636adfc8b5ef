"""What a model of the coders finds in a study, ready to be shown."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import arbitree
from arbitree.annotator_models.votes import FloatArray, IntArray
from arbitree.measures.resampling import Resampling
from arbitree.study.comparable import cluster_positions
from arbitree.study.result import Group, Ignored, Interval, Result, Table
from arbitree.study.study import Annotation, Item, Study


@dataclass(frozen=True, slots=True)
class Confused:
    """How often a coder gave *answer* where *truth* is the consensus; None: no bracket is there."""

    coder: str
    truth: str | None
    answer: str | None
    count: float
    share: float  # of the coder's annotations with this truth, or of those with none


@dataclass(frozen=True, slots=True)
class Outcome:
    """Coders, items and consensus as a model sees them.

    Args:
        competence: (coders,); NaN where there is none.
        draws: (coders, resamples), the same in every resample.
        agreement: (coders,), the share of a coder's answers that are the consensus.
        annotations: (coders,), how many a coder made that the model could use.
        entropy: (items,), the difficulty in nats; NaN for items that were not used.
        consensus: (items,), the values; None for items that were not used.
        shared: (coders, coders), how many items two coders share.
        members: the clusters that were used.
        ties: (items,), the values that are as probable as the consensus, it included; none where it is alone.
        varied: whether there is more than one value to choose from.
        confusion: coder by coder.
        details: for the result.
        ignored: items that were not used, and why.
        notes: what whoever reads the numbers should know.
    """

    competence: FloatArray
    draws: FloatArray
    agreement: FloatArray
    annotations: IntArray
    entropy: FloatArray
    consensus: tuple[Any, ...]
    ties: tuple[tuple[Any, ...], ...]
    shared: NDArray[np.integer[Any]]
    members: IntArray
    varied: bool
    confusion: tuple[Confused, ...]
    details: Mapping[str, Any] = field(default_factory=dict)
    ignored: tuple[Ignored, ...] = ()
    notes: tuple[str, ...] = ()


LEAST = 0.005  # expected counts below this are not listed


class Usable(NamedTuple):
    """The items that a model can use: their places in the study, and the annotations with their coders."""

    places: list[int]
    annotations: list[list[tuple[int, Any]]]
    ignored: tuple[Ignored, ...]


def usable_trees(study: Study[Any]) -> Usable:
    """Return the items whose trees have the same number of tokens; an empty tree is a missing one."""
    numbers = {coder: number for number, coder in enumerate(study.coders)}
    places, annotations, ignored = [], [], []
    for place, (item, cells) in enumerate(study):
        full = [cell for cell in cells if len(cell.value)]
        sizes = {cell.coder: len(cell.value) for cell in full}
        if len(set(sizes.values())) == 1:
            places.append(place)
            annotations.append([(numbers[cell.coder], cell.value) for cell in full])
        elif full:
            counted = ", ".join(f"{coder} {size}" for coder, size in sizes.items())
            ignored.append(Ignored(item.id, "token_mismatch", f"tokens: {counted}"))
        else:
            ignored.append(unannotated(item, len(cells)))
    return Usable(places, annotations, tuple(ignored))


def unannotated(item: Item, empty: int) -> Ignored:
    """Return why an item has nothing to go by."""
    if empty:
        return Ignored(item.id, "empty_tree", "empty for all who have it")
    return Ignored(item.id, "no_annotation", "by nobody")


def shared_items(study: Study[Any], annotations: Sequence[Sequence[tuple[int, Any]]]) -> NDArray[np.intp]:
    """Return how many items every two coders share: (coders, coders)."""
    present = np.zeros((len(annotations), len(study.coders)), dtype=np.intp)
    for row, found in zip(present, annotations, strict=True):
        row[[coder for coder, _ in found]] = 1
    return np.asarray(present.T @ present)


def counted(annotations: Sequence[Sequence[tuple[int, Any]]], coders: int) -> IntArray:
    """Return how many of *annotations* each coder made."""
    numbers = [coder for found in annotations for coder, _ in found]
    return np.bincount(np.array(numbers, dtype=np.intp), minlength=coders)


def clusters_of(study: Study[Any], places: Sequence[int]) -> IntArray:
    """Return the cluster of the items at *places*, by its number."""
    numbers = cluster_positions(study)
    return np.array([numbers[study.items[place].cluster] for place in places], dtype=np.intp)


def pattern_weights(
    study: Study[Any], resampling: Resampling, pattern: IntArray, cluster: IntArray, patterns: int
) -> FloatArray:
    """Return how often each pattern counts: (patterns, 1 + resamples), the first column for the estimate.

    Args:
        study: whose clusters are drawn.
        resampling: how often.
        pattern: of every item that is used.
        cluster: of every item that is used.
        patterns: how many there are.
    """
    from scipy.sparse import csr_array

    clusters = len(study.clusters)
    shape = (patterns, clusters)
    counts = csr_array((np.ones(len(pattern)), (pattern, cluster)), shape=shape)
    rows = resampling.rows(np.unique(cluster), clusters)
    return np.concatenate([np.asarray(counts @ chunk.T) for chunk in rows], axis=1)


def confusion_rows(
    coders: Sequence[str], counts: Mapping[tuple[int, Any, Any], float]
) -> tuple[Confused, ...]:
    """Return the rows of a confusion table from counts by coder, truth and answer; those of weight only.

    Example:
        >>> confusion_rows(["ann"], {(0, "N", "N"): 3.0, (0, "N", "V"): 1.0})[1]
        Confused(coder='ann', truth='N', answer='V', count=1.0, share=0.25)
    """
    totals: dict[tuple[int, Any], float] = {}
    for (coder, truth, _), count in counts.items():
        totals[coder, truth] = totals.get((coder, truth), 0.0) + count
    found = [
        Confused(coders[coder], truth, answer, float(count), float(count / totals[coder, truth]))
        for (coder, truth, answer), count in counts.items()
        if count >= LEAST
    ]
    order = {coder: number for number, coder in enumerate(coders)}
    return tuple(
        sorted(found, key=lambda row: (order[row.coder], row.truth or "", -row.count, row.answer or ""))
    )


CONSENSUS = "consensus"  # the coder of the consensus
MEASURE = "competence"


@dataclass(frozen=True, slots=True)
class Standing:
    """One coder."""

    coder: str
    competence: float | None
    interval: Interval | None
    status: str  # ok, or why there is no competence
    annotations: int
    agreement: float | None  # with the consensus


@dataclass(frozen=True, slots=True)
class Difficulty:
    """One item: its consensus and how uncertain that is, in nats; None if nobody annotated it."""

    item: str
    consensus: Any
    entropy: float | None
    ties: tuple[Any, ...] = ()  # values as probable as the consensus, it included, where there are several


@dataclass(frozen=True, slots=True)
class Findings:
    """Competences, confusion, difficulty and consensus under one model."""

    model: str
    study: Study[Any]  # what was modelled
    results: tuple[Result, ...]  # the mean competence, then the accuracy if the truth was given
    coders: tuple[Standing, ...]
    confusion: tuple[Confused, ...]
    items: tuple[Difficulty, ...]
    consensus: Study[Any]  # with one coder

    def hardest(self, most: int) -> list[Difficulty]:
        """Return the items that are the most uncertain, those that are certain left out."""
        open_ = [
            (item.entropy, item) for item in self.items if item.entropy is not None and item.entropy > 1e-6
        ]
        return [item for _, item in sorted(open_, key=lambda pair: -pair[0])[:most]]


def findings_of(
    study: Study[Any], model: str, outcome: Outcome, resampling: Resampling, references: Sequence[str]
) -> Findings:
    """Return the findings of *model* with intervals, statuses and notes."""
    statuses = statuses_of(outcome)
    standings = tuple(
        _standing(study, outcome, resampling, number, status) for number, status in enumerate(statuses)
    )
    entropies = [None if math.isnan(entropy) else entropy for entropy in outcome.entropy.tolist()]
    rows = zip(study.items, outcome.consensus, entropies, outcome.ties, strict=True)
    items = tuple(Difficulty(item.id, value, entropy, ties) for item, value, entropy, ties in rows)
    result = _mean(study, model, outcome, resampling, standings, references)
    return Findings(
        model=model,
        study=study,
        results=(result,),
        coders=standings,
        confusion=outcome.confusion,
        items=items,
        consensus=_consensus(study, outcome),
    )


def statuses_of(outcome: Outcome) -> list[str]:
    """Return for every coder ``ok``, or why the data say nothing of the coder."""
    statuses = []
    for number, count in enumerate(outcome.annotations):
        others = np.delete(outcome.shared[number], number)
        if not count:
            statuses.append("no_annotations")
        elif not others.any():
            statuses.append("no_overlap")
        elif not outcome.varied or np.isnan(outcome.competence[number]):
            statuses.append("no_variation")
        else:
            statuses.append("ok")
    return statuses


def notes_of(study: Study[Any], outcome: Outcome, statuses: Sequence[str]) -> list[str]:
    """Return in words what the data cannot tell."""
    from scipy.sparse.csgraph import connected_components

    notes = list(outcome.notes)
    _, groups = connected_components(outcome.shared, directed=False)
    sharing = [
        [c for c, group in enumerate(groups) if group == each] for each in dict.fromkeys(groups.tolist())
    ]
    sharing = [members for members in sharing if any(statuses[c] in ("ok", "no_variation") for c in members)]
    if len(sharing) > 1:
        named = "; ".join(", ".join(study.coders[c] for c in members[:5]) for members in sharing[:3])
        notes.append(
            f"the coders fall into {len(sharing)} groups that share no item ({named}): competences of "
            "different groups cannot be compared"
        )
    if any(len(members) == 2 for members in sharing):
        notes.append(
            "where only two coders share items, the data tell how often they agree but not who is right"
        )
    return notes


def _standing(
    study: Study[Any], outcome: Outcome, resampling: Resampling, number: int, status: str
) -> Standing:
    value = outcome.competence[number] if status == "ok" else np.nan
    agreement = outcome.agreement[number]
    return Standing(
        coder=study.coders[number],
        competence=None if np.isnan(value) else float(value),
        interval=_interval(study, outcome, resampling, value, outcome.draws[number]),
        status=status,
        annotations=int(outcome.annotations[number]),
        agreement=None if np.isnan(agreement) else float(agreement),
    )


def _interval(
    study: Study[Any], outcome: Outcome, resampling: Resampling, value: float, draws: Any
) -> Interval | None:
    scores = np.concatenate([[value], draws])
    return resampling.interval(lambda rows: rows[:, 0], scores, outcome.members, len(study.clusters))


def _mean(
    study: Study[Any],
    model: str,
    outcome: Outcome,
    resampling: Resampling,
    standings: Sequence[Standing],
    references: Sequence[str],
) -> Result:
    """Return the mean competence over the coders who have one, with these as its groups."""
    ok = np.array([each.status == "ok" for each in standings])
    status = "ok" if ok.any() else next((each.status for each in standings), "no_annotations")
    value = float(outcome.competence[ok].mean()) if ok.any() else np.nan
    counts = ok[:, None] & ~np.isnan(outcome.draws)
    total = np.where(counts, outcome.draws, 0).sum(axis=0)
    draws = np.divide(total, counts.sum(axis=0), out=np.full(total.shape, np.nan), where=counts.any(axis=0))
    interval = _interval(study, outcome, resampling, value, draws)
    used = int(np.sum(~np.isnan(outcome.entropy)))
    details = {"model": model, **outcome.details, "options": {}}
    if outcome.ignored:
        reasons = [each.reason for each in outcome.ignored]
        details["ignored"] = {reason: reasons.count(reason) for reason in dict.fromkeys(reasons)}
    if interval:
        details |= {"resamples": interval.resamples, "undefined_resamples": interval.undefined}
    return Result(
        measure=MEASURE,
        value=None if np.isnan(value) else value,
        status=status,
        interval=interval,
        items_used=used,
        ignored=outcome.ignored,
        signature=_signature(study, model, outcome, resampling, used),
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
        groups={"coder": tuple(map(_group, standings))},
        notes=tuple(notes_of(study, outcome, [each.status for each in standings])),
        references=tuple(references),
    )


def _group(each: Standing) -> Group:
    details = {"agreement": each.agreement}
    return Group(each.coder, each.competence, each.status, each.interval, each.annotations, details)


def _signature(study: Study[Any], model: str, outcome: Outcome, resampling: Resampling, used: int) -> str:
    """Return what somebody else needs to get the same numbers."""
    details = outcome.details
    shown = {key: details[key] for key in ("method", "iterations", "restarts") if key in details}
    parts = [MEASURE, f"model:{model}", *(f"{key}:{value}" for key, value in shown.items())]
    parts += [f"items:{used}", f"coders:{len(study.coders)}"]
    if resampling.resamples:
        parts += [f"interval:{resampling.method}", f"confidence:{resampling.confidence:g}"]
        parts.append(f"resamples:{resampling.resamples}")
    return "|".join([*parts, f"seed:{resampling.seed}", f"v:{arbitree.__version__}"])


def _consensus(study: Study[Any], outcome: Outcome) -> Study[Any]:
    """Return a study of one coder, with the items that have a consensus."""
    pairs = [
        (item, value) for item, value in zip(study.items, outcome.consensus, strict=True) if value is not None
    ]
    cells = {(item.id, CONSENSUS): Annotation(item, CONSENSUS, value) for item, value in pairs}
    items = tuple(item for item, _ in pairs)
    return replace(study, items=items, coders=(CONSENSUS,), cells=cells, reference=None, notes=())

"""A metric fitted to human preferences, evaluated on held-out items.

The weights start from LAS: without evidence to the contrary, the fitted metric equals LAS. The regularisation
(the ridge) is chosen inside the training folds, never on the items used for evaluation.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

import arbitree
from arbitree.errors import UnsupportedStudy
from arbitree.kinds.dependency.measures.arc_pairs import ArcPolicy, Arcs
from arbitree.kinds.dependency.measures.weighted import (
    CREDITS,
    LAS,
    MEASURE,
    WeightedAttachment,
    Weights,
    classes,
)
from arbitree.kinds.preference.contest import PUNCTUATION, SAME
from arbitree.kinds.preference.findings import POOLED, Judged, PreferenceFindings
from arbitree.kinds.preference.statistics.correlation import resampled, spearman
from arbitree.kinds.preference.statistics.logistic import folds_of, log_loss, ridge_logistic
from arbitree.kinds.preference.statistics.verdicts import votes_right
from arbitree.kinds.preference.tables import paper_section
from arbitree.measures.measure import FloatArray
from arbitree.measures.resampling import percentile_bounds
from arbitree.reporting.document import Section
from arbitree.study.result import Table
from arbitree.wording import decimal

OUTER, INNER = 10, 5  # folds to judge by, and to choose the ridge by within each training part
RIDGES = (1000.0, 300.0, 100.0, 30.0, 10.0, 3.0, 1.0)  # besides LAS itself, which is an infinite ridge
LEAST = 5  # items in which a class must make a difference to have a weight
SHOWN = 12  # weights in the table

Name = tuple[str, str, str]  # credit, kind, class
FREE: Name = ("labelled", "base", "")


@dataclass(frozen=True)
class Sides:
    """The arcs of both systems of one data set, and which of its items have a verdict."""

    first: Arcs
    second: Arcs
    known: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class HeldOut:
    """LAS and the fitted metric on items that the weights were not fitted to."""

    name: str
    items: int
    agreement: tuple[float | None, float | None]  # LAS, fitted
    rho: tuple[float | None, float | None]
    agreement_interval: tuple[float, float] | None  # of the difference
    rho_interval: tuple[float, float] | None

    def to_dict(self) -> Mapping[str, Any]:
        """Return the values for JSON."""
        return {
            "set": self.name,
            "items": self.items,
            "las": {"agreement": self.agreement[0], "rho": self.rho[0]},
            MEASURE: {"agreement": self.agreement[1], "rho": self.rho[1]},
            "difference": {
                "agreement": _less(self.agreement),
                "agreement_interval": _listed(self.agreement_interval),
                "rho": _less(self.rho),
                "rho_interval": _listed(self.rho_interval),
            },
        }


@dataclass(frozen=True)
class FittedWeights:
    """The weights from all items, and the results of weights fitted in the same way on held-out items."""

    weights: Weights
    held_out: tuple[HeldOut, ...]
    ridges: tuple[float | None, ...]  # chosen in every fold; None stands for LAS itself
    ridge: float | None  # chosen for the weights from all items
    folds: int

    @property
    def pooled(self) -> HeldOut:
        """All items."""
        return self.held_out[-1]

    @property
    def verdict(self) -> str:
        """One sentence that compares the fitted weights with LAS."""
        las, fitted = self.pooled.agreement
        interval = self.pooled.agreement_interval
        told = f"held-out agreement {_shown(fitted)} against {_shown(las)} for LAS" + (
            f", interval of the difference {_shown(interval[0])} to {_shown(interval[1])}" if interval else ""
        )
        if interval and interval[0] > 0:
            return f"The fitted weights are better than LAS: {told}."
        if interval and interval[1] < 0:
            return f"The fitted weights are worse than LAS: {told}."
        return f"The fitted weights are not better than LAS: {told}."

    def to_dict(self) -> Mapping[str, Any]:
        """Return the values for JSON."""
        return {
            "measure": MEASURE,
            "verdict": self.verdict,
            "folds": self.folds,
            "ridges": list(self.ridges),
            "ridge": self.ridge,
            "held_out": [each.to_dict() for each in self.held_out],
            "weights": self.weights.to_dict(),
        }


def fit_weights(
    findings: PreferenceFindings, *, progress: Callable[[int, int], None] = lambda done, total: None
) -> FittedWeights:
    """Fit token weights to the verdicts, and evaluate the method by cross-validation over items."""
    if not all(WeightedAttachment().fits(each.measured.contest.trees) for each in findings.sets):
        raise UnsupportedStudy("weights can only be fitted to dependency trees", hint="Remove --fit")
    sides = [_sides(each) for each in findings.sets]
    names, x = _design(sides)
    y = np.concatenate([part.y for part in findings.correlations[: len(sides)]])
    sizes = [int(side.known.sum()) for side in sides]
    if len(y) < 4 or len(np.unique(y)) < 2:
        what = f"cannot fit weights to {len(y)} verdicts that all prefer one system"
        raise UnsupportedStudy(what, hint="Judge more items, or remove --fit")
    seed = findings.settings.resampling.seed
    count = min(OUTER, len(y))
    fold = folds_of(sizes, count, seed)
    held = np.zeros(len(y))
    ridges: list[float | None] = []
    for k in range(count):
        train, test = fold != k, fold == k
        weights, ridge = _fit(names, x[train], y[train], seed)
        held[test] = _differences(sides, weights)[test]
        ridges.append(ridge)
        progress(k + 1, count + 1)
    weights, ridge = _fit(names, x, y, seed)
    progress(count + 1, count + 1)
    note = {
        "arbitree": arbitree.__version__,
        "items": len(y),
        "sets": [each.name for each in findings.sets],
        "punctuation": PUNCTUATION,
        "ridge": ridge,
        "seed": seed,
    }
    las = _differences(sides, LAS)
    compared = _compared(findings, las, held, y, sizes)
    return FittedWeights(replace(weights, note=json.dumps(note)), compared, tuple(ridges), ridge, count)


def _sides(each: Judged) -> Sides:
    """Return the arcs of gold with each system, in the order of the items."""
    gold, *systems = (each.measured.trees(place) for place in range(3))
    once = [1] * len(gold)
    first, second = (
        ArcPolicy(PUNCTUATION).arcs([(a, b, None) for a, b in zip(gold, trees, strict=True)], once)
        for trees in systems
    )
    return Sides(first, second, ~np.isnan(each.verdicts.values))


def _design(sides: list[Sides]) -> tuple[list[Name], FloatArray]:
    """Return the names of the columns and the differences in credit between the systems, by class of arc.

    A column is the share of an item's tokens of one class that the first system has correct, minus that of
    the second.
    """
    columns: dict[Name, FloatArray] = {FREE: np.zeros(sum(int(s.known.sum()) for s in sides))}
    begin = 0
    for side in sides:
        end = begin + int(side.known.sum())
        arcs = side.first
        tokens = np.maximum(arcs.per_item(arcs.gold.scored), 1)
        for credit, right in CREDITS.items():
            apart = (right(side.first).astype(float) - right(side.second)) * arcs.gold.scored
            kinds = {"base": (("",), np.zeros(len(apart), dtype=np.intp)), **classes(arcs)}
            for kind, (classed, numbers) in kinds.items():
                for number in np.unique(numbers[apart != 0]):
                    values = arcs.per_item(np.where(numbers == number, apart, 0.0)) / tokens
                    name = (credit, kind, classed[number])
                    column = columns.setdefault(name, np.zeros_like(columns[FREE]))
                    column[begin:end] = values[side.known]
        begin = end
    return list(columns), np.stack(list(columns.values()), axis=1)


def _fit(names: list[Name], x: FloatArray, y: FloatArray, seed: int) -> tuple[Weights, float | None]:
    """Return the weights for these items, and the ridge that was best in folds among them."""
    often = (x != 0).sum(axis=0) >= LEAST
    often[0] = True
    kept, x = [name for name, enough in zip(names, often, strict=True) if enough], x[:, often]
    scale = float(np.std(x[:, 0])) or 1.0
    x = x / scale
    fold = folds_of([len(y)], min(INNER, len(y)), seed)
    losses = np.zeros(len(RIDGES) + 1)
    for k in range(int(fold.max()) + 1):
        train, test = fold != k, fold == k
        losses += [log_loss(x[test], y[test], theta) * test.sum() for theta in _path(x[train], y[train])]
    best = int(np.argmin(losses))
    theta = _path(x, y)[best]
    if theta[0] <= 0 or best == 0:
        return LAS, None
    worth = theta / theta[0]  # only ratios matter: a whole unit of LAS is 1
    entries = tuple(
        (*name, round(float(value), 6)) for name, value in zip(kept, worth, strict=True) if abs(value) > 5e-7
    )
    return Weights(entries), RIDGES[best - 1]


def _path(x: FloatArray, y: FloatArray) -> list[FloatArray]:
    """Return the coefficients of LAS, then those of every ridge, each started from the previous one."""
    alone = np.zeros(x.shape[1])
    alone[0] = ridge_logistic(x[:, :1], y, 0.0)[0]
    found = [alone]
    for ridge in RIDGES:
        found.append(ridge_logistic(x, y, ridge, start=found[-1]))
    return found


def _differences(sides: list[Sides], weights: Weights) -> FloatArray:
    """Return the metric of the first system minus that of the second on all items with a verdict."""
    metric = WeightedAttachment(punctuation=PUNCTUATION, weights=weights)
    parts = []
    for side in sides:
        first, second = metric.count_in(side.first), metric.count_in(side.second)
        whole = np.where(first.denominators > 0, first.denominators, 1.0)
        parts.append(((first.numerators - second.numerators) / whole)[side.known])
    apart = np.concatenate(parts)
    return np.where(np.abs(apart) < SAME, 0.0, apart)


def _compared(
    findings: PreferenceFindings, las: FloatArray, held: FloatArray, y: FloatArray, sizes: list[int]
) -> tuple[HeldOut, ...]:
    found = []
    ends = np.cumsum([0, *sizes])
    for k, part in enumerate(findings.correlations[: len(sizes)]):
        chosen = slice(int(ends[k]), int(ends[k + 1]))
        found.append(_held_out(findings, part.name, las[chosen], held[chosen], y[chosen], part.weights))
    if len(sizes) > 1:
        found.append(_held_out(findings, POOLED, las, held, y, findings.pooled.weights))
    return tuple(found)


def _held_out(
    findings: PreferenceFindings,
    name: str,
    las: FloatArray,
    held: FloatArray,
    y: FloatArray,
    weights: FloatArray,
) -> HeldOut:
    settings = findings.settings
    sides = [np.sign(each) if settings.correlate == "sign" else each for each in (las, held)]
    right = [votes_right(each, y, settings.ties) for each in (las, held)]
    drawn = [_drawn_mean(each, weights) for each in right]
    rhos = [resampled(each, y, weights) for each in sides]
    means = [None if np.all(np.isnan(each)) else float(np.nanmean(each)) for each in right]
    return HeldOut(
        name,
        len(y),
        (means[0], means[1]),
        (spearman(sides[0], y), spearman(sides[1], y)),
        percentile_bounds(drawn[1] - drawn[0], settings.resampling.confidence),
        percentile_bounds(rhos[1] - rhos[0], settings.resampling.confidence),
    )


def _drawn_mean(values: FloatArray, weights: FloatArray) -> FloatArray:
    known = ~np.isnan(values)
    with np.errstate(divide="ignore", invalid="ignore"):
        found: FloatArray = (weights @ np.where(known, values, 0.0)) / (weights @ known.astype(float))
    return found


def fitted_sections(fitted: FittedWeights) -> list[Section]:
    """Return a table of the evaluation, and a table of the weights that changed most."""
    rows = [
        (
            *(each.name, each.items),
            *(*each.agreement, *(each.agreement_interval or (None, None))),
            *(*each.rho, *(each.rho_interval or (None, None))),
        )
        for each in fitted.held_out
    ]
    columns = ("set", "items", "las", "fitted", "low", "high", "ρ las", "ρ fitted", "low of ρ", "high of ρ")
    remark = (
        f"{fitted.verdict} {fitted.folds} folds over items. low and high: interval of the difference, "
        "from resamples of the items without fitting again"
    )
    account = paper_section(
        "fit", "Fitted weights on held-out items", Table(columns, tuple(rows)), remark=remark
    )
    moved = sorted(fitted.weights.entries, key=lambda entry: -abs(entry[3]))
    moved = [entry for entry in moved if entry[:3] != FREE][:SHOWN]
    if not moved:
        return [account]
    table = Table(("credit", "by", "class", "weight"), tuple(moved))
    remark = (
        "a token with the correct head and relation earns 1 plus these weights; a negative sum counts as 0"
    )
    return [account, paper_section("weights", "Weights that changed most", table, remark=remark)]


def _less(pair: tuple[float | None, float | None]) -> float | None:
    return None if pair[0] is None or pair[1] is None else pair[1] - pair[0]


def _listed(interval: tuple[float, float] | None) -> list[float] | None:
    return None if interval is None else list(interval)


def _shown(value: float | None) -> str:
    return "—" if value is None else decimal(value)

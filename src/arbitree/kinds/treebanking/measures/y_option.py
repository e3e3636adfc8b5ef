"""Y-option kappa: agreement of annotators on the discriminants of a parse forest.

Reference:
    de Castro (2011), chapters 4 and 5.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from arbitree.errors import UnknownName
from arbitree.kinds.treebanking.measures.y_counts import (
    BOTH,
    NOOP,
    R1,
    Counted,
    PairCounts,
    YCounts,
    YOptionPolicy,
    YStatistics,
)
from arbitree.kinds.treebanking.measures.y_modes import DERIVATION, EXACT, MODES
from arbitree.kinds.treebanking.measures.y_several import SeveralCounts, SeveralStatistics
from arbitree.kinds.treebanking.value import ACCEPTED, REJECTED, Decisions
from arbitree.measures.measure import Extent, FloatArray, ItemCounts, Measure
from arbitree.plugins import check_name
from arbitree.study.result import Table

CHOICES = {
    "mode": MODES,
    "estimate_rounding": ("none", "floor"),
    "noop": ("estimate", "decision", "exclude"),
    "unique": ("estimate", "disagree", "exclude"),
    "average": ("macro", "micro"),
    "several": ("pairwise", "fleiss", "alpha"),
}
CHUNK = 4_000_000  # numbers held at once while estimates are rounded


def _share(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not 0 <= found <= 1:
        raise UnknownName(f"p_d={text} of y_option_kappa is not a number from 0 to 1", hint="Set p_d=0.5")
    return found


def _modes(stats: YCounts | SeveralCounts) -> list[str]:
    """Return the modes of all pairs of coders."""
    return [] if isinstance(stats, SeveralCounts) else list(dict.fromkeys(pair.mode for pair in stats.pairs))


@dataclass(frozen=True, slots=True)
class YOptionKappa(Measure[YCounts | SeveralCounts]):
    """Y-option kappa, with an option for every choice that its definition leaves open.

    Formula:
        K_Y(s) = (A_o(s) - 1/2) / (1 - 1/2), with A_o(s) the share of options on which the coders agree;
        the mean over sentences, or (micro) the same of all options together.
    Args:
        mode: the options that are compared: ``derivation``, ``neighbourhood``, ``exact`` or ``auto``, which
            chooses by the profiles.
        below_only: whether neighbourhoods begin at the manual decision.
        estimate_rounding: ``floor`` rounds estimates down, as in a table of the thesis; or ``none``.
        noop: sentences without options: ``estimate`` their options; ``decision``, 1 for the same tree or two
            rejections, else -1; or ``exclude`` them.
        unique: options that only one annotator has, in sentences that an annotator rejected: ``estimate``
            their values, count them as ``disagree``, or ``exclude`` them.
        average: ``macro``, the mean over sentences, or ``micro``, all options together.
        several: for more than two annotators, the mean of their pairs (``pairwise``), or all at once
            (``fleiss``, ``alpha``).
        p_d: the share of options that differ, from 0 to 1, for the estimates; by default computed.
    """

    kinds: ClassVar[tuple[type, ...]] = (Decisions,)
    references: ClassVar[tuple[str, ...]] = ("castro2011",)
    about: ClassVar[str] = "Y-option kappa: chance-corrected agreement on the discriminants of a parse forest"
    simulated: ClassVar[bool] = False

    mode: str = "auto"
    below_only: bool = False
    estimate_rounding: str = "none"
    noop: str = "estimate"
    unique: str = "estimate"
    average: str = "macro"
    several: str = "pairwise"
    p_d: float | None = field(default=None, metadata={"parse": _share})

    def __post_init__(self) -> None:
        for name, known in CHOICES.items():
            check_name(getattr(self, name), known, f"{name} value")

    @property
    def policy(self) -> YOptionPolicy:
        """What the counts depend on."""
        return YOptionPolicy(
            mode=self.mode,
            below_only=self.below_only,
            noop=self.noop,
            unique=self.unique,
            p_d=self.p_d,
        )

    @property
    def statistics(self) -> YStatistics | SeveralStatistics:
        """The comparison of all pairs of coders, or of all coders at once."""
        if self.several == "pairwise":
            return YStatistics(self.policy)
        return SeveralStatistics()

    def score(self, stats: YCounts | SeveralCounts, weights: FloatArray) -> FloatArray:
        """Return the mean over the pairs of coders for every row of *weights*; NaN where it is undefined."""
        if isinstance(stats, SeveralCounts):
            return stats.alpha(weights) if self.several == "alpha" else stats.fleiss(weights, self.average)
        if not stats.pairs:
            return np.full(len(weights), np.nan)
        values = np.array([self.of_pair(pair, weights) for pair in stats.pairs])
        defined = ~np.isnan(values)
        sums: FloatArray = np.where(defined, values, 0).sum(axis=0)
        with np.errstate(invalid="ignore", divide="ignore"):
            return sums / np.where(defined.any(axis=0), defined.sum(axis=0), np.nan)

    def extent(self, stats: YCounts | SeveralCounts, weights: FloatArray) -> Extent:
        """Return 1 to -1, as the share of options agreed on goes from 1 to 0; alpha has no lower limit."""
        return Extent(worst=-math.inf if self.several == "alpha" else -1, unlike=2)

    def of_pair(self, pair: PairCounts, weights: FloatArray) -> FloatArray:
        """Return the value of one pair of coders for every row of *weights*."""
        if not len(pair.rows):
            return np.full(len(weights), np.nan)
        w = weights[:, pair.columns]
        diverging = self.divergence(pair, w)
        size = self._sizes(pair, w)
        agreed = self._agreed(pair, w, diverging, size)
        with np.errstate(invalid="ignore", divide="ignore"):
            if self.average == "macro":
                whole: FloatArray = w.sum(axis=1)
            else:
                whole = w @ np.where(pair.noop, 0, pair.weight) + size * (w @ pair.noop)
            return 2 * agreed / whole - 1

    def divergence(self, pair: PairCounts, w: FloatArray) -> FloatArray:
        """Return P_D for every row of *w* (5.3): the share of options that differ where both accepted."""
        if self.p_d is not None:
            return np.full(len(w), self.p_d)
        differing = np.where(pair.both, pair.weight - pair.fixed, 0)
        with np.errstate(invalid="ignore", divide="ignore"):
            found: FloatArray = w @ differing / (w @ np.where(pair.both, pair.weight, 0))
        return found if pair.open.any() else np.nan_to_num(found)

    def details(self, stats: YCounts | SeveralCounts, weights: FloatArray) -> Mapping[str, Any]:
        """Return the parts of the value, and the other values that are to be read beside it."""

        if isinstance(stats, SeveralCounts):
            return several_details(stats, weights)
        chosen = {
            "mode": self.resolved(stats).get("mode", ""),
            "mode_reason": "; ".join(dict.fromkeys(filter(None, (pair.reason for pair in stats.pairs)))),
            "caution": " ".join(filter(None, (pair.caution for pair in stats.pairs))),
            # By the outcome, because the value of a sentence may be estimated.
            "items_differing": len({row.item.id for pair in stats.pairs for row in pair.rows if row.differs}),
        }
        if len(stats.pairs) == 1:
            return chosen | pair_details(self, stats.pairs[0], weights)
        values = {" - ".join(pair.pair): _number(self.of_pair(pair, weights)) for pair in stats.pairs}
        defined = [value for value in values.values() if value is not None]
        return chosen | {"lowest_pair": min(defined, default=None), "pairs": values}

    def resolved(self, stats: YCounts | SeveralCounts) -> Mapping[str, str]:
        """Return the mode that was used: with several pairs of coders, there may be more than one."""
        modes = _modes(stats)
        return {"mode": "+".join(modes)} if modes else {}

    def sees(self, stats: YCounts | SeveralCounts) -> tuple[str, ...]:
        """Return the decisions, and the parses that the mode reads."""
        if isinstance(stats, SeveralCounts):
            return ()
        read = {DERIVATION: "accepted", EXACT: "parses"}
        return ("decisions", *sorted({read[mode] for mode in _modes(stats) if mode in read}))

    def per_item(self, stats: YCounts | SeveralCounts) -> Table:
        """Return every sentence; with two coders, with all that its value is made of."""
        if isinstance(stats, YCounts) and len(stats.pairs) == 1:
            return self._one_pair(stats.pairs[0])
        return Measure.per_item(self, stats)

    def item_counts(self, stats: YCounts | SeveralCounts) -> ItemCounts:
        """Return the options agreed on, all options and the mean value over the pairs of coders."""
        if isinstance(stats, SeveralCounts):
            return stats.item_counts()
        sums: dict[str, list[tuple[float, float]]] = {item.id: [] for item in stats.used}
        for pair in stats.pairs:
            for row, agreed, size in self._rows(pair):
                sums[row.item.id].append((agreed, size))
        return ItemCounts(
            [sum(agreed for agreed, _ in found) for found in sums.values()],
            [sum(size for _, size in found) for found in sums.values()],
            [sum(2 * agreed / size - 1 for agreed, size in found) / len(found) for found in sums.values()],
        )

    def _one_pair(self, pair: PairCounts) -> Table:
        columns = (
            "item", "numerator", "denominator", "value", "mode", "subset", "first", "second", "readings",
            "options", "common", "unique", "equal", "vacuous", "estimated", "agreement", "same_tree",
        )  # fmt: skip
        rows = []
        for row, agreed, size in self._rows(pair):
            share = agreed / size
            counts = (row.total, row.common, row.unique, row.equal, row.vacuous)
            start = (
                row.item.id,
                agreed,
                size,
                2 * share - 1,
                row.mode,
                row.subset,
                *row.statuses,
                row.readings,
            )
            rows.append((*start, *counts, agreed - row.fixed, share, row.exact_match))
        return Table(columns, tuple(rows))

    def _rows(self, pair: PairCounts) -> list[tuple[Counted, float, float]]:
        """Return every sentence with the options agreed on, estimates included, and all of its options."""
        ones = np.ones((1, len(pair.rows)))
        diverging = float(self.divergence(pair, ones)[0]) if len(pair.rows) else 0.0
        found = []
        for row in pair.rows:
            estimate = row.open * (1 - diverging) if row.open else 0.0
            if self._floors(row):
                estimate = math.floor(estimate + 1e-9)
            found.append((row, float(row.fixed + estimate), float(row.weight)))
        return found

    def _floors(self, row: Counted) -> bool:
        return self.estimate_rounding == "floor" and row.subset != NOOP

    def _sizes(self, pair: PairCounts, w: FloatArray) -> FloatArray:
        """Return O_avg (5.7): the mean number of options of the sentences that have any; 1 if none has."""
        with np.errstate(invalid="ignore", divide="ignore"):
            found = w @ np.where(pair.noop, 0, pair.weight) / (w @ ~pair.noop)
        return np.where(np.isnan(found), 1.0, found)

    def _agreed(self, pair: PairCounts, w: FloatArray, diverging: FloatArray, size: FloatArray) -> FloatArray:
        """Return the sum of agreement over the sentences: of shares (macro) or of options (micro)."""
        macro = self.average == "macro"
        scale = 1 / pair.weight if macro else np.ones(len(pair.rows))
        rounded = (self.estimate_rounding == "floor") & ~pair.noop & (pair.open > 0)
        linear = np.where(pair.noop | rounded, 0, pair.open) * scale
        agreed: FloatArray = w @ (np.where(pair.noop, 0, pair.fixed) * scale)
        if linear.any():  # NaN means undefined, and 0 x NaN must not spoil what needs no estimate
            agreed = agreed + (1 - diverging) * (w @ linear)
        if rounded.any():
            agreed = agreed + _floored(w[:, rounded], pair.open[rounded], scale[rounded], diverging)
        if pair.noop.any():
            known = w @ np.where(pair.noop, pair.fixed, 0)
            open_ones = w @ np.where(pair.noop, pair.open, 0)
            more = known + (open_ones * (1 - diverging) if pair.open[pair.noop].any() else 0)
            agreed = agreed + (more if macro else size * more)
        return agreed


def _floored(w: FloatArray, open_: FloatArray, scale: FloatArray, diverging: FloatArray) -> FloatArray:
    """Return the weighted sums of estimates that were rounded down, a few rows at a time."""
    step = max(1, CHUNK // max(1, len(open_)))
    parts = []
    for start in range(0, len(w), step):
        share = 1 - diverging[start : start + step, None]
        parts.append((w[start : start + step] * np.floor(share * open_ + 1e-9) * scale).sum(axis=1))
    return np.concatenate(parts)


def _number(values: FloatArray) -> float | None:
    return None if np.isnan(values[0]) else float(values[0])


def pair_details(measure: YOptionKappa, pair: PairCounts, weights: FloatArray) -> dict[str, Any]:
    """Return the parts of the value of one pair of coders under one row of *weights*."""
    kept = weights[0, pair.columns] > 0
    rows = [row for row, keep in zip(pair.rows, kept, strict=True) if keep]
    w = np.ones((1, len(pair.rows))) * kept
    subsets = {name: sum(row.subset == name for row in rows) for name in (BOTH, R1, NOOP)}
    options = sum(row.total for row in rows)
    size = options / (subsets[BOTH] + subsets[R1]) if subsets[BOTH] + subsets[R1] else None
    estimated = sum(row.open for row in rows if row.subset == R1) + subsets[NOOP] * (size or 0)
    whole = options + subsets[NOOP] * (size or 0)
    return {
        "with_estimation": _number_or_none(_of(measure, pair, [_opened(row) for row in pair.rows], weights)),
        "without_estimation": _number_or_none(_without(measure, pair, weights)),
        "without_estimation_sentences": subsets[BOTH] + subsets[R1],
        "both_accepted_only": _number_or_none(_only_both(measure, pair, weights)),
        "micro": _number_or_none(replace(measure, average="micro").of_pair(pair, weights)),
        "macro": _number_or_none(replace(measure, average="macro").of_pair(pair, weights)),
        "p_d": _number_or_none(measure.divergence(pair, w)) if rows else None,
        "mean_options": size,
        "counted_options": options,
        "estimated_share": estimated / whole if whole else None,
        "sentences_both_accepted": subsets[BOTH],
        "sentences_rejected_by_one": subsets[R1],
        "sentences_without_options": subsets[NOOP],
        "vacuous": sum(row.vacuous for row in rows),
        **_decisions(rows),
        **_plain(rows),
    }


def several_details(stats: SeveralCounts, weights: FloatArray) -> dict[str, Any]:
    """Return the parts of the value of any number of coders."""
    w = weights[:, stats.columns]
    return {
        "discriminants": int((w @ stats.discriminants)[0]),
        "yes": int((w @ stats.yes)[0]),
        "no": int((w @ stats.no)[0]),
    }


def _decisions(rows: list[Any]) -> dict[str, Any]:
    """Return the table of decisions of the sentences in use, and how often the same tree was accepted."""
    found = [row.statuses for row in rows]
    both = found.count((ACCEPTED, ACCEPTED))
    same = sum(row.exact_match for row in rows)
    return {
        "accepted_by_both": both,
        "accepted_by_first_only": found.count((ACCEPTED, REJECTED)),
        "accepted_by_second_only": found.count((REJECTED, ACCEPTED)),
        "rejected_by_both": found.count((REJECTED, REJECTED)),
        "same_tree": same,
        "same_tree_share": same / both if both else None,
    }


def _plain(rows: list[Any]) -> dict[str, Any]:
    """Return pi and alpha on the values of the discriminants recorded for both annotators.

    Most values are "no", which a chance agreement of one half does not know.
    """
    yes_yes, yes_no, no_yes, no_no = (
        np.array([row.table for row in rows], dtype=float).reshape(-1, 4).sum(axis=0)
    )
    pairs = yes_yes + yes_no + no_yes + no_no
    if not pairs:
        return {"shared_discriminants": 0, "options_pi": None, "options_alpha": None}
    observed = (yes_yes + no_no) / pairs
    yes = (2 * yes_yes + yes_no + no_yes) / (2 * pairs)
    expected = yes**2 + (1 - yes) ** 2
    pi = None if expected == 1 else float((observed - expected) / (1 - expected))
    # With two values everywhere alpha's expected disagreement counts pairs without replacement.
    alpha = None if pi is None else float(1 - (1 - observed) / (1 - expected) * (2 * pairs - 1) / (2 * pairs))
    return {"shared_discriminants": int(pairs), "options_pi": pi, "options_alpha": alpha}


def _without(measure: YOptionKappa, pair: PairCounts, weights: FloatArray) -> FloatArray:
    """Return the value with options of one coder as differences, and sentences without options left out."""
    kept = [row for row in pair.rows if row.subset != NOOP or row.total]
    whole = [replace(row, open=0.0, weight=float(row.total)) for row in kept]
    return _of(measure, pair, [row for row in whole if row.total], weights)


def _opened(row: Any) -> Any:
    if row.subset != R1 or row.mode == "recorded":
        return row
    return replace(row, open=float(row.unique), weight=float(row.total))


def _only_both(measure: YOptionKappa, pair: PairCounts, weights: FloatArray) -> FloatArray:
    return _of(measure, pair, [row for row in pair.rows if row.subset == BOTH], weights)


def _of(measure: YOptionKappa, pair: PairCounts, rows: list[Any], weights: FloatArray) -> FloatArray:
    from arbitree.kinds.treebanking.measures.y_counts import arrays

    places = {row.item.cluster: int(column) for row, column in zip(pair.rows, pair.columns, strict=True)}
    return measure.of_pair(arrays(pair.pair, rows, places), weights)


def _number_or_none(values: FloatArray) -> float | None:
    return None if np.isnan(values[0]) else float(values[0])


PLUGINS = {"y_option_kappa": YOptionKappa()}

"""What stands beside a Y-option kappa: other values, subsets, the table of decisions, plain pi and alpha."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from arbitree.data.decisions import ACCEPTED, REJECTED
from arbitree.measures.base import FloatArray
from arbitree.measures.y_counts import BOTH, NOOP, R1, PairCounts

if TYPE_CHECKING:
    from arbitree.measures.y_option import YOptionKappa
    from arbitree.measures.y_several import SeveralCounts


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
        "with_estimation": _number(_of(measure, pair, [_opened(row) for row in pair.rows], weights)),
        "without_estimation": _number(_without(measure, pair, weights)),
        "without_estimation_sentences": subsets[BOTH] + subsets[R1],
        "both_accepted_only": _number(_only_both(measure, pair, weights)),
        "micro": _number(replace(measure, average="micro").of_pair(pair, weights)),
        "macro": _number(replace(measure, average="macro").of_pair(pair, weights)),
        "p_d": _number(measure.divergence(pair, w)) if rows else None,
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
    """Return pi and alpha over the values of the discriminants that were recorded for both coders.

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
    from arbitree.measures.y_counts import arrays

    places = {row.item.cluster: int(column) for row, column in zip(pair.rows, pair.columns, strict=True)}
    return measure.of_pair(arrays(pair.pair, rows, places), weights)


def _number(values: FloatArray) -> float | None:
    return None if np.isnan(values[0]) else float(values[0])

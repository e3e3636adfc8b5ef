"""Counts of options for Y-option kappa: for each pair of annotators and each sentence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arbitree.backends.base import Run
from arbitree.kinds.treebanking.derivation import accepted_derivation, parsed_differently
from arbitree.kinds.treebanking.measures.discriminants import (
    Exact,
    Judged,
    exact,
    judged,
    same_tree,
    sides_of,
    summed,
)
from arbitree.kinds.treebanking.measures.neighbourhoods import neighbourhoods
from arbitree.kinds.treebanking.measures.y_modes import (
    DERIVATION,
    DISCRIMINANT,
    EXACT,
    NEIGHBOURHOOD,
    SPARSE,
    Candidates,
    Mode,
    choose,
    lexicon_of,
    overlap,
)
from arbitree.kinds.treebanking.value import (
    ACCEPTED,
    AMBIGUOUS,
    LOST,
    REJECTED,
    UNANNOTATED,
    UNPARSED,
    Decisions,
)
from arbitree.measures.measure import FloatArray, Prepared, Statistics
from arbitree.study.comparable import cluster_positions
from arbitree.study.result import Ignored
from arbitree.study.study import Item, Study
from arbitree.wording import percent

BOTH = "both"  # accepted by both, options present
R1 = "rejected"  # rejected by at least one, options present
NOOP = "none"  # no options in either list

UNLIKE = 0.1  # share of sentences with other tokens from which on annotators are not called comparable

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class YOptionPolicy:
    """The choices that the definition of Y-option kappa leaves open."""

    mode: str = "auto"
    below_only: bool = False
    noop: str = "estimate"
    unique: str = "estimate"
    p_d: float | None = None


@dataclass(frozen=True, slots=True)
class Counted:
    """One sentence of one pair of coders. Agreement is (fixed + estimate of open) / weight."""

    item: Item
    subset: str
    mode: str
    statuses: tuple[str, str]
    readings: int
    total: int  # O
    common: int  # O_com
    equal: int  # O_eq
    unique: int  # O_uniq
    vacuous: int
    exact_match: bool
    table: tuple[int, int, int, int]  # shared discriminants: yes yes, yes no, no yes, no no
    tokens_differ: bool = False  # and were aligned by characters
    contradicted: int = 0  # recorded values that the accepted derivation contradicts
    fixed: float = 0.0
    open: float = 0.0
    weight: float = 1.0

    @property
    def differs(self) -> bool:
        """Whether the coders do not have the same outcome: one accepted it, or both with another parse."""
        return self.statuses[0] != self.statuses[1] or (self.statuses[0] == ACCEPTED and not self.exact_match)


@dataclass(frozen=True, slots=True)
class PairCounts:
    """All sentences that one pair of coders is compared on."""

    pair: Pair
    rows: tuple[Counted, ...]
    columns: NDArray[np.intp]  # the place of each row in the weights
    fixed: FloatArray
    open: FloatArray
    weight: FloatArray
    both: NDArray[np.bool_]
    noop: NDArray[np.bool_]  # weighs as much as an average sentence
    mode: str = ""  # that was used
    reason: str = ""  # why auto chose it
    caution: str = ""  # why the annotators cannot be compared


@dataclass(frozen=True, slots=True, kw_only=True)
class YCounts(Prepared):
    """The statistics of Y-option kappa."""

    pairs: tuple[PairCounts, ...]


@dataclass(frozen=True, slots=True)
class YStatistics(Statistics[YCounts]):
    """Recipe: compare all pairs of coders under one policy."""

    policy: YOptionPolicy

    def prepare(self, study: Study[Decisions], run: Run) -> YCounts:
        """Compare the coders; *run* is not needed, this is fast."""
        places = cluster_positions(study)
        pairs: list[PairCounts] = []
        reasons: dict[str, Ignored] = {}
        notes: list[str] = []
        for pair in combinations(study.coders, 2):
            rows, ignored, choice = _pair(study, pair, self.policy)
            caution = _caution(study, pair, rows, ignored)
            found = arrays(pair, rows, places)
            pairs.append(replace(found, mode=choice.name, reason=choice.reason, caution=caution))
            reasons.update({each.item: each for each in reversed(ignored) if each.item not in reasons})
            notes += _notes(study, pair, rows, ignored, choice.name)
        ids = {row.item.id for each in pairs for row in each.rows}
        used = tuple(item for item in study.items if item.id in ids)
        return YCounts(
            pairs=tuple(pairs),
            columns=np.array([places[item.cluster] for item in used], dtype=np.intp),
            used=used,
            ignored=tuple(reasons[item.id] for item in study.items if item.id not in ids),
            notes=tuple(notes),
        )


def obstacle(item: Item, cells: list[Any]) -> Ignored | None:
    """Return why a sentence cannot be compared: one coder has it not, or has decided nothing."""
    if len(cells) < 2:
        who = f"only by {cells[0].coder}" if cells else "by no annotator"
        return Ignored(item.id, "single_annotation", who)
    if all(cell.value.status in (ACCEPTED, REJECTED) for cell in cells):
        return None
    for status in (UNPARSED, LOST, UNANNOTATED, AMBIGUOUS):
        coders = [cell.coder for cell in cells if cell.value.status == status]
        if coders:
            return Ignored(item.id, status, f"for {', '.join(coders)}")
    return None


def _pair(
    study: Study[Decisions], pair: Pair, policy: YOptionPolicy
) -> tuple[list[Counted], list[Ignored], Mode]:
    candidates: Candidates = []
    ignored: list[Ignored] = []
    # A tool that stores all discriminants does so in every suite; some have no undecided ones to show it.
    complete = {coder for (_, coder), cell in study.cells.items() if coder in pair and cell.value.complete}
    for item in study.items:
        cells = [study.cells[item.id, coder] for coder in pair if (item.id, coder) in study.cells]
        reason = obstacle(item, cells)
        if reason:
            ignored.append(reason)
        else:
            first, second = (_completed(cell.value, cell.coder in complete) for cell in cells)
            candidates.append((item, first, second))
    choice = choose(candidates) if policy.mode == "auto" else Mode(policy.mode)
    if choice.name == DERIVATION:
        choice = replace(choice, lexicon=lexicon_of(candidates))
    rows: list[Counted] = []
    for item, first, second in candidates:
        row = _counted(item, first, second, policy, choice)
        rows += [row] if isinstance(row, Counted) else []
        ignored += [row] if isinstance(row, Ignored) else []
    rows, ignored = _estimable(rows, ignored, policy)
    return rows, ignored, choice


def _completed(decisions: Decisions, complete: bool) -> Decisions:
    return replace(decisions, complete=True) if complete and not decisions.complete else decisions


def _counted(
    item: Item, first: Decisions, second: Decisions, policy: YOptionPolicy, choice: Mode
) -> Counted | Ignored:
    accepted = first.status == second.status == ACCEPTED
    mode = choice.name
    if mode == DERIVATION and accepted and not (accepted_derivation(first) and accepted_derivation(second)):
        if not choice.fallback:
            return Ignored(item.id, "no_derivation", "an accepted parse is not stored")
        mode = NEIGHBOURHOOD
    if mode in (NEIGHBOURHOOD, DISCRIMINANT) and parsed_differently(first, second):
        sides = None
    else:
        sides = sides_of((first, second), choice.lexicon if mode == DERIVATION else None)
    if sides is None:
        return Ignored(item.id, "tokens_not_aligned", "the parses have different tokens")
    # A full forest states one parse for every sentence, of which there may be many.
    several = not (first.single and second.single) or first.forest or second.forest or not sides.same_tree
    found = judged(sides, whole=mode == DERIVATION and accepted and several and policy.noop != "exclude")
    bare = Counted(
        item=item,
        subset=NOOP if not found else BOTH if accepted else R1,
        mode=mode,
        statuses=(first.status, second.status),
        readings=max(first.readings, second.readings),
        total=0,
        common=0,
        equal=0,
        unique=0,
        vacuous=0,
        exact_match=accepted and same_tree(first, second),
        table=_table(found),
        tokens_differ=sides.tokens_differ,
        contradicted=sides.contradicted,
    )
    if mode == EXACT:
        known = (choice.known or {}).get(item.id) or exact(first, second)
        return _exact(replace(bare, subset=BOTH if accepted else R1), known)
    if bare.subset == NOOP:
        return _without_options(bare, policy)
    if mode == NEIGHBOURHOOD:
        return _weighed(_with_neighbourhoods(bare, first, second, policy), policy)
    union, common, equal = summed(found)
    total = common if accepted else union  # where both accepted, nothing that counts is missing
    row = replace(bare, total=total, common=common, equal=equal, unique=union - common)
    return _weighed(row, policy)


def _with_neighbourhoods(
    bare: Counted, first: Decisions, second: Decisions, policy: YOptionPolicy
) -> Counted:
    found = neighbourhoods(first.decided, second.decided, below_only=policy.below_only)
    common = equal = unique = vacuous = 0
    for each in found:
        if not each.common:
            unique += 1
        else:  # without a shared discriminant there is no contradiction: the thesis counts them as equal
            vacuous += each.vacuous
            common += 1
            equal += each.same
    return replace(bare, total=common + unique, common=common, equal=equal, unique=unique, vacuous=vacuous)


def _weighed(row: Counted, policy: YOptionPolicy) -> Counted | Ignored:
    """Return the row with what is known, what is to be estimated, and what both are divided by."""
    if row.subset == BOTH or policy.unique == "disagree":
        row = replace(row, fixed=row.equal, weight=row.total)
    elif policy.unique == "exclude":
        row = replace(row, fixed=row.equal, weight=row.common)
    else:
        row = replace(row, fixed=row.equal, open=row.unique, weight=row.total)
    if not row.weight:
        return Ignored(row.item.id, "no_common_option", f"{row.unique} discriminants of only one annotator")
    return row


def _without_options(bare: Counted, policy: YOptionPolicy) -> Counted | Ignored:
    if policy.noop == "exclude":
        return Ignored(bare.item.id, "no_options", "neither coder has recorded options")
    if policy.noop == "decision":
        same = bare.exact_match or bare.statuses == (REJECTED, REJECTED)
        return replace(bare, fixed=float(same), weight=1.0)
    return replace(bare, open=1.0, weight=1.0)


def _exact(bare: Counted, found: Exact | None) -> Counted | Ignored:
    if found is None:
        return Ignored(bare.item.id, "not_exact", "neither all discriminants nor all parses are stored")
    if not found.total:
        return Ignored(bare.item.id, "no_options", "there is no discriminant that both decided")
    return replace(
        bare,
        mode=found.how,
        total=found.total,
        common=found.total,
        equal=found.equal,
        fixed=found.equal,
        weight=found.total,
    )


def _estimable(
    rows: list[Counted], ignored: list[Ignored], policy: YOptionPolicy
) -> tuple[list[Counted], list[Ignored]]:
    """Leave out what is to be estimated if there is nothing to estimate it from."""
    if policy.p_d is not None or any(row.subset == BOTH for row in rows):
        return rows, ignored
    kept = [row for row in rows if not row.open]
    what = "no sentence was accepted by both annotators"
    return kept, ignored + [Ignored(row.item.id, "no_estimate", what) for row in rows if row.open]


def _table(found: list[Judged]) -> tuple[int, int, int, int]:
    counts = [0, 0, 0, 0]
    for each in found:
        if each.common:
            counts[2 * (not each.first) + (not each.second)] += 1
    return counts[0], counts[1], counts[2], counts[3]


def arrays(pair: Pair, rows: list[Counted], places: dict[str, int]) -> PairCounts:
    """Return *rows*, and as arrays what the value is made of; *places* of clusters in the weights."""
    return PairCounts(
        pair=pair,
        rows=tuple(rows),
        columns=np.array([places[row.item.cluster] for row in rows], dtype=np.intp),
        fixed=np.array([row.fixed for row in rows], dtype=np.float64),
        open=np.array([row.open for row in rows], dtype=np.float64),
        weight=np.array([row.weight for row in rows], dtype=np.float64),
        both=np.array([row.subset == BOTH for row in rows], dtype=bool),
        noop=np.array([row.subset == NOOP and not row.total for row in rows], dtype=bool),
    )


def _caution(study: Study[Decisions], pair: Pair, rows: list[Counted], ignored: list[Ignored]) -> str:
    """Return why two annotations of other tokens cannot be compared; "" if nearly all tokens are the same."""
    lost = [each.item for each in ignored if each.reason == "tokens_not_aligned"]
    aligned = [row.item.id for row in rows if row.tokens_differ]
    both = len(lost) + sum(row.statuses == (ACCEPTED, ACCEPTED) for row in rows)
    unlike = len(lost) + len(aligned)
    if not both or unlike < UNLIKE * both:
        return ""
    grammars = _grammars(study, pair)
    named = f" ({' and '.join(grammars)})" if all(grammars) and grammars[0] != grammars[1] else ""
    how = [f"Aligned by characters: {len(aligned):,}."] if aligned else []
    how += [f"Not aligned, and excluded: {len(lost):,}."] if lost else []
    return (
        f"{' and '.join(pair)} cannot be compared as two annotations of the same parses: the grammars{named} "
        f"use different tokens in {unlike:,} of {both:,} sentences that both accepted, so rules and spans "
        f"differ even where annotators agree. {' '.join(how)}"
    )


def _grammars(study: Study[Decisions], pair: Pair) -> list[str]:
    found = [
        sorted({cell.value.grammar for (_, each), cell in study.cells.items() if each == coder} - {""})
        for coder in pair
    ]
    return [", ".join(each) for each in found]


def _notes(
    study: Study[Decisions], pair: Pair, rows: list[Counted], ignored: list[Ignored], mode: str
) -> Iterator[str]:
    who = " and ".join(pair)
    ours, theirs = ([study.cells[row.item.id, coder].value for row in rows] for coder in pair)
    grammars = _grammars(study, pair)
    if all(grammars) and grammars[0] != grammars[1]:
        named = " and ".join(f"{coder} {grammar}" for coder, grammar in zip(pair, grammars, strict=True))
        yield f"the grammars differ ({named}), so discriminants may not be comparable"
    unlike = [row.item.id for row, a, b in zip(rows, ours, theirs, strict=True) if a.readings != b.readings]
    if unlike:
        sentences = f"{len(unlike):,} of {len(rows):,} sentences"
        yield (
            f"{sentences} of {who} differ in the number of parses, so discriminants may not be comparable; "
            f"first: {unlike[0]!r}"
        )
    moved = [row.item.id for row in rows if row.tokens_differ]
    if moved:
        yield f"sentences of {who} with different tokens, aligned by characters: {len(moved):,}"
    against = sum(row.contradicted for row in rows)
    if against:
        yield f"decisions of {who} that contradict the accepted parse, which counts instead: {against:,}"
    other = [row for row in rows if mode == DERIVATION != row.mode and row.subset == BOTH]
    if other:
        yield (
            f"sentences of {who} compared by neighbourhoods, because an accepted parse is not stored: "
            f"{len(other):,}; first: {other[0].item.id!r}"
        )
    same = [(a, b) for row, a, b in zip(rows, ours, theirs, strict=True) if row.exact_match]
    if mode in (NEIGHBOURHOOD, DISCRIMINANT) and (share := overlap(same)) < SPARSE:
        yield (
            f"where {who} accepted the same parse, only {percent(share)} of the recorded discriminants are "
            "recorded for both, so a low value may show gaps in the records instead of disagreement"
        )
    if any(each.reason == "no_estimate" for each in ignored):
        yield f"{who} accepted no sentence with discriminants in common, so nothing is estimated; set p_d"

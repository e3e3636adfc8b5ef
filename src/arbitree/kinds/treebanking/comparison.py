"""Two annotators side by side, sentence by sentence, and what changed since an older version."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from arbitree.kinds.treebanking.derivation import Derivation, accepted_derivation
from arbitree.kinds.treebanking.disputes import (
    DecidedPairs,
    Dispute,
    Split,
    disputes_in,
    judgements_of,
    splits_in,
)
from arbitree.kinds.treebanking.measures.discriminants import same_tree
from arbitree.kinds.treebanking.measures.y_modes import DERIVATION, lexicon_of
from arbitree.kinds.treebanking.value import (
    ACCEPTED,
    AMBIGUOUS,
    LOST,
    REJECTED,
    UNANNOTATED,
    UNPARSED,
    Decisions,
)
from arbitree.numbers import whole_number
from arbitree.study.result import Result
from arbitree.study.study import Study
from arbitree.wording import brief

ABSENT = "absent"  # the status of a sentence that one version lacks


@dataclass(frozen=True, slots=True)
class Totals:
    """The counts of a report on two annotators."""

    coders: tuple[str, str]
    parsed: int
    lost: int
    unannotated: int
    ambiguous: int
    missing: int  # parsed, but in the profile of one annotator only
    accepted_by_both: int
    accepted_by_first_only: int
    accepted_by_second_only: int
    rejected_by_both: int
    unparsed: int = 0

    @property
    def countable(self) -> int:
        """Sentences that both decided."""
        return self.parsed - self.lost - self.unannotated - self.ambiguous - self.missing

    @property
    def rejected_by_first_only(self) -> int:
        """Sentences that the second annotator alone accepted."""
        return self.accepted_by_second_only

    @property
    def rejected_by_second_only(self) -> int:
        """Sentences that the first annotator alone accepted."""
        return self.accepted_by_first_only

    @property
    def accepted_by_one(self) -> int:
        """Sentences accepted by at least one."""
        return self.accepted_by_both + self.accepted_by_first_only + self.accepted_by_second_only

    @property
    def rejected_by_one(self) -> int:
        """Sentences rejected by at least one."""
        return self.rejected_by_both + self.rejected_by_first_only + self.rejected_by_second_only

    def check(self) -> None:
        """Raise AssertionError unless the counts add up; they always do, or there is a bug here."""
        one = self.accepted_by_first_only + self.accepted_by_second_only
        assert self.countable == self.accepted_by_both + self.rejected_by_both + one
        assert self.accepted_by_one + self.rejected_by_both == self.countable
        assert self.rejected_by_one + self.accepted_by_both == self.countable


def totals_of(study: Study[Decisions], pair: tuple[str, str]) -> Totals:
    """Count the sentences of *study* that a pair of annotators has."""
    counts: Counter[str] = Counter()
    decided: Counter[tuple[str, ...]] = Counter()
    for item in study.items:
        cells = [study.cells[item.id, coder] for coder in pair if (item.id, coder) in study.cells]
        statuses = tuple(cell.value.status for cell in cells)
        if not statuses:
            continue
        if UNPARSED in statuses:
            counts[UNPARSED] += 1
            continue
        counts["parsed"] += 1
        if len(statuses) == 1:
            counts["missing"] += 1
            continue
        obstacle = next((each for each in (LOST, UNANNOTATED, AMBIGUOUS) if each in statuses), None)
        if obstacle:
            counts[obstacle] += 1
        else:
            decided[statuses] += 1
    found = Totals(
        coders=pair,
        parsed=counts["parsed"],
        lost=counts[LOST],
        unannotated=counts[UNANNOTATED],
        ambiguous=counts[AMBIGUOUS],
        missing=counts["missing"],
        accepted_by_both=decided[ACCEPTED, ACCEPTED],
        accepted_by_first_only=decided[ACCEPTED, REJECTED],
        accepted_by_second_only=decided[REJECTED, ACCEPTED],
        rejected_by_both=decided[REJECTED, REJECTED],
        unparsed=counts[UNPARSED],
    )
    found.check()
    return found


Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Suites:
    """The suites of one corpus."""

    corpus: str
    start: str
    end: str
    sentences: int


@dataclass(frozen=True, slots=True)
class SentenceRow:
    """One sentence. Counts and values are None where it could not be compared."""

    item: str
    suite: str
    text: str
    readings: int
    statuses: tuple[str, str]  # "" for an annotator who does not have it
    chosen: tuple[str, str]  # ids of the parses
    remark: str  # why it could not be compared
    subset: str | None = None
    mode: str | None = None
    options: int | None = None
    common: int | None = None
    unique: int | None = None
    equal: int | None = None
    estimated: float | None = None
    agreement: float | None = None
    kappa: float | None = None


@dataclass(frozen=True, slots=True)
class Divergence:
    """A sentence for the adjudicator: accepted by one only, or with another parse by each."""

    item: str
    suite: str
    text: str
    who: str  # as in "ann - 4" or "Both - 4/10"
    annotations: tuple[Decisions, Decisions]
    disputed: tuple[str, ...]  # discriminants that differ, in words

    __repr__ = brief

    @property
    def statuses(self) -> tuple[str, str]:
        """What each annotator decided."""
        return self.annotations[0].status, self.annotations[1].status

    def analyses(self, write: Callable[[Derivation], str]) -> list[str]:
        """Return what each annotator chose: the derivation as *write* shows it, or why there is none."""
        found = []
        for each in self.annotations:
            tree = accepted_derivation(each)
            absent = f"parse {_ids(each)}, not stored" if each.status == ACCEPTED else each.status
            found.append(write(tree) if tree else absent)
        return found


@dataclass(frozen=True, slots=True)
class Comparison:
    """All that a report on two annotators tells."""

    coders: Pair
    result: Result
    totals: Totals
    sentences: tuple[SentenceRow, ...]
    divergences: tuple[Divergence, ...]
    disputes: tuple[Dispute, ...]
    splits: tuple[Split, ...]

    __repr__ = brief

    @property
    def mean_readings(self) -> float | None:
        """The mean number of parses of the sentences that both decided."""
        found = [row.readings for row in self.sentences if not row.remark]
        return sum(found) / len(found) if found else None


def compare(study: Study[Decisions], result: Result) -> Comparison:
    """Return the comparison of the two annotators of *study*; *result* is their Y-option kappa."""
    pair = (study.coders[0], study.coders[1])
    values = {row["item"]: row for row in result.per_item.records()} if result.per_item else {}
    reasons = {each.item: each.reason for each in result.ignored}
    decided: DecidedPairs = []
    for item in study.items:
        if all((item.id, coder) in study.cells for coder in pair):
            first, second = (study.cells[item.id, coder].value for coder in pair)
            if {first.status, second.status} <= {ACCEPTED, REJECTED}:
                decided.append((item, first, second))
    lexicon = lexicon_of(decided) if result.details.get("mode") == DERIVATION else None
    judgements = judgements_of(decided, lexicon)
    splits = splits_in(judgements)
    return Comparison(
        coders=pair,
        result=result,
        totals=totals_of(study, pair),
        sentences=tuple(_sentences(study, pair, values, reasons)),
        divergences=tuple(_divergences(decided, pair, splits)),
        disputes=disputes_in(judgements),
        splits=splits,
    )


def suites_by_corpus(study: Study[Decisions], names: Any) -> list[Suites]:
    """Return the corpora of *study* with their first and last suite, and how many parsed sentences they have.

    Args:
        study: whose documents are suites.
        names: a function from a document to its SuiteName.
    """
    parsed: dict[str, int] = dict.fromkeys(study.documents, 0)
    for item, cells in study:
        parsed[item.document] += bool(cells) and all(cell.value.status != UNPARSED for cell in cells)
    corpora: dict[str, list[tuple[str, int]]] = {}
    for document, count in parsed.items():
        name = names(document)
        corpora.setdefault(name.corpus, []).append((name.suite or document, count))
    found = []
    for corpus, suites in corpora.items():
        ordered = sorted((name for name, _ in suites), key=lambda name: (_number(name), name))
        found.append(Suites(corpus, ordered[0], ordered[-1], sum(count for _, count in suites)))
    return found


def _number(name: str) -> int:
    number = whole_number(name)
    return -1 if number is None else number


def _sentences(
    study: Study[Decisions], pair: Pair, values: dict[str, Any], reasons: dict[str, str]
) -> Iterator[SentenceRow]:
    for item in study.items:
        cells = [study.cells.get((item.id, coder)) for coder in pair]
        there = [cell.value for cell in cells if cell is not None]
        if not there:
            continue
        found = values.get(item.id)
        numbers: dict[str, Any] = {}
        if found is not None:
            keys = ("subset", "mode", "options", "common", "unique", "equal", "estimated", "agreement")
            numbers = {key: found[key] for key in keys} | {"kappa": found["value"]}
        statuses = [cell.value.status if cell else "" for cell in cells]
        chosen = ["/".join(map(str, cell.value.chosen)) if cell else "" for cell in cells]
        yield SentenceRow(
            item=item.id,
            suite=item.document,
            text=there[0].text,
            readings=max(each.readings for each in there),
            statuses=(statuses[0], statuses[1]),
            chosen=(chosen[0], chosen[1]),
            remark=reasons.get(item.id, ""),
            **numbers,
        )


def _divergences(decided: DecidedPairs, pair: Pair, splits: tuple[Split, ...]) -> Iterator[Divergence]:
    disputed: dict[str, list[str]] = {}
    for split in splits:
        disputed.setdefault(split.item, []).append(split.words(pair))
    for item, first, second in decided:
        who = _who(first, second, pair)
        if who:
            yield Divergence(
                item=item.id,
                suite=item.document,
                text=first.text,
                who=who,
                annotations=(first, second),
                disputed=tuple(disputed.get(item.id, ())),
            )


def _ids(decisions: Decisions) -> str:
    return "/".join(map(str, decisions.chosen)) or "?"


def _who(first: Decisions, second: Decisions, pair: Pair) -> str:
    ours, theirs = _ids(first), _ids(second)
    if first.status == second.status == ACCEPTED:
        return "" if same_tree(first, second) else f"Both - {ours}/{theirs}"
    if first.status == second.status:
        return ""
    return f"{pair[0]} - {ours}" if first.status == ACCEPTED else f"{pair[1]} - {theirs}"


@dataclass(frozen=True, slots=True)
class Change:
    """A sentence of one annotator whose status or chosen parse is not what it was."""

    item: str
    suite: str
    coder: str
    before: str
    after: str
    chosen_before: str
    chosen_after: str


@dataclass(frozen=True, slots=True)
class Versions:
    """What became of the sentences of an older version."""

    changes: tuple[Change, ...]
    unchanged: int
    counts: dict[tuple[str, str], int]  # (before, after): how many, those that kept their status included


def changes_of(old: Study[Decisions], new: Study[Decisions]) -> Versions:
    """Compare two versions of the profiles of the same annotators."""
    changes, unchanged = [], 0
    counts: Counter[tuple[str, str]] = Counter()
    items = {item.id: item for item in (*new.items, *old.items)}
    for coder in new.coders:
        for name, item in items.items():
            before, after = (study.cells.get((name, coder)) for study in (old, new))
            if before is None and after is None:
                continue
            was, now = (cell.value.status if cell else ABSENT for cell in (before, after))
            had, has = ("/".join(map(str, cell.value.chosen)) if cell else "" for cell in (before, after))
            counts[was, now] += 1
            if (was, had) == (now, has):
                unchanged += 1
            else:
                changes.append(Change(name, item.document, coder, was, now, had, has))
    return Versions(tuple(changes), unchanged, dict(counts))

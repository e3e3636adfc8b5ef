"""How many sentences were parsed, decided, accepted and rejected, by whom."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from arbitree.data.decisions import ACCEPTED, AMBIGUOUS, LOST, REJECTED, UNANNOTATED, UNPARSED, Decisions
from arbitree.data.study import Study
from arbitree.measures.y_counts import outcome


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


def totals_of(study: Study[Decisions], pair: tuple[str, str], ambiguous: str = "exclude") -> Totals:
    """Count the sentences of *study* that a pair of annotators has."""
    counts: Counter[str] = Counter()
    decided: Counter[tuple[str, ...]] = Counter()
    for item in study.items:
        cells = [study.cells[item.id, coder] for coder in pair if (item.id, coder) in study.cells]
        statuses = tuple(outcome(cell.value, ambiguous).status for cell in cells)
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

"""Whom the adjudicator followed, and how far each annotator agrees with the outcome."""

from __future__ import annotations

from dataclasses import dataclass

from arbitree.adjudication.standings import Standing, standings
from arbitree.kinds.treebanking.rulings import OTHER, REJECT, Rulings


@dataclass(frozen=True, slots=True)
class AdjudicatedPair:
    """What became of the divergences of two annotators."""

    coders: tuple[str, str]
    divergences: int
    decided: int
    neither: int  # another parse, or a rejection of what both accepted
    agreed: int  # sentences that never diverged
    annotators: tuple[Standing, ...]

    @property
    def undecided(self) -> int:
        """Divergences without a decision."""
        return self.divergences - self.decided


def adjudicated(rulings: Rulings) -> AdjudicatedPair:
    """Sum up the decisions of one adjudicator."""
    chosen = [each for each in rulings.rows if each.choice]
    followed = [_followed(each.choice, each.accepted_by, rulings.coders) for each in chosen]
    agreed = rulings.countable - len(rulings.rows)
    counted = [agreed if chosen else 0] * 2  # there is no outcome to agree with while nothing is decided
    decided = [[each == coder for coder in rulings.coders] for each in followed]
    return AdjudicatedPair(
        coders=rulings.coders,
        divergences=len(rulings.rows),
        decided=len(chosen),
        neither=followed.count(""),
        agreed=agreed,
        annotators=standings(rulings.coders, decided, counted),
    )


def _followed(choice: str, accepted_by: str, coders: tuple[str, str]) -> str:
    """Return whom a decision follows; to reject what one annotator accepted is to follow the other."""
    if choice == REJECT and accepted_by:
        return coders[1] if accepted_by == coders[0] else coders[0]
    return "" if choice in (REJECT, OTHER) else choice

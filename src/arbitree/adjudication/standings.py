"""Count how often the adjudicator followed each annotator, and the agreement with the decisions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from arbitree.adjudication.differences import Contested, Disagreements
from arbitree.adjudication.workbook import Filled
from arbitree.errors import Source, StudyError


@dataclass(frozen=True, slots=True)
class Standing:
    """The agreement of one annotator with the adjudicator."""

    coder: str
    followed: int  # of the decided places, how often the coder was right
    decided: int  # contested places that the coder annotated and that are decided
    agreed: int = 0  # places that the coder annotated and on which no coder differs

    @property
    def share(self) -> float | None:
        """The share of decisions in which the adjudicator followed the annotator."""
        return self.followed / self.decided if self.decided else None

    @property
    def agreement(self) -> float | None:
        """The share of decided and agreed places on which annotator and adjudicator agree."""
        whole = self.agreed + self.decided
        return (self.agreed + self.followed) / whole if whole else None


def standings(
    coders: Sequence[str], decided: Iterable[Sequence[bool | None]], agreed: Sequence[int] | None = None
) -> tuple[Standing, ...]:
    """Return how often the adjudicator followed each of *coders*.

    Args:
        coders: Names of the annotators.
        decided: For each decided place, whether each annotator was followed; None for a missing value.
        agreed: Number of places of each annotator without a disagreement.
    Example:
        >>> [each.share for each in standings(("ann", "bob"), [(True, False), (True, None)])]
        [1.0, 0.0]
    """
    rows = list(decided)
    found = []
    for number, coder in enumerate(coders):
        own = [row[number] for row in rows if row[number] is not None]
        found.append(Standing(coder, own.count(True), len(own), agreed[number] if agreed else 0))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Ruled:
    """A contested place and its decision."""

    place: Contested
    value: str  # one of the coders' values, or another; "": not decided
    comment: str

    @property
    def followed(self) -> bool:
        """Whether an annotator gave the chosen value."""
        return self.value in self.place.choices


@dataclass(frozen=True, slots=True)
class Adjudicated:
    """The decisions on the contested places of a study."""

    rulings: dict[tuple[str, str, str], Ruled]
    places: int
    decided: int
    neither: int  # decided otherwise than any coder
    coders: tuple[Standing, ...]
    kinds: dict[str, tuple[int, int]]  # by what is contested: decided, all

    @property
    def undecided(self) -> int:
        """Places without a decision."""
        return self.places - self.decided


def follow(found: Disagreements, sheet: Filled) -> Adjudicated:
    """Summarise the decisions of an adjudicator on the contested places of a study."""
    places = {place.key: place for place in found.places}
    rulings = {}
    for each in sheet.rows:
        place = places.get(each.key)
        if place is not None:
            short = found.whats[place.what].short
            rulings[each.key] = Ruled(place, _meant(each.value, place, found.coders, short), each.comment)
        elif each.value or each.comment:
            where = f"{each.what} of {each.item!r}" + (f" at {each.place}" if each.place else "")
            what = f"{each.cell}: annotators do not disagree on the {where} in these files"
            raise StudyError(what, Source(sheet.path), hint="Pass the files from which the workbook was made")
    decided = [each for each in rulings.values() if each.value]
    kinds = {}
    for what in found.kinds:
        own = sum(each.place.what == what for each in decided)
        kinds[what] = (own, found.count(what)[0])
    followed = [
        [None if said is None else said == each.value for said in each.place.values] for each in decided
    ]
    agreed = [sum(counts[number] for counts in found.agreed.values()) for number in range(len(found.coders))]
    return Adjudicated(
        rulings=rulings,
        places=len(found.places),
        decided=len(decided),
        neither=sum(not each.followed for each in decided),
        coders=standings(found.coders, followed, agreed),
        kinds=kinds,
    )


def _meant(value: str, place: Contested, coders: Sequence[str], short: bool) -> str:
    """Return the chosen value, which may be given in full, by its first word, or by an annotator's name."""
    folded = value.casefold()
    for choice in place.choices:
        if folded == choice.casefold() or (short and folded == choice.split(" ", 1)[0]):
            return choice
    for coder, own in zip(coders, place.values, strict=True):
        if folded == coder.casefold() and own is not None:
            return own
    return value

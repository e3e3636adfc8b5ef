"""Whom the adjudicator followed where coders differ, and how far each agrees with the outcome."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from arbitree.adjudication.differences import Contested, Disagreements
from arbitree.adjudication.workbook import Filled
from arbitree.errors import Source, StudyError


@dataclass(frozen=True, slots=True)
class Standing:
    """One coder in the eyes of the adjudicator."""

    coder: str
    followed: int  # of the decided places, how often the coder was right
    decided: int  # contested places that the coder annotated and that are decided
    agreed: int = 0  # places that the coder annotated and on which no coder differs

    @property
    def share(self) -> float | None:
        """The share of the decided places on which the adjudicator followed the coder."""
        return self.followed / self.decided if self.decided else None

    @property
    def agreement(self) -> float | None:
        """The share of the decided and the agreed places on which coder and adjudicator say the same."""
        whole = self.agreed + self.decided
        return (self.agreed + self.followed) / whole if whole else None


def standings(
    coders: Sequence[str], decided: Iterable[Sequence[bool | None]], agreed: Sequence[int] | None = None
) -> tuple[Standing, ...]:
    """Return how often an adjudicator followed each of *coders*.

    Args:
        coders: whom to count for.
        decided: for each decided place whether each coder was followed; None where a coder has no value.
        agreed: places of each coder on which nobody differs.
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
    """A contested place and what became of it."""

    place: Contested
    value: str  # one of the coders' values, or another; "": not decided
    comment: str

    @property
    def followed(self) -> bool:
        """Whether some coder has the value that was chosen."""
        return self.value in self.place.choices


@dataclass(frozen=True, slots=True)
class Adjudicated:
    """What became of the contested places of a study."""

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
    """Sum up the decisions of an adjudicator on the contested places of a study."""
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
    """Return the value that an adjudicator chose: in full, by its first word, or by a coder's name."""
    folded = value.casefold()
    for choice in place.choices:
        if folded == choice.casefold() or (short and folded == choice.split(" ", 1)[0]):
            return choice
    for coder, own in zip(coders, place.values, strict=True):
        if folded == coder.casefold() and own is not None:
            return own
    return value

"""Whom the adjudicator followed where coders differ, and how far each agrees with the outcome."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arbitree.adjudication.differences import HEAD, Contested, Disagreements
from arbitree.adjudication.workbook import Decided
from arbitree.errors import Source, StudyError


@dataclass(frozen=True, slots=True)
class Followed:
    """One annotator in the eyes of the adjudicator."""

    coder: str
    followed: int
    share: float | None  # of the divergences that are decided
    agreement: float | None  # of these and of the sentences without a divergence; None if none is decided


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
class Standing(Followed):
    """One coder in the eyes of the adjudicator; shares are of the places that the coder annotated."""

    decided: int  # contested places of the coder that are decided


@dataclass(frozen=True, slots=True)
class Outcome:
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


def follow(found: Disagreements, sheet: Decided) -> Outcome:
    """Sum up the decisions of an adjudicator on the contested places of a study."""
    places = {place.key: place for place in found.places}
    rulings = {}
    for each in sheet.rows:
        place = places.get(each.key)
        if place is not None:
            rulings[each.key] = Ruled(place, _meant(each.value, place, found.coders), each.comment)
        elif each.value or each.comment:
            where = f"{each.what} of {each.item!r}" + (f" at {each.place}" if each.place else "")
            what = f"{each.cell}: the {where} is not contested in these files"
            raise StudyError(what, Source(sheet.path), hint="Give the files that the workbook was made from")
    decided = [each for each in rulings.values() if each.value]
    kinds = {}
    for what in found.kinds:
        own = sum(each.place.what == what for each in decided)
        kinds[what] = (own, found.count(what)[0])
    return Outcome(
        rulings=rulings,
        places=len(found.places),
        decided=len(decided),
        neither=sum(not each.followed for each in decided),
        coders=tuple(_standing(number, found, decided) for number in range(len(found.coders))),
        kinds=kinds,
    )


def _meant(value: str, place: Contested, coders: Sequence[str]) -> str:
    """Return the value that an adjudicator chose: in full, by the number of a head, or by a coder's name."""
    folded = value.casefold()
    for choice in place.choices:
        if folded == choice.casefold() or (place.what == HEAD and folded == choice.split(" ", 1)[0]):
            return choice
    for coder, own in zip(coders, place.values, strict=True):
        if folded == coder.casefold() and own is not None:
            return own
    return value


def _standing(number: int, found: Disagreements, decided: Sequence[Ruled]) -> Standing:
    own = [each for each in decided if each.place.values[number] is not None]
    followed = sum(each.place.values[number] == each.value for each in own)
    agreed = sum(counts[number] for counts in found.agreed.values())
    whole = agreed + len(own)
    return Standing(
        coder=found.coders[number],
        followed=followed,
        share=followed / len(own) if own else None,
        agreement=(agreed + followed) / whole if whole else None,
        decided=len(own),
    )

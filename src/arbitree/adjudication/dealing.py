"""Deal items to adjudicators: by share, whole documents, and some items to two people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import blake2b

from arbitree.errors import StudyError
from arbitree.study.study import Item

Dealt = dict[str, tuple[int, ...]]  # the people for each item, by item id


@dataclass(frozen=True, slots=True)
class Deal:
    """How to deal items.

    Args:
        shares: The percentage of the items for each person, by number; what is left stays open to all.
        by_document: Give all items of a document to the same person.
        double: The percentage of the dealt items that a second person decides, too.
        seed: Another seed gives another deal.
    """

    shares: Mapping[int, float]
    by_document: bool = False
    double: float = 0
    seed: int = 0

    def __post_init__(self) -> None:
        for value in (*self.shares.values(), self.double):
            if not 0 <= value <= 100:
                raise StudyError(f"{value:g} is not a percentage", hint="Enter a number from 0 to 100")
        if sum(map(_exact, self.shares.values())) > 100:
            total = sum(self.shares.values())
            raise StudyError(f"the shares add up to {total:g}%", hint="Reduce them to 100% or less")
        if not self.people:
            raise StudyError("no person has a share", hint="Enter a share for at least one person")
        if self.double and len(self.people) < 2:
            raise StudyError(
                "two people are needed to decide sentences independently",
                hint="Enter shares for at least two people, or set the doubly decided share to 0",
            )

    @property
    def people(self) -> list[int]:
        """The people who have a share, in order."""
        return sorted(person for person, share in self.shares.items() if share)


def equal_shares(people: Sequence[int]) -> dict[int, float]:
    """Return shares of nearly the same size that add up to 100 percent.

    Example:
        >>> equal_shares([4, 7, 9])
        {4: 33.34, 7: 33.33, 9: 33.33}
    """
    size, more = divmod(10_000, len(people))
    return {person: (size + (place < more)) / 100 for place, person in enumerate(people)}


def deal(items: Sequence[Item], wanted: Deal) -> Dealt:
    """Return the people for each of *items* that is dealt; the others are not in the result.

    The same items, shares and seed give the same deal.

    Args:
        items: The items that wait for a decision.
        wanted: The shares.
    Example:
        >>> items = [Item(f"s{number}", "d", f"s{number}") for number in range(4)]
        >>> dealt = deal(items, Deal({1: 50, 2: 25}))
        >>> sorted(dealt.values())
        [(1,), (1,), (2,)]
    """
    groups = _groups(items, wanted)
    count = sum(map(len, groups))
    targets = {person: count * _exact(wanted.shares[person]) / 100 for person in wanted.people}
    first: dict[str, int] = {}
    got = dict.fromkeys(wanted.people, 0)
    for group in groups:
        if 2 * (sum(targets.values()) - len(first)) < len(group):  # nearer to the shares without it
            continue
        person = _neediest(got, targets, ())
        got[person] += len(group)
        first |= dict.fromkeys(group, person)
    return {item: tuple(sorted(people)) for item, people in _doubled(first, targets, wanted).items()}


def _doubled(first: Mapping[str, int], targets: Mapping[int, Fraction], wanted: Deal) -> Dealt:
    """Return the people for each item, with a second one for a share of the items."""
    chosen = _shuffled(first, f"double {wanted.seed}")[: round(len(first) * _exact(wanted.double) / 100)]
    whole = sum(targets.values()) or 1
    seconds = {person: len(chosen) * target / whole for person, target in targets.items()}
    got = dict.fromkeys(targets, 0)
    dealt: Dealt = {item: (person,) for item, person in first.items()}
    for item in chosen:
        second = _neediest(got, seconds, dealt[item])
        got[second] += 1
        dealt[item] = (*dealt[item], second)
    return dealt


def _groups(items: Sequence[Item], wanted: Deal) -> list[list[str]]:
    """Return the items that stay together, in random order; large documents first, which are hard to fit."""
    if not wanted.by_document:
        return [[item] for item in _shuffled([item.id for item in items], str(wanted.seed))]
    documents: dict[str, list[str]] = {}
    for item in items:
        documents.setdefault(item.document, []).append(item.id)
    names = _shuffled(documents, str(wanted.seed))
    return sorted((documents[name] for name in names), key=len, reverse=True)


def _neediest(got: Mapping[int, int], targets: Mapping[int, Fraction], but: Iterable[int]) -> int:
    """Return the person who lacks most of their share."""
    others = [person for person in targets if person not in set(but)]
    return max(others, key=lambda person: (targets[person] - got[person], -person))


def _shuffled(names: Iterable[str], seed: str) -> list[str]:
    """Return *names* in an order that depends on each name and the seed alone."""
    return sorted(names, key=lambda name: (_digest(f"{seed}\0{name}"), name))


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()


def _exact(percentage: float) -> Fraction:
    return Fraction(str(percentage))

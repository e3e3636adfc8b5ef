"""Disagreements that can be decided together: those on a pair of labels, or of a type of inconsistency."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from arbitree.adjudication import events
from arbitree.adjudication.bulk import BulkWish, by_coder, by_value
from arbitree.adjudication.places import Place
from arbitree.errors import UnknownName
from arbitree.web.project.project import Project
from arbitree.web.sentences import filters
from arbitree.web.sentences.filters import Filter
from arbitree.web.store import Person

SHOWN = 200  # disagreements of a page: the form must stay below the largest body


class Side(NamedTuple):
    """One of the annotations to choose from."""

    value: str  # in the URL
    words: str
    who: str = ""  # the annotators who have it


class Candidate(NamedTuple):
    """Places of one item that would be decided together."""

    wish: BulkWish
    places: tuple[Place, ...]
    problem: str  # why the choice is not valid now; "" if it is

    @property
    def sent(self) -> str:
        """What the box on the page sends: the number of the item, the last entry seen, and the choice."""
        choice = "".join(f"\n{key}\t{value}" for key, value in self.wish.changes.items())
        return f"{self.wish.number}\t{self.wish.seen}{choice}"


class Candidates(NamedTuple):
    """The first disagreements that match, and whether there are more."""

    found: list[Candidate]
    more: bool


def sides_of(project: Project, wanted: Filter) -> list[Side]:
    """Return the annotations to choose from; raise UnknownName if the filter has no label and no type."""
    if wanted.type:
        sides = filters.type_of(project, wanted.type)["sides"]
        return [
            Side(str(number), side["brackets"], side["who"]) for number, side in enumerate(sides, start=1)
        ]
    labels = [label for label in (wanted.label, wanted.other) if label]
    if not labels:
        hint = "Open it from a type or a pair of labels on the overview, or filter the list by label"
        raise UnknownName("there is nothing to decide together", hint=hint)
    return [Side(label, label) for label in labels]


def candidates_of(project: Project, person: Person, wanted: Filter, side: Side) -> Candidates:
    """Return the undecided disagreements that match the filter, with the choice of *side*."""
    found: list[Candidate] = []
    for number, changes in _choices(project, person, wanted, side):
        if len(found) == SHOWN:
            return Candidates(found, True)
        found.append(_candidate(project, person, number, changes))
    return Candidates(found, False)


def wish_of(sent: str) -> BulkWish:
    """Return the choice that a box on the page sends; raise UnknownName if it is not one.

    Example:
        >>> wish_of("12\\t3\\n3 label\\tobl")
        BulkWish(number=12, seen=3, changes={'3 label': 'obl'})
    """
    first, *rest = sent.replace("\r\n", "\n").split("\n")
    number, _, seen = first.partition("\t")
    changes = dict(line.partition("\t")[::2] for line in rest if line)
    if not (number.isdecimal() and seen.isdecimal() and len(first) < 30 and changes):
        raise UnknownName("the request is not valid", hint="Reload the page and try again")
    return BulkWish(int(number), int(seen), changes)


def _candidate(project: Project, person: Person, number: int, changes: dict[str, str]) -> Candidate:
    sheet, state = project.sheet(number), project.state(number, person.id)
    places = tuple(map(sheet.place, changes))
    try:
        problem = sheet.weigh(state.values, changes).problem
    except UnknownName as error:  # not in the tag set
        problem = f"{error.what}. {error.hint}"
    return Candidate(BulkWish(number, state.seen, changes), places, problem)


def _choices(
    project: Project, person: Person, wanted: Filter, side: Side
) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the choices at undecided places by item, in the order of the files."""
    done = {events.DECIDED, events.REJECTED}
    found = filters.find(project, wanted)
    nuclei = _nuclei(project, wanted.type) if wanted.type else None
    for number in sorted(found.numbers):
        item = project.item(number)
        if found.statuses.get(item.id) in done:
            continue
        sheet, state = project.sheet(number), project.state(number, person.id)
        if nuclei is None:
            other = next((each for each in (wanted.label, wanted.other) if each != side.value), "")
            for changes in by_value(sheet, state, side.value, other):
                yield number, changes
            continue
        for positions, sides in nuclei.get(item.id, ()):
            own = int(side.value) - 1
            against = [coder for place, who in enumerate(sides) if place != own for coder in who]
            if changes := by_coder(sheet, state, positions, sides[own], against):
                yield number, changes


def _nuclei(project: Project, type: str) -> Mapping[str, list[tuple[list[int], list[list[str]]]]]:
    """Return the words of a type of inconsistency by item, with the annotators of each side."""
    found: dict[str, list[Any]] = {}
    for item, positions, sides in filters.type_of(project, type)["nuclei"]:
        found.setdefault(item, []).append((positions, sides))
    return found

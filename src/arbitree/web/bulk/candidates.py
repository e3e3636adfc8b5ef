"""Disagreements that can be decided together: those of a pair of labels, a type or a question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from arbitree.adjudication import history
from arbitree.adjudication.bulk import BulkWish, by_coder, by_value
from arbitree.adjudication.places import Place
from arbitree.errors import UnknownName
from arbitree.web.project.project import Project
from arbitree.web.sentences import filters
from arbitree.web.sentences.filters import Filter
from arbitree.web.store import Person
from arbitree.wording import listed

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
    """Return the annotations to choose from; raise UnknownName without a label, a type and a question."""
    if wanted.type:
        sides = filters.type_of(project, wanted.type)["sides"]
        return [
            Side(str(number), side["brackets"], side["who"]) for number, side in enumerate(sides, start=1)
        ]
    if wanted.question:
        answers = enumerate(_answers(project, wanted.question), start=1)
        return [Side(str(number), answer, listed(who)) for number, (answer, who) in answers]
    labels = [label for label in (wanted.label, wanted.other) if label]
    if not labels:
        hint = "Open it from a question, a type or a pair of labels on the overview"
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
    done = {history.DECIDED, history.REJECTED}
    found = filters.find(project, wanted)
    nuclei = _nuclei(project, wanted, side) if wanted.type or wanted.question else None
    for number in sorted(found.numbers.tolist()):
        item = project.item(number)
        if found.statuses.get(item.id) in done:
            continue
        sheet, state = project.sheet(number), project.state(number, person.id)
        if nuclei is None:
            other = next((each for each in (wanted.label, wanted.other) if each != side.value), "")
            for changes in by_value(sheet, state, side.value, other):
                yield number, changes
            continue
        chosen: set[str] = set()  # words can be part of several inconsistencies
        for positions, coders, against in sorted(nuclei.get(item.id, ()), key=lambda each: len(each[0])):
            changes = by_coder(sheet, state, positions, coders, against)
            if changes := {key: value for key, value in changes.items() if key not in chosen}:
                chosen.update(changes)
                yield number, changes


def _nuclei(
    project: Project, wanted: Filter, side: Side
) -> Mapping[str, list[tuple[list[int], list[str], list[str]]]]:
    """Return inconsistently annotated words by item, with the annotators of a side and the others."""
    found: dict[str, list[tuple[list[int], list[str], list[str]]]] = {}
    typed = filters.type_of(project, wanted.type) if wanted.type else None
    for row in [typed] if typed else filters.question_of(project, wanted.question):
        for item, positions, sides, answers in row["nuclei"]:
            if not typed and side.words not in answers:
                continue
            own = int(side.value) - 1 if typed else answers.index(side.words)
            against = [coder for place, who in enumerate(sides) if place != own for coder in who]
            found.setdefault(item, []).append((positions, sides[own], against))
    return found


def _answers(project: Project, question: str) -> list[tuple[str, list[str]]]:
    """Return the answers to a question with their annotators, the most frequent answer first."""
    counts: dict[str, Counter[str]] = {}
    for row in filters.question_of(project, question):
        for _, _, sides, answers in row["nuclei"]:
            for coders, answer in zip(sides, answers, strict=True):
                counts.setdefault(answer, Counter()).update(coders)
    ranked = sorted(counts.items(), key=lambda each: -each[1].total())
    order = project.study.coders
    return [(answer, [f"{coder} {who[coder]}" for coder in order if who[coder]]) for answer, who in ranked]

"""The progress and pace of each person, and the time that the rest will take."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from statistics import median
from typing import NamedTuple

from arbitree.adjudication.events import Carry
from arbitree.adjudication.history import ITEM
from arbitree.web.project.progress import undecided
from arbitree.web.project.project import Project
from arbitree.web.roles import may

SECOND = 1000  # milliseconds
HOUR = 3600


@dataclass(slots=True)
class Pace:
    """The work of one person."""

    id: int
    name: str
    role: str  # "" for a person who has left
    assigned: int = 0
    left: int = 0  # assigned and not decided
    decided: int = 0
    seconds: float = 0  # of active time, on decided and undecided items
    each: list[float] = field(default_factory=list)  # seconds for each item that was decided and timed
    last: str = ""  # when they were last active

    @property
    def per_hour(self) -> float | None:
        """The number of items that are decided in an hour of active time."""
        return len(self.each) * HOUR / self.seconds if self.each and self.seconds else None

    @property
    def median(self) -> float | None:
        """The median of the seconds for an item."""
        return median(self.each) if self.each else None

    @property
    def rest(self) -> float | None:
        """The seconds that the assigned items that are left will take at this pace."""
        return self.left * HOUR / self.per_hour if self.per_hour else None


class DocumentProgress(NamedTuple):
    """The progress on one document."""

    name: str
    to_decide: int
    left: int
    people: tuple[str, ...]  # to whom undecided items are assigned


@dataclass(frozen=True, slots=True)
class Team:
    """The work of all people on one version of the files."""

    people: list[Pace]
    documents: list[DocumentProgress]
    open: int  # undecided and assigned to nobody
    differing: int  # decided differently by two people, so that the owner decides

    @property
    def tasks(self) -> int:
        """The number of decisions on whole items that are left; an item for two people counts twice."""
        return sum(each.left for each in self.people) + self.open + self.differing

    @property
    def per_hour(self) -> float | None:
        """The number of items that one person decides in an hour of active time, on average."""
        done, seconds = sum(len(each.each) for each in self.people), sum(each.seconds for each in self.people)
        return done * HOUR / seconds if done and seconds else None

    @property
    def rest(self) -> float | None:
        """The seconds of work that are left, of all people together."""
        if self.per_hour is None:
            return None
        shared = (self.open + self.differing) * HOUR / self.per_hour
        own = sum(each.left * HOUR / (each.per_hour or self.per_hour) for each in self.people)
        return own + shared


def team_of(project: Project) -> Team:
    """Return the work of all people."""
    people = {each.id: Pace(each.id, each.name, each.role) for each in project.store.people()}
    names = project.store.names()
    plan, waiting = project.assignment.plan(), set(undecided(project))
    doubles = project.assignment.doubles()
    decided: dict[int, set[str]] = defaultdict(set)
    for entry in project.store.last_entries(project.edition.id, ITEM):
        item = entry.subject.removeprefix(ITEM)
        if entry.action != Carry.name and project.numbers.get(item, 0) not in waiting:
            decided[entry.person].add(item)
    for number, halves in doubles.items():
        for half in halves:
            if half.done:
                decided[half.person].add(project.item(number).id)
    for visit in project.store.visits(project.edition.id):
        own = people.setdefault(visit.person, Pace(visit.person, names[visit.person], ""))
        own.seconds += visit.milliseconds / SECOND
        own.last = max(own.last, visit.at)
        if visit.item in decided[visit.person]:
            own.each.append(visit.milliseconds / SECOND)
    for person, items in decided.items():
        if items:
            people.setdefault(person, Pace(person, names[person], "")).decided = len(items)
    for number, persons in plan.items():
        done = {half.person for half in doubles.get(number, ()) if half.done}
        for person in persons:
            own = people.setdefault(person, Pace(person, names[person], ""))
            own.assigned += 1
            own.left += number in waiting and person not in done
    shown = [each for each in people.values() if may_decide(each) or each.decided or each.seconds]
    differing = {number for number, halves in doubles.items() if all(half.done for half in halves)} & waiting
    return Team(
        people=sorted(shown, key=lambda each: each.id),
        documents=_documents(project, waiting, plan, names),
        open=len(waiting - set(plan)),
        differing=len(differing),
    )


def may_decide(each: Pace) -> bool:
    """Return whether a person is in the project and may adjudicate."""
    return bool(each.role) and may(each.role, "adjudicate")


def _documents(
    project: Project, waiting: set[int], plan: dict[int, tuple[int, ...]], names: dict[int, str]
) -> list[DocumentProgress]:
    to_decide: Counter[str] = Counter()
    left: Counter[str] = Counter()
    people: dict[str, dict[str, None]] = defaultdict(dict)
    for number, item in enumerate(project.study.items, start=1):
        to_decide[item.document] += bool(project.to_decide[number - 1])
        if number in waiting:
            left[item.document] += 1
            people[item.document] |= dict.fromkeys(names[person] for person in plan.get(number, ()))
    return [
        DocumentProgress(name, count, left[name], tuple(people[name]))
        for name, count in to_decide.items()
        if count
    ]


def duration(seconds: float | None) -> str:
    """Return a length of time in words.

    Example:
        >>> [duration(each) for each in (None, 0.4, 42.2, 200, 8000)]
        ['', 'less than 1 s', '42 s', '3 min 20 s', '2 h 13 min']
    """
    if seconds is None:
        return ""
    whole = round(seconds)
    if whole < 1:
        return "less than 1 s"
    if whole < 60:
        return f"{whole} s"
    if whole < 600:
        return f"{whole // 60} min" + (f" {whole % 60} s" if whole % 60 else "")
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{minutes} min"
    return f"{minutes // 60:,} h" + (f" {minutes % 60} min" if minutes % 60 else "")

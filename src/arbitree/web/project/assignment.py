"""The assignment of items to one person, to two people independently, or to everybody."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from arbitree.adjudication import events, history
from arbitree.adjudication.doubles import Compared, agreed, compare, is_done
from arbitree.adjudication.places import Key
from arbitree.errors import UnknownName
from arbitree.web.project.progress import undecided
from arbitree.web.roles import may
from arbitree.web.store.assignments import DOUBLE, double_subject
from arbitree.web.store.log import Stamp
from arbitree.web.store.tables import OWNER

if TYPE_CHECKING:
    from arbitree.web.project.project import Project
    from arbitree.web.store import Person

ATTEMPTS = 5  # to write between entries of others


class Half(NamedTuple):
    """The decisions of one of two people who decide an item independently."""

    person: int
    state: events.State
    last: history.LogEntry | None
    done: bool


class Mark(NamedTuple):
    """What a person should know of who decides an item."""

    of: str = ""  # "" (own or open), other, two (the person is one of them), others, compared
    people: tuple[str, ...] = ()
    done: bool = False  # the person has decided it
    compared: tuple[Compared, ...] = ()  # when both are done

    @property
    def differing(self) -> tuple[Compared, ...]:
        """The places on which two people made different decisions."""
        return tuple(each for each in self.compared if not each.same)

    @property
    def same(self) -> int:
        """The number of places on which two people made the same decision."""
        return len(self.compared) - len(self.differing)

    def hiding(self, hidden: Callable[[Mapping[Key, str]], dict[Key, str]]) -> Mark:
        """Return the mark with decisions in which names of annotators are *hidden*."""
        compared = (
            each
            if each.place is None
            else each._replace(
                values=tuple(hidden({each.place.key: value})[each.place.key] for value in each.values)
            )
            for each in self.compared
        )
        return self._replace(compared=tuple(compared))


class Assignment:
    """The assignments of a project.

    Two people who decide an item independently have a log each, which nobody else sees. When both are done,
    these logs are closed, and the decisions on which they agree are copied to the log of the item.
    """

    def __init__(self, project: Project) -> None:
        self._project = project
        self._lock = Lock()
        self._read: tuple[Stamp, Mapping[str, Sequence[history.LogEntry]]] | None = None
        self._folded: dict[str, tuple[int, Half]] = {}  # by log, with the number of its entries

    def is_independent(self, number: int, person: int, request: str = "") -> bool:
        """Return whether *person* has a log of their own on an item, because two people decide it.

        The owner, who decides where two people differ, has one until both are done.

        Args:
            number: The number of the item.
            person: The number of the person.
            request: A request to write, which may be in the owner's own log already, sent again.
        """
        persons = self._project.store.assigned(self._project.item(number).id)
        if len(persons) != 2 or person not in persons:
            return False
        if person != OWNER or not _finished(self._halves(number, persons)):
            return True
        return any(entry.request == request for entry in self._entries(number, person))

    def is_closed(self, number: int, subject: str) -> bool:
        """Return whether nobody may write about *subject* any more, because both people are done."""
        return subject.startswith(DOUBLE) and _finished(self.halves(number))

    def check(self, number: int, subject: str) -> None:
        """Raise UnknownName if nobody may write about *subject* any more."""
        if self.is_closed(number, subject):
            unit = self._project.kind.unit
            raise UnknownName(
                f"both of you have decided this {unit}, so your decisions are final",
                hint="The owner of the study decides where you differ",
            )

    def halves(self, number: int) -> tuple[Half, ...]:
        """Return what two people decide on an item independently; empty if it is not assigned to two."""
        persons = self._project.store.assigned(self._project.item(number).id)
        return self._halves(number, persons) if len(persons) == 2 else ()

    def doubles(self) -> dict[int, tuple[Half, ...]]:
        """Return the decisions of the two people for each item that two decide independently."""
        return {
            number: tuple(self._half(number, person) for person in persons)
            for number, persons in self.plan().items()
            if len(persons) == 2
        }

    def plan(self) -> dict[int, tuple[int, ...]]:
        """Return the people to whom each assigned item of this version of the files is assigned."""
        numbers = self._project.numbers
        found = self._project.store.assignments()
        return {numbers[item]: persons for item, persons in found.items() if item in numbers}

    def next(self, waiting: Iterable[int], person: Person) -> int | None:
        """Return the first item that waits for a person: an own one, else one that is open to all."""
        plan = self.plan()
        if not plan:
            return next(iter(waiting), None)
        listed = list(waiting)
        own = (number for number in listed if number in plan and self.is_own(number, plan[number], person))
        open_to_all = (number for number in listed if number not in plan)
        return next(chain(own, open_to_all), None)

    def is_own(self, number: int, persons: Sequence[int], person: Person) -> bool:
        """Return whether an undecided item waits for this person.

        The owner decides where two people differ.
        """
        if len(persons) < 2:
            return person.id in persons
        halves = {each: self._half(number, each) for each in persons}
        if _finished(list(halves.values())):
            return may(person.role, "own")
        return person.id in halves and not halves[person.id].done

    def mark(self, number: int, person: int) -> Mark:
        """Return what a person should know of who decides an item."""
        project = self._project
        persons = project.store.assigned(project.item(number).id)
        if not persons or persons == (person,):
            return Mark()
        known = project.store.names()
        names = tuple(known[each] for each in persons)
        if len(persons) == 1:
            return Mark("other", names)
        halves = self._halves(number, persons)
        if _finished(halves):
            compared = compare(project.sheet(number), [half.state for half in halves])
            return Mark("compared", names, True, tuple(compared))
        mine = next((half for half in halves if half.person == person), None)
        return Mark("others", names) if mine is None else Mark("two", names, mine.done)

    def own(self, person: int) -> dict[int, bool]:
        """Return the items that are assigned to a person, and whether the person still has to decide each."""
        mine = {number: persons for number, persons in self.plan().items() if person in persons}
        waiting = set(undecided(self._project)) if mine else set()
        return {
            number: number in waiting and not (len(persons) == 2 and self._half(number, person).done)
            for number, persons in mine.items()
        }

    def accept(self, number: int, subject: str) -> None:
        """Copy the decisions on which two people agree, if both are done after an entry about *subject*."""
        if subject.startswith(DOUBLE):
            halves = self.halves(number)
            if _finished(halves):
                self._copy(number, halves)

    def tidy(self) -> None:
        """Do what a stop of the server may have interrupted."""
        self.release()
        for number, halves in self.doubles().items():
            if _finished(halves):
                self._copy(number, halves)

    def release(self) -> int:
        """Withdraw undecided items from people who have left; return the number of items.

        Of two who decide an item independently, the other one continues alone, with their own decisions.
        """
        project = self._project
        able = {each.id for each in project.store.people() if may(each.role, "adjudicate")}
        gone = {person for persons in self.plan().values() for person in persons} - able
        left = {person: [number for number, waits in self.own(person).items() if waits] for person in gone}
        halves = {number: self.halves(number) for number in chain.from_iterable(left.values())}
        for person, numbers in left.items():
            project.store.release(person, [project.item(number).id for number in numbers])
        for number, both in halves.items():
            staying = [half for half in both if half.person not in left or number not in left[half.person]]
            begun = [half for half in staying or both if half.last is not None]
            if begun:
                self._copy(number, begun)
        return len(halves)

    def _copy(self, number: int, halves: Sequence[Half]) -> None:
        """Copy the decisions on which people agree to the log of an item, once."""
        project = self._project
        latest = max((half.last for half in halves if half.last), key=lambda entry: entry.id)
        request = f"double {project.edition.id} {number} {'+'.join(str(half.person) for half in halves)}"
        for _ in range(ATTEMPTS):
            entries = project.entries(number)
            if any(entry.request == request for entry in entries):
                return
            agreement = agreed([half.state for half in halves], events.fold(entries))
            if not (agreement.decisions or agreement.notes or agreement.rejected is not None):
                return
            wish = history.Wish(latest.person, latest.name, len(entries), request)
            try:
                carried = events.Carry(agreement, project.edition.id, double=True)
                project.write(number, wish, carried, shared=True)
            except history.Conflict:
                continue
            return

    def _halves(self, number: int, persons: Iterable[int]) -> tuple[Half, ...]:
        return tuple(self._fold(number, person, self._entries(number, person)) for person in persons)

    def _entries(self, number: int, person: int) -> list[history.LogEntry]:
        project = self._project
        return project.store.entries(project.edition.id, double_subject(project.item(number).id, person))

    def _half(self, number: int, person: int) -> Half:
        """Return what one of two people decided, read together with all others."""
        subject = double_subject(self._project.item(number).id, person)
        return self._fold(number, person, self._logs().get(subject, ()))

    def _fold(self, number: int, person: int, entries: Sequence[history.LogEntry]) -> Half:
        if not entries:
            return Half(person, events.State(), None, False)
        count, half = self._folded.get(entries[0].subject, (0, None))
        if half is None or count != len(entries):
            state = events.fold(entries)
            half = Half(person, state, entries[-1], is_done(self._project.sheet(number), state))
            self._folded[entries[0].subject] = (len(entries), half)
        return half

    def _logs(self) -> Mapping[str, Sequence[history.LogEntry]]:
        """Return the logs of all who decide independently, read again only after a new entry."""
        store, edition = self._project.store, self._project.edition.id
        stamp = store.stamp(edition)
        with self._lock:
            if self._read is None or self._read[0] != stamp:
                found: dict[str, list[history.LogEntry]] = defaultdict(list)
                for entry in store.entries_under(edition, DOUBLE):
                    found[entry.subject].append(entry)
                self._read = (stamp, found)
            return self._read[1]


def _finished(halves: Sequence[Half]) -> bool:
    return bool(halves) and all(half.done for half in halves)

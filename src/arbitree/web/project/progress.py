"""How far the items are decided, and which comes next."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from arbitree.adjudication.history import CONTESTED, DECIDED, ITEM, REJECTED
from arbitree.web.project.latest import Latest
from arbitree.web.store import Person, Store

if TYPE_CHECKING:
    from arbitree.web.project.project import Project


class Statuses:
    """The states of the items of one version of the files, read again only after a new entry.

    Args:
        store: The database.
        edition: The version of the files.
        open_anyway: Returns whether an item needs a decision even without entries.
    """

    def __init__(self, store: Store, edition: int, open_anyway: Callable[[str], bool]) -> None:
        self._store = store
        self._edition = edition
        self._open_anyway = open_anyway
        self._latest = Latest(lambda: store.stamp(edition), lambda: dict(self._changed()))

    def get(self) -> Mapping[str, str]:
        """Return the state of every item whose entries changed it, by item id."""
        return self._latest.get()

    def _changed(self) -> Iterator[tuple[str, str]]:
        for subject, tally in self._store.tallies(self._edition).items():
            item = subject.removeprefix(ITEM)
            if tally.status in (DECIDED, REJECTED) or (
                tally.status == CONTESTED and not self._open_anyway(item)
            ):
                yield item, tally.status


class Progress(NamedTuple):
    """The progress of adjudication."""

    items: int
    agreed: int  # nothing to decide
    to_decide: int
    decided: int
    rejected: int
    own: bool = False  # of the items that are assigned to one person

    @property
    def percent(self) -> int:
        """The percentage of decided items, rounded down so that 100 means all."""
        return 100 if not self.to_decide else 100 * (self.decided + self.rejected) // self.to_decide

    @property
    def left(self) -> int:
        """The number of undecided items."""
        return self.to_decide - self.decided - self.rejected


def progress_of(project: Project) -> Progress:
    """Return the progress of adjudication."""
    found = project.statuses.get()
    # Items on which all agree may be decided otherwise, or left out.
    extra = sum(not project.to_decide[project.numbers[item] - 1] for item in found)
    to_decide = int(project.to_decide.sum()) + extra
    decided, rejected = (sum(status == each for status in found.values()) for each in (DECIDED, REJECTED))
    items = len(project.study.items)
    return Progress(items, items - to_decide, to_decide, decided, rejected)


def progress_for(project: Project, person: Person) -> Progress:
    """Return the progress on the items that are assigned to a person; on all if none is."""
    whole = progress_of(project)
    own = project.assignment.own(person.id)
    if not own:
        return whole
    left = sum(own.values())
    return Progress(whole.items, whole.agreed, len(own), len(own) - left, 0, own=True)


def undecided(project: Project, numbers: Sequence[int] | None = None) -> Iterator[int]:
    """Yield the numbers of the items that wait for a decision, in order.

    Args:
        project: The project.
        numbers: Numbers of the items to search, in order (default: all).
    """
    found = project.statuses.get()
    for number in range(1, len(project.study.items) + 1) if numbers is None else numbers:
        untouched = CONTESTED if project.to_decide[number - 1] else DECIDED
        if found.get(project.study.items[number - 1].id, untouched) == CONTESTED:
            yield number


def next_undecided(
    project: Project, after: int, numbers: Sequence[int] | None = None, person: Person | None = None
) -> int | None:
    """Return the next undecided item, starting over at the end.

    Args:
        project: The project.
        after: Number of the current item; 0 for none.
        numbers: Numbers of the items to search, in order (default: all).
        person: Search the items that are assigned to this person, then those that are open to all.
    """
    listed = list(range(1, len(project.study.items) + 1)) if numbers is None else list(numbers)
    start = listed.index(after) + 1 if after in listed else 0
    waiting = undecided(project, (*listed[start:], *listed[:start]))
    return next(waiting, None) if person is None else project.assignment.next(waiting, person)

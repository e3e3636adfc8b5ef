"""The progress of adjudication, and the next item to decide."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from arbitree.adjudication.history import CONTESTED, DECIDED, ITEM, REJECTED
from arbitree.study.flat_tree import IntArray
from arbitree.web.project.latest import Latest
from arbitree.web.store import Person, Store
from arbitree.web.store.log import Stamp

if TYPE_CHECKING:
    from arbitree.web.project.project import Project


class ItemStates(NamedTuple):
    """The states of items, by item id, and the number of items in each."""

    states: Mapping[str, str]
    counts: Counter[tuple[str, bool]]  # by state, and by whether the item needs a decision

    def changed(self, found: Mapping[str, str], needs: Callable[[str], bool]) -> ItemStates:
        """Return the states after some have changed; "" for an item that has none any more."""
        states, counts = dict(self.states), self.counts.copy()
        for item, state in found.items():
            if item in states:
                counts[states.pop(item), needs(item)] -= 1
            if state:
                states[item] = state
                counts[state, needs(item)] += 1
        return ItemStates(states, counts)


NO_STATES = ItemStates({}, Counter())


class Statuses:
    """The states of the items of one version of the files, read again only after a new entry.

    Args:
        store: The database.
        edition: The version of the files.
        needs: Returns whether an item needs a decision.
        open_anyway: Returns whether an item needs a decision even without entries.
    """

    def __init__(
        self, store: Store, edition: int, needs: Callable[[str], bool], open_anyway: Callable[[str], bool]
    ) -> None:
        self._store = store
        self._edition = edition
        self._needs = needs
        self._open_anyway = open_anyway
        self._latest = Latest(lambda: store.stamp(edition), self._read)

    def get(self) -> Mapping[str, str]:
        """Return the state of every item whose entries changed it, by item id."""
        return self._latest.get().states

    def counts(self) -> Counter[tuple[str, bool]]:
        """Return the number of these items in each state, and whether they need a decision."""
        return self._latest.get().counts

    def _read(self, stamp: Stamp, kept: tuple[Stamp, ItemStates] | None) -> ItemStates:
        """Read the states of the items with new entries, or of all if it is not known which these are."""
        known, before = kept or (None, NO_STATES)
        found = self._store.tallies_between(self._edition, known, stamp) if known else None
        if found is None:
            before, found = NO_STATES, self._store.tallies(self._edition)
        states = {subject.removeprefix(ITEM): tally.status for subject, tally in found.items()}
        shown = {item: state if self._counts(item, state) else "" for item, state in states.items()}
        return before.changed(shown, self._needs)

    def _counts(self, item: str, state: str) -> bool:
        return state in (DECIDED, REJECTED) or (state == CONTESTED and not self._open_anyway(item))


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
    found = project.statuses.counts()
    # Items on which all agree may be decided otherwise, or left out.
    extra = sum(count for (_, needed), count in found.items() if not needed)
    to_decide = int(project.to_decide.sum()) + extra
    decided, rejected = (found[each, True] + found[each, False] for each in (DECIDED, REJECTED))
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


def undecided(project: Project, numbers: Iterable[int] | None = None) -> Iterator[int]:
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
    project: Project,
    after: int,
    numbers: Sequence[int] | IntArray | None = None,
    person: Person | None = None,
) -> int | None:
    """Return the next undecided item, starting over at the end.

    Args:
        project: The project.
        after: Number of the current item; 0 for none.
        numbers: Numbers of the items to search, in order (default: all).
        person: Search the items that are assigned to this person, then those that are open to all.
    """
    listed = np.arange(1, len(project.study.items) + 1) if numbers is None else np.asarray(numbers)
    places = np.flatnonzero(listed == after)
    start = places[0] + 1 if len(places) else 0
    waiting = undecided(project, map(int, chain(listed[start:], listed[:start])))
    return next(waiting, None) if person is None else project.assignment.next(waiting, person)

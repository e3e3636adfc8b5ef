"""Assign the items of a project that nobody has begun."""

from __future__ import annotations

from typing import NamedTuple

from arbitree.adjudication.dealing import Deal, deal
from arbitree.adjudication.history import ITEM
from arbitree.study.study import Item
from arbitree.web.project.progress import undecided
from arbitree.web.project.project import Project
from arbitree.web.store.assignments import DOUBLE, item_of


class Outcome(NamedTuple):
    """The numbers of items after a deal."""

    assigned: int
    double: int  # of them, for two people
    open: int
    begun: int  # undecided, but begun, so that they stay as they were


def assign(project: Project, wanted: Deal) -> Outcome:
    """Deal the items that nobody has begun.

    Raises:
        PersonError: if somebody has left the project or may not adjudicate.
    """
    fresh, begun = _fresh(project)
    dealt = deal(fresh, wanted)
    late = project.store.assign(
        project.edition.id, {item.id: dealt.get(item.id, ()) for item in fresh}, wanted.people
    )
    given = [people for item, people in dealt.items() if item not in late]
    double = sum(len(people) == 2 for people in given)
    return Outcome(len(given), double, len(fresh) - len(dealt), begun + len(late))


def withdraw(project: Project) -> int:
    """Make the items that nobody has begun open to all; return the number of those that were assigned."""
    assigned = project.store.assignments()
    fresh, _ = _fresh(project)
    late = project.store.assign(project.edition.id, {item.id: () for item in fresh})
    return sum(item.id in assigned and item.id not in late for item in fresh)


def _fresh(project: Project) -> tuple[list[Item], int]:
    """Return the undecided items that nobody has begun, and the number of those that somebody has."""
    edition = project.edition.id
    entries = (each for prefix in (ITEM, DOUBLE) for each in project.store.last_entries(edition, prefix))
    begun = {item_of(entry.subject) for entry in entries}
    waiting = [project.item(number) for number in undecided(project)]
    fresh = [item for item in waiting if item.id not in begun]
    return fresh, len(waiting) - len(fresh)

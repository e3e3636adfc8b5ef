"""The time that people spend on items."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import select

from arbitree.web.store.database import Database
from arbitree.web.store.escapes import read_back, written
from arbitree.web.store.faults import DamagedRow
from arbitree.web.store.tables import people, visits

LONGEST = 600_000  # milliseconds in one report


class Visit(NamedTuple):
    """The active time of one person on one item."""

    item: str
    person: int
    milliseconds: int
    at: str  # of the last report


class Visits(Database):
    """The active time of people, by item; it is not part of the history."""

    def add_visit(self, edition: int, item: str, person: int, milliseconds: int) -> None:
        """Add to the time that a person has spent on an item, at most ten minutes at once."""
        spent = min(max(milliseconds, 0), LONGEST)
        key = {"edition": edition, "item": written(item), "person": person}
        made = self._insert(visits).values(key | {"milliseconds": spent, "at": self._now()})
        more = {"milliseconds": visits.c.milliseconds + spent, "at": self._now()}
        with self._writing() as connection:
            connection.execute(made.on_conflict_do_update(index_elements=list(key), set_=more))

    def visits(self, edition: int) -> list[Visit]:
        """Return the time of every person on every item that they visited."""
        columns = (visits.c.item, people.c.id, visits.c.milliseconds, visits.c.at)
        wanted = select(*columns).join(people).where(visits.c.edition == edition)
        with self._reading() as connection:
            rows = connection.execute(wanted.order_by(visits.c.item, people.c.id)).all()
            if not all(isinstance(row.milliseconds, int) for row in rows):
                raise DamagedRow("a time is not a number")
            return [Visit(read_back(row.item), *row[1:]) for row in rows]

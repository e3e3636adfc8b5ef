"""The people to whom items are assigned."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from sqlalchemy import Connection, bindparam, delete, select, text

from arbitree.adjudication.history import ITEM
from arbitree.web.roles import may
from arbitree.web.store.cache import cached
from arbitree.web.store.escapes import read_back, written
from arbitree.web.store.log import Log
from arbitree.web.store.persons import PersonError, Persons
from arbitree.web.store.tables import assignments, people

AT_ONCE = 500  # items in one statement: databases limit its parameters
_ASSIGNMENTS = select(assignments.c.item, people.c.id).join(people).order_by(people.c.id)
_ASSIGNED = (
    select(people.c.id).join(assignments).where(assignments.c.item == bindparam("item")).order_by(people.c.id)
)
DOUBLE = "double/"  # prefix of the logs of people who decide an item independently of each other


def double_subject(item: str, person: int) -> str:
    """Return the name of the log of one of two people who decide an item independently.

    Example:
        >>> double_subject("s1", 4)
        'double/4/s1'
    """
    return f"{DOUBLE}{person}/{item}"


def item_of(subject: str) -> str:
    """Return the item of a log, of all people or of one of two.

    Example:
        >>> item_of("item/s1"), item_of("double/4/a/b")
        ('s1', 'a/b')
    """
    if subject.startswith(ITEM):
        return subject.removeprefix(ITEM)
    return subject.removeprefix(DOUBLE).partition("/")[2]


class Assignments(Log, Persons):
    """Who is to decide which items; two people decide an item independently."""

    @cached
    def assignments(self) -> Mapping[str, tuple[int, ...]]:
        """Return the numbers of the people to whom each assigned item is assigned, by item."""
        found: dict[str, list[int]] = defaultdict(list)
        with self._reading() as connection:
            for item, person in connection.execute(_ASSIGNMENTS):
                found[read_back(item)].append(person)
        return {item: tuple(persons) for item, persons in found.items()}

    @cached
    def assigned(self, item: str) -> tuple[int, ...]:
        """Return the numbers of the people to whom one item is assigned."""
        with self._reading() as connection:
            return tuple(connection.scalars(_ASSIGNED, {"item": written(item)}))

    def assign(
        self, edition: int, dealt: Mapping[str, Sequence[int]], people: Collection[int] = ()
    ) -> frozenset[str]:
        """Replace the assignments of items that nobody has begun to decide.

        Args:
            edition: The version of the files.
            dealt: The people for each item, at most two; an empty list makes an item open to all.
            people: People who are to have items, even if there are too few items for all of them.
        Returns:
            The items that somebody has begun, whose assignments stay as they are.
        Raises:
            PersonError: if a person has left the project or may not adjudicate; nothing is changed.
        """
        with self._writing() as connection:
            if connection.dialect.name == "postgresql":  # of two who deal at once, the second one waits
                connection.execute(text("LOCK TABLE assignments IN SHARE ROW EXCLUSIVE MODE"))
            _check_people(connection, {*people, *(each for persons in dealt.values() for each in persons)})
            begun = frozenset(
                item for prefix in (ITEM, DOUBLE) for item in self._begun(connection, edition, prefix)
            )
            fresh = {item: persons for item, persons in dealt.items() if item not in begun}
            _delete(connection, list(fresh))
            rows = [
                {"item": written(item), "person": person, "at": self._now()}
                for item, persons in fresh.items()
                for person in persons
            ]
            if rows:
                connection.execute(assignments.insert(), rows)
            return begun & set(dealt)

    def release(self, person: int, items: Collection[str]) -> None:
        """Withdraw items from a person."""
        if items:
            with self._writing() as connection:
                _delete(connection, list(items), person)

    def _begun(self, connection: Connection, edition: int, prefix: str) -> Iterable[str]:
        return map(item_of, self._subjects(connection, edition, prefix))


def _delete(connection: Connection, items: Sequence[str], person: int | None = None) -> None:
    own = () if person is None else (assignments.c.person == person,)
    for start in range(0, len(items), AT_ONCE):
        some = [written(item) for item in items[start : start + AT_ONCE]]
        connection.execute(delete(assignments).where(assignments.c.item.in_(some), *own))


def _check_people(connection: Connection, numbers: Collection[int]) -> None:
    # The rows are locked, so that nobody is removed before the assignments are on disk.
    rows = connection.execute(select(people).where(people.c.id.in_(numbers)).with_for_update()).all()
    known = {row.id: row for row in rows}
    for number in sorted(numbers):
        row = known.get(number)
        if row is None:
            raise PersonError(f"person {number} does not exist", hint=_LISTED)
        if row.removed is not None:
            raise PersonError(f"{row.name} has left the project", hint=_LISTED)
        if not may(row.role, "adjudicate"):
            raise PersonError(f"{row.name} ({row.role}) may not adjudicate", hint=_LISTED)


_LISTED = "Nothing was assigned. Reload the page and choose among the people listed"

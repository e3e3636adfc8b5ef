"""The people of a project."""

from __future__ import annotations

import unicodedata
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, bindparam, select, update

from arbitree.errors import ArbitreeError, shorten
from arbitree.web.roles import ROLES
from arbitree.web.store.cache import cached
from arbitree.web.store.database import Database, is_key
from arbitree.web.store.faults import Clash
from arbitree.web.store.tables import OWNER, invitations, people

LONGEST = 80
_JOINERS = "\u200c\u200d"  # invisible, but scripts of Asia need them inside words
# Control characters, invisible ones, halves of characters, breaks of lines and paragraphs.
_UNSEEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}


class PersonError(ArbitreeError):
    """Raised for an invalid name, role or removal."""


def checked_name(name: str) -> str:
    """Return *name* without surrounding spaces; raise PersonError if it is not valid.

    Example:
        >>> checked_name("  Ada Byron ")
        'Ada Byron'
    """
    trimmed = unicodedata.normalize("NFC", name).strip()
    if not trimmed.strip(_JOINERS):
        raise PersonError("the name is empty", hint="Enter a name by which the others know the person")
    if len(trimmed) > LONGEST:
        raise PersonError(
            f"the name has {len(trimmed)} characters", hint=f"Shorten it to at most {LONGEST} characters"
        )
    if any(unicodedata.category(each) in _UNSEEN and each not in _JOINERS for each in trimmed):
        raise PersonError(
            f"the name {shorten(trimmed)} contains invisible characters",
            hint="Type the name instead of pasting it",
        )
    return trimmed


def folded(name: str) -> str:
    """Return *name* in the form used for comparison, which ignores case and repeated spaces.

    Example:
        >>> folded("Ada  BYRON") == folded("ada byron")
        True
    """
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


class Person(NamedTuple):
    """A person in the project."""

    id: int
    name: str
    role: str
    generation: int  # sessions of an older one are over
    at: str


class Persons(Database):
    """The people of a project and their roles."""

    def add_person(self, name: str, role: str) -> Person:
        """Add a person and return them. There is one owner, who has number 1.

        A name that was removed is the same person again: what they decided is still theirs.
        """
        name = checked_name(name)
        if role not in ROLES:
            raise PersonError(f"unknown role {role!r}", hint=f"Choose one of {', '.join(ROLES)}")
        row = {"name": name, "folded": folded(name), "role": role, "generation": 1, "at": self._now()}
        if role == "owner":
            row["id"] = OWNER
        try:
            with self._writing() as connection:
                known = connection.execute(select(people).where(people.c.folded == row["folded"])).first()
                if known is None:
                    added = connection.execute(people.insert().values(row).returning(people)).one()
                    return of_row(added)
                if known.removed is None or role == "owner":
                    raise _taken(known.name)
                again = {"name": name, "role": role, "removed": None, "generation": known.generation + 1}
                return _changed(connection, known.id, again)
        except Clash:
            raise _taken(name) from None

    def owner(self, name: str) -> Person:
        """Return the owner, who is called *name* if there was none before."""
        found = self.person(OWNER)
        if found is None:
            try:
                return self.add_person(name, "owner")
            except PersonError:
                found = self.person(OWNER)  # another server may have been first
                if found is None:
                    raise
        return found

    def people(self) -> list[Person]:
        """Return all people in the project, in the order in which they were added."""
        with self._reading() as connection:
            rows = connection.execute(select(people).where(people.c.removed.is_(None)).order_by(people.c.id))
            return [of_row(row) for row in rows]

    def names(self) -> dict[int, str]:
        """Return the names of all people by their numbers, including those who have left."""
        with self._reading() as connection:
            return {row.id: row.name for row in connection.execute(select(people.c.id, people.c.name))}

    @cached
    def person(self, number: int) -> Person | None:
        """Return the person of that number; None if they do not exist or were removed."""
        with self._reading() as connection:
            return find(connection, number)

    def set_role(self, number: int, role: str) -> Person:
        """Change the role of a person; it applies from their next request."""
        if role not in ROLES[1:]:
            raise PersonError(
                f"cannot assign the role {role!r}", hint=f"Choose one of {', '.join(ROLES[1:])}"
            )
        _check_not_owner(number)
        with self._writing() as connection:
            return _changed(connection, get(connection, number).id, {"role": role})

    def remove_person(self, number: int) -> None:
        """Remove a person: their sessions and links end, and their decisions stay."""
        _check_not_owner(number)
        with self._writing() as connection:
            generation = get(connection, number).generation + 1
            _changed(connection, number, {"removed": self._now(), "generation": generation})
            self._revoke_links(connection, number)

    def end_sessions(self, number: int) -> Person:
        """End all sessions of a person, who then needs a new link."""
        with self._writing() as connection:
            return _changed(connection, number, {"generation": get(connection, number).generation + 1})

    def _revoke_links(self, connection: Connection, number: int) -> None:
        opened = (invitations.c.used.is_(None), invitations.c.revoked.is_(None))
        mine = update(invitations).where(invitations.c.person == number, *opened)
        connection.execute(mine.values(revoked=self._now()))


_PERSON = select(people).where(people.c.id == bindparam("number"), people.c.removed.is_(None))


def find(connection: Connection, number: int) -> Person | None:
    """Return the person of that number who was not removed."""
    if not is_key(number):
        return None
    row = connection.execute(_PERSON, {"number": number}).first()
    return of_row(row) if row else None


def get(connection: Connection, number: int) -> Person:
    """Return the person of that number; raise PersonError if they do not exist."""
    found = find(connection, number)
    if found is None:
        raise PersonError(f"person {number} does not exist", hint="Reload the list of people")
    return found


def of_row(row: Row[Any]) -> Person:
    """Return the person that a row of the table describes."""
    return Person(row.id, row.name, row.role, row.generation, row.at)


def _changed(connection: Connection, number: int, values: dict[str, Any]) -> Person:
    changed = update(people).where(people.c.id == number).values(values).returning(people)
    return of_row(connection.execute(changed).one())


def _check_not_owner(number: int) -> None:
    if number == OWNER:
        raise PersonError("the owner's role cannot change", hint="A project always has one owner")


def _taken(name: str) -> PersonError:
    return PersonError(f"the name {name!r} is already in use", hint="Add a second name or an initial")

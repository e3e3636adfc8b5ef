"""Single-use invitation links."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta
from typing import Any, NamedTuple

from sqlalchemy import Row, Select, select, update

from arbitree.web.store.persons import Person, Persons, find, get
from arbitree.web.store.tables import invitations, people

WEEK = timedelta(days=7)
HOUR = timedelta(hours=1)


class Invitation(NamedTuple):
    """A single-use link for one person."""

    id: int
    person: Person | None
    state: str  # open, used, expired, revoked or unknown
    at: str
    expires: int  # seconds since 1970


class Invitations(Persons):
    """Tokens of invitation links; the database stores only their digests."""

    def invite(self, number: int, expires: timedelta = WEEK) -> str:
        """Return the token of a new link for a person. It cannot be shown a second time."""
        token = secrets.token_urlsafe(32)
        row = {
            "digest": _digest(token),
            "at": self._now(),
            "expires": int(self._clock() + expires.total_seconds()),
        }
        with self._writing() as connection:
            connection.execute(invitations.insert().values(row | {"person": get(connection, number).id}))
        return token

    def invitation(self, token: str) -> Invitation:
        """Return the invitation of a link, without using it."""
        with self._reading() as connection:
            row = connection.execute(_SELECT.where(invitations.c.digest == _digest(token))).first()
        return self._invitation(row) if row else Invitation(0, None, "unknown", "", 0)

    def use(self, token: str) -> Person | None:
        """Use a link and return its person; None if the link is not valid."""
        valid = (
            invitations.c.digest == _digest(token),
            invitations.c.used.is_(None),
            invitations.c.revoked.is_(None),
            invitations.c.expires > int(self._clock()),
        )
        # One statement that finds and marks: of two who come at once, the second finds nothing.
        marked = update(invitations).where(*valid).values(used=self._now()).returning(invitations.c.person)
        with self._writing() as connection:
            number = connection.scalar(marked)
            return None if number is None else find(connection, number)

    def revoke(self, number: int) -> None:
        """Revoke the open links of a person."""
        with self._writing() as connection:
            self._revoke_links(connection, get(connection, number).id)

    def _invitation(self, row: Row[Any]) -> Invitation:
        state = "open" if row.expires > int(self._clock()) else "expired"
        if row.revoked:
            state = "revoked"
        if row.used:
            state = "used"
        person = Person(row.person, row.name, row.role, row.generation, row.joined)
        return Invitation(row.id, person, state, row.at, row.expires)


_SELECT: Select[Any] = (
    select(invitations, people.c.name, people.c.role, people.c.generation, people.c.at.label("joined"))
    .join(people, people.c.id == invitations.c.person)
    .order_by(invitations.c.id.desc())
)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()

"""Versions of the files, judging rounds, and computed results."""

from __future__ import annotations

import secrets
from typing import Any, NamedTuple

from sqlalchemy import Row, select, update

from arbitree.web.store.database import Database, is_key
from arbitree.web.store.documents import hashed_document, hashed_text
from arbitree.web.store.faults import DamagedRow, damaged
from arbitree.web.store.tables import about, editions, findings, rounds


class Edition(NamedTuple):
    """One version of the files."""

    id: int
    fingerprint: str
    at: str
    contents: str


class JudgingRound(NamedTuple):
    """A judging round; *closed* is empty while it is open."""

    id: int
    edition: int
    at: str
    settings: dict[str, Any]
    closed: str


class ProjectRecords(Database):
    """Records of a project other than its log."""

    _secret: bytes | None = None

    def secret(self) -> bytes:
        """Return the key that signs sessions; it is created on first use and never changes."""
        if self._secret is None:
            self._secret = self._kept_secret()
        return self._secret

    def _kept_secret(self) -> bytes:
        wanted = select(about.c.value).where(about.c.key == "secret")
        with self._reading() as connection:
            found = connection.scalar(wanted)
        if found is None:
            made = self._insert(about).values(key="secret", value=secrets.token_hex(32))
            with self._writing() as connection:
                connection.execute(made.on_conflict_do_nothing())
                found = connection.scalar(wanted)
        try:
            return bytes.fromhex(str(found))
        except ValueError:
            raise damaged(self._place) from None

    def edition(self, fingerprint: str) -> Edition | None:
        """Return the edition with that fingerprint."""
        with self._reading() as connection:
            row = connection.execute(select(editions).where(editions.c.fingerprint == fingerprint)).first()
        return Edition(*row) if row else None

    def add_edition(self, fingerprint: str, contents: str) -> Edition:
        """Return the edition with that fingerprint, created now if it is new."""
        made = self._insert(editions).values(fingerprint=fingerprint, at=self._now(), contents=contents)
        with self._writing() as connection:
            connection.execute(made.on_conflict_do_nothing())
            return Edition(
                *connection.execute(select(editions).where(editions.c.fingerprint == fingerprint)).one()
            )

    def editions(self) -> list[Edition]:
        """Return all editions, the oldest first."""
        with self._reading() as connection:
            return [Edition(*row) for row in connection.execute(select(editions).order_by(editions.c.id))]

    def latest(self) -> Edition | None:
        """Return the latest edition."""
        with self._reading() as connection:
            row = connection.execute(select(editions).order_by(editions.c.id.desc()).limit(1)).first()
        return Edition(*row) if row else None

    def add_round(self, edition: int, settings: dict[str, Any]) -> JudgingRound:
        """Create a judging round."""
        made = rounds.insert().values(edition=edition, at=self._now(), settings=hashed_text(settings))
        with self._writing() as connection:
            return _round(connection.execute(made.returning(rounds)).one())

    def rounds(self, edition: int) -> list[JudgingRound]:
        """Return the rounds of an edition, the oldest first."""
        mine = select(rounds).where(rounds.c.edition == edition).order_by(rounds.c.id)
        with self._reading() as connection:
            return [_round(row) for row in connection.execute(mine)]

    def round(self, number: int) -> JudgingRound | None:
        """Return the round of that number."""
        if not is_key(number):
            return None
        with self._reading() as connection:
            row = connection.execute(select(rounds).where(rounds.c.id == number)).first()
        return _round(row) if row else None

    def close_round(self, number: int) -> None:
        """Close a round; a closed round stays unchanged."""
        still_open = update(rounds).where(rounds.c.id == number, rounds.c.closed.is_(None))
        if is_key(number):
            with self._writing() as connection:
                connection.execute(still_open.values(closed=self._now()))

    def reopen_round(self, number: int) -> None:
        """Reopen a closed round."""
        opened = update(rounds).where(rounds.c.id == number).values(closed=None)
        with self._writing() as connection:
            connection.execute(opened)

    def keep_finding(self, edition: int, part: str, document: dict[str, Any]) -> None:
        """Store a computed result for an edition, replacing the earlier one."""
        text = hashed_text(document)
        made = self._insert(findings).values(edition=edition, part=part, document=text)
        with self._writing() as connection:
            connection.execute(
                made.on_conflict_do_update(index_elements=["edition", "part"], set_={"document": text})
            )

    def finding(self, edition: int, part: str) -> dict[str, Any] | None:
        """Return the stored result; None if there is none, or if it is not as it was stored."""
        wanted = select(findings.c.document).where(findings.c.edition == edition, findings.c.part == part)
        with self._reading() as connection:
            found = connection.scalar(wanted)
        try:
            return None if found is None else hashed_document(found)
        except DamagedRow:  # it can be computed again
            return None


def _round(row: Row[Any]) -> JudgingRound:
    return JudgingRound(row.id, row.edition, row.at, hashed_document(row.settings), row.closed or "")

"""The log of decisions, which only grows."""

from __future__ import annotations

import json
import re
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, func, select

from arbitree.adjudication.events import Conflict, ItemTally, LogEntry
from arbitree.web.store.database import Database, is_key
from arbitree.web.store.faults import Clash, StoreError
from arbitree.web.store.tables import log, people, tallies


class Log(Database):
    """Entries by subject, numbered from 1 without gaps, with a tally beside each subject."""

    def append(
        self,
        *,
        edition: int,
        subject: str,
        seen: int,
        person: int,
        action: str,
        body: dict[str, Any],
        request: str,
        tally: ItemTally | None = None,
    ) -> LogEntry:
        """Write an entry after number *seen* of *subject* and return it when it is safe on disk.

        A *request* that was written before is not written again: it gives the entry of then. So whoever
        got no answer may ask again.

        Raises:
            Conflict: if others wrote about *subject* after *seen*, or *seen* is not there.
        """
        row = {
            "edition": edition,
            "subject": _written(subject),
            "sequence": seen + 1,
            "person": person,
            "at": self._now(),
            "action": action,
            "body": json.dumps(body),
            "request": _written(request),
        }
        try:
            with self._writing() as connection:
                if earlier := _by_request(connection, row):
                    return self._same(connection, earlier, row)
                if not _follows(connection, row):
                    raise Conflict(_after(connection, row))
                connection.execute(log.insert().values(row))
                if tally is not None:
                    self._tally(connection, row, tally)
                return _by_request(connection, row)[0]
        except Clash as clash:
            with self._reading() as connection:
                if earlier := _by_request(connection, row):
                    return self._same(connection, earlier, row)
                if others := _after(connection, row):
                    raise Conflict(others) from None
            raise StoreError(
                f"cannot save: edition {edition} or person {person} does not exist", hint="Reload the page"
            ) from clash

    def entries(self, edition: int, subject: str) -> list[LogEntry]:
        """Return the entries about *subject*, in order."""
        with self._reading() as connection:
            return _entries(connection, log.c.edition == edition, log.c.subject == _written(subject))

    def entries_under(self, edition: int, prefix: str) -> list[LogEntry]:
        """Return the entries about all subjects that begin with *prefix*, in the order they were made."""
        written = _written(prefix)
        # Not LIKE, which in SQLite takes upper and lower case for the same.
        beginning = func.substr(log.c.subject, 1, len(written)) == written
        with self._reading() as connection:
            return _entries(connection, log.c.edition == edition, log.c.subject >= written, beginning)

    def tallies(self, edition: int) -> dict[str, ItemTally]:
        """Return how far each subject is that was ever written about."""
        columns = (tallies.c.subject, tallies.c.status, tallies.c.decided, tallies.c.contested)
        with self._reading() as connection:
            rows = connection.execute(select(*columns).where(tallies.c.edition == edition)).all()
        return {
            _read(subject): ItemTally(status, decided, contested)
            for subject, status, decided, contested in rows
        }

    def stamp(self, edition: int) -> tuple[int, int]:
        """Return something that changes with every entry: what was read at the same stamp still holds."""
        # The count too: of two that are written at once, the one with the lower number may come second.
        wanted = select(func.coalesce(func.max(log.c.id), 0), func.count()).where(log.c.edition == edition)
        with self._reading() as connection:
            last, count = connection.execute(wanted).one()
        return int(last), int(count)

    def _same(self, connection: Connection, earlier: list[LogEntry], row: dict[str, Any]) -> LogEntry:
        """Return the entry that the request made the first time, if it said the same."""
        entry = earlier[0]
        made = (entry.edition, entry.subject, entry.person, entry.action, entry.body)
        if made != (
            row["edition"],
            _read(row["subject"]),
            row["person"],
            row["action"],
            json.loads(row["body"]),
        ):
            raise Conflict(_after(connection, row))
        return entry

    def _tally(self, connection: Connection, row: dict[str, Any], tally: ItemTally) -> None:
        key = {"edition": row["edition"], "subject": row["subject"]}
        upsert = self._insert(tallies).values(key | tally._asdict())
        connection.execute(upsert.on_conflict_do_update(index_elements=list(key), set_=tally._asdict()))


def _follows(connection: Connection, row: dict[str, Any]) -> bool:
    """Say whether the entry before is there, so that numbers have no gaps. Entries never vanish again."""
    before = row["sequence"] - 1
    if not is_key(before):
        return bool(before == 0)
    place = (log.c.edition == row["edition"], log.c.subject == row["subject"], log.c.sequence == before)
    return connection.execute(select(log.c.id).where(*place)).first() is not None


def _by_request(connection: Connection, row: dict[str, Any]) -> list[LogEntry]:
    return _entries(connection, log.c.request == row["request"])


def _after(connection: Connection, row: dict[str, Any]) -> list[LogEntry]:
    """Return the entries about the row's subject from its place on."""
    place = [log.c.edition == row["edition"], log.c.subject == row["subject"]]
    if row["sequence"] > 0:
        if not is_key(row["sequence"]):
            return []
        place.append(log.c.sequence >= row["sequence"])
    return _entries(connection, *place)


def _entries(connection: Connection, *conditions: ColumnElement[bool]) -> list[LogEntry]:
    return [
        LogEntry(
            row.id,
            row.edition,
            _read(row.subject),
            row.sequence,
            row.person,
            row.name,
            row.at,
            row.action,
            json.loads(row.body),
            _read(row.request),
        )
        for row in connection.execute(_SELECT.where(*conditions))
    ]


_SELECT: Select[Any] = select(log, people.c.name).join(people, people.c.id == log.c.person).order_by(log.c.id)


def _written(subject: str) -> str:
    """Return *subject* as the database can hold it: PostgreSQL has no NUL, neither has half characters."""
    return re.sub(r"[\\\0\ud800-\udfff]", lambda match: f"\\{ord(match[0]):04x}", subject)


def _read(written: str) -> str:
    if "\\" not in written:
        return written
    return re.sub(r"\\([0-9a-f]{4})", lambda match: chr(int(match[1], 16)), written)

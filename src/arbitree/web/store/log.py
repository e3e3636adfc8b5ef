"""The append-only log of decisions."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Select, bindparam, func, select
from sqlalchemy import Row as Fetched

from arbitree.adjudication.history import (
    AGREED,
    CONTESTED,
    DECIDED,
    REJECTED,
    Conflict,
    ItemTally,
    LogEntry,
    NewEntry,
)
from arbitree.web.store.cache import cached
from arbitree.web.store.database import PIECE, Database, is_key
from arbitree.web.store.documents import document_of
from arbitree.web.store.escapes import read_back, written
from arbitree.web.store.faults import Clash, DamagedRow, StoreError
from arbitree.web.store.tables import log, people, tallies

STATUSES = {AGREED, CONTESTED, DECIDED, REJECTED}
AT_ONCE = 500  # requests in one query: databases limit its parameters

Row = dict[str, Any]  # of the table


class Stamp(NamedTuple):
    """The state of a history: the number of its last entry, and how many there are where that is needed."""

    last: int
    entries: int | None = None


class Log(Database):
    """Entries by subject, numbered from 1 without gaps, and a tally per subject."""

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
        """Append an entry after number *seen* of *subject* and return it when it is on disk.

        A *request* that was written before is not written again: its first entry is returned. A client that
        received no response can therefore send the request again.

        Raises:
            Conflict: if others wrote about *subject* after *seen*, or *seen* does not exist.
        """
        new = NewEntry(subject, seen, action, body, request, tally)
        return self.append_all([new], edition=edition, person=person)[0]

    def append_all(self, entries: Sequence[NewEntry], *, edition: int, person: int) -> list[LogEntry]:
        """Append entries about one or many subjects, all or none, and return them when they are on disk.

        Entries about the same subject follow each other: the second one has seen the first. Entries with the
        same requests that were written before are not written again, as in ``append``.

        Raises:
            Conflict: if others wrote about one of the subjects after the entry that was seen.
        """
        if not entries:
            return []
        at = self._now()
        rows = [_row(each, edition=edition, person=person, at=at) for each in entries]
        firsts = _firsts(rows)
        try:
            with self._writing() as connection:
                if earlier := _earlier(connection, rows):
                    return _same(connection, earlier, rows, firsts)
                if not all(_follows(connection, row) for row in firsts):
                    raise Conflict(_unseen(connection, firsts))
                connection.execute(log.insert(), rows)
                for row, each in zip(rows, entries, strict=True):
                    if each.tally is not None:
                        self._tally(connection, row, each.tally)
                return _by_requests(connection, [row["request"] for row in rows])
        except Clash as clash:
            with self._reading() as connection:
                if earlier := _earlier(connection, rows):
                    return _same(connection, earlier, rows, firsts)
                if others := _unseen(connection, firsts):
                    raise Conflict(others) from None
            raise StoreError(
                f"cannot save: edition {edition} or person {person} does not exist", hint="Reload the page"
            ) from clash

    @cached
    def entries(self, edition: int, subject: str) -> list[LogEntry]:
        """Return the entries about *subject*, in order."""
        place = {"edition": edition, "subject": written(subject)}
        with self._reading() as connection:
            return [_entry(row) for row in connection.execute(_ENTRIES, place)]

    def entries_under(self, edition: int, prefix: str) -> list[LogEntry]:
        """Return the entries about all subjects that start with *prefix*, in chronological order."""
        return list(self.read_entries(edition, prefix))

    def read_entries(self, edition: int, prefix: str) -> Iterator[LogEntry]:
        """Yield these entries; few of them are in memory at a time."""
        with self._reading() as connection:
            yield from _streamed(connection, _SELECT.where(*_under(edition, prefix)))

    def lengths(self, edition: int, prefix: str) -> dict[str, int]:
        """Return the number of entries about each subject that starts with *prefix*."""
        counted = select(log.c.subject, func.max(log.c.sequence)).where(*_under(edition, prefix))
        with self._reading() as connection:
            rows = connection.execute(counted.group_by(log.c.subject)).all()
        return {read_back(subject): length for subject, length in rows}

    def logs(self, edition: int, subjects: Sequence[str]) -> Iterator[list[LogEntry]]:
        """Yield the entries about each of the *subjects* that has any, one subject after the other."""
        ordered = _SELECT.order_by(None).order_by(log.c.subject, log.c.sequence)
        with self._reading() as connection:
            for start in range(0, len(subjects), PIECE):
                part = [written(subject) for subject in subjects[start : start + PIECE]]
                wanted = ordered.where(log.c.edition == edition, log.c.subject.in_(part))
                for _, entries in groupby(_streamed(connection, wanted), attrgetter("subject")):
                    yield list(entries)

    def requested(self, requests: Sequence[str]) -> list[LogEntry]:
        """Return the entries that these requests wrote, in the order of the requests."""
        with self._reading() as connection:
            return _by_requests(connection, [written(request) for request in requests])

    def latest_entries(self, edition: int, prefix: str, start: int, count: int) -> tuple[list[LogEntry], int]:
        """Return *count* such entries, the newest first and after *start* others, and the number of all."""
        chosen = _under(edition, prefix)
        with self._reading() as connection:
            total = connection.scalar(select(func.count()).select_from(log).where(*chosen)) or 0
            if start >= total:  # which may be too large for the database
                return [], total
            newest = log.c.id.in_(
                select(log.c.id).where(*chosen).order_by(log.c.id.desc()).offset(start).limit(count)
            )
            return _entries(connection, newest)[::-1], total

    def last_entries(self, edition: int, prefix: str) -> list[LogEntry]:
        """Return the last entry about each subject that starts with *prefix*, in chronological order."""
        last = select(func.max(log.c.id)).where(*_under(edition, prefix)).group_by(log.c.subject)
        with self._reading() as connection:
            return _entries(connection, log.c.id.in_(last))

    def tallies(self, edition: int) -> dict[str, ItemTally]:
        """Return the tally of each subject that has entries."""
        with self._reading() as connection:
            return _tallies(connection, _TALLIES, {"edition": edition})

    def tallies_between(self, edition: int, earlier: Stamp, stamp: Stamp) -> dict[str, ItemTally] | None:
        """Return the tallies of the subjects with entries between two stamps; None if these are not known."""
        bounds = {"edition": edition, "first": earlier.last, "last": stamp.last}
        with self._reading() as connection:
            before = connection.scalar(_COUNT_UNTIL, bounds) if earlier.entries is not None else None
            if before != earlier.entries:  # an entry with a lower number has become visible
                return None
            return _tallies(connection, _TALLIES_BETWEEN, bounds)

    @cached
    def stamp(self, edition: int) -> Stamp:
        """Return a value that changes with every entry, for use as a cache key."""
        with self._reading() as connection:
            if connection.dialect.name == "sqlite":  # entries are written one after the other
                return Stamp(connection.scalar(_LAST) or 0)
            # Of two that are written at once, the one with the lower number may come second.
            last, count = connection.execute(_LAST_AND_COUNT, {"edition": edition}).one()
        return Stamp(int(last), int(count))

    def _subjects(self, connection: Connection, edition: int, prefix: str) -> list[str]:
        """Return the subjects that start with *prefix* and have entries."""
        found = connection.scalars(select(log.c.subject).where(*_under(edition, prefix)).distinct())
        return [read_back(subject) for subject in found]

    def _tally(self, connection: Connection, row: Row, tally: ItemTally) -> None:
        key = {"edition": row["edition"], "subject": row["subject"]}
        upsert = self._insert(tallies).values(key | tally._asdict())
        connection.execute(upsert.on_conflict_do_update(index_elements=list(key), set_=tally._asdict()))


def _under(edition: int, prefix: str) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions for entries about subjects that start with *prefix*."""
    begin = written(prefix)
    # Not LIKE, which in SQLite takes upper and lower case for the same.
    begins = func.substr(log.c.subject, 1, len(begin)) == begin
    return log.c.edition == edition, log.c.subject >= begin, begins


def _follows(connection: Connection, row: Row) -> bool:
    """Return whether the previous entry exists, so that numbers have no gaps."""
    before = row["sequence"] - 1
    if not is_key(before):
        return bool(before == 0)
    place = (log.c.edition == row["edition"], log.c.subject == row["subject"], log.c.sequence == before)
    return connection.execute(select(log.c.id).where(*place)).first() is not None


def _row(entry: NewEntry, *, edition: int, person: int, at: str) -> Row:
    return {
        "edition": edition,
        "subject": written(entry.subject),
        "sequence": entry.seen + 1,
        "person": person,
        "at": at,
        "action": entry.action,
        "body": json.dumps(entry.body),
        "request": written(entry.request),
    }


def _firsts(rows: Sequence[Row]) -> list[Row]:
    """Return the first row of each subject; raise ValueError if the others do not follow it."""
    numbers: dict[str, int] = {}
    firsts = []
    for row in rows:
        subject, number = row["subject"], row["sequence"]
        if subject not in numbers:
            firsts.append(row)
        elif number != numbers[subject] + 1:
            raise ValueError(f"entry {number} does not follow entry {numbers[subject]}")
        numbers[subject] = number
    return firsts


def _earlier(connection: Connection, rows: Sequence[Row]) -> list[LogEntry]:
    """Return the entries that were written before with the requests of the rows, if the first one was."""
    requests = [row["request"] for row in rows]
    return _by_requests(connection, requests) if _by_requests(connection, requests[:1]) else []


def _same(
    connection: Connection, earlier: list[LogEntry], rows: Sequence[Row], firsts: Sequence[Row]
) -> list[LogEntry]:
    """Return the entries of earlier identical requests; raise Conflict if their content differs."""
    found = [(each.edition, each.subject, each.person, each.action, each.body) for each in earlier]
    wanted = [
        (row["edition"], read_back(row["subject"]), row["person"], row["action"], json.loads(row["body"]))
        for row in rows
    ]
    if found != wanted:
        raise Conflict(_unseen(connection, firsts))
    return earlier


def _by_requests(connection: Connection, requests: Sequence[str]) -> list[LogEntry]:
    """Return the entries with these requests, as they are stored, in this order."""
    found = {
        written(entry.request): entry
        for start in range(0, len(requests), AT_ONCE)
        for entry in _entries(connection, log.c.request.in_(requests[start : start + AT_ONCE]))
    }
    return [found[request] for request in requests if request in found]


def _unseen(connection: Connection, firsts: Sequence[Row]) -> list[LogEntry]:
    """Return the entries about the rows' subjects from the rows' numbers on, in chronological order."""
    return sorted(entry for row in firsts for entry in _after(connection, row))


def _after(connection: Connection, row: Row) -> list[LogEntry]:
    """Return the entries about the row's subject from its number on."""
    place = [log.c.edition == row["edition"], log.c.subject == row["subject"]]
    if row["sequence"] > 0:
        if not is_key(row["sequence"]):
            return []
        place.append(log.c.sequence >= row["sequence"])
    return _entries(connection, *place)


def _entries(connection: Connection, *conditions: ColumnElement[bool]) -> list[LogEntry]:
    return [_entry(row) for row in connection.execute(_SELECT.where(*conditions))]


def _streamed(connection: Connection, wanted: Select[Any]) -> Iterator[LogEntry]:
    # Not a cursor in the server, which cannot be closed where the connection is lost.
    return map(_entry, connection.execute(wanted).yield_per(PIECE))


def _entry(row: Fetched[Any]) -> LogEntry:
    return LogEntry(
        row.id,
        row.edition,
        read_back(row.subject),
        row.sequence,
        row.person,
        row.name,
        row.at,
        row.action,
        document_of(row.body),
        read_back(row.request),
    )


def _tallies(connection: Connection, wanted: Select[Any], bounds: Mapping[str, int]) -> dict[str, ItemTally]:
    rows = connection.execute(wanted, bounds).all()
    if any(row.status not in STATUSES for row in rows):
        raise DamagedRow("unknown status")
    return {
        read_back(subject): ItemTally(status, decided, contested)
        for subject, status, decided, contested in rows
    }


# Statements that every page needs are made once: making one takes longer than executing it.
_EDITION: ColumnElement[bool] = log.c.edition == bindparam("edition")
_SELECT: Select[Any] = select(log, people.c.name).join(people, people.c.id == log.c.person).order_by(log.c.id)
_ENTRIES = _SELECT.where(_EDITION, log.c.subject == bindparam("subject"))
_LAST = select(func.max(log.c.id))
_LAST_AND_COUNT = select(func.coalesce(func.max(log.c.id), 0), func.count()).where(_EDITION)
_COUNT_UNTIL = select(func.count()).select_from(log).where(_EDITION, log.c.id <= bindparam("first"))
_BETWEEN = (_EDITION, log.c.id > bindparam("first"), log.c.id <= bindparam("last"))
_TALLIES = select(tallies.c.subject, tallies.c.status, tallies.c.decided, tallies.c.contested).where(
    tallies.c.edition == bindparam("edition")
)
_TALLIES_BETWEEN = _TALLIES.where(tallies.c.subject.in_(select(log.c.subject).where(*_BETWEEN)))

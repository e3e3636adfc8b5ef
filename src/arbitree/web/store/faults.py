"""Convert database errors into messages with hints."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from arbitree.errors import ArbitreeError


class StoreError(ArbitreeError):
    """Raised if the database cannot be read or written; nothing was saved."""


class Unconfirmed(StoreError):
    """Raised if the connection was lost during a commit: the change may have been saved or not."""


class Clash(StoreError):
    """Raised if a row violates a uniqueness constraint; never leaves this package."""


class DamagedRow(ValueError):
    """Raised if a row contains values that Arbitree did not write; never leaves this package."""


@contextmanager
def in_words(place: str) -> Iterator[None]:
    """Convert errors of the database driver into a StoreError about the database at *place*."""
    try:
        yield
    except IntegrityError as fault:
        what = f"{place}: a record with this name already exists"
        raise Clash(what, hint="Reload the page and try again") from fault
    except (SQLAlchemyError, sqlite3.Error) as fault:
        raise _explained(fault, place) from fault
    except (DamagedRow, UnicodeDecodeError) as fault:  # SQLite may quote a damaged name in its errors
        raise damaged(place) from fault
    except UnicodeEncodeError as fault:
        what = f"{place}: the text contains an incomplete character"
        raise StoreError(what, hint="Encode the text as UTF-8") from fault


@contextmanager
def confirmed(place: str) -> Iterator[None]:
    """Convert the loss of the connection during a commit into Unconfirmed."""
    try:
        yield
    except DBAPIError as fault:
        if not fault.connection_invalidated:
            raise
        raise Unconfirmed(
            f"{place} closed the connection before it confirmed the change", hint=_AGAIN
        ) from fault


def locked(place: str) -> StoreError:
    """Return the error for a database at *place* that is locked for too long."""
    return StoreError(
        f"{place} is locked by another program",
        hint="Try again; if it stays locked, close the program that has the database open",
    )


def damaged(place: str) -> StoreError:
    """Return the error for a database at *place* whose contents have changed outside Arbitree."""
    return StoreError(f"{place} {_DAMAGED[0]}", hint=_DAMAGED[1])


def _explained(fault: Exception, place: str) -> StoreError:
    if isinstance(fault, PoolTimeout):
        return StoreError(f"{place} is too busy: all connections are in use", hint="Try again in a moment")
    cause = fault.orig if isinstance(fault, DBAPIError) and fault.orig is not None else fault
    if isinstance(cause, sqlite3.Error):
        return _of_sqlite(cause, place)
    return _of_postgresql(cause, place)


def _of_sqlite(cause: BaseException, place: str) -> StoreError:
    # Extended names begin with the plain one: SQLITE_READONLY_DIRECTORY is a kind of SQLITE_READONLY.
    name = str(getattr(cause, "sqlite_errorname", ""))
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_PROTOCOL")):
        return locked(place)
    for beginning, what, hint in _SQLITE:
        if name.startswith(beginning):
            return StoreError(f"{place} {what}", hint=hint)
    if "UTF-8" in str(cause):  # the driver has no name for texts that are not texts
        return damaged(place)
    return StoreError(f"{place} cannot be used ({cause})", hint=_GENERAL)


def _of_postgresql(cause: BaseException, place: str) -> StoreError:
    state = str(getattr(cause, "sqlstate", None) or "")
    said = str(cause)
    if state in _LOCKED:
        return locked(place)
    for states, words, what, hint in _POSTGRESQL:
        if state in states or any(word in said for word in words):
            return StoreError(f"{place} {what}", hint=hint)
    # Without a state the driver speaks of the connection, and may quote how it was asked for.
    detail = f" ({said.splitlines()[0]})" if state and said else ""
    return StoreError(f"{place} cannot be used{detail}", hint=_GENERAL)


_GENERAL = "Check the database, then try again"
_AGAIN = "Try again in a moment; a saved decision is not saved twice"

_DAMAGED = (
    "is damaged",
    "Restore a backup with arbitree restore FILE DIR, but keep the damaged file for a recovery",
)

_SQLITE = [
    (
        "SQLITE_READONLY",
        "is read-only",
        "Give this user write permission for the file and its directory",
    ),
    (
        "SQLITE_FULL",
        "cannot grow because the disk is full",
        "Free disk space, then try again; earlier decisions are safe",
    ),
    (
        "SQLITE_NOTADB",
        "is not a database",
        "Choose another file, or move this one to start a new database",
    ),
    ("SQLITE_CORRUPT", *_DAMAGED),
    (
        "SQLITE_CANTOPEN",
        "cannot be opened",
        "Check that the directory exists and that this user has write permission",
    ),
    (
        "SQLITE_IOERR",
        "cannot be read or written because of a disk error",
        "Check the disk, or use a local disk",
    ),
    ("SQLITE_TOOBIG", "cannot store a text of this length", "Shorten the text"),
]

_LOCKED = {"55P03", "40P01", "40001", "57014"}

_POSTGRESQL = [
    (
        {"28P01", "28000"},
        (
            "password authentication failed",
            "no password supplied",
            "authentication failed",
            "no pg_hba.conf entry",
        ),
        "refuses the connection because the user name or the password is wrong",
        "Check the user name and the password in --database postgresql://USER:PASSWORD@HOST/NAME",
    ),
    (
        {"3D000"},
        (" does not exist",),
        "does not exist",
        "Create it with: createdb NAME, or check the name in --database",
    ),
    ({"53100"}, (), "cannot grow because the disk is full", "Free disk space on the server, then try again"),
    ({"53300"}, ("too many clients",), "has too many open connections", "Try again in a moment"),
    ({"25006"}, (), "is read-only", "Use the primary server, not a replica"),
    (
        {"42501"},
        (),
        "does not allow this user to create or change tables",
        "Make the user the owner of the database",
    ),
    ({"54000"}, (), "cannot store a name of this length", "Shorten the ids of the items"),
    (
        {"57P01", "57P02", "57P03"},
        (
            "server closed the connection",
            "terminating connection",
            "connection is closed",
            "connection was lost",
        ),
        "closed the connection",
        _AGAIN,
    ),
    (
        {"08000", "08001", "08003", "08004", "08006"},
        (
            "connection failed",
            "could not connect",
            "timeout expired",
            "could not translate",
            "connection is bad",
        ),
        "does not respond",
        "Check that PostgreSQL is running and that host and port in --database are correct",
    ),
]

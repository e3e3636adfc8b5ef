"""What databases complain of, said in words."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from arbitree.errors import ArbitreeError


class StoreError(ArbitreeError):
    """The database could not be read or written; what was asked for is not saved."""


class Clash(StoreError):
    """A row was refused because another one has its place. Never leaves the store."""


@contextmanager
def in_words(place: str) -> Iterator[None]:
    """Turn whatever a database driver raises into a StoreError about the database at *place*."""
    try:
        yield
    except IntegrityError as fault:
        raise Clash(f"{place}: what is there already is in the way", hint="Reload and try again") from fault
    except (SQLAlchemyError, sqlite3.Error) as fault:
        raise _explained(fault, place) from fault
    except UnicodeEncodeError as fault:
        raise StoreError(f"{place}: the text holds half a character", hint="Write it as UTF-8") from fault


def locked(place: str) -> StoreError:
    """Return the error for a database at *place* that others hold for too long."""
    return StoreError(
        f"{place} is locked: somebody else holds it",
        hint="Try again; if it stays so, close the program that has the database open",
    )


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


_GENERAL = "Look whether the database is in order, then try again"
_AGAIN = "Try again in a moment; what was saved already is not saved twice"

_SQLITE = [
    (
        "SQLITE_READONLY",
        "may be read but not written",
        "Give this user the right to write the file and its folder",
    ),
    (
        "SQLITE_FULL",
        "cannot grow: the disk is full",
        "Make room on the disk, then try again; nothing of before is lost",
    ),
    (
        "SQLITE_NOTADB",
        "is not a database",
        "Name another file, or move this one away to begin a new one",
    ),
    (
        "SQLITE_CORRUPT",
        "is damaged",
        "Put a copy of it in its place; keep the damaged file, for most may be saved",
    ),
    (
        "SQLITE_CANTOPEN",
        "cannot be opened",
        "Check that the folder is there and that this user may write in it",
    ),
    (
        "SQLITE_IOERR",
        "cannot be read or written: the disk does not answer",
        "Check the disk; use a local one",
    ),
    ("SQLITE_TOOBIG", "cannot hold so long a text", "Send less at once"),
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
        "does not let us in: the name or the password is wrong",
        "Check user and password in --database postgresql://USER:PASSWORD@HOST/NAME",
    ),
    (
        {"3D000"},
        (" does not exist",),
        "is not there",
        "Make it: createdb NAME, or check the name in --database",
    ),
    ({"53100"}, (), "cannot grow: the disk is full", "Make room on the server's disk, then try again"),
    ({"53300"}, ("too many clients",), "has too many visitors", "Try again in a moment"),
    ({"25006"}, (), "may be read but not written", "Name the main server, not its copy"),
    ({"42501"}, (), "does not let this user make or change tables", "Let the user own the database"),
    ({"54000"}, (), "cannot hold so long a name", "Shorten the ids of the items"),
    (
        {"57P01", "57P02", "57P03"},
        (
            "server closed the connection",
            "terminating connection",
            "connection is closed",
            "connection was lost",
        ),
        "went away while we spoke to it",
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
        "does not answer",
        "Check that PostgreSQL runs there and that host and port in --database are right",
    ),
]

"""Create the tables of a new database, and check the version of an existing one."""

from __future__ import annotations

import re

from sqlalchemy import Connection, insert, inspect, select, text

from arbitree.web.store.faults import StoreError
from arbitree.web.store.tables import OWNER, about, metadata

# Of the tables; raised whenever they change. An additional table is not a change: earlier versions of
# Arbitree ignore it, and databases that lack it get it when they are opened.
VERSION = 1

# What was decided is never altered, not even by a mistake in this program: the databases refuse it.
_SQLITE_ONLY = [
    "CREATE TRIGGER log_no_update BEFORE UPDATE ON log BEGIN SELECT RAISE(ABORT, 'the log only grows'); END",
    "CREATE TRIGGER log_no_delete BEFORE DELETE ON log BEGIN SELECT RAISE(ABORT, 'the log only grows'); END",
    # Identity(start=...) says the same to PostgreSQL: number 1 is the owner's.
    f"INSERT INTO sqlite_sequence (name, seq) VALUES ('people', {OWNER})",
]
_POSTGRESQL_ONLY = [
    "CREATE FUNCTION log_only_grows() RETURNS trigger LANGUAGE plpgsql AS"
    " $$ BEGIN RAISE EXCEPTION 'the log only grows'; END $$",
    "CREATE TRIGGER log_no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON log"
    " FOR EACH STATEMENT EXECUTE FUNCTION log_only_grows()",
]


def prepare(connection: Connection, *, new: bool) -> None:
    """Create the tables that do not exist; check the version of those that do.

    The caller holds a lock on the database, so that two servers that start at once create them once.

    Args:
        connection: A connection that writes.
        new: Create the tables; otherwise raise StoreError if they do not exist.
    """
    present = set(inspect(connection).get_table_names())
    if about.name in present:
        _check_version(connection)
        metadata.create_all(connection)
        return
    if foreign := sorted(present & set(metadata.tables)):
        raise StoreError(
            f"the database has a table {foreign[0]!r} that Arbitree did not create",
            hint="Use a separate database for the project",
        )
    if not new:
        raise StoreError("the database does not contain a project", hint="Pass the database of the project")
    metadata.create_all(connection, checkfirst=False)
    for statement in _SQLITE_ONLY if connection.dialect.name == "sqlite" else _POSTGRESQL_ONLY:
        connection.execute(text(statement))
    connection.execute(insert(about).values(key="version", value=str(VERSION)))


def _check_version(connection: Connection) -> None:
    found = connection.scalar(select(about.c.value).where(about.c.key == "version"))
    if not re.fullmatch("[0-9]{1,9}", str(found)):
        raise StoreError(
            "the database has a table 'arbitree' that Arbitree did not create",
            hint="Use a separate database for the project",
        )
    if int(found or 0) > VERSION:
        raise StoreError(
            f"the database was created by a newer version of Arbitree (tables {found}, supported {VERSION})",
            hint="Install the newest version of Arbitree",
        )

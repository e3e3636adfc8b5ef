"""Copies of a whole database, taken while others write to it, and moved between SQLite and PostgreSQL."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import Connection, func, select, text

from arbitree.web.store.database import PIECE, Database
from arbitree.web.store.faults import StoreError
from arbitree.web.store.tables import about, metadata


class Copies(Database):
    """Copies of a database."""

    def copy_to(self, path: Path) -> None:
        """Write the database as it is now to a new SQLite file, whose directory exists."""
        if self._engine.dialect.name == "sqlite":
            with self._transaction(), closing(self._engine.raw_connection()) as connection:
                driver = connection.driver_connection
                with closing(sqlite3.connect(path)) as target:
                    assert isinstance(driver, sqlite3.Connection)
                    driver.backup(target)
            return
        with type(self).open(f"sqlite:///{path}") as target:
            target.fill(self)

    def fill(self, source: Database) -> None:
        """Copy all rows of *source* into this database, which must be empty."""
        with source._snapshot() as rows, self._writing() as connection:
            if not _is_empty(connection):
                raise StoreError(f"{self.place} contains another project", hint="Use an empty database")
            _copy(rows, connection)
            if connection.dialect.name == "postgresql":
                _set_sequences(connection)


def _is_empty(connection: Connection) -> bool:
    counts = [
        select(func.count()).select_from(table) for table in metadata.sorted_tables if table is not about
    ]
    return not any(connection.scalar(count) for count in counts)


def _copy(rows: Connection, target: Connection) -> None:
    target.execute(about.delete())  # the version comes with the rows
    for table in metadata.sorted_tables:  # those that others refer to first
        wanted = select(table).execution_options(yield_per=PIECE)
        with rows.execute(wanted) as found:
            for piece in found.mappings().partitions():
                target.execute(table.insert(), [dict(row) for row in piece])


def _set_sequences(connection: Connection) -> None:
    """Let PostgreSQL number new rows after those that were copied, as SQLite does by itself."""
    for table in metadata.sorted_tables:
        if "id" in table.c and (last := connection.scalar(select(func.max(table.c.id)))):
            name = f"pg_get_serial_sequence('{table.name}', 'id')"
            connection.execute(text(f"SELECT setval({name}, :last)"), {"last": last})

"""The seal of a history: the number of its entries and a hash of them, to recognise entries that are lost."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, select, text

from arbitree.web.store.database import PIECE, Database
from arbitree.web.store.faults import StoreError
from arbitree.web.store.tables import log


class LossError(StoreError):
    """Raised if the history lacks entries that were stored before, or if they have changed."""


@dataclass(frozen=True, slots=True)
class Seal:
    """The number of entries in a history at some time, and a hash of them in the order of their ids."""

    entries: int
    hash: str
    at: str

    @classmethod
    def of_document(cls, document: dict[str, Any]) -> Seal:
        """Return the seal in *document*; raise TypeError if it is not valid."""
        match document:
            case {"entries": int(entries), "hash": str(digest), "at": str(at)} if entries >= 0:
                return cls(entries, digest, at)
        raise TypeError("the seal must contain a number of entries, a hash and a time")

    @property
    def count(self) -> str:
        """The number of entries with its noun."""
        return "1 entry" if self.entries == 1 else f"{self.entries:,} entries"

    @property
    def described(self) -> str:
        """The entries in words, with the time at which they were stored."""
        were = "that was" if self.entries == 1 else "that were"
        return f"{self.count} {were} stored on {self.at[:10]} {self.at[11:16]} UTC"


class SealedLog(Database):
    """The check of the history against an earlier seal."""

    def seal(self, earlier: Seal | None = None) -> Seal:
        """Return the seal of the history as it is now.

        Formula:
            hash = SHA-256 of the entries, each as a line of JSON: the list of its columns
        Args:
            earlier: A seal whose entries must be the first ones of the history.
        Raises:
            LossError: if they are not.
        """
        wanted = earlier or Seal(0, "", "")
        count = self._count()
        if count < wanted.entries:
            found = f"the history has {count:,} of the {wanted.described}"
            raise LossError(f"{self.place}: {found}", hint=_RESTORE)
        digest = hashlib.sha256()
        entries = select(log).order_by(log.c.id).limit(count).execution_options(yield_per=PIECE)
        with self._reading() as connection, connection.execute(entries) as rows:
            for number, row in enumerate(rows, start=1):
                digest.update(json.dumps(tuple(row), default=str).encode() + b"\n")
                if number == wanted.entries and digest.hexdigest() != wanted.hash:
                    found = f"the history is not the same as the {wanted.described}"
                    raise LossError(f"{self.place}: {found}", hint=_RESTORE)
        return Seal(count, digest.hexdigest(), self._now())

    def _count(self) -> int:
        """Return the number of entries, none of which will be preceded by a later one."""
        with self._reading() as connection:
            if connection.dialect.name == "postgresql":
                # Numbers are given before the entries become visible: wait for those who have one.
                connection.execute(text("LOCK TABLE log IN SHARE MODE"))
            return int(connection.scalar(select(func.count()).select_from(log)) or 0)


_RESTORE = (
    "Restore a backup with arbitree restore FILE DIR, "
    "or pass --accept-loss to arbitree serve to continue without these entries"
)

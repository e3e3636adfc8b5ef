"""How far the items are decided, read anew only when something was written."""

from __future__ import annotations

from collections.abc import Mapping
from threading import Lock

from arbitree.web.store import Store

DECIDED, REJECTED = "decided", "rejected"
PREFIX = "item/"  # of the subjects that are items


class Statuses:
    """The statuses of the items of one edition."""

    def __init__(self, store: Store, edition: int) -> None:
        self._store = store
        self._edition = edition
        self._lock = Lock()
        self._read: tuple[tuple[int, int], Mapping[str, str]] | None = None

    def get(self) -> Mapping[str, str]:
        """Return the status of every item that somebody has written on, by its id."""
        stamp = self._store.stamp(self._edition)
        with self._lock:
            if self._read is None or self._read[0] != stamp:
                tallies = self._store.tallies(self._edition)
                self._read = (
                    stamp,
                    {
                        subject.removeprefix(PREFIX): tally.status
                        for subject, tally in tallies.items()
                        if subject.startswith(PREFIX)
                    },
                )
            return self._read[1]

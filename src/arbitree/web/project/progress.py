"""How far the items are decided, read anew only when something was written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from threading import Lock

from arbitree.web.store import Store

DECIDED, REJECTED, CONTESTED = "decided", "rejected", "contested"
PREFIX = "item/"  # of the subjects that are items


class Statuses:
    """The statuses of the items of one edition.

    Args:
        store: where they are kept.
        edition: whose items these are.
        open_anyway: says of an item whether it waits for a decision even if nobody has written on it.
    """

    def __init__(self, store: Store, edition: int, open_anyway: Callable[[str], bool]) -> None:
        self._store = store
        self._edition = edition
        self._open_anyway = open_anyway
        self._lock = Lock()
        self._read: tuple[tuple[int, int], Mapping[str, str]] | None = None

    def get(self) -> Mapping[str, str]:
        """Return the status of every item that is another than before somebody wrote on it, by its id."""
        stamp = self._store.stamp(self._edition)
        with self._lock:
            if self._read is None or self._read[0] != stamp:
                self._read = (stamp, dict(self._changed()))
            return self._read[1]

    def _changed(self) -> Iterator[tuple[str, str]]:
        for subject, tally in self._store.tallies(self._edition).items():
            item = subject.removeprefix(PREFIX)
            if tally.status in (DECIDED, REJECTED) or (
                tally.status == CONTESTED and not self._open_anyway(item)
            ):
                yield item, tally.status

"""What was computed of a study, as the pages show it."""

from __future__ import annotations

from typing import Any

from arbitree.web.store import Store

SUGGESTIONS = "suggestions"


class Findings:
    """The findings of one edition that the store keeps."""

    def __init__(self, store: Store, edition: int, job: dict[str, Any]) -> None:
        self._store = store
        self._edition = edition
        self._job = job
        self._kept: dict[str, dict[str, Any]] = {}

    def start(self) -> None:
        """Begin to compute what is missing."""

    def stop(self) -> None:
        """End what is under way."""

    def part(self, name: str) -> dict[str, Any] | None:
        """Return one part; None while it is not there."""
        if name not in self._kept:
            found = self._store.finding(self._edition, name)
            if found is None:
                return None
            self._kept[name] = found
        return self._kept[name]

    def suggestions(self, item: str) -> dict[str, str]:
        """Return what the model of the coders suggests for the contested places of an item."""
        found: dict[str, dict[str, str]] = (self.part(SUGGESTIONS) or {}).get("items", {})
        return found.get(item, {})

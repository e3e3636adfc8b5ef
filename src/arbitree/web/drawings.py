"""Pictures of items, kept for a while because people go back and forth between sentences."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Any

from arbitree.data.study import Study
from arbitree.errors import UnsupportedStudy
from arbitree.reports.pictures import Picture, draw

KEPT = 256  # pictures of up to about 100 kB


class Drawings:
    """The pictures of a study that were asked for last."""

    def __init__(self, study: Study[Any], kept: int = KEPT) -> None:
        self._study = study
        self._kept = kept
        self._lock = Lock()
        self._pictures: OrderedDict[tuple[str, str], Picture | None] = OrderedDict()

    def get(self, item: str, decided: Any = None) -> Picture | None:
        """Return the picture of an item with what is *decided*; None if such annotations have no picture."""
        key = (item, repr(decided))
        with self._lock:
            if key in self._pictures:
                self._pictures.move_to_end(key)
                return self._pictures[key]
        found = self._draw(item, decided)
        with self._lock:
            self._pictures[key] = found
            while len(self._pictures) > self._kept:
                self._pictures.popitem(last=False)
        return found

    def _draw(self, item: str, decided: Any) -> Picture | None:
        try:
            return draw(self._study, item, decided=decided)
        except UnsupportedStudy:
            return None

"""The values that coders of a study use, offered where an adjudicator types one."""

from __future__ import annotations

from collections import Counter, OrderedDict
from itertools import islice
from threading import Lock
from typing import Any

import numpy as np

from arbitree.adjudication.places import Places
from arbitree.drawing.picture import Picture, Pictures, draw_item
from arbitree.study.study import Study

KEPT = 256  # pictures of up to about 100 kB


class Drawings:
    """The pictures of a study that were asked for last."""

    def __init__(self, study: Study[Any], pictures: Pictures[Any] | None, kept: int = KEPT) -> None:
        self._study = study
        self._pictures_of = pictures
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
        if self._pictures_of is None:
            return None
        return draw_item(self._pictures_of, self._study, item, decided)


MOST = 200  # values of a list
LOOKED_AT = 2000  # annotations: the first page must not wait for all of a large study


def values_of(study: Study[Any], places: Places[Any] | None) -> dict[str, tuple[str, ...]]:
    """Return what is said in places of each kind, the most frequent first; nothing where words differ freely.

    Example:
        >>> from arbitree import kinds, read
        >>> study = read("examples/dependency/ann.conllu", "examples/dependency/bob.conllu")
        >>> found = values_of(study, kinds.of(study).places)
        >>> "nsubj" in found["label"], "head" in found
        (True, False)
    """
    counted: dict[str, Counter[str]] = {}
    coded = places.coded(study) if places else None
    if coded is not None:
        times = np.bincount(coded.codes[coded.codes >= 0], minlength=len(coded.names)).tolist()
        counted[coded.what] = Counter(dict(zip(coded.names, times, strict=True)))
    elif places is not None:
        for cell in islice(study.cells.values(), LOOKED_AT):
            for what, said in places.vocabulary(cell.value):
                counted.setdefault(what, Counter()).update(said)
    return {
        what: tuple(value for value, _ in found.most_common())
        for what, found in counted.items()
        if len(found) <= MOST
    }

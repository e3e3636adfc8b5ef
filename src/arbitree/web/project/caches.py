"""The values that coders of a study use, offered where an adjudicator types one."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable
from itertools import islice
from threading import Lock
from typing import Any, TypeVar

import numpy as np
from markupsafe import Markup

from arbitree.adjudication.places import Places
from arbitree.drawing.picture import Picture, Pictures, draw_item
from arbitree.study.study import Study

K = TypeVar("K")
V = TypeVar("V")

KEPT = 256  # pictures of up to about 100 kB


class Drawings:
    """The pictures that were asked for last, one of each item: a decision replaces that before it."""

    def __init__(self, study: Study[Any], pictures: Pictures[Any] | None, kept: int = KEPT) -> None:
        self._study = study
        self._pictures_of = pictures
        self._kept = kept
        self._lock = Lock()
        self._pictures: OrderedDict[str, tuple[str, Picture | None]] = OrderedDict()
        self._clickable: OrderedDict[str, tuple[tuple[str, ...], Markup | None]] = OrderedDict()

    def get(self, item: str, decided: Any = None) -> Picture | None:
        """Return the picture of an item with what is *decided*; None if such annotations have no picture."""
        return self._latest(self._pictures, item, repr(decided), lambda: self._draw(item, decided))

    def clickable(self, item: str, decided: Any, keys: tuple[str, ...]) -> Markup | None:
        """Return the picture of an item for the adjudication page; None if there is no picture."""
        return self._latest(
            self._clickable,
            item,
            (repr(decided), *keys),
            lambda: found.clickable(keys) if (found := self._draw(item, decided)) else None,
        )

    def _latest(self, drawn: OrderedDict[str, tuple[K, V]], item: str, state: K, draw: Callable[[], V]) -> V:
        with self._lock:
            known = drawn.get(item)
            if known is not None and known[0] == state:
                drawn.move_to_end(item)
                return known[1]
        found = draw()
        with self._lock:
            drawn[item] = (state, found)
            drawn.move_to_end(item)
            while len(drawn) > self._kept:
                drawn.popitem(last=False)
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

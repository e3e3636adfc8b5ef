"""The values that coders of a study use, offered where an adjudicator types one."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterable
from itertools import islice
from threading import Lock
from typing import Any

import numpy as np

from arbitree.adjudication.differences import BRACKET, HEAD, LABEL, TAG
from arbitree.drawing.picture import Picture, Pictures, draw_item
from arbitree.kinds.dependency.value import DepTree
from arbitree.kinds.phrase.value import PhraseTree
from arbitree.study.grid import Grid
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


def values_of(study: Study[Any]) -> dict[str, tuple[str, ...]]:
    """Return what is said in places of each kind, the most frequent first; nothing where words differ freely.

    Example:
        >>> from arbitree.api.read import read
        >>> found = values_of(read("examples/dependency/ann.conllu", "examples/dependency/bob.conllu"))
        >>> "nsubj" in found["label"], "head" in found
        (True, False)
    """
    counted: dict[str, Counter[str]] = {}
    if isinstance(study.cells, Grid):
        codes = study.cells.codes[study.cells.codes >= 0]
        times = np.bincount(codes, minlength=len(study.cells.distinct)).tolist()
        counted[LABEL] = Counter(dict(zip(map(str, study.cells.distinct), times, strict=True)))
    else:
        for cell in islice(study.cells.values(), LOOKED_AT):
            for what, said in _said(cell.value):
                counted.setdefault(what, Counter()).update(said)
    return {
        what: tuple(value for value, _ in found.most_common())
        for what, found in counted.items()
        if len(found) <= MOST
    }


def _said(value: Any) -> Iterable[tuple[str, Iterable[str]]]:
    if isinstance(value, DepTree):
        yield LABEL, value.relations
        yield from ((name, said) for name, said in value.columns.items() if name != HEAD)
    elif isinstance(value, PhraseTree):
        words = len(value.words)
        yield TAG, value.labels[:words]
        yield BRACKET, value.labels[words:]
    elif hasattr(value, "tags"):
        yield LABEL, (str(value),)

"""The values that coders of a study use, offered where an adjudicator types one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import islice
from typing import Any

import numpy as np

from arbitree.analyses.contested import BRACKET, HEAD, LABEL, TAG
from arbitree.data.dependency import DepTree
from arbitree.data.grid import Grid
from arbitree.data.phrase import PhraseTree
from arbitree.data.study import Study

MOST = 200  # values of a list
LOOKED_AT = 2000  # annotations: the first page must not wait for all of a large study


def values_of(study: Study[Any]) -> dict[str, tuple[str, ...]]:
    """Return what is said in places of each kind, the most frequent first; nothing where words differ freely.

    Example:
        >>> from arbitree.interface import read
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

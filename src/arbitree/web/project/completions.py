"""Values that annotators use, to complete what an adjudicator types."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import Any

import numpy as np

from arbitree.adjudication.places import Places
from arbitree.study.study import Study

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

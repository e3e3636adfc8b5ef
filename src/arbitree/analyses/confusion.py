"""What is confused with what: how often two coders give two labels to one item."""

from __future__ import annotations

from typing import Any

import numpy as np

from arbitree.backends.serial import Serial
from arbitree.data.labels import Label, Tags
from arbitree.data.result import Table
from arbitree.data.study import Study
from arbitree.errors import UnsupportedStudy
from arbitree.measures.ratings import RatingCounts


def confusions(study: Study[Any]) -> Table:
    """Return the pairs of different labels that coders gave to one item, the most frequent first.

    Every pair of coders counts once for an item. The share is that among all pairs of labels, equal ones
    included.

    Example:
        >>> from arbitree.interface import read
        >>> study = read("examples/dependency/ann.conllu", "examples/dependency/bob.conllu", column="upos")
        >>> confusions(study).records()[0]["count"]
        1
    """
    if study.value_type not in (Label, Tags):
        raise UnsupportedStudy(
            "confusions are counted of labels", hint="Take labels from the trees: --column deprel"
        )
    stats = RatingCounts().prepare(study, Serial())
    size = len(stats.values)
    together = np.zeros((size, size))
    for _, counts in stats.blocks(stats.pairable):
        together += counts.T @ counts
    given = stats.given[stats.pairable]
    pairs = float((given * (given - 1)).sum()) / 2
    first, second = np.nonzero(np.triu(together, 1))
    order = np.argsort(-together[first, second], kind="stable")
    rows = tuple(
        (str(stats.values[a]), str(stats.values[b]), int(together[a, b]), float(together[a, b] / pairs))
        for a, b in zip(first[order], second[order], strict=True)
    )
    return Table(("label", "other", "count", "share"), rows)

"""The different values of every cluster, for sums of distances: equal annotations are compared once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from arbitree.measures.measure import FloatArray
from arbitree.measures.sums.pairs import Used

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Distinct(Generic[T]):
    """Values by cluster, each with the number of annotations that have it."""

    values: tuple[T, ...]
    groups: NDArray[np.int64]  # (clusters + 1,) where each cluster's values begin
    counts: FloatArray  # (values,) annotations that are this value
    clusters: tuple[str, ...]  # by the size of their values, so that like is treated with like
    of_item: tuple[tuple[int, ...], ...]  # for every item, the value of each annotation


def numbers_in(
    whole: Distinct[T], used: Used, *, size: Callable[[T], int]
) -> Callable[[Used], Distinct[int]]:
    """Return a function for the different values of some of the annotations in *used*.

    They are numbers of values of *whole*, in the order that they would have without the other annotations.

    Args:
        whole: The different values of all annotations.
        used: The items with their annotations.
        size: The size of a value, by which clusters are sorted.
    """
    sizes = [size(value) for value in whole.values]
    numbers = {
        (item.id, cell.coder): number
        for (item, cells), own in zip(used, whole.of_item, strict=True)
        for cell, number in zip(cells, own, strict=True)
    }

    def part(some: Used) -> Distinct[int]:
        values = [[numbers[item.id, cell.coder] for cell in cells] for item, cells in some]
        return distinct_values(some, values, key=int, size=sizes.__getitem__)

    return part


def distinct_values(
    used: Used,
    values: Sequence[Sequence[T]],
    *,
    key: Callable[[T], Hashable],
    size: Callable[[T], int],
) -> Distinct[T]:
    """Return the different values of every cluster.

    Args:
        used: The items with their annotations.
        values: The value to compare for every annotation of every item.
        key: A function that returns the same for equal values.
        size: The size of a value, by which clusters are sorted.
    """
    members: dict[str, list[int]] = {}
    for place, (item, _) in enumerate(used):
        members.setdefault(item.cluster, []).append(place)
    clusters = sorted(members, key=lambda name: max(size(each) for k in members[name] for each in values[k]))
    found: list[T] = []
    counts: list[int] = []
    of_item: list[tuple[int, ...]] = [()] * len(used)
    groups = [0]
    for cluster in clusters:
        known: dict[Hashable, int] = {}
        for place in members[cluster]:
            own = []
            for value in values[place]:
                index = known.setdefault(key(value), len(found))
                if index == len(found):
                    found.append(value)
                    counts.append(0)
                counts[index] += 1
                own.append(index)
            of_item[place] = tuple(own)
        groups.append(len(found))
    return Distinct(
        values=tuple(found),
        groups=np.array(groups, dtype=np.int64),
        counts=np.array(counts, dtype=np.float64),
        clusters=tuple(clusters),
        of_item=tuple(of_item),
    )

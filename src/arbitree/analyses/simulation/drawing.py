"""Random draws that are the same on every machine and for any number of threads."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


def source_of(*parts: object) -> Random:
    """Return a source of random numbers that depends on *parts* alone.

    Example:
        >>> source_of(0, "heads", 0.5, 3).random() == source_of(0, "heads", 0.5, 3).random()
        True
        >>> source_of(0, "heads", 0.5, 3).random() == source_of(0, "heads", 0.5, 4).random()
        False
    """
    return Random("|".join(map(repr, parts)))


def pick(options: Sequence[T], rng: Random) -> T:
    """Return one of *options*, each with the same chance.

    Only ``random()`` is promised to give the same numbers in every version of Python.
    """
    return options[int(rng.random() * len(options))]

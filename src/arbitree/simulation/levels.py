"""Levels of noise as people write them."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

from arbitree.errors import ArbitreeError

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


HINT = "Write levels from 0 to 1 as FROM:TO:STEP, such as 0:1:0.1, or as a list, such as 0.1,0.5,1"
MOST = 1001


def parse_levels(text: str) -> tuple[float, ...]:
    """Return the levels that *text* names; a range includes its end.

    Example:
        >>> parse_levels("0:1:0.25")
        (0.0, 0.25, 0.5, 0.75, 1.0)
        >>> parse_levels("0.1,1")
        (0.1, 1.0)
    """
    try:
        if ":" not in text:
            levels = tuple(dict.fromkeys(float(part) for part in text.split(",")))
        else:
            start, stop, step = (float(part) for part in text.split(":"))
            if not (step > 0 and stop >= start and (stop - start) / step < MOST):
                raise ValueError
            count = int((stop - start) / step + 1e-9) + 1
            levels = tuple(round(start + place * step, 9) for place in range(count))
    except (ValueError, OverflowError):
        raise ArbitreeError(f"{text!r} names no levels", hint=HINT) from None
    for level in levels:
        if not 0 <= level <= 1:
            raise ArbitreeError(f"the level {level:g} is not from 0 to 1", hint=HINT)
    return levels

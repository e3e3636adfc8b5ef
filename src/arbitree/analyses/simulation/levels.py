"""Levels of noise as people write them."""

from __future__ import annotations

from arbitree.errors import ArbitreeError

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

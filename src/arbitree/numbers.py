"""Numbers in the text of a file, whatever the text is."""

from __future__ import annotations

import re

_WHOLE = re.compile(r"\s*[+-]?[0-9]{1,15}\s*")  # fits into 64 bits, even as a sum


def whole_number(text: str) -> int | None:
    """Return the integer that *text* is, or None for anything else, and for more than 15 digits.

    Python's own functions accept digits of all scripts and underscores, and fail on some of them.

    Example:
        >>> whole_number("12"), whole_number("-1"), whole_number("\u00b2"), whole_number("1" * 5000)
        (12, -1, None, None)
    """
    return int(text) if _WHOLE.fullmatch(text) else None

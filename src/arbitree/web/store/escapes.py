"""Texts that databases cannot store as they are."""

from __future__ import annotations

import re


def written(text: str) -> str:
    """Return *text* with NUL and surrogates escaped, because databases cannot store them."""
    return re.sub(r"[\\\0\ud800-\udfff]", lambda match: f"\\{ord(match[0]):04x}", text)


def read_back(escaped: str) -> str:
    """Return the text that was escaped.

    Example:
        >>> read_back(written("a\\0b")) == "a\\0b"
        True
    """
    if "\\" not in escaped:
        return escaped
    return re.sub(r"\\([0-9a-f]{4})", lambda match: chr(int(match[1], 16)), escaped)

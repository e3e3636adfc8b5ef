"""What was decided, as a file that is read together with the coders' own."""

from __future__ import annotations

from typing import Any, NamedTuple


class Gold(NamedTuple):
    """The finished annotation of one item."""

    value: Any
    people: tuple[str, ...]  # who decided; none: all coders agree

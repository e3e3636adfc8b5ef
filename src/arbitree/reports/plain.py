"""Tables as plain text: columns kept apart by blanks."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

GAP = "  "


def aligned(lines: Sequence[Sequence[str]], *, left: int = 1) -> list[str]:
    """Return *lines* with their cells in columns.

    Args:
        lines: cells of every line, as many in each.
        left: how many columns are aligned at their left side; the others are numbers.
    Example:
        >>> print(*aligned([["measure", "value"], ["las", "0.5"]]), sep="\\n")
        measure  value
        las        0.5
    """
    widths = [max(map(cell_width, column)) for column in zip(*lines, strict=True)]
    shown = []
    for line in lines:
        cells = []
        for place, (cell, width) in enumerate(zip(line, widths, strict=True)):
            blanks = " " * (width - cell_width(cell))
            cells.append(cell + blanks if place < left else blanks + cell)
        shown.append(GAP.join(cells).rstrip())
    return shown


def cell_width(text: str) -> int:
    """Return how many columns of a terminal *text* takes.

    Example:
        >>> cell_width("las"), cell_width("鳥")
        (3, 2)
    """
    if text.isascii():
        return len(text)
    return sum(_width(character) for character in text)


def _width(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1

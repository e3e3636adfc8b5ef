"""Tables as plain text: columns kept apart by blanks."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

GAP = "  "
WIDTH = 100  # columns of a terminal that a table may take


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


def stacked(lines: Sequence[Sequence[str]], *, left: int = 1, kept: int = 1) -> list[str]:
    """Return *lines* as ``aligned`` does; a table that is too wide goes on below, its first columns repeated.

    Args:
        lines: cells of every line, as many in each.
        left: how many columns are aligned at their left side.
        kept: how many columns every part begins with.
    """
    shown: list[str] = []
    widths = [max(map(cell_width, column)) + len(GAP) for column in zip(*lines, strict=True)]
    for places in portions(widths[kept:], WIDTH + len(GAP) - sum(widths[:kept])):
        part = [[*line[:kept], *(line[kept + place] for place in places)] for line in lines]
        shown += ["", *aligned(part, left=left)] if shown else aligned(part, left=left)
    return shown


def portions(widths: Sequence[int], room: int) -> list[list[int]]:
    """Return the places of *widths* in as few runs as fit in *room*, each of one place at least.

    Example:
        >>> portions([5, 5, 5], 10), portions([12], 10)
        ([[0, 1], [2]], [[0]])
    """
    found: list[list[int]] = [[]]
    for place, width in enumerate(widths):
        if found[-1] and sum(widths[at] for at in found[-1]) + width > room:
            found.append([])
        found[-1].append(place)
    return found


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

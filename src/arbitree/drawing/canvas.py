"""Draw lines and text with characters; crossing lines are joined, and text covers lines."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from arbitree.drawing.lettering import KEEP_LEFT, clusters, columns, runs_leftwards

WIDTH = 100  # default width of a picture in columns
SHORTEST = 40  # minimum width of a row in columns
UP, RIGHT, DOWN, LEFT = 1, 2, 4, 8
# Directions in which lines leave a cell, from none to all four.
GLYPHS = " ╵╶╰╷│╭├╴╯─┴╮┤┬┼"


class Canvas:
    """Rows and columns of a terminal; the last drawing is on top, but lines never cover text.

    Example:
        >>> canvas = Canvas()
        >>> canvas.along(0, 0, 4)
        >>> canvas.down(4, 0, 1)
        >>> canvas.write(1, 0, "ab")
        >>> print(canvas)
        ╶───╮
        ab  ╵
    """

    def __init__(self) -> None:
        self.paint = ""  # of the next drawing: parameters of an ANSI escape, such as 34 for blue
        self._paints: dict[tuple[int, int], str] = {}
        self._lines: dict[tuple[int, int], int] = {}
        self._texts: dict[tuple[int, int], str] = {}  # a wide character is followed by ""

    def along(self, row: int, start: int, end: int) -> None:
        """Draw a line along *row*."""
        start, end = min(start, end), max(start, end)
        for column in range(start, end):
            self._add(row, column, RIGHT)
            self._add(row, column + 1, LEFT)

    def down(self, column: int, start: int, end: int) -> None:
        """Draw a line down *column*."""
        start, end = min(start, end), max(start, end)
        for row in range(start, end):
            self._add(row, column, DOWN)
            self._add(row + 1, column, UP)

    def write(self, row: int, column: int, text: str) -> None:
        """Write *text*, beginning at *column*."""
        turned = runs_leftwards([text])
        for cluster in clusters(text) if not turned else [text]:
            width = columns(cluster)
            if width:
                shown = f"{KEEP_LEFT}{cluster}{KEEP_LEFT}" if turned else cluster
                for place in range(width):
                    self._texts[row, column + place] = "" if place else shown
                    self._paints[row, column + place] = self.paint
            column += width

    def __str__(self) -> str:
        return "\n".join("".join(shown for shown, _ in row).rstrip() for row in self._rows())

    def coloured(self) -> str:
        """Return the text with ANSI escapes for colours."""
        lines = []
        for row in self._rows():
            runs = [
                (paint, "".join(shown for shown, _ in run))
                for paint, run in groupby(row, lambda cell: cell[1])
            ]
            lines.append(
                "".join(f"\x1b[{paint}m{text}\x1b[0m" if paint else text for paint, text in runs).rstrip()
            )
        return "\n".join(lines)

    def _rows(self) -> Iterator[list[tuple[str, str]]]:
        """Yield the character in every column of a row, and its colour."""
        taken = [*self._lines, *self._texts]
        width = max((column for _, column in taken), default=-1) + 1
        first, last = (pick((row for row, _ in taken), default=0) for pick in (min, max))
        for row in range(first, last + 1):
            places = [(row, column) for column in range(width)]
            yield [
                (self._texts.get(place, GLYPHS[self._lines.get(place, 0)]), self._paints.get(place, ""))
                for place in places
            ]

    def _add(self, row: int, column: int, way: int) -> None:
        self._lines[row, column] = self._lines.get((row, column), 0) | way
        self._paints[row, column] = self.paint
